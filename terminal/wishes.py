"""Wishes: what the buttons and the fingers can want, one function each, in the table WISHES.

Every wish that names something (a roll, a line, a game) carries which one it was given on, so that a double press or a
screen that is a moment old never changes another thing than was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from terminal.booking import Booking
from terminal.calibrating import calibrate
from terminal.rules import fold as rules
from terminal.rules.contract import Contradicted
from terminal.rules.fold import Fold
from terminal.table import (
    Overlay,
    Seating,
    Shown,
    Table,
    asks_for,
    can_go_on,
    finished,
    seating_over,
    stoefer,
    undoable,
    was_of,
)

LONGEST_NAME = 24  # characters; what a seat can show
MOST_PLAYERS = 8  # CONTRACT section 1
NAMES_REMEMBERED = 40

_Handler = Callable[[Booking, object], None]

# -- the four buttons -----------------------------------------------------------------------------------------------


def _stoef(booking: Booking, value: object) -> None:
    name = stoefer(booking.table)
    if not booking.free():
        return
    if name is None:
        booking.say("stoef_not_now")
        return
    booking.write({"type": "stoef", "player": name, "source": "touch"})
    booking.say("stoef_called", player=name)


def _klaar(booking: Booking, value: object) -> None:
    game = booking.table.game
    if not booking.free():
        return
    if can_go_on(booking.table):
        booking.begin()
    elif game is not None and asks_for(booking.table, "stand"):
        booking.write({"type": "stand", "player": rules.summary(game)["turn"], "source": "touch"})
        booking.set(note=None)
    else:
        booking.say("klaar_not_now")


def _choose(mode: str) -> _Handler:
    def choose(booking: Booking, value: object) -> None:
        game = booking.table.game
        if not booking.free():
            return
        if game is None or not asks_for(booking.table, "barrage_choice"):
            booking.say("no_barrage_now")
            return
        turn = rules.summary(game)["turn"]
        booking.write({"type": "barrage_choice", "player": turn, "mode": mode, "source": "touch"})
        booking.set(note=None)

    return choose


# -- dice by touch --------------------------------------------------------------------------------------------------


def _pick(booking: Booking, value: object) -> None:
    """A face for one die of the roll in question: (serial, die, face)."""
    serial, die, face = _three(value)
    roll = booking.table.question
    if roll is not None and roll.serial == serial:
        picked = tuple(face if i == die else old for i, old in enumerate(roll.picked))
        booking.set(rolls=(roll._replace(picked=picked), *booking.table.rolls[1:]))


def _answer(booking: Booking, value: object) -> None:
    """The dice of the roll in question are the picked ones: its serial."""
    roll = booking.table.question
    if roll is not None and roll.serial == value:
        values = tuple(face for face in roll.picked if face is not None)
        if len(values) == len(roll.picked):
            booking.book(values, roll, "touch")


def _again(booking: Booking, value: object) -> None:
    """The roll in question does not count and is thrown again: its serial (6.2, 6.7)."""
    roll = booking.table.question
    if roll is not None and roll.serial == value:
        booking.answered(roll)
        booking.set(shown=None)
        booking.say("cocked_again" if roll.reason == "cocked" else "again")


def _outside(booking: Booking, value: object) -> None:
    """A die fell outside the tray (K13); uses up the roll in question (its serial), or the one that moves now."""
    table = booking.table
    roll = table.question
    if roll is not None and roll.serial != value:
        return
    if roll is None and table.rolls:
        roll = table.rolls[0]
    if table.game is None or not asks_for(table, "die_outside"):
        booking.say("outside_not_now")
        return
    turn = rules.summary(table.game)["turn"]
    booking.write({"type": "die_outside", "player": turn, "source": "touch"}, picture=roll.picture if roll else None)
    if roll is not None:
        booking.answered(roll)
    else:
        booking.set(spent=not table.empty)
    booking.set(shown=None, overlay=None)
    booking.say("outside", player=turn)


def _enter(booking: Booking, value: object) -> None:
    """Open the faces to enter dice by touch."""
    if not booking.free():
        return
    if booking.table.dice_wanted:
        booking.set(overlay=Overlay("enter", (None,) * booking.table.dice_wanted))
    else:
        booking.say("no_dice_wanted")


def _enter_pick(booking: Booking, value: object) -> None:
    """A face for one die that is entered by touch: (number of dice, die, face)."""
    count, die, face = _three(value)
    overlay = booking.table.overlay
    if overlay is not None and overlay.kind == "enter" and len(overlay.about) == count:
        about = tuple(face if i == die else old for i, old in enumerate(overlay.about))
        booking.set(overlay=overlay._replace(about=about))


def _entered(booking: Booking, value: object) -> None:
    """The picked faces are the throw; a roll that still moves is used up by it (6.2)."""
    overlay = booking.table.overlay
    if overlay is None or overlay.kind != "enter" or not booking.free():
        return
    values = tuple(face for face in overlay.about if isinstance(face, int))
    if len(values) == len(overlay.about) == booking.table.dice_wanted:
        booking.book(values, booking.table.rolls[0] if booking.table.rolls else None, "touch")


def _three(value: object) -> tuple[int, int, int]:
    """The three numbers that present put into a choice."""
    assert isinstance(value, tuple)
    one, two, three = value
    return one, two, three


# -- undo and correction --------------------------------------------------------------------------------------------


def _undo(booking: Booking, value: object) -> None:
    """Take back one line, named by game and seq, so that a double press never takes back two."""
    found = undoable(booking.table)
    if found is None or value != found[:2] or not booking.free():
        return
    game_id, seq, line = found
    current = booking.table.game
    if current is not None and current.game_id != game_id:  # back into the game before a fresh one (K55a)
        if not finished(current):
            booking.write({"type": "abandon", "source": "touch"})
        booking.set(games=booking.table.games[:-1])
    booking.write({"type": "undo", "of": seq, "source": "touch"}, game_id)
    booking.set(shown=None, overlay=None)
    booking.say("undone", line=tuple(sorted((key, _frozen(line[key])) for key in line)))


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _was_of(booking: Booking, value: object) -> None:
    """The last throw was the next player's: (seq, player); undo, stand, throw with the same dice (6.4)."""
    game, other = booking.table.game, was_of(booking.table)
    if game is None or other is None:
        return
    latest = rules.latest(game)
    if latest is None or value != (latest[0], other):
        return
    dice, shown = dice_of(latest[1]), booking.table.shown
    before = booking.write({"type": "undo", "of": latest[0], "source": "touch"})
    booking.write({"type": "stand", "player": rules.summary(before)["turn"], "source": "touch"})
    kept = {key: latest[1][key] for key in ("source", "confidence") if key in latest[1]}
    picture = shown.picture if shown is not None else None
    after = booking.write({"type": "throw", "player": other, "dice": list(dice), **kept}, picture=picture)
    booking.set(shown=Shown(tuple(sorted(dice)), other, True, picture, (after.game_id, after.seq)))
    booking.say("was_of", player=other)


