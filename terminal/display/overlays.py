"""What lies over the table: a question, a line being typed, a page."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import pygame

from terminal.display import chalk, layout, paging
from terminal.display.lettering import Align, Lettering
from terminal.display.texts import text
from terminal.display.theme import BLUE, CHALK, DUST, FAINT, IVORY, RED, SLATE, SLATE_LIGHT, YELLOW
from terminal.display.view import Choice, Entry, Intent, Page, Question

if TYPE_CHECKING:
    from terminal.display.draw import Painter

_DIM: Final = (120, 122, 116)


def _sheet(painter: Painter, panel: pygame.Rect, edge: tuple[int, int, int]) -> None:
    chalk.frame(painter.surface, panel, edge, painter.px(3), painter.px(14))


def question(painter: Painter, asked: Question, pressed: Intent | None) -> None:
    plan = layout.question(asked, painter.wh)
    px, put = painter.px, painter.lettering.put
    _sheet(painter, plan.panel, YELLOW)
    alone = not asked.picture and not asked.faces
    put(
        painter.surface, "chalk", asked.text, plan.text, YELLOW,
        largest=px(72 if alone else 52), smallest=px(24), lines=3 if alone else 2,
    )  # fmt: skip
    put(
        painter.surface, "chalk", asked.detail, plan.detail, CHALK,
        largest=px(38), smallest=px(20), lines=3 if alone else 2, valign="top" if alone else "middle",
    )  # fmt: skip
    if asked.picture:
        painter.surface.blit(painter.picture(asked.picture, plan.picture.size), plan.picture)
        pygame.draw.rect(painter.surface, DUST, plan.picture, px(2))
    for row, boxes in zip(asked.faces, plan.faces, strict=True):
        for number, box in enumerate(boxes, start=1):
            chosen = number == row.selected
            ring = YELLOW if chosen else SLATE_LIGHT
            chalk.frame(painter.surface, box, ring, px(2), px(12), YELLOW if chosen else None)
            side = box.width - px(14 if chosen else 20)
            face = chalk.die(number, side, IVORY if chosen or row.selected is None else _DIM)
            painter.surface.blit(face, face.get_rect(center=box.center))
    for button in plan.buttons:
        painter.button(button.rect, button.choice, pressed=button.choice.intent == pressed)


def entry(painter: Painter, typed: Entry, language: str, pressed: Intent | None) -> None:
    plan = layout.entry(typed, painter.wh)
    px, put = painter.px, painter.lettering.put
    _sheet(painter, plan.panel, BLUE)
    put(
        painter.surface,
        "chalk",
        typed.prompt,
        plan.prompt,
        YELLOW,
        largest=px(46),
        smallest=px(22),
        align="left",
        lines=2,
    )
    chalk.frame(painter.surface, plan.text, CHALK, px(2), px(8))
    line = plan.text.inflate(-px(20), -px(6))
    written = put(painter.surface, "chalk", typed.text, line, CHALK, largest=px(52), smallest=px(22), align="left")
    height = line.height - px(8)
    caret = pygame.Rect(line.left + written.width + px(3), line.centery - height // 2, px(3), height)
    pygame.draw.rect(painter.surface, YELLOW, caret)
    put(painter.surface, "chalk", typed.error, plan.error, RED, largest=px(34), smallest=px(18), lines=2)
    for button in plan.buttons:
        painter.button(button.rect, button.choice, small=True, pressed=button.choice.intent == pressed)
    for key in plan.keys:
        label = key.label
        if key.intent.name == "enter":
            ready = bool(typed.text.strip())
            choice = Choice(text(language, "key_enter"), key.intent, strong=ready)
            painter.button(key.rect, choice, pressed=key.intent == pressed)
            continue
        hit = key.intent == pressed
        chalk.frame(painter.surface, key.rect, DUST, px(1), px(8), CHALK if hit else SLATE_LIGHT)
        ink = SLATE if hit else CHALK
        if label == " ":
            bar = pygame.Rect(0, 0, key.rect.width * 6 // 10, px(4))
            bar.center = (key.rect.centerx, key.rect.centery + px(8))
            pygame.draw.rect(painter.surface, ink, bar)
        elif key.intent.name == "erase":
            _erase_sign(painter.surface, key.rect, ink, px(3))
        else:
            size = painter.lettering.size_for("bold", min(px(36), key.rect.height - px(12)))
            painter.lettering.write(painter.surface, "bold", size, label, ink, key.rect)


def _erase_sign(surface: pygame.Surface, rect: pygame.Rect, ink: tuple[int, int, int], width: int) -> None:
    """An arrow to the left: no font of ours has the sign of the key."""
    half = rect.height // 5
    left, right = rect.centerx - half * 2, rect.centerx + half * 2
    pygame.draw.line(surface, ink, (left, rect.centery), (right, rect.centery), width)
    pygame.draw.lines(
        surface,
        ink,
        False,
        [(left + half, rect.centery - half), (left, rect.centery), (left + half, rect.centery + half)],
        width,
    )


# ---- pages


def page(painter: Painter, shown: Page, leaf: layout.Leaf, pressed: Intent | None) -> None:
    plan = layout.page(shown, painter.wh, leaf)
    px, put = painter.px, painter.lettering.put
    _sheet(painter, plan.panel, DUST)
    put(painter.surface, "chalk", shown.heading, plan.heading, YELLOW, largest=px(52), smallest=px(24), align="left")
    if leaf.total > 1:
        put(
            painter.surface,
            "chalk",
            f"{leaf.number + 1}/{leaf.total}",
            plan.number,
            CHALK,
            largest=px(32),
            smallest=px(16),
        )
        _arrow(painter, plan.back, False, leaf.number > 0)
        _arrow(painter, plan.on, True, leaf.number < leaf.total - 1)
    size = paging.text_size(leaf.line, painter.lettering)
    y = plan.body.top
    for line in leaf.lines:
        aside = line.startswith("\t")
        left = paging.indent(leaf.line) if aside else 0
        row = pygame.Rect(plan.body.left + left, y, plan.body.width - left, leaf.line)
        ink = DUST if aside else CHALK
        painter.lettering.write(painter.surface, "text", size, line.strip(), ink, row, "left")
        y += leaf.line
    if leaf.rows:
        rect = pygame.Rect(plan.body.left, y, plan.body.width, plan.body.bottom - y)
        _table(painter, layout.rows_of(shown, painter.wh), leaf, rect)
    for button in plan.buttons:
        painter.button(button.rect, button.choice, pressed=button.choice.intent == pressed)


def _arrow(painter: Painter, rect: pygame.Rect, forward: bool, possible: bool) -> None:
    px = painter.px
    chalk.frame(
        painter.surface, rect, DUST if possible else SLATE_LIGHT, px(2), px(10), SLATE_LIGHT if possible else None
    )
    ink = CHALK if possible else FAINT
    half = rect.height // 4
    tip = half if forward else -half
    x, y = rect.center
    pygame.draw.polygon(painter.surface, ink, [(x + tip, y), (x - tip, y - half), (x - tip, y + half)])


def _table(painter: Painter, whole: tuple[tuple[str, ...], ...], leaf: layout.Leaf, rect: pygame.Rect) -> None:
    """A table, or a leaf of it: columns as wide as the widest cell of the whole, so that they stay where they are."""
    px, lettering = painter.px, painter.lettering
    columns = list(zip_longest(*whole, fillvalue=""))
    height = layout.row_height(painter.wh)
    if leaf.total == 1:  # few rows are written larger
        height = max(height, min(px(58), rect.height // (len(leaf.rows) + 1)))
    line, gap = round(height * 0.8), px(12)
    widths = _widths(lettering, columns, line, rect.width)
    room = rect.width - gap * (len(columns) - 1)
    while line > px(16) and sum(widths) > room:
        line = max(px(16), min(line - 1, int(line * room / sum(widths))))  # nearly there at once: widths grow evenly
        widths = _widths(lettering, columns, line, rect.width)
    if len(columns) > 1:
        gap += min(px(60), (room - sum(widths)) // (len(columns) - 1))
    rect = rect.inflate(sum(widths) + gap * (len(columns) - 1) - rect.width, 0)
    band = pygame.Rect(rect.left, rect.top, rect.width, height).inflate(px(12), 0)
    y = rect.top
    for number, row in enumerate((whole[0], *leaf.rows)):
        x = rect.left
        if number % 2 == 1:
            chalk.frame(painter.surface, band.move(0, y - band.y), SLATE, 0, px(6), SLATE_LIGHT)
        for cell, width, column in zip(row, widths, columns, strict=False):
            box = pygame.Rect(x, y, width, height)
            ink = DUST if number == 0 else CHALK
            align: Align = "right" if all(map(_is_number, column[1:])) else "left"
            lettering.put(painter.surface, "chalk", cell, box, ink, largest=line, smallest=px(15), align=align)
            x += width + gap
        y += height


def _widths(lettering: Lettering, columns: list[tuple[str, ...]], line: int, room: int) -> list[int]:
    """Of many columns none takes more than a third: a long name is written smaller."""
    size = lettering.size_for("chalk", line)
    widths = [max(lettering.width("chalk", size, cell) for cell in column) for column in columns]
    return [min(width, room // 3) for width in widths] if len(columns) > 2 else widths


def _is_number(cell: str) -> bool:
    return not cell or cell.strip("+-−%.,€×½ 0123456789/") == ""
