"""A finished game arrives: fold it, compare, store it once, or refuse it and keep the message for the organiser.

Contract, section 5. The order in which messages arrive makes no difference to what counts in the end.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from central import doubts, evenings, pictures, tables
from central.doubts import Doubt
from central.evenings import Evening
from central.schema import KINDS, entrant, evening, game, live_line, now, person, refused, seat
from central.store import touch
from terminal.rules import fold as folding
from terminal.rules import reglement as reglements
from terminal.rules.game import Outcome, Refused

MOST_LINES = 20_000  # a game of eight with 99 stripes and every throw corrected stays below
FORCED = "forced"  # the organiser let it count: K3 is not asked any more
LOOK = "look"  # throws entered by hand or corrected: central.doubts
FLAGS = ("corrected", "starter", FORCED, LOOK)
MAY_COUNT = frozenset({"starter", "players", "ranking", "points", "number_taken", "fork", "replaced"})
"""Refusals that the organiser may overrule: these messages are whole games of an evening here."""

MOST_REFUSED = 2_000  # messages kept; beyond that something floods us
MOST_REFUSED_BYTES = 100_000_000


class Refusal(ValueError):  # a refusal is expected, not an error
    """A result that does not follow. code as in docs/interface.md; the message is for the organiser."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Message(NamedTuple):
    """A result as it came, its shape checked and nothing else."""

    evening: str
    game: str
    kind: str
    table: str
    seating: int
    number: int
    numbers: tuple[int, ...]
    reglement: Mapping[str, object] | str
    ranking: Sequence[str]
    points: Mapping[str, int]
    journal: Sequence[Mapping[str, object]]


class Folded(NamedTuple):
    """What a finished journal gives."""

    players: tuple[str, ...]
    starter: str | None  # None: start roll
    reglement: Mapping[str, object]  # stripes as played
    state: Mapping[str, object]
    outcome: Outcome
    losers: Mapping[str, object]  # K3, names: {"now": …, "before": [those before a correction after the end]}
    doubts: tuple[Doubt, ...]


class Receipt(NamedTuple):
    """The answer to a result that was taken: how many lines central has now."""

    game: str
    lines: int
    outcome: str  # stored, replaced, same, shorter


def understand(body: object) -> Message:
    """Check the shape; raises Refusal."""
    if not isinstance(body, dict):
        raise Refusal("shape", "Het bericht is geen JSON-object.")
    journal = body.get("journal")
    numbers, ranking, points = body.get("numbers"), body.get("ranking"), body.get("points")
    checks = {
        "evening": _is_text(body.get("evening")),
        "game": _is_text(body.get("game")),
        "kind": body.get("kind") in KINDS,
        "table": _is_text(body.get("table")),
        "seating": _is_count(body.get("seating")),
        "number": _is_count(body.get("number")),
        "numbers": isinstance(numbers, list) and all(map(_is_count, numbers)) and len(set(numbers)) == len(numbers),
        "reglement": isinstance(body.get("reglement"), dict | str),
        "ranking": isinstance(ranking, list) and all(map(_is_text, ranking)),
        "points": isinstance(points, dict) and all(type(value) is int for value in points.values()),
        "journal": isinstance(journal, list)
        and 0 < len(journal) <= MOST_LINES
        and all(isinstance(line, dict) for line in journal),
    }
    for key, fits in checks.items():
        if not fits:
            raise Refusal("shape", f"In het bericht ontbreekt {key!r}, of het heeft een verkeerde vorm.")
    return Message(**{key: body[key] for key in Message._fields})._replace(numbers=tuple(body["numbers"]))


def _is_text(value: object) -> bool:
    return reglements.is_text(value) and len(str(value)) <= 200 and "\0" not in str(value)


def _is_count(value: object) -> bool:
    return type(value) is int and 1 <= value <= 100_000


