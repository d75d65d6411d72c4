"""The second look: what it reads, what it refuses, and that it is the file in the package that does so."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.fit import from_empty
from fixtures.faces import REJECT, drawn_crops
from terminal.vision.dice import Face
from terminal.vision.network import PACKAGED_FELT, PACKAGED_PHOTO, FlatNetwork, Network, normal
from terminal.vision.reader import Reader

SURE = 0.9
IMAGES = Path(__file__).resolve().parents[2] / "fixtures" / "images"


@pytest.fixture(scope="module", params=[PACKAGED_FELT, PACKAGED_PHOTO], ids=lambda path: path.stem)
def network(request: pytest.FixtureRequest) -> Network:
    return Network(request.param)


@pytest.fixture(scope="module")
def drawn() -> tuple[np.ndarray, np.ndarray]:
    """Dice that it was not trained on: training draws from other seeds."""
    return drawn_crops(700, seed=20_001)


def said(network: Network, crops: np.ndarray) -> np.ndarray:
    """The value of each crop, REJECT where it is not sure."""
    chances = network.classify(crops)
    return np.where(chances.max(1) >= SURE, chances.argmax(1), REJECT)


def test_it_reads_drawn_faces_and_hardly_any_wrongly(network, drawn):
    crops, labels = drawn
    answers = said(network, crops)
    faces = labels != REJECT
    assert np.mean(answers[faces] == labels[faces]) > 0.93
    wrong = (answers != labels) & (answers != REJECT)
    assert np.mean(wrong[faces]) < 0.01


def test_it_refuses_what_is_no_face(network, drawn):
    crops, labels = drawn
    answers = said(network, crops)
    assert np.mean(answers[labels == REJECT] != REJECT) < 0.03


def test_each_value_is_read(network, drawn):
    crops, labels = drawn
    answers = said(network, crops)
    for value in range(1, 7):
        of_value = labels == value
        assert of_value.sum() > 30
        assert np.mean(answers[of_value] == value) > 0.85, value


def test_its_chances_are_chances(network, drawn):
    chances = network.classify(drawn[0])
    assert chances.shape == (700, 7) and chances.dtype == np.float32
    assert np.allclose(chances.sum(1), 1, atol=1e-5)
    sure = chances.max(1) > 0.99
    assert np.mean(chances.argmax(1)[sure] == drawn[1][sure]) > 0.98


def test_a_quarter_turn_shows_the_same_value(network, drawn):
    crops = drawn[0][drawn[1] != REJECT][:200]
    answers = said(network, crops)
    turned = said(network, np.rot90(crops, axes=(1, 2)).copy())
    both = (answers != REJECT) & (turned != REJECT)
    assert both.sum() > 150
    assert np.array_equal(answers[both], turned[both])


def test_dimmer_light_and_less_contrast_show_the_same_value(network, drawn):
    crops = drawn[0][drawn[1] != REJECT][:200]
    dim = np.round(crops * 0.6 + 12).astype(np.uint8)
    answers, dimmed = said(network, crops), said(network, dim)
    both = (answers != REJECT) & (dimmed != REJECT)
    assert both.sum() > 150
    assert np.array_equal(answers[both], dimmed[both])


def test_nothing_is_read_in_a_flat_crop_or_in_noise(network):
    random = np.random.default_rng(2)
    crops = np.stack(
        [np.full((48, 48), 128, np.uint8), np.zeros((48, 48), np.uint8), np.full((48, 48), 255, np.uint8)]
        + [random.integers(0, 256, (48, 48)).astype(np.uint8) for _ in range(20)]
        + [cv2.GaussianBlur(random.integers(0, 256, (48, 48)).astype(np.uint8), (0, 0), 4) for _ in range(20)]
    )
    assert (said(network, crops) == REJECT).all()


def test_one_crop_is_read_as_among_others(network, drawn):
    crops = drawn[0][:5]
    together = network.classify(crops)
    for number, crop in enumerate(crops):
        assert np.allclose(network.classify(crop[None])[0], together[number], atol=1e-4)


def test_no_crops_give_no_chances(network):
    assert network.classify(np.zeros((0, 48, 48), np.uint8)).shape == (0, 7)


def test_crops_are_brought_to_one_light():
    crop = np.random.default_rng(1).integers(40, 200, (1, 48, 48)).astype(np.uint8)
    levelled = normal(crop)
    assert levelled.shape == (1, 1, 48, 48) and levelled.dtype == np.float32
    assert abs(levelled.mean()) < 1e-4 and 0.9 < levelled.std() <= 1.0


def test_the_packaged_network_is_small():
    assert sum(path.stat().st_size for path in (PACKAGED_FELT, PACKAGED_PHOTO)) < 2_000_000


def test_a_missing_network_is_named(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.onnx"):
        Network(tmp_path / "nowhere.onnx")


def test_what_lies_flat_is_told_of_each_view_alone() -> None:
    views = np.random.default_rng(2).integers(0, 255, (5, 4, 64, 64)).astype(np.uint8)
    network = FlatNetwork()
    together = network.flat(views)
    assert together.shape == (5,) and ((together >= 0) & (together <= 1)).all()
    assert np.allclose(together, np.concatenate([network.flat(views[k : k + 1]) for k in range(5)]), atol=1e-4)
    assert network.flat(views[:0]).shape == (0,)


class Noting(Reader):
    """A reader that notes how the faces look that it finds."""

    views: tuple[np.ndarray, ...] = ()

    def _lying(self, faces: list[Face], least: list[float]) -> list[float]:
        self.views = tuple(face.view for face in faces)
        return super()._lying(faces, least)


def views_of(table: str, kind: str) -> np.ndarray:
    """(N, 4, 64, 64) of all faces found in a committed table's pictures of a kind."""
    folder = IMAGES / table
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    reader = Noting(from_empty([cv2.imread(str(folder / "000.jpg"))], truth))
    found: list[np.ndarray] = []
    for one in [one for one in truth["pictures"] if one["kind"] == kind][:8]:
        reader.read(cv2.imread(str(folder / one["file"])))
        found += reader.views
    return np.stack(found)


@pytest.mark.parametrize("table", ["kroon", "sport"])
def test_dice_that_lie_well_lie_flat_and_the_same_half_a_die_aside_do_not(table: str) -> None:
    views, network = views_of(table, "easy"), FlatNetwork()
    assert np.median(network.flat(views)) > 0.95
    assert (network.flat(views) > 0.4).mean() > 0.95
    aside = views.copy()
    aside[:, :3] = np.roll(views[:, :3], 16, 3)
    assert np.median(network.flat(aside)) < 0.05


@pytest.mark.parametrize("table", ["kroon", "sport"])
def test_of_each_picture_with_a_cocked_die_one_does_not_lie_flat(table: str) -> None:
    assert FlatNetwork().flat(views_of(table, "cocked")).min() < 0.4


def test_a_missing_flat_network_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"flat\.onnx"):
        FlatNetwork(tmp_path / "flat.onnx")