def dice_of(line: Mapping[str, object]) -> tuple[int, ...]:
    """Dice of a `throw`, or the one of a `start_die`."""
    dice = line.get("dice", [line.get("value")])
    assert isinstance(dice, list | tuple)
    return tuple(dice)


def _edit(booking: Booking, value: object) -> None:
    """Open the faces of a throw that was booked: (game, seq)."""
    assert isinstance(value, tuple)
    found = _booked(booking.table, *value)
    if found is not None and booking.free():
        booking.set(overlay=Overlay("correct", (*value, dice_of(found[1]))))


def _booked(table: Table, game_id: str, seq: int) -> tuple[Fold, Mapping[str, object]] | None:
    game = next((game for game in table.games if game.game_id == game_id), None)
    line = dict(rules.in_force(game)).get(seq) if game is not None else None
    if game is None or line is None or line["type"] not in ("throw", "start_die"):
        return None
    return game, line


def _correct(booking: Booking, value: object) -> None:
    """Change dice that were booked: (game, seq, dice). Where later lines contradict, offer to go back to there."""
    assert isinstance(value, tuple)
    game_id, seq, dice = value
    found = _booked(booking.table, game_id, seq)
    if found is None or not booking.free():
        return
    game, line = found
    if sorted(dice_of(line)) == sorted(dice):
        booking.set(overlay=None)
        return
    later = booking.table.games[booking.table.games.index(game) + 1 :]
    change = _correction(line, seq, dice)
    try:
        after = rules.apply(game, change)
    except Contradicted as refused:
        if later:
            raise
        booking.set(overlay=Overlay("back_to", (game_id, seq, dice, refused.seq, refused.because.code)))
        return
    if later and finished(game) and not finished(after):
        booking.set(overlay=None)
        booking.say("correction_reopens", number=booking.table.games.index(game) + 1)
        return
    booking.write(change, game_id)
    _corrected(booking, game_id, seq, line, dice)


def _correction(line: Mapping[str, object], seq: int, dice: tuple[int, ...]) -> dict[str, object]:
    change: dict[str, object] = {"type": "correction", "of": seq, "source": "touch"}
    if line["type"] == "start_die":
        change["value"] = dice[0]
    else:
        change["dice"] = list(dice)
    return change


def _corrected(booking: Booking, game_id: str, seq: int, line: Mapping[str, object], dice: tuple[int, ...]) -> None:
    player, was = str(line["player"]), tuple(sorted(dice_of(line)))
    shown = booking.table.shown
    if shown is None or shown.booked == (game_id, seq):
        picture = shown.picture if shown is not None else None
        booking.set(shown=Shown(tuple(sorted(dice)), player, True, picture, (game_id, seq)))
    booking.set(overlay=None)
    booking.say("corrected", player=player, was=was, now=tuple(sorted(dice)))


