"""The window: the only place with `pygame.display` and `pygame.event`. Shows views, gives back intents."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pygame

from terminal.display import layout, paging, touch
from terminal.display.draw import Painter
from terminal.display.motion import PRESSED_S, Motion
from terminal.display.sound import Sounds
from terminal.display.theme import DisplayError
from terminal.display.view import Intent, Page, View

log = logging.getLogger(__name__)
_FRAME_S: Final = 1 / 30  # while stripes move
_MEANT: Final = (pygame.QUIT, pygame.KEYDOWN, pygame.FINGERDOWN, pygame.MOUSEBUTTONDOWN)
_LOOK_AGAIN: Final = (pygame.VIDEOEXPOSE, pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED)


SETTLE_S: Final = 0.3  # two taps of one excited finger are 0.15 to 0.25 s apart


class NoScreen(DisplayError):  # named like CameraLost: what happened
    """There is no display to open a window on."""


class Window:
    """A screen that shows one view at a time. Not for use from several threads."""

    def __init__(
        self,
        wh: tuple[int, int] = (800, 480),
        fullscreen: bool = False,
        caption: str = "Pitjesbak",
        sounds_folder: Path | None = None,
        headless: bool = False,
        clock: Callable[[], float] = time.monotonic,
        settle_s: float | None = None,
    ) -> None:
        """wh: pixels of the window; a full screen has the size of the screen. headless: no window, all else as ever.

        clock: seconds, monotonic; handed in by tests. settle_s: how long a finger is not looked at after something
        came over the table or went away, for it was meant for what stood there before (the second tap on "Juist!"
        would call stoef); by default 0.3, and 0 when headless. Raises NoScreen and FontMissing.
        """
        if headless:
            os.environ["SDL_VIDEODRIVER"] = "dummy"
        # X11 through OpenGL took 90 MB more and twice the time; a screen that knows nothing else does not ask.
        os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
        try:
            pygame.display.init()
            flags = pygame.FULLSCREEN if fullscreen else pygame.RESIZABLE
            surface = pygame.display.set_mode((0, 0) if fullscreen else wh, flags)
        except pygame.error as error:
            raise NoScreen(f"no screen to draw on: {error}") from error
        pygame.display.set_caption(caption)
        pygame.mouse.set_visible(not fullscreen)
        pygame.event.set_blocked(None)
        pygame.event.set_allowed([*_MEANT, *_LOOK_AGAIN, pygame.VIDEORESIZE])
        self._clock = clock
        self._painter = Painter(surface)
        self._motion = Motion()
        self._sounds = Sounds(sounds_folder)
        self._view: View | None = None
        self._page: Page | None = None
        self._leaves: tuple[layout.Leaf, ...] = (layout.Leaf(),)
        self._leaf_number = 0
        self._pressed: tuple[Intent, float] | None = None
        self._stale = False
        self._moved_s = float("-inf")
        self._settle_s = settle_s if settle_s is not None else 0.0 if headless else SETTLE_S
        self._settled_s = float("-inf")
        self.frames_drawn = 0

    # ---- showing

    def show(self, view: View) -> None:
        """Show this view from now on. Showing the same view again costs nothing."""
        before = self._view
        if view == before:
            return
        now_s = self._clock()
        if before is not None and _over(before) != _over(view):
            self._settled_s = now_s + self._settle_s
        self._motion.lead(before, view, now_s)
        self._view = view
        if view.page != self._page:
            if view.page is None or self._page is None or view.page.heading != self._page.heading:
                self._leaf_number = 0  # what only changed is read on where it was
            self._page = view.page
            self._cut_page()
        if before is None or before.sounds[0] < view.sounds[0]:
            self._sounds.play(view.sounds[1] if before is not None else (), view.volume)
        self._sounds.volume(view.volume)
        self._draw(now_s)

    def poll(self) -> tuple[Intent, ...]:
        """What was meant since the last poll, in order; also moves what moves. Call it 30 to 50 times a second."""
        intents: list[Intent] = []
        for event in pygame.event.get():
            if event.type in _MEANT:
                intents += self._meant(event)
            elif event.type == pygame.VIDEORESIZE:
                self._painter = Painter(pygame.display.get_surface())
                self._cut_page()
                self._stale = True
            else:
                self._stale = True
        self._sounds.go_on()
        self._move()
        return tuple(intents)

    @property
    def animating(self) -> bool:
        """Stripes are on their way, or a button is still drawn as pressed."""
        return self._motion.moving or self._pressed is not None

    @property
    def wh(self) -> tuple[int, int]:
        return self._painter.wh

    def save(self, path: Path) -> None:
        """Write what is shown as PNG, as it will look when nothing moves any more."""
        canvas = pygame.Surface(self.wh)
        if self._view is not None:
            painter = self._painter
            painter.surface, screen = canvas, painter.surface
            try:
                painter.paint(self._view, Motion(), self._clock(), self._leaf)
            finally:
                painter.surface = screen
        pygame.image.save(canvas, str(path))

    def close(self) -> None:
        """Close the window; may be called twice."""
        self._sounds.close()
        pygame.display.quit()

    # ---- fingers from inside: the demo and the tests press what a finger would

    def where(self, intent: Intent) -> tuple[int, int] | None:
        """The middle of what means this intent now, in pixels; None when it cannot be touched."""
        if self._view is None:
            return None
        for hit in layout.hits(self._view, self.wh, self._leaf):
            if hit.intent == intent:
                return hit.rect.center
        return None

    def tap(self, xy: tuple[int, int]) -> None:
        """Put a finger on the screen; the next poll finds it."""
        x, y = (xy[0] + 0.5) / self.wh[0], (xy[1] + 0.5) / self.wh[1]
        pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, touch_id=0, finger_id=0, x=x, y=y, dx=0.0, dy=0.0))

    # ----

    def _meant(self, event: pygame.event.Event) -> tuple[Intent, ...]:
        if self._view is None:
            return (Intent("quit"),) if event.type == pygame.QUIT else ()
        if event.type in (pygame.FINGERDOWN, pygame.MOUSEBUTTONDOWN) and self._clock() < self._settled_s:
            return ()
        intent = touch.meant(event, self._view, self.wh, self._leaf)
        if intent is None:
            return ()
        if intent.name == layout.TURN_PAGE:
            self._leaf_number += intent.value if isinstance(intent.value, int) else 0
            self._stale = True
            return ()
        self._pressed = (intent, self._clock())
        self._stale = True
        return (intent,)

    @property
    def _leaf(self) -> layout.Leaf:
        return self._leaves[self._leaf_number]

    def _cut_page(self) -> None:
        page = self._page
        self._leaves = paging.leaves(page, self.wh, self._painter.lettering) if page else (layout.Leaf(),)
        self._leaf_number = min(self._leaf_number, len(self._leaves) - 1)

    def _draw(self, now_s: float) -> None:
        if self._view is not None:
            pressed = self._pressed[0] if self._pressed else None
            self._painter.paint(self._view, self._motion, now_s, self._leaf, pressed)
        pygame.display.flip()
        self.frames_drawn += 1
        self._stale = False

    def _move(self) -> None:
        if not (self.animating or self._stale):
            return
        now_s = self._clock()
        if self._pressed and now_s - self._pressed[1] >= PRESSED_S:
            self._pressed = None
            self._stale = True
        if self._motion.sweep_up(now_s):
            self._stale = True
        if self._stale:
            self._draw(now_s)
        elif self._motion.moving and now_s - self._moved_s >= _FRAME_S and self._view is not None:
            self._moved_s = now_s
            touched = self._painter.paint_moving(self._view, self._motion, now_s)
            if touched:
                pygame.display.update(touched)
                self.frames_drawn += 1


def _over(view: View) -> object:
    """What lies over the table, to tell one from the next; picking faces and typing keep it the same."""
    if view.question:
        return view.question.text, view.question.detail, view.question.picture and view.question.picture.key
    if view.entry:
        return "entry"
    return view.page and view.page.heading
