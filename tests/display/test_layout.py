"""Geometry of every moment of an evening, at every size, in every language."""

from __future__ import annotations

import itertools

import pygame
import pytest

from terminal.display import layout, touch
from terminal.display.chalk import octagon_points
from terminal.display.layout import Leaf
from terminal.display.paging import leaves
from terminal.display.texts import LANGUAGES
from terminal.display.view import Choice, Intent, Page, Seat, View
from tests.display.gallery import SIZES
from tests.display.moments import moments
from tests.display.recorder import Recorder

EVERYWHERE = pytest.mark.parametrize("wh", SIZES, ids=lambda wh: f"{wh[0]}x{wh[1]}")
MOMENTS = pytest.mark.parametrize("name", list(moments("nl")))


def parts(view: View, wh: tuple[int, int], leaf: Leaf) -> list[pygame.Rect]:
    """All boxes that must lie beside each other."""
    if view.question:
        question = layout.question(view.question, wh)
        boxes = [question.text, question.detail, question.picture]
        boxes += list(itertools.chain.from_iterable(question.faces)) + [b.rect for b in question.buttons]
    elif view.entry:
        entry = layout.entry(view.entry, wh)
        boxes = [entry.prompt, entry.text, entry.error, *(b.rect for b in entry.buttons), *(k.rect for k in entry.keys)]
    elif view.page:
        page = layout.page(view.page, wh, leaf)
        boxes = [page.heading, page.body, page.back, page.number, page.on, *(b.rect for b in page.buttons)]
    else:
        table = layout.table(view, wh)
        boxes = [table.title, table.prompt, table.octagon, *table.seats]
        boxes += [b.rect for b in table.buttons + table.menu]
    return [box for box in boxes if box.width and box.height]


def all_leaves(view: View, wh: tuple[int, int]) -> tuple[Leaf, ...]:
    return leaves(view.page, wh, Recorder()) if view.page else (Leaf(),)


@EVERYWHERE
@MOMENTS
def test_nothing_overlaps_and_nothing_leaves_the_screen(name: str, wh: tuple[int, int]) -> None:
    screen = pygame.Rect(0, 0, *wh)
    for language in LANGUAGES:
        view = moments(language)[name]()
        for leaf in all_leaves(view, wh):
            boxes = parts(view, wh, leaf)
            for box in boxes:
                assert screen.contains(box), (language, box)
            for one, other in itertools.combinations(boxes, 2):
                assert not one.colliderect(other), (language, one, other)


@EVERYWHERE
@MOMENTS
def test_every_enabled_choice_is_as_large_as_a_finger_and_a_tap_in_its_middle_means_it(
    name: str, wh: tuple[int, int]
) -> None:
    view = moments("nl")[name]()
    finger = int(layout.FINGER * layout.unit(wh))
    reached: set[Intent] = set()
    for leaf in all_leaves(view, wh):
        for hit in layout.hits(view, wh, leaf):
            assert hit.rect.width >= finger, hit
            assert hit.rect.height >= finger, hit
            assert touch.at(hit.rect.center, view, wh, leaf) == hit.intent
            reached.add(hit.intent)
    wanted = {choice.intent for choice in layout.choices(view) if choice.enabled}
    assert wanted <= reached
    disabled = {choice.intent for choice in layout.choices(view) if not choice.enabled} - wanted
    assert not disabled & reached


@EVERYWHERE
def test_the_four_buttons_and_the_table_stay_where_they_are_whatever_the_moment_offers(wh: tuple[int, int]) -> None:
    view = moments("nl")["play"]()
    extras = tuple(Choice(f"{n}", Intent("x", n)) for n in range(4))
    first = layout.table(view._replace(choices=view.choices[:4]), wh)
    for count in (1, 2, 3) if layout.upright(wh) else (1, 2, 3, 4):
        after = layout.table(view._replace(choices=view.choices[:4] + extras[:count]), wh)
        assert after.buttons[:4] == first.buttons
        assert after.seats == first.seats
        assert after.octagon == first.octagon
        assert len(after.buttons) == 4 + count