def folded(journal: Sequence[Mapping[str, object]]) -> Folded:
    """Fold a whole journal of one finished game; raises Refusal."""
    before: list[str | None] = []
    fold = None
    try:
        fold = folding.begin(journal[0])
        first = folding.summary(fold)
        for line in journal[1:]:
            if line.get("type") in ("undo", "correction") and (ended := folding.outcome(fold)) is not None:
                before.append(ended.loser)
            fold = folding.apply(fold, line)
    except Refused as refusal:
        seq = 0 if fold is None else fold.seq + 1
        raise Refusal("journal", f"Regel {seq} van het spel mag niet: {refusal.message}") from refusal
    outcome = folding.outcome(fold)
    if outcome is None:
        raise Refusal("unfinished", "Het spel is nog niet uit.")
    if outcome.why == "abandoned" and not any(line["type"] == "throw" for _, line in folding.in_force(fold)):
        raise Refusal("false_start", "Valse start: voor de eerste worp gestopt, dat telt niet (K55a).")
    stripes = next(iter(first["stripes"].values()))
    return Folded(
        fold.players,
        journal[0].get("starter"),  # type: ignore[arg-type]  # begin has checked it
        reglements.to_mapping(fold.reglement) | {"stripes": stripes},
        folding.summary(fold),
        outcome,
        {"now": outcome.loser, "before": before},
        doubts.of(fold),
    )


def take(connection: sa.Connection, message: Message, forced: bool = False) -> Receipt:
    """Store the result in the caller's transaction; raises Refusal, then nothing is changed.

    forced: the organiser has looked and lets it count. What its throws give holds, whatever the table said; who began
    is not asked; a stored result that stands in its way is set aside.
    """
    message = without_removed(connection, message)
    if forced:
        _make_way(connection, message)
    stored = connection.execute(sa.select(game).where(game.c.id == message.game)).one_or_none()
    if stored is not None:
        receipt = _compare(stored, message)
        if receipt is not None:
            return receipt
    result = folded(message.journal)
    if message.journal[0]["game"] != message.game:
        raise Refusal("shape", "Het spelnummer van het bericht is een ander dan dat van het spel.")
    if not forced:
        _check_claims(message, result.state)
    night = _check_place(connection, message, result)
    if not forced:
        _check_order(connection, night, message, result)
    forced = forced or (stored is not None and FORCED in stored.flags)
    flags = _flags(result, stored, forced)
    _write(connection, night, message, result, stored is not None, flags)
    _check_later(connection, night, message)
    connection.execute(
        refused.update()
        .where(refused.c.game == message.game, refused.c.lines <= len(message.journal), refused.c.handled.is_(None))
        .values(handled="replaced")
    )
    connection.execute(live_line.delete().where(live_line.c.game == message.game))
    pictures.want_doubtful(connection, message.table, message.game, dict(enumerate(message.journal)))
    _retry(connection, message)
    touch(connection, "tables", "standings", "refused")
    return Receipt(message.game, len(message.journal), "stored" if stored is None else "replaced")


def without_removed(connection: sa.Connection, message: Message) -> Message:
    """The message with the players who were removed on request under the names that stand for their numbers.

    The table's card still has their names: whatever it sends later must not bring them back.
    """
    rows = connection.execute(
        sa.select(entrant.c.number, entrant.c.name)
        .join(evening, evening.c.id == entrant.c.evening_id)
        .join(person, person.c.id == entrant.c.person_id)
        .where(evening.c.key == message.evening, person.c.name.is_(None), entrant.c.number.in_(message.numbers))
    )
    removed = {row.number: row.name for row in rows}
    players = message.journal[0].get("players")
    if not removed or not isinstance(players, list) or len(players) != len(message.numbers):
        return message
    new_name = {
        name: removed[number]
        for number, name in zip(message.numbers, players, strict=True)
        if number in removed and isinstance(name, str)
    }
    return message._replace(
        journal=renamed(message.journal, new_name),
        ranking=[new_name.get(name, name) for name in message.ranking],
        points={new_name.get(name, name): points for name, points in message.points.items()},
    )


def renamed(journal: Sequence[Mapping[str, object]], new_name: Mapping[str, str]) -> list[Mapping[str, object]]:
    """The lines of a game with some of its players under another name."""

    def name(value: object) -> object:
        return new_name.get(value, value) if isinstance(value, str) else value

    lines: list[Mapping[str, object]] = []
    for line in journal:
        changed = dict(line)
        for key in ("player", "starter"):
            if key in changed:
                changed[key] = name(changed[key])
        players = changed.get("players")
        if isinstance(players, list):
            changed["players"] = [name(value) for value in players]
        lines.append(changed)
    return lines


