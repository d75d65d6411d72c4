"""The evening and the season around the games: points, places, final, play-offs, prizes (K40 to K48).

Pure functions over plain records. A player is an integer: his number in an evening, and in a season whatever stays the
same for a person. Nothing is stored here; a standing is made again from the games each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from random import Random
from typing import NamedTuple

SEATS_IN_FINAL = 5
MOST_AT_A_TABLE = 8
PLAYOFF_STRIPES = 6
DECIDING_STRIPES = 12
POINTS_OF_FINAL = (10, 6, 4, 2, 1)
"""What the places of a final bring (K44)."""

PLACE_OF_POINTS = {5: 1, 3: 2, 1: 3}
"""A place counts only where it brought its points (K40), so the points say which it was."""


class GameResult(NamedTuple):
    """A finished game. kind: `seating`, `final`, `playoff` or `deciding`.

    places: of every player, None for a leaver and for the unplaced of an abandoned game. points: by K40; they count in
    games of a seating only.
    """

    kind: str
    places: Mapping[int, int | None]
    points: Mapping[int, int]


class Tally(NamedTuple):
    """What a player has to show. evenings: evenings played (K47), 0 where it does not matter."""

    points: int = 0
    evenings: int = 0
    firsts: int = 0
    seconds: int = 0
    thirds: int = 0


class Reason(NamedTuple):
    """Why a player stands above the next one: `what` is the first thing in which they differ.

    what: a field of Tally, or `deciding` for a deciding game; rule: the number it rests on.
    """

    what: str
    rule: str
    mine: int
    theirs: int


class Row(NamedTuple):
    """One line of a standing. place: shared by equals. above_next: None for the last, and between equals."""

    place: int
    player: int
    tally: Tally
    above_next: Reason | None


def tallies(players: Iterable[int], games: Iterable[GameResult]) -> dict[int, Tally]:
    """Points and places of the games of seatings (K40); final, play-off and deciding games bring none of them here."""
    points: Counter[int] = Counter()
    places: Counter[tuple[int, int]] = Counter()
    for game in games:
        if game.kind != "seating":
            continue
        for player, earned in game.points.items():
            points[player] += earned
            if earned in PLACE_OF_POINTS:
                places[player, PLACE_OF_POINTS[earned]] += 1
    return {
        player: Tally(points[player], 0, places[player, 1], places[player, 2], places[player, 3]) for player in players
    }


def has_played(player: int, games: Iterable[GameResult]) -> bool:
    """Whether a player finished at least one game of a seating (K47): he has a place in one."""
    return any(game.kind == "seating" and game.places.get(player) is not None for game in games)


# Order of comparison: fields of Tally, each with its rule.
BY_EVENING = (("points", "K41"), ("firsts", "K41"), ("seconds", "K41"), ("thirds", "K41"))
AFTER_FINAL = (("points", "K44"), ("evenings", "K45"), ("firsts", "K45"), ("seconds", "K45"), ("thirds", "K45"))
OF_SEASON = (("points", "K48"), ("evenings", "K48"), ("firsts", "K48"), ("seconds", "K48"), ("thirds", "K48"))
Order = Sequence[tuple[str, str]]


def _key(tally: Tally, order: Order) -> tuple[int, ...]:
    return tuple(-getattr(tally, what) for what, _ in order)


def _reason(mine: Tally, theirs: Tally, order: Order) -> Reason | None:
    for what, rule in order:
        if getattr(mine, what) != getattr(theirs, what):
            return Reason(what, rule, getattr(mine, what), getattr(theirs, what))
    return None


def _groups(players: Iterable[int], known: Mapping[int, Tally], order: Order) -> list[tuple[int, ...]]:
    """Groups of equals, best first, by number within a group."""
    ordered = sorted(players, key=lambda player: (_key(known[player], order), player))
    return [tuple(group) for _, group in groupby(ordered, key=lambda player: _key(known[player], order))]


def ranked(known: Mapping[int, Tally], order: Order) -> tuple[Row, ...]:
    """A standing by one order of comparison, equals sharing the place."""
    rows = []
    groups = _groups(known, known, order)
    place = 1
    for at, group in enumerate(groups):
        following = groups[at + 1][0] if at + 1 < len(groups) else None
        for player in group:
            last = player == group[-1] and following is not None
            above = _reason(known[player], known[following], order) if last and following is not None else None
            rows.append(Row(place, player, known[player], above))
        place += len(group)
    return tuple(rows)


def evening_standing(players: Iterable[int], games: Iterable[GameResult]) -> tuple[Row, ...]:
    """The standing of an evening before any final (K41): points, then games won, second places, third places."""
    return ranked(tallies(players, games), BY_EVENING)


# -- the final ------------------------------------------------------------------------------------------------------


class Game(NamedTuple):
    """A game that must be played. seats: clockwise; it always has a start roll. stripes: None for K1's."""

    kind: str
    seats: tuple[int, ...]
    stripes: int | None


