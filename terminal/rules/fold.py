"""From lines to state, for every game: seq, undo and correction.

Nothing is mutated and nothing is ever subtracted. A fold remembers the fold before it, so undo goes back to a kept
state; a correction applies the lines again from the corrected one on. A refused line leaves the fold as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from terminal.rules.contract import Ask, Contradicted, Game, Happening, Line, Outcome, Refused
from terminal.rules.events import seq_of
from terminal.rules.game import GAMES


class Step(NamedTuple):
    """One event in force: its line with corrections applied, the state after it, and the step before."""

    seq: int
    line: Line
    state: Any
    before: Step | None


class Beginning(NamedTuple):
    """What stays the same for a whole journal: which game, and its `game_started` line."""

    game: Game[Any]
    line: Line


class Fold:
    """A game after some of its lines.

    seq: of the last accepted line. line: that line. state: the game's own state. Compared by identity.
    """

    __slots__ = ("_beginning", "_latest", "_previous", "_step", "_undone", "line", "seq")

    def __init__(
        self,
        beginning: Beginning,
        seq: int,
        line: Line,
        step: Step,
        latest: tuple[int, Line] | None,
        undone: Fold | None,
        previous: Fold | None,
    ) -> None:
        self._beginning = beginning
        self.seq = seq
        self.line = line
        self._step = step
        self._latest = latest  # what `undo` would take back
        self._undone = undone  # and the fold that gives
        self._previous = previous  # the fold before this line, whatever the line was

    def __repr__(self) -> str:
        return f"Fold({self.game_id!r}, seq={self.seq}, line={self.line!r})"

    @property
    def state(self) -> Any:  # noqa: ANN401  # each game has its own
        """The game's state."""
        return self._step.state

    @property
    def game(self) -> Game[Any]:
        """Which game it is."""
        return self._beginning.game

    @property
    def started(self) -> Line:
        """The `game_started` line."""
        return self._beginning.line

    @property
    def game_id(self) -> str:
        """Field `game` of the start."""
        return str(self.started["game"])

    @property
    def players(self) -> tuple[str, ...]:
        """All players, in seat order."""
        return tuple(self.started["players"])

    @property
    def reglement(self) -> Any:  # noqa: ANN401  # each game has its own
        """The reglement in force."""
        return self.game.reglement(self.state)

    @property
    def lines(self) -> tuple[Line, ...]:
        """All accepted lines, `undo` and `correction` too; line k has seq k."""
        lines = []
        fold: Fold | None = self
        while fold is not None:
            lines.append(fold.line)
            fold = fold._previous
        return tuple(reversed(lines))


def _game_of(line: Line) -> Game[Any]:
    """Which game a `game_started` begins: field `rules` of its reglement object, else pitjesbak."""
    reglement = line.get("reglement")
    name = reglement.get("rules") if isinstance(reglement, Mapping) else None
    return GAMES.get(name if isinstance(name, str) else "pitjesbak", GAMES["pitjesbak"])


def begin(line: Line) -> Fold:
    """A new game from its `game_started` line, seq 0; raises Refused."""
    if line.get("type") != "game_started":
        raise Refused("no_game", "Er is nog geen spel begonnen.")
    game = _game_of(line)
    return Fold(Beginning(game, line), 0, line, Step(0, line, game.begin(line), None), None, None, None)


def apply(fold: Fold, line: Line) -> Fold:
    """The fold after one more line, any but `game_started`; raises Refused."""
    kind = line.get("type")
    if kind == "undo":
        return _undo(fold, line)
    seq, before = fold.seq + 1, fold._step
    if kind == "correction":
        step = _corrected(fold, line)
    else:
        step = Step(seq, line, fold._beginning.game.apply(before.state, line), before)
    return Fold(fold._beginning, seq, line, step, (seq, line), fold, fold)


def _undo(fold: Fold, line: Line) -> Fold:
    of = seq_of(line)
    if fold._latest is None or fold._undone is None:
        raise Refused("nothing_to_undo", "Er is niets om ongedaan te maken.")
    if of != fold._latest[0]:
        raise Refused("not_latest", f"Alleen regel {fold._latest[0]} kan nu ongedaan gemaakt worden.")
    back = fold._undone
    return Fold(fold._beginning, fold.seq + 1, line, back._step, back._latest, back._undone, fold)


def _corrected(fold: Fold, line: Line) -> Step:
    """The steps with one line changed and all after it applied again."""
    of = seq_of(line)
    later = []
    step: Step | None = fold._step
    while step is not None and step.seq > of:
        later.append(step)
        step = step.before
    field = fold.game.corrects.get(step.line["type"]) if step is not None and step.seq == of else None
    if step is None or step.before is None or field is None:
        raise Refused("not_in_force", f"Regel {of} is geen worp die verbeterd kan worden.")
    if field not in line:
        raise Refused("bad_field", f"`{field}` ontbreekt in de verbetering.")
    changed = {**step.line, field: line[field]}
    made = Step(of, changed, fold.game.apply(step.before.state, changed), step.before)
    for step in reversed(later):
        try:
            made = Step(step.seq, step.line, fold.game.apply(made.state, step.line), made)
        except Refused as refusal:
            raise Contradicted(step.seq, refusal) from refusal
    return made


def summary(fold: Fold) -> dict[str, Any]:
    """The contract's State."""
    return {"seq": fold.seq, **fold.game.summary(fold._step.state)}


def asks(fold: Fold) -> tuple[Ask, ...]:
    """Who must or may do what now; empty when finished."""
    return fold.game.asks(fold._step.state)


def outcome(fold: Fold) -> Outcome | None:
    """How the game ended, or None while it goes on."""
    return fold.game.outcome(fold._step.state)


def latest(fold: Fold) -> tuple[int, Line] | None:
    """The line that `undo` would take back now, with its seq; None right after the start."""
    return fold._latest


def steps(fold: Fold) -> tuple[Step, ...]:
    """The game's events still in force, corrections applied, in order; the first is the start."""
    chain = []
    step: Step | None = fold._step
    while step is not None:
        chain.append(step)
        step = step.before
    return tuple(reversed(chain))


def in_force(fold: Fold, with_start: bool = False) -> tuple[tuple[int, Line], ...]:
    """The lines of `steps` with their seq, without the start unless it is asked for."""
    return tuple((step.seq, step.line) for step in steps(fold)[0 if with_start else 1 :])


def explain(before: Fold, after: Fold) -> tuple[Happening, ...]:
    """What the last line of `after` did to `before`, as facts for the screen and for "waarom?"."""
    kind = after.line["type"]
    if kind == "undo" and before._latest is not None:
        return (_about("undone", before._latest[1], before),)
    if kind == "correction":
        return (_about("corrected", after.line, before),)
    return after.game.explain(before.state, after.line, after.state)


def _about(kind: str, line: Line, fold: Fold) -> Happening:
    """A happening about a line; a correction is about the player of the line that it corrects."""
    player = line.get("player")
    if line["type"] == "correction":
        player = next(corrected["player"] for seq, corrected in in_force(fold) if seq == line["of"])
    dice = tuple(sorted(line["dice"])) if isinstance(line.get("dice"), list | tuple) else ()
    value = line.get("value")
    return Happening(kind, None, player, value if isinstance(value, int) else 0, dice)
