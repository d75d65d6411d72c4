"""The finder of top faces: on tabletops that it never saw, at any size, and what it says where there is nothing."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from fixtures.tabletops import Top, tabletop
from terminal.vision.finder import Finder, Sight
from terminal.vision.reader import Reader

SIZE = 192
COUNT = 60


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder()


@pytest.fixture(scope="module")
def drawn() -> list[tuple[np.ndarray, list[Top]]]:
    """Tabletops that it was not trained on: training draws from other seeds."""
    rng = np.random.default_rng(50_001)
    return [tabletop(SIZE, rng) for _ in range(COUNT)]


def whole(tops: list[Top]) -> list[Top]:
    """Dice that lie in the picture and count."""
    return [one for one in tops if one.value and (one.middle > 24).all() and (one.middle < SIZE - 24).all()]


def nearest(found: list[Sight], top: Top) -> Sight | None:
    side = abs(float(np.linalg.det(top.axes))) ** 0.5
    near = [one for one in found if np.hypot(*(one.middle - top.middle)) < 0.3 * side]
    return max(near, key=lambda one: one.chance) if near else None


def test_most_dice_are_found_with_their_place_size_and_value(finder, drawn):
    seen = [(top, nearest(finder.find(picture, 0.25), top)) for picture, tops in drawn for top in whole(tops)]
    found = [(top, one) for top, one in seen if one is not None]
    assert len(seen) > 60
    assert len(found) >= 0.9 * len(seen)
    assert sum(one.value == top.value for top, one in found) >= 0.8 * len(found)
    off = [abs(np.log(one.side / abs(np.linalg.det(top.axes)) ** 0.5)) for top, one in found]
    assert np.median(off) < 0.05


def test_a_face_is_framed_as_it_is_slanted_and_turned(finder, drawn):
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    apart = []
    for picture, tops in drawn:
        found = finder.find(picture, 0.4)
        for top in whole(tops):
            one = nearest(found, top)
            if one is not None and top.value > 1:
                ours, true = square @ one.axes.T + one.middle, square @ top.axes.T + top.middle
                away = np.linalg.norm(ours[:, None] - true[None], axis=2).min(1).max()
                apart.append(away / abs(np.linalg.det(top.axes)) ** 0.5)
    assert np.median(apart) < 0.1


def test_dice_are_found_in_large_pictures_too(finder, drawn):
    hits = 0
    sure = []
    for picture, tops in drawn:
        found = finder.find(picture, 0.4)
        sure += [(picture, one) for top in whole(tops) if (one := nearest(found, top)) is not None]
    for picture, one in sure[:6]:
        large = cv2.resize(picture, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
        hits += any(np.hypot(*(again.middle - 4 * one.middle)) < 0.5 * again.side for again in finder.find(large, 0.25))
    assert hits >= 5


def test_a_die_that_fills_the_picture_is_found_where_its_size_is_known(finder, drawn):
    sure = [
        (picture, one, top)
        for picture, tops in drawn
        for top in whole(tops)
        if (one := nearest(finder.find(picture, 0.6), top)) is not None
    ][:6]
    for picture, one, top in sure:
        x, y = (int(np.clip(at - 48, 0, SIZE - 96)) for at in top.middle)
        large = cv2.resize(picture[y : y + 96, x : x + 96], None, fx=13, fy=13, interpolation=cv2.INTER_CUBIC)
        found = finder.find(large, 0.25, 13 * one.side)
        assert any(np.hypot(*(again.middle / 13 - one.middle + [x, y])) < 0.3 * one.side for again in found)


def test_places_are_one_each_and_the_surest_come_first(finder, drawn):
    found = finder.find(drawn[0][0], 0.05)
    chances = [one.chance for one in found]
    assert chances == sorted(chances, reverse=True)
    assert all(
        np.hypot(*(one.middle - other.middle)) > 0.5 * min(one.side, other.side)
        for at, one in enumerate(found)
        for other in found[:at]
    )


@pytest.mark.parametrize("wh", [(1, 1), (40, 30), (64, 64), (333, 217)])
def test_an_even_picture_of_any_size_shows_nothing(finder, wh):
    assert finder.find(np.full(wh[::-1], 90, np.uint8), 0.25) == []


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"finder\.onnx"):
        Finder(tmp_path / "finder.onnx")


def test_photographs_are_read_in_which_the_pips_are_too_faint_to_find_and_none_wrongly():
    """Drawn tabletops of 320 pixels: of 26 four were read, and a dozen called empty, before there was a finder."""
    reader, read = Reader(), 0
    for seed in range(70_000, 70_150):
        picture, tops = tabletop(320, np.random.default_rng(seed))
        if not tops or any(not one.value or (abs(one.middle - 160) > 130).any() for one in tops):
            continue
        reading = reader.read(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), len(tops))
        if reading.status == "read":
            assert list(reading.values) == sorted(one.value for one in tops), seed
            read += 1
    assert read >= 14


def three_dice() -> tuple[np.ndarray, list[int]]:
    """A drawn tabletop whose dice the spots tell of too."""
    picture, tops = tabletop(320, np.random.default_rng(70_000))
    return cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), sorted(one.value for one in tops)


def test_dice_that_the_finder_does_not_see_are_asked_about(monkeypatch):
    picture, values = three_dice()
    reader = Reader()
    assert reader.read(picture, 3).status == "read"
    monkeypatch.setattr(reader._finder, "find", lambda grey, least, side=None: [])
    reading = reader.read(picture, 3)
    assert (reading.status, reading.reason, list(reading.values)) == ("unsure", "disagree", values)


@pytest.mark.parametrize("dice", [1, 2, 4])
def test_another_number_of_dice_than_should_be_there_is_asked_about(dice):
    assert Reader().read(three_dice()[0], dice).status == "unsure"


def test_a_face_that_the_finder_sees_beside_the_dice_is_asked_about_unless_they_are_as_many_as_should_be(monkeypatch):
    picture, values = three_dice()
    reader = Reader()
    find = reader._finder.find
    free = next(
        np.array([x, y], np.float32)
        for x in range(60, 260, 20)
        for y in range(60, 260, 20)
        if all(np.hypot(*(one.middle - [x, y])) > 2 * one.side for one in find(cv2.extractChannel(picture, 1), 0.3))
    )

    def more(grey: np.ndarray, least: float, side: float | None = None) -> list[Sight]:
        found = find(grey, least, side)
        faint = found[0]._replace(middle=free, chance=0.45)
        return [*found, faint] if side is None else []  # what the spots made of it is not trusted: the finder tells

    monkeypatch.setattr(reader._finder, "find", more)
    assert reader.read(picture, 0).status == "unsure"
    assert list(reader.read(picture, 3).values) == values
