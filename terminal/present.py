"""From the table to the screen: what stands there, in the language of the table, and what each tap means.

Pure. It knows the summary of a game (CONTRACT section 2), not its rules; words for throws come from `rules.throws`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from terminal.display.texts import LANGUAGES, text
from terminal.display.view import (
    Choice,
    DiceShown,
    Entry,
    FaceRow,
    Intent,
    Lamp,
    Page,
    Picture,
    Question,
    Seat,
    View,
)
from terminal.rules import fold as rules
from terminal.rules import throws as throws_
from terminal.rules.contract import Happening
from terminal.rules.fold import Fold
from terminal.rules.reglement import summary_lines
from terminal.table import (
    Overlay,
    Roll,
    Table,
    allowed,
    asks_for,
    can_go_on,
    counted,
    loser,
    seated,
    seating_over,
    throw_ask,
    undoable,
    was_of,
)
from terminal.wishes import dice_of

BUTTONS = ("stoef", "ogen", "punten", "klaar")


class Surroundings(NamedTuple):
    """What the screen shows beside the game: the parts of the terminal and the pictures."""

    lamps: tuple[Lamp, ...] = ()
    picture: Callable[[str], Picture | None] = lambda key: None  # a picture by its key, None when it is gone
    pairing: str | None = None  # code that the organiser must type
    central: bool = False  # whether seatings come from a central
    sounds: tuple[int, tuple[str, ...]] = (0, ())


def present(table: Table, around: Surroundings) -> View:
    """The whole screen for a table."""
    return _Screen(table, around).view()


class _Screen:
    """One view being made; gathers what its parts share."""

    def __init__(self, table: Table, around: Surroundings) -> None:
        self.table = table
        self.around = around
        self.game = table.game
        self.state = rules.summary(table.game) if table.game is not None else None

    def say(self, key: str, **fields: object) -> str:
        return text(self.table.language, key, **fields)

    def view(self) -> View:
        table = self.table
        return View(
            title=self.title(),
            prompt=self.prompt(),
            seats=self.seats(),
            facts=self.facts(),
            dice=self.dice(),
            choices=self.choices(),
            menu=self.menu(),
            notice=self.notice(),
            question=self.question(),
            entry=self.entry(),
            page=self.page(),
            lamps=self.around.lamps,
            sounds=self.around.sounds,
            volume=table.volume,
            language=table.language,
        )

    # -- the table itself

    def title(self) -> str:
        seating = self.table.seating
        if seating is None:
            return self.say("title_table", table=self.table.name)
        number = seating.number - 1 + max(1, len(counted(self.table.games)) + self.dead_game())
        if seating.kind != "seating":
            return self.say("title_" + seating.kind, table=seating.table)
        return self.say(
            "title_seating", table=seating.table, seating=seating.seating, number=number, games=seating.games
        )

    def dead_game(self) -> int:
        """1 while the current game is a false start, whose number is played again."""
        return len(self.table.games) - len(counted(self.table.games))

    def prompt(self) -> str:
        table, state = self.table, self.state
        if table.paused:
            return self.say("prompt_paused")
        if state is None or self.game is None:
            if table.seating is not None:
                return self.say("prompt_begin")
            if self.around.pairing is not None:
                return self.say("prompt_pairing", code=self.around.pairing)
            return self.say("prompt_waiting" if self.around.central else "prompt_names")
        turn, phase = state["turn"], state["phase"]
        if phase == "finished":
            return self.after_game()
        if phase == "start_roll":
            return self.say("prompt_start_roll", player=turn)
        if phase == "barrage_choice":
            return self.say("prompt_barrage_choice", player=turn)
        if phase == "barrage":
            ask = throw_ask(self.game)
            key = "prompt_barrage_one" if ask is not None and ask.dice == 1 else "prompt_barrage"
            return self.say(key, player=turn)
        if asks_for(table, "stand"):
            return self.say("prompt_stand", player=turn)
        number = len(state["round"]["throws"].get(turn, ())) + 1
        most = state["round"]["throws_allowed"]
        if most is None or most == 1:
            return self.say("prompt_throw", player=turn)
        return self.say("prompt_throw_of", player=turn, number=number, most=most)

    def after_game(self) -> str:
        table = self.table
        if table.waiting is not None and seating_over(table):
            return self.say("prompt_new_seating")
        if seating_over(table):
            return self.say("prompt_break" if self.around.central else "prompt_again")
        return self.say("prompt_next_game")

    def seats(self) -> tuple[Seat, ...]:
        state, game = self.state, self.game
        if state is None or game is None:
            seating = self.table.seating
            if seating is None:
                return ()
            stripes = seating.stripes or 0
            return tuple(Seat(name, stripes) for name in seated(seating, self.table.games)[0])
        barrage = state["barrage"]
        return tuple(self.seat(name, state, game, barrage) for name in game.players)

    def seat(self, name: str, state: Mapping[str, object], game: Fold, barrage: Mapping[str, object] | None) -> Seat:
        out, left = _names(state["out"]), _names(state["left"])
        throws: tuple[tuple[int, ...], ...] = ()
        badges: list[str] = []
        best: int | None = None
        most: int | None = None
        round_ = state["round"]
        if isinstance(round_, Mapping):
            throws = tuple(tuple(dice) for dice in round_["throws"].get(name, ()))
            most = round_["throws_allowed"]
            best = _counting(game, throws)
            if name in round_["stoef"]:
                badges.append(self.say("badge_stoef"))
            if name == round_["starter"] and state["phase"] == "throwing":
                badges.append(self.say("badge_starter"))
        if barrage is not None and name in _names(barrage["players"]):
            badges.append(self.say("badge_barrage"))
            thrown = barrage["throws"]
            if isinstance(thrown, Mapping) and name in thrown:
                throws, best, most = (*throws, tuple(thrown[name])), len(throws), None
        return Seat(
            name=name,
            marks=_stripes(state)[name],
            turn=state["turn"] == name,
            gone=name in out or name in left,
            note=self.note(name, state, out, left),
            badges=tuple(badges),
            throws=throws,
            best=best,
            throws_allowed=most,
        )

    def note(self, name: str, state: Mapping[str, object], out: tuple[str, ...], left: tuple[str, ...]) -> str:
        if name in left:
            return self.say("note_left")
        points = state["points"]
        if isinstance(points, Mapping) and self.game is not None:
            if name == loser(self.game):
                return self.say("note_loser")
            if name in out:
                return self.say("note_place", place=out.index(name) + 1, points=points[name])
            return self.say("note_points", points=points[name])
        if name in out:
            return self.say("note_out", place=out.index(name) + 1)
        return ""

    def facts(self) -> tuple[str, ...]:
        state, game = self.state, self.game
        if state is None or game is None:
            return ()
        said = []
        round_, barrage, last = state["round"], state["barrage"], state["last_round"]
        if barrage is not None:
            players = self.names(barrage["players"])
            if barrage["mode"] is not None:
                said.append(self.say("fact_barrage_" + barrage["mode"], players=players))
            else:
                said.append(self.say("fact_barrage", players=players))
        if isinstance(round_, Mapping) and round_["throws_allowed"] is not None:
            said.append(self.say("fact_throws", starter=round_["starter"], count=round_["throws_allowed"]))
        if last is not None and state["phase"] in ("throwing", "finished"):
            said.append(self.say("fact_last_round", winner=last["winner"], wiped=last["wiped"]))
        if state["phase"] == "finished" and loser(game) is not None:
            said.append(self.say("fact_pays", player=loser(game)))
        return tuple(said)

    def dice(self) -> DiceShown | None:
        shown = self.table.shown
        if shown is None:
            return None
        intent = Intent("edit", shown.booked) if shown.booked is not None else None
        word = self.say("why_" + shown.why_not) if shown.why_not else self.word(shown.values)
        who = shown.who or ""
        return DiceShown(shown.values, who, word, shown.sure, self.picture(shown.picture), intent)

    def word(self, dice: tuple[int, ...]) -> str:
        """What the table calls these dice."""
        if len(dice) != 3 or self.game is None:
            return ""
        reglement = self.game.reglement
        kind = "fietske" if tuple(sorted(dice)) == throws_.FIETSKE else throws_.kind_of(dice)
        if kind in reglement.labels:
            return str(reglement.labels[kind])
        number = dice[0] if kind == "zand" else throws_.punten_of(dice)
        return self.say("word_" + kind, number=number)

    def picture(self, key: str | None) -> Picture | None:
        return self.around.picture(key) if key is not None else None

    def names(self, names: object) -> str:
        return self.say("and").join(_names(names))

    # -- what can be tapped

    def choices(self) -> tuple[Choice, ...]:
        table = self.table
        buttons = []
        for name in BUTTONS:
            open_ = allowed(table, name)
            label = self.say("button_" + name)
            if name == "klaar" and can_go_on(table):
                label = self.say("button_next")
            buttons.append(Choice(label, Intent(name), open_, strong=open_ and name != "stoef", key=name[0]))
        return (*buttons, *self.moment())

    def moment(self) -> tuple[Choice, ...]:
        """What only this moment offers, beside the four buttons."""
        table, found = self.table, []
        other = was_of(table)
        if other is not None and table.shown is not None and table.shown.booked is not None:
            found.append(
                Choice(self.say("choice_was_of", player=other), Intent("was_of", (table.shown.booked[1], other)))
            )
        if table.shown is not None and table.shown.booked is not None and table.shown.who is not None:
            undo = undoable(table)
            if undo is not None and undo[:2] == table.shown.booked:
                label = self.say("choice_not_of", player=table.shown.who)
                found.append(Choice(label, Intent("undo", undo[:2])))
        if table.playing and table.dice_wanted and table.question is None and not table.paused:
            found.append(Choice(self.say("choice_enter"), Intent("enter_dice"), key="d"))
            if asks_for(table, "die_outside"):
                found.append(Choice(self.say("choice_outside"), Intent("outside"), key="b"))
        if not table.playing and not self.around.central and (table.seating is None or seating_over(table)):
            found.append(Choice(self.say("choice_names"), self.names_intent(), strong=True, key="n"))
        return tuple(found)

    def names_intent(self) -> Intent:
        table = self.table
        names = seated(table.seating, table.games)[0] if table.seating is not None else ()
        return Intent("open", ("names", names, "", ""))

    def menu(self) -> tuple[Choice, ...]:
        table = self.table
        undo = undoable(table)
        label = self.say("menu_undo")
        detail = self.line(undo[2]) if undo is not None else ""
        return (
            Choice(label, Intent("undo", undo[:2] if undo else None), undo is not None, key="z", detail=detail),
            Choice(self.say("menu_why"), Intent("open", ("why",)), table.before is not None, key="w"),
            Choice(self.say("menu_resume" if table.paused else "menu_pause"), Intent("pause"), key="p"),
            Choice(self.say("menu_menu"), Intent("open", ("menu",)), key="m"),
        )

    def line(self, line: Mapping[str, object]) -> str:
        """A line of the journal in a few words: what an undo would take back, or what a list shows."""
        kind = str(line["type"])
        fields = {"player": line.get("player", ""), "mode": line.get("mode", "")}
        if kind in ("throw", "start_die"):
            return self.say("line_" + kind, dice=_dashed(dice_of(line)), **fields)
        return self.say("line_" + kind, **fields)

    # -- sentences that stay

    def notice(self) -> str:
        note = self.table.note
        if note is None:
            return ""
        fields = dict(note.fields)
        for name in ("values", "kept", "was", "now"):
            if isinstance(fields.get(name), tuple):
                fields[name] = _dashed(fields[name])  # type: ignore[arg-type]
        if "line" in fields:
            fields["line"] = self.line(dict(fields["line"]))  # type: ignore[call-overload]
        return self.say("notice_" + note.key, **fields)

    # -- overlays

    def question(self) -> Question | None:
        roll = self.table.question
        if roll is not None and self.state is not None:
            return self.reading_question(roll, str(self.state["turn"]))
        overlay = self.table.overlay
        if overlay is None:
            return None
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
                str(overlay.about[3]),
                choices=(
                    Choice(self.say("back_to_yes"), Intent("back_to"), strong=True),
                    Choice(self.say("cancel"), Intent("close")),
                ),
            )
        return None

    def reading_question(self, roll: Roll, turn: str) -> Question:
        """A doubt: yes, the right faces, thrown again, or a die outside: each one tap away."""
        complete = all(face is not None for face in roll.picked)
        again = self.say("choice_cocked" if roll.reason == "cocked" else "choice_again")
        choices = [
            Choice(self.say("choice_right"), Intent("answer", roll.serial), complete, complete, key="return"),
            Choice(again, Intent("again", roll.serial), strong=roll.reason == "cocked" or not complete, key="o"),
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
            "leave": self.leave_page,
            "why": self.why_page,
            "languages": self.languages_page,
        }.get(overlay.kind)
        return make() if make is not None else None

    def close(self) -> Choice:
        return Choice(self.say("back"), Intent("close"), strong=True, key="escape")

    def menu_page(self) -> Page:
        table, on = self.table, self.table.playing
        choices = [
            Choice(self.say("menu_throws"), Intent("open", ("throws",)), table.game is not None),
            Choice(self.say("menu_rules"), Intent("open", ("rules",)), table.game is not None),
            Choice(self.say("menu_leave"), Intent("open", ("leave",)), on),
            Choice(self.say("menu_abandon"), Intent("open", ("sure", "abandon", "")), on),
            Choice(self.say("menu_language"), Intent("open", ("languages",))),
            Choice(self.say("menu_quieter"), Intent("volume", table.volume - 1), table.volume > 0),
            Choice(self.say("menu_louder", volume=table.volume), Intent("volume", table.volume + 1), table.volume < 10),
        ]
        if not on and not self.around.central:
            choices.append(Choice(self.say("choice_names"), self.names_intent()))
        return Page(self.say("menu_menu"), choices=(*choices, self.close()))

    def rules_page(self) -> Page:
        assert self.game is not None
        return Page(
            self.say("menu_rules"),
            lines=summary_lines(self.game.reglement),
            choices=(self.close(),),
        )

    def throws_page(self) -> Page:
        """Every throw of the seating's games, the latest first; a tap corrects it."""
        choices = []
        for number, game in reversed(list(enumerate(counted(self.table.games), 1))):
            for seq, line in reversed(rules.in_force(game)):
                if line["type"] in ("throw", "start_die"):
                    detail = self.say("throws_game", number=number)
                    choices.append(Choice(self.line(line), Intent("edit", (game.game_id, seq)), detail=detail))
        return Page(self.say("menu_throws"), lines=(self.say("throws_lines"),), choices=(*choices, self.close()))

    def leave_page(self) -> Page:
        state = self.state
        players = [name for name in _stripes(state) if name not in _names(state["left"])] if state is not None else []
        choices = tuple(Choice(name, Intent("open", ("sure", "leave", name))) for name in players)
        return Page(self.say("menu_leave"), lines=(self.say("leave_lines"),), choices=(*choices, self.close()))

    def why_page(self) -> Page:
        before, game = self.table.before, self.game
        lines: tuple[str, ...] = ()
        if before is not None and game is not None and before.game_id == game.game_id:
            lines = tuple(self.happening(happening) for happening in rules.explain(before, game))
        return Page(self.say("menu_why"), lines=lines or (self.say("why_nothing"),), choices=(self.close(),))

    def happening(self, happening: Happening) -> str:
        """One thing that the last line did, with the rule behind it."""
        said = self.say(
            "because_" + happening.kind,
            player=happening.player or "",
            amount=happening.amount,
            dice=_dashed(happening.dice) if happening.dice else happening.amount,
            others=self.names(happening.others),
        )
        return f"{said} ({happening.rule})" if happening.rule else said

    def languages_page(self) -> Page:
        choices = tuple(
            Choice(
                text(language, "language_name"), Intent("language", language), strong=language == self.table.language
            )
            for language in LANGUAGES
        )
        return Page(self.say("menu_language"), choices=(*choices, self.close()))


def _counting(game: Fold, throws: tuple[tuple[int, ...], ...]) -> int | None:
    """Which throw of a turn counts: the best, or the last where the reglement says so."""
    if not throws:
        return None
    reglement = game.reglement
    if reglement.counts == "last":
        return len(throws) - 1
    return max(range(len(throws)), key=lambda at: throws_.strength(throws[at], reglement.zand))


def _names(value: object) -> tuple[str, ...]:
    assert isinstance(value, list | tuple)
    return tuple(value)


def _stripes(state: Mapping[str, object]) -> Mapping[str, int]:
    stripes = state["stripes"]
    assert isinstance(stripes, Mapping)
    return stripes


def _dashed(dice: tuple[int, ...]) -> str:
    return "-".join(str(value) for value in sorted(dice))
