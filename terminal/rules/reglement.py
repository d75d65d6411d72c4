"""A reglement is data: one frozen record, read from a TOML file or from `game_started`.

A field that is unknown, missing or makes no sense is refused with its name and what is allowed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import resources
from reprlib import Repr
from typing import Any, NamedTuple


class BadReglement(ValueError):
    """A reglement that cannot be used. source: file or name; field: which one; allowed: what may stand there."""

    def __init__(self, source: str, field: str, allowed: str) -> None:
        super().__init__(f"{source}: {field}: {allowed}")
        self.source = source
        self.field = field
        self.allowed = allowed


class Reglement(NamedTuple):
    """The switches of pitjesbak; each field's meaning and allowed values stand in FIELDS."""

    name: str
    stripes: int
    zand: str
    azen: str
    three_same: str
    fietske_adds: str
    outside_adds: int
    next_starter: str
    barrage_dice: int
    barrage_wipes: str
    stoef: str
    stoef_on_sweep: str
    counts: str
    labels: Mapping[str, str] = {}


_repr = Repr()
_repr.maxstring = _repr.maxother = 60


def quoted(value: object) -> str:
    """A value as a message shows it: short, whatever came in, and safe for what is nested deep."""
    return _repr.repr(value)


def is_text(value: object) -> bool:
    """Whether a value is a text of the contract: a string, not blank, without lone surrogates."""
    return type(value) is str and value.strip() != "" and not any("\ud800" <= c <= "\udfff" for c in value)


def _is_labels(value: object) -> bool:
    return type(value) is dict and all(type(key) is str and is_text(word) for key, word in value.items())


class Field(NamedTuple):
    """One field: what may stand there in words, the test for it, and the values where it is a choice."""

    allowed: str
    fits: Callable[[object], bool]
    values: tuple[str | int, ...] = ()


def _whole(low: int, high: int) -> Field:
    return Field(
        f"a whole number from {low} to {high}",
        lambda value: type(value) is int and low <= value <= high,
    )


def _one_of(*values: str | int) -> Field:
    kinds = {type(value) for value in values}
    return Field(
        "one of " + ", ".join(str(value) for value in values),
        lambda value: type(value) in kinds and value in values,
        values,
    )


FIELDS: Mapping[str, Field] = {
    "name": Field("a text", is_text),
    "stripes": _whole(1, 99),
    "zand": _one_of("equal", "by_face"),
    "azen": _one_of("out_at_once", "best_or_lost", "best"),
    "three_same": _one_of("out_at_once", "nothing"),
    "fietske_adds": _one_of("nobody", "thrower", "everybody"),
    "outside_adds": _whole(0, 9),
    "next_starter": _one_of("winner", "left_of_starter"),
    "barrage_dice": _one_of(3, 1),
    "barrage_wipes": _one_of("tied", "one"),
    "stoef": _one_of("called", "first_throw", "none"),
    "stoef_on_sweep": _one_of("pays", "lapses"),
    "counts": _one_of("best", "last"),
    "labels": Field("an object of texts", _is_labels),
}

OPTIONAL = frozenset({"labels"})


def parse(fields: Mapping[str, Any], source: str = "reglement") -> Reglement:
    """The reglement that these fields make; raises BadReglement for the first field that does not fit."""
    for name in fields:
        if name not in FIELDS:
            near = get_close_matches(name, FIELDS, 1)
            hint = f"; meant {near[0]}?" if near else ""
            raise BadReglement(source, name, "unknown field, allowed are " + ", ".join(FIELDS) + hint)
    for name, field in FIELDS.items():
        if name not in fields:
            if name not in OPTIONAL:
                raise BadReglement(source, name, f"missing, allowed is {field.allowed}")
        elif not field.fits(fields[name]):
            raise BadReglement(source, name, f"allowed is {field.allowed}, not {quoted(fields[name])}")
    return Reglement(**fields)


def parse_toml(text: str, source: str) -> Reglement:
    """The reglement of a TOML file's text; `source` names the file in what is raised."""
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadReglement(source, "(file)", f"not TOML: {error}") from error
    return parse(fields, source)


@cache
def names() -> tuple[str, ...]:
    """The packaged reglementen."""
    folder = resources.files(__package__) / "reglementen"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


@cache
def load(name: str) -> Reglement:
    """A packaged reglement; raises BadReglement when there is none of that name or its file is bad."""
    if name not in names():
        raise BadReglement(f"{quoted(name)}", "name", "allowed are " + ", ".join(names()))
    file = resources.files(__package__) / "reglementen" / f"{name}.toml"
    return parse_toml(file.read_text(encoding="utf-8"), f"{name}.toml")


def to_mapping(reglement: Reglement) -> dict[str, Any]:
    """All fields, as they stand in `game_started`."""
    fields = reglement._asdict()
    fields["labels"] = dict(reglement.labels)
    return fields


def switches(reglement: Reglement) -> tuple[tuple[str, str | int], ...]:
    """Name and value of every switch that matters under this reglement, for "regels" on the screen."""
    silent = {"name", "labels"}
    if reglement.stoef == "none":
        silent.add("stoef_on_sweep")
    if reglement.outside_adds == 0:
        silent.add("outside_adds")
    return tuple((name, getattr(reglement, name)) for name in FIELDS if name not in silent)
