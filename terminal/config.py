"""The settings of one table: one TOML file, read once, frozen, handed to each room in parts.

Every key has a default, so that an empty file, or none, is a table that works by touch. A key that does not exist and
a value that is not allowed are refused with what would be. `docs/configuration.md` lists every key; a test compares
it with this file. It imports no room: a room turns its section into its own record.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar, get_type_hints

USUAL = Path("/etc/pitjesbak/terminal.toml")
"""Read when no file is named, if it is there."""

T = TypeVar("T")


class BadConfig(ValueError):
    """The file cannot be read or says something impossible; the message names file, key and what is allowed."""


def _unchanged(value: Any, folder: Path) -> object:  # noqa: ANN401  whatever TOML held
    return value


class Rule(NamedTuple):
    """What a key may be: in words, as a test, and made into what the program uses (from the folder of the file)."""

    allowed: str
    right: Callable[[Any], bool]
    made: Callable[[Any, Path], object] = _unchanged


class Key(NamedTuple):
    """A key of the file. default: as one would write it there."""

    default: object
    rule: Rule


PATH = r"(~(/[^\0]*)?|[^~\0][^\0]*)?"  # ~ only as the own home


def _whole(low: int, high: int) -> Rule:
    return Rule(f"a whole number from {low} to {high}", lambda value: type(value) is int and low <= value <= high)


def _number(low: float, high: float) -> Rule:
    return Rule(
        f"a number from {low:g} to {high:g}",
        lambda value: type(value) in (int, float) and low <= value <= high,
        lambda value, _: float(value),
    )


def _choice(*values: str) -> Rule:
    return Rule("one of " + ", ".join(f'"{value}"' for value in values), lambda value: value in values)


def _text(allowed: str, pattern: str) -> Rule:
    return Rule(allowed, lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None)


def _size(low: int, high: int) -> Rule:
    def right(value: Any) -> bool:  # noqa: ANN401  whatever TOML held
        return (
            isinstance(value, list)
            and len(value) == 2
            and all(type(one) is int and one % 2 == 0 and low <= one <= high for one in value)
        )

    return Rule(f"[width, height], two even numbers from {low} to {high}", right, lambda value, _: tuple(value))


def _path(what: str, *, needed: bool = False) -> Rule:
    """A path seen from the folder of the file; `~` is the home of the account. Not `needed`: "" is None."""
    return Rule(
        what if needed else f'{what}, or "" for the usual',
        lambda value: isinstance(value, str) and re.fullmatch(PATH, value) is not None and (value != "" or not needed),
        lambda value, folder: folder / Path(value).expanduser() if value else None,
    )


def _from_folder(source: str, folder: Path) -> str:
    kind, colon, path = source.partition(":")
    return f"{kind}:{folder / Path(path).expanduser()}" if kind in ("folder", "video") else kind + colon + path


CALIBRATION = "calibration.json"  # beside the games, where the settings name no other
SWITCH = Rule("true or false", lambda value: isinstance(value, bool))
PIN = _whole(2, 27)
NAME = _text("a text of 1 to 20 characters", r"(?=.*\S).{1,20}")
REGLEMENT = _text("the name of a reglement", r"[a-z0-9_-]{1,40}")
SOURCE = Rule(
    '"none", "pi", "usb:N", "folder:PATH" or "video:PATH"',
    _text("", rf"none|pi|usb:[0-9]{{1,2}}|(folder|video):(?!$)({PATH})").right,
    _from_folder,
)
URL = _text('an address such as "http://192.168.1.10:8080", "auto", or "" for none', r"(auto|https?://\S+)?")
TOKEN = _text('what central gave this table, or "" to be paired by a code', r"\S*")


@dataclass(frozen=True, slots=True)
class Table:
    """What this table is called and where it keeps its games."""

    name: Annotated[str, Key("1", NAME)]
    language: Annotated[str, Key("nl", _choice("nl", "fr", "en"))]
    reglement: Annotated[str, Key("kazerne", REGLEMENT)]
    data: Annotated[Path, Key("~/.local/share/pitjesbak", _path("the path of a folder", needed=True))]


@dataclass(frozen=True, slots=True)
class Sound:
    """Sounds and spoken words."""

    volume: Annotated[int, Key(0, _whole(0, 10))]
    folder: Annotated[Path | None, Key("", _path("the path of a folder"))]


@dataclass(frozen=True, slots=True)
class Camera:
    """The camera above the tray."""

    source: Annotated[str, Key("none", SOURCE)]
    calibration: Annotated[Path | None, Key("", _path("the path of a file"))]
    size: Annotated[tuple[int, int], Key([1280, 960], _size(320, 4096))]
    fps: Annotated[float, Key(30.0, _number(5, 120))]
    distance_m: Annotated[float, Key(0.7, _number(0.1, 5))]


@dataclass(frozen=True, slots=True)
class Buttons:
    """The four buttons and their lamps, on GPIO pins (BCM numbers)."""

    enabled: Annotated[bool, Key(False, SWITCH)]
    stoef: Annotated[int, Key(17, PIN)]
    ogen: Annotated[int, Key(27, PIN)]
    punten: Annotated[int, Key(22, PIN)]
    klaar: Annotated[int, Key(23, PIN)]
    lamps: Annotated[bool, Key(True, SWITCH)]
    stoef_lamp: Annotated[int, Key(5, PIN)]
    ogen_lamp: Annotated[int, Key(6, PIN)]
    punten_lamp: Annotated[int, Key(13, PIN)]
    klaar_lamp: Annotated[int, Key(19, PIN)]
    settle_ms: Annotated[int, Key(20, _whole(1, 200))]
    stuck_after_s: Annotated[float, Key(10.0, _number(1, 600))]

    @property
    def button_pins(self) -> dict[str, int]:
        """Name of the button -> its pin."""
        return {"stoef": self.stoef, "ogen": self.ogen, "punten": self.punten, "klaar": self.klaar}

    @property
    def lamp_pins(self) -> dict[str, int]:
        """Name of the button -> pin of its lamp; empty without lamps."""
        pins = (self.stoef_lamp, self.ogen_lamp, self.punten_lamp, self.klaar_lamp)
        return dict(zip(self.button_pins, pins, strict=True)) if self.lamps else {}


@dataclass(frozen=True, slots=True)
class Central:
    """The organiser's machine."""

    url: Annotated[str, Key("", URL)]
    token: Annotated[str, Key("", TOKEN)] = field(repr=False)  # a secret, not for logs


