"""The window on SDL's dummy driver, and once as a real window under Xvfb with a real mouse."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from terminal.display import layout
from terminal.display.motion import MARKS_S, PRESSED_S
from terminal.display.view import Intent, View
from terminal.display.window import NoScreen, Window
from tests.display.moments import moments
from tests.display.recorder import painted


class Clock:
    """Seconds that pass when the test says so."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def window(clock: Clock) -> Iterator[Window]:
    opened = Window(headless=True, clock=clock)
    yield opened
    opened.close()


def pixels() -> bytes:
    return pygame.image.tobytes(pygame.display.get_surface(), "RGB")


def with_marks(view: View, seat: int, marks: int) -> View:
    seats = list(view.seats)
    seats[seat] = seats[seat]._replace(marks=marks)
    return view._replace(seats=tuple(seats))


def test_showing_the_same_view_again_draws_nothing(window: Window) -> None:
    window.show(moments("nl")["play"]())
    drawn = window.frames_drawn
    for _ in range(50):
        window.show(moments("nl")["play"]())
        assert window.poll() == ()
    assert window.frames_drawn == drawn


def test_a_tap_comes_out_as_its_intent_and_shows_at_once(window: Window, clock: Clock) -> None:
    window.show(moments("nl")["play"]())
    before = pixels()
    where = window.where(Intent("pause"))
    assert where is not None
    window.tap(where)
    assert window.poll() == (Intent("pause"),)
    assert pixels() != before  # the button is drawn as pressed before anybody has answered
    assert window.animating
    clock.now_s += PRESSED_S
    window.poll()
    assert not window.animating
    assert pixels() == before


def test_finger_and_the_mouse_press_made_of_it_count_once(window: Window) -> None:
    window.show(moments("nl")["play"]())
    where = window.where(Intent("pause"))
    assert where is not None
    window.tap(where)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=where, button=1, touch=True))
    assert window.poll() == (Intent("pause"),)


def test_taps_between_two_polls_come_in_order(window: Window) -> None:
    window.show(moments("nl")["stand_or_throw"]())
    for intent in (Intent("stoef"), Intent("klaar")):
        where = window.where(intent)
        assert where is not None
        window.tap(where)
    assert window.poll() == (Intent("stoef"), Intent("klaar"))


def test_stripes_are_wiped_before_their_eyes_and_the_screen_comes_to_rest(window: Window, clock: Clock) -> None:
    before = moments("nl")["play"]()
    after = with_marks(before, 1, 7)
    window.show(before)
    window.show(after)
    assert window.animating
    seen = set()
    for _ in range(10):
        window.poll()
        seen.add(pixels())
        clock.now_s += MARKS_S / 10
    assert len(seen) >= 8
    clock.now_s += 0.01
    window.poll()
    assert not window.animating
    drawn = window.frames_drawn
    window.poll()
    assert window.frames_drawn == drawn
    still, _ = painted(after, (800, 480))
    assert pixels() == pygame.image.tobytes(still, "RGB")


def test_saving_shows_the_end_of_an_animation_and_leaves_the_screen_alone(window: Window, tmp_path: Path) -> None:
    before = moments("nl")["play"]()
    after = with_marks(before, 1, 7)
    window.show(before)
    window.show(after)
    on_screen = pixels()
    window.save(tmp_path / "shown.png")
    assert pixels() == on_screen
    saved = pygame.image.load(tmp_path / "shown.png")
    still, _ = painted(after, (800, 480))
    assert pygame.image.tobytes(saved, "RGB") == pygame.image.tobytes(still, "RGB")


def test_the_arrows_turn_the_leaves_and_the_last_leaf_ends(window: Window) -> None:
    window.show(moments("nl")["throws_page"]())
    forward = Intent(layout.TURN_PAGE, 1)
    seen = {pixels()}
    while (where := window.where(forward)) is not None:
        window.tap(where)
        assert window.poll() == ()  # turning leaves is the window's own business
        seen.add(pixels())
    assert len(seen) == 4
    assert window.where(Intent(layout.TURN_PAGE, -1)) is not None


def test_another_page_begins_at_its_first_leaf_and_the_same_page_stays_where_it_was(window: Window) -> None:
    listed = moments("nl")["throws_page"]()
    window.show(listed)
    where = window.where(Intent(layout.TURN_PAGE, 1))
    assert where is not None
    window.tap(where)
    window.poll()
    assert listed.page is not None
    shorter = listed._replace(page=listed.page._replace(choices=listed.page.choices[2:]))
    window.show(shorter)  # a throw was corrected meanwhile: read on where it was
    assert window.where(Intent(layout.TURN_PAGE, -1)) is not None
    window.show(moments("nl")["rules_page"]())
    assert window.where(Intent(layout.TURN_PAGE, -1)) is None


