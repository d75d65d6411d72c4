"""How well and how fast the reader reads, by source and difficulty, against the usual blob-and-cluster reader.

    python -m tests.bench.reading [--extra FOLDER …] [--only NAME] [--variants N] [--photo FILE] [--list]
                                  [--no-yardstick]

Sources: the tables in fixtures/images, and, where they lie beside the project, ../shared/photos/tray, and
../shared/photos/dev (`--dice` = the photograph's own count, and 0). An extra folder holds tables with a labels.json or
truth.json each, as in fixtures/images. Tables are calibrated with the pose; as a café does it, from the empty tray and
the printed card on the felt (drawn into the picture), and then with the dice learnt from four throws; and from the
empty picture alone.

With `--variants 10` each easy or middling picture of a tray is read ten times: as it is, and in nine other photographs
(exposure, white balance, noise, blur, JPEG: `fixtures.photo.vary`); n counts the readings then, `pictures` the renders.

The packaged network for photographs has learnt from those of ../shared/photos/dev. What a source would be to a network
that never saw it, `--photo FILE --only SOURCE` measures with one that was trained without it
(`fixtures.train_network --without`).

A picture that should be read is `right`, `asked` (unsure, or empty) or `wrong`. A picture that no one should act on is
`due` when it is unsure, `reason` when the reason is right too, and `wrong` when it is read. ms: median, processor time
of one thread.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import thread_time
from typing import NamedTuple

import cv2
import numpy as np

from calibration.fit import CalibrationFailed, from_empty, learn_dice
from fixtures.photo import vary
from fixtures.printed import with_card
from terminal.vision.arrays import Picture
from terminal.vision.params import Calibration
from terminal.vision.reader import Reader, load_picture

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures" / "images"
VARIED = ("easy", "middling", "single")
SHARED = ROOT.parent / "shared" / "photos"


class Case(NamedTuple):
    """One picture to read and what a perfect reader says of it."""

    source: str
    kind: str
    file: Path
    dice: int
    values: list[int]
    status: str
    reason: str | None
    tolerated: list[str]


@dataclass
class Row:
    """What one source and kind came to."""

    pictures: int = 0
    right: int = 0
    asked: int = 0
    due: int = 0
    reason: int = 0
    wrong: int = 0
    ms: list[float] = field(default_factory=list)
    yard_right: int = 0
    yard_wrong: int = 0
    yard_ms: list[float] = field(default_factory=list)

    @property
    def readings(self) -> int:
        return self.right + self.asked + self.due + self.wrong


def blob_and_cluster(image: Picture, dice: int) -> list[int]:
    """The usual reader: SimpleBlobDetector for the pips, then clusters of pips that lie near each other are dice."""
    params = cv2.SimpleBlobDetector_Params()
    params.filterByInertia = True
    params.minInertiaRatio = 0.6
    detector = cv2.SimpleBlobDetector_create(params)
    points = detector.detect(cv2.medianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 7))
    if not points:
        return []
    xy = np.array([point.pt for point in points])
    near = 3.5 * float(np.median([point.size for point in points]))
    label = np.arange(len(xy))
    for first in range(len(xy)):
        for second in range(first):
            if np.hypot(*(xy[first] - xy[second])) < near:
                label[label == label[first]] = label[second]
    return sorted(int((label == one).sum()) for one in set(label))


def tables(folder: Path) -> Iterator[tuple[Path, dict]]:
    """Tables below a folder, or the folder itself: (where the pictures are, the labels)."""
    for labels in sorted([*folder.rglob("labels.json"), *folder.rglob("truth.json")]):
        mapping = json.loads(labels.read_text(encoding="utf-8"))
        if "camera" in mapping and mapping.get("pictures"):
            yield labels.parent, mapping
        for name, table in mapping.get("tables", {}).items() if isinstance(mapping.get("tables"), dict) else ():
            yield labels.parent / name, table


def table_cases(source: str, where: Path, mapping: dict) -> list[Case]:
    cases = []
    for picture in mapping["pictures"]:
        expected = picture["expected"]
        dice = picture.get("asked_dice", 1 if "single" in picture["kind"] or "start" in picture["kind"] else 3)
        cases.append(
            Case(
                source,
                picture["kind"],
                where / picture["file"],
                dice,
                picture["values"],
                expected["status"],
                expected["reason"],
                expected["tolerated"],
            )
        )
    return cases


def calibrations(where: Path, mapping: dict) -> Iterator[tuple[str, Calibration]]:
    """A table's calibrations, and how they were made."""
    empties = [load_picture(str(where / one["file"])) for one in mapping["pictures"] if one["kind"] == "empty"][:1]
    pictures = [picture for picture in empties if not isinstance(picture, str)]
    known = from_empty(pictures, mapping)
    yield "pose", known
    lying = [with_card(picture, known) for picture in pictures]
    for name, shown in (("card", [*pictures, *lying]), ("own empty", pictures)):
        try:
            made = from_empty(shown)
            yield name, made
            if name == "card":
                yield "card and dice", learn_dice(made, throws(where, mapping))
        except CalibrationFailed as problem:
            print(f"# {where.name}, {name}: {problem}")


def throws(where: Path, mapping: dict) -> list[Picture]:
    """The first four easy throws of a table, from which a café's terminal learns its dice."""
    easy = [load_picture(str(where / one["file"])) for one in mapping["pictures"] if one["kind"] == "easy"]
    return [picture for picture in easy[:4] if not isinstance(picture, str)]


