"""The table at the telling moments of an evening, without anything lying over it."""

from __future__ import annotations

import random

import pygame

from terminal.display.texts import text
from terminal.display.view import Choice, DiceShown, Intent, Lamp, Picture, Seat, View

NAMES = ("An", "Bo", "Cé", "Dré", "Els", "Fons", "Loïc", "Greet")
LONG = "Marie-Christine Vandenbr"  # 24 characters, the longest that the table takes
SHORT = "Marie-Christine V."
WELL = (Lamp("camera", True), Lamp("central", True), Lamp("buttons", True), Lamp("disk", True))


def photograph(values: tuple[int, ...], wh: tuple[int, int] = (480, 360), seed: int = 1) -> Picture:
    """Dice on felt in warm light, drawn: enough to see how a photograph sits on the screen."""
    chance = random.Random(f"{values}{seed}")
    felt = pygame.Surface(wh)
    felt.fill((46, 74, 44))
    for _ in range(4000):
        shade = chance.randint(-10, 10)
        felt.set_at((chance.randrange(wh[0]), chance.randrange(wh[1])), (46 + shade, 74 + shade, 44 + shade))
    pips = {1: (0,), 2: (-1, 1), 3: (-1, 0, 1), 4: (-1, 1), 5: (-1, 0, 1), 6: (-1, 0, 1)}
    for place, value in enumerate(values):
        die = pygame.Surface((72, 72), pygame.SRCALPHA)
        pygame.draw.rect(die, (228, 205, 160), die.get_rect().inflate(-8, -8), border_radius=12)
        for row in pips[value]:
            columns = {1: (0,), 2: (row,), 3: (row,), 4: (-1, 1), 5: (0,) if row == 0 else (-1, 1), 6: (-1, 1)}[value]
            for column in columns:
                pygame.draw.circle(die, (40, 30, 24), (36 + 18 * column, 36 + 18 * row), 7)
        turned = pygame.transform.rotozoom(die, chance.uniform(0, 90), 1)
        x = wh[0] * (place + 0.8) // (len(values) + 0.6)
        felt.blit(turned, turned.get_rect(center=(x, wh[1] // 2 + chance.randint(-70, 70))))
    soft = pygame.transform.smoothscale(pygame.transform.smoothscale(felt, (wh[0] // 2, wh[1] // 2)), wh)
    return Picture(f"drawn-{values}-{wh}-{seed}", wh, pygame.image.tobytes(soft, "RGB"))


class TableMoments:
    """Makes the moments in one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def say(self, key: str, **fields: object) -> str:
        return text(self.language, key, **fields)

    def buttons(self, on: tuple[str, ...] = (), *more: Choice, strong: str = "") -> tuple[Choice, ...]:
        four = tuple(
            Choice(self.say(f"button_{name}"), Intent(name), name in on, name == strong, key=name[0])
            for name in ("stoef", "ogen", "punten", "klaar")
        )
        return four + more

    def menu(self, undo: str = "An: 1-4-6") -> tuple[Choice, ...]:
        return (
            Choice(self.say("menu_undo"), Intent("undo", 3), bool(undo), key="z", detail=undo),
            Choice(self.say("menu_why"), Intent("open", "why"), key="w"),
            Choice(self.say("menu_pause"), Intent("pause"), key="p"),
            Choice(self.say("menu_menu"), Intent("open", "menu"), key="m"),
        )

    def extras(self) -> tuple[Choice, ...]:
        return (
            Choice(self.say("choice_enter"), Intent("enter_dice"), key="d"),
            Choice(self.say("choice_outside"), Intent("outside"), key="b"),
        )

    def view(self, prompt: str, seats: tuple[Seat, ...], **more: object) -> View:
        fields: dict[str, object] = {
            "title": self.say("title_seating", table=3, seating=1, number=2, games=3),
            "prompt": prompt,
            "seats": seats,
            "choices": self.buttons(),
            "menu": self.menu(),
            "lamps": WELL,
            "language": self.language,
        }
        return View(**{**fields, **more})  # type: ignore[arg-type]

    def dice(self, values: tuple[int, ...], who: str, word: str, **fields: object) -> DiceShown:
        shown = self.say(word, number=sum({1: 100, 6: 60}.get(v, v) for v in values))
        picture = photograph(values)
        return DiceShown(values, who, shown, picture=picture, intent=Intent("edit", 7))._replace(**fields)

    def close(self) -> Choice:
        return Choice(self.say("back"), Intent("close"), strong=True, key="escape")

    # -- play

    def start_roll(self) -> View:
        seats = tuple(Seat(name, 12, turn=name == "Cé") for name in NAMES[:5])
        return self.view(
            self.say("prompt_start_roll", player="Cé"),
            seats,
            dice=self.dice((5,), "Bo", ""),
            choices=self.buttons((), self.extras()[0]),
            menu=self.menu("Bo: 5"),
        )

    def five(self, **more: object) -> tuple[Seat, ...]:
        begins = self.say("badge_starter")
        return (
            Seat("An", 12, badges=(begins,), throws=((1, 2, 4), (1, 4, 6)), best=1, throws_allowed=2),
            Seat("Bo", 9, turn=True, throws=((3, 3, 6),), best=0, throws_allowed=2),
            Seat("Cé", 11, throws_allowed=2),
            Seat("Dré", 14, throws_allowed=2),
            Seat("Els", 7, throws_allowed=2),
        )

    def play(self) -> View:
        return self.view(
            self.say("prompt_throw_of", player="Bo", number=2, most=2),
            self.five(),
            facts=(
                self.say("fact_throws", starter="An", count=2),
                self.say("fact_best", players="An", dice="1-4-6"),
            ),
            dice=self.dice((3, 3, 6), "Bo", "word_punten"),
            choices=self.buttons((), *self.extras()),
            menu=self.menu("Bo: 3-3-6"),
        )

    def play_without_camera(self) -> View:
        dice = self.dice((3, 3, 6), "Bo", "word_punten", picture=None)
        return self.play()._replace(dice=dice)

    def stand_or_throw(self) -> View:
        fresh = tuple(seat._replace(turn=False, throws=(), best=None, throws_allowed=None) for seat in self.five())
        seats = (fresh[0]._replace(turn=True, throws=((1, 4, 6),), best=0), *fresh[1:])
        return self.view(
            self.say("prompt_stand", player="An"),
            seats,
            dice=self.dice((1, 4, 6), "An", "word_punten"),
            facts=(self.say("fact_last_round", winner="Dré", wiped=2),),
            choices=self.buttons(
                ("stoef", "klaar"),
                Choice(self.say("choice_was_of", player="Bo"), Intent("was_of", 4)),
                Choice(self.say("choice_not_of", player="An"), Intent("undo", 4)),
                *self.extras(),
                strong="klaar",
            ),
        )

    def stoef(self) -> View:
        seats = list(self.five())
        seats[1] = seats[1]._replace(
            turn=False, throws=((3, 3, 6), (4, 5, 6)), best=1, badges=(self.say("badge_stoef"),)
        )
        seats[2] = seats[2]._replace(turn=True)
        return self.view(
            self.say("prompt_throw_of", player="Cé", number=1, most=2),
            tuple(seats),
            facts=(self.say("fact_throws", starter="An", count=2),),
            dice=self.dice((4, 5, 6), "Bo", "word_sois"),
            notice=self.say("notice_stoef_called", player="Bo"),
            choices=self.buttons((), *self.extras()),
            menu=self.menu(self.say("line_stoef", player="Bo")),
        )

    def barrage_choice(self) -> View:
        barrage = self.say("badge_barrage")
        seats = (
            Seat(
                "An",
                12,
                throws=((1, 2, 4), (1, 1, 3)),
                best=1,
                throws_allowed=2,
                badges=(self.say("badge_stoef"), barrage),
            ),
            Seat("Bo", 9, throws=((3, 3, 6), (2, 2, 3)), best=0, throws_allowed=2),
            Seat("Cé", 11, throws=((1, 1, 2), (2, 4, 4)), best=0, throws_allowed=2),
            Seat("Dré", 14, turn=True, throws=((3, 4, 6), (1, 1, 3)), best=1, throws_allowed=2, badges=(barrage,)),
            Seat("Els", 7, throws=((2, 3, 6), (1, 2, 2)), best=1, throws_allowed=2),
        )
        return self.view(
            self.say("prompt_barrage_choice", player="Dré"),
            seats,
            facts=(self.say("fact_barrage", players=self.say("and").join(("Dré", "An"))),),
            dice=self.dice((1, 2, 2), "Els", "word_punten"),
            menu=self.menu("Els: 1-2-2"),
            choices=self.buttons(("ogen", "punten")),
        )

    def barrage(self) -> View:
        before = self.barrage_choice()
        seats = list(before.seats)
        seats[3] = seats[3]._replace(turn=False, throws=(*seats[3].throws, (3, 4, 6)), best=2, throws_allowed=None)
        seats[0] = seats[0]._replace(turn=True, throws_allowed=None)
        return before._replace(
            prompt=self.say("prompt_barrage", player="An"),
            seats=tuple(seats),
            facts=(self.say("fact_barrage_ogen", players=self.say("and").join(("Dré", "An"))),),
            dice=self.dice((3, 4, 6), "Dré", "word_punten"),
            choices=self.buttons((), *self.extras()),
        )

    def sweep(self) -> View:
        seats = list(self.five())
        seats[1] = Seat("Bo", 0, gone=True, note=self.say("note_out", place=1))
        seats[0] = seats[0]._replace(throws=(), best=None, throws_allowed=None, badges=())
        seats[2] = seats[2]._replace(turn=True, badges=(self.say("badge_starter"),))
        seats = [seat._replace(throws_allowed=None) for seat in seats]
        return self.view(
            self.say("prompt_throw", player="Cé"),
            tuple(seats),
            dice=self.dice((1, 1, 1), "Bo", "word_azen"),
            facts=(self.say("fact_last_round", winner="Bo", wiped=9),),
            choices=self.buttons((), *self.extras()),
            menu=self.menu("Bo: 1-1-1"),
        )

    def corrected(self) -> View:
        return self.play()._replace(
            notice=self.say("notice_corrected", player="Bo", was="3-3-6", now="3-5-6"),
            dice=self.dice((3, 5, 6), "Bo", "word_punten"),
        )

    def refused(self) -> View:
        return self.play()._replace(notice=self.say("refused_may_not_stand"))

    def fietske(self) -> View:
        before = self.play()
        seats = list(before.seats)
        seats[1] = seats[1]._replace(marks=10, throws=((3, 3, 6), (2, 2, 3)))
        return before._replace(seats=tuple(seats), dice=self.dice((2, 2, 3), "Bo", "word_fietske"))

    def paused(self) -> View:
        menu = list(self.menu())
        menu[2] = Choice(self.say("menu_resume"), Intent("pause"), key="p", strong=True)
        return self.play()._replace(
            prompt=self.say("prompt_paused"),
            menu=tuple(menu),
            choices=self.buttons(),
            dice=self.dice((1, 2, 2), "", "why_paused"),
        )

    def camera_lost(self) -> View:
        lamps = (Lamp("camera", False, self.say("lamp_camera_lost")), *WELL[1:3], Lamp("disk", True))
        return self.play_without_camera()._replace(lamps=lamps)

    def two(self) -> View:
        seats = (
            Seat("An", 3, turn=True, throws=((1, 4, 6),), best=0, throws_allowed=3),
            Seat(
                "Bo",
                2,
                throws=((2, 4, 6), (1, 3, 4), (4, 5, 6)),
                best=2,
                throws_allowed=3,
                badges=(self.say("badge_stoef"),),
            ),
        )
        return self.view(
            self.say("prompt_throw_of", player="An", number=2, most=3),
            seats,
            dice=self.dice((1, 4, 6), "An", "word_punten"),
            choices=self.buttons((), *self.extras()),
        )

    def three(self) -> View:
        seats = (*self.two().seats, Seat("Cé", 0, gone=True, note=self.say("note_out", place=1)))
        return self.two()._replace(seats=seats)

    def four(self) -> View:
        return self.play()._replace(seats=self.five()[:4])

    def six(self) -> View:
        return self.play()._replace(seats=(*self.five(), Seat("Fons", 12, throws_allowed=2)))

    def eight(self) -> View:
        throws = ((1, 2, 4), (1, 4, 6), (3, 3, 5))
        names = (LONG, *NAMES[1:7], "Jean-Baptiste Deschepper")
        seats = tuple(
            Seat(
                name,
                12 - place,
                turn=place == 4,
                throws=throws if place < 4 else throws[:1] if place == 4 else (),
                best=1 if place < 4 else 0 if place == 4 else None,
                throws_allowed=3,
                badges=(self.say("badge_starter"),) if place == 0 else (self.say("badge_stoef"),) if place == 2 else (),
            )
            for place, name in enumerate(names)
        )
        return self.view(
            self.say("prompt_throw_of", player="Els", number=2, most=3),
            seats,
            facts=(
                self.say("fact_throws", starter=SHORT, count=3),
                self.say("fact_best", players=self.say("and").join((SHORT, "Bo")), dice="1-4-6"),
            ),
            dice=self.dice((1, 2, 4), "Els", "word_punten"),
            choices=self.buttons((), *self.extras()),
        )

    def eight_barrage(self) -> View:
        before = self.eight()
        badges = (self.say("badge_stoef"), self.say("badge_barrage"))
        seats = tuple(
            seat._replace(
                turn=place == 7,
                throws=((1, 2, 4), (1, 4, 6), (3, 3, 5), (2, 5, 6))[: 4 if place == 2 else 3],
                best=3 if place == 2 else 1,
                throws_allowed=None if place == 2 else 3,
                badges=badges if place in (2, 7) else (),
                marks=seat.marks + (90 if place == 2 else 5),
            )
            for place, seat in enumerate(before.seats)
        )
        players = self.say("and").join(("Cé", "Jean-Baptiste D."))
        return before._replace(
            seats=seats,
            prompt=self.say("prompt_barrage", player=before.seats[7].name),
            facts=(self.say("fact_barrage_punten", players=players),),
        )

    def many_stripes(self) -> View:
        marks = (99, 47, 0, 23, 5)
        seats = tuple(seat._replace(marks=count) for seat, count in zip(self.five(), marks, strict=True))
        return self.play()._replace(seats=seats)

    def game_over(self) -> View:
        seats = (
            Seat("An", 0, gone=True, note=self.say("note_place", place=2, points=3)),
            Seat("Bo", 0, gone=True, note=self.say("note_place", place=1, points=5)),
            Seat("Cé", 0, gone=True, note=self.say("note_place", place=3, points=1)),
            Seat("Dré", 4, note=self.say("note_loser")),
            Seat("Els", 0, gone=True, note=self.say("note_place", place=4, points=0)),
        )
        return self.view(
            self.say("prompt_next_game"),
            seats,
            facts=(self.say("fact_pays", player="Dré"),),
            dice=self.dice((4, 5, 6), "Els", "word_sois"),
            choices=self.buttons(("klaar",), strong="klaar"),
        )
