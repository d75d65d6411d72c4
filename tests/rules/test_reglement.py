"""A reglement is data: every field, its allowed values, and what is said when it does not fit."""

import pytest

from terminal.rules.reglement import (
    FIELDS,
    BadReglement,
    load,
    names,
    parse,
    parse_toml,
    switches,
    to_mapping,
)
from tests.rules.play import Play, started

# The table of the decided rules, row by row.
TABLE = {
    "name": ("kazerne", "negen"),
    "stripes": (12, 9),
    "zand": ("equal", "by_face"),
    "azen": ("out_at_once", "best_or_lost"),
    "three_same": ("out_at_once", "nothing"),
    "fietske_adds": ("thrower", "thrower"),
    "outside_adds": (0, 1),
    "next_starter": ("winner", "winner"),
    "barrage_dice": (3, 1),
    "barrage_wipes": ("tied", "one"),
    "stoef": ("called", "none"),
    "stoef_on_sweep": ("pays", "pays"),
    "counts": ("best", "best"),
}

ALLOWED = {
    "zand": ["equal", "by_face"],
    "azen": ["out_at_once", "best_or_lost", "best"],
    "three_same": ["out_at_once", "nothing"],
    "fietske_adds": ["nobody", "thrower", "everybody"],
    "next_starter": ["winner", "left_of_starter"],
    "barrage_dice": [3, 1],
    "barrage_wipes": ["tied", "one"],
    "stoef": ["called", "first_throw", "none"],
    "stoef_on_sweep": ["pays", "lapses"],
    "counts": ["best", "last"],
}


def changed(**fields):
    return {**to_mapping(load("kazerne")), **fields}


def test_packaged_reglementen_hold_the_table_k1_n1():
    assert names() == ("kazerne", "negen")
    for column, name in enumerate(names()):
        fields = to_mapping(load(name))
        del fields["labels"]
        assert fields == {field: values[column] for field, values in TABLE.items()}


def test_fields_are_those_of_the_table():
    assert set(FIELDS) == {*TABLE, "labels"}


@pytest.mark.parametrize(("field", "value"), [(f, v) for f, values in ALLOWED.items() for v in values])
def test_each_allowed_value_is_accepted(field, value):
    assert getattr(parse(changed(**{field: value})), field) == value


@pytest.mark.parametrize("field", [*ALLOWED, "stripes", "outside_adds"])
@pytest.mark.parametrize("value", ["", "foo", None, True, False, 1.0, 3.0, -1, 2, 100, [], {}, "1", "3"])
def test_a_value_that_makes_no_sense_is_refused_with_the_field_and_what_is_allowed(field, value):
    if field in ("stripes", "outside_adds") and type(value) is int and value == 2:
        value = 2.0
    with pytest.raises(BadReglement) as refused:
        parse(changed(**{field: value}), "café.toml")
    assert refused.value.field == field
    for part in ("café.toml", field, *map(str, ALLOWED.get(field, ["whole number"]))):
        assert part in str(refused.value)


@pytest.mark.parametrize(("field", "low", "high"), [("stripes", 1, 99), ("outside_adds", 0, 9)])
def test_bounds_of_numbers(field, low, high):
    for value in (low, high):
        assert getattr(parse(changed(**{field: value})), field) == value
    for value in (low - 1, high + 1):
        with pytest.raises(BadReglement):
            parse(changed(**{field: value}))


@pytest.mark.parametrize("field", TABLE)
def test_a_missing_field_is_named(field):
    fields = changed()
    del fields[field]
    with pytest.raises(BadReglement, match=f"{field}: missing, allowed is"):
        parse(fields)


def test_an_unknown_field_is_named_with_the_nearest_known_one():
    with pytest.raises(BadReglement, match=r"stripe: unknown field.*meant stripes"):
        parse(changed(stripe=3))


@pytest.mark.parametrize("name", ["", " ", "\t\u00a0", "\ud800", 3, None, ["kazerne"]])
def test_a_name_must_be_a_text(name):
    with pytest.raises(BadReglement, match="name"):
        parse(changed(name=name))


@pytest.mark.parametrize("labels", [None, [], "sois", {"sois": 3}, {"sois": " "}, {"sois": None}, {"sois": "\udc00"}])
def test_labels_must_be_an_object_of_texts(labels):
    with pytest.raises(BadReglement, match="labels"):
        parse(changed(labels=labels))


def test_labels_are_optional_and_may_carry_any_key():
    fields = changed()
    del fields["labels"]
    assert parse(fields).labels == {}
    assert parse(changed(labels={"azen": "drie apen", "": "x"})).labels["azen"] == "drie apen"


def test_any_name_can_be_carried_and_decides_nothing():
    assert parse(changed(name="negen")).stripes == 12


def test_a_copied_file_with_one_change_is_a_new_reglement_without_code():
    text = "\n".join(
        f"{field} = {value!r}".replace("'", '"') for field, value in changed(name="stamcafé", stripes=7).items()
    ).replace("labels = {}", "[labels]\nsois = 'soixante-neuf'")
    reglement = parse_toml(text, "stamcafé.toml")
    assert (reglement.name, reglement.stripes, reglement.labels) == ("stamcafé", 7, {"sois": "soixante-neuf"})


def test_a_bad_file_is_named_with_what_is_allowed():
    with pytest.raises(BadReglement, match=r"stamcafé\.toml: .*not TOML"):
        parse_toml("stripes = ", "stamcafé.toml")
    with pytest.raises(BadReglement, match="kazern"):
        load("kazern")


def test_mapping_goes_both_ways():
    for name in names():
        assert parse(to_mapping(load(name))) == load(name)


def test_every_switch_that_matters_is_told_and_no_other():
    kazerne = dict(switches(load("kazerne")))
    assert kazerne["stripes"] == 12
    assert "outside_adds" not in kazerne
    negen = dict(switches(load("negen")))
    assert negen["outside_adds"] == 1
    assert "stoef_on_sweep" not in negen
    assert "name" not in negen


def test_stripes_of_the_start_override_the_reglement_k1():
    assert Play().stripes == "12 12 12"
    assert Play(stripes=6).stripes == "6 6 6"
    assert Play(reglement="negen").stripes == "9 9 9"
    assert Play(reglement={"stripes": 3}).stripes == "3 3 3"


def test_whole_reglement_in_the_start_is_in_force():
    assert Play(reglement={"stripes": 5, "name": "huis"}).fold.reglement.name == "huis"
    assert started(reglement={"stripes": 5})["reglement"]["stripes"] == 5