def _back_to(booking: Booking, value: object) -> None:
    """Take back everything after a throw, then correct it."""
    overlay = booking.table.overlay
    if overlay is None or overlay.kind != "back_to" or not booking.free():
        return
    game_id, seq, dice = overlay.about[:3]
    assert isinstance(game_id, str) and isinstance(seq, int) and isinstance(dice, tuple)
    found = _booked(booking.table, game_id, seq)
    if found is None:
        return
    game, line = found
    latest = rules.latest(game)
    while latest is not None and latest[0] > seq:
        game = booking.write({"type": "undo", "of": latest[0], "source": "touch"}, game_id)
        latest = rules.latest(game)
    line = dict(rules.in_force(game))[seq]  # an undone correction may have changed it
    if sorted(dice_of(line)) != sorted(dice):
        booking.write(_correction(line, seq, dice), game_id)
    _corrected(booking, game_id, seq, line, dice)


# -- two steps, and what lies over the table ------------------------------------------------------------------------


def _sure(booking: Booking, value: object) -> None:
    """The second of two steps (6.10): "leave" with the player's name, or "abandon" with nothing."""
    overlay = booking.table.overlay
    if overlay is None or overlay.kind != "sure" or overlay.about != value or not booking.free():
        return
    what, player = overlay.about
    if what == "leave":
        booking.write({"type": "leave", "player": player, "source": "touch"})
        booking.say("left", player=player)
    else:
        booking.write({"type": "abandon", "source": "touch"})
        booking.say("abandoned")
    booking.set(overlay=None, shown=None)


def _open(booking: Booking, value: object) -> None:
    """Lay a page over the table: (kind, what it is about …)."""
    assert isinstance(value, tuple)
    if booking.table.question is None:
        booking.set(overlay=Overlay(str(value[0]), value[1:]))


def _close(booking: Booking, value: object) -> None:
    booking.set(overlay=None)


def _pause(booking: Booking, value: object) -> None:
    """One tap each way; while it holds, readings are shown and nothing is written."""
    booking.set(paused=not booking.table.paused, overlay=None)


def _language(booking: Booking, value: object) -> None:
    booking.set(language=str(value))


def _volume(booking: Booking, value: object) -> None:
    assert isinstance(value, int)
    booking.set(volume=min(10, max(0, value)))


# -- names typed in, where no central is ----------------------------------------------------------------------------


def _names(booking: Booking) -> tuple[tuple[str, ...], str]:
    overlay = booking.table.overlay
    if overlay is None or overlay.kind != "names":
        return (), ""
    names, text = overlay.about[:2]
    assert isinstance(names, tuple) and isinstance(text, str)
    return names, text


def _typed(booking: Booking, names: tuple[str, ...], text: str, error: str = "") -> None:
    booking.set(overlay=Overlay("names", (names, text, error)))


def _type(booking: Booking, value: object) -> None:
    names, text = _names(booking)
    _typed(booking, names, (text + str(value))[:LONGEST_NAME])


def _erase(booking: Booking, value: object) -> None:
    names, text = _names(booking)
    _typed(booking, names, text[:-1])


def _name(booking: Booking, value: object) -> None:
    """Seat a player: the typed text, or a remembered name."""
    names, text = _names(booking)
    name = " ".join(str(value or text).split())
    if not name:
        return
    if name in names:
        _typed(booking, names, text, "name_taken")
    elif len(names) == MOST_PLAYERS:
        _typed(booking, names, text, "table_full")
    else:
        _typed(booking, (*names, name), "")


def _unname(booking: Booking, value: object) -> None:
    names, text = _names(booking)
    _typed(booking, tuple(name for name in names if name != value), text)


def _seat(booking: Booking, value: object) -> None:
    """Begin a seating with the names that were typed in; such games stay at this table."""
    names, text = _names(booking)
    table = booking.table
    if len(names) < 2:
        _typed(booking, names, text, "two_needed")
        return
    if table.playing or (table.seating is not None and table.seating.evening and not seating_over(table)):
        return
    old = tuple(name for name in table.remembered if name not in names)
    nobody = (None,) * len(names)
    typed = table.typed + 1
    waiting = Seating("", typed, "seating", table.name, table.reglement, table.stripes, names, nobody)
    booking.set(
        waiting=waiting, seating=None, games=(), typed=typed, remembered=(*names, *old)[:NAMES_REMEMBERED], overlay=None
    )
    booking.begin()


WISHES: Mapping[str, _Handler] = {
    "stoef": _stoef,
    "klaar": _klaar,
    "ogen": _choose("ogen"),
    "punten": _choose("punten"),
    "pick": _pick,
    "answer": _answer,
    "again": _again,
    "outside": _outside,
    "enter_dice": _enter,
    "enter_pick": _enter_pick,
    "entered": _entered,
    "undo": _undo,
    "was_of": _was_of,
    "edit": _edit,
    "correct": _correct,
    "back_to": _back_to,
    "sure": _sure,
    "open": _open,
    "close": _close,
    "calibrate": calibrate,
    "pause": _pause,
    "language": _language,
    "volume": _volume,
    "type": _type,
    "erase": _erase,
    "enter": _name,
    "name": _name,
    "unname": _unname,
    "seat": _seat,
}
