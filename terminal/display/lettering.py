"""Lettering: texts measured, made to fit their box, wrapped, and rendered once.

A text never leaves its box: it shrinks to the smallest size allowed there and only then loses its end to an ellipsis.
Which texts lost something is kept in `Lettering.cut`, so that a test can find every text that is too long.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Literal, NamedTuple

import pygame

from terminal.display import chalk
from terminal.display.theme import TYPEFACES, Colour, FaceName, FontMissing

Align = Literal["left", "centre", "right"]
ELLIPSIS: Final = "…"
_CONTROLS: Final = dict.fromkeys((*range(32), 127), " ")  # a name from central may hold one; a font may not
LEADING: Final = 1.12  # from line to line, in line heights
_FITTED_KEPT: Final = 1000
_FONTS_KEPT: Final = 28  # sizes; the fullest screen has 25, and each costs 0.14 MB
_CHALKY_FROM_PX: Final = 26  # smaller letters lose more to the grain of chalk than they win


class Fitted(NamedTuple):
    """A text as it fits its box: font size, what is left of it, and the size of its line in pixels."""

    size: int
    lines: tuple[str, ...]
    line_height: int
    width: int


class Lettering:
    """Fonts of one screen, with what was rendered last. kept_px: so many pixels of it, of four bytes."""

    def __init__(self, kept_px: int = 2_000_000) -> None:
        pygame.font.init()
        self._kept_px = kept_px
        self.cut: list[str] = []
        self._fonts: OrderedDict[tuple[FaceName, int], pygame.font.Font] = OrderedDict()
        self._rendered: OrderedDict[tuple[FaceName, int, str, Colour], pygame.Surface] = OrderedDict()
        self._rendered_px = 0
        self._fitted: OrderedDict[tuple[object, ...], tuple[Fitted, bool]] = OrderedDict()

    def font(self, face: FaceName, size: int) -> pygame.font.Font:
        """The font; raises FontMissing with the name of the package that holds it."""
        found = self._fonts.get((face, size))
        if found is None:
            typeface = TYPEFACES[face]
            if not typeface.path.is_file():
                raise FontMissing(f"font file {typeface.path} is missing: install the package {typeface.package}")
            found = self._fonts[face, size] = pygame.font.Font(str(typeface.path), size)
            if len(self._fonts) > _FONTS_KEPT:
                self._fonts.popitem(last=False)
        else:
            self._fonts.move_to_end((face, size))
        return found

    def width(self, face: FaceName, size: int, text: str) -> int:
        return self.font(face, size).size(text.translate(_CONTROLS))[0]

    @staticmethod
    def line_height(face: FaceName, size: int) -> int:
        typeface = TYPEFACES[face]
        return round((typeface.above + typeface.below) * size)

    @staticmethod
    def size_for(face: FaceName, height: int) -> int:
        """The font size whose line is `height` pixels high; large ones in steps of two, for each size costs 0.2 MB."""
        typeface = TYPEFACES[face]
        size = max(8, int(height / (typeface.above + typeface.below)))
        return size if size <= 24 else size // 2 * 2

    def wrap(self, face: FaceName, size: int, text: str, width: int) -> list[str]:
        """The text in lines of at most `width` pixels; a single word that is wider stands alone on its line."""
        lines: list[str] = []
        for paragraph in text.split("\n"):
            line = ""
            for word in paragraph.split(" "):  # not at a space that may not break
                longer = f"{line} {word}" if line else word
                if line and self.width(face, size, longer) > width:
                    lines.append(line)
                    line = word
                else:
                    line = longer
            lines.append(line)
        return lines

    def fit(
        self, face: FaceName, text: str, wh: tuple[int, int], largest: int, smallest: int, lines: int = 1
    ) -> Fitted:
        """The text at the largest size (pixels of line height) at which it fits `wh` in at most `lines` lines."""
        key = (face, text, wh, largest, smallest, lines)
        known = self._fitted.get(key)
        if known is None:
            known = self._fit(face, text, wh, largest, smallest, lines)
            self._fitted[key] = known
            if len(self._fitted) > _FITTED_KEPT:
                self._fitted.popitem(last=False)
        if known[1]:
            self.cut.append(text)
            del self.cut[:-50]
        return known[0]

    def _fit(
        self, face: FaceName, text: str, wh: tuple[int, int], largest: int, smallest: int, lines: int
    ) -> tuple[Fitted, bool]:
        width, height = wh
        height_px = min(largest, height)
        while True:
            size = self.size_for(face, height_px)
            line_height = self.line_height(face, size)
            spacing = round(line_height * LEADING)
            may = max(1, min(lines, 1 + (height - line_height) // max(1, spacing)))
            wrapped = self.wrap(face, size, text, width) if lines > 1 else [text]
            widest = max(self.width(face, size, line) for line in wrapped)
            if len(wrapped) <= may and widest <= width:
                return Fitted(size, tuple(wrapped), line_height, widest), False
            if height_px <= smallest:
                break
            height_px = max(smallest, int(height_px * 0.94))
        kept = wrapped[:may]
        if len(wrapped) > may:
            kept[-1] += ELLIPSIS
        kept = [self._shorten(face, size, line, width) for line in kept]
        return Fitted(size, tuple(kept), line_height, max(self.width(face, size, line) for line in kept)), True

    def _shorten(self, face: FaceName, size: int, text: str, width: int) -> str:
        if self.width(face, size, text) <= width:
            return text
        text = text.rstrip(ELLIPSIS)
        fits, too_long = 0, len(text)
        while too_long - fits > 1:
            middle = (fits + too_long) // 2
            if self.width(face, size, text[:middle].rstrip() + ELLIPSIS) <= width:
                fits = middle
            else:
                too_long = middle
        return text[:fits].rstrip() + ELLIPSIS

    def rendered(self, face: FaceName, size: int, text: str, colour: Colour) -> pygame.Surface:
        key = (face, size, text, colour)
        found = self._rendered.get(key)
        if found is None:
            found = self.font(face, size).render(text.translate(_CONTROLS), True, colour)
            if face == "chalk" and size >= _CHALKY_FROM_PX:
                chalk.grain(found)
            self._rendered[key] = chalk.sparse(found)
            self._rendered_px += found.get_width() * found.get_height()
            while self._rendered_px > self._kept_px:
                _, oldest = self._rendered.popitem(last=False)
                self._rendered_px -= oldest.get_width() * oldest.get_height()
        else:
            self._rendered.move_to_end(key)
        return found

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
        """One line, its capitals and accents centred in the height of `rect`."""
        if not text:
            return
        image = self.rendered(face, size, text, colour)
        typeface = TYPEFACES[face]
        ascent = self.font(face, size).get_ascent()
        top = rect.centery - (typeface.above + typeface.below) * size / 2
        y = round(top + typeface.above * size - ascent)
        if align == "left":
            x = rect.left
        elif align == "right":
            x = rect.right - image.get_width()
        else:
            x = rect.centerx - image.get_width() // 2
        surface.blit(image, (x, y))

    def put(
        self,
        surface: pygame.Surface,
        face: FaceName,
        text: str,
        rect: pygame.Rect,
        colour: Colour,
        *,
        largest: int,
        smallest: int,
        align: Align = "centre",
        lines: int = 1,
        valign: Literal["top", "middle"] = "middle",
    ) -> pygame.Rect:
        """Fit the text into `rect` and write it there; gives the rectangle that the text really takes."""
        if not text or rect.width <= 0 or rect.height <= 0:
            return pygame.Rect(rect.topleft, (0, 0))
        fitted = self.fit(face, text, rect.size, largest, smallest, lines)
        spacing = round(fitted.line_height * LEADING)
        total = fitted.line_height + spacing * (len(fitted.lines) - 1)
        top = rect.top if valign == "top" else rect.top + max(0, (rect.height - total) // 2)
        for number, line in enumerate(fitted.lines):
            row = pygame.Rect(rect.left, top + number * spacing, rect.width, fitted.line_height)
            self.write(surface, face, fitted.size, line, colour, row, align)
        x = {"left": rect.left, "right": rect.right - fitted.width, "centre": rect.centerx - fitted.width // 2}[align]
        return pygame.Rect(x, top, fitted.width, total)