@dataclass(frozen=True, slots=True)
class Screen:
    """The window."""

    size: Annotated[tuple[int, int], Key([800, 480], _size(320, 4096))]
    fullscreen: Annotated[bool, Key(False, SWITCH)]


@dataclass(frozen=True, slots=True)
class Evidence:
    """How many pictures of throws are kept."""

    pictures: Annotated[int, Key(1000, _whole(0, 1_000_000))]
    megabytes: Annotated[int, Key(200, _whole(1, 1_000_000))]


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a table, a record for each section of the file."""

    table: Table
    sound: Sound
    camera: Camera
    buttons: Buttons
    central: Central
    screen: Screen
    evidence: Evidence

    @property
    def calibration(self) -> Path:
        """The calibration of the camera: the named file, or the one that the table keeps beside the games."""
        return self.camera.calibration or self.table.data / CALIBRATION

    @property
    def sound_folder(self) -> Path:
        """Where the sounds are: the named folder, or the one that `pitjesbak sounds` makes beside the games."""
        return self.sound.folder or self.table.data / "sounds"


def keys() -> dict[str, dict[str, Key]]:
    """Section -> name -> key: all that a file may hold."""
    return {section: _keys_of(kind) for section, kind in get_type_hints(Config).items()}


def _keys_of(kind: Callable[..., object]) -> dict[str, Key]:
    return {name: hint.__metadata__[0] for name, hint in get_type_hints(kind, include_extras=True).items()}


def load(path: Path | None, usual: Path = USUAL) -> Config:
    """The settings in a file; those in `usual` when none is named, the defaults when that is not there either."""
    if path is None:
        if not usual.exists():
            return parse("", Path(), "the defaults")
        path = usual
    try:
        text = path.read_bytes().decode()
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadConfig(f"{path}: is not text in UTF-8") from error
    return parse(text, path.parent, str(path))


def parse(text: str, folder: Path, name: str) -> Config:
    """The settings in a text. folder: what relative paths are seen from. name: of the file, for what is said of it."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(f"{name}: is no TOML: {error}") from error
    kinds = get_type_hints(Config)
    for section, values in given.items():
        if section not in kinds:
            raise BadConfig(f"{name}: there is no section [{section}]{_nearest(section, kinds)}")
        if not isinstance(values, dict):
            raise BadConfig(f"{name}: {section} is a section: write [{section}] on a line of its own")
    config = Config(
        **{
            section: _record(kind, given.get(section, {}), folder, f"{name}: [{section}]")
            for section, kind in kinds.items()
        }
    )
    _check_pins(config.buttons, name)
    return config


def _record(kind: Callable[..., T], given: Mapping[str, object], folder: Path, place: str) -> T:
    known = _keys_of(kind)
    for key in given:
        if key not in known:
            raise BadConfig(f"{place} has no {key}{_nearest(key, known)}")
    values = {}
    for key, (default, rule) in known.items():
        value = given.get(key, default)
        if not rule.right(value):
            raise BadConfig(f"{place} {key} is {_written(value)}; allowed is {rule.allowed}")
        values[key] = rule.made(value, folder)
    return kind(**values)


def _written(value: object) -> str:
    """A value as TOML writes it, near enough for a message."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _nearest(word: str, known: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; is {close[0]} meant?" if close else f"; there are {', '.join(known)}"


def _check_pins(buttons: Buttons, name: str) -> None:
    lamps = {f"{button}_lamp": pin for button, pin in buttons.lamp_pins.items()}
    on: dict[int, str] = {}
    for key, pin in {**buttons.button_pins, **lamps}.items():
        if pin in on:
            raise BadConfig(f"{name}: [buttons] {on[pin]} and {key} are both on pin {pin}; each needs its own")
        on[pin] = key
