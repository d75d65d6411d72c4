"""Finger, mouse and keyboard are equals, and one tap counts once."""

from __future__ import annotations

import pygame
import pytest

from terminal.display import layout, touch
from terminal.display.layout import Leaf
from terminal.display.view import Intent, View
from tests.display.moments import moments
from tests.display.recorder import first_leaf

WH = (800, 480)


def middle_of(view: View, intent: Intent) -> tuple[int, int]:
    return next(hit.rect.center for hit in layout.hits(view, WH, first_leaf(view, WH)) if hit.intent == intent)


def meant(view: View, event: pygame.event.Event) -> Intent | None:
    return touch.meant(event, view, WH, first_leaf(view, WH))


def finger(xy: tuple[int, int]) -> pygame.event.Event:
    return pygame.event.Event(pygame.FINGERDOWN, x=xy[0] / WH[0], y=xy[1] / WH[1])


def mouse(xy: tuple[int, int], **fields: object) -> pygame.event.Event:
    return pygame.event.Event(pygame.MOUSEBUTTONDOWN, {"pos": xy, "button": 1, **fields})


def key(code: int, text: str = "") -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=code, unicode=text, mod=0)


def test_finger_mouse_and_key_mean_the_same() -> None:
    view = moments("nl")["stand_or_throw"]()
    klaar = Intent("klaar")
    xy = middle_of(view, klaar)
    assert meant(view, finger(xy)) == meant(view, mouse(xy)) == meant(view, key(pygame.K_k)) == klaar


def test_the_mouse_press_that_sdl_makes_of_a_finger_is_not_a_second_tap() -> None:
    view = moments("nl")["stand_or_throw"]()
    xy = middle_of(view, Intent("klaar"))
    assert meant(view, finger(xy)) == Intent("klaar")
    assert meant(view, mouse(xy, touch=True)) is None


def test_only_the_left_button_taps() -> None:
    view = moments("nl")["stand_or_throw"]()
    assert meant(view, mouse(middle_of(view, Intent("klaar")), button=3)) is None


def test_what_is_dim_does_nothing_by_finger_or_key() -> None:
    view = moments("nl")["stand_or_throw"]()
    ogen = next(button.rect.center for button in layout.table(view, WH).buttons if button.choice.intent.name == "ogen")
    assert meant(view, finger(ogen)) is None
    assert meant(view, key(pygame.K_o)) is None


def test_a_tap_on_the_dice_corrects_them_and_a_tap_on_bare_slate_is_nothing() -> None:
    view = moments("nl")["play"]()
    assert meant(view, finger(layout.table(view, WH).octagon.center)) == Intent("edit", 7)
    assert meant(view, finger((2, 2))) is None


def test_under_a_question_neither_table_nor_menu_can_be_reached() -> None:
    view = moments("nl")["unsure"]()
    below = view._replace(question=None)
    for hit in layout.hits(below, WH, Leaf()):
        found = meant(view, finger(hit.rect.center))
        assert found is None or found.name in ("pick", "answer", "again", "outside")
    assert meant(view, key(pygame.K_p)) is None
    assert meant(view, key(pygame.K_RETURN)) == Intent("answer", 9)


def test_one_tap_a_die_picks_its_face() -> None:
    view = moments("nl")["unsure_cocked"]()
    assert view.question is not None
    rows = layout.question(view.question, WH).faces
    for die, row in enumerate(rows):
        for face, box in enumerate(row, start=1):
            assert meant(view, finger(box.center)) == Intent("pick", (9, die, face))


@pytest.mark.parametrize(
    ("event", "intent"),
    [
        (key(pygame.K_a, "a"), Intent("type", "a")),
        (key(pygame.K_2, "é"), Intent("type", "é")),
        (key(pygame.K_n, "n"), Intent("type", "n")),  # a letter, although other screens have it as a short cut
        (key(pygame.K_SPACE, " "), Intent("type", " ")),
        (key(pygame.K_BACKSPACE, "\b"), Intent("erase")),
        (key(pygame.K_RETURN, "\r"), Intent("enter")),
        (key(pygame.K_KP_ENTER, "\r"), Intent("enter")),
        (key(pygame.K_LSHIFT, ""), None),
    ],
)
def test_a_real_keyboard_types_names(event: pygame.event.Event, intent: Intent | None) -> None:
    assert meant(moments("nl")["names_third"](), event) == intent


def test_the_keyboard_on_the_screen_gives_capitals_where_a_name_begins() -> None:
    first, later = moments("nl")["names_first"](), moments("nl")["names_third"]()
    assert first.entry is not None and later.entry is not None
    labels = [k.label for k in layout.entry(first.entry, WH).keys]
    assert labels[:10] == list("AZERTYUIOP") and "Ë" in labels
    for shown in layout.entry(later.entry, WH).keys:
        found = meant(later, finger(shown.rect.center))
        assert found == shown.intent
        assert found.name != "type" or found.value == str(found.value).lower()


def test_keys_turn_the_leaves_of_a_page() -> None:
    view = moments("nl")["throws_page"]()
    leaf = first_leaf(view, WH)
    assert touch.meant(key(pygame.K_PAGEDOWN), view, WH, leaf) == Intent(layout.TURN_PAGE, 1)
    assert touch.meant(key(pygame.K_PAGEUP), view, WH, leaf) is None
    last = leaf._replace(number=leaf.total - 1)
    assert touch.meant(key(pygame.K_PAGEDOWN), view, WH, last) is None
    assert touch.meant(key(pygame.K_LEFT), view, WH, last) == Intent(layout.TURN_PAGE, -1)


def test_closing_the_window_is_an_intent_like_any_other() -> None:
    assert meant(moments("nl")["play"](), pygame.event.Event(pygame.QUIT)) == Intent("quit")
