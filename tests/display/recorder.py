"""Lettering that remembers what it wrote and where."""

from __future__ import annotations

from typing import NamedTuple

import pygame

from terminal.display.draw import Painter
from terminal.display.layout import Leaf
from terminal.display.lettering import Align, Lettering
from terminal.display.motion import Motion
from terminal.display.paging import leaves
from terminal.display.theme import TYPEFACES, Colour, FaceName
from terminal.display.view import View


class Written(NamedTuple):
    text: str
    rect: pygame.Rect  # what the letters take: capitals and accents high
    colour: Colour


class Recorder(Lettering):
    """Every line that reaches the screen passes `write`."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[Written] = []

    def write(
        self,
        surface: pygame.Surface,
        face: FaceName,
        size: int,
        text: str,
        colour: Colour,
        rect: pygame.Rect,
        align: Align = "centre",
    ) -> None:
        super().write(surface, face, size, text, colour, rect, align)
        width = self.width(face, size, text)
        above = TYPEFACES[face].above * size
        left = {"left": rect.left, "right": rect.right - width, "centre": rect.centerx - width // 2}[align]
        height = round(above)
        top = round(rect.centery - (above + TYPEFACES[face].below * size) / 2)
        if text:
            self.written.append(Written(text, pygame.Rect(left, top, width, height), colour))


def painted(view: View, wh: tuple[int, int], leaf: Leaf | None = None) -> tuple[pygame.Surface, Recorder]:
    """The view drawn at this size, and what was written for it."""
    surface = pygame.Surface(wh)
    painter = Painter(surface)
    recorder = painter.lettering = Recorder()
    if leaf is None:
        leaf = first_leaf(view, wh)
    painter.paint(view, Motion(), 0.0, leaf)
    return surface, recorder


def first_leaf(view: View, wh: tuple[int, int]) -> Leaf:
    return leaves(view.page, wh, Recorder())[0] if view.page else Leaf()
