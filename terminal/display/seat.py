"""One player's place at the table: name, number of stripes, stripes, badges, throws of the round."""

from __future__ import annotations

from typing import Final, NamedTuple

import pygame

from terminal.display import chalk
from terminal.display.lettering import Align, Lettering
from terminal.display.motion import Change
from terminal.display.theme import BLUE, CHALK, DUST, FAINT, GREEN, RED, SLATE, SLATE_LIGHT, YELLOW, Colour
from terminal.display.view import Seat

# These two words stand on the buttons too and are the same in every language.
_RED_ON_YELLOW: Final[Colour] = (150, 30, 20)
LOW: Final = 92  # units; a seat that is not as high inside shows one throw
FLAT: Final = 70  # units; and this one has two rows
_BADGES: Final[dict[str, Colour]] = {"STOEF": RED, "BARRAGE": BLUE}


class _Rows(NamedTuple):
    """The parts of a seat, from the top down; pixels."""

    name: pygame.Rect
    number: pygame.Rect
    marks: pygame.Rect
    throws: pygame.Rect
    low: bool = False  # room for one throw only
    flat: bool = False  # and none for a third row


def _loud(badges: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(badge for badge in badges if badge in _BADGES)


class SeatPainter:
    """Draws seats on one surface. unit: pixels for one of the 7 inch screen."""

    def __init__(self, surface: pygame.Surface, lettering: Lettering, unit: float) -> None:
        self.surface = surface
        self.lettering = lettering
        self.unit = unit

    def px(self, units: float) -> int:
        return max(1, round(units * self.unit))

    def draw(
        self,
        box: pygame.Rect,
        seat: Seat,
        place: int,
        change: Change | None,
        progress: float,
        short: tuple[str, ...] = (),
    ) -> None:
        """The seat in its box. place: round the table, the seed of its handwriting; progress of the change, 0..1.

        short: what the player may be called where the name is too long, longest first.
        """
        px = self.px
        wiping = change is not None and change.new < change.old
        ink = SLATE if seat.turn else FAINT if seat.gone else CHALK
        quiet = SLATE if seat.turn else FAINT if seat.gone else DUST
        edge = YELLOW if seat.turn else BLUE if "BARRAGE" in seat.badges else SLATE_LIGHT
        if change:
            edge = GREEN if wiping else RED
        chalk.frame(self.surface, box, edge, px(4 if change else 2), px(12), YELLOW if seat.turn else None)
        rows = self._rows(box, seat)
        tall = rows.number.left == rows.name.left
        shown = round(change.old + (change.new - change.old) * progress) if change else seat.marks
        self.lettering.put(
            self.surface, "bold", str(shown), rows.number, ink,
            largest=rows.number.height, smallest=px(10), align="left" if tall else "right",
        )  # fmt: skip
        if (rows.low or rows.flat) and not change:
            self._beside_name(seat, rows.name)
        self._name(seat.name, short, rows.name, ink)
        if change:
            self._difference(change, rows.throws if rows.low or rows.flat else rows.marks)
        elif rows.flat:
            self._stacked(_loud(seat.badges), rows.marks)
        elif rows.low:
            for badge, row in zip(_loud(seat.badges), (rows.throws, rows.marks), strict=False):
                self._badge(badge, row, left=row is rows.throws)
        else:
            places = [self._beside(rows) if tall else rows.marks, rows.throws]
            for badge, row in zip(seat.badges, places, strict=False):
                self._badge(badge, row)
        if change:
            wiped, added = (SLATE, _RED_ON_YELLOW) if seat.turn else (GREEN, RED)
            stripes = chalk.tally(rows.marks.size, change.old, change.new, progress, ink, wiped, added, place + 1)
        else:
            stripes = chalk.stripes(rows.marks.size, seat.marks, ink, place + 1)
        self.surface.blit(stripes, rows.marks)
        rest = rows.throws
        if change and (rows.low or rows.flat):
            return  # the difference stands where the throw is
        if seat.throws or (seat.throws_allowed and not seat.gone):
            one = rows.low or rows.flat
            rest = self._best(rows.throws, seat, quiet) if one else self._throws(rows.throws, seat, quiet)
        elif not seat.marks and not change:
            rest = rows.marks.union(rows.throws)  # who is out has room for a larger note
        align: Align = "left" if rest.left == rows.throws.left else "right"
        self.lettering.put(
            self.surface, "chalk", seat.note, rest, SLATE if seat.turn else CHALK,
            largest=px(44), smallest=px(13), align=align, lines=2 if rest.height > px(60) else 1,
        )  # fmt: skip

    def _rows(self, box: pygame.Rect, seat: Seat) -> _Rows:
        """Three rows, the stripes get what is over; in a narrow tall seat the number stands below the name.

        Many players lying have low or flat seats: the throw that counts is all there is room for, and in flat ones it
        stands beside the stripes. What is read from far must be large.
        """
        px, gap = self.px, self.px(2)
        inner = box.inflate(-px(14), -px(6))
        tall = inner.height > inner.width
        digits = "88" if seat.marks < 100 else "888"  # the name does not move when the count falls under ten
        if px(FLAT) <= inner.height < px(LOW):
            name, throws = round(inner.height * 0.39), round(inner.height * 0.32)
            marks = inner.height - name - throws - 2 * gap
            wide = self.lettering.width("bold", self.lettering.size_for("bold", name), digits)
            return _Rows(
                pygame.Rect(inner.left, inner.top, inner.width - wide - px(6), name),
                pygame.Rect(inner.right - wide, inner.top, wide, name),
                pygame.Rect(inner.left, inner.top + name + gap, inner.width, marks),
                pygame.Rect(inner.left, inner.bottom - throws, inner.width, throws),
                low=True,
            )
        if inner.height < px(FLAT):
            name = round(inner.height * 0.47)
            low = pygame.Rect(inner.left, inner.top + name + gap, inner.width, inner.height - name - gap)
            wide = self.lettering.width("bold", self.lettering.size_for("bold", name), digits)
            share = round(inner.width * (0.45 if seat.marks else 1))
            return _Rows(
                pygame.Rect(inner.left, inner.top, inner.width - wide - px(6), name),
                pygame.Rect(inner.right - wide, inner.top, wide, name),
                pygame.Rect(low.left, low.top, round(inner.width * 0.52), low.height),
                pygame.Rect(low.right - share, low.top, share, low.height),
                flat=True,
            )
        if tall:
            name = count = min(px(40), round(inner.height * 0.2))
            throws = min(px(80), round(inner.height * 0.3))
        else:
            name, count = min(px(48), round(inner.height * 0.36)), 0
            throws = min(px(42), round(inner.height * 0.28))
        marks = min(px(78), inner.height - name - count - throws - 3 * gap)
        top = inner.top + (inner.height - name - count - marks - throws - 3 * gap) // 2
        wide = self.lettering.width("bold", self.lettering.size_for("bold", name), digits)
        if tall:
            name_box = pygame.Rect(inner.left, top, inner.width, name)
            number = pygame.Rect(inner.left, top + name + gap, wide, count)
        else:
            name_box = pygame.Rect(inner.left, top, inner.width - wide - px(6), name)
            number = pygame.Rect(inner.right - wide, top, wide, name)
        return _Rows(
            name_box,
            number,
            pygame.Rect(inner.left, top + name + count + 2 * gap, inner.width, marks),
            pygame.Rect(inner.left, top + name + count + marks + 3 * gap, inner.width, throws),
        )

    def _name(self, name: str, short: tuple[str, ...], box: pygame.Rect, ink: Colour) -> None:
        """The name, or a shorter one where it would have to be written small."""
        size = self.lettering.size_for("chalk", round(box.height * 0.7))
        shown = next((one for one in short if self.lettering.width("chalk", size, one) <= box.width), None)
        if shown is None:
            shown = short[-1] if short else name
        self.lettering.put(
            self.surface, "chalk", shown, box, ink, largest=box.height, smallest=self.px(11), align="left"
        )

    def _beside_name(self, seat: Seat, row: pygame.Rect) -> None:
        """Who began, where seats are low: behind a name that leaves room for it; the line on top says it too."""
        size = self.lettering.size_for("chalk", row.height)
        quiet = next((badge for badge in seat.badges if badge not in _BADGES), None)  # STOEF and BARRAGE are loud
        free = row.width - self.lettering.width("chalk", size, seat.name)
        if quiet is not None and free > self.px(56):
            space = pygame.Rect(row.right - free + self.px(6), row.top, free - self.px(6), row.height)
            self._badge(quiet, space)
            row.width = space.right - row.left

    def _best(self, box: pygame.Rect, seat: Seat, quiet: Colour) -> pygame.Rect:
        """The throw that counts, large, with a spot for each throw that was made or is to come; gives what is left."""
        throws, allowed = len(seat.throws), 0 if seat.gone else seat.throws_allowed or 0
        count, radius = max(throws, allowed), self.px(3.5)
        step = min(2 * radius + self.px(3), box.height // max(1, count))
        chip = pygame.Rect(box.right - min(self.px(58), box.width - self.px(12)), box.top, 0, box.height)
        chip.width = box.right - chip.left
        x, top = chip.left - self.px(4) - radius, box.centery - step * (count - 1) // 2
        for number in range(count):
            ring = 0 if number < throws else self.px(1.5)
            pygame.draw.circle(self.surface, quiet, (x, top + number * step), radius, ring)
        if seat.best is not None:
            fill, ink = (SLATE, YELLOW) if seat.turn else (FAINT if seat.gone else CHALK, SLATE)
            chalk.frame(self.surface, chip, fill, 0, self.px(5), fill)
            digits = "".join(map(str, seat.throws[seat.best]))
            inside = chip.inflate(-self.px(4), 0)
            self.lettering.put(self.surface, "bold", digits, inside, ink, largest=chip.height, smallest=self.px(12))
        return pygame.Rect(box.right, box.top, 0, box.height)

    def _stacked(self, badges: tuple[str, ...], row: pygame.Rect) -> None:
        """Badges above each other at the right end of a row, which becomes so much shorter."""
        left = row.copy()
        for badge, place in zip(badges, (0, 1), strict=False):
            height = row.height // len(badges)
            part = pygame.Rect(row.left, row.top + place * height, row.width, height)
            self._badge(badge, part)
            left.width = min(left.width, part.width)
        row.width = left.width

    @staticmethod
    def _beside(rows: _Rows) -> pygame.Rect:
        """What is free at the right of the number below the name."""
        left = rows.number.right
        return pygame.Rect(left, rows.number.top, rows.name.right - left, rows.number.height)

    def _badge(self, badge: str, row: pygame.Rect, left: bool = False) -> None:
        """A chip at the right end of the row, or the left one; the row becomes so much shorter."""
        px = self.px
        height = min(row.height, px(30))
        width = self.lettering.width("chalk", self.lettering.size_for("chalk", height - px(2)), badge) + px(14)
        width = min(width, row.width * 2 // 3)
        chip = pygame.Rect(row.left if left else row.right - width, row.centery - height // 2, width, height)
        colour = _BADGES.get(badge, CHALK)
        chalk.frame(self.surface, chip, SLATE, px(1), px(7), colour)
        inside = chip.inflate(-px(8), -px(2))
        self.lettering.put(self.surface, "chalk", badge, inside, SLATE, largest=inside.height, smallest=px(12))
        row.width -= width + px(6)
        row.left += width + px(6) if left else 0

    def _difference(self, change: Change, row: pygame.Rect) -> None:
        """How many stripes come or go, large, while they do."""
        px = self.px
        height = min(row.height, px(44))
        text = f"{change.new - change.old:+d}".replace("-", "−")
        width = self.lettering.width("bold", self.lettering.size_for("bold", height), text) + px(12)
        chip = pygame.Rect(row.right - width, row.centery - height // 2, width, height)
        colour = GREEN if change.new < change.old else RED
        chalk.frame(self.surface, chip, SLATE, px(1), px(8), colour)
        self.lettering.put(self.surface, "bold", text, chip, SLATE, largest=height - px(4), smallest=px(12))
        row.width -= width + px(6)

    def _throws(self, box: pygame.Rect, seat: Seat, quiet: Colour) -> pygame.Rect:
        """Throws as digits, the one that counts on a chip, empty places for those to come; gives what is left.

        Where not all fit at a readable size the earliest that do not count give way.
        """
        gap = self.px(4)
        room = pygame.Rect(box.left, box.top, round(box.width * 0.6) if seat.note else box.width, box.height)
        throws = [(throw, place == seat.best) for place, throw in enumerate(seat.throws)]
        empty = 0 if seat.gone else max(0, (seat.throws_allowed or 0) - len(throws))
        dice = max([len(throw) for throw, _ in throws] or [3])
        wanted = min(self.px(22), int(room.height / 1.28))  # in a flat seat fewer throws would be no larger
        while True:
            columns, size = self._throw_size(room, len(throws) + empty, dice, gap)
            overlooked = next((n for n, (_, best) in enumerate(throws) if not best), None)
            if size >= wanted or overlooked is None:
                break
            del throws[overlooked]
        count = len(throws) + empty
        wide = self.lettering.width("bold", size, "6" * dice) + 2 * gap
        high = min(round(size * 1.24), room.height)
        rows = -(-count // columns)
        top = room.top + max(0, room.height - rows * (high + gap) + gap) // 2
        for number in range(count):
            row, column = divmod(number, columns)
            chip = pygame.Rect(room.left + column * (wide + gap), top + row * (high + gap), wide, high)
            if number >= len(throws):
                pygame.draw.rect(self.surface, quiet, chip, self.px(1.5), border_radius=gap + 1)
                continue
            throw, best = throws[number]
            text = quiet
            if best:
                fill, text = (SLATE, YELLOW) if seat.turn else (FAINT if seat.gone else CHALK, SLATE)
                chalk.frame(self.surface, chip, fill, 0, gap + 1, fill)
            self.lettering.write(self.surface, "bold", size, "".join(map(str, throw)), text, chip)
        used = columns * (wide + gap)
        return pygame.Rect(box.left + used, box.top, max(0, box.width - used), box.height)

    def _throw_size(self, room: pygame.Rect, count: int, dice: int, gap: int) -> tuple[int, int]:
        """In how many columns the throws stand, and at which font size."""
        best = (max(1, count), 8)
        for columns in range(max(1, count), 0, -1):
            rows = -(-count // columns)
            size = min(self.px(30), int(((room.height + gap) / rows - gap) / 1.28))
            while size > 8 and columns * (self.lettering.width("bold", size, "6" * dice) + 3 * gap) - gap > room.width:
                size -= 1
            if size > best[1]:
                best = (columns, size)
        return best
