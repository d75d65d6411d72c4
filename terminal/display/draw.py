"""Draws a view. The same view gives the same picture; only stripes on their way (`Motion`) come between two views."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import Final

import pygame

from terminal.display import chalk, layout, overlays
from terminal.display.lettering import Lettering
from terminal.display.motion import Change, Motion
from terminal.display.naming import shorter
from terminal.display.seat import SeatPainter
from terminal.display.theme import CHALK, DUST, FAINT, GREEN, RED, SLATE, SLATE_LIGHT, YELLOW, Colour
from terminal.display.view import Choice, DiceShown, Intent, Lamp, Picture, View

_PICTURES_KEPT: Final = 4
_ONE_LEAF: Final = layout.Leaf()


class Painter:
    """Draws views onto one surface of a fixed size and keeps what is worth keeping from one to the next."""

    def __init__(self, surface: pygame.Surface) -> None:
        self.surface = surface
        self.wh = surface.get_size()
        self.unit = layout.unit(self.wh)
        self.lettering = Lettering(min(2 * self.wh[0] * self.wh[1], 1_300_000))  # a screen of words is a third of it
        self._pictures: OrderedDict[tuple[str, tuple[int, int]], pygame.Surface] = OrderedDict()

    def px(self, units: float) -> int:
        """Pixels for units of the 7 inch screen."""
        return max(1, round(units * self.unit))

    def picture(self, picture: Picture, wh: tuple[int, int]) -> pygame.Surface:
        """The picture scaled to `wh`."""
        key = (picture.key, wh)
        found = self._pictures.get(key)
        if found is None:
            whole = pygame.image.frombuffer(picture.rgb, picture.wh, "RGB")
            found = self._pictures[key] = pygame.Surface(wh, 0, self.surface)
            found.blit(pygame.transform.smoothscale(whole, wh), (0, 0))
            if len(self._pictures) > _PICTURES_KEPT:
                self._pictures.popitem(last=False)
        else:
            self._pictures.move_to_end(key)
        return found

    def paint(
        self, view: View, motion: Motion, now_s: float, leaf: layout.Leaf = _ONE_LEAF, pressed: Intent | None = None
    ) -> None:
        """The whole screen."""
        self.surface.blit(chalk.slate(self.wh), (0, 0))
        if view.question:
            overlays.question(self, view.question, pressed)
        elif view.entry:
            overlays.entry(self, view.entry, view.language, pressed)
        elif view.page:
            overlays.page(self, view.page, leaf, pressed)
        else:
            self._table(view, motion, now_s, pressed)

    def paint_moving(self, view: View, motion: Motion, now_s: float) -> list[pygame.Rect]:
        """Only the seats whose stripes are on their way; gives what was touched."""
        if view.question or view.entry or view.page:
            return []
        plan = layout.table(view, self.wh)
        touched = []
        for number, (box, seat) in enumerate(zip(plan.seats, view.seats, strict=False)):
            if seat.name in motion.changes:
                self.surface.blit(chalk.slate(self.wh), box, box)
                self._seat(view, plan, number, motion.changes[seat.name], now_s)
                touched.append(box)
        return touched

    # ---- the table

    def _table(self, view: View, motion: Motion, now_s: float, pressed: Intent | None) -> None:
        plan = layout.table(view, self.wh)
        self._title(view, plan.title)
        self.lettering.put(
            self.surface, "chalk", view.prompt, plan.prompt, YELLOW,
            largest=self.px(54 if not layout.upright(self.wh) else 58), smallest=self.px(26), lines=2,
        )  # fmt: skip
        if plan.octagon.width > 0:
            self.surface.blit(chalk.tray(plan.octagon.size, self.px(9)), plan.octagon)
        for number, seat in enumerate(view.seats[: len(plan.seats)]):
            self._seat(view, plan, number, motion.changes.get(seat.name), now_s)
        if view.dice:
            self._dice(view.dice, plan)
        elif not view.seats:
            inner = plan.octagon.inflate(-plan.octagon.width // 4, -plan.octagon.height // 2)
            self.lettering.put(
                self.surface, "chalk", view.title, inner, CHALK, largest=self.px(96), smallest=self.px(30), lines=2
            )
        for button in plan.buttons:
            self.button(button.rect, button.choice, pressed=button.choice.intent == pressed)
        for button in plan.menu:
            self.button(button.rect, button.choice, small=True, pressed=button.choice.intent == pressed)

    def _title(self, view: View, rect: pygame.Rect) -> None:
        """The café or the notice, the facts of the round, the lamps: one line; upright the facts have their own."""
        line, facts_line = rect, rect
        if layout.upright(self.wh):
            line = pygame.Rect(rect.left, rect.top, rect.width, rect.height // 2 - self.px(1))
            facts_line = pygame.Rect(rect.left, line.bottom + self.px(2), rect.width, line.height)
        height = line.height
        lamps = self._lamps(view.lamps, line)
        left = pygame.Rect(line.left, line.top, max(0, lamps - line.left - self.px(12)), height)
        facts = " · ".join(view.facts)
        if facts and facts_line is not line:
            self.lettering.put(self.surface, "chalk", facts, facts_line, CHALK, largest=height, smallest=self.px(15))
        elif facts:
            size = self.lettering.size_for("chalk", height)
            share = min(left.width * 6 // 10, self.lettering.width("chalk", size, facts))
            box = pygame.Rect(left.right - share, line.top, share, height)
            self.lettering.put(
                self.surface, "chalk", facts, box, CHALK, largest=height, smallest=self.px(15), align="right"
            )
            left.width -= share + self.px(16)
        if view.notice:
            self._notice(view.notice, left)
        elif view.seats:  # without players the title stands in the empty tray
            self.lettering.put(
                self.surface, "chalk", view.title, left, DUST, largest=height, smallest=self.px(15), align="left"
            )

    def _notice(self, notice: str, rect: pygame.Rect) -> None:
        size = self.lettering.size_for("chalk", rect.height)
        width = min(rect.width, self.lettering.width("chalk", size, notice) + self.px(20))
        box = pygame.Rect(rect.left, rect.top, width, rect.height)
        chalk.frame(self.surface, box, RED, 0, self.px(6), RED)
        inside = box.inflate(-self.px(12), 0)
        self.lettering.put(self.surface, "chalk", notice, inside, SLATE, largest=rect.height, smallest=self.px(15))

    def _lamps(self, lamps: tuple[Lamp, ...], rect: pygame.Rect) -> int:
        """Lamps from the right; gives where they begin."""
        x = rect.right
        radius = self.px(6)
        for lamp in reversed(lamps):
            centre = (x - radius, rect.centery)
            colour = GREEN if lamp.ok else RED
            if lamp.ok:
                pygame.draw.circle(self.surface, colour, centre, radius)
            else:  # another shape too: not everybody sees red from green
                points = [(centre[0], centre[1] - radius * 1.4), (centre[0] + radius * 1.4, centre[1] + radius),
                          (centre[0] - radius * 1.4, centre[1] + radius)]  # fmt: skip
                pygame.draw.polygon(self.surface, colour, points)
            x -= 2 * radius + self.px(6)
            if not lamp.ok and lamp.text:
                size = self.lettering.size_for("chalk", rect.height)
                width = self.lettering.width("chalk", size, lamp.text)
                box = pygame.Rect(x - width, rect.top, width, rect.height)
                self.lettering.write(self.surface, "chalk", size, lamp.text, RED, box)
                x -= width + self.px(10)
        return x

    def _seat(self, view: View, plan: layout.Frame, number: int, change: Change | None, now_s: float) -> None:
        seat, box = view.seats[number], plan.seats[number]
        progress = change.progress(now_s) if change else 1.0
        short = shorter(tuple(one.name for one in view.seats))[number]
        SeatPainter(self.surface, self.lettering, self.unit).draw(box, seat, number, change, progress, short)
        if seat.turn:
            self._pointer(box, plan.octagon)

    def _pointer(self, box: pygame.Rect, octagon: pygame.Rect) -> None:
        """A yellow wedge on the rim of the octagon, at the side of the player whose turn it is."""
        target = pygame.Vector2(
            max(box.left, min(octagon.centerx, box.right)), max(box.top, min(octagon.centery, box.bottom))
        )
        away = target - pygame.Vector2(octagon.center)
        if away.length() == 0:
            return
        angle = math.atan2(away.y, away.x)
        # the rim of a regular octagon in this direction
        part = (angle - math.pi / 8) % (math.pi / 4) - math.pi / 8
        apothem = octagon.width / 2
        direction = away.normalize()
        across = pygame.Vector2(-direction.y, direction.x)
        edge = pygame.Vector2(octagon.center) + direction * (apothem / math.cos(part) - self.px(12))
        tip, size = edge + direction * self.px(17), self.px(17)
        pygame.draw.polygon(self.surface, YELLOW, [tip, edge + across * size, edge - across * size])
        pygame.draw.aalines(self.surface, SLATE, True, [tip, edge + across * size, edge - across * size])

    def _dice(self, dice: DiceShown, plan: layout.Frame) -> None:
        rect = plan.dice
        count = max(1, len(dice.values))
        has_picture = plan.picture.width > 0
        gap = self.px(8)
        room = round(plan.octagon.width * 0.86)
        side = min((room - gap * (count - 1)) // max(2 if count == 1 else 3, count), round(rect.height * 0.52))
        words = rect.height - side - 2 * gap
        top = pygame.Rect(rect.left, rect.top + (gap if has_picture else gap * 2), rect.width, words // 2)
        # the corners of the octagon are cut
        cut = plan.octagon.width * 0.2929
        narrow = rect.width - 2 * max(0, round(cut - (top.top - plan.octagon.top) - self.px(10)))
        who = top.inflate(narrow - rect.width, 0)
        row = pygame.Rect(0, 0, side * count + gap * (count - 1), side)
        if has_picture:
            lines = [
                (who, dice.who, CHALK),
                (pygame.Rect(rect.left, top.bottom, rect.width, words - top.height), dice.word, YELLOW),
            ]
            row.midtop = (rect.centerx, rect.bottom - side - gap)
        else:
            row.center = rect.center
            above = row.top - rect.top - gap * 2
            who = pygame.Rect(0, 0, round(plan.octagon.width * 0.62), min(self.px(40), above))
            who.midbottom = (rect.centerx, row.top - gap)
            word = pygame.Rect(0, 0, round(plan.octagon.width * 0.62), min(self.px(46), above))
            word.midtop = (rect.centerx, row.bottom + gap)
            lines = [(who, dice.who, CHALK), (word, dice.word, YELLOW)]
        for box, text, colour in lines:
            self.lettering.put(self.surface, "chalk", text, box, colour, largest=self.px(44), smallest=self.px(18))
        for number, value in enumerate(dice.values):
            place = (row.left + number * (side + gap), row.top)
            face = chalk.die(value, side)
            below = (place[0] - side // 5 + self.px(2), place[1] - side // 5 + self.px(5))
            self.surface.blit(chalk.shadow(side), below)
            if not dice.sure:
                face = face.copy()
                face.set_alpha(120)
            self.surface.blit(face, place)
        if not dice.sure:
            self.lettering.put(self.surface, "chalk", "?", row, RED, largest=row.height, smallest=row.height)
        if dice.picture and has_picture:
            box = plan.picture
            self.surface.blit(self.picture(dice.picture, box.size), box)
            pygame.draw.rect(self.surface, CHALK, box, self.px(2))

    # ---- buttons

    def button(self, rect: pygame.Rect, choice: Choice, *, small: bool = False, pressed: bool = False) -> None:
        """A choice: bright when it is the thing to do now, dim when it cannot be done."""
        fill: Colour | None
        if not choice.enabled:
            ink, edge, fill = FAINT, SLATE_LIGHT, None
        elif pressed:
            ink, edge, fill = SLATE, CHALK, CHALK
        elif choice.strong:
            ink, edge, fill = SLATE, YELLOW, YELLOW
        else:
            ink, edge, fill = CHALK, DUST, SLATE_LIGHT
        chalk.frame(self.surface, rect, edge, self.px(2), self.px(11), fill)
        inner = rect.inflate(-self.px(8 if small else 18), -self.px(8))
        label, largest = inner, self.px(34 if small else 48)
        if choice.detail:
            label = pygame.Rect(inner.left, inner.top, inner.width, round(inner.height * (0.46 if small else 0.6)))
            detail = pygame.Rect(inner.left, label.bottom, inner.width, inner.bottom - label.bottom)
            self.lettering.put(
                self.surface, "chalk", choice.detail, detail, DUST if ink == CHALK else ink,
                largest=self.px(24), smallest=self.px(12), lines=2 if small else 1,
            )  # fmt: skip
        two = 2 if " " in choice.label and not choice.detail else 1
        self.lettering.put(
            self.surface, "chalk", choice.label, label, ink, largest=largest, smallest=self.px(17), lines=two
        )
