"""The printed card: to scale on paper, found in a picture."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.card import LINE_MM, SQUARE_MM, SQUARES, Seen, board, find, write
from calibration.fit import CalibrationFailed, pose_of


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
    found = seen(drawn(tmp_path / "card.svg"))
    assert len(found.pixels) == (SQUARES[0] - 1) * (SQUARES[1] - 1)
    scale = np.linalg.norm(found.pixels[-1] - found.pixels[0]) / np.linalg.norm(found.card_mm[-1] - found.card_mm[0])
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
    assert len(seen(cv2.cvtColor(seen_from_aside, cv2.COLOR_GRAY2BGR)).pixels) > 30


def test_without_a_card_nothing_is_found() -> None:
    assert find(np.full((480, 640, 3), 120, np.uint8)) is None


def held(turn: list[float], focal: float = 1100.0, away: float = 420.0) -> np.ndarray:
    """The card held before a camera."""
    flat = cv2.copyMakeBorder(board().generateImage((900, 600)), 50, 50, 50, 50, cv2.BORDER_CONSTANT, value=255)
    camera = np.array([[focal, 0, 639.5], [0, focal, 479.5], [0, 0, 1]])
    rotation = cv2.Rodrigues(np.array(turn))[0]
    mm = 225 / 900
    to_card = np.array([[mm, 0, -125], [0, mm, -87.5], [0, 0, 1]])
    warp = camera @ np.column_stack([rotation[:, :2], [0, 0, away]]) @ to_card
    return cv2.cvtColor(cv2.warpPerspective(flat, warp, (1280, 960), borderValue=90), cv2.COLOR_GRAY2BGR)


def seen(image: np.ndarray) -> Seen:
    found = find(image)
    assert found is not None
    return found


def test_the_lens_is_learnt_from_the_card_held_slanted() -> None:
    turns = ([0.0, 0.05, 0.1], [-0.4, 0.4, 0.0], [0.1, -0.6, 0.3], [0.5, 0.5, -0.2])
    pose = pose_of([seen(held(turn)) for turn in turns], (1280, 960))
    assert pose.lens.camera[0, 0] == pytest.approx(1100, rel=0.02)
    assert abs(pose.lens.distortion[0]) < 0.03
    assert pose.shift_mm[2] == pytest.approx(420, rel=0.02)


def test_one_card_below_the_camera_gives_the_felts_plane_whatever_the_lens() -> None:
    pose = pose_of([seen(held([0.0, 0.0, 0.3], focal=1900.0, away=800.0))], (1280, 960))
    per_px = pose.shift_mm[2] / pose.lens.camera[0, 0]
    assert per_px == pytest.approx(800 / 1900, rel=0.005)
    assert abs(pose.rotation[2, 2]) == pytest.approx(1, abs=0.001)


def test_a_card_printed_on_what_is_not_flat_is_refused() -> None:
    found = seen(held([0.0, 0.05, 0.1]))
    bent = found.pixels + np.column_stack([np.zeros(len(found.pixels)), 14 * np.sin(found.card_mm[:, 0] / 25)])
    with pytest.raises(CalibrationFailed, match="flat"):
        pose_of([found._replace(pixels=bent.astype(np.float32))], (1280, 960))


def test_what_looks_like_a_marker_elsewhere_does_not_hide_the_card() -> None:
    image = held([0.0, 0.05, 0.1], away=700.0)
    marker = cv2.aruco.generateImageMarker(board().getDictionary(), 5, 60)
    image[850:930, 1180:1260] = 255
    image[860:920, 1190:1250] = marker[..., None]
    assert len(seen(image).pixels) == (SQUARES[0] - 1) * (SQUARES[1] - 1)