@EVERYWHERE
@pytest.mark.parametrize("players", range(2, 9))
def test_players_sit_clockwise_round_the_octagon_in_seats_of_one_size(players: int, wh: tuple[int, int]) -> None:
    view = View("", "", tuple(Seat(str(n), 12) for n in range(players)))
    plan = layout.table(view, wh)
    assert len(plan.seats) == players
    middle = pygame.Vector2(plan.octagon.center)
    angles = [(pygame.Vector2(seat.center) - middle).as_polar()[1] for seat in plan.seats]
    turns = [(after - before) % 360 for before, after in itertools.pairwise([*angles, angles[0]])]
    assert sum(turns) == pytest.approx(360)  # once round and never back; y grows downwards, so this is clockwise
    if not layout.upright(wh):
        assert len({seat.size for seat in plan.seats}) == 1


@EVERYWHERE
@pytest.mark.parametrize("shape", [(640, 480), (600, 600), (480, 640), (900, 300)])
def test_a_photograph_keeps_its_shape_and_lies_on_the_felt(shape: tuple[int, int], wh: tuple[int, int]) -> None:
    view = moments("nl")["unsure"]()
    assert view.dice is not None and view.dice.picture is not None and view.question is not None
    picture = view.dice.picture._replace(wh=shape)
    plan = layout.table(view._replace(dice=view.dice._replace(picture=picture)), wh)
    asked = layout.question(view.question._replace(picture=picture), wh)
    for box in (plan.picture, asked.picture):
        assert box.width / box.height == pytest.approx(shape[0] / shape[1], rel=0.05)
    points = octagon_points(pygame.Rect((0, 0), plan.octagon.size))
    drawn = pygame.Surface(plan.octagon.size, pygame.SRCALPHA)
    pygame.draw.polygon(drawn, (255, 255, 255), points)
    felt = pygame.mask.from_surface(drawn)
    for corner in ("topleft", "topright", "bottomleft", "bottomright"):
        x, y = getattr(plan.picture.inflate(-2, -2), corner)
        assert felt.get_at((x - plan.octagon.left, y - plan.octagon.top))


def test_the_octagon_is_regular() -> None:
    points = [pygame.Vector2(point) for point in octagon_points(pygame.Rect(0, 0, 300, 300))]
    sides = [(after - before).length() for before, after in itertools.pairwise([*points, points[0]])]
    assert max(sides) == pytest.approx(min(sides), rel=1e-3)


@EVERYWHERE
def test_a_long_list_of_throws_is_cut_into_leaves_that_together_hold_every_throw_once(wh: tuple[int, int]) -> None:
    view = moments("nl")["throws_page"]()
    assert view.page is not None
    cut = all_leaves(view, wh)
    assert len(cut) > 1
    listed = [choice for leaf in cut for choice in leaf.choices]
    assert listed == list(view.page.choices[:-1])
    for leaf in cut:
        assert layout.page(view.page, wh, leaf).buttons[-1].choice == view.page.choices[-1]  # the way back is on each


@EVERYWHERE
def test_a_long_text_and_a_long_table_lose_no_line(wh: tuple[int, int]) -> None:
    words = [f"woord{n}" for n in range(400)]
    rows = (("speler", "worpen"), *((f"speler {n}", str(n)) for n in range(40)))
    view = moments("nl")["rules_page"]()
    assert view.page is not None
    long = view._replace(page=view.page._replace(lines=(" ".join(words), "einde"), rows=rows))
    cut = all_leaves(long, wh)
    assert " ".join(line for leaf in cut for line in leaf.lines).split() == [*words, "einde"]
    assert [row for leaf in cut for row in leaf.rows] == list(rows[1:])
    body = layout.page(view.page, wh, Leaf()).body
    for leaf in cut:
        used = len(leaf.lines) * leaf.line
        used += (len(leaf.rows) + 1) * layout.row_height(wh) if leaf.rows else 0
        assert used <= body.height


def test_the_first_letter_of_every_name_is_offered_as_a_capital() -> None:
    assert layout.starts_word("") and layout.starts_word("Jan ") and layout.starts_word("Jan-")
    assert not layout.starts_word("J")


def test_a_wide_table_is_laid_on_its_side_upright_and_loses_nothing() -> None:
    page = Page("Cijfers", rows=(("speler", "worpen", "zand"), ("An", "38", "2")))
    assert layout.rows_of(page, (800, 480)) == page.rows
    assert layout.rows_of(page, (720, 1280)) == (("speler", "An"), ("worpen", "38"), ("zand", "2"))
    assert layout.rows_of(Page("", rows=()), (720, 1280)) == ()
