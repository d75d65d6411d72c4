"""How well the tray is watched: python -m tests.bench.watching [FOLDER…]

FOLDER: a filmed sequence, frames with a truth.json as in ../shared/photos/tray/throw1, or a folder of such folders.
Without one: the three of ../shared/photos/tray, where they are. The drawn evenings (tests/vision/stage.py) are always
measured.

For each sequence: what had to be told, what was told, and from the first frame at rest to the event, by the frames'
clock and with the time that the readings took on this machine. For the gate: milliseconds a frame, one thread, the
quickest of five runs of each frame, because other work on the machine makes a frame slower, never quicker.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.fit import from_empty
from terminal.frame import Frame
from terminal.hw.file_camera import luma_of
from terminal.vision.motion import Gate, felt_of
from terminal.vision.params import Calibration
from terminal.vision.reader import Reader
from terminal.vision.watch import TrayEvent, Watcher
from tests.vision.stage import Play, Scene, Stage

TOLD = ("throw", "unsure", "moved", "emptied", "camera_moved")
SHARED = Path(__file__).resolve().parents[3] / "shared/photos/tray"


class Sequence:
    """A filmed sequence with its truth."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.truth: dict[str, Any] = json.loads((folder / "truth.json").read_text("utf-8"))
        self.images = [cv2.imread(str(folder / frame["file"])) for frame in self.truth["frames"]]
        self.frames = [
            Frame(number, frame["t"], luma_of(image), image)
            for number, (frame, image) in enumerate(zip(self.truth["frames"], self.images, strict=True))
        ]

    def calibration(self) -> Calibration | None:
        """From the truth's geometry and an empty frame; None where no frame is empty."""
        for frame, image in zip(self.truth["frames"], self.images, strict=True):
            if not frame["dice"] and not frame["hand_in_picture"]:
                return from_empty([image], {key: self.truth[key] for key in ("camera", "tray", "die_mm")})
        return None


def watched(sequence: Sequence, calibration: Calibration | None) -> tuple[list[TrayEvent], list[float]]:
    """The events of a sequence, and the seconds that each frame took."""
    watcher = Watcher(Reader(calibration))
    events, took = [], []
    for frame in sequence.frames:
        started = time.perf_counter()
        events += watcher.see(frame)
        took.append(time.perf_counter() - started)
    return events, took


def judged(sequence: Sequence, events: list[TrayEvent]) -> Counter[str]:
    """How often each thing happened: throws right, asked, wrong, missed; false throws; others told or missed."""
    counts: Counter[str] = Counter()
    told = [event for event in events if event.event in TOLD]
    for happened in sequence.truth["events"]:
        kinds = ("throw", "unsure") if happened["event"] == "throw" else (happened["event"],)
        start = happened.get("released", happened.get("starts", happened.get("last_die_gone", 0)))
        mine = next((event for event in told if event.event in kinds and event.frame >= start), None)
        if mine is None:
            counts[f"{happened['event']} missed"] += 1
            continue
        told.remove(mine)
        if mine.event == "unsure":
            counts["throw asked"] += 1
        elif "values" in happened and list(mine.values) != happened["values"]:
            counts[f"{happened['event']} wrong"] += 1
        else:
            counts[f"{happened['event']} right"] += 1
    for event in told:
        counts[f"{event.event} false"] += 1
    return counts


def rest_to_event(sequence: Sequence, events: list[TrayEvent], took: list[float]) -> tuple[float, float] | None:
    """Milliseconds from the first frame at rest to the event: by the frames' clock, and with the readings."""
    for happened in sequence.truth["events"]:
        if happened["event"] != "throw":
            continue
        for event in events:
            if event.event in ("throw", "unsure") and event.frame >= happened["rest"] - 2:
                by_clock = max(0.0, event.t - sequence.truth["frames"][happened["rest"]]["t"])
                return 1e3 * by_clock, 1e3 * (by_clock + took[event.frame])
    return None


