"""Who may import whom. A new arrow is drawn in the tables below first, with its reason.

Besides the directions: foreign packages have their places, rules know no clock and no chance, only one file of the
display opens a window, commands import their rooms only when they run, and importing anything opens nothing.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
HOUSE = ("terminal", "central", "calibration")

# Room -> the rooms (or single modules) of ours that it may import. The longest name that fits a module is its room.
OURS = {
    "terminal.rules": "",
    "terminal.frame": "",
    "terminal.journal": "",
    "terminal.health": "",
    "terminal.voice": "",
    "terminal.thrift": "",
    "terminal.durable": "",
    "terminal.config": "",
    "terminal.display": "",
    "terminal.vision": "terminal.frame",
    "terminal.hw": "terminal.frame",
    "terminal.evidence": "terminal.frame",
    "terminal.web": "",
    "terminal.sync": "terminal.journal terminal.web",
    "terminal.table": "terminal.rules",  # CONTRACT 6: a pure step from (table, message) to lines
    "terminal.present": "terminal.rules terminal.table terminal.overlays terminal.display.view terminal.display.naming",
    "terminal.overlays": "terminal.rules terminal.table terminal.display.view terminal.display.texts",
    "terminal.card": "terminal.rules terminal.journal terminal.durable",  # the games on the card, folded
    "terminal.resume": "terminal.rules terminal.table terminal.card",  # the table as it was before the plug was pulled
    # frames in, messages out
    "terminal.exchange": "terminal.rules terminal.table terminal.card terminal.journal terminal.sync",  # to central
    "terminal.eye": "terminal.frame terminal.hw.ports terminal.vision terminal.table terminal.evidence"
    " terminal.caretaker calibration",
    # does the calibration still hold; only messages and a calibration come out
    "terminal.caretaker": "terminal.frame terminal.vision terminal.table terminal.evidence calibration",
    "terminal.pictures": "terminal.frame terminal.display.view terminal.vision",  # frames made small for the screen
    "calibration": "terminal.vision terminal.hw terminal.frame terminal.durable",
    "central": "terminal.rules terminal.journal",
    "terminal.doctor": "terminal calibration",  # looks at every part
    "terminal.app": "terminal calibration",  # the only place that wires
    "terminal.guest": "terminal",  # the people of the demo
    "terminal.demo": "terminal central calibration",  # two tables and a central in one command
    "terminal.cli": "terminal central calibration",
    "terminal": "",
}
SAME_ROOM = {f"terminal.{part}": "terminal.table" for part in ("booking", "calibrating", "step", "wishes")}

# Foreign packages -> the rooms or modules that may import them; the standard library is everybody's.
FOREIGN = {
    "numpy": "terminal.frame terminal.vision terminal.hw terminal.evidence terminal.pictures terminal.caretaker"
    " calibration",
    "cv2": "terminal.vision terminal.hw.file_camera terminal.hw.usb_camera terminal.evidence terminal.pictures"
    " terminal.caretaker calibration",
    "pygame": "terminal.display",
    "font_amatic_sc": "terminal.display",
    "gpiozero": "terminal.hw.gpio_buttons",
    "picamera2": "terminal.hw.pi_camera",
    "libcamera": "terminal.hw.pi_camera",
    "zeroconf": "terminal.sync central",
}
WEB = "alembic argon2 fpdf itsdangerous jinja2 markupsafe psycopg segno sqlalchemy sse_starlette starlette uvicorn"
FOREIGN.update(dict.fromkeys(WEB.split(), "central"))
CLOCK_AND_CHANCE = {"datetime", "random", "secrets", "time", "uuid"}  # but random.Random, which is handed its seed


def modules():
    """Dotted name -> file, of every module of the house."""
    found = {}
    for package in HOUSE:
        for path in sorted((TOP / package).rglob("*.py")):
            parts = path.relative_to(TOP).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def within(name, places):
    return any(name == place or name.startswith(place + ".") for place in places)


def room_of(name):
    return SAME_ROOM.get(name) or max((room for room in OURS if within(name, [room])), key=len)


def imports(name):
    """(line, what is imported, whether inside a function) of every import in a module; none is relative."""
    tree = ast.parse(MODULES[name].read_text())
    inner = {id(node) for outer in ast.walk(tree) if isinstance(outer, ast.FunctionDef) for node in ast.walk(outer)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{MODULES[name]}:{node.lineno}: say the whole name"
            found = {f"{node.module}.{alias.name}" for alias in node.names}
            if within(node.module, HOUSE):  # a module, or something in one
                found = {whole if whole in MODULES else node.module for whole in found}
        else:
            continue
        yield from ((node.lineno, module, id(node) in inner) for module in sorted(found))


def broken(name):
    """One sentence for each import of a module that the tables do not allow."""
    room = room_of(name)
    for line, module, inner in imports(name):
        place = f"{MODULES[name].relative_to(TOP)}:{line}"
        top = module.partition(".")[0]
        if top in HOUSE:
            if room_of(module) != room and not within(room_of(module), OURS[room].split()):
                if not within(module, OURS[room].split()):
                    yield f"{place}: {room} may not import {module}"
            elif name == "terminal.cli" and not inner:
                yield f"{place}: a command imports {module} when it runs, not before"
        elif top in sys.stdlib_module_names:
            if room == "terminal.rules" and top in CLOCK_AND_CHANCE and module != "random.Random":
                yield f"{place}: rules know no clock and no chance, so no {module}"
        elif not within(name, FOREIGN.get(top, "").split()):
            yield f"{place}: {module} is not for {name}"


def test_every_import_keeps_to_the_tables():
    assert [sentence for name in MODULES for sentence in broken(name)] == []


def test_nobody_but_the_command_line_and_the_demo_imports_the_app():
    importers = {name for name in MODULES for _, module, _ in imports(name) if module == "terminal.app"}
    assert importers <= {"terminal.cli", "terminal.demo", "terminal.guest"}


def test_the_tables_name_nothing_that_is_gone():
    named = {place for places in (*OURS.values(), *FOREIGN.values()) for place in places.split()} | OURS.keys()
    assert {place for place in named | SAME_ROOM.keys() if place not in MODULES} == set()


def test_only_the_window_has_the_display_and_the_events_of_pygame():
    users = {
        name
        for name, path in MODULES.items()
        if within(name, ["terminal.display"]) and re.search(r"\bpygame\.(display|event)\.(?!Event\b)", path.read_text())
    }
    assert users == {"terminal.display.window"}


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("terminal.rules.fold", "import terminal.journal", "terminal.rules may not import terminal.journal"),
        ("terminal.rules.fold", "def f():\n    import random", "no random"),
        ("terminal.vision.reader", "from terminal.hw import file_camera", "may not import terminal.hw.file_camera"),
        ("terminal.present", "from terminal.display import window", "may not import terminal.display.window"),
        ("terminal.journal", "import numpy", "numpy is not for terminal.journal"),
        ("terminal.hw.pi_camera", "import cv2", "cv2 is not for terminal.hw.pi_camera"),
        ("terminal.sync", "import requests", "requests is not for terminal.sync"),
        ("terminal.cli", "import central.store", "imports central.store when it runs"),
    ],
)
def test_a_broken_arrow_is_found(monkeypatch, tmp_path, name, text, sentence):
    path = tmp_path / "planted.py"
    path.write_text(text)
    monkeypatch.setitem(MODULES, name, path)
    monkeypatch.setitem(globals(), "TOP", tmp_path)
    assert [found for found in broken(name) if sentence in found]


# Imports the foreign packages first (what those open is their affair), then all of ours under an audit hook.
WATCHED = """
import importlib, sys
foreign, ours = sys.argv[1].split(), sys.argv[2].split()
for name in foreign:
    importlib.import_module(name)
