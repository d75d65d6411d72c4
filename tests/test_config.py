"""The settings: defaults for everything, and a sentence for whatever is wrong."""

import dataclasses
import re
import tomllib
from pathlib import Path

import pytest

from terminal import config
from terminal.config import BadConfig

DOCUMENT = Path(__file__).parent.parent / "docs" / "configuration.md"


def parsed(text, folder=Path("/café")):
    return config.parse(text, folder, "table.toml")


def documented():
    """(section, key) -> (default, allowed) of the tables in the document."""
    found, section = {}, None
    for line in DOCUMENT.read_text().splitlines():
        if heading := re.fullmatch(r"## \[(\w+)\]", line):
            section = heading[1]
        elif row := re.fullmatch(r"\| `(\w+)` \| `(.*)` \| (.+) \| (.+) \|", line):
            assert (section, row[1]) not in found
            found[section, row[1]] = (tomllib.loads(f"default = {row[2]}")["default"], row[3])
    return found


def test_every_key_is_documented_and_every_documented_key_is_there():
    real = {(section, name): tuple(key) for section, names in config.keys().items() for name, key in names.items()}
    assert len(real) > 25
    assert documented() == {place: (default, rule.allowed) for place, (default, rule) in real.items()}


def test_the_example_in_the_document_is_one():
    example = re.search(r"```toml\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1]
    settings = parsed(example)
    assert settings.table.name == "3"
    assert settings.camera.calibration is None and settings.calibration == settings.table.data / "calibration.json"
    assert settings.buttons.enabled


def test_a_table_without_any_file_works_by_touch(tmp_path):
    settings = config.load(None, usual=tmp_path / "missing.toml")
    assert settings.camera.source == "none"
    assert not settings.buttons.enabled
    assert settings.central.url == ""
    assert settings.table.data == Path("~/.local/share/pitjesbak").expanduser()
    assert settings == parsed("")


def test_the_usual_file_is_read_when_none_is_named(tmp_path):
    usual = tmp_path / "terminal.toml"
    usual.write_text('[table]\nname = "7"\ndata = "games"\n')
    assert config.load(None, usual).table.name == "7"
    assert config.load(None, usual).table.data == tmp_path / "games"


def test_a_named_file_that_is_missing_is_said(tmp_path):
    with pytest.raises(BadConfig, match=r"nowhere\.toml: No such file"):
        config.load(tmp_path / "nowhere.toml")


def test_a_file_that_is_no_text_is_said(tmp_path):
    (tmp_path / "t.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadConfig, match=r"t\.toml: is not text"):
        config.load(tmp_path / "t.toml")


def test_everything_given_is_taken():
    settings = parsed(
        """
        [table]
        name = "Café De Kroon 2"
        language = "fr"
        reglement = "negen"
        data = "/var/lib/pitjesbak"
        [sound]
        volume = 4
        folder = "sounds"
        [camera]
        source = "usb:1"
        calibration = "/etc/pitjesbak/tray.json"
        size = [640, 480]
        fps = 25
        distance_m = 1
        [buttons]
        enabled = true
        stoef = 4
        lamps = false
        settle_ms = 30
        stuck_after_s = 5
        [central]
        url = "https://central.example"
        token = "s3cret"
        [screen]
        size = [720, 1280]
        fullscreen = true
        [evidence]
        pictures = 0
        megabytes = 10
        """
    )
    assert dataclasses.asdict(settings) == {
        "table": {
            "name": "Café De Kroon 2",
            "language": "fr",
            "reglement": "negen",
            "data": Path("/var/lib/pitjesbak"),
        },
        "sound": {"volume": 4, "folder": Path("/café/sounds")},
        "camera": {
            "source": "usb:1",
            "calibration": Path("/etc/pitjesbak/tray.json"),
            "size": (640, 480),
            "fps": 25.0,
            "distance_m": 1.0,
        },
        "buttons": {
            "enabled": True,
            "stoef": 4,
            "ogen": 27,
            "punten": 22,
            "klaar": 23,
            "lamps": False,
            "stoef_lamp": 5,
            "ogen_lamp": 6,
            "punten_lamp": 13,
            "klaar_lamp": 19,
            "settle_ms": 30,
            "stuck_after_s": 5.0,
        },
        "central": {"url": "https://central.example", "token": "s3cret"},
        "screen": {"size": (720, 1280), "fullscreen": True},
        "evidence": {"pictures": 0, "megabytes": 10},
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[table]\nnaam = 'x'", r"\[table\] has no naam; is name meant\?"),
        ("[butons]\nenabled = true", r"no section \[butons\]; is buttons meant\?"),
        ("[camera]\nzzz = 1", r"\[camera\] has no zzz; there are source, calibration, size, fps, distance_m"),
        ("language = 'nl'", r"no section \[language\]"),
        ("camera = 'pi'", r"write \[camera\] on a line of its own"),
        ("[[table]]\nname = '1'", r"write \[table\] on a line of its own"),
        ("[table]\nname = ", "is no TOML"),
    ],
)
def test_what_does_not_exist_is_refused_with_the_nearest_that_does(text, said):
    with pytest.raises(BadConfig, match=r"^table\.toml: .*" + said):
        parsed(text)


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("table", "name", '""'),
        ("table", "name", '"   "'),
        ("table", "name", "3"),
        ("table", "name", f'"{"x" * 21}"'),
        ("table", "language", '"de"'),
        ("table", "language", '["nl"]'),
        ("table", "reglement", '"../kazerne"'),
        ("table", "data", '""'),
        ("table", "data", '"~nobody/games"'),
        ("table", "data", r'"a\u0000b"'),
        ("sound", "volume", "11"),
        ("sound", "volume", "-1"),
        ("sound", "volume", "true"),
        ("sound", "volume", "5.0"),
        ("camera", "source", '"usb"'),
        ("camera", "source", '"usb:-1"'),
        ("camera", "source", '"folder:"'),
        ("camera", "source", '"webcam"'),
        ("camera", "size", "[1280]"),
        ("camera", "size", "[1281, 960]"),
        ("camera", "size", "[1280, 96]"),
        ("camera", "size", "[1280.0, 960.0]"),
        ("camera", "size", '"1280x960"'),
        ("camera", "fps", "0"),
        ("camera", "fps", "nan"),
        ("camera", "fps", '"30"'),
        ("buttons", "enabled", '"yes"'),
        ("buttons", "enabled", "1"),
        ("buttons", "stoef", "28"),
        ("buttons", "klaar", "17.0"),
        ("central", "url", '"192.168.1.10"'),
        ("central", "url", '"ftp://x"'),
        ("central", "token", '"a b"'),
        ("screen", "fullscreen", "2026-11-29"),
        ("evidence", "pictures", "-5"),
    ],
)
def test_a_wrong_value_names_the_key_and_what_is_allowed(section, key, value):
    with pytest.raises(BadConfig) as refused:
        parsed(f"[{section}]\n{key} = {value}")
    message = str(refused.value)
    assert message.startswith(f"table.toml: [{section}] {key} is ")
    assert message.endswith(f"; allowed is {config.keys()[section][key].rule.allowed}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stoef = 23", "stoef and klaar are both on pin 23"),
        ("ogen_lamp = 17", "stoef and ogen_lamp are both on pin 17"),
    ],
)
def test_two_things_on_one_pin_are_refused(text, said):
    with pytest.raises(BadConfig, match=said):
        parsed(f"[buttons]\n{text}")


def test_pins_of_lamps_that_are_not_there_are_free():
    buttons = parsed("[buttons]\nlamps = false\nstoef = 5").buttons
    assert buttons.lamp_pins == {}
    assert buttons.button_pins["stoef"] == 5


def test_a_picture_source_is_seen_from_the_folder_of_the_file():
    assert parsed('[camera]\nsource = "folder:throws"').camera.source == "folder:/café/throws"
    assert parsed('[camera]\nsource = "video:/films/a.mp4"').camera.source == "video:/films/a.mp4"
    assert parsed('[camera]\nsource = "folder:~/throws"').camera.source == f"folder:{Path.home()}/throws"


def test_the_settings_cannot_be_changed_afterwards():
    settings = parsed("")
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.table.name = "2"


def test_the_token_stays_out_of_logs():
    assert "s3cret" not in repr(parsed('[central]\ntoken = "s3cret"'))
