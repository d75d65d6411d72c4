"""What the papers say, word for word but for what is left out: rule number -> chapter and sentence, for "waarom?".

In Dutch, as the papers are. Where a paper is silent there is nothing here: the decision stands on the screen in its
own words, as it does for a reglement that has no paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Article(NamedTuple):
    """heading: of the paper's chapter; text: its sentence."""

    heading: str
    text: str


_KAZERNE: Mapping[str, Article] = {
    "K2": Article("Startvolgorde", "6 is de hoogste worp, 1 de laagste. De hoogste worp begint."),
    "K4": Article("Startvolgorde", "Er wordt met andere woorden met de klok mee gespeeld."),
    "K5": Article("Spelverloop", "De volgende spelers moeten hetzelfde aantal worpen gooien."),
    "K6": Article("Tabel met waarden", "Punten: 1 streep, zand: 2 strepen, sois: 3 strepen."),
    "K7": Article(
        "Barrage",
        "Wanneer 2 of meer spelers in hetzelfde aantal beurten de hoogste worp gooien, is er sprake van BARRAGE.",
    ),
    "K8": Article(
        "Spelverloop",
        "Wie 1-1-1 of 3x dezelfde combinatie gooit, mag alle strepen uitvegen, en is onmiddellijk uitgespeeld.",
    ),
    "K9": Article("3 Maal dezelfde combinatie", "Het moeten drie maal dezelfde teerlingencombinaties zijn."),
    "K10": Article(
        "Vegen",
        "Indien een speler 2-2-3 gooit (de laagste combinatie), moet hij per 2-2-3 worp een streep bijzetten.",
    ),
    "K11": Article(
        "Einde van de ronde",
        "De verliezer van de ronde is diegene die als enige nog strepen op de pitjesbak heeft staan.",
    ),
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
    "K30": Article("Barrage", "De laatste speler die BARRAGE gooit, kiest voor OGEN of PUNTEN."),
    "K31": Article("Barrage", "Er wordt gespeeld tegen de richting van de klok voor de BARRAGE."),
    "K33": Article(
        "Barrage",
        "Diegene die de BARRAGE wint, veegt zijn streepjes weg die berekend waren voor de barrage gegooid werd.",
    ),
}
_NEGEN: Mapping[str, Article] = {
    "K2": Article(
        "Speluitleg",
        "Je werpt elk om beurt met een dobbelsteen en wie het hoogst aantal ogen gooit, mag beginnen.",
    ),
    "K4": Article(
        "Speluitleg",
        "Daarna wordt in de wijzerrichting van de klok gespeeld tot iedereen aan de beurt is geweest.",
    ),
    "K5": Article(
        "Speluitleg",
        "Het aantal keren dat die speler geworpen heeft, bepaalt het aantal worpen dat iedere speler krijgt.",
    ),
    "K6": Article(
        "Puntentelling",
        "De winnaar van een beurt mag in principe 1 streepje wegvegen. In sommige gevallen echter 2, 3 of "
        "zelfs alle streepjes.",
    ),
    "K10": Article(
        "Puntentelling",
        "De pechvogel die de combinatie (2, 2, 3) werpt, de laagst mogelijke score, zet een streepje bij.",
    ),
    "K13": Article(
        "Puntentelling",
        "Hetzelfde geldt voor wie bij zijn worp een dobbelsteen buiten de pietjesbak ziet belanden.",
    ),
    "N3": Article(
        "Puntentelling",
        "Werp je ‘drie apen’ terwijl je nog alle streepjes staan hebt, dan ben je onmiddellijk verloren en "
        "moet je een rondje betalen.",
    ),
    "N4": Article(
        "Puntentelling",
        "Werp je zand van enen (1, 1, 1) of ‘drie apen’ en ben je minstens al één streepje kwijt, dan mag je "
        "alle resterende streepjes uitvegen en ben je dus uit.",
    ),
    "N5": Article(
        "Puntentelling",
        "De winnaar van een gelijk spel mag steeds slechts 1 streepje wegvegen, ongeacht de waarde van de "
        "worp van het gelijkspel.",
    ),
}
PAPERS: Mapping[str, Mapping[str, Article]] = {"kazerne": _KAZERNE, "negen": _NEGEN}
"""Name of a reglement -> what its paper says."""


def article(rule: str | None, reglement: str) -> Article | None:
    """What the paper of a reglement says of a rule, or None where it is silent, or where there is no paper."""
    return PAPERS.get(reglement, {}).get(rule) if rule is not None else None