class Needed(NamedTuple):
    """More equals than places: a play-off (K43) or a deciding game (K45) is needed between them.

    places: how many of them there are to win. game: to be played; None until lots have drawn eight of `equals`.
    """

    equals: tuple[int, ...]
    places: int
    game: Game | None


def _needed(kind: str, stripes: int, equals: Iterable[int], places: int, drawn: Iterable[int]) -> Needed:
    """Seats by number; more than a table holds need lots first."""
    seats = equals = tuple(sorted(equals))
    if len(equals) > MOST_AT_A_TABLE:
        seats = tuple(sorted(set(drawn) & set(equals)))
        if len(seats) != MOST_AT_A_TABLE:
            return Needed(equals, places, None)
    return Needed(equals, places, Game(kind, seats, stripes))


class FinalField(NamedTuple):
    """Who plays the final. seats: clockwise, in the order of the standing; playoff: None when all are known (K42)."""

    seats: tuple[int, ...]
    playoff: Needed | None


def final_field(
    standing: Sequence[Row],
    present: Iterable[int],
    playoffs: Sequence[GameResult] = (),
    drawn: Iterable[int] = (),
) -> FinalField:
    """The best five who are present, all when there are five or fewer (K42); play-offs decide between equals (K43).

    playoffs: those already played, in order. drawn: the eight that lots have drawn, where more than eight are equal.
    """
    here = set(present)
    rows = [row for row in standing if row.player in here]
    place_of = {row.player: row.place for row in standing}
    sure: list[int] = []
    playoff = None
    for _, group_rows in groupby(rows, key=lambda row: row.place):
        group = tuple(row.player for row in group_rows)
        free = SEATS_IN_FINAL - len(sure)
        if free <= 0:
            break
        if len(group) <= free:
            sure += group
            continue
        taken, playoff = _by_playoffs(group, free, playoffs, drawn)
        sure += taken
        break
    seats = tuple(sorted(sure, key=lambda player: (place_of[player], player)))
    return FinalField(seats, playoff)


def _by_playoffs(
    equals: tuple[int, ...], free: int, playoffs: Sequence[GameResult], drawn: Iterable[int]
) -> tuple[list[int], Needed | None]:
    """Who of the equals has a seat by the play-offs played so far, and the play-off that is still needed."""
    taken: list[int] = []
    for group in _parted(equals, playoffs):
        if len(group) > free - len(taken):
            return taken, _needed("playoff", PLAYOFF_STRIPES, group, free - len(taken), drawn)
        taken += group
        if len(taken) == free:
            break
    return taken, None


def _places_of(game: GameResult) -> list[tuple[int, ...]]:
    """Groups of a game, best first; whoever has no place comes last, together."""
    last = len(game.places) + 1

    def place(player: int) -> int:
        return game.places[player] or last

    ordered = sorted(game.places, key=lambda player: (place(player), player))
    return [tuple(group) for _, group in groupby(ordered, key=place)]


def draw_lots(equals: Iterable[int], seed: int) -> tuple[int, ...]:
    """Eight of more than eight equals, by number (K43); the same seed draws the same eight."""
    return tuple(sorted(Random(seed).sample(sorted(equals), MOST_AT_A_TABLE)))


def final_game(seats: tuple[int, ...]) -> Game:
    """The final for these seats, with K1's stripes (K42)."""
    return Game("final", seats, None)


def points_of_final(final: GameResult) -> dict[int, int]:
    """What the places of the final bring on top, to its loser too (K44); nothing where there is no place."""
    return {
        player: POINTS_OF_FINAL[place - 1] if place is not None and place <= len(POINTS_OF_FINAL) else 0
        for player, place in final.places.items()
    }


# -- the last standing of an evening --------------------------------------------------------------------------------


class EveningEnd(NamedTuple):
    """The standing after everything (K45), and the deciding games that it still needs."""

    rows: tuple[Row, ...]
    deciding: tuple[Needed, ...]


TOP = 3


def evening_end(
    players: Iterable[int],
    games: Sequence[GameResult],
    evenings: Mapping[int, int],
    drawn: Iterable[int] = (),
) -> EveningEnd:
    """The standing at the end of an evening: K44's points on top, ties in the top three by K45, lower places by K41.

    games: all of the evening, the final and the deciding games too, in the order played. evenings: evenings played by
    each, this one included (K47). drawn: the eight that lots have drawn, where more than eight are equal.
    """
    known = tallies(players, games)
    for player, tally in known.items():
        known[player] = tally._replace(evenings=evenings.get(player, 0))
    finals = [game for game in games if game.kind == "final"]
    for final in finals[-1:]:
        for player, more in points_of_final(final).items():
            known[player] = known[player]._replace(points=known[player].points + more)
    order = AFTER_FINAL if finals else BY_EVENING
    decided = [game for game in games if game.kind == "deciding"]
    top, needed = _top(known, order, decided, drawn)
    rest = [player for player in known if all(player not in group for group in top)]
    groups = top + _groups(rest, known, BY_EVENING)
    return EveningEnd(_rows(groups, known, order, decided, sum(map(len, top))), tuple(needed))


