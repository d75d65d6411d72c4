"""The sentence of the paper behind a rule number, for "waarom?": in Dutch, as it stands there but for what is left out.

Where the paper is silent the sentence is the decision, under the heading "Afspraak".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Article(NamedTuple):
    """heading: of the paper's chapter; text: its sentence."""

    heading: str
    text: str


ARTICLES: Mapping[str, Article] = {
    "K2": Article("Startvolgorde", "6 is de hoogste worp, 1 de laagste. De hoogste worp begint."),
    "K4": Article("Startvolgorde", "Er wordt met andere woorden met de klok mee gespeeld."),
    "K5": Article("Spelverloop", "De volgende spelers moeten hetzelfde aantal worpen gooien."),
    "K6": Article("Tabel met waarden", "Punten: 1 streep, zand: 2 strepen, sois: 3 strepen."),
    "K7": Article(
        "Barrage",
        "Wanneer 2 of meer spelers in hetzelfde aantal beurten de hoogste worp gooien, is er sprake van "
        "BARRAGE.",
    ),
    "K8": Article(
        "Spelverloop",
        "Wie 1-1-1 of 3x dezelfde combinatie gooit, mag alle strepen uitvegen, en is onmiddellijk "
        "uitgespeeld.",
    ),
    "K9": Article("3 Maal dezelfde combinatie", "Het moeten drie maal dezelfde teerlingencombinaties zijn."),
    "K10": Article(
        "Vegen",
        "Indien een speler 2-2-3 gooit (de laagste combinatie), moet hij per 2-2-3 worp een streep "
        "bijzetten.",
    ),
    "K11": Article(
        "Einde van de ronde",
        "De verliezer van de ronde is diegene die als enige nog strepen op de pitjesbak heeft staan.",
    ),
    "K12": Article("Afspraak", "Wie de ronde wint begint de volgende; is hij uit, dan zijn linkerbuur."),
    "K13": Article("Afspraak", "Een worp met een teerling buiten de bak telt niet en wordt overgedaan."),
    "K20": Article("Stoef", "Een speler kan ook STOEF inroepen."),
    "K21": Article("Stoef", "De laatste speler van de ronde kan geen STOEF inroepen."),
    "K22": Article("Stoef", "Indien iemand STOEF inroept, verdubbelt hij het aantal strepen dat geveegd mag worden."),
    "K23": Article("Stoef", "Indien hij de ronde niet wint, moet hij het aantal strepen zijn worp waard bijschrijven."),
    "K24": Article(
        "Stoef",
        "Verliest de speler die de STOEF heeft ingeroepen de BARRAGE, dan moet deze speler de helft van de "
        "strepen die hij zou mogen vegen, terug bijzetten.",
    ),
    "K25": Article(
        "Stoef",
        "Wanneer de laatste speler beter gooit dan een sois, moet diegene die STOEF heeft ingeroepen, drie "
        "strepen bijzetten.",
    ),
    "K26": Article("Afspraak", "Een verbetering waardoor een STOEF niet meer zou mogen, gaat niet door."),
    "K30": Article("Barrage", "De laatste speler die BARRAGE gooit, kiest voor OGEN of PUNTEN."),
    "K31": Article("Barrage", "Er wordt gespeeld tegen de richting van de klok voor de BARRAGE."),
    "K32": Article("Afspraak", "Nog altijd gelijk: een nieuwe barrage onder hen; wie daarin het laatst gooide, kiest."),
    "K33": Article(
        "Barrage",
        "Diegene die de BARRAGE wint, veegt zijn streepjes weg die berekend waren voor de barrage gegooid "
        "werd.",
    ),
    "K54": Article("Afspraak", "Stopt een speler, dan begint de ronde opnieuw; hij krijgt geen plaats."),
    "K55": Article("Afspraak", "Een gestopt spel heeft geen verliezer; wie al uit was, houdt zijn plaats."),
    "N3": Article(
        "Puntentelling",
        "Werp je drie apen terwijl je nog alle streepjes staan hebt, dan ben je onmiddellijk verloren.",
    ),
    "N4": Article(
        "Puntentelling",
        "Werp je drie apen en ben je minstens al één streepje kwijt, dan mag je alle resterende streepjes "
        "uitvegen.",
    ),
    "N5": Article(
        "Puntentelling",
        "De winnaar van een gelijk spel mag steeds slechts 1 streepje wegvegen, ongeacht de waarde van de "
        "worp van het gelijkspel.",
    ),
}
"""Rule number -> its article, for every rule that a refusal or a happening can name."""


def article(rule: str | None) -> Article | None:
    """The article behind a rule number, or None where there is none to show."""
    return ARTICLES.get(rule) if rule is not None else None