def gate_ms(sequence: Sequence, calibration: Calibration | None) -> list[float]:
    """Milliseconds of each frame in the gate alone."""
    lumas = [frame.luma for frame in sequence.frames]
    felt = felt_of(calibration, (lumas[0].shape[1], lumas[0].shape[0]))
    runs = []
    for _ in range(5):
        gate = Gate(felt)
        times = []
        for luma in lumas:
            started = time.perf_counter()
            gate.look(luma)
            times.append(1e3 * (time.perf_counter() - started))
        runs.append(times)
    return [float(ms) for ms in np.min(runs, axis=0)[1:]]


def drawn_evenings(throws: int) -> Counter[str]:
    """Throws, fingers and flashes on the drawn tray."""
    counts: Counter[str] = Counter()
    random = np.random.default_rng(11)
    stage, play = Stage(), Play()
    stage.show(*play.hold(10))
    for _ in range(throws):
        angles = random.uniform(0, 2) + np.array([0.0, 2.1, 4.2])
        far = random.uniform(40, 120, 3)
        dice = tuple(
            (int(random.integers(1, 7)), float(r * np.cos(a)), float(r * np.sin(a)), float(random.uniform(0, 90)))
            for r, a in zip(far, angles, strict=True)
        )
        events = stage.show(*play.throw(dice, frames=int(random.integers(9, 24))), *play.hold(15))
        found = [event for event in events if event.event in TOLD]
        right = len(found) == 1 and found[0].values == tuple(sorted(die[0] for die in dice))
        counts["throw right" if right else "throw wrong or missed"] += 1
        x, y = dice[int(random.integers(3))][1:3]
        quiet = stage.show(*play.arm_to(x + 12, y), *play.hold(4), *play.arm_away(), *play.hold(10))
        counts["finger false"] += sum(event.event in TOLD for event in quiet)
        play.now = Scene()
        emptied = stage.show(*play.hold(8))
        counts["emptied right" if [e.event for e in emptied] == ["emptied"] else "emptied wrong"] += 1
    return counts


def folders(given: list[str]) -> list[Path]:
    """The sequences meant."""
    places = [Path(name) for name in given] or [SHARED / name for name in ("throw1", "throw2", "decoy1")]
    found = []
    for place in places:
        inside = sorted(path.parent for path in place.glob("*/truth.json")) if place.is_dir() else []
        found += [place] if (place / "truth.json").is_file() else inside
    return [path for path in found if "frames" in json.loads((path / "truth.json").read_text("utf-8"))]


def main() -> int:
    """Prints the tables; 1 when something was told that did not happen, or a throw was read wrong or missed."""
    cv2.setNumThreads(1)
    total: dict[str, Counter[str]] = {"calibrated": Counter(), "anywhere": Counter()}
    gates: list[float] = []
    for folder in folders(sys.argv[1:]):
        sequence = Sequence(folder)
        known = sequence.calibration()
        for way, calibration in (("calibrated", known), ("anywhere", None)):
            if way == "calibrated" and calibration is None:
                continue
            events, took = watched(sequence, calibration)
            counts = judged(sequence, events)
            total[way] += counts
            rest = rest_to_event(sequence, events, took)
            late = f"rest to event {rest[0]:4.0f} ms ({rest[1]:4.0f} with reading)" if rest else ""
            said = ", ".join(f"{number} {name}" for name, number in sorted(counts.items())) or "nothing, rightly"
            print(f"{sequence.name:22} {way:11} {said:40} {late}")
        gates += gate_ms(sequence, known)
    for way, counts in total.items():
        print(f"{'all':22} {way:11} " + (", ".join(f"{n} {name}" for name, n in sorted(counts.items())) or "nothing"))
    drawn = drawn_evenings(20)
    print(f"{'drawn':22} {'':11} " + ", ".join(f"{number} {name}" for name, number in sorted(drawn.items())))
    if gates:
        high = np.percentile(gates, 95)
        print(f"gate, ms a frame: median {np.median(gates):.3f}, 95 % under {high:.3f}, most {max(gates):.3f}")
    bad = [name for counts in total.values() for name in counts if name.split()[-1] in ("false", "wrong")]
    return 1 if bad or any("missed" in name for name in total["calibrated"]) or drawn["throw wrong or missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
