"""The printed card: a ChArUco board to scale, as PDF or SVG, and where it lies in a picture.

Laid flat on the felt it gives the size of a millimetre and the slant of the camera, which the tray's outline alone can
only assume.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

SQUARES = (9, 6)
SQUARE_MM = 25.0
MARKER_MM = 18.0
MIDDLE_MM = (SQUARES[0] * SQUARE_MM / 2, -SQUARES[1] * SQUARE_MM / 2, 0.0)  # of the board, from its top left, y up
PAGE_MM = (297.0, 210.0)  # A4, lying
LINE_MM = 100.0
_LEFT, _TOP = (PAGE_MM[0] - SQUARES[0] * SQUARE_MM) / 2, 18.0


class Seen(NamedTuple):
    """Corners of the card in a picture. card_mm: (N, 2) on the card; pixels: (N, 2) float32."""

    card_mm: NDArray[np.float64]
    pixels: NDArray[np.float32]


def board() -> cv2.aruco.CharucoBoard:
    """The board of the card."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, dictionary)


def write(path: Path | str) -> None:
    """Write the card to print at 100 %: a name ending in .svg gives SVG, .pdf PDF. Raises ValueError for others."""
    target = Path(path)
    if target.suffix.lower() == ".svg":
        target.write_text(_svg(), encoding="utf-8")
    elif target.suffix.lower() == ".pdf":
        target.write_bytes(_pdf())
    else:
        raise ValueError(f"{path}: the card is written as .pdf or .svg")


def find(image: NDArray[np.uint8]) -> Seen | None:
    """The card in a picture (H, W, 3) uint8, or None where fewer than six of its inner corners are seen."""
    detector = cv2.aruco.CharucoDetector(board())
    _, _, markers, marks = detector.detectBoard(image)
    if marks is None:
        return None
    # A tablecloth may show something like a marker too, and one mark in two places is none to the detector.
    places = np.array(board().getObjPoints(), np.float32)[..., :2]
    known = [at for at, mark in enumerate(marks.ravel()) if mark < len(places)]
    if len(known) < 2:
        return None
    on_card = places[marks.ravel()[known]].reshape(-1, 2)
    seen = np.array([markers[at] for at in known], np.float32).reshape(-1, 2)
    _, fits = cv2.findHomography(on_card, seen, cv2.RANSAC, _BENT_PX)
    if fits is None:
        return None
    good = [at for at, fit in zip(known, np.all(fits.reshape(-1, 4), 1).tolist(), strict=True) if fit]
    corners, ids, _, _ = detector.detectBoard(image, None, None, [markers[at] for at in good], marks[good])
    if ids is None or len(ids) < 6:
        return None
    return Seen(
        np.asarray(board().getChessboardCorners(), np.float64)[ids.ravel(), :2],
        np.asarray(corners, np.float32).reshape(-1, 2),
    )


_BENT_PX = 5.0  # by which a marker's corner may be off a plane: paper is hardly flat, a lens bends lines


def _squares() -> list[tuple[float, float, float, float]]:
    """Black rectangles of the card: x, y, width, height in mm from the page's top left."""
    cells = 50  # a cell is half a millimetre, so that squares, markers and their bits end on whole cells
    image = board().generateImage((SQUARES[0] * cells, SQUARES[1] * cells), None, 0, 1)
    mm = SQUARE_MM / cells
    found = []
    for row, line in enumerate(image < 128):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            found.append((_LEFT + float(start) * mm, _TOP + row * mm, float(end - start) * mm, mm))
    return _joined(found)


def _joined(rows: list[tuple[float, float, float, float]]) -> list[tuple[float, float, float, float]]:
    """Rectangles of one row each, joined with what continues them below."""
    open_ones: dict[tuple[float, float], tuple[float, float, float, float]] = {}
    done = []
    for x, y, w, h in rows:
        above = open_ones.get((x, w))
        if above is not None and abs(above[1] + above[3] - y) < 1e-6:
            open_ones[x, w] = (x, above[1], w, above[3] + h)
        else:
            if above is not None:
                done.append(above)
            open_ones[x, w] = (x, y, w, h)
    return [*done, *open_ones.values()]


_TEXT = "Print at 100 %. The line is 100 mm long. / Druk af op 100 %. De lijn is 100 mm lang."


def _line() -> tuple[float, float, float, float]:
    return ((PAGE_MM[0] - LINE_MM) / 2, _TOP + SQUARES[1] * SQUARE_MM + 10, LINE_MM, 0.5)


def _svg() -> str:
    rectangles = "".join(
        f'<rect x="{x:.3f}" y="{y:.3f}" width="{w:.3f}" height="{h:.3f}"/>' for x, y, w, h in [*_squares(), _line()]
    )
    w, h = PAGE_MM
    text = f'<text x="{w / 2}" y="{_line()[1] + 8}" font-size="4" text-anchor="middle">{_TEXT}</text>'
    size = f'width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} shape-rendering="crispEdges">{rectangles}{text}</svg>\n'


def _pdf() -> bytes:
    """One page, drawn with rectangles; small enough to be written by hand."""
    point = 72 / 25.4
    drawn = [
        f"{x * point:.3f} {(PAGE_MM[1] - y - h) * point:.3f} {w * point:.3f} {h * point:.3f} re f"
        for x, y, w, h in [*_squares(), _line()]
    ]
    x, y = _line()[0] * point, (PAGE_MM[1] - _line()[1] - 8) * point
    drawn.append(f"BT /F1 9 Tf {x:.3f} {y:.3f} Td ({_TEXT}) Tj ET")
    content = "\n".join(drawn).encode("latin-1")
    box = f"[0 0 {PAGE_MM[0] * point:.3f} {PAGE_MM[1] * point:.3f}]"
    font = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R /Resources << {font} >> >>".encode(),
        b"<< /Length %d >>\nstream\n" % len(content) + content + b"\nendstream",
    ]
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size + table
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
