"""Contacts in all their moods, and real gpiozero buttons on gpiozero's own mock pins."""

import queue
import sys
import types

import pytest
from gpiozero.pins.mock import MockFactory

from terminal.hw.gpio_buttons import Change, Contact, GpioButtons, Wiring
from terminal.hw.ports import Button, ButtonsMissing

PINS = {Button.STOEF: 17, Button.OGEN: 27, Button.PUNTEN: 22, Button.KLAAR: 23}
LAMPS = {Button.STOEF: 5, Button.OGEN: 6, Button.PUNTEN: 13}
WIRING = Wiring(PINS, LAMPS, settle_s=0.02, stuck_after_s=10.0)


def changes(*seen, until=None, down=False):
    """(time, change) for a contact that is seen as (time, down), looked at again whenever it asks for it."""
    contact = Contact(WIRING, down, 0.0)
    found = []

    def look(t_s):
        while contact.due_s is not None and contact.due_s <= t_s:
            due_s = contact.due_s
            found.extend((due_s, change) for change in contact.at(due_s))

    for t_s, is_down in seen:
        look(t_s)
        found.extend((t_s, change) for change in contact.seen(is_down, t_s))
    if until is not None:
        look(until)
    return [(round(t_s, 3), change) for t_s, change in found]


def test_a_press_counts_once_when_the_contact_has_settled():
    assert changes((1.0, True), (1.3, False), until=5) == [(1.02, Change.PRESSED)]


def test_bouncing_on_the_way_down_and_up_is_one_press():
    down = [(1.0 + 0.001 * number, number % 2 == 0) for number in range(9)]
    up = [(1.3 + 0.001 * number, number % 2 == 1) for number in range(9)]
    assert changes(*down, *up, until=5) == [(1.028, Change.PRESSED)]


def test_a_spike_from_the_fridge_is_no_press():
    assert changes((1.0, True), (1.001, False), (2.0, True), (2.015, False), until=5) == []


def test_a_held_button_does_not_repeat():
    assert changes((1.0, True), (9.0, False), until=20) == [(1.02, Change.PRESSED)]


def test_two_presses_are_two():
    assert changes((1.0, True), (1.1, False), (1.2, True), (1.3, False), until=5) == [
        (1.02, Change.PRESSED),
        (1.22, Change.PRESSED),
    ]


def test_letting_go_for_a_moment_while_holding_is_not_a_second_press():
    assert changes((1.0, True), (2.0, False), (2.01, True), (3.0, False), until=5) == [(1.02, Change.PRESSED)]


def test_a_short_tap_counts_even_when_it_is_looked_at_late():
    contact = Contact(WIRING, False, 0.0)
    assert list(contact.seen(True, 1.0)) == []
    assert list(contact.seen(False, 1.04)) == [Change.PRESSED]


def test_an_edge_that_is_told_twice_postpones_nothing():
    assert changes((1.0, True), (1.015, True), (1.3, False), until=5) == [(1.02, Change.PRESSED)]


def test_a_stuck_button_is_said_once_and_said_again_when_it_comes_free():
    assert changes((1.0, True), (60.0, False), until=90) == [
        (1.02, Change.PRESSED),
        (11.0, Change.STUCK),
        (60.02, Change.FREE),
    ]


def test_a_button_that_is_down_when_the_table_starts_was_not_pressed():
    assert changes((2.0, False), (3.0, True), (3.2, False), until=20, down=True) == [(3.02, Change.PRESSED)]
    assert changes(until=60, down=True) == [(10.0, Change.STUCK)]


def test_a_button_at_rest_needs_no_looking_at():
    contact = Contact(WIRING, False, 0.0)
    assert contact.due_s is None
    list(contact.seen(True, 1.0))
    list(contact.at(1.02))
    list(contact.at(11.0))
    assert contact.due_s is None  # stuck and said


@pytest.fixture
def pins():
    factory = MockFactory()
    yield factory
    factory.close()


class Table:
    """Buttons whose presses land in a queue, as the app does it."""

    def __init__(self, pins, wiring):
        self.buttons = GpioButtons(wiring, pins)
        self.heard = queue.Queue()
        self.pins = pins
        self.buttons.start(self.heard.put, lambda button, stuck: self.heard.put((button, stuck)))

    def down(self, button):
        self.pins.pin(PINS[button]).drive_low()

    def up(self, button):
        self.pins.pin(PINS[button]).drive_high()

    def hears(self):
        return self.heard.get(timeout=20)


