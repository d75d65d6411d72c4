"""The evening by the real buttons: gpiozero's own, on its mock pins, through the loop and back to the lamps."""

from __future__ import annotations

from pathlib import Path

from gpiozero.pins.mock import MockFactory

from terminal.hw.gpio_buttons import GpioButtons, Wiring
from terminal.hw.ports import Button
from terminal.rules import fold as rules
from tests.table.test_app import app_in, arrive, throw

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
