"""The printed card: to scale on paper, found in a picture."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.card import LINE_MM, SQUARE_MM, SQUARES, board, find, write


def drawn(path: Path) -> np.ndarray:
    """The SVG's rectangles, 4 px a millimetre."""
    page = np.full((840, 1188), 255, np.uint8)
    pattern = r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>'
    for found in re.findall(pattern, path.read_text(encoding="utf-8")):
        x, y, w, h = (round(float(number) * 4) for number in found)
        page[y : y + h, x : x + w] = 0
    return cv2.cvtColor(page, cv2.COLOR_GRAY2BGR)


def test_the_svg_is_the_board_to_scale(tmp_path: Path) -> None:
    write(tmp_path / "card.svg")
    text = (tmp_path / "card.svg").read_text(encoding="utf-8")
    assert 'width="297.0mm" height="210.0mm"' in text
    assert f'width="{LINE_MM:.3f}"' in text
    seen = find(drawn(tmp_path / "card.svg"))
    assert seen is not None
    assert len(seen.pixels) == (SQUARES[0] - 1) * (SQUARES[1] - 1)
    scale = np.linalg.norm(seen.pixels[-1] - seen.pixels[0]) / np.linalg.norm(seen.card_mm[-1] - seen.card_mm[0])
    assert scale == pytest.approx(4, rel=0.002)


def test_the_pdf_says_the_same_in_points(tmp_path: Path) -> None:
    write(tmp_path / "card.pdf")
    data = (tmp_path / "card.pdf").read_bytes()
    assert data.startswith(b"%PDF-1.4")
    assert b"/MediaBox [0 0 841.890 595.276]" in data
    widths = [float(one) for one in re.findall(rb"[\d.]+ [\d.]+ ([\d.]+) [\d.]+ re f", data)]
    assert pytest.approx(LINE_MM * 72 / 25.4, abs=0.01) == max(widths, key=lambda one: one == max(widths))
    assert any(abs(one - SQUARE_MM * 72 / 25.4) < 0.01 for one in widths)
    start = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
    assert data[start : start + 4] == b"xref"


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.pdf or \.svg"):
        write(tmp_path / "card.png")


def test_the_card_is_found_turned_and_slanted() -> None:
    flat = cv2.copyMakeBorder(board().generateImage((900, 600)), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=255)
    h, w = flat.shape
    ends = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    there = np.array([[180, 90], [900, 160], [860, 700], [120, 620]], np.float32)
    seen_from_aside = cv2.warpPerspective(flat, cv2.getPerspectiveTransform(ends, there), (1000, 800), borderValue=90)
    seen = find(cv2.cvtColor(seen_from_aside, cv2.COLOR_GRAY2BGR))
    assert seen is not None
    assert len(seen.pixels) > 30


def test_without_a_card_nothing_is_found() -> None:
    assert find(np.full((480, 640, 3), 120, np.uint8)) is None