@pytest.fixture
def table(pins):
    opened = Table(pins, WIRING)
    yield opened
    opened.buttons.close()


@pytest.mark.parametrize("button", Button)
def test_pressing_a_real_button_is_heard(table, button):
    table.down(button)
    assert table.hears() is button
    table.up(button)


def test_presses_are_heard_once_and_in_order_however_the_contacts_bounce(table):
    for button in (Button.OGEN, Button.KLAAR, Button.STOEF):
        for _ in range(5):
            table.down(button)
            table.up(button)
        table.down(button)
        assert table.hears() is button
    table.buttons.close()
    assert table.heard.empty()


def test_a_stuck_button_is_reported_and_the_others_go_on(pins):
    table = Table(pins, Wiring(PINS, LAMPS, settle_s=0.02, stuck_after_s=0.1))
    table.down(Button.PUNTEN)
    assert table.hears() is Button.PUNTEN
    assert table.hears() == (Button.PUNTEN, True)
    table.down(Button.KLAAR)
    assert table.hears() is Button.KLAAR
    table.up(Button.PUNTEN)
    heard = {table.hears(), table.hears()}  # KLAAR is stuck by now too
    assert heard == {(Button.PUNTEN, False), (Button.KLAAR, True)}
    table.buttons.close()


def test_a_lamp_glows_when_it_is_told_to(table):
    lamps = {button: table.pins.pin(pin) for button, pin in LAMPS.items()}
    table.buttons.light(Button.STOEF, True)
    assert {button: pin.state for button, pin in lamps.items()} == {
        Button.STOEF: True,
        Button.OGEN: False,
        Button.PUNTEN: False,
    }
    table.buttons.light(Button.STOEF, False)
    assert not lamps[Button.STOEF].state
    table.buttons.light(Button.KLAAR, True)  # has no lamp


def test_closing_frees_the_pins_and_puts_the_lamps_out_and_may_be_done_twice(pins):
    table = Table(pins, WIRING)
    table.buttons.light(Button.OGEN, True)
    lamp = pins.pin(LAMPS[Button.OGEN])
    table.buttons.close()
    table.buttons.close()
    assert lamp.function == "input"
    table.buttons.light(Button.OGEN, True)
    Table(pins, WIRING).buttons.close()  # GPIOPinInUse if they were not free


def test_a_pin_that_is_in_use_twice_is_named_and_leaves_the_others_free(pins):
    with pytest.raises(ButtonsMissing, match="17") as missing:
        GpioButtons(Wiring({Button.STOEF: 17}, {Button.STOEF: 17}), pins)
    GpioButtons(Wiring({Button.STOEF: 17}), pins).close()
    assert missing.tb is not None  # while it lives nothing is freed by itself


def test_a_machine_without_pins_says_so(monkeypatch, caplog):
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    with pytest.raises(ButtonsMissing, match="GPIO pins"):
        GpioButtons(WIRING)
    assert "lgpio" in caplog.text  # which library failed, and why


@pytest.mark.parametrize("name", ["lgpio", "native", "beer"])
def test_a_chosen_pin_library_that_does_not_work_says_so(monkeypatch, name):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", name)
    with pytest.raises(ButtonsMissing, match="GPIO pins"):
        GpioButtons(WIRING)


def test_an_error_of_lgpio_itself_is_understood(monkeypatch):
    lgpio = types.ModuleType("lgpio")
    lgpio.error = type("error", (Exception,), {})
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)

    class Broken(MockFactory):
        def pin(self, name):
            raise lgpio.error("can not open gpiochip")

    with pytest.raises(ButtonsMissing, match="can not open gpiochip"):
        GpioButtons(WIRING, Broken())


def test_names_of_the_configuration_become_buttons():
    wiring = Wiring.named({"stoef": 17, "klaar": 23}, {"stoef": 5}, 0.01, 5.0)
    assert wiring == Wiring({Button.STOEF: 17, Button.KLAAR: 23}, {Button.STOEF: 5}, 0.01, 5.0)