def _retry(connection: sa.Connection, message: Message) -> None:
    """Try again what was refused at this table because of a game before: that may be corrected now."""
    waiting = connection.scalars(
        sa.select(refused.c.body).where(
            refused.c.table_name == message.table,
            refused.c.code.in_(("starter", "players")),
            refused.c.handled.is_(None),
            refused.c.game != message.game,
        )
    ).all()
    for body in waiting:
        try:
            with connection.begin_nested():
                take(connection, understand(json.loads(body)))
        except Refusal:
            continue  # it is where the organiser sees it


def _compare(stored: sa.Row[tuple[object, ...]], message: Message) -> Receipt | None:
    """What becomes of a game that is here already; None: it may replace the stored one."""
    place = (stored.kind, stored.seating, stored.table_name, stored.number)
    if place != (message.kind, message.seating, message.table, message.number):
        raise Refusal("fork", "Dit spel is er al, maar van een andere tafel, tafelverdeling of ander nummer.")
    if stored.journal is None:
        raise Refusal("number_taken", "Dit spel werd door de organisator ingevuld.")
    held = stored.journal.splitlines()
    offered = [canonical(line) for line in message.journal]
    common = min(len(held), len(offered))
    if held[:common] != offered[:common]:
        raise Refusal("fork", "Er is al een ander verloop van dit spel; beide kunnen niet waar zijn.")
    if len(offered) > len(held):
        return None
    if len(offered) == len(held):
        _check_claims(message, stored.state)
    return Receipt(message.game, len(held), "same" if len(offered) == len(held) else "shorter")


def _check_claims(message: Message, state: Mapping[str, object]) -> None:
    """The table says what its throws give."""
    if list(message.ranking) != state["ranking"]:
        raise Refusal("ranking", "De rangschikking van de tafel is een andere dan wat de worpen geven.")
    if dict(message.points) != state["points"]:
        raise Refusal("points", "De punten van de tafel zijn andere dan wat de worpen geven.")


def _make_way(connection: sa.Connection, message: Message) -> None:
    """Set aside the stored result with this id or this number, unless this message goes on from it."""
    night = evenings.by_key(connection, message.evening)
    here = sa.and_(
        game.c.evening_id == (-1 if night is None else night.id),
        *(game.c.kind == message.kind, game.c.seating == message.seating),
        *(game.c.table_name == message.table, game.c.number == message.number),
    )
    for row in connection.execute(sa.select(game).where((game.c.id == message.game) | here)).all():
        held = [] if row.journal is None else row.journal.splitlines()
        offered = [canonical(line) for line in message.journal]
        if row.id != message.game or row.journal is None or held != offered[: len(held)]:
            set_aside(connection, row.id, "replaced", "De organisator liet een ander resultaat tellen.", "dismissed")


def canonical(line: Mapping[str, object]) -> str:
    """A line as one text: equal lines give equal texts, whatever the order of their keys; 1, 1.0 and true differ."""
    return json.dumps(line, sort_keys=True, separators=(",", ":"))


def _check_place(connection: sa.Connection, message: Message, result: Folded) -> Evening:
    """Evening, table, seating, players and reglement are those that central gave out."""
    night = evenings.by_key(connection, message.evening)
    if night is None:
        raise Refusal("evening", f"De avond {message.evening!r} is hier niet bekend.")
    sittings = evenings.sittings(connection, night.id, seat.c.table_name == message.table, seat.c.published)
    if not sittings:
        raise Refusal("table", f"Tafel {message.table!r} doet deze avond niet mee.")
    here = next((one for one in sittings if (one.kind, one.seating) == (message.kind, message.seating)), None)
    if here is None or message.number > tables.games_in(night, message.kind):
        raise Refusal("seating", "Dit spel staat niet in de tafelverdeling van deze tafel.")
    known = evenings.entrants(connection, night.id)
    sitting_here = [number for number in here.numbers if number in message.numbers]
    if list(message.numbers) != sitting_here:
        raise Refusal("players", "De nummers zijn niet die van deze tafel, in de volgorde waarin ze zitten.")
    names = here.names(known)
    if result.players != tuple(names[number] for number in message.numbers):
        raise Refusal("players", "De namen zijn niet die van de spelers met deze nummers.")
    expected = evenings.reglement_of(night, message.kind)
    if result.reglement != _whole(expected) or result.reglement != _whole(message.reglement, result):
        raise Refusal("reglement", "Er werd met een ander reglement gespeeld dan dat van de avond.")
    return night


