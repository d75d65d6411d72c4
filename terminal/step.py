"""One step of the table: what a message changes, and what must be written for it (CONTRACT section 6).

`step(table, message, stamp)` is pure: it gives the table after the message and the effects to carry out, in order. The
loop makes them durable first and only then takes the new table (apply, append, show). A refusal by the rules changes
nothing but the notice on the screen.
"""

from __future__ import annotations

from typing import NamedTuple

from terminal.booking import Booking, Stamp
from terminal.calibrating import asked, fitted
from terminal.rules.contract import Refused
from terminal.table import (
    Camera,
    Effect,
    Emptied,
    Fitted,
    Lying,
    Message,
    Moved,
    Note,
    Read,
    Roll,
    Rolling,
    Seated,
    Table,
    Tended,
    Wish,
)
from terminal.wishes import WISHES


class Step(NamedTuple):
    """The table after a message, and what must be durable before it is shown."""

    table: Table
    effects: tuple[Effect, ...]


def step(table: Table, message: Message, stamp: Stamp) -> Step:
    """The table after `message`, and the lines to write for it."""
    booking = Booking(table, stamp)
    try:
        _take(booking, message)
        booking.settle_rolls()
    except Refused as refused:
        return Step(table._replace(note=Note("refused", (("code", refused.code), ("message", refused.message)))), ())
    return Step(booking.table, tuple(booking.effects))


def _take(booking: Booking, message: Message) -> None:
    match message:
        case Wish(name, value):
            if name in WISHES:  # a wish of an older screen that means nothing any more changes nothing
                WISHES[name](booking, value)
        case Rolling():
            booking.rolling()
        case Read(values, reason, picture, confidence):
            booking.read(values, reason, picture, confidence)
        case Lying(values, picture):
            shown = booking.table.shown
            known = booking.table.spent and shown is not None and shown.values == tuple(sorted(values))
            if not booking.table.rolls and not known:  # what had its answer has had it (6.2)
                booking.new_roll(Roll(booking.table.rolled + 1, "lying", values, "lying", picture))
        case Moved(values):
            if booking.table.shown is not None and booking.table.shown.booked is not None:
                booking.say("moved", values=values, kept=booking.table.shown.values)
        case Emptied():
            booking.gone()
            booking.set(spent=False, empty=True)
        case Camera(health):
            if health == "lost":
                booking.gone()
                fitted(booking, Fitted(asked(booking.table)[1], "lost"))
            if health not in ("ok", booking.table.camera):
                booking.mention(f"camera_{health}")
            booking.set(camera=health)
        case Tended(what, amount):
            booking.mention(f"tended_{what}", amount=amount)
        case Fitted():
            fitted(booking, message)
        case Seated(seating):
            booking.arrived(seating)


def unwritten(table: Table, message: Message) -> Table:
    """The table before a message whose lines the card did not take: nothing is booked, and dice are asked about again.

    What was written of several lines is folded by the caller, who knows the card.
    """
    table = table._replace(note=Note("unwritable"), overlay=None)
    if isinstance(message, Read) and message.reason is None and len(message.values) == table.dice_wanted:
        rolls = tuple(roll for roll in table.rolls if roll.phase != "rolling")
        roll = Roll(table.rolled + 1, "doubt", message.values, "unwritable", message.picture, picked=message.values)
        table = table._replace(rolls=(roll, *rolls), rolled=roll.serial)
    return table