def run(case: Case, reader: Reader, row: Row, arguments: argparse.Namespace) -> None:
    image = load_picture(str(case.file))
    assert not isinstance(image, str), f"{case.file}: {image}"
    row.pictures += 1
    count = arguments.variants if reader.calibration is not None and case.kind in VARIED else 1
    for variant in range(count):
        seed = zlib.crc32(f"{case.file.parent.name}/{case.file.name}/{variant}".encode())
        once(
            case, vary(image, seed) if variant else image, reader, row, f" variant {variant}" * (variant > 0), arguments
        )
    if not arguments.no_yardstick:
        started = thread_time()
        guess = blob_and_cluster(image, case.dice)
        row.yard_ms.append((thread_time() - started) * 1e3)
        row.yard_right += guess == sorted(case.values)
        row.yard_wrong += guess != sorted(case.values)


def once(case: Case, image: Picture, reader: Reader, row: Row, which: str, arguments: argparse.Namespace) -> None:
    started = thread_time()
    reading = reader.read(image, case.dice)
    row.ms.append((thread_time() - started) * 1e3)
    same = list(reading.values) == sorted(case.values)
    if reading.status == case.status and case.status in ("read", "empty"):
        good = same or case.status == "empty"
        row.right += good
        row.wrong += not good
        verdict = "right" if good else "WRONG"
    elif reading.status == "read":
        row.wrong += 1
        verdict = "WRONG"
    elif case.status == "unsure":
        row.due += 1
        row.reason += reading.reason == case.reason
        verdict = "due" if reading.reason == case.reason else "due, other reason"
    else:
        row.asked += 1
        verdict = "asked"
    if arguments.list and verdict not in ("right", "due"):
        print(
            f"# {case.source} {case.kind} {case.file.parent.name}/{case.file.name}{which} {verdict}: {case.values}, "
            f"expected {case.status} {case.reason}; {reading.status} {reading.reason} {list(reading.values)}"
        )


def main() -> None:
    """Run it and print the table."""
    parser = argparse.ArgumentParser(description="Reading: right, asked, wrong and ms, by source and difficulty.")
    parser.add_argument("--extra", type=Path, action="append", default=[], help="a folder with more tables")
    parser.add_argument("--only", default="", help="only sources whose name contains this")
    parser.add_argument("--variants", type=int, default=1, help="photographs of each easy or middling picture")
    parser.add_argument("--photo", type=Path, help="another network for photographs than the packaged one")
    parser.add_argument("--list", action="store_true", help="name every picture that is not read right")
    parser.add_argument("--no-yardstick", action="store_true", help="leave the blob-and-cluster reader out")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rows: dict[tuple[str, str], Row] = defaultdict(Row)
    folders = [("fixtures", FIXTURES), ("shared tray", SHARED / "tray"), *((one.name, one) for one in arguments.extra)]
    for name, folder in folders:
        for where, mapping in tables(folder):
            for mode, calibration in calibrations(where, mapping):
                source = f"{name}, {mode}"
                if arguments.only not in source:
                    continue
                reader = Reader(calibration)
                for case in table_cases(source, where, mapping):
                    run(case, reader, rows[source, case.kind], arguments)
    photographs(rows, arguments)
    print_table(rows)


def photographs(rows: dict[tuple[str, str], Row], arguments: argparse.Namespace) -> None:
    """The labelled photographs of ../shared/photos/dev, uncalibrated."""
    labels = SHARED / "dev" / "labels.json"
    if not labels.is_file():
        print("# ../shared/photos/dev is not there: left out")
        return
    reader = Reader(network=arguments.photo)
    for photo in json.loads(labels.read_text(encoding="utf-8"))["photos"]:
        family = photo["file"].split("_")[0] + (f" {photo['subset']}" if photo["subset"] else "")
        for dice in (photo["n_dice"], 0):
            source = f"dev {family}, dice {'N' if dice else 0}"
            if arguments.only not in source:
                continue
            case = Case(
                source, photo["difficulty"], SHARED / "dev" / photo["file"], dice, photo["values"], "read", None, []
            )
            run(case, reader, rows[source, case.kind], arguments)


def print_table(rows: dict[tuple[str, str], Row]) -> None:
    wide = max([len(source) for source, _ in rows], default=10)
    print(
        f"{'source':{wide}} {'kind':12} {'pictures':>8} {'n':>6} {'right':>6} {'%':>6} {'asked':>5} {'due':>4} "
        f"{'reason':>6} {'WRONG':>5} {'ms':>6}   {'blobs right':>11} {'wrong':>5} {'ms':>6}"
    )
    total = Row()
    for (source, kind), row in sorted(rows.items()):
        yard = f"{row.yard_right:11} {row.yard_wrong:5} {median(row.yard_ms):6.1f}" if row.yard_ms else ""
        print(
            f"{source:{wide}} {kind:12} {row.pictures:8} {row.readings:6} {row.right:6} "
            f"{100 * row.right / row.readings:6.2f} {row.asked:5} {row.due:4} {row.reason:6} {row.wrong:5} "
            f"{median(row.ms):6.1f}   {yard}"
        )
        for name in ("pictures", "right", "asked", "due", "reason", "wrong", "yard_right", "yard_wrong"):
            setattr(total, name, getattr(total, name) + getattr(row, name))
    print(
        f"{'all':{wide}} {'':12} {total.pictures:8} {total.readings:6} {total.right:6} {'':6} {total.asked:5} "
        f"{total.due:4} {total.reason:6} {total.wrong:5} {'':6}   {total.yard_right:11} {total.yard_wrong:5}"
    )
    if total.pictures and not total.wrong:
        bound = 300 / total.pictures
        print(
            f"No wrong reading in {total.readings} of {total.pictures} independent pictures: under {bound:.2f} % "
            "with 95 % confidence (3/n)."
        )


if __name__ == "__main__":
    main()
