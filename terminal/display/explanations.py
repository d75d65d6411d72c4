"""The texts of "waarom?": what happened in one sentence, and the rule that it follows from in another.

Part of the table in `texts`; the languages stand in the same order. `because_` and a kind of happening, `article_` and
the number of a rule. {dice}, {amount} and {others} are those of the happening.
"""

from __future__ import annotations

from typing import Final

EXPLANATIONS: Final[dict[str, tuple[str, str, str]]] = {
    # what happened
    "because_rolled": ("{player} gooide {amount}.", "{player} a lancé {amount}.", "{player} threw {amount}."),
    "because_rolls_again": (
        "Gelijk: {others} gooien opnieuw om te beginnen.",
        "Égalité : {others} relancent pour débuter.",
        "A tie: {others} throw again to begin.",
    ),
    "because_begins": ("{player} begint de ronde.", "{player} débute la manche.", "{player} begins the round."),
    "because_punten": ("{player} gooide {dice}.", "{player} a lancé {dice}.", "{player} threw {dice}."),
    "because_zand": (
        "{player} gooide {dice}: zand.",
        "{player} a lancé {dice} : zand.",
        "{player} threw {dice}: zand.",
    ),
    "because_sois": (
        "{player} gooide {dice}: sois.",
        "{player} a lancé {dice} : sois.",
        "{player} threw {dice}: sois.",
    ),
    "because_azen": (
        "{player} gooide drie azen.",
        "{player} a lancé trois as.",
        "{player} threw three aces.",
    ),
    "because_fietske": (
        "{player} gooide een fietske ({dice}). Streep erbij voor: {others}.",
        "{player} a lancé un fietske ({dice}). Une barre en plus pour : {others}.",
        "{player} threw a fietske ({dice}). One more stripe for: {others}.",
    ),
    "because_same": (
        "{player} gooide drie keer {dice}.",
        "{player} a lancé trois fois {dice}.",
        "{player} threw {dice} three times.",
    ),
    "because_swept": (
        "{player} veegt alles uit: {amount}.",
        "{player} efface tout : {amount}.",
        "{player} wipes everything: {amount}.",
    ),
    "because_lost": (
        "{player} gooide drie azen met al zijn strepen nog staan: meteen verloren.",
        "{player} a lancé trois as avec toutes ses barres : perdu tout de suite.",
        "{player} threw three aces with all stripes still there: lost at once.",
    ),
    "because_stood": (
        "{player} stopt: iedereen gooit {amount} keer.",
        "{player} s'arrête : tout le monde lance {amount} fois.",
        "{player} stands: everybody throws {amount} times.",
    ),
    "because_stoef": ("{player} riep stoef.", "{player} a dit stoef.", "{player} called stoef."),
    "because_won": (
        "{player} wint de ronde met {dice} en veegt er {amount}.",
        "{player} gagne la manche avec {dice} et en efface {amount}.",
        "{player} wins the round with {dice} and wipes {amount}.",
    ),
    "because_added": (
        "{player} stoefte en won niet: {amount} erbij.",
        "{player} a dit stoef sans gagner : {amount} en plus.",
        "{player} called stoef and did not win: {amount} more.",
    ),
    "because_barrage": (
        "Gelijk: barrage tussen {others}.",
        "Égalité : barrage entre {others}.",
        "A tie: barrage of {others}.",
    ),
    "because_barrage_again": (
        "Nog altijd gelijk: weer barrage tussen {others}.",
        "Toujours égalité : encore une barrage entre {others}.",
        "Still a tie: another barrage of {others}.",
    ),
    "because_barrage_throw": (
        "{player} gooide {dice} in de barrage.",
        "{player} a lancé {dice} en barrage.",
        "{player} threw {dice} in the barrage.",
    ),
    "because_ogen": ("{player} kiest OGEN.", "{player} choisit OGEN.", "{player} chooses OGEN."),
    "because_punten_chosen": ("{player} kiest PUNTEN.", "{player} choisit PUNTEN.", "{player} chooses PUNTEN."),
    "because_again": (
        "{player} gooide er een buiten: die worp telt niet. Erbij: {amount}.",
        "{player} a lancé un dé dehors : ce lancer ne compte pas. En plus : {amount}.",
        "{player} threw one outside: that throw does not count. Added: {amount}.",
    ),
    "because_out": (
        "{player} is uit, als {amount}e.",
        "{player} est sorti, en {amount}e place.",
        "{player} is out, as no. {amount}.",
    ),
    "because_left": ("{player} is gestopt.", "{player} est parti.", "{player} has left."),
    "because_void": ("De ronde herbegint.", "La manche recommence.", "The round begins anew."),
    "because_abandoned": (
        "Het spel is gestopt. Niemand betaalt.",
        "La partie est arrêtée. Personne ne paie.",
        "The game was stopped. Nobody pays.",
    ),
    "because_game_over": (
        "{player} heeft verloren en betaalt een rondje.",
        "{player} a perdu et paie la tournée.",
        "{player} has lost and pays a round.",
    ),
    "because_corrected": (
        "De worp van {player} is verbeterd.",
        "Le lancer de {player} a été corrigé.",
        "The throw of {player} was corrected.",
    ),
    "because_undone": (
        "Het laatste van {player} is teruggenomen.",
        "La dernière action de {player} est annulée.",
        "The last of {player} was taken back.",
    ),
    # the rules that "waarom?" names, each in a sentence
    "article_K2": (
        "Iedereen gooit één teerling, de hoogste begint; wie gelijk staat gooit opnieuw.",
        "Chacun lance un dé, le plus haut débute ; les ex æquo relancent.",
        "Everybody throws one die, the highest begins; ties throw again.",
    ),
    "article_K5": (
        "Wie begint gooit één, twee of drie keer; de anderen gooien precies even vaak.",
        "Qui débute lance une, deux ou trois fois ; les autres autant de fois.",
        "Who begins throws one to three times; the others just as often.",
    ),
    "article_K6": (
        "De hoogste worp wint de ronde: met punten veeg je 1 streep, met zand 2, met sois 3.",
        "Le plus haut lancer gagne : points efface 1 barre, zand 2, sois 3.",
        "The highest throw wins the round: points wipe 1 stripe, zand 2, sois 3.",
    ),
    "article_K7": (
        "Twee of meer gelijk met de hoogste worp: barrage.",
        "Deux ou plus à égalité avec le plus haut lancer : barrage.",
        "Two or more tied for the highest throw: barrage.",
    ),
    "article_K8": (
        "Wie 1-1-1 gooit veegt alles uit en is meteen uit; zijn linkerbuur begint een nieuwe ronde.",
        "Qui lance 1-1-1 efface tout et sort ; son voisin de gauche débute une nouvelle manche.",
        "Who throws 1-1-1 wipes everything and is out; the left neighbour begins a new round.",
    ),
    "article_K9": (
        "Drie keer dezelfde worp in één beurt: alles uitgeveegd en meteen uit.",
        "Trois fois le même lancer en un tour : tout est effacé, on sort.",
        "The same throw three times in one turn: everything is wiped, out at once.",
    ),
    "article_K10": (
        "Wie 2-2-3 gooit, moet er per keer een streep bijzetten.",
        "Qui lance 2-2-3 ajoute une barre à chaque fois.",
        "Each 2-2-3 adds a stripe.",
    ),
    "article_K11": (
        "Geen strepen meer is uit; wie als enige strepen overhoudt, verliest en betaalt een rondje.",
        "Sans barres on sort ; le dernier avec des barres perd et paie la tournée.",
        "No stripes left is out; the only one with stripes loses and pays a round.",
    ),
    "article_K12": (
        "De winnaar begint de volgende ronde; is hij net uit, dan zijn linkerbuur.",
        "Le gagnant débute la manche suivante ; s'il vient de sortir, son voisin de gauche.",
        "The winner begins the next round; if just out, the left neighbour.",
    ),
    "article_K13": (
        "Met een teerling buiten de bak telt de worp niet en gooi je opnieuw.",
        "Un dé hors du bac : le lancer ne compte pas, on relance.",
        "With a die outside the tray the throw does not count and is thrown again.",
    ),
    "article_K20": (
        "Stoef mag na elk van je worpen, tot de volgende gooit; één keer per ronde.",
        "Stoef après n'importe lequel de vos lancers, avant le suivant ; une fois par manche.",
        "Stoef may be called after any of your throws, until the next player throws; once a round.",
    ),
    "article_K22": (
        "Wie stoeft en wint, veegt dubbel.",
        "Qui dit stoef et gagne efface le double.",
        "Who called stoef and wins wipes double.",
    ),
    "article_K23": (
        "Wie stoeft en niet wint, zet bij wat zijn worp waard is.",
        "Qui dit stoef sans gagner ajoute la valeur de son lancer.",
        "Who called stoef and does not win adds what the throw is worth.",
    ),
    "article_K24": (
        "Een barrage verliezen is de ronde niet winnen: de stoefer zet bij, een ander niet.",
        "Perdre une barrage, c'est ne pas gagner : le stoefeur ajoute, un autre non.",
        "To lose a barrage is not to win the round: who called stoef adds, others do not.",
    ),
    "article_K25": (
        "Wie gestoeft had zet bij wat zijn beste worp waard is, ook als een ander alles uitveegt.",
        "Qui a dit stoef ajoute la valeur de son meilleur lancer, même si un autre efface tout.",
        "Who called stoef adds what the best throw is worth, also when another wipes everything.",
    ),
    "article_K30": (
        "De laatste die barrage gooit kiest: OGEN telt alle ogen samen, PUNTEN is zoals in het spel.",
        "Le dernier à faire barrage choisit : OGEN additionne les yeux, PUNTEN comme en jeu.",
        "The last one in the tie chooses: OGEN adds up the eyes, PUNTEN is as in the game.",
    ),
    "article_K31": (
        "In de barrage gooit ieder één keer, tegen de klok in.",
        "En barrage chacun lance une fois, dans le sens inverse des aiguilles.",
        "In a barrage each throws once, against the clock.",
    ),
    "article_K32": (
        "Nog gelijk: een nieuwe barrage onder wie gelijk staat.",
        "Encore égalité : une nouvelle barrage entre les ex æquo.",
        "Still tied: another barrage among those.",
    ),
    "article_K33": (
        "Wie de barrage wint veegt wat zijn worp in de ronde waard was.",
        "Qui gagne la barrage efface la valeur de son lancer de la manche.",
        "Who wins the barrage wipes what the throw in the round was worth.",
    ),
    "article_K54": (
        "Stopt er iemand, dan herbegint de ronde zonder hem; hij krijgt 0 punten.",
        "Si quelqu'un part, la manche recommence sans lui ; il a 0 point.",
        "When somebody leaves the round begins anew without him, and he gets 0 points.",
    ),
    "article_K55": (
        "Wordt een spel gestopt, dan houdt wie al uit was zijn punten.",
        "Si la partie est arrêtée, les sortis gardent leurs points.",
        "When a game is stopped, who was out keeps the points.",
    ),
    "article_N3": (
        "1-1-1 met al je strepen nog staan (of meer): meteen verloren, je betaalt het rondje.",
        "1-1-1 avec toutes vos barres (ou plus) : perdu, vous payez la tournée.",
        "1-1-1 with all your stripes still there (or more): lost at once, you pay the round.",
    ),
    "article_N4": (
        "1-1-1 is de hoogste worp: wie er de ronde mee wint veegt alles uit.",
        "1-1-1 est le plus haut lancer : qui gagne avec efface tout.",
        "1-1-1 is the highest throw: who wins the round with it wipes everything.",
    ),
    "article_N5": (
        "Barrage met één teerling, met de klok mee; de winnaar veegt 1 streep.",
        "Barrage avec un dé, dans le sens des aiguilles ; le gagnant efface 1 barre.",
        "Barrage with one die, clockwise; the winner wipes 1 stripe.",
    ),
}
