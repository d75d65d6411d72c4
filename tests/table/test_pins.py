"""The evening by the real buttons: gpiozero's own, on its mock pins, through the loop and back to the lamps."""

from __future__ import annotations

from pathlib import Path

from gpiozero.pins.mock import MockFactory

from terminal import journal
from terminal.app import App
from terminal.display.view import Intent
from terminal.display.window import Window
from terminal.exchange import message_of
from terminal.hw.gpio_buttons import GpioButtons, Wiring
from terminal.hw.ports import Button
from terminal.rules import fold as rules
from terminal.table import Table, allowed
from tests.table.test_app import app_in, arrive, throw
from tests.table.whole_evening import PLAYERS, Evening, check

PINS = {Button.STOEF: 17, Button.OGEN: 27, Button.PUNTEN: 22, Button.KLAAR: 23}
LAMPS = {Button.STOEF: 5, Button.OGEN: 6, Button.PUNTEN: 13, Button.KLAAR: 19}


def test_a_round_with_stoef_and_a_barrage_is_played_by_the_buttons(tmp_path: Path) -> None:
    factory = MockFactory()
    app = app_in(tmp_path)
    app.buttons = GpioButtons(Wiring(PINS, LAMPS, settle_s=0.005), factory)
    app.buttons.start(app.inbox.put)

    def press(button: Button) -> None:
        pin = factory.pin(PINS[button])
        pin.drive_low()
        news = app.inbox.get(timeout=5)  # from the buttons' own thread
        pin.drive_high()
        app.take(news)
        app.round()

    def lit() -> set[Button]:
        return {button for button, pin in LAMPS.items() if factory.pin(pin).state}

    arrive(app)
    app.round()
    assert lit() == {Button.KLAAR}
    press(Button.KLAAR)  # the game begins, An starts
    assert lit() == set()
    throw(app, 6, 6, 1)
    app.round()
    assert lit() == {Button.STOEF, Button.KLAAR}
    press(Button.STOEF)
    press(Button.KLAAR)
    assert rules.summary(app.table.game)["round"]["stoef"] == ["An"]
    throw(app, 1, 6, 6)
    app.round()
    assert lit() == {Button.OGEN, Button.PUNTEN}
    press(Button.OGEN)
    assert rules.summary(app.table.game)["barrage"]["mode"] == "ogen"
    app.close()


class Fingers:
    """Presses real buttons on mock pins, and touches a window without a screen for what has no button."""

    def __init__(self, app: App, window: Window) -> None:
        self.app, self.window = app, window
        self.factory = MockFactory()
        app.buttons = GpioButtons(Wiring(PINS, LAMPS, settle_s=0.005), self.factory)
        app.buttons.start(app.inbox.put)

    def press(self, button: str) -> None:
        lit = {one for one in Button if self.factory.pin(LAMPS[one]).state}
        assert lit == {one for one in Button if allowed(self.app.table, one.value)}  # lamps tell what is legal
        pin = self.factory.pin(PINS[Button(button)])
        pin.drive_low()
        news = self.app.inbox.get(timeout=5)  # from the buttons' own thread
        assert news == Button(button)
        pin.drive_high()
        self.app.take(news)
        self.app.round()

    def touch(self, intent: Intent) -> None:
        xy = self.window.where(intent)
        assert xy is not None, intent
        self.window.tap(xy)
        self.app.round()


def test_a_whole_evening_is_played_by_the_buttons(tmp_path: Path) -> None:
    window = Window(headless=True)
    app = App(Table("1"), tmp_path, window)
    evening = Evening(app, Fingers(app, window))
    evening.arrive("seating", PLAYERS, 3, 3)
    evening.play()
    app.close()
    check([line for path in app.card.paths() for line in journal.read(path)], evening.seen)
    sent = [message for message in map(message_of, app.card.paths()) if message is not None]
    assert [(one["kind"], one["number"]) for one in sent] == [
        ("seating", 1),
        ("seating", 2),
        ("seating", 3),
        ("playoff", 1),
        ("final", 1),
    ]
