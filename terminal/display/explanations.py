"""What happened, why, and by which rule, in three languages side by side: the texts of "waarom?" and "regels".

Part of the table in `texts`; the languages stand in the same order. {dice}, {amount} and {others} are those of a
happening. What a paper itself says of a rule, word for word, is in `rules.articles`.
"""

from __future__ import annotations

from typing import Final

EXPLANATIONS: Final[dict[str, tuple[str, str, str]]] = {
    # what happened, for "waarom?"
    "because_rolled": (
        "{player} gooit {amount} om te beginnen",
        "{player} lance {amount} pour débuter",
        "{player} rolls {amount} to start",
    ),
    "because_rolls_again": (
        "Gelijk: {others} gooien opnieuw",
        "Égalité : {others} relancent",
        "A tie: {others} roll again",
    ),
    "because_begins": ("{player} begint de ronde", "{player} débute la manche", "{player} begins the round"),
    "because_punten": (
        "{player} gooit {dice}: punten",
        "{player} lance {dice} : punten",
        "{player} throws {dice}: punten",
    ),
    "because_zand": ("{player} gooit {dice}: zand", "{player} lance {dice} : zand", "{player} throws {dice}: zand"),
    "because_sois": ("{player} gooit {dice}: sois", "{player} lance {dice} : sois", "{player} throws {dice}: sois"),
    "because_azen": ("{player} gooit drie azen", "{player} lance trois as", "{player} throws three aces"),
    "because_fietske": (
        "Fietske: {amount} erbij voor {others}",
        "Fietske : {amount} de plus pour {others}",
        "Fietske: {amount} more for {others}",
    ),
    "because_same": (
        "{player} gooit drie keer {dice}",
        "{player} lance trois fois {dice}",
        "{player} throws {dice} three times",
    ),
    "because_swept": (
        "{player} veegt alles: {amount}",
        "{player} efface tout : {amount}",
        "{player} wipes everything: {amount}",
    ),
    "because_lost": (
        "Drie azen met alle strepen: {player} is verloren",
        "Trois as avec tous les traits : {player} a perdu",
        "Three aces with all stripes: {player} has lost",
    ),
    "because_stood": (
        "{player} stopt: {amount} voor iedereen",
        "{player} s'arrête : {amount} pour tous",
        "{player} stops: {amount} for everybody",
    ),
    "because_stoef": ("{player} roept STOEF", "{player} dit STOEF", "{player} calls STOEF"),
    "because_won": (
        "{player} wint de ronde met {dice} en veegt {amount}",
        "{player} gagne avec {dice} et efface {amount}",
        "{player} wins with {dice} and wipes {amount}",
    ),
    "because_added": (
        "{player} stoefte en wint niet: {amount} erbij",
        "{player} a dit stoef sans gagner : {amount} de plus",
        "{player} called stoef and did not win: {amount} more",
    ),
    "because_barrage": ("Barrage tussen {others}", "Barrage entre {others}", "Barrage between {others}"),
    "because_barrage_again": ("Nog altijd gelijk: {others}", "Encore égalité : {others}", "Still tied: {others}"),
    "because_barrage_throw": (
        "{player} gooit {dice} in de barrage",
        "{player} lance {dice} en barrage",
        "{player} throws {dice} in the barrage",
    ),
    "because_ogen": ("{player} koos OGEN", "{player} a choisi OGEN", "{player} chose OGEN"),
    "because_punten_chosen": ("{player} koos PUNTEN", "{player} a choisi PUNTEN", "{player} chose PUNTEN"),
    "because_again": (
        "Buiten de bak: {player} gooit opnieuw, {amount} erbij",
        "Hors du bac : {player} relance, {amount} de plus",
        "Out of the tray: {player} throws again, {amount} more",
    ),
    "because_again_free": (
        "Buiten de bak: {player} gooit opnieuw",
        "Hors du bac : {player} relance",
        "Out of the tray: {player} throws again",
    ),
    "because_out": (
        "{player} is uit als {amount}e",
        "{player} est sorti : place {amount}",
        "{player} is out as no. {amount}",
    ),
    "because_left": ("{player} is gestopt", "{player} est parti", "{player} has left"),
    "because_void": ("De ronde begint opnieuw", "La manche recommence", "The round begins anew"),
    "because_abandoned": (
        "Het spel is gestopt, niemand betaalt",
        "La partie est arrêtée, personne ne paie",
        "The game was stopped, nobody pays",
    ),
    "because_game_over": (
        "{player} heeft als enige nog strepen en betaalt",
        "{player} a encore des traits et paie",
        "{player} alone has stripes left and pays",
    ),
    "because_corrected": (
        "Verbeterd: bij {player} staat nu {dice}",
        "Corrigé : {player} a maintenant {dice}",
        "Corrected: {player} now has {dice}",
    ),
    "because_undone": ("Teruggenomen van {player}", "Annulé pour {player}", "Taken back from {player}"),
    # the rule behind it, by its number
    "article_K2": (
        "Wie met één teerling het hoogst gooit begint; wie gelijk staat gooit opnieuw.",
        "Qui lance le plus haut avec un dé débute ; les ex æquo relancent entre eux.",
        "The highest with one die begins; those who are tied roll again.",
    ),
    "article_K4": (
        "Er wordt met de klok mee gespeeld.",
        "On joue dans le sens des aiguilles d'une montre.",
        "Play goes clockwise.",
    ),
    "article_K5": (
        "Wie begint gooit één, twee of drie keer; de anderen gooien even vaak.",
        "Qui débute lance une, deux ou trois fois ; les autres lancent autant de fois.",
        "Who begins throws once, twice or three times; the others just as often.",
    ),
    "article_K6": (
        "De hoogste worp wint: met punten veeg je 1 streep, met zand 2, met sois 3.",
        "Le plus haut lancer gagne : avec des points on efface 1 trait, avec zand 2, avec sois 3.",
        "The highest throw wins: with points you wipe 1 stripe, with zand 2, with sois 3.",
    ),
    "article_K7": (
        "Twee of meer gelijk met de hoogste worp: dat is barrage.",
        "Deux joueurs ou plus à égalité au plus haut : c'est barrage.",
        "Two or more tied for the highest throw: that is a barrage.",
    ),
    "article_K8": (
        "Wie 1-1-1 gooit veegt alles en is meteen uit; zijn linkerbuur begint een nieuwe ronde.",
        "Qui lance 1-1-1 efface tout et sort aussitôt ; son voisin de gauche débute une nouvelle manche.",
        "Who throws 1-1-1 wipes everything and is out at once; the left neighbour begins a new round.",
    ),
    "article_K9": (
        "Drie keer dezelfde teerlingen in één beurt: alles vegen en meteen uit.",
        "Trois fois les mêmes dés en un tour : on efface tout et on sort aussitôt.",
        "The same dice three times in one turn: you wipe everything and are out at once.",
    ),
    "article_K10": (
        "Elke 2-2-3, de laagste worp, zet een streep bij.",
        "Chaque 2-2-3, le plus bas des lancers, ajoute un trait.",
        "Each 2-2-3, the lowest throw, adds a stripe.",
    ),
    "article_K11": (
        "Zonder strepen ben je uit; wie als enige strepen overhoudt verliest en betaalt een rondje.",
        "Sans traits on sort ; qui reste seul avec des traits perd et paie la tournée.",
        "Without stripes you are out; who alone has stripes left loses and pays a round.",
    ),
    "article_K12": (
        "Wie de ronde wint begint de volgende; is hij uit, dan zijn linkerbuur.",
        "Le gagnant de la manche débute la suivante ; s'il est sorti, son voisin de gauche.",
        "Who wins the round begins the next; if that player is out, the left neighbour does.",
    ),
    "article_K13": (
        "Een worp met een teerling buiten de bak telt niet en wordt overgedaan.",
        "Avec un dé hors du bac le lancer ne compte pas et se refait.",
        "With a die outside the tray the throw does not count and is made again.",
    ),
    "article_K20": (
        "Stoef mag na elk van je worpen, zolang de volgende niet gegooid heeft.",
        "On peut dire stoef après chacun de ses lancers, tant que le suivant n'a pas lancé.",
        "Stoef may be called after any of your throws, until the next player throws.",
    ),
    "article_K21": (
        "De laatste speler van de ronde mag niet stoefen.",
        "Le dernier joueur de la manche ne peut pas dire stoef.",
        "The last player of the round may not call stoef.",
    ),
    "article_K22": (
        "Wie stoeft en wint, veegt dubbel.",
        "Qui dit stoef et gagne efface le double.",
        "Who calls stoef and wins wipes double.",
    ),
    "article_K23": (
        "Wie stoeft en niet wint, zet bij wat zijn worp waard is.",
        "Qui dit stoef sans gagner ajoute ce que vaut son lancer.",
        "Who calls stoef and does not win adds what the throw is worth.",
    ),
    "article_K24": (
        "Wie stoeft en de barrage verliest, zet bij wat zijn worp waard is.",
        "Qui dit stoef et perd le barrage ajoute ce que vaut son lancer.",
        "Who calls stoef and loses the barrage adds what the throw is worth.",
    ),
    "article_K25": (
        "Veegt een ander alles, dan zet wie stoefte bij wat zijn worp waard is.",
        "Si un autre efface tout, qui a dit stoef ajoute ce que vaut son lancer.",
        "If another wipes everything, who called stoef adds what the throw is worth.",
    ),
    "article_K26": (
        "Een verbetering waardoor een stoef niet meer zou mogen, gaat niet door.",
        "Une correction qui rendrait un stoef impossible est refusée.",
        "A correction under which a stoef would not be allowed is refused.",
    ),
    "article_K30": (
        "De laatste van wie gelijk staat kiest: OGEN telt de ogen, PUNTEN is zoals in het spel.",
        "Le dernier à égalité choisit : OGEN compte les yeux, PUNTEN est comme dans le jeu.",
        "The last of those tied chooses: OGEN counts the pips, PUNTEN is as in the game.",
    ),
    "article_K31": (
        "In een barrage gooit ieder één keer, tegen de klok in.",
        "En barrage chacun lance une fois, dans le sens inverse des aiguilles.",
        "In a barrage each throws once, anticlockwise.",
    ),
    "article_K32": (
        "Nog altijd gelijk: een nieuwe barrage onder hen; wie daarin het laatst gooide, kiest.",
        "Encore à égalité : un nouveau barrage entre eux ; le dernier à lancer choisit.",
        "Still tied: another barrage among those; who threw last chooses.",
    ),
    "article_K33": (
        "Wie de barrage wint, veegt wat zijn worp in de ronde waard was.",
        "Qui gagne le barrage efface ce que valait son lancer de la manche.",
        "Who wins the barrage wipes what the throw in the round was worth.",
    ),
    "article_K54": (
        "Stopt een speler, dan begint de ronde opnieuw; hij krijgt geen plaats.",
        "Si un joueur part, la manche recommence ; il n'a pas de place.",
        "When a player leaves, the round begins anew; a leaver gets no place.",
    ),
    "article_K55": (
        "Een gestopt spel heeft geen verliezer; wie al uit was, houdt zijn plaats.",
        "Une partie arrêtée n'a pas de perdant ; les sortis gardent leur place.",
        "A game that was stopped has no loser; who is out keeps the place.",
    ),
    "article_N3": (
        "Wie 1-1-1 gooit met al zijn strepen nog staan, is meteen verloren.",
        "Qui lance 1-1-1 avec tous ses traits a perdu aussitôt.",
        "Who throws 1-1-1 with all stripes still there has lost at once.",
    ),
    "article_N4": (
        "1-1-1 is de hoogste; wie ermee wint en al een streep kwijt was, veegt alles.",
        "1-1-1 est le plus haut ; qui gagne avec, un trait au moins déjà effacé, efface tout.",
        "1-1-1 is the highest; who wins with it, at least one stripe already wiped, wipes everything.",
    ),
    "article_N5": (
        "Wie de barrage wint, veegt één streep, wat de worp ook waard was.",
        "Le gagnant du barrage efface un seul trait, quoi que valait le lancer.",
        "The winner of the barrage wipes one stripe only, whatever the throw was worth.",
    ),
    # what the rules refuse, by their code
    "refused_unknown_player": (
        "Die speler zit hier niet",
        "Ce joueur n'est pas à cette table",
        "That player does not sit here",
    ),
    "refused_not_playing": ("Die speler speelt niet meer mee", "Ce joueur ne joue plus", "That player is no longer in"),
    "refused_finished": ("Het spel is gedaan", "La partie est finie", "The game is over"),
    "refused_not_now": ("Dat kan nu niet", "Pas maintenant", "Not now"),
    "refused_not_your_turn": ("Het is aan een ander", "C'est à un autre", "It is somebody else's turn"),
    "refused_wrong_dice": (
        "Niet het juiste aantal teerlingen",
        "Pas le bon nombre de dés",
        "Not the right number of dice",
    ),
    "refused_may_not_stand": (
        "Alleen wie begon mag stoppen, na worp 1 of 2",
        "Seul le premier peut s'arrêter, après 1 ou 2 lancers",
        "Only the starter may stop, after 1 or 2 throws",
    ),
    "refused_no_stoef": ("Hier wordt niet gestoeft", "On ne joue pas le stoef ici", "No stoef in these rules"),
    "refused_stoef_last": (
        "De laatste mag niet stoefen",
        "Le dernier ne peut pas dire stoef",
        "The last player may not call stoef",
    ),
    "refused_stoef_twice": ("Die heeft al gestoeft", "Il a déjà dit stoef", "He has called stoef already"),
    "refused_stoef_closed": ("Te laat om te stoefen", "Trop tard pour le stoef", "Too late for stoef"),
    "refused_not_in_force": ("Die worp telt niet meer", "Ce lancer ne compte plus", "That throw no longer counts"),
    "refused_contradicted": (
        "Dat past niet bij wat daarna kwam",
        "La suite ne colle plus",
        "What came later does not fit",
    ),
    "refused_not_latest": (
        "Er is intussen iets bij gekomen",
        "Quelque chose a suivi entre-temps",
        "Something came after it",
    ),
    "refused_nothing_to_undo": ("Er is niets om terug te nemen", "Rien à annuler", "Nothing to undo"),
    # the switches of a reglement, by field and value
    "rule_stripes": (
        "Iedereen begint met {value} strepen.",
        "Chacun commence avec {value} traits.",
        "Everybody begins with {value} stripes.",
    ),
    "rule_zand_equal": (
        "Alle zanden zijn evenveel waard.",
        "Tous les zands se valent.",
        "All zands are worth the same.",
    ),
    "rule_zand_by_face": (
        "Zand van zes is het hoogste zand.",
        "Le zand de six est le plus haut.",
        "A zand of six is the highest zand.",
    ),
    "rule_azen_out_at_once": (
        "Drie azen: alles vegen en meteen uit.",
        "Trois as : tout effacer et sortir aussitôt.",
        "Three aces: wipe everything and out at once.",
    ),
    "rule_azen_best_or_lost": (
        "Drie azen is de hoogste worp; met alle strepen nog staan is het spel verloren.",
        "Trois as est le plus haut ; avec tous ses traits, la partie est perdue.",
        "Three aces is the highest throw; with all stripes left the game is lost.",
    ),
    "rule_azen_best": (
        "Drie azen is de hoogste worp van de ronde.",
        "Trois as est le plus haut de la manche.",
        "Three aces is the highest throw of the round.",
    ),
    "rule_three_same_out_at_once": (
        "Driemaal dezelfde worp: alles vegen en meteen uit.",
        "Trois fois le même lancer : tout effacer et sortir.",
        "The same throw three times: wipe everything and out at once.",
    ),
    "rule_three_same_nothing": (
        "Driemaal dezelfde worp is niets bijzonders.",
        "Trois fois le même lancer : rien de spécial.",
        "The same throw three times is nothing special.",
    ),
    "rule_fietske_adds_nobody": (
        "Fietske (2-2-3) kost niets.",
        "Fietske (2-2-3) ne coûte rien.",
        "Fietske (2-2-3) costs nothing.",
    ),
    "rule_fietske_adds_thrower": (
        "Fietske (2-2-3): één streep erbij.",
        "Fietske (2-2-3) : un trait de plus.",
        "Fietske (2-2-3): one more stripe.",
    ),
    "rule_fietske_adds_everybody": (
        "Fietske (2-2-3): iedereen één streep erbij.",
        "Fietske (2-2-3) : un trait de plus pour tous.",
        "Fietske (2-2-3): one more stripe for everybody.",
    ),
    "rule_outside_adds": (
        "Teerling buiten de bak: {value} strepen erbij, opnieuw gooien.",
        "Dé hors du bac : {value} traits de plus, relancer.",
        "Die outside the tray: {value} more stripes, throw again.",
    ),
    "rule_next_starter_winner": (
        "Wie de ronde wint, begint de volgende.",
        "Qui gagne la manche débute la suivante.",
        "Who wins the round begins the next.",
    ),
    "rule_next_starter_left_of_starter": (
        "De linkerbuur van de beginner begint de volgende ronde.",
        "Le voisin de gauche débute la manche suivante.",
        "The starter's left neighbour begins the next round.",
    ),
    "rule_barrage_dice_3": (
        "Barrage met drie teerlingen; de laatste kiest ogen of punten.",
        "Barrage à trois dés ; le dernier choisit ogen ou punten.",
        "Barrage with three dice; the last one chooses ogen or punten.",
    ),
    "rule_barrage_dice_1": (
        "Barrage met één teerling; de ogen tellen.",
        "Barrage à un dé ; les yeux comptent.",
        "Barrage with one die; its eyes count.",
    ),
    "rule_barrage_wipes_tied": (
        "Wie de barrage wint, veegt wat zijn worp in de ronde waard was.",
        "Le gagnant efface ce que valait son lancer de la manche.",
        "The winner wipes what his throw in the round was worth.",
    ),
    "rule_barrage_wipes_one": (
        "Wie de barrage wint, veegt één streep.",
        "Le gagnant du barrage efface un trait.",
        "Who wins the barrage wipes one stripe.",
    ),
    "rule_stoef_called": (
        "Stoef mag: dubbel vegen, of de waarde van de worp bijzetten.",
        "Stoef : effacer le double, ou ajouter la valeur du lancer.",
        "Stoef: wipe double, or add what the throw is worth.",
    ),
    "rule_stoef_first_throw": (
        "Stoppen na één worp is stoef: dubbel vegen, of de waarde van de worp bijzetten.",
        "S'arrêter après un lancer, c'est stoef : le double, ou la valeur en plus.",
        "Stopping after one throw is stoef: wipe double, or add its worth.",
    ),
    "rule_stoef_none": ("Zonder stoef.", "Sans stoef.", "Without stoef."),
    "rule_stoef_on_sweep_pays": (
        "Veegt een ander alles, dan zet wie stoefte bij.",
        "Si un autre efface tout, celui du stoef ajoute.",
        "If another wipes everything, who called stoef adds.",
    ),
    "rule_stoef_on_sweep_lapses": (
        "Veegt een ander alles, dan vervalt stoef.",
        "Si un autre efface tout, le stoef tombe.",
        "If another wipes everything, stoef lapses.",
    ),
    "rule_counts_best": (
        "De beste worp van de beurt telt.",
        "Le meilleur lancer compte.",
        "The best throw of the turn counts.",
    ),
    "rule_counts_last": (
        "De laatste worp van de beurt telt.",
        "Le dernier lancer compte.",
        "The last throw of the turn counts.",
    ),
}
