"""The units say what systemd understands, start what is installed, and let the programs do no more than they need.

What only a Pi could show: that the devices that are let through are all that screen, camera and pins need.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from terminal import cli, config

TOP = Path(__file__).parent.parent
UNITS = sorted((TOP / "systemd").glob("*.service"))
PROGRAM = "/opt/pitjesbak/.venv/bin/pitjesbak"
LEAST_EXPOSED = 20  # tenths; systemd calls 1.x OK, and a unit without any hardening has 9.6


def analyze(*arguments):
    """systemd-analyze works without a running systemd; Debian has it in the package systemd."""
    tool = shutil.which("systemd-analyze")
    assert tool, "systemd-analyze is missing: apt-get install systemd"
    return subprocess.run([tool, *arguments], capture_output=True, text=True)


@pytest.fixture(params=UNITS, ids=lambda unit: unit.stem)
def unit(request, tmp_path):
    """A unit as it stands, but started from a folder in which the program is there."""
    program = tmp_path / "pitjesbak"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    text = request.param.read_text()
    assert PROGRAM in text
    copy = tmp_path / request.param.name
    copy.write_text(text.replace(PROGRAM, str(program)))
    return copy


def settings(unit):
    """Key -> its values, in order."""
    found = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


def test_there_is_a_unit_for_the_table_and_one_for_central():
    assert [unit.stem for unit in UNITS] == ["pitjesbak-central", "pitjesbak-terminal"]


def test_systemd_understands_every_line(unit):
    done = analyze("verify", str(unit))
    assert (done.stderr, done.returncode) == ("", 0)  # an unknown key is said on stderr alone


def test_a_line_that_systemd_does_not_understand_would_be_noticed(unit):
    unit.write_text(unit.read_text().replace("PrivateTmp=", "PrivateTemp="))
    assert "PrivateTemp" in analyze("verify", str(unit)).stderr


def test_the_program_is_let_do_little(unit):
    done = analyze("security", "--offline=true", f"--threshold={LEAST_EXPOSED}", "--no-pager", str(unit))
    assert done.returncode == 0, done.stdout


def test_it_comes_back_after_every_death(unit):
    assert settings(unit)["Restart"] == ["always"]
    assert settings(unit)["StartLimitIntervalSec"] == ["0"]
    assert settings(unit)["WantedBy"] == ["multi-user.target"]


def test_the_command_line_is_one_that_the_program_knows(unit):
    (command,) = settings(unit)["ExecStart"]
    given = cli._parser().parse_args(command.split()[1:])
    assert given.command.__name__ == f"_{unit.stem.removeprefix('pitjesbak-')}"


def test_what_is_kept_lies_in_the_state_folder_and_the_settings_are_those_that_are_installed():
    terminal, central = (settings(TOP / "systemd" / f"pitjesbak-{name}.service") for name in ("terminal", "central"))
    assert str(config.USUAL) in terminal["ExecStart"][0]
    installed = config.load(TOP / "systemd" / "terminal.toml")
    assert installed.table.data == Path("/var/lib") / terminal["StateDirectory"][0]
    assert f"/var/lib/{central['StateDirectory'][0]}/" in central["ExecStart"][0]


def test_the_table_may_use_every_device_that_it_has():
    (unit,) = (settings(unit) for unit in UNITS if unit.stem == "pitjesbak-terminal")
    allowed = {line.split()[0] for line in unit["DeviceAllow"]}
    assert allowed == {
        "char-drm",
        "char-video4linux",
        "char-media",
        "char-dma_heap",
        "char-input",
        "char-gpiochip",
        "char-alsa",
    }
    assert unit["SupplementaryGroups"] == ["video render input gpio audio"]
    assert "GPIOZERO_PIN_FACTORY=lgpio" in unit["Environment"]


def test_the_installation_names_the_files_that_are_there():
    """docs/install.md copies units and settings; each must exist under that name."""
    text = (TOP / "docs" / "install.md").read_text()
    named = set(re.findall(r"/opt/pitjesbak/((?:systemd|docs)/[\w.-]+)", text))
    assert {f"systemd/{unit.name}" for unit in UNITS} | {"systemd/terminal.toml"} <= named
    assert [name for name in named if not (TOP / name).exists()] == []
