"""Colours and typefaces of the slate. Fonts come from packages and are opened by path, never from this tree."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, NamedTuple

import font_amatic_sc

Colour = tuple[int, int, int]
FaceName = Literal["chalk", "text", "bold"]

SLATE: Final[Colour] = (31, 37, 40)
SLATE_LIGHT: Final[Colour] = (54, 63, 67)
CHALK: Final[Colour] = (244, 241, 230)
DUST: Final[Colour] = (168, 174, 172)  # chalk that may be overlooked: 7 to 1 on slate
FAINT: Final[Colour] = (100, 109, 112)  # what cannot be done now
YELLOW: Final[Colour] = (255, 213, 79)  # whose turn, what to do now
RED: Final[Colour] = (255, 137, 117)  # stoef, what went wrong, stripes added
BLUE: Final[Colour] = (140, 205, 255)  # barrage
GREEN: Final[Colour] = (150, 222, 140)  # well, stripes wiped
WOOD: Final[Colour] = (146, 96, 54)
WOOD_LIGHT: Final[Colour] = (190, 136, 84)
WOOD_DARK: Final[Colour] = (84, 52, 28)
FELT: Final[Colour] = (24, 66, 50)
IVORY: Final[Colour] = (247, 242, 226)
PIP: Final[Colour] = (28, 26, 24)

DEJAVU: Final = Path("/usr/share/fonts/truetype/dejavu")


class DisplayError(Exception):
    """Something of the screen could not be had."""


class FontMissing(DisplayError):  # named like CameraLost: what happened
    """A font file is not where its package puts it."""


class Typeface(NamedTuple):
    """One font file; heights above and below the base line in parts of the size, accents included."""

    path: Path
    package: str
    above: float
    below: float


# Amatic has small capitals and no descenders, so it fills its line: measured on É and on the comma.
TYPEFACES: Final[dict[FaceName, Typeface]] = {
    "chalk": Typeface(Path(font_amatic_sc.font_files["AmaticSCBold"]), "font-amatic-sc (PyPI)", 0.86, 0.06),
    "text": Typeface(DEJAVU / "DejaVuSans.ttf", "fonts-dejavu-core (Debian)", 0.82, 0.24),
    "bold": Typeface(DEJAVU / "DejaVuSans-Bold.ttf", "fonts-dejavu-core (Debian)", 0.82, 0.24),
}
