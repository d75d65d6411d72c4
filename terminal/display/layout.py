"""Where everything stands: pure geometry from the view and the size of the screen. Draws nothing.

Two forms: lying (800x480 and wider) and upright. The unit is the pixel of the 7 inch screen of 800x480; everything
grows with the screen. Fingers get at least 60 units. The four big buttons never move; nor does anything jump when a
player throws or a choice comes and goes: only the number of players changes how the table is laid out.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import pygame

from terminal.display.naming import shorter
from terminal.display.view import Choice, Entry, Intent, Page, Question, View

TURN_PAGE: Final = "turn page"  # an intent of the display's own; value: pages forward
BIG_BUTTONS: Final = 4
FINGER: Final = 60  # units; 9 mm and more on a 7 inch screen
ENTRY_ROW: Final = 8  # suggestions, and names entered so far, at most
ERASE: Final = "⌫"
ENTER: Final = "enter"
KEYBOARD: Final = (
    tuple("azertyuiop"),
    tuple("qsdfghjklm"),
    tuple("wxcvbnéëïè"),
    ("ç", "'", "-", ".", " ", " ", ERASE, ERASE, ENTER, ENTER),
)
KEYBOARD_UPRIGHT: Final = (  # ten in a row would be narrower than a finger
    tuple("abcdefg"),
    tuple("hijklmn"),
    tuple("opqrstu"),
    tuple("vwxyzéè"),
    (*"ëïç'-.", ERASE),
    (" ", " ", " ", " ", ENTER, ENTER, ENTER),
)


class Hit(NamedTuple):
    """An area for a finger and what it means."""

    rect: pygame.Rect
    intent: Intent


class Button(NamedTuple):
    """A choice at its place."""

    rect: pygame.Rect
    choice: Choice


class Frame(NamedTuple):
    """The table: everything that is there while people play."""

    title: pygame.Rect
    prompt: pygame.Rect
    octagon: pygame.Rect
    seats: tuple[pygame.Rect, ...]
    dice: pygame.Rect  # in the octagon: who, the dice, what they are called
    picture: pygame.Rect
    buttons: tuple[Button, ...]
    menu: tuple[Button, ...]


class QuestionPlan(NamedTuple):
    panel: pygame.Rect
    text: pygame.Rect
    detail: pygame.Rect
    picture: pygame.Rect
    faces: tuple[tuple[pygame.Rect, ...], ...]
    buttons: tuple[Button, ...]


class Key(NamedTuple):
    """A key of the on-screen keyboard; `label` is "⌫" or "" (enter) for the two that type nothing."""

    rect: pygame.Rect
    label: str
    intent: Intent


class EntryPlan(NamedTuple):
    panel: pygame.Rect
    prompt: pygame.Rect
    text: pygame.Rect
    error: pygame.Rect
    buttons: tuple[Button, ...]  # suggestions, then choices
    keys: tuple[Key, ...]


class Leaf(NamedTuple):
    """One screenful of a page that may be longer (`paging` cuts them)."""

    lines: tuple[str, ...] = ()  # wrapped
    rows: tuple[tuple[str, ...], ...] = ()  # of the table, without its head
    choices: tuple[Choice, ...] = ()  # of the list; the last choices of a page stay below on every leaf
    number: int = 0
    total: int = 1
    line: int = 0  # from one line to the next, pixels


class PagePlan(NamedTuple):
    panel: pygame.Rect
    heading: pygame.Rect
    body: pygame.Rect
    back: pygame.Rect  # to the leaf before; these three have no width when there is only one
    number: pygame.Rect
    on: pygame.Rect
    buttons: tuple[Button, ...]


def upright(wh: tuple[int, int]) -> bool:
    return wh[1] > wh[0]


def unit(wh: tuple[int, int]) -> float:
    """Pixels of this screen for one of the 7 inch screen."""
    width, height = wh
    return min(width / 480, height / 800) if upright(wh) else min(width / 800, height / 480)


def grid(rect: pygame.Rect, count: int, columns: int, gap: int) -> list[pygame.Rect]:
    """`count` equal boxes, row by row; they fill `rect` to the pixel."""
    if not count:
        return []
    rows = -(-count // columns)
    boxes = []
    for number in range(count):
        row, column = divmod(number, columns)
        left = rect.left + (rect.width + gap) * column // columns
        right = rect.left + (rect.width + gap) * (column + 1) // columns - gap
        top = rect.top + (rect.height + gap) * row // rows
        bottom = rect.top + (rect.height + gap) * (row + 1) // rows - gap
        boxes.append(pygame.Rect(left, top, right - left, bottom - top))
    return boxes


def _buttons(rect: pygame.Rect, choices: tuple[Choice, ...], columns: int, gap: int) -> tuple[Button, ...]:
    return tuple(
        Button(box, choice) for box, choice in zip(grid(rect, len(choices), columns, gap), choices, strict=True)
    )


def _take(rect: pygame.Rect, side: str, size: int, gap: int) -> tuple[pygame.Rect, pygame.Rect]:
    """Cut `size` pixels off one side: (the piece, what is left, `gap` apart)."""
    if side == "top":
        return (
            pygame.Rect(rect.left, rect.top, rect.width, size),
            pygame.Rect(rect.left, rect.top + size + gap, rect.width, rect.height - size - gap),
        )
    if side == "bottom":
        return (
            pygame.Rect(rect.left, rect.bottom - size, rect.width, size),
            pygame.Rect(rect.left, rect.top, rect.width, rect.height - size - gap),
        )
    if side == "left":
        return (
            pygame.Rect(rect.left, rect.top, size, rect.height),
            pygame.Rect(rect.left + size + gap, rect.top, rect.width - size - gap, rect.height),
        )
    return (
        pygame.Rect(rect.right - size, rect.top, size, rect.height),
        pygame.Rect(rect.left, rect.top, rect.width - size - gap, rect.height),
    )


# ---- the table


def ring_counts(players: int, standing: bool) -> tuple[int, int, int, int]:
    """How many sit at the left, the top, the right and the bottom of the octagon."""
    if standing:
        return {
            0: (0, 0, 0, 0), 1: (0, 1, 0, 0), 2: (0, 1, 0, 1), 3: (0, 2, 0, 1), 4: (0, 2, 0, 2),
            5: (0, 3, 0, 2), 6: (0, 3, 0, 3), 7: (1, 3, 1, 2), 8: (1, 3, 1, 3),
        }[players]  # fmt: skip
    return (players - players // 2, 0, players // 2, 0)


def _ring(area: pygame.Rect, players: int, standing: bool, u: float, gap: int) -> tuple[pygame.Rect, list[pygame.Rect]]:
    """The octagon and the seats round it, clockwise from the bottom left."""
    left, top, right, bottom = ring_counts(players, standing)
    band = round((108 if players > 6 else 122) * u)
    middle = area
    if top:
        top_band, middle = _take(middle, "top", band, gap)
    if bottom:
        bottom_band, middle = _take(middle, "bottom", band, gap)
    side = min(middle.height, round(330 * u) if standing else round(288 * u))
    if left or right:
        side = min(side, area.width - 2 * (round((118 if standing else 168) * u) + gap))
    octagon = pygame.Rect(0, 0, side, side)
    octagon.center = middle.center
    column_width = octagon.left - gap - area.left

    most = max(left, right, 1)
    height = min((middle.height - (most - 1) * gap) // most, round((190 if standing else 150) * u))

    def column(x: int, count: int) -> list[pygame.Rect]:
        """From the top down, spread evenly; seats of both columns are equal, and few players do not get towers."""
        total = count * height
        between = min(2 * height // 3, (middle.height - total) // max(1, count - 1)) if count > 1 else 0
        top = middle.centery - (total + between * (count - 1)) // 2
        return [pygame.Rect(x, top + number * (height + between), column_width, height) for number in range(count)]

    seats = column(area.left, left)[::-1] if left else []
    if top:
        seats += grid(top_band, top, top, gap)
    if right:
        seats += column(octagon.right + gap, right)
    if bottom:
        seats += grid(bottom_band, bottom, bottom, gap)[::-1]
    return octagon, seats


def table(view: View, wh: tuple[int, int]) -> Frame:
    """The table for this view."""
    u, standing = unit(wh), upright(wh)
    gap, margin = round(6 * u), round(7 * u)
    area = pygame.Rect(0, 0, *wh).inflate(-2 * margin, -round(8 * u))
    title, area = _take(area, "top", round((54 if standing else 26) * u), round(2 * u))
    big, extras = view.choices[:BIG_BUTTONS], view.choices[BIG_BUTTONS:]
    if standing:
        prompt, area = _take(area, "top", round(74 * u), gap)
        menu_rect, area = _take(area, "bottom", round(62 * u), gap)
        big_rect, area = _take(area, "bottom", round(74 * u), gap)
        rows = max(1, -(-len(extras) // 3))  # one row stays free when nothing is asked, so that nothing jumps
        extras_rect, area = _take(area, "bottom", round(62 * u) * rows + gap * (rows - 1), gap)
        menu = _buttons(menu_rect, view.menu, max(4, len(view.menu)), gap)
        more = _buttons(extras_rect, extras, max(2, min(3, len(extras))), gap)
    else:
        prompt, area = _take(area, "top", round(60 * u), round(4 * u))
        side, area = _take(area, "right", round(140 * u), gap)
        big_rect, area = _take(area, "bottom", round(76 * u), gap)
        close = int(4 * u)  # four choices and two rows of the menu just fit below each other
        menu_rows = -(-len(view.menu) // 2)
        menu_rect, side = _take(side, "bottom", round(FINGER * u) * menu_rows + close * (menu_rows - 1), close)
        menu = _buttons(menu_rect, view.menu, min(2, max(1, len(view.menu))), close)
        tall = min(round(84 * u), (side.height + close) // max(1, len(extras)) - close)
        extras_rect = pygame.Rect(side.left, side.top, side.width, (tall + close) * len(extras) - close)
        more = _buttons(extras_rect, extras, 1, close)
    octagon, seats = _ring(area, min(8, len(view.seats)), standing, u, gap)
    inner = octagon.inflate(-round(0.10 * octagon.width), -round(0.10 * octagon.height))
    shown = view.dice.picture if view.dice else None
    dice = pygame.Rect(inner.left, inner.top, inner.width, round(inner.height * (0.66 if shown else 1)))
    picture = pygame.Rect(0, 0, 0, 0)
    if shown:  # no wider than the octagon is at its foot
        below = pygame.Rect(0, dice.bottom, round(octagon.width * 0.46), inner.bottom - dice.bottom)
        below.centerx = inner.centerx
        picture = _inside(below, shown.wh)
    return Frame(
        title, prompt, octagon, tuple(seats), dice, picture,
        tuple(map(Button, grid(big_rect, BIG_BUTTONS, BIG_BUTTONS, gap), big)) + more,
        menu,
    )  # fmt: skip


# ---- overlays


def _panel(wh: tuple[int, int]) -> tuple[pygame.Rect, pygame.Rect]:
    u = unit(wh)
    panel = pygame.Rect(0, 0, *wh).inflate(-round(6 * u), -round(6 * u))
    return panel, panel.inflate(-round(14 * u), -round(14 * u))


def _rows_at_the_bottom(
    area: pygame.Rect, choices: tuple[Choice, ...], columns: int, height: int, gap: int
) -> tuple[tuple[Button, ...], pygame.Rect]:
    if not choices:
        return (), area
    rows = -(-len(choices) // columns)
    columns = -(-len(choices) // rows)  # 5 in two rows are 3 and 2, not 4 and 1
    rect, left = _take(area, "bottom", rows * height + (rows - 1) * gap, gap)
    return _buttons(rect, choices, columns, gap), left


def _row(
    area: pygame.Rect, side: str, choices: tuple[Choice, ...], across: int, height: int, gap: int
) -> tuple[tuple[Button, ...], pygame.Rect]:
    """Choices in rows of `across` places, cut off one side of the area; places do not grow when they are few."""
    if not choices:
        return (), area
    rows = -(-len(choices) // across)
    rect, left = _take(area, side, rows * height + (rows - 1) * gap, gap)
    places = grid(rect, rows * across, across, gap)
    return tuple(Button(box, choice) for box, choice in zip(places, choices, strict=False)), left


def question(asked: Question, wh: tuple[int, int]) -> QuestionPlan:
    """A question over the table, with up to three rows of faces and a picture."""
    u, standing = unit(wh), upright(wh)
    gap = round(6 * u)
    panel, area = _panel(wh)
    buttons, area = _rows_at_the_bottom(
        area, asked.choices, 2 if standing else 4, round((78 if standing else 70) * u), gap
    )
    show = bool(asked.picture or asked.faces)
    text_height = round((96 if standing else 56) * u) if show else round(area.height * 0.62)
    text, area = _take(area, "top", text_height, gap)
    detail = pygame.Rect(area.left, area.top, 0, 0)
    if asked.detail:
        height = round((58 if standing else 38) * u) if show else area.height
        detail, area = _take(area, "top", min(height, area.height), gap)
    cell = 0
    if asked.faces:
        rows = len(asked.faces)
        if standing:
            cell = min(
                (area.width - 5 * gap) // 6,
                (area.height + gap) // rows - gap,
                round((80 if asked.picture else 110) * u),
            )
            block, area = _take(area, "bottom", rows * (cell + gap) - gap, gap)
            block = block.inflate(6 * (cell + gap) - gap - block.width, 0)
        else:
            share = area.width * (0.62 if asked.picture else 1)
            cell = min(
                int((share + gap) / 6) - gap,
                (area.height + gap) // rows - gap,
                round((84 if asked.picture else 104) * u),
            )
            wide, high = 6 * (cell + gap) - gap, rows * (cell + gap) - gap
            if asked.picture:
                block, area = _take(area, "right", wide, 2 * gap)
            else:
                block = area.inflate(wide - area.width, 0)
            block = pygame.Rect(block.left, block.centery - high // 2, wide, high)
        boxes = grid(block, 6 * rows, 6, gap)
        faces = tuple(tuple(boxes[6 * row : 6 * row + 6]) for row in range(rows))
    else:
        faces = ()
    picture = pygame.Rect(area.center, (0, 0))
    if asked.picture:
        picture = _inside(area, asked.picture.wh)
    return QuestionPlan(panel, text, detail, picture, faces, buttons)


def _inside(area: pygame.Rect, wh: tuple[int, int]) -> pygame.Rect:
    """The largest box of the shape of `wh` in the middle of `area`."""
    scale = min(area.width / max(1, wh[0]), area.height / max(1, wh[1]))
    rect = pygame.Rect(0, 0, max(1, int(wh[0] * scale)), max(1, int(wh[1] * scale)))
    rect.center = area.center
    return rect


def starts_word(text: str) -> bool:
    """Whether the next letter of a name is a capital."""
    return not text or text[-1] in " -"


def entry(typed: Entry, wh: tuple[int, int]) -> EntryPlan:
    """A line of text and a keyboard as on a Flemish machine."""
    u, standing = unit(wh), upright(wh)
    gap = round((4 if standing else 5) * u)
    panel, area = _panel(wh)
    rows = KEYBOARD_UPRIGHT if standing else KEYBOARD
    keyboard, area = _take(area, "bottom", len(rows) * (round(FINGER * u) + gap) - gap, gap)
    many = typed.choices[:-2][:ENTRY_ROW]  # names entered so far; the last two choices go on and go back
    last = typed.choices[-2:]
    across = 4 if standing else ENTRY_ROW
    suggestions = typed.suggestions[: across if len(many) > across else ENTRY_ROW]
    chip_height = round((66 if standing else FINGER) * u)
    if standing:
        prompt, area = _take(area, "top", round(44 * u), gap)
        text, area = _take(area, "top", round(60 * u), gap)
        last_buttons, area = _row(area, "bottom", last, 2, round(66 * u), gap)
    else:
        line, area = _take(area, "top", round(FINGER * u), gap)
        last_rect, line = _take(line, "right", len(last) * round(134 * u) + (gap if len(last) > 1 else 0), gap)
        last_buttons = _buttons(last_rect, last, max(1, len(last)), gap)
        prompt, text = _take(line, "left", round(line.width * 0.36), gap)
    many_buttons, area = _row(area, "top", many, across, chip_height, gap)
    suggested, area = _row(area, "bottom", suggestions, across, chip_height, gap)
    error = pygame.Rect(area.left, area.top, area.width, min(area.height, round(40 * u)))
    if typed.error and error.height < round(24 * u):  # no room of its own: in the place of the prompt
        error, prompt = prompt, pygame.Rect(prompt.topleft, (0, 0))
    keys = _keys(keyboard, rows, starts_word(typed.text), gap)
    return EntryPlan(panel, prompt, text, error, many_buttons + suggested + last_buttons, keys)


def _keys(board: pygame.Rect, rows: tuple[tuple[str, ...], ...], capital: bool, gap: int) -> tuple[Key, ...]:
    """The keys of a keyboard; a sign that comes several times in a row is one wide key."""
    keys: list[Key] = []
    for line, signs in zip(grid(board, len(rows), 1, gap), rows, strict=True):
        cells = grid(line, len(signs), len(signs), gap)
        for sign in dict.fromkeys(signs):
            box = cells[signs.index(sign)].unionall([cells[n] for n, one in enumerate(signs) if one == sign])
            if sign == ERASE:
                keys.append(Key(box, ERASE, Intent("erase")))
            elif sign == ENTER:
                keys.append(Key(box, "", Intent("enter")))
            else:
                shown = sign.upper() if capital else sign
                keys.append(Key(box, shown, Intent("type", shown)))
    return tuple(keys)


def split_choices(shown: Page, wh: tuple[int, int]) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
    """Choices of a page: those that make a list, and those that stay below it. A few stay together under a text."""
    few = 3 if upright(wh) else 4
    if (shown.lines or shown.rows) and len(shown.choices) <= few:
        return (), shown.choices
    return shown.choices[:-1], shown.choices[-1:]


def list_columns(count: int, wh: tuple[int, int]) -> int:
    """How many choices of a list of `count` stand beside each other."""
    if upright(wh):
        return 1 if count <= 7 else 2
    return 2 if count <= 8 else 3


def rows_of(shown: Page, wh: tuple[int, int]) -> tuple[tuple[str, ...], ...]:
    """The table of a page. Of many columns the letters would be tiny upright: names are said shorter there, and the
    table is laid on its side where that makes it narrower.
    """
    if not upright(wh) or not shown.rows or len(shown.rows[0]) < 3:
        return shown.rows
    head, *rest = shown.rows
    names = shorter(tuple(row[0] for row in rest))
    rows = (head, *((name[-1], *row[1:]) for name, row in zip(names, rest, strict=True)))
    return min(rows, tuple(zip(*rows, strict=True)), key=_letters_wide)


def _letters_wide(rows: tuple[tuple[str, ...], ...]) -> int:
    return sum(max(map(len, column)) for column in zip(*rows, strict=True))


def line_heights(wh: tuple[int, int]) -> tuple[int, ...]:
    """From one line of a page's text to the next, pixels: large when there is little to read, or small."""
    return tuple(round(height * unit(wh)) for height in (56, 46, 40, 34))


