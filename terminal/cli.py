"""The command line, `pitjesbak`. Each command imports just the rooms that it needs.

Exit 0: done. 1: done, and something in the input was refused or could not be read. 2: wrong use, or a file that is
missing or says something impossible; one sentence on standard error names it.
"""

from __future__ import annotations

import argparse
import json
import logging
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType

DONE, REFUSED, UNUSABLE = 0, 1, 2
MARKS = {True: "well", False: "TROUBLE", None: "-"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit status."""
    given = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    command: Callable[[argparse.Namespace], int] = given.command
    try:
        return command(given)
    except BrokenPipeError:  # `pitjesbak … | head`
        sys.stdout = None  # nothing is left to flush at exit
        return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pitjesbak", description="Dice table and tournament central for pitjesbak.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    replay = commands.add_parser("replay", help="fold a journal and print the state after every line")
    replay.add_argument("file", nargs="?", default="-", help="journal, one JSON object a line; - for standard input")
    replay.add_argument("--final", action="store_true", help="only the last state of each game")
    replay.set_defaults(command=_replay)

    read = commands.add_parser("read", help="read the dice in pictures")
    read.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    read.add_argument("--calibration", type=Path, metavar="FILE")
    read.add_argument("--dice", type=_dice, default=3, metavar="N", help="how many are expected; 0 any number")
    read.add_argument("--json", action="store_true", help="one JSON line an image (the only form there is)")
    read.set_defaults(command=_read)

    watch = commands.add_parser("watch", help="watch the tray and print what happens")
    watch.add_argument("source", metavar="SOURCE", help="a video file, a folder of frames, `camera`, or `usb:N`")
    watch.add_argument("--calibration", type=Path, metavar="FILE")
    watch.add_argument("--dice", type=_dice, default=3, metavar="N", help="how many are expected; 0 any number")
    watch.add_argument("--json", action="store_true", help="one JSON line an event (the only form there is)")
    watch.set_defaults(command=_watch)

    calibrate = commands.add_parser("calibrate", help="make a calibration from pictures of the empty tray")
    calibrate.add_argument(
        "empty",
        nargs="*",
        metavar="EMPTY",
        help="pictures of it, some with the printed card on the felt, or one camera: `camera`, `usb:N`, `folder:PATH`",
    )
    calibrate.add_argument("--card", type=Path, metavar="FILE", help="write the card to print, as PDF or SVG, to scale")
    calibrate.add_argument("--pose", type=Path, metavar="FILE", help="JSON with camera, tray and die_mm, where known")
    calibrate.add_argument("--die", type=_side, metavar="MM", help="side of the dice, where it was measured: 8 to 30")
    calibrate.add_argument("--out", type=Path, metavar="FILE")
    calibrate.add_argument(
        "--config", type=Path, metavar="FILE", help="of the table: its camera, its size, its calibration"
    )
    calibrate.set_defaults(command=_calibrate)

    terminal = commands.add_parser("terminal", help="run the table")
    terminal.add_argument("--config", type=Path, metavar="FILE", help="settings (docs/configuration.md)")
    terminal.set_defaults(command=_terminal)

    central = commands.add_parser("central", help="run the organiser's machine")
    central.add_argument("--database", default="sqlite:///central.db", metavar="URL")
    central.add_argument("--evening", type=Path, metavar="FILE", help="an evening as TOML (docs/organiser.md)")
    central.add_argument("--host", default="0.0.0.0")
    central.add_argument("--port", type=int, default=8080)
    central.add_argument("--forget-password", action="store_true", help="print a new set-up code for the organiser")
    central.set_defaults(command=_central)

    doctor = commands.add_parser("doctor", help="look at every part of this table")
    doctor.add_argument("--config", type=Path, metavar="FILE")
    doctor.set_defaults(command=_doctor)

    sounds = commands.add_parser("sounds", help="speak the words that the table calls out into a folder")
    sounds.add_argument("--config", type=Path, metavar="FILE")
    sounds.set_defaults(command=_sounds)

    demo = commands.add_parser("demo", help="two tables play by themselves from pictures")
    demo.add_argument("--headless", action="store_true", help="no windows; the screens go into a folder as PNG")
    demo.add_argument("--stay", action="store_true", help="keep it running for looking around")
    demo.add_argument("--out", type=Path, default=Path("demo"), metavar="FOLDER", help="where everything is kept")
    demo.add_argument("--pictures", type=Path, default=Path("fixtures/images"), metavar="FOLDER")
    demo.set_defaults(command=_demo)

    table = commands.add_parser("demo-table")  # what `demo` starts for each of its tables
    table.add_argument("plan", type=Path)
    table.set_defaults(command=_demo_table)
    return parser


def _side(text: str) -> float:
    side = float(text)
    if not 8 <= side <= 30:
        raise ValueError(text)
    return side


def _dice(text: str) -> int:
    count = int(text)
    if not 0 <= count <= 30:
        raise ValueError(text)
    return count


def _fail(sentence: object) -> int:
    print(f"pitjesbak: {sentence}", file=sys.stderr)
    return UNUSABLE


def _replay(given: argparse.Namespace) -> int:
    from terminal.rules.replay import replay_file

    status = replay_file(given.file, sys.stdout.buffer, given.final)
    sys.stdout.buffer.flush()
    return status


def _read(given: argparse.Namespace) -> int:
    from calibration import model
    from terminal.vision.reader import read_files

    try:
        calibration = model.load(given.calibration) if given.calibration else None
    except model.BadCalibration as error:
        return _fail(error)
    status = DONE
    for line in read_files(map(str, given.images), calibration, given.dice):
        print(json.dumps(line), flush=True)
        if line["status"] == "error":
            status = REFUSED
    return status


def _watch(given: argparse.Namespace) -> int:
    from calibration import model
    from terminal.hw.ports import BadHardware
    from terminal.hw.sources import camera_of
    from terminal.vision.reader import Reader
    from terminal.vision.watch import watch_source

    try:
        calibration = model.load(given.calibration) if given.calibration else None
        camera = camera_of(given.source)
    except (model.BadCalibration, BadHardware) as error:
        return _fail(error)
    _stop_with(camera.close)
    try:
        for line in watch_source(camera.frames(), Reader(calibration), given.dice):
            print(json.dumps(line), flush=True)
    except BadHardware as error:
        print(json.dumps({"event": "camera_lost", "values": [], "dice": [], "reason": str(error)}), flush=True)
        return _fail(error)
    return DONE


def _calibrate(given: argparse.Namespace) -> int:
    from calibration import card, fit, model, shots
    from terminal import config
    from terminal.hw.sources import Wanted, camera_of, is_camera
    from terminal.vision import overlay

    empty, out, wanted = given.empty, given.out, Wanted()
    try:
        if given.config is not None:
            settings = config.load(given.config)
            camera = settings.camera
            wanted = Wanted(camera.size, camera.fps, camera.distance_m)
            empty = empty or ([camera.source] if camera.source != "none" else [])
            out = out or (settings.calibration if empty else None)
        if bool(empty) != (out is not None) or not (empty or given.card):
            return _fail(
                "calibrate: pictures of the empty tray or a camera, and --out FILE, are needed;"
                " or --config FILE that says both; or --card FILE"
            )
        if given.card is not None:
            card.write(given.card)
        if empty:
            pose = fit.read_pose(given.pose) if given.pose is not None else None
            if len(empty) == 1 and is_camera(empty[0]):
                images = shots.of_empty(camera_of(empty[0], wanted))
                if pose is None and sys.stdin.isatty():
                    input(_CARD)
                    images += shots.of_empty(camera_of(empty[0], wanted))
            else:
                images = fit.pictures([Path(one) for one in empty])
            calibration = fit.from_empty(images, pose)
            if given.die is not None:
                calibration = replace(calibration, die_mm=given.die)
            model.save(out, calibration)
            shown = out.with_name(out.stem + ".felt.png")
            shown.write_bytes(overlay.from_above_png(images[0], calibration))
            print(f"{out}: passed. {shown} shows the felt from above, with squares of 16 mm: look whether they fit.")
    except (fit.CalibrationFailed, config.BadConfig, OSError, ValueError) as error:  # ValueError: a card, no PDF or SVG
        return _fail(error)
    return DONE


_CARD = "Lay the printed card flat on the felt and press Enter; without a card just press Enter. "


def _terminal(given: argparse.Namespace) -> int:
    from terminal.thrift import be_thrifty, forget_loading

    be_thrifty()
    from terminal import config
    from terminal.app import NotStarted, build

    try:
        app = build(config.load(given.config))
    except (config.BadConfig, NotStarted) as error:
        return _fail(error)
    _stop_with(app.stop)
    forget_loading()
    app.run()
    return DONE


def _central(given: argparse.Namespace) -> int:
    from central import commands, evening_file

    if given.forget_password:
        print(commands.forget_password(given.database))
        return DONE
    try:
        commands.serve(given.database, given.evening, given.host, given.port, _say_where)
    except evening_file.BadEvening as error:
        return _fail(error)
    return DONE


def _say_where(port: int) -> None:
    print(f"central listens on port {port}", flush=True)


def _doctor(given: argparse.Namespace) -> int:
    from datetime import datetime

    from terminal import config
    from terminal.doctor import examine

    try:
        settings = config.load(given.config)
    except config.BadConfig as error:
        return _fail(error)
    status = DONE
    for finding in examine(settings, datetime.now()):
        print(f"{MARKS[finding.well]:7} {finding.part:12} {finding.told}", flush=True)
        if finding.well is False:
            status = REFUSED
    return status


def _sounds(given: argparse.Namespace) -> int:
    from terminal import config, voice
    from terminal.display.sound import SPOKEN

    try:
        folder = config.load(given.config).sound_folder
        for path in voice.speak(SPOKEN, folder):
            print(path)
    except (config.BadConfig, voice.NoVoice) as error:
        return _fail(error)
    return DONE


def _demo(given: argparse.Namespace) -> int:
    from terminal import demo

    try:
        for sentence in demo.demo(given.out, given.pictures, headless=given.headless, stay=given.stay):
            print(sentence, flush=True)
    except demo.DemoFailed as error:
        return _fail(error)
    return DONE


def _demo_table(given: argparse.Namespace) -> int:
    from terminal.thrift import be_thrifty

    be_thrifty()
    from terminal import demo

    app = demo.table(given.plan)
    _stop_with(app.stop)
    app.run()
    return DONE


def _stop_with(stop: Callable[[], None]) -> None:
    def stopped(number: int, frame: FrameType | None) -> None:
        stop()

    signal.signal(signal.SIGTERM, stopped)
    signal.signal(signal.SIGINT, stopped)


if __name__ == "__main__":
    sys.exit(main())
