"""Cuts a page into leaves that fit the screen: first its paragraphs, then its table, then its list of choices."""

from __future__ import annotations

import pygame

from terminal.display import layout
from terminal.display.layout import Leaf
from terminal.display.lettering import Lettering
from terminal.display.view import Page


def text_size(line: int, lettering: Lettering) -> int:
    """Font size of a page's paragraphs with this many pixels from line to line."""
    return lettering.size_for("text", round(line * 0.8))


def indent(line: int) -> int:
    """How far an aside stands to the right, in pixels."""
    return line // 2


def leaves(shown: Page, wh: tuple[int, int], lettering: Lettering) -> tuple[Leaf, ...]:
    """At least one leaf, and only one where the text allows it: little is written large."""
    for line in layout.line_heights(wh):
        made = _cut(shown, wh, line, lettering)
        if len(made) == 1:
            break
    return tuple(leaf._replace(number=number, total=len(made), line=line) for number, leaf in enumerate(made))


def _cut(shown: Page, wh: tuple[int, int], line: int, lettering: Lettering) -> list[Leaf]:
    body = layout.page(shown, wh, Leaf()).body
    lines, made = _paragraphs(shown.lines, body, line, lettering)
    rows, listed = layout.rows_of(shown, wh)[1:], layout.split_choices(shown, wh)[0]
    while rows:
        room = (body.height - len(lines) * line) // layout.row_height(wh) - 1  # the head takes one
        if room < 1 and lines:
            made.append(Leaf(lines=lines))
            lines = ()
            continue
        made.append(Leaf(lines=lines, rows=rows[: max(1, room)]))
        lines, rows = (), rows[max(1, room) :]
    gap, cell = round(6 * layout.unit(wh)), round(64 * layout.unit(wh))
    columns = layout.list_columns(len(listed), wh)
    while listed:
        room = (body.height - len(lines) * line) // (cell + gap) * columns
        if room < 1 and lines:
            made.append(Leaf(lines=lines))
            lines = ()
            continue
        made.append(Leaf(lines=lines, choices=listed[: max(1, room)]))
        lines, listed = (), listed[max(1, room) :]
    if lines or not made:
        made.append(Leaf(lines=lines))
    return made


def _paragraphs(
    paragraphs: tuple[str, ...], body: pygame.Rect, line: int, lettering: Lettering
) -> tuple[tuple[str, ...], list[Leaf]]:
    """The lines of the last leaf with text, and the full leaves before it; a paragraph stays whole where it can."""
    most = max(1, body.height // line)
    made: list[Leaf] = []
    lines: list[str] = []
    for paragraph in paragraphs:
        aside = "\t" if paragraph.startswith("\t") else ""
        width = body.width - (indent(line) if aside else 0)
        wrapped = [aside + one for one in lettering.wrap("text", text_size(line, lettering), paragraph.strip(), width)]
        if lines and len(lines) + len(wrapped) > most >= len(wrapped):
            made.append(Leaf(lines=tuple(lines)))
            lines = []
        for text in wrapped:
            if len(lines) == most:
                made.append(Leaf(lines=tuple(lines)))
                lines = []
            lines.append(text)
    return tuple(lines), made