def _whole(given: Mapping[str, object] | str, result: Folded | None = None) -> Mapping[str, object]:
    """All fields of a reglement object; the stripes as played, which `game_started` may override."""
    try:
        whole = reglements.to_mapping(reglements.load(given) if isinstance(given, str) else reglements.parse(given))
    except reglements.BadReglement as error:
        raise Refusal("reglement", f"Het reglement klopt niet: {error}") from error
    return whole if result is None else whole | {"stripes": result.reglement["stripes"]}


def _check_order(connection: sa.Connection, night: Evening, message: Message, result: Folded) -> None:
    """The number is free, and starter and players follow from the games before (K2, K3, K54)."""
    others = [one for one in _same_sitting(connection, night, message) if one.id != message.game]
    if any(one.number == message.number for one in others):
        raise Refusal("number_taken", f"Van spel {message.number} is er al een uitslag, van een ander spel.")
    if message.number == 1 and result.starter is not None:
        raise Refusal("starter", "Het eerste spel begint met een gooi om de start (K2).")
    for one in others:
        if one.number < message.number and set(one.leavers) & set(message.numbers):
            raise Refusal("players", f"Wie in spel {one.number} stopte, speelt niet meer mee (K54).")
    starter = None if result.starter is None else message.numbers[result.players.index(result.starter)]
    previous = next((one for one in others if one.number == message.number - 1), None)
    if previous is not None and follows(previous, message.numbers, starter) == "no":
        raise Refusal("starter", f"De verkeerde speler begon: dat is de verliezer van spel {previous.number} (K3).")


def follows(previous: tables.Played, numbers: Sequence[int], starter: int | None) -> str:
    """Whether the starter follows from the game before: yes, no, or flag if only a later correction made it wrong."""

    def expected(loser: object) -> int | None:
        return tables.left_neighbour(loser, previous.numbers, numbers) if isinstance(loser, int) else None

    if starter == expected(previous.losers["now"]):
        return "yes"
    before = previous.losers["before"]
    assert isinstance(before, list)
    return "flag" if any(starter == expected(loser) for loser in before) else "no"


def _same_sitting(connection: sa.Connection, night: Evening, message: Message) -> list[tables.Played]:
    return tables.played(
        connection,
        night.id,
        game.c.kind == message.kind,
        game.c.seating == message.seating,
        game.c.table_name == message.table,
    )


def _flags(result: Folded, stored: sa.Row[tuple[object, ...]] | None, forced: bool) -> list[str]:
    """What the organiser should look at. Doubtful throws that he has seen already are not flagged again."""
    seen = 0
    if stored is not None and LOOK not in stored.flags:
        seen = len(doubts.of_journal(stored.journal))
    raised = {"corrected": bool(result.losers["before"]), FORCED: forced, LOOK: len(result.doubts) > seen}
    return [flag for flag, is_raised in raised.items() if is_raised]


def _write(
    connection: sa.Connection, night: Evening, message: Message, result: Folded, replaces: bool, flags: list[str]
) -> None:
    number_of = dict(zip(result.players, message.numbers, strict=True))
    outcome = result.outcome
    before = result.losers["before"]
    assert isinstance(before, list)
    values = {
        "evening_id": night.id,
        "kind": message.kind,
        "seating": message.seating,
        "table_name": message.table,
        "number": message.number,
        "numbers": list(message.numbers),
        "lines": len(message.journal),
        "journal": "\n".join(map(canonical, message.journal)),
        "state": result.state,
        "places": [
            {"number": number_of[name], "points": outcome.points[name], "place": outcome.places[name]}
            for name in outcome.ranking
        ],
        "losers": {
            "now": None if outcome.loser is None else number_of[outcome.loser],
            "before": [None if name is None else number_of[name] for name in before],
        },
        "leavers": [number_of[name] for name in result.state["left"]],  # type: ignore[attr-defined]  # a list of names
        "flags": flags,
        "changed": now(),
    }
    if replaces:
        connection.execute(game.update().where(game.c.id == message.game).values(**values))
    else:
        connection.execute(game.insert().values(id=message.game, received=now(), **values))


