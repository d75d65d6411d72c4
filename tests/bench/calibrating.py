"""How true a calibration is that a café can make, against the pose from which a table was rendered.

    python -m tests.bench.calibrating [FOLDER …]

For every table below the folders (fixtures/images and ../shared/photos/tray without any): by the printed card on the
felt (drawn into the empty picture), and by the empty picture alone. lengths: how far the shortest and the longest of
some lengths on the plane of the top faces are from their mean, per cent. scale: that mean against the true one; by the
empty picture alone the tray is taken for one of the usual size. felt: mm by which the felt's farthest corner is off.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

import cv2
import numpy as np

from calibration.fit import CalibrationFailed, from_empty
from fixtures.printed import with_card
from terminal.vision.params import Calibration
from terminal.vision.reader import load_picture
from terminal.vision.tray import Table
from tests.bench.reading import FIXTURES, SHARED, tables


def against(made: Calibration, true: Calibration, die_mm: float) -> tuple[float, float, float, float]:
    """Lengths: the shortest and longest against their mean, and that against the true one; mm of the felt's corners."""
    apothem = float(np.linalg.norm(true.floor_mm, axis=1).min() * np.cos(np.pi / 8))
    at = np.linspace(-0.6, 0.6, 7) * apothem
    places = np.stack(np.meshgrid(at, at), -1).reshape(-1, 2)
    there, found = Table(true, true.image_wh), Table(made, made.image_wh)
    seen = there.project(np.column_stack([places, np.full(len(places), die_mm)]))
    again = found.at_height(seen, die_mm).reshape(7, 7, 2)
    lengths = np.concatenate([np.linalg.norm(np.diff(again, axis=axis), axis=2).ravel() for axis in (0, 1)])
    scale = float(lengths.mean() / (at[1] - at[0]))
    corners = found.project(np.column_stack([made.floor_mm, np.zeros(len(made.floor_mm))]))
    back = there.at_height(corners, 0.0)
    off = np.linalg.norm(back[:, None] - true.floor_mm[None], axis=2).min(1).max()
    return float(lengths.min() / lengths.mean()), float(lengths.max() / lengths.mean()), scale, float(off)


def main() -> None:
    """Run it and print a line a table, and the medians."""
    parser = argparse.ArgumentParser(description="How true calibrations are that a café can make.")
    parser.add_argument("folders", nargs="*", type=Path, default=[FIXTURES, SHARED / "tray"])
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rows: dict[str, list[tuple[float, ...]]] = {"card": [], "own empty": []}
    refused = dict.fromkeys(rows, 0)
    for folder in arguments.folders:
        for where, mapping in tables(folder):
            name = next(one["file"] for one in mapping["pictures"] if one["kind"] == "empty")
            empty = load_picture(str(where / name))
            assert not isinstance(empty, str), f"{where / name}: {empty}"
            true = from_empty([empty], mapping)
            for way, shown in (("card", [empty, with_card(empty, true)]), ("own empty", [empty])):
                started = perf_counter()
                try:
                    made = from_empty(shown)
                except CalibrationFailed as problem:
                    refused[way] += 1
                    print(f"{where.name:12} {way:10} {problem}")
                    continue
                low, high, scale, off = against(made, true, mapping["die_mm"])
                rows[way].append((1 - low, high - 1, scale, off))
                print(
                    f"{where.name:12} {way:10} lengths {100 * (low - 1):+5.1f} {100 * (high - 1):+5.1f} %  "
                    f"scale {scale:.3f}  felt {off:4.1f} mm  {perf_counter() - started:4.1f} s",
                    flush=True,
                )
    for way, found in rows.items():
        if found:
            worst = np.array([max(row[0], row[1]) for row in found])
            felt = np.array([row[3] for row in found])
            print(
                f"# {way}: {len(found)} tables, {refused[way]} refused; lengths off by {100 * np.median(worst):.1f} % "
                f"(median), {100 * np.quantile(worst, 0.9):.1f} % (nine in ten), {100 * worst.max():.1f} % (most); "
                f"felt by {np.median(felt):.1f}, {np.quantile(felt, 0.9):.1f} and {felt.max():.1f} mm"
            )


if __name__ == "__main__":
    main()
