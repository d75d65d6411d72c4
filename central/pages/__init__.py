"""Central's pages: templates, and the words and little drawings they share."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from pathlib import Path

import jinja2
from markupsafe import Markup
from starlette.responses import HTMLResponse

from central.doubts import counted

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"

MONTHS = (
    *("januari", "februari", "maart", "april", "mei", "juni", "juli"),
    *("augustus", "september", "oktober", "november", "december"),
)
DAYS = ("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag")
KINDS = {"seating": "verdeling", "final": "finale", "playoff": "kampspel", "deciding": "beslissingsspel"}


def day(date: str) -> str:
    """2026-11-29 as people say it: zondag 29 november 2026."""
    when = datetime.date.fromisoformat(date)
    return f"{DAYS[when.weekday()]} {when.day} {MONTHS[when.month - 1]} {when.year}"


def duration(seconds: float) -> str:
    """Roughly how long: 40 s, 12 min, 2 u 05."""
    if seconds < 90:
        return f"{seconds:.0f}\N{NO-BREAK SPACE}s"
    minutes = round(seconds / 60)
    return f"{minutes}\N{NO-BREAK SPACE}min" if minutes < 100 else f"{minutes // 60} u {minutes % 60:02}"


def ordinal(number: int) -> str:
    """1ste, 2de, 8ste, 19de, 20ste."""
    last = number % 100
    return f"{number}{'ste' if last in (1, 8) or last >= 20 or (number and not last) else 'de'}"


LOG_WORDS = {
    "cafe": "café",
    "changed": "gewijzigd",
    "chosen": "gekozen",
    "equals": "gelijken",
    "flags": "waarover",
    "game": "spel",
    "games": "spellen",
    "key": "avond",
    "kind": "soort",
    "left": "niet",
    "name": "naam",
    "number": "nummer",
    "numbers": "nummers",
    "person": "speler",
    "places": "plaatsen",
    "season": "seizoen",
    "seating": "verdeling",
    "seed": "lot",
    "system": "wijze",
    "table": "tafel",
    "taken": "genomen",
    "where": "waar",
}


def euro(cents: int) -> str:
    """1250 as € 12,50."""
    return f"€\N{NO-BREAK SPACE}{cents // 100},{cents % 100:02}"


def tally(stripes: int) -> Markup:
    """Chalk stripes, the fifth through the four before it, with their number for who cannot see them."""
    groups, rest = divmod(stripes, 5)
    lines, x = [], 2
    for group in range(groups + (rest > 0)):
        count = 4 if group < groups else rest
        lines += [f'<path d="M{x + 4 * i} 1v14"/>' for i in range(count)]
        if group < groups:
            lines.append(f'<path d="M{x - 2} 12L{x + 14} 4"/>')
        x += 22
    width = max(1, x - 4)
    size = f'viewBox="0 0 {width} 16" width="{width}" height="16"'
    return Markup(f'<svg class="tally" {size} aria-hidden="true">{"".join(lines)}</svg><span>{stripes}</span>')


PIPS = {
    1: ("8 8",),
    2: ("4 4", "12 12"),
    3: ("4 4", "8 8", "12 12"),
    4: ("4 4", "12 4", "4 12", "12 12"),
    5: ("4 4", "12 4", "8 8", "4 12", "12 12"),
    6: ("4 4", "12 4", "4 8", "12 8", "4 12", "12 12"),
}


def dice(values: Iterable[int]) -> Markup:
    """Dice as they lie, with their values for who cannot see them."""
    values = tuple(values)
    if not values:
        return Markup("")
    drawn = "".join(_die(value) for value in values)
    return Markup(f'<span class="dice" role="img" aria-label="{" ".join(map(str, values))}">{drawn}</span>')


def _die(value: int) -> str:
    pips = "".join('<circle cx="{}" cy="{}" r="1.6"/>'.format(*place.split()) for place in PIPS[value])
    face = '<rect x=".5" y=".5" width="15" height="15" rx="3" fill="#fbf7ee" stroke="#5a655f"/>'
    return f'<svg viewBox="0 0 16 16" aria-hidden="true">{face}<g fill="#26302c">{pips}</g></svg>'


HEALTH = {
    "camera": "camera",
    "buttons": "knoppen",
    "pictures": "foto's bewaren",
    "saved": "bewaren",
    "disk": "schijf",
    "clock": "klok",
    "voltage": "spanning",
    "temperature_c": "°C",
    "free_mb": "MB vrij",
    "table": "tafel",
}


TROUBLE = {
    "buttons": "knop zit vast",
    "camera": "geen camera",
    "clock": "klok staat verkeerd",
    "cool": "te warm",
    "disk": "kaart bijna vol",
    "pictures": "bewaart geen foto's",
    "saved": "kan niet bewaren",
    "voltage": "te weinig spanning",
}


def trouble_word(key: str) -> str:
    """A key of a heartbeat's health that is false, as what is wrong."""
    return TROUBLE.get(key, f"{health_word(key)}: niet in orde")


def health_word(key: str) -> str:
    """A key of a heartbeat's health in Dutch, where there is a word for it."""
    return HEALTH.get(key, key)


def moment(at: str) -> str:
    """2026-11-29T21:04:05Z in local time: 29/11 22:04."""
    return datetime.datetime.fromisoformat(at).astimezone().strftime("%d/%m %H:%M")


def round_name(one: object) -> str:
    """Which part of the evening: tafelverdeling 2, finale."""
    kind, seating = getattr(one, "kind"), getattr(one, "seating")  # noqa: B009  # several records have both
    return f"{KINDS[kind]} {seating}" if kind == "seating" or seating > 1 else KINDS[kind]


_environment = jinja2.Environment(
    loader=jinja2.FileSystemLoader(FOLDER),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters |= {
    "counted": counted,
    "day": day,
    "dice": dice,
    "health_word": health_word,
    "trouble_word": trouble_word,
    "log_word": lambda key: LOG_WORDS.get(key, key),
    "moment": moment,
    "ordinal": ordinal,
    "duration": duration,
    "euro": euro,
    "tally": tally,
    "round_name": round_name,
}


def page(template: str, status: int = 200, /, **facts: object) -> HTMLResponse:
    """A template with its facts filled in."""
    return HTMLResponse(_environment.get_template(template).render(**facts), status)