def _check_later(connection: sa.Connection, night: Evening, message: Message) -> None:
    """Check this game and those after it against what has arrived: flag, or take out what does not follow."""
    games = {one.number: one for one in _same_sitting(connection, night, message)}
    here = games[message.number]
    for one in list(games.values()):
        if one.number > here.number and not (one.typed or FORCED in one.flags) and set(here.leavers) & set(one.numbers):
            set_aside(connection, one.id, "players", f"Wie in spel {here.number} stopte, speelt niet meer mee (K54).")
            del games[one.number]
    for later, previous in ((here, games.get(here.number - 1)), (games.get(here.number + 1), here)):
        if later is None or previous is None or later.typed or FORCED in later.flags:
            continue
        verdict = follows(previous, later.numbers, starter_of(connection, later))
        if verdict == "no":
            text = f"De verkeerde speler begon: dat is de verliezer van spel {previous.number} (K3)."
            set_aside(connection, later.id, "starter", text)
        else:
            _flag(connection, later, "starter", verdict == "flag")


def starter_of(connection: sa.Connection, one: tables.Played) -> int | None:
    """The number of the player whom the journal names as starter; None: start roll."""
    journal = connection.scalar(sa.select(game.c.journal).where(game.c.id == one.id))
    begin = json.loads(str(journal).partition("\n")[0])
    return one.numbers[begin["players"].index(begin["starter"])] if begin.get("starter") is not None else None


def _flag(connection: sa.Connection, one: tables.Played, flag: str, raised: bool) -> None:
    flags = sorted((set(one.flags) | {flag}) if raised else (set(one.flags) - {flag}))
    if flags != sorted(one.flags):
        connection.execute(game.update().where(game.c.id == one.id).values(flags=flags))


def set_aside(connection: sa.Connection, game_id: str, code: str, text: str, handled: str | None = None) -> None:
    """A stored result stops counting and goes to the organiser, whole. handled: he did it himself."""
    row = connection.execute(sa.select(game).where(game.c.id == game_id)).one()
    lines = [] if row.journal is None else row.journal.splitlines()
    body = {
        "evening": connection.scalar(sa.select(evening.c.key).where(evening.c.id == row.evening_id)),
        "game": row.id,
        "kind": row.kind,
        "table": row.table_name,
        "seating": row.seating,
        "number": row.number,
        "numbers": row.numbers,
        "reglement": json.loads(lines[0])["reglement"] if lines else None,
        "ranking": row.state["ranking"],
        "points": row.state["points"],
        "journal": [json.loads(line) for line in lines],
    }
    connection.execute(game.delete().where(game.c.id == game_id))
    keep_refused(connection, json.dumps(body), body, Refusal(code, text), handled)


def keep_refused(
    connection: sa.Connection, raw: str, body: object, refusal: Refusal, handled: str | None = None
) -> None:
    """Keep a refused message, once, for the organiser to see; raises Refusal when there are too many already."""
    digest = hashlib.sha256(f"{refusal.code}\0{raw}".encode("utf-8", "replace")).hexdigest()
    touch(connection, "refused")
    if connection.scalar(sa.select(refused.c.id).where(refused.c.digest == digest)) is not None:
        if refusal.code in ("starter", "players", "replaced"):  # it counted in the meantime, and does so no more
            connection.execute(refused.update().where(refused.c.digest == digest).values(handled=handled))
        return
    count, size = connection.execute(
        sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(sa.func.length(refused.c.body)), 0))
    ).one()
    if (count >= MOST_REFUSED or size + len(raw) > MOST_REFUSED_BYTES) and not _make_room(connection):
        raise Refusal("shape", "Er zijn te veel geweigerde berichten; leg die eerst opzij.")
    fields = body if isinstance(body, dict) else {}
    journal = fields.get("journal")
    connection.execute(
        refused.insert().values(
            digest=digest,
            received=now(),
            table_name=fields["table"] if _is_text(fields.get("table")) else None,
            game=fields["game"] if _is_text(fields.get("game")) else None,
            lines=len(journal) if isinstance(journal, list) else 0,
            code=refusal.code,
            message=refusal.message,
            body=raw.encode("utf-8", "replace").decode().replace("\0", "\ufffd"),
            handled=handled,
        )
    )


def _make_room(connection: sa.Connection) -> bool:
    """Forget what the organiser has put aside and could never have counted; gives whether there was any."""
    never = refused.c.code.not_in(MAY_COUNT) & (refused.c.handled == "dismissed")
    return connection.execute(refused.delete().where(never)).rowcount > 0