opened = []
def hook(event, arguments):
    if event == "open" and not str(arguments[0]).endswith((".py", ".pyc", ".so")):
        opened.append(f"{event} {arguments[0]}")
    elif event.partition(".")[0] in ("socket", "subprocess", "sqlite3") or event in ("os.mkdir", "os.system"):
        opened.append(f"{event} {arguments}")
sys.addaudithook(hook)
for name in ours:
    importlib.import_module(name)
print(*opened, sep="\\n", end="")
"""


def opened_by(names, folder):
    """What importing these modules opens, besides the modules themselves."""
    at_import = {module.partition(".")[0] for name in MODULES for _, module, inner in imports(name) if not inner}
    foreign = at_import - {*HOUSE, "__future__", "picamera2", "libcamera"}
    done = subprocess.run(
        [sys.executable, "-B", "-c", WATCHED, " ".join(sorted(foreign)), " ".join(names)],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin", "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout.splitlines()


def test_importing_opens_no_device_no_file_and_no_connection():
    assert opened_by([name for name in MODULES if "migrations" not in name], TOP) == []  # those run below Alembic


def test_a_module_that_opens_something_is_found(tmp_path):
    (tmp_path / "planted.py").write_text("import socket\nopen('/dev/null')\nsocket.socket()")
    assert [line.partition(" ")[0] for line in opened_by(["planted"], tmp_path)] == ["open", "socket.__new__"]
