"""What lies over the table: a question, a line being typed, a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pygame

from terminal.display import chalk, layout, paging
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
        largest=px(36 if alone else 30), smallest=px(20), lines=3 if alone else 2, valign="top" if alone else "middle",
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
            face = chalk.die(number, side, IVORY if chosen else _DIM)
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
    size = paging.text_size(painter.wh, painter.lettering)
    step = layout.line_height(painter.wh)
    y = plan.body.top
    for line in leaf.lines:
        row = pygame.Rect(plan.body.left, y, plan.body.width, step)
        painter.lettering.write(painter.surface, "text", size, line, CHALK, row, "left")
        y += step
    if leaf.rows:
        rect = pygame.Rect(plan.body.left, y, plan.body.width, plan.body.bottom - y)
        _table(painter, shown.rows, leaf.rows, rect)
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
    pygame.draw.polygon(
        painter.surface, ink,
        [(rect.centerx + tip, rect.centery), (rect.centerx - tip, rect.centery - half), (rect.centerx - tip, rect.centery + half)],
    )  # fmt: skip


def _table(
    painter: Painter, whole: tuple[tuple[str, ...], ...], rows: tuple[tuple[str, ...], ...], rect: pygame.Rect
) -> None:
    """Columns as wide as the widest cell of the whole table, so that they stay where they are from page to page."""
    px, lettering = painter.px, painter.lettering
    columns = max(len(row) for row in whole)
    gap = px(14)
    height = layout.row_height(painter.wh)
    line = round(height * 0.74)
    while True:
        size = lettering.size_for("text", line)
        widths = [
            max(
                lettering.width("bold" if n == 0 else "text", size, row[c])
                for n, row in enumerate(whole)
                if c < len(row)
            )
            for c in range(columns)
        ]
        spare = rect.width - sum(widths) - gap * (columns - 1)
        if spare >= 0 or line <= px(14):
            break
        line -= 1
    if spare < 0:  # the widest column gives way
        widest = widths.index(max(widths))
        widths[widest] = max(px(40), widths[widest] + spare)
        spare = 0
    gap += min(px(50), spare // max(1, columns - 1) if columns > 1 else 0)
    numbers = [all(_number(row[c]) for row in whole[1:] if c < len(row)) for c in range(columns)]
    y = rect.top
    for n, row in enumerate((whole[0], *rows)):
        x = rect.left
        if n and n % 2 == 0:
            pygame.draw.rect(
                painter.surface,
                SLATE_LIGHT,
                pygame.Rect(rect.left - px(4), y, rect.width + px(8), height),
                border_radius=px(6),
            )
        for c, cell in enumerate(row):
            box = pygame.Rect(x, y, widths[c], height)
            lettering.put(
                painter.surface, "bold" if n == 0 else "text", cell, box, DUST if n == 0 else CHALK,
                largest=line, smallest=line, align="right" if numbers[c] else "left",
            )  # fmt: skip
            x += widths[c] + gap
        y += height
        if n == 0:
            pygame.draw.line(painter.surface, DUST, (rect.left, y - px(2)), (rect.right, y - px(2)), px(1))


def _number(cell: str) -> bool:
    return not cell or cell.strip("+-−%.,€×½ 0123456789/") == ""