def test_a_page_that_becomes_shorter_shows_its_last_leaf(window: Window) -> None:
    listed = moments("nl")["throws_page"]()
    window.show(listed)
    for _ in range(3):
        where = window.where(Intent(layout.TURN_PAGE, 1))
        assert where is not None
        window.tap(where)
        window.poll()
    assert listed.page is not None
    window.show(listed._replace(page=listed.page._replace(choices=listed.page.choices[-3:])))
    assert window.where(Intent("close")) is not None


def test_the_second_tap_of_an_excited_finger_does_not_reach_what_was_under_the_question(clock: Clock) -> None:
    """He tapped "Juist!" twice; the second tap landed on STOEF, which lies under it, and he had called stoef."""
    window = Window(headless=True, clock=clock, settle_s=0.3)
    table = moments("nl")["stand_or_throw"]()
    window.show(moments("nl")["unsure"]()._replace(choices=table.choices))
    clock.now_s += 1
    right = window.where(Intent("answer", 9))
    assert right is not None
    window.tap(right)
    assert window.poll() == (Intent("answer", 9),)
    window.show(table)
    clock.now_s += 0.2
    window.tap(right)
    assert window.poll() == ()
    clock.now_s += 0.11
    window.tap(right)
    assert window.poll() == (Intent("stoef"),)
    window.close()


def test_picking_faces_and_typing_fast_are_not_held_up(clock: Clock) -> None:
    window = Window(headless=True, clock=clock, settle_s=0.3)
    made = moments("nl")
    window.show(made["unsure"]())
    before = made["unsure"]()
    assert before.question is not None
    rows = (before.question.faces[0]._replace(selected=2), *before.question.faces[1:])
    window.show(before._replace(question=before.question._replace(faces=rows)))
    where = window.where(Intent("pick", (9, 1, 3)))
    assert where is not None
    window.tap(where)
    assert window.poll() == (Intent("pick", (9, 1, 3)),)
    window.show(made["names_third"]())
    clock.now_s += 0.31
    for letter in "az":
        where = window.where(Intent("type", letter))
        assert where is not None
        window.tap(where)
        assert window.poll() == (Intent("type", letter),)
        typed = made["names_third"]()
        assert typed.entry is not None
        window.show(typed._replace(entry=typed.entry._replace(text=f"Cé{letter}")))
    window.close()


def test_a_window_that_is_made_larger_shows_everything_larger(window: Window) -> None:
    window.show(moments("nl")["throws_page"]())
    pygame.display.set_mode((1280, 800), pygame.RESIZABLE)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, w=1280, h=800, size=(1280, 800)))
    assert window.poll() == ()
    assert window.wh == (1280, 800)
    assert window.where(Intent("close")) is not None
    still, _ = painted(moments("nl")["throws_page"](), (1280, 800))
    assert pixels() == pygame.image.tobytes(still, "RGB")


def test_before_the_first_view_only_closing_means_something(window: Window) -> None:
    pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, x=0.5, y=0.5))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert window.poll() == (Intent("quit"),)
    assert window.where(Intent("klaar")) is None


def test_closing_twice_is_harmless(clock: Clock) -> None:
    window = Window(headless=True, clock=clock)
    window.close()
    window.close()


def test_without_a_screen_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    with pytest.raises(NoScreen, match="no screen"):
        Window()


@pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="Debian packages xvfb and xdotool are not installed"
)
def test_a_real_window_is_clicked_by_a_real_mouse() -> None:
    """A window of 800x480 under Xvfb; xdotool moves the pointer, clicks and types; the intents come out on stdout."""
    read_end, write_end = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
        pass_fds=(write_end,), stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write_end)
    with os.fdopen(read_end) as ready:
        display = f":{ready.readline().strip()}"
    environment = {**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11", "SDL_VIDEO_WINDOW_POS": "0,0"}
    shown = subprocess.Popen(
        [sys.executable, "-m", "tests.display.clicked"], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert shown.stdout is not None
        x, y = shown.stdout.readline().split()  # where KLAAR is, once the window is there
        subprocess.run(["xdotool", "mousemove", x, y, "click", "1"], env=environment, check=True)
        assert shown.stdout.readline().split() == ["klaar", "None"]
        subprocess.run(["xdotool", "key", "p"], env=environment, check=True)
        assert shown.stdout.readline().split() == ["pause", "None"]
        subprocess.run(["xdotool", "mousemove", "5", "100", "click", "1", "key", "q"], env=environment, check=True)
        assert shown.stdout.readline().split() == ["quit", "None"]
        assert shown.wait(20) == 0
    finally:
        shown.kill()
        shown.wait()
        assert shown.stdout is not None
        shown.stdout.close()
        server.terminate()
        server.wait()
