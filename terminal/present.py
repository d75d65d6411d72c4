"""From the table to the screen: what stands there, in the language of the table, and what each tap means.

Pure. It knows the summary of a game (CONTRACT section 2), not its rules; words for throws come from `rules.throws`.
"""

from __future__ import annotations

from collections.abc import Mapping

from terminal.display.naming import shorter
from terminal.display.view import Choice, DiceShown, Intent, Seat, View
from terminal.overlays import Overlays, Speaker, Surroundings, dashed, names_in, stripes_of
from terminal.rules import fold as rules
from terminal.rules import throws as throws_
from terminal.rules.contract import Outcome
from terminal.rules.fold import Fold
from terminal.rules.reglement import load
from terminal.rules.standings import POINTS_OF_FINAL
from terminal.table import (
    Seating,
    Table,
    allowed,
    asks_for,
    counted,
    loser,
    seated,
    seating_over,
    throw_ask,
    undoable,
    was_of,
)

BUTTONS = ("stoef", "ogen", "punten", "klaar")
LONG_NAME = 14  # letters


def present(table: Table, around: Surroundings) -> View:
    """The whole screen for a table."""
    return _Screen(table, around).view()


class _Screen(Speaker):
    """One view being made; gathers what its parts share."""

    def view(self) -> View:
        table = self.table
        over = Overlays(table, self.around)
        return View(
            title=self.title(),
            prompt=self.prompt(),
            seats=self.seats(),
            facts=self.facts(),
            dice=self.dice(),
            choices=self.choices(),
            menu=self.menu(),
            notice=self.notice(),
            question=over.question(),
            entry=over.entry(),
            page=over.page(),
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
            return self.over()
        payer = loser(self.game) if self.game is not None else None
        return self.say("prompt_pays", player=payer) if payer is not None else self.say("prompt_next_game")

    def over(self) -> str:
        """The last game here is played: who won it where that matters, else the break."""
        end = rules.outcome(self.game) if self.game is not None else None
        kind = self.table.seating.kind if self.table.seating is not None else "seating"
        first = next((name for name, place in end.places.items() if place == 1), None) if end is not None else None
        if kind == "seating" or first is None:
            return self.say("prompt_break" if self.around.central else "prompt_again")
        return self.say("prompt_final_won" if kind == "final" else "prompt_first_out", player=first)

    def seats(self) -> tuple[Seat, ...]:
        state, game = self.state, self.game
        if state is None or game is None:
            seating = self.table.seating
            if seating is None:
                return ()
            stripes = stripes_of_seating(seating)
            return tuple(Seat(name, stripes) for name in seated(seating, self.table.games)[0])
        barrage = state["barrage"]
        return tuple(self.seat(name, state, game, barrage) for name in game.players)

    def seat(self, name: str, state: Mapping[str, object], game: Fold, barrage: Mapping[str, object] | None) -> Seat:
        out, left = names_in(state["out"]), names_in(state["left"])
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
        if barrage is not None and name in names_in(barrage["players"]):
            badges.append(self.say("badge_barrage"))
            thrown = barrage["throws"]
            if isinstance(thrown, Mapping) and name in thrown:
                throws, best, most = (*throws, tuple(thrown[name])), len(throws), None
        return Seat(
            name=name,
            marks=stripes_of(state)[name],
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
        end = rules.outcome(self.game) if self.game is not None else None
        if end is not None:
            return self.end_of(name, end)
        if name in out:
            return self.say("note_out", place=out.index(name) + 1)
        return ""

    def end_of(self, name: str, end: Outcome) -> str:
        """A player's place and what it brings: K40, in a final K44, and in a play-off the place alone (K43, K45)."""
        kind = self.table.seating.kind if self.table.seating is not None else "seating"
        place, points = end.places[name], end.points[name]
        if kind == "final":
            points = POINTS_OF_FINAL[place - 1] if place is not None and place <= len(POINTS_OF_FINAL) else 0
        elif name == end.loser:
            return self.say("note_loser")
        if place is None:
            return self.say("note_points", points=points)
        if kind in ("seating", "final"):
            return self.say("note_place", place=place, points=points)
        return self.say("note_only_place", place=place)

    def facts(self) -> tuple[str, ...]:
        state, game = self.state, self.game
        if state is None or game is None:
            return ()
        said = []
        round_, barrage, last = state["round"], state["barrage"], state["last_round"]
        if barrage is not None:
            players = self.names([self.brief(name) for name in names_in(barrage["players"])])
            if barrage["mode"] is not None:
                said.append(self.say("fact_barrage_" + barrage["mode"], players=players))
            else:
                said.append(self.say("fact_barrage", players=players))
        if isinstance(round_, Mapping) and round_["throws_allowed"] is not None:
            said.append(self.say("fact_throws", starter=self.brief(round_["starter"]), count=round_["throws_allowed"]))
        best = self.best_of_round(game, round_) if isinstance(round_, Mapping) and barrage is None else ""
        if best:
            said.append(best)
        elif last is not None and state["phase"] in ("throwing", "finished"):
            said.append(self.say("fact_last_round", winner=self.brief(last["winner"]), wiped=last["wiped"]))
        if state["phase"] == "finished" and loser(game) is not None:
            said.append(self.say("fact_pays", player=self.brief(loser(game))))
        return tuple(said)

    def brief(self, name: object) -> str:
        """A long name made short, for the crowded line on top."""
        assert self.game is not None
        players = self.game.players
        return shorter(players)[players.index(str(name))][-1] if len(str(name)) > LONG_NAME else str(name)

    def best_of_round(self, game: Fold, round_: Mapping[str, object]) -> str:
        """Who leads the round and with what; several where they are equal."""
        throws = round_["throws"]
        assert isinstance(throws, Mapping)
        counting = {}
        for name, made in throws.items():
            at = _counting(game, tuple(tuple(dice) for dice in made))
            if at is not None:
                counting[name] = tuple(made[at])
        strength = {name: throws_.strength(dice, game.reglement.zand) for name, dice in counting.items()}
        leaders = [name for name in counting if strength[name] == max(strength.values())]
        if not leaders:
            return ""
        return self.say(
            "fact_best", players=self.names(list(map(self.brief, leaders))), dice=dashed(counting[leaders[0]])
        )

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

    # -- what can be tapped

    def choices(self) -> tuple[Choice, ...]:
        table = self.table
        buttons = []
        for name in BUTTONS:
            open_ = allowed(table, name)
            label = self.say("button_" + name)  # always the word that stands on the button beside the tray
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
        if table.seating is not None and table.seating.next_tables and seating_over(table):
            found.append(Choice(self.say("choice_next"), Intent("open", ("next",)), strong=True))
        if not table.playing and not self.around.central and (table.seating is None or seating_over(table)):
            found.append(Choice(self.say("choice_names"), self.names_intent(), strong=True, key="n"))
        return tuple(found)

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

    # -- sentences that stay

    def notice(self) -> str:
        note = self.table.note
        if note is None:
            return ""
        fields = dict(note.fields)
        if note.key == "refused":  # the rules say it in Dutch, with names and numbers
            dutch = self.table.language == "nl"
            return str(fields["message"]) if dutch else self.say(f"refused_{fields['code']}")
        for name in ("values", "kept", "was", "now"):
            if isinstance(fields.get(name), tuple):
                fields[name] = dashed(fields[name])  # type: ignore[arg-type]
        if "line" in fields:
            fields["line"] = self.line(dict(fields["line"]))  # type: ignore[call-overload]
        return self.say("notice_" + note.key, **fields)


def stripes_of_seating(seating: Seating) -> int:
    """With how many stripes everybody begins: the seating's own, else its reglement's."""
    if seating.stripes is not None:
        return seating.stripes
    reglement = seating.reglement
    return int(str(reglement["stripes"])) if isinstance(reglement, Mapping) else load(reglement).stripes


def _counting(game: Fold, throws: tuple[tuple[int, ...], ...]) -> int | None:
    """Which throw of a turn counts: the best, or the last where the reglement says so."""
    if not throws:
        return None
    reglement = game.reglement
    if reglement.counts == "last":
        return len(throws) - 1
    return max(range(len(throws)), key=lambda at: throws_.strength(throws[at], reglement.zand))
