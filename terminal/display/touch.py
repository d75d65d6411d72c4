"""From events to intents: finger, mouse and keyboard are equals, and one tap counts once.

A touch screen gives a FINGERDOWN and, made up by SDL, a MOUSEBUTTONDOWN with `touch` set: that one is not looked at.
A tap counts when the finger comes down: nobody can slide off by mistake, and what it did shows at once.
"""

from __future__ import annotations

import pygame

from terminal.display import layout
from terminal.display.view import Intent, View


def meant(event: pygame.event.Event, view: View, wh: tuple[int, int], leaf: layout.Leaf) -> Intent | None:
    """What the event means on this view; None for nothing."""
    if event.type == pygame.QUIT:
        return Intent("quit")
    if event.type == pygame.KEYDOWN:
        return _key(event, view, leaf)
    if event.type == pygame.FINGERDOWN:
        return at((int(event.x * wh[0]), int(event.y * wh[1])), view, wh, leaf)
    if (
        event.type == pygame.MOUSEBUTTONDOWN
        and event.button == pygame.BUTTON_LEFT
        and not getattr(event, "touch", False)
    ):
        return at(event.pos, view, wh, leaf)
    return None


def at(xy: tuple[int, int], view: View, wh: tuple[int, int], leaf: layout.Leaf) -> Intent | None:
    """The intent under this point."""
    for hit in layout.hits(view, wh, leaf):
        if hit.rect.collidepoint(xy):
            return hit.intent
    return None


def _key(event: pygame.event.Event, view: View, leaf: layout.Leaf) -> Intent | None:
    name = pygame.key.name(event.key)
    typing = view.entry is not None and view.question is None
    if typing:
        if event.key == pygame.K_BACKSPACE:
            return Intent("erase")
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            return Intent("enter")
        if event.unicode and event.unicode.isprintable():
            return Intent("type", event.unicode)
    for choice in layout.choices(view):
        if choice.key and choice.key == name and choice.enabled:
            return choice.intent
    if view.page is not None and not typing and view.question is None:
        if event.key in (pygame.K_PAGEDOWN, pygame.K_RIGHT, pygame.K_DOWN) and leaf.number < leaf.total - 1:
            return Intent(layout.TURN_PAGE, 1)
        if event.key in (pygame.K_PAGEUP, pygame.K_LEFT, pygame.K_UP) and leaf.number > 0:
            return Intent(layout.TURN_PAGE, -1)
    return None
