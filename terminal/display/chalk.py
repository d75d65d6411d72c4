"""What is drawn by hand: slate, chalk strokes, the octagon of the tray, dice. Shapes only; it knows no view.

Everything random is seeded, so that the same thing is drawn the same way every time.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache
from typing import Final

import pygame

from terminal.display.theme import FELT, IVORY, PIP, SLATE, WOOD, WOOD_DARK, WOOD_LIGHT, Colour

GROUP: Final = 5  # a café strikes every fifth stripe through the four before it


def _noise(wh: tuple[int, int], seed: int, low: int, high: int) -> pygame.Surface:
    """Grey speckles between low and high (0..255)."""
    table = bytes(low + value * (high - low) // 255 for value in range(256))
    grey = random.Random(seed).randbytes(wh[0] * wh[1]).translate(table)
    pixels = bytearray(3 * len(grey))
    pixels[0::3] = pixels[1::3] = pixels[2::3] = grey
    return pygame.image.frombuffer(bytes(pixels), wh, "RGB").copy()


@lru_cache(maxsize=2)
def slate(wh: tuple[int, int]) -> pygame.Surface:
    """The board: dark stone with the clouds that a wet cloth leaves, a little darker towards the edges."""
    board = pygame.Surface(wh)
    board.fill(SLATE)
    for grid, seed, high in (((7, 5), 1, 13), ((31, 19), 2, 7)):
        board.blit(
            pygame.transform.smoothscale(_noise(grid, seed, 0, high), wh), (0, 0), special_flags=pygame.BLEND_RGB_ADD
        )
    speckles = _noise((128, 128), 3, 0, 9)
    for x in range(0, wh[0], 128):
        for y in range(0, wh[1], 128):
            board.blit(speckles, (x, y), special_flags=pygame.BLEND_RGB_ADD)
    # every pixel is SLATE and some grey: one byte instead of four
    lighter = [tuple(min(255, max(0, value - SLATE[0] + part)) for part in SLATE) for value in range(256)]
    shades = pygame.image.frombuffer(pygame.image.tobytes(board, "RGB")[0::3], wh, "P")
    shades.set_palette(lighter)
    return shades


@lru_cache(maxsize=1)
def _grain_tile() -> pygame.Surface:
    """White with speckled alpha: what the stone leaves bare under chalk."""
    side = 256
    alpha = random.Random(4).randbytes(side * side).translate(bytes(255 if v > 50 else 120 + v * 2 for v in range(256)))
    pixels = bytearray(b"\xff" * (4 * side * side))
    pixels[3::4] = alpha
    return pygame.image.frombuffer(bytes(pixels), (side, side), "RGBA").copy()


def grain(surface: pygame.Surface) -> None:
    """Make what stands on a surface with alpha look like chalk on stone."""
    tile = _grain_tile()
    for x in range(0, surface.get_width(), tile.get_width()):
        for y in range(0, surface.get_height(), tile.get_height()):
            surface.blit(tile, (x, y), special_flags=pygame.BLEND_RGBA_MULT)


def sparse(drawn: pygame.Surface) -> pygame.Surface:
    """The same surface, kept from its first use on without what is transparent: a quarter of the memory and faster.

    For what is drawn onto the screen, not onto another surface with alpha, which would unpack it every time.
    """
    drawn.set_alpha(255, pygame.RLEACCEL)
    return drawn


def _stroke(
    surface: pygame.Surface,
    start: tuple[float, float],
    end: tuple[float, float],
    width: float,
    colour: Colour,
    seed: int,
) -> None:
    """One stroke of chalk: a slightly bent band of uneven width."""
    chance = random.Random(seed)
    steps = 6
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max(1.0, math.hypot(dx, dy))
    nx, ny = -dy / length, dx / length
    bend = chance.uniform(-0.35, 0.35) * width
    left, right = [], []
    for step in range(steps + 1):
        part = step / steps
        half = width / 2 * chance.uniform(0.82, 1.1)
        aside = bend * math.sin(part * math.pi)
        x, y = start[0] + dx * part + nx * aside, start[1] + dy * part + ny * aside
        left.append((x + nx * half, y + ny * half))
        right.append((x - nx * half, y - ny * half))
    pygame.draw.polygon(surface, colour, left + right[::-1])


def tally_rows(count: int, wh: tuple[int, int]) -> tuple[int, int, float]:
    """How `count` stripes are laid out in a box: rows, groups a row, distance of stripes in pixels."""
    groups = max(1, -(-count // GROUP))
    best = (1, groups, 0.0)
    for rows in range(1, 5):
        across = -(-groups // rows)
        height = wh[1] / (rows + (rows - 1) * 0.25)
        # four gaps in a group and 1.6 between groups; a stripe is at least 2.5 times as high as they are apart
        step = min(wh[0] / (across * 4.6), height / 2.5)
        if step > best[2] * 1.15:
            best = (rows, across, step)
    return best


@lru_cache(maxsize=32)
def stripes(wh: tuple[int, int], count: int, colour: Colour, seed: int) -> pygame.Surface:
    """Stripes at rest, drawn once; not to be changed."""
    return sparse(tally(wh, count, count, 1.0, colour, colour, colour, seed))


def tally(
    wh: tuple[int, int], old: int, new: int, progress: float, colour: Colour, wiped: Colour, added: Colour, seed: int
) -> pygame.Surface:
    """Stripes in groups of five, on a transparent surface of size `wh`.

    old, new: before and after; progress 0..1 leads from one to the other: added ones are drawn one after another,
    wiped ones smear and vanish from the last back.
    """
    surface = pygame.Surface(wh, pygame.SRCALPHA)
    most = max(old, new)
    if most == 0:
        return surface
    rows, across, step = tally_rows(most, wh)
    row_height = wh[1] / (rows + (rows - 1) * 0.25)
    height = min(row_height, step * 5.2)
    width = max(1.0, min(step * 0.42, height * 0.17))
    changing = abs(new - old)
    for number in range(most):
        group, place = divmod(number, GROUP)
        row, column = divmod(group, across)
        x = column * step * 4.6 + step * 0.45
        top = row * row_height * 1.25 + (row_height - height) / 2
        chance = random.Random(seed * 1000 + number)
        if place < GROUP - 1:
            lean = chance.uniform(-0.12, 0.12) * step
            start = (x + place * step + lean, top + height * chance.uniform(0.02, 0.07))
            end = (x + place * step - lean, top + height * chance.uniform(0.93, 0.98))
        else:
            start = (x - step * 0.45, top + height * 0.86)
            end = (x + step * 3.45, top + height * 0.14)
        if number < min(old, new):
            _stroke(surface, start, end, width, colour, seed * 1000 + number)
            continue
        if new > old:
            drawn = progress * changing - (number - old)
            if drawn > 0:
                part = min(1.0, drawn)
                tip = (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
                _stroke(surface, start, tip, width, added if progress < 1 else colour, seed * 1000 + number)
        else:
            left = 1 - max(0.0, min(1.0, progress * (1 + changing) - (most - 1 - number)))
            if left > 0 and progress < 1:
                smear = pygame.Surface(wh, pygame.SRCALPHA)
                shift = (1 - left) * step * 1.5
                _stroke(
                    smear,
                    (start[0] + shift, start[1]),
                    (end[0] + shift, end[1]),
                    width * (1 + (1 - left) * 2),
                    wiped,
                    seed * 1000 + number,
                )
                smear.set_alpha(round(255 * left))
                surface.blit(smear, (0, 0))
    if height >= 22:
        grain(surface)
    return surface


def octagon_points(rect: pygame.Rect, inset: float = 0) -> list[tuple[float, float]]:
    """The eight corners, clockwise from the top left, of the octagon that fills `rect`."""
    box = rect.inflate(-2 * inset, -2 * inset)
    cut = min(box.width, box.height) * (1 - math.sqrt(0.5))
    return [
        (box.left + cut, box.top),
        (box.right - cut, box.top),
        (box.right, box.top + cut),
        (box.right, box.bottom - cut),
        (box.right - cut, box.bottom),
        (box.left + cut, box.bottom),
        (box.left, box.bottom - cut),
        (box.left, box.top + cut),
    ]


@lru_cache(maxsize=2)
def tray(wh: tuple[int, int], rim: int) -> pygame.Surface:
    """The pitjesbak from above: octagonal wooden rim, felt inside. Drawn at twice the size for smooth edges."""
    big = pygame.Surface((2 * wh[0], 2 * wh[1]), pygame.SRCALPHA)
    rect = big.get_rect()
    pygame.draw.polygon(big, WOOD_DARK, octagon_points(rect))
    pygame.draw.polygon(big, WOOD, octagon_points(rect, rim * 0.2))
    outer, inner = octagon_points(rect, rim * 0.2), octagon_points(rect, 2 * rim)
    for side in range(8):  # each plank catches the lamp differently
        shade = (WOOD_LIGHT, WOOD, WOOD, WOOD_DARK, WOOD_DARK, WOOD, WOOD, WOOD_LIGHT)[side]
        mixed = tuple((a + 2 * b) // 3 for a, b in zip(shade, WOOD, strict=True))
        after = (side + 1) % 8
        pygame.draw.polygon(big, mixed, [outer[side], outer[after], inner[after], inner[side]])
        pygame.draw.line(big, WOOD_DARK, outer[side], inner[side], 3)
    pygame.draw.polygon(big, WOOD_DARK, octagon_points(rect, 2 * rim))
    felt = pygame.Surface(rect.size, pygame.SRCALPHA)
    pygame.draw.polygon(felt, FELT, octagon_points(rect, 2 * rim + 3))
    cloth = pygame.transform.smoothscale(_noise((64, 64), 5, 236, 255), rect.size)
    felt.blit(cloth, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
    big.blit(felt, (0, 0))
    return pygame.transform.smoothscale(big, wh)


_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


@lru_cache(maxsize=48)
def die(value: int, side: int, body: Colour = IVORY, pip: Colour = PIP) -> pygame.Surface:
    """One die face, `side` pixels: round edges that catch the lamp, pips that are a little hollow."""
    scale = 3
    full = side * scale
    big = pygame.Surface((full, full), pygame.SRCALPHA)
    radius = round(full * 0.2)
    for part, brightness in ((1.0, 0.66), (0.965, 0.86), (0.94, 1.0)):
        shade = tuple(round(c * brightness) for c in body)
        rim = pygame.Rect(0, 0, round(full * (0.94 + 0.06 * part)), round(full * part))
        rim.midtop = (full // 2, 0)
        pygame.draw.rect(big, shade, rim, border_radius=radius)
    middle = pygame.Vector2(full / 2, full * 0.47)
    apart, size = full * 0.26, full * 0.105
    glint = tuple((a + 2 * b) // 3 for a, b in zip(pip, body, strict=True))
    for x, y in _PIPS[value]:
        centre = middle + pygame.Vector2(x, y) * apart
        pygame.draw.circle(big, glint, centre + pygame.Vector2(0, size * 0.14), size)
        pygame.draw.circle(big, pip, centre, size * 0.97)
    return pygame.transform.smoothscale(big, (side, side))


@lru_cache(maxsize=4)
def shadow(side: int) -> pygame.Surface:
    """What a die keeps dark on the felt; larger than the die by a fifth on each side."""
    margin = side // 5
    small = pygame.Surface((12, 12), pygame.SRCALPHA)
    pygame.draw.rect(small, (0, 0, 0, 150), small.get_rect().inflate(-4, -4), border_radius=2)
    return pygame.transform.smoothscale(small, (side + 2 * margin, side + 2 * margin))


def frame(
    surface: pygame.Surface, rect: pygame.Rect, colour: Colour, width: int, radius: int, fill: Colour | None = None
) -> None:
    """A box with round corners, its line drawn in chalk, filled or not. width 0: no line."""
    if fill is not None:
        inside = rect.inflate(-width, -width)
        pygame.draw.rect(surface, fill, inside, border_radius=max(1, radius - width // 2))
    if width:
        surface.blit(_outline(rect.size, colour, width, radius), rect)


@lru_cache(maxsize=64)  # a screen has some thirty
def _outline(wh: tuple[int, int], colour: Colour, width: int, radius: int) -> pygame.Surface:
    box = pygame.Surface(wh, pygame.SRCALPHA)
    pygame.draw.rect(box, colour, box.get_rect(), width, border_radius=radius)
    grain(box)
    return sparse(box)
