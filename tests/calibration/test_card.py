"""The printed card: to scale on paper, found in a picture."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.card import LINE_MM, SQUARE_MM, SQUARES, board, find, write
from calibration.fit import CalibrationFailed, lens_from_card


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


def test_the_lens_is_learnt_from_the_card_held_differently() -> None:
    flat = cv2.copyMakeBorder(board().generateImage((900, 600)), 50, 50, 50, 50, cv2.BORDER_CONSTANT, value=255)
    true = np.array([[1100.0, 0, 639.5], [0, 1100.0, 479.5], [0, 0, 1]])
    pictures = []
    for turn in ([0.5, 0.1, 0.1], [-0.4, 0.4, 0.0], [0.1, -0.6, 0.3], [0.5, 0.5, -0.2], [-0.5, -0.2, 1.0]):
        rotation = cv2.Rodrigues(np.array(turn))[0]
        mm = 225 / 900
        to_card = np.array([[mm, 0, -125], [0, mm, -87.5], [0, 0, 1]])
        warp = true @ np.column_stack([rotation[:, :2], [0, 0, 420]]) @ to_card
        seen = cv2.warpPerspective(flat, warp, (1280, 960), borderValue=90)
        pictures.append(cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR))
    lens = lens_from_card(pictures)
    assert lens.camera[0, 0] == pytest.approx(1100, rel=0.02)
    assert abs(lens.distortion[0]) < 0.05


def test_too_few_pictures_of_the_card_are_refused() -> None:
    with pytest.raises(CalibrationFailed, match="four or more"):
        lens_from_card([np.full((480, 640, 3), 120, np.uint8)] * 5)