def _top(
    known: Mapping[int, Tally], order: Order, decided: Sequence[GameResult], drawn: Iterable[int]
) -> tuple[list[tuple[int, ...]], list[Needed]]:
    """Groups of equals until the top three are filled, each as far as deciding games have parted it."""
    groups: list[tuple[int, ...]] = []
    needed: list[Needed] = []
    filled = 0
    for equals in _groups(known, known, order):
        if filled >= TOP:
            break
        for group in _parted(equals, decided):
            if len(group) > 1 and filled < TOP:
                needed.append(_needed("deciding", DECIDING_STRIPES, group, min(TOP - filled, len(group)), drawn))
            groups.append(group)
            filled += len(group)
    return groups, needed


def _parted(equals: tuple[int, ...], games: Sequence[GameResult]) -> list[tuple[int, ...]]:
    """Equals in the order of the games that they have played for it, again where a game left some of them equal.

    A game counts for exactly those whom it was played for: all equals, or the eight that lots drew of more.
    """
    if len(equals) == 1:
        return [equals]
    seated = min(len(equals), MOST_AT_A_TABLE)
    for at, game in enumerate(games):
        if len(game.places) == seated and set(game.places) <= set(equals):
            later = games[at + 1 :]
            parts = [part for group in _places_of(game) for part in _parted(group, later)]
            undrawn = tuple(player for player in equals if player not in game.places)
            return [*parts, undrawn] if undrawn else parts
    return [equals]


def _rows(
    groups: Sequence[tuple[int, ...]],
    known: Mapping[int, Tally],
    order: Order,
    decided: Sequence[GameResult],
    in_top: int,
) -> tuple[Row, ...]:
    rows = []
    place = 1
    for at, group in enumerate(groups):
        following = groups[at + 1][0] if at + 1 < len(groups) else None
        for player in group:
            above = None
            if player == group[-1] and following is not None:
                compared = order if place + len(group) - 1 <= in_top else BY_EVENING
                above = _reason(known[player], known[following], compared) or _decided(player, following, decided)
            rows.append(Row(place, player, known[player], above))
        place += len(group)
    return tuple(rows)


def _decided(player: int, following: int, decided: Sequence[GameResult]) -> Reason | None:
    """The deciding game that parted two players; a place of 0 is none."""
    for game in reversed(decided):
        if player in game.places and following in game.places:
            return Reason("deciding", "K45", game.places[player] or 0, game.places[following] or 0)
    return None


# -- prizes ---------------------------------------------------------------------------------------------------------


class Prizes(NamedTuple):
    """The pot of an evening in cents (K46). prizes: of the first, second and third place."""

    pot: int
    carried_in: int
    carried: int
    paid: int
    prizes: tuple[int, int, int]


def prizes(pot: int, places: int, carried_in: int | None = None) -> Prizes:
    """How the pot is shared over as many places as there are players, at most three (K46).

    carried_in: on the final evening all that was carried; None on an ordinary evening.
    """
    carried = pot // 4 if carried_in is None else 0
    paid = pot - carried + (carried_in or 0)
    second = paid * 30 // 100 if places >= 2 else 0
    third = paid * 15 // 100 if places >= 3 else 0
    return Prizes(pot, carried_in or 0, carried, paid, (paid - second - third, second, third))


# -- the season -----------------------------------------------------------------------------------------------------


class Evening(NamedTuple):
    """One evening of a season: who was registered, under what stays the same for a person, and all its games."""

    players: tuple[int, ...]
    games: tuple[GameResult, ...]


def evenings_played(evenings: Iterable[Evening]) -> dict[int, int]:
    """How many of these evenings each has played (K47)."""
    played: Counter[int] = Counter()
    for evening in evenings:
        played.update(player for player in set(evening.players) if has_played(player, evening.games))
    return dict(played)


def season_standing(evenings: Sequence[Evening]) -> tuple[Row, ...]:
    """Evening points, finals included, added up; equals by evenings played and places of the season (K48)."""
    played = evenings_played(evenings)
    total: dict[int, Tally] = {}
    for evening in evenings:
        end = evening_end(evening.players, evening.games, {})
        for row in end.rows:
            before, now = total.get(row.player, Tally()), row.tally
            total[row.player] = Tally(
                before.points + now.points,
                played.get(row.player, 0),
                before.firsts + now.firsts,
                before.seconds + now.seconds,
                before.thirds + now.thirds,
            )
    return ranked(total, OF_SEASON)


def season_prizes(pots: Sequence[int], places: Sequence[int], has_final_evening: bool) -> tuple[Prizes, ...]:
    """The prizes of each evening of a season, the last being the final evening where there is one (K46, K48)."""
    shared = []
    held = 0
    for at, (pot, players) in enumerate(zip(pots, places, strict=True)):
        is_final = has_final_evening and at == len(pots) - 1
        shared.append(prizes(pot, players, held if is_final else None))
        held = 0 if is_final else held + shared[-1].carried
    return tuple(shared)
