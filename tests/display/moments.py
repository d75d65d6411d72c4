"""The telling moments of an evening as views, in every language: what the gallery shows and the tests measure."""

from __future__ import annotations

from collections.abc import Callable

from terminal.display.texts import text
from terminal.display.view import Choice, Entry, FaceRow, Intent, Page, Question, Seat, View
from tests.display.table_moments import LONG, NAMES, TableMoments, photograph

__all__ = ["LONG", "moments"]


class _Moments(TableMoments):
    """What lies over the table, beside the table itself."""

    # -- waiting

    def waiting(self) -> View:
        return self.view(self.say("prompt_waiting"), (), title=self.say("title_table", table=3), menu=self.menu(""))

    def pairing(self) -> View:
        return self.view(
            self.say("prompt_pairing", code="482 913"), (), title=self.say("title_table", table=3), menu=self.menu("")
        )

    def no_names_yet(self) -> View:
        names = Choice(self.say("choice_names"), Intent("open", "names"), strong=True, key="n")
        return self.view(
            self.say("prompt_names"),
            (),
            title=self.say("title_table", table=3),
            menu=self.menu(""),
            choices=self.buttons((), names),
        )

    def names_first(self) -> View:
        return self.entry("", ())

    def names_third(self) -> View:
        return self.entry("Cé", ("An", "Bo"), tuple(NAMES[2:]))

    def names_eight(self) -> View:
        return self.entry("Jan", (*NAMES[:7], LONG), ("Jan-Baptist",), error="table_full")

    def names_taken(self) -> View:
        return self.entry("Bo", ("An", "Bo"), tuple(NAMES[3:]), error="name_taken")

    def entry(self, typed: str, names: tuple[str, ...], known: tuple[str, ...] = NAMES, error: str = "") -> View:
        choices = (
            *(Choice(f"{name} ×", Intent("unname", name)) for name in names),
            Choice(self.say("names_start"), Intent("seat"), len(names) >= 2, len(names) >= 2),
            Choice(self.say("cancel"), Intent("close")),
        )
        entry = Entry(
            self.say("names_prompt", number=len(names) + 1),
            typed,
            tuple(Choice(name, Intent("name", name)) for name in known),
            choices,
            self.say("names_" + error) if error else "",
        )
        return self.view("", (), title=self.say("title_table", table=3), entry=entry)

    def begin(self) -> View:
        return self.view(
            self.say("prompt_begin"),
            tuple(Seat(name, 12) for name in NAMES[:5]),
            choices=self.buttons(("klaar",), strong="klaar"),
            menu=self.menu(""),
        )

    # -- questions

    def unsure(self, reason: str = "touching", picked: tuple[int | None, ...] = (1, 4, 6)) -> View:
        complete = None not in picked
        again = self.say("choice_cocked" if reason == "cocked" else "choice_again")
        question = Question(
            self.say("ask_dice", player="Bo"),
            self.say(f"reason_{reason}"),
            photograph((1, 4, 6), (960, 720)),
            tuple(
                FaceRow(chosen, tuple(Intent("pick", (9, die, f)) for f in range(1, 7)))
                for die, chosen in enumerate(picked)
            ),
            (
                Choice(self.say("choice_right"), Intent("answer", 9), complete, complete, key="return"),
                Choice(again, Intent("again", 9), strong=not complete, key="o"),
                Choice(self.say("choice_outside"), Intent("outside", 9), key="b"),
            ),
        )
        return self.play()._replace(question=question)

    def unsure_cocked(self) -> View:
        return self.unsure("cocked", (None, None, None))

    def unsure_die(self) -> View:
        view = self.unsure("gone", (None,))
        assert view.question is not None
        return view._replace(question=view.question._replace(picture=None, text=self.say("ask_die", player=LONG)))

    def enter_dice(self) -> View:
        view = self.unsure(picked=(2, None, None))
        assert view.question is not None
        question = view.question._replace(
            text=self.say("enter_dice", player="Bo"),
            detail="",
            picture=None,
            choices=(
                Choice(self.say("choice_right"), Intent("entered"), False),
                Choice(self.say("cancel"), Intent("close")),
            ),
        )
        return view._replace(question=question)

    def correct(self) -> View:
        view = self.unsure()
        assert view.question is not None
        question = view.question._replace(
            text=self.say("correct"),
            detail=self.say("correct_detail"),
            choices=(Choice(self.say("cancel"), Intent("close"), key="escape"),),
        )
        return view._replace(question=question)

    def calibrating(self, step: str, *choices: str, seen: bool = True) -> View:
        """A step of a calibration, with the buttons that it has."""
        failed = step.startswith("why_")
        question = Question(
            self.say("calibrate_failed" if failed else f"calibrate_{step}"),
            self.say(f"calibrate_{step}" if failed else f"calibrate_{step}_detail"),
            photograph((), (960, 720)) if seen else None,
            choices=(
                *(
                    Choice(self.say(f"calibrate_{key}"), Intent("calibrate", (key, 1)), strong=not at)
                    for at, key in enumerate(choices)
                ),
                Choice(self.say("cancel"), Intent("close"), key="escape"),
            ),
        )
        return self.begin()._replace(question=question)

    def calibrate_empty(self) -> View:
        return self.calibrating("empty", "shoot")

    def calibrate_card(self) -> View:
        return self.calibrating("card", "shoot", "without")

    def calibrate_looking(self) -> View:
        return self.calibrating("looking")

    def calibrate_passed(self) -> View:
        return self.calibrating("passed", "keep", "again")

    def calibrate_failed(self) -> View:
        return self.calibrating("why_tray", "again", seen=False)

    def calibrate_moved(self) -> View:
        return self.calibrating("why_moved", "again", seen=False)

    def sure_leave(self) -> View:
        question = Question(
            self.say("sure_leave", player=LONG),
            self.say("sure_leave_detail"),
            choices=(
                Choice(self.say("yes"), Intent("sure", "leave"), strong=True),
                Choice(self.say("no"), Intent("close")),
            ),
        )
        return self.play()._replace(question=question)

    def back_to(self) -> View:
        question = Question(
            self.say("back_to"),
            self.say("back_to_line", line="Bo: 2-4-6", why=self.say("refused_may_not_stand")),
            choices=(
                Choice(self.say("back_to_yes"), Intent("back_to"), strong=True),
                Choice(self.say("cancel"), Intent("close")),
            ),
        )
        return self.play()._replace(question=question)

    # -- pages

    def menu_page(self) -> View:
        keys = (
            "menu_throws",
            "menu_rules",
            "menu_statistics",
            "menu_leave",
            "menu_abandon",
            "menu_language",
            "menu_quieter",
            "menu_louder",
        )
        choices = tuple(Choice(self.say(key, volume=6), Intent("open", key)) for key in keys)
        return self.play()._replace(page=Page(self.say("menu_menu"), choices=(*choices, self.close())))

    def throws_page(self) -> View:
        choices = tuple(
            Choice(
                self.say("line_throw", player=NAMES[n % 5], dice="1-4-6"),
                Intent("edit", n),
                detail=self.say("throws_game", number=3 - n // 14),
            )
            for n in range(42)
        )
        page = Page(self.say("menu_throws"), (self.say("throws_lines"),), choices=(*choices, self.close()))
        return self.play()._replace(page=page)

    def rules_page(self) -> View:
        lines = (
            "Iedereen begint met 12 strepen.",
            "Punten: 1 telt voor 100, 6 voor 60, de rest voor zijn ogen. Wie wint met punten veegt 1 streep, "
            "met zand 2, met sois 3.",
            "Drie azen: alles geveegd en meteen uit. Drie keer dezelfde worp: alles geveegd en meteen uit, "
            "behalve drie keer fietske.",
            "Fietske (2-2-3): wie het gooit zet er een streep bij.",
            "Wie begint gooit één, twee of drie keer; de anderen gooien even vaak. De beste worp telt.",
            "Gelijk: barrage met drie teerlingen, tegen de klok in. De laatste kiest OGEN of PUNTEN.",
            "Stoef: wie wint veegt dubbel, wie niet wint zet bij wat zijn worp waard is. De laatste speler mag niet.",
            "De winnaar van de ronde begint de volgende; is hij uit, dan zijn linkerbuur.",
        )
        return self.play()._replace(page=Page(self.say("menu_rules"), lines, choices=(self.close(),)))

    def why_page(self) -> View:
        lines = (
            self.say("because_won", player="Els", dice="4-5-6", amount=6),
            "\tK22 · " + self.say("article_K22"),
            self.say("because_added", player="Bo", amount=2),
            "\tK23 · Stoef: “Indien hij de ronde niet wint, moet hij het aantal strepen zijn worp waard bijschrijven.”",
            self.say("because_begins", player="Els"),
            "\tK12 · " + self.say("article_K12"),
        )
        return self.play()._replace(page=Page(self.say("menu_why"), lines, choices=(self.close(),)))

    def statistics_page(self) -> View:
        head = tuple(
            self.say(f"column_{name}")
            for name in ("player", "throws", "best", "zands", "sois", "azen", "fietskes", "stoefs", "luck")
        )
        rows = tuple(
            (
                name,
                str(38 + n),
                "1-1-6",
                str(n),
                str(n % 3),
                "0",
                str(n % 2),
                f"{n}/{n + 1}",
                f"{n * 1.5 - 3:+.1f}".replace("-", "−"),
            )
            for n, name in enumerate((*NAMES[:7], LONG))
        )
        fair = self.say("statistics_fair", dice=912)
        page = Page(self.say("page_statistics"), (fair,), (head, *rows), (self.close(),))
        return self.game_over()._replace(page=page)

    def languages_page(self) -> View:
        choices = tuple(
            Choice(text(language, "language_name"), Intent("language", language), strong=language == self.language)
            for language in ("nl", "fr", "en")
        )
        return self.play()._replace(page=Page(self.say("menu_language"), choices=(*choices, self.close())))

    def break_(self) -> View:
        rows = (
            (self.say("column_player"), self.say("column_next_table")),
            *zip(NAMES[:5], ("4", "1", "2", "5", "3"), strict=True),
        )
        page = Page(self.say("page_break"), rows=tuple(rows), choices=(self.close(),))
        return self.game_over()._replace(prompt=self.say("prompt_break"), page=page)


def moments(language: str) -> dict[str, Callable[[], View]]:
    """Every moment by name."""
    made = _Moments(language)
    names = (
        "waiting",
        "pairing",
        "no_names_yet",
        "names_first",
        "names_third",
        "names_eight",
        "names_taken",
        "begin",
        "start_roll",
        "play",
        "play_without_camera",
        "stand_or_throw",
        "stoef",
        "barrage_choice",
        "barrage",
        "sweep",
        "fietske",
        "corrected",
        "refused",
        "paused",
        "camera_lost",
        "two",
        "three",
        "four",
        "six",
        "eight",
        "eight_barrage",
        "many_stripes",
        "unsure",
        "unsure_cocked",
        "unsure_die",
        "enter_dice",
        "correct",
        "calibrate_empty",
        "calibrate_card",
        "calibrate_looking",
        "calibrate_passed",
        "calibrate_failed",
        "calibrate_moved",
        "sure_leave",
        "back_to",
        "game_over",
        "break_",
        "menu_page",
        "throws_page",
        "rules_page",
        "why_page",
        "statistics_page",
        "languages_page",
    )
    return {name.rstrip("_"): getattr(made, name) for name in names}
