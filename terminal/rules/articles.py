"""The sentence of the paper behind a rule number, for "waarom?": short, in Dutch, as it stands there.

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
    "K2": Article("Startvolgorde", "De hoogste worp begint; wie dezelfde hoogste score gooit, speelt opnieuw."),
    "K4": Article("Startvolgorde", "Er wordt met andere woorden met de klok mee gespeeld."),
    "K5": Article("Spelverloop", "De volgende spelers moeten hetzelfde aantal worpen gooien."),
    "K6": Article("Vegen", "Punten: één streep, zand: twee, sois: drie."),
    "K7": Article("Barrage", "Gooien twee of meer spelers de hoogste worp, dan is er sprake van BARRAGE."),
    "K8": Article("Spelverloop", "Wie 1-1-1 gooit, mag alle strepen uitvegen en is onmiddellijk uitgespeeld."),
    "K9": Article("3 maal dezelfde combinatie", "Het moeten drie maal dezelfde teerlingencombinaties zijn."),
    "K10": Article("Vegen", "Per 2-2-3 worp een streep bijzetten."),
    "K11": Article("Einde van de ronde", "De verliezer is diegene die als enige nog strepen heeft staan."),
    "K12": Article("Afspraak", "Wie de ronde wint begint de volgende; is hij uit, dan zijn linkerbuur."),
    "K13": Article("Afspraak", "Een worp met een teerling buiten de bak telt niet en wordt overgedaan."),
    "K20": Article("Stoef", "Een speler kan STOEF inroepen."),
    "K21": Article("Stoef", "De laatste speler van de ronde kan geen STOEF inroepen."),
    "K22": Article("Stoef", "Wie STOEF inroept, verdubbelt het aantal strepen dat geveegd mag worden."),
    "K23": Article("Stoef", "Wint hij niet, dan moet hij het aantal strepen dat zijn worp waard is bijschrijven."),
    "K24": Article("Stoef", "Verliest hij de BARRAGE, dan zet hij de helft bij van wat hij zou mogen vegen."),
    "K25": Article("Stoef", "Gooit de laatste beter dan een sois, dan zet wie STOEF inriep drie strepen bij."),
    "K26": Article("Afspraak", "Een verbetering waardoor een STOEF niet meer zou mogen, gaat niet door."),
    "K30": Article("Barrage", "De laatste speler die BARRAGE gooit, kiest voor OGEN of PUNTEN."),
    "K31": Article("Barrage", "Er wordt gespeeld tegen de richting van de klok voor de BARRAGE."),
    "K32": Article("Afspraak", "Nog altijd gelijk: een nieuwe barrage onder hen; wie daarin het laatst gooide, kiest."),
    "K33": Article("Barrage", "Wie de BARRAGE wint, veegt de streepjes die berekend waren voor ze gegooid werd."),
    "K54": Article("Afspraak", "Stopt een speler, dan begint de ronde opnieuw; hij krijgt geen plaats."),
    "K55": Article("Afspraak", "Een gestopt spel heeft geen verliezer; wie al uit was, houdt zijn plaats."),
    "N3": Article("Puntentelling", "Drie apen terwijl al je streepjes nog staan: je bent onmiddellijk verloren."),
    "N4": Article("Puntentelling", "Drie apen en minstens één streepje kwijt: je mag alle streepjes uitvegen."),
    "N5": Article("Puntentelling", "De winnaar van een gelijk spel mag steeds slechts één streepje wegvegen."),
}
"""Rule number -> its article, for every rule that a refusal or a happening can name."""


def article(rule: str | None) -> Article | None:
    """The article behind a rule number, or None where there is none to show."""
    return ARTICLES.get(rule) if rule is not None else None
