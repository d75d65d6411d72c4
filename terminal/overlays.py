"""What lies over the table on the screen: questions, the keyboard for names, and pages.

`Speaker` is what all parts of a screen share; `terminal.present` makes the table itself with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from terminal.calibrating import may_calibrate
from terminal.display.texts import LANGUAGES, text
from terminal.display.view import Choice, Entry, FaceRow, Intent, Lamp, Page, Picture, Question
from terminal.rules import fold as rules
from terminal.rules import statistics
from terminal.rules.articles import article
from terminal.rules.contract import Happening
from terminal.rules.reglement import switches
from terminal.table import Overlay, Roll, Table, asks_for, counted, seated
from terminal.wishes import dice_of


class Surroundings(NamedTuple):
    """What the screen shows beside the game: the parts of the terminal and the pictures."""

    lamps: tuple[Lamp, ...] = ()
    picture: Callable[[str], Picture | None] = lambda key: None  # a picture by its key, None when it is gone
    pairing: str | None = None  # code that the organiser must type
    central: bool = False  # whether seatings come from a central
    sounds: tuple[int, tuple[str, ...]] = (0, ())


class Speaker:
    """The table, its game and its language."""

    def __init__(self, table: Table, around: Surroundings) -> None:
        self.table = table
        self.around = around
        self.game = table.game
        self.state = rules.summary(table.game) if table.game is not None else None

    def say(self, key: str, **fields: object) -> str:
        return text(self.table.language, key, **fields)

    def picture(self, key: str | None) -> Picture | None:
        return self.around.picture(key) if key is not None else None

    def names(self, names: object) -> str:
        return self.say("and").join(names_in(names))

    def line(self, line: Mapping[str, object]) -> str:
        """A line of the journal in a few words: what an undo would take back, or what a list shows."""
        kind = str(line["type"])
        fields = {"player": line.get("player", ""), "mode": line.get("mode", "")}
        if kind in ("throw", "start_die"):
            return self.say("line_" + kind, dice=dashed(dice_of(line)), **fields)
        return self.say("line_" + kind, **fields)

    def names_intent(self) -> Intent:
        table = self.table
        names = seated(table.seating, table.games)[0] if table.seating is not None else ()
        return Intent("open", ("names", names, "", ""))


class Overlays(Speaker):
    """The first of question, entry and page that is there has the fingers."""

    def question(self) -> Question | None:
        roll = self.table.question
        if roll is not None and self.state is not None:
            return self.reading_question(roll, str(self.state["turn"]))
        overlay = self.table.overlay
        if overlay is None:
            return None
        if overlay.kind == "calibrate":
            return self.calibrate_question(*overlay.about)
        if overlay.kind == "enter":
            return self.enter_question(overlay)
        if overlay.kind == "correct":
            return self.correct_question(overlay)
        if overlay.kind == "sure":
            key = f"sure_{overlay.about[0]}"
            return Question(
                self.say(key, player=overlay.about[1]),
                self.say(key + "_detail"),
                choices=(
                    Choice(self.say("yes"), Intent("sure", overlay.about), strong=True),
                    Choice(self.say("no"), Intent("close")),
                ),
            )
        if overlay.kind == "back_to":
            return Question(
                self.say("back_to"),
                self.contradicted(overlay),
                choices=(
                    Choice(self.say("back_to_yes"), Intent("back_to"), strong=True),
                    Choice(self.say("cancel"), Intent("close")),
                ),
            )
        return None

    def calibrate_question(self, step: object, serial: object, picture: object, why: object) -> Question:
        """A step of a calibration: what to do, what the camera sees, and whether what came of it fits."""

        def tap(key: str, what: str, strong: bool = False) -> Choice:
            return Choice(self.say(f"calibrate_{key}"), Intent("calibrate", (what, serial)), strong=strong)

        leave = Choice(self.say("cancel"), Intent("close"), key="escape")
        shown = self.picture(picture) if isinstance(picture, str) else None
        if step == "failed":
            again = tap("again", "begin", strong=True)
            return Question(self.say("calibrate_failed"), self.say(f"calibrate_why_{why}"), choices=(again, leave))
        choices = {
            "empty": (tap("shoot", "shoot", strong=True), leave),
            "card": (tap("shoot", "shoot", strong=True), tap("without", "without"), leave),
            "passed": (tap("keep", "keep", strong=True), tap("again", "begin"), leave),
        }.get(str(step), (leave,))
        key = step if step in ("empty", "card", "passed") else "looking"
        return Question(self.say(f"calibrate_{key}"), self.say(f"calibrate_{key}_detail"), shown, choices=choices)

    def contradicted(self, overlay: Overlay) -> str:
        """Which later line a correction does not fit, and why."""
        game_id, _, _, seq, code = overlay.about
        game = next(game for game in self.table.games if game.game_id == game_id)
        line = dict(rules.in_force(game))[seq]  # type: ignore[index]  # as `wishes` put it there
        return self.say("back_to_line", line=self.line(line), why=self.say(f"refused_{code}"))

    def reading_question(self, roll: Roll, turn: str) -> Question:
        """A doubt: yes, the right faces, thrown again, or a die outside: each one tap away."""
        complete = all(face is not None for face in roll.picked)
        flat = roll.reason != "cocked"  # a die that leans voids the throw (K13)
        again = self.say("choice_again" if flat else "choice_cocked")
        choices = [
            Choice(self.say("choice_right"), Intent("answer", roll.serial), complete, complete and flat, key="return"),
            Choice(again, Intent("again", roll.serial), strong=not (complete and flat), key="o"),
        ]
        if asks_for(self.table, "die_outside"):
            choices.append(Choice(self.say("choice_outside"), Intent("outside", roll.serial), key="b"))
        return Question(
            self.say("ask_dice" if len(roll.picked) > 1 else "ask_die", player=turn),
            self.say("reason_" + str(roll.reason)),
            self.picture(roll.picture),
            tuple(
                FaceRow(chosen, tuple(Intent("pick", (roll.serial, die, face)) for face in range(1, 7)))
                for die, chosen in enumerate(roll.picked)
            ),
            tuple(choices),
        )

    def enter_question(self, overlay: Overlay) -> Question:
        count = len(overlay.about)
        picked = tuple(face if isinstance(face, int) else None for face in overlay.about)
        rows = tuple(
            FaceRow(chosen, tuple(Intent("enter_pick", (count, die, face)) for face in range(1, 7)))
            for die, chosen in enumerate(picked)
        )
        complete = None not in picked
        turn = self.state["turn"] if self.state is not None else ""
        return Question(
            self.say("enter_dice", player=turn),
            faces=rows,
            choices=(
                Choice(self.say("choice_right"), Intent("entered"), complete, complete, key="return"),
                Choice(self.say("cancel"), Intent("close"), key="escape"),
            ),
        )

    def correct_question(self, overlay: Overlay) -> Question:
        """The second of two taps: the right face of one die corrects it."""
        game_id, seq, dice = overlay.about
        assert isinstance(dice, tuple)
        rows = tuple(
            FaceRow(
                value,
                tuple(
                    Intent("correct", (game_id, seq, tuple(face if i == die else old for i, old in enumerate(dice))))
                    for face in range(1, 7)
                ),
            )
            for die, value in enumerate(dice)
        )
        shown = self.table.shown
        picture = self.picture(shown.picture) if shown is not None and shown.booked == (game_id, seq) else None
        if picture is None:
            picture = self.picture(f"{game_id}-{seq}.jpg")
        return Question(
            self.say("correct"),
            self.say("correct_detail"),
            picture,
            rows,
            (Choice(self.say("cancel"), Intent("close"), key="escape"),),
        )

    def entry(self) -> Entry | None:
        overlay = self.table.overlay
        if overlay is None or overlay.kind != "names" or self.table.question is not None:
            return None
        names, typed, error = overlay.about
        assert isinstance(names, tuple)
        start = typed.casefold() if isinstance(typed, str) else ""
        known = [name for name in self.table.remembered if name not in names and name.casefold().startswith(start)]
        return Entry(
            prompt=self.say("names_prompt", number=len(names) + 1),
            text=str(typed),
            suggestions=tuple(Choice(name, Intent("name", name)) for name in known[:8]),
            choices=(
                *(Choice(f"{name} ×", Intent("unname", name)) for name in names),
                Choice(self.say("names_start"), Intent("seat"), len(names) >= 2, len(names) >= 2),
                Choice(self.say("cancel"), Intent("close")),
            ),
            error=self.say("names_" + str(error)) if error else "",
        )

    def page(self) -> Page | None:
        overlay = self.table.overlay
        if self.table.question is not None or overlay is None:
            return None
        make = {
            "menu": self.menu_page,
            "rules": self.rules_page,
            "throws": self.throws_page,
            "statistics": self.statistics_page,
            "leave": self.leave_page,
            "why": self.why_page,
            "languages": self.languages_page,
            "next": self.next_page,
        }.get(overlay.kind)
        return make() if make is not None else None

    def close(self) -> Choice:
        return Choice(self.say("back"), Intent("close"), strong=True, key="escape")

    def menu_page(self) -> Page:
        table, on = self.table, self.table.playing
        choices = [
            Choice(self.say("menu_throws"), Intent("open", ("throws",)), table.game is not None),
            Choice(self.say("menu_rules"), Intent("open", ("rules",)), table.game is not None),
            Choice(self.say("menu_statistics"), Intent("open", ("statistics",)), table.game is not None),
            Choice(self.say("menu_leave"), Intent("open", ("leave",)), on),
            Choice(self.say("menu_abandon"), Intent("open", ("sure", "abandon", "")), on),
            Choice(self.say("menu_language"), Intent("open", ("languages",))),
            Choice(self.say("menu_quieter"), Intent("volume", table.volume - 1), table.volume > 0),
            Choice(self.say("menu_louder", volume=table.volume), Intent("volume", table.volume + 1), table.volume < 10),
        ]
        if may_calibrate(table):
            choices.append(Choice(self.say("menu_calibrate"), Intent("calibrate", ("begin", 0))))
        if not on and not self.around.central:
            choices.append(Choice(self.say("choice_names"), self.names_intent()))
        return Page(self.say("menu_menu"), choices=(*choices, self.close()))

    def rules_page(self) -> Page:
        """The reglement in force: one sentence a switch that matters."""
        assert self.game is not None
        reglement = self.game.reglement
        lines = tuple(
            self.say(f"rule_{name}", value=value)
            if isinstance(value, int) and name != "barrage_dice"
            else self.say(f"rule_{name}_{value}")
            for name, value in switches(reglement)
        )
        return Page(self.say("menu_rules"), lines, choices=(self.close(),))

    def throws_page(self) -> Page:
        """Every throw of the seating's games, the latest first; a tap corrects it."""
        choices = []
        for number, game in reversed(list(enumerate(counted(self.table.games), 1))):
            for seq, line in reversed(rules.in_force(game)):
                if line["type"] in ("throw", "start_die"):
                    detail = self.say("throws_game", number=number)
                    choices.append(Choice(self.line(line), Intent("edit", (game.game_id, seq)), detail=detail))
        return Page(self.say("menu_throws"), lines=(self.say("throws_lines"),), choices=(*choices, self.close()))

    def statistics_page(self) -> Page:
        """The games of this seating in figures, and what the dice look like, with its caveat.

        Of this seating: a player's other games of the evening are on other tables' cards; central has them all.
        """
        games = counted(self.table.games)
        names = ("player", "throws", "best", "zands", "sois", "azen", "fietskes", "stoefs", "luck")
        head = tuple(self.say("column_" + name) for name in names)
        rows = tuple(
            (
                name,
                str(one.throws),
                dashed(one.best) if one.best else "",
                str(one.zands),
                str(one.sois),
                str(one.azen),
                str(one.fietskes),
                f"{one.stoefs_won}/{one.stoefs_won + one.stoefs_lost}",
                f"{one.deviations_of_luck:+.1f}".replace("-", "−").replace(".", self.say("point")),
            )
            for name, one in statistics.of_evening(games).items()
        )
        counts = statistics.faces_of(games)
        verdict = statistics.fairness(counts).verdict
        key = "statistics_fair" if verdict == "as_expected" else "statistics_" + verdict
        return Page(self.say("page_statistics"), (self.say(key, dice=sum(counts)),), (head, *rows), (self.close(),))

    def leave_page(self) -> Page:
        state = self.state
        players = (
            [name for name in stripes_of(state) if name not in names_in(state["left"])] if state is not None else []
        )
        choices = tuple(Choice(name, Intent("open", ("sure", "leave", name))) for name in players)
        return Page(self.say("menu_leave"), lines=(self.say("leave_lines"),), choices=(*choices, self.close()))

    def why_page(self) -> Page:
        """What the last line did, each with the rule behind it."""
        before, game = self.table.before, self.game
        lines: list[str] = []
        if before is not None and game is not None and before.game_id == game.game_id:
            for happening in rules.explain(before, game):
                lines.append(self.happening(happening))
                if happening.rule is not None:
                    lines.append("\t" + self.rule(happening.rule, game.reglement.name))
        return Page(self.say("menu_why"), tuple(lines) or (self.say("why_nothing"),), choices=(self.close(),))

    def happening(self, happening: Happening) -> str:
        """One thing that the last line did, in one sentence."""
        free = happening.kind == "again" and not happening.amount
        return self.say(
            "because_again_free" if free else "because_" + happening.kind,
            player=happening.player or "",
            amount=happening.amount,
            dice=dashed(happening.dice) if happening.dice else happening.amount,
            others=self.names(happening.others),
        )

    def rule(self, rule: str, reglement: str) -> str:
        """A rule by its number: in the words of the reglement's own paper, which is Dutch, or else in ours."""
        paper = article(rule, reglement) if self.table.language == "nl" else None
        if paper is not None:
            return f"{rule} · {paper.heading}: “{paper.text}”"
        return f"{rule} · {self.say('article_' + rule)}"

    def next_page(self) -> Page:
        """Where everybody goes after this seating, once central knows."""
        tables = self.table.seating.next_tables if self.table.seating is not None else ()
        head = (self.say("column_player"), self.say("column_next_table"))
        return Page(self.say("page_break"), rows=(head, *tables), choices=(self.close(),))

    def languages_page(self) -> Page:
        choices = tuple(
            Choice(
                text(language, "language_name"), Intent("language", language), strong=language == self.table.language
            )
            for language in LANGUAGES
        )
        return Page(self.say("menu_language"), choices=(*choices, self.close()))


def names_in(value: object) -> tuple[str, ...]:
    """Names in a list of the summary."""
    assert isinstance(value, list | tuple)
    return tuple(value)


def stripes_of(state: Mapping[str, object]) -> Mapping[str, int]:
    """Stripes by name, in seat order."""
    stripes = state["stripes"]
    assert isinstance(stripes, Mapping)
    return stripes


def dashed(dice: tuple[int, ...]) -> str:
    """Dice as people write them: 1-4-6."""
    return "-".join(str(value) for value in sorted(dice))