def row_height(wh: tuple[int, int]) -> int:
    """From one row of a page's table to the next, pixels."""
    return round(38 * unit(wh))


def page(shown: Page, wh: tuple[int, int], leaf: Leaf) -> PagePlan:
    """A page over the whole screen; with more than one leaf two arrows stand beside the heading."""
    u = unit(wh)
    gap = round(6 * u)
    panel, area = _panel(wh)
    heading, area = _take(area, "top", round(FINGER * u), gap)
    none = pygame.Rect(heading.right, heading.top, 0, heading.height)
    back = number = on = none
    if leaf.total > 1:
        on, heading = _take(heading, "right", round(84 * u), gap)
        number, heading = _take(heading, "right", round(64 * u), gap)
        back, heading = _take(heading, "right", round(84 * u), gap)
    listed, below = split_choices(shown, wh)
    below_rect, body = _take(area, "bottom", round(64 * u) if below else 0, gap)
    if len(below) == 1:  # not as wide as the screen
        below_rect = pygame.Rect(0, below_rect.top, round(below_rect.width * 0.44), below_rect.height)
        below_rect.centerx = panel.centerx
    buttons = _buttons(below_rect, below, max(1, len(below)), gap)
    if leaf.choices:
        used = leaf.line * len(leaf.lines) + (gap if leaf.lines else 0)
        room = pygame.Rect(body.left, body.top + used, body.width, body.height - used)
        columns = list_columns(len(listed), wh)
        rows = -(-len(leaf.choices) // columns)
        tall = min(round(86 * u), (room.height + gap) // rows - gap)
        filled = pygame.Rect(room.left, room.top, room.width, rows * (tall + gap) - gap)
        # a last leaf of one choice is no wider than on the leaves before
        places = grid(filled, rows * columns, columns, gap)
        buttons = tuple(Button(box, c) for box, c in zip(places, leaf.choices, strict=False)) + buttons
        body = pygame.Rect(body.left, body.top, body.width, used)
    return PagePlan(panel, heading, body, back, number, on, buttons)


# ---- fingers


def _hits(buttons: tuple[Button, ...]) -> list[Hit]:
    return [Hit(button.rect, button.choice.intent) for button in buttons if button.choice.enabled]


def hits(view: View, wh: tuple[int, int], leaf: Leaf) -> tuple[Hit, ...]:
    """Everything a finger can touch now; where two overlap the first has it."""
    found: list[Hit] = []
    if view.question:
        plan = question(view.question, wh)
        found = _hits(plan.buttons)
        for row, boxes in zip(view.question.faces, plan.faces, strict=True):
            found += [Hit(box, intent) for box, intent in zip(boxes, row.intents, strict=True)]
    elif view.entry:
        typed = entry(view.entry, wh)
        found = _hits(typed.buttons) + [Hit(key.rect, key.intent) for key in typed.keys]
    elif view.page:
        shown = page(view.page, wh, leaf)
        found = _hits(shown.buttons)
        if leaf.number > 0:
            found.append(Hit(shown.back, Intent(TURN_PAGE, -1)))
        if leaf.number < leaf.total - 1:
            found.append(Hit(shown.on, Intent(TURN_PAGE, 1)))
    else:
        frame = table(view, wh)
        found = _hits(frame.buttons) + _hits(frame.menu)
        if view.dice and view.dice.intent:
            found.append(Hit(frame.dice.union(frame.picture) if frame.picture.width else frame.dice, view.dice.intent))
        found += [Hit(box, seat.intent) for box, seat in zip(frame.seats, view.seats, strict=False) if seat.intent]
    return tuple(found)


def choices(view: View) -> tuple[Choice, ...]:
    """The choices that have the keyboard now."""
    if view.question:
        return view.question.choices
    if view.entry:
        return view.entry.suggestions + view.entry.choices
    if view.page:
        return view.page.choices
    return view.choices + view.menu
