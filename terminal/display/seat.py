"""One player's place at the table: name, stripes, number, badges, throws of the round."""

from __future__ import annotations

from typing import Final

import pygame

from terminal.display import chalk
from terminal.display.lettering import Lettering
from terminal.display.motion import Change
from terminal.display.theme import BLUE, CHALK, DUST, FAINT, GREEN, RED, SLATE, SLATE_LIGHT, YELLOW, Colour
from terminal.display.view import Seat

_BADGE_COLOURS: Final = (RED, BLUE)


def draw_seat(
    surface: pygame.Surface,
    lettering: Lettering,
    unit: float,
    box: pygame.Rect,
    seat: Seat,
    number: int,
    change: Change | None = None,
    progress: float = 1.0,
) -> None:
    """The seat in its box. number: place round the table, the seed of its handwriting."""

    def px(units: float) -> int:
        return max(1, round(units * unit))

    ink: Colour = SLATE if seat.turn else FAINT if seat.gone else CHALK
    quiet: Colour = SLATE if seat.turn else FAINT if seat.gone else DUST
    edge = YELLOW if seat.turn else SLATE_LIGHT
    if change:
        edge = GREEN if change.new < change.old else RED
    chalk.frame(surface, box, edge, px(3 if change else 2), px(12), YELLOW if seat.turn else None)
    inner = box.inflate(-px(14), -px(8))

    # three rows: name and number; stripes and the first badge; throws and what else is to be said
    roomy = min(inner.height, px(150))
    gap = px(3)
    name_height = min(px(46), round(roomy * 0.38))
    throw_height = min(px(40), round(roomy * 0.30))
    marks_height = min(px(64), inner.height - name_height - throw_height - 2 * gap)
    used = name_height + throw_height + marks_height + 2 * gap
    top = inner.top + (inner.height - used) // 2

    count = str(round(change.old + (change.new - change.old) * progress) if change else seat.marks)
    count_colour = ink if not change or seat.turn else GREEN if change.new < change.old else RED
    count_width = lettering.width("bold", lettering.size_for("bold", name_height), count)
    if change:
        count += f" {change.new - change.old:+d}".replace("-", "−")
        count_width = lettering.width("bold", lettering.size_for("bold", name_height), count)
    count_box = pygame.Rect(inner.right - count_width, top, count_width, name_height)
    lettering.put(surface, "bold", count, count_box, count_colour, largest=name_height, smallest=px(10), align="right")
    name_box = pygame.Rect(inner.left, top, count_box.left - inner.left - px(6), name_height)
    lettering.put(surface, "chalk", seat.name, name_box, ink, largest=name_height, smallest=px(15), align="left")

    marks_box = pygame.Rect(inner.left, name_box.bottom + gap, inner.width, marks_height)
    throws_box = pygame.Rect(inner.left, marks_box.bottom + gap, inner.width, throw_height)
    rows = [marks_box, throws_box]
    for place, badge in enumerate(seat.badges[:2]):
        row = rows[place]
        height = min(row.height, px(28))
        width = lettering.width("chalk", lettering.size_for("chalk", height), badge) + px(12)
        chip = pygame.Rect(row.right - width, row.centery - height // 2, width, height)
        colour = _BADGE_COLOURS[place if len(seat.badges) > 1 else int(badge.startswith("B"))]
        chalk.frame(surface, chip, SLATE, px(1), px(6), colour)
        lettering.put(surface, "chalk", badge, chip.inflate(-px(8), 0), SLATE, largest=height, smallest=px(12))
        row.width -= width + px(6)

    old, new = (change.old, change.new) if change else (seat.marks, seat.marks)
    stripes = chalk.tally(marks_box.size, old, new, progress, ink, GREEN if not seat.turn else SLATE, RED, number + 1)
    surface.blit(stripes, marks_box)

    rest = throws_box
    if seat.throws or seat.throws_allowed:
        rest = _draw_throws(surface, lettering, throws_box, seat, ink, quiet, bool(seat.note), unit)
    if seat.note:
        lettering.put(
            surface, "chalk", seat.note, rest, quiet if not seat.gone else DUST, largest=throw_height, smallest=px(13),
            align="right" if rest is not throws_box else "left",
        )  # fmt: skip


def _draw_throws(
    surface: pygame.Surface,
    lettering: Lettering,
    box: pygame.Rect,
    seat: Seat,
    ink: Colour,
    quiet: Colour,
    shares: bool,
    unit: float,
) -> pygame.Rect:
    """The throws of the round as digits, the one that counts on a chip, empty places for those to come; gives what is left."""
    places = max(len(seat.throws), seat.throws_allowed or 0, 1)
    gap = max(2, round(4 * unit))
    room = round(box.width * 0.6) if shares else box.width
    dice = max([len(throw) for throw in seat.throws] or [3])
    size = lettering.size_for("bold", box.height)
    while size > 9 and places * (lettering.width("bold", size, "6" * dice) + 3 * gap) - gap > room:
        size -= 1
    wide = lettering.width("bold", size, "6" * dice) + 2 * gap
    height = min(box.height, round(size * 1.25))
    for place in range(places):
        chip = pygame.Rect(box.left + place * (wide + gap), box.centery - height // 2, wide, height)
        if place >= len(seat.throws):
            pygame.draw.rect(surface, quiet, chip, max(1, round(1.5 * unit)), border_radius=gap + 1)
            continue
        digits = "".join(str(value) for value in seat.throws[place])
        if place == seat.best:
            fill, text = (SLATE, YELLOW) if seat.turn else (CHALK if not seat.gone else FAINT, SLATE)
            chalk.frame(surface, chip, fill, 0, gap + 1, fill)
        else:
            text = quiet
        lettering.write(surface, "bold", size, digits, text, chip)
    used = places * (wide + gap)
    return pygame.Rect(box.left + used, box.top, max(0, box.width - used), box.height)
