"""Every text of the screen, in three languages side by side. Dutch first, as it is spoken in a Flemish café.

The languages stand in the order of LANGUAGES. Names, numbers and words of the café come in as {fields}. What is called
out at the table (stoef, barrage, ogen, punten, zand, sois, fietske, klaar) stays Dutch in every language, for the
buttons carry those words too. The first word of a key is the place on the screen where its text stands.
"""

from __future__ import annotations

from typing import Final

from terminal.display.explanations import EXPLANATIONS

LANGUAGES: Final = ("nl", "fr", "en")

TEXTS: Final[dict[str, tuple[str, str, str]]] = {
    "language_name": ("Nederlands", "Français", "English"),
    "yes": ("Ja", "Oui", "Yes"),
    "no": ("Nee", "Non", "No"),
    "and": (" en ", " et ", " and "),
    "point": (",", ",", "."),
    "back": ("Terug", "Retour", "Back"),
    "cancel": ("Laat maar", "Annuler", "Cancel"),
    "key_enter": ("OK", "OK", "OK"),
    # the line on top
    "title_table": ("Tafel {table}", "Table {table}", "Table {table}"),
    "title_seating": (
        "Tafel {table} · reeks {seating} · spel {number} van {games}",
        "Table {table} · série {seating} · partie {number} sur {games}",
        "Table {table} · seating {seating} · game {number} of {games}",
    ),
    "title_final": ("Finale · tafel {table}", "Finale · table {table}", "Final · table {table}"),
    "title_playoff": (
        "Spel om een finaleplaats · tafel {table}",
        "Match de barrage · table {table}",
        "Play-off · table {table}",
    ),
    "title_deciding": (
        "Beslissend spel · tafel {table}",
        "Partie décisive · table {table}",
        "Deciding game · table {table}",
    ),
    # what to do next
    "prompt_paused": (
        "Pauze. Er wordt niets geteld.",
        "Pause. Rien n'est compté.",
        "Paused. Nothing counts.",
    ),
    "prompt_begin": ("Iedereen klaar? Druk KLAAR.", "Tout le monde est prêt ? KLAAR.", "Everybody ready? Press KLAAR."),
    "prompt_pairing": (
        "Geef deze code aan de organisatie: {code}",
        "Donnez ce code à l'organisateur : {code}",
        "Give this code to the organiser: {code}",
    ),
    "prompt_waiting": (
        "Even wachten op de tafelverdeling",
        "On attend la répartition des tables",
        "Waiting for the seating",
    ),
    "prompt_names": ("Wie speelt mee? Tik NAMEN.", "Qui joue ? Touchez NOMS.", "Who is playing? Tap NAMES."),
    "prompt_start_roll": (
        "{player}, gooi één teerling",
        "{player}, lance un seul dé",
        "{player}, throw one die",
    ),
    "prompt_barrage_choice": (
        "{player} kiest: OGEN of PUNTEN?",
        "{player} choisit : OGEN ou PUNTEN ?",
        "{player} chooses: OGEN or PUNTEN?",
    ),
    "prompt_barrage": ("Barrage! {player} gooit", "Barrage ! {player} lance", "Barrage! {player} throws"),
    "prompt_barrage_one": (
        "Barrage! {player} gooit één teerling",
        "Barrage ! {player} lance un dé",
        "Barrage! {player} throws one die",
    ),
    "prompt_stand": (
        "{player}: KLAAR of nog een worp?",
        "{player} : KLAAR ou encore un lancer ?",
        "{player}: KLAAR or one more throw?",
    ),
    "prompt_throw": ("{player} gooit", "{player} lance", "{player} throws"),
    "prompt_throw_of": (
        "{player} gooit: worp {number} van {most}",
        "{player} lance : {number} sur {most}",
        "{player} throws: {number} of {most}",
    ),
    "prompt_new_seating": (
        "Nieuwe tafelverdeling! Druk KLAAR.",
        "Nouvelle répartition ! KLAAR.",
        "New seating! Press KLAAR.",
    ),
    "prompt_break": ("Gedaan. Pauze!", "Terminé. Pause !", "All done. Break!"),
    "prompt_final_won": ("{player} wint de finale!", "{player} gagne la finale !", "{player} wins the final!"),
    "prompt_first_out": (
        "Gedaan! {player} was eerst uit.",
        "Terminé ! {player} sort 1er.",
        "All done! {player} was first.",
    ),
    "prompt_again": (
        "Gedaan! Nog een keer? Tik NAMEN.",
        "Terminé ! Encore ? Touchez NOMS.",
        "All done! Again? Tap NAMES.",
    ),
    "prompt_next_game": (
        "Gedaan! KLAAR voor het volgende spel.",
        "Terminé ! KLAAR pour la suivante.",
        "All done! KLAAR for the next game.",
    ),
    "prompt_pays": (
        "{player} betaalt! KLAAR voor het volgende.",
        "{player} paie ! KLAAR pour la suivante.",
        "{player} pays! KLAAR for the next game.",
    ),
    # at a seat
    "badge_stoef": ("STOEF", "STOEF", "STOEF"),
    "badge_barrage": ("BARRAGE", "BARRAGE", "BARRAGE"),
    "badge_starter": ("begint", "débute", "starts"),
    "note_left": ("gestopt", "parti", "left"),
    "note_loser": ("betaalt!", "paie !", "pays!"),
    "note_place": ("{place}e · {points} punten", "place {place} · {points} points", "no. {place} · {points} points"),
    "note_only_place": ("{place}e", "place {place}", "no. {place}"),
    "note_points": ("{points} punten", "{points} points", "{points} points"),
    "note_out": ("uit als {place}e", "sorti : place {place}", "out as no. {place}"),
    # the round in a few words
    "fact_barrage": ("barrage: {players}", "barrage : {players}", "barrage: {players}"),
    "fact_barrage_ogen": ("barrage op OGEN: {players}", "barrage aux OGEN : {players}", "barrage on OGEN: {players}"),
    "fact_barrage_punten": (
        "barrage op PUNTEN: {players}",
        "barrage aux PUNTEN : {players}",
        "barrage on PUNTEN: {players}",
    ),
    "fact_throws": ("{starter} begon: {count}×", "{starter} a débuté : {count}×", "{starter} began: {count}×"),
    "fact_last_round": ("{winner} veegde {wiped}", "{winner} a effacé {wiped}", "{winner} wiped {wiped}"),
    "fact_best": ("beste: {players} {dice}", "meilleur : {players} {dice}", "best: {players} {dice}"),
    "fact_pays": ("{player} betaalt een rondje!", "{player} paie la tournée !", "{player} pays a round!"),
    # under the dice: what they are called, or why they do not count
    "word_punten": ("{number} punten", "{number} points", "{number} points"),
    "word_zand": ("zand!", "zand !", "zand!"),
    "word_sois": ("sois!", "sois !", "sois!"),
    "word_azen": ("drie azen!", "trois as !", "three aces!"),
    "word_fietske": ("fietske!", "fietske !", "fietske!"),
    "why_spent": ("telt niet meer", "déjà compté", "counted before"),
    "why_paused": ("telt niet: pauze", "pause : pas compté", "paused: no count"),
    "why_no_dice_wanted": ("telt nu niet", "ne compte pas", "does not count"),
    # buttons
    "button_stoef": ("STOEF", "STOEF", "STOEF"),
    "button_ogen": ("OGEN", "OGEN", "OGEN"),
    "button_punten": ("PUNTEN", "PUNTEN", "PUNTEN"),
    "button_klaar": ("KLAAR", "KLAAR", "KLAAR"),
    "choice_was_of": ("was van {player}", "c'était {player}", "{player} threw"),
    "choice_not_of": ("niet van {player}", "pas {player}", "not {player}"),
    "choice_enter": ("teerlingen intikken", "entrer les dés", "enter the dice"),
    "choice_outside": ("buiten de bak", "hors du bac", "out of the tray"),
    "choice_names": ("NAMEN", "NOMS", "NAMES"),
    "choice_next": ("waar zit ik nu?", "où vais-je ?", "where do I sit?"),
    "choice_right": ("Juist!", "Correct !", "Right!"),
    "choice_again": ("Opnieuw gooien", "Relancer", "Throw again"),
    "choice_cocked": ("Scheef: opnieuw", "De travers : relancer", "Cocked: again"),
    "menu_undo": ("terug", "annuler", "undo"),
    "menu_why": ("waarom?", "pourquoi ?", "why?"),
    "menu_pause": ("pauze", "pause", "pause"),
    "menu_resume": ("verder", "suite", "go on"),
    "menu_menu": ("menu", "menu", "menu"),
    "menu_throws": ("Alle worpen", "Tous les lancers", "All throws"),
    "menu_rules": ("Regels", "Règles", "Rules"),
    "menu_leave": ("Speler stopt", "Un joueur part", "A player leaves"),
    "menu_abandon": ("Spel stoppen", "Arrêter la partie", "Stop the game"),
    "menu_language": ("Taal", "Langue", "Language"),
    "menu_quieter": ("Stiller", "Moins fort", "Quieter"),
    "menu_louder": ("Luider ({volume})", "Plus fort ({volume})", "Louder ({volume})"),
    # a line of the journal in a few words
    "line_throw": ("{player}: {dice}", "{player} : {dice}", "{player}: {dice}"),
    "line_start_die": ("{player}: {dice}", "{player} : {dice}", "{player}: {dice}"),
    "line_stand": ("KLAAR van {player}", "KLAAR de {player}", "KLAAR by {player}"),
    "line_stoef": ("STOEF van {player}", "STOEF de {player}", "STOEF by {player}"),
    "line_barrage_choice": ("{player}: {mode}", "{player} : {mode}", "{player}: {mode}"),
    "line_die_outside": ("buiten: {player}", "hors du bac : {player}", "outside: {player}"),
    "line_leave": ("{player} stopt", "{player} part", "{player} leaves"),
    "line_abandon": ("spel stoppen", "arrêt de la partie", "stop of the game"),
    "line_correction": ("verbetering", "correction", "correction"),
    "line_game_started": ("begin van het spel", "début de la partie", "start of the game"),
    # sentences that stay until the next throw
    "notice_moved": (
        "Nu ligt er {values}, maar {kept} telt",
        "Il y a {values}, mais {kept} compte",
        "{values} lies there now, but {kept} counts",
    ),
    "notice_stoef_not_now": ("Stoefen kan nu niet", "Pas de stoef maintenant", "No stoef now"),
    "notice_stoef_called": ("{player} roept STOEF!", "{player} dit STOEF !", "{player} calls STOEF!"),
    "notice_klaar_not_now": ("KLAAR hoeft nu niet", "Pas besoin de KLAAR", "No need for KLAAR now"),
    "notice_no_barrage_now": ("Het is geen barrage", "Ce n'est pas un barrage", "There is no barrage"),
    "notice_no_dice_wanted": ("Er moet nu niemand gooien", "Personne ne doit lancer", "Nobody has to throw now"),
    "notice_answer_first": ("Eerst de vraag beantwoorden", "Répondez d'abord", "Answer the question first"),
    "notice_again": ("Telt niet: opnieuw gooien", "Ne compte pas : relancez", "Does not count: throw again"),
    "notice_cocked_again": ("Scheef: opnieuw gooien", "De travers : relancez", "Cocked: throw again"),
    "notice_outside": (
        "{player}: buiten, opnieuw gooien",
        "{player} : dehors, relance",
        "{player}: outside, throw again",
    ),
    "notice_outside_not_now": ("Er moet nu niemand gooien", "Personne ne doit lancer", "Nobody has to throw now"),
    "notice_undone": ("Teruggenomen: {line}", "Annulé : {line}", "Undone: {line}"),
    "notice_was_of": ("Worp gaat naar {player}", "Lancer pour {player}", "The throw goes to {player}"),
    "notice_corrected": (
        "Verbeterd: {player} {was} wordt {now}",
        "Corrigé : {player} {was} devient {now}",
        "Corrected: {player} {was} becomes {now}",
    ),
    "notice_correction_reopens": (
        "Dan was spel {number} niet gedaan: eerst terug",
        "La partie {number} serait à finir : annulez d'abord",
        "Game {number} would not be over: undo first",
    ),
    "notice_left": (
        "{player} stopt, de ronde herbegint",
        "{player} part, la manche recommence",
        "{player} left, new round",
    ),
    "notice_abandoned": ("Spel gestopt", "Partie arrêtée", "Game stopped"),
    "notice_unwritable": (
        "Kaart vol of stuk! Niets bewaard",
        "Carte pleine ou abîmée ! Rien gardé",
        "Card full or broken! Nothing saved",
    ),
    # what the eye says of itself
    "notice_camera_moved": (
        "Camera verschoven: ik vraag elke worp",
        "Caméra déplacée : je demande tout",
        "Camera moved: I ask about each throw",
    ),
    "notice_camera_light": (
        "Het licht is anders: kalibreer opnieuw",
        "La lumière a changé : recalibrez",
        "The light has changed: calibrate again",
    ),
    "notice_camera_dirty": (
        "De lens is vuil: veeg ze schoon",
        "L'objectif est sale : essuyez-le",
        "The lens is dirty: wipe it clean",
    ),
    "notice_camera_hidden": (
        "Ik zie de bak niet goed: is de camera vrij?",
        "Je vois mal le bac : la caméra est libre ?",
        "I cannot see the tray well: is the camera free?",
    ),
    "notice_camera_lost": (
        "Camera weg: tik de teerlingen in",
        "Caméra absente : entrez les dés",
        "Camera lost: enter the dice",
    ),
    "notice_tended_shifted": (
        "De camera hing wat anders: bijgesteld",
        "La caméra avait bougé un peu : corrigé",
        "The camera hung a little off: adjusted",
    ),
    "notice_tended_light": (
        "Ander licht: de camera meet opnieuw",
        "Autre lumière : la caméra remesure",
        "Another light: the camera measures again",
    ),
    "notice_tended_dice": (
        "Ik ken de teerlingen nu: {amount} mm",
        "Je connais les dés maintenant : {amount} mm",
        "I know the dice now: {amount} mm",
    ),
    # calibrating
    "menu_calibrate": ("Camera kalibreren", "Calibrer la caméra", "Calibrate the camera"),
    "calibrate_empty": ("Maak de bak leeg", "Videz le bac", "Empty the tray"),
    "calibrate_empty_detail": (
        "De hele rand in beeld, geen handen, de lamp van vanavond aan",
        "Tout le bord visible, pas de mains, la lampe de ce soir allumée",
        "The whole rim in sight, no hands, tonight's lamp on",
    ),
    "calibrate_card": ("Leg de kaart op het vilt", "Posez la carte sur le feutre", "Lay the card on the felt"),
    "calibrate_card_detail": (
        "Plat in het midden, geen handen. Zonder kaart vraag ik vaker",
        "À plat au milieu, pas de mains. Sans carte je demanderai plus souvent",
        "Flat in the middle, no hands. Without the card I shall ask more often",
    ),
    "calibrate_looking": ("Even geduld", "Un instant", "One moment"),
    "calibrate_looking_detail": (
        "Ik kijk en reken. Niet aan de bak of de camera komen",
        "Je regarde et je calcule. Ne touchez ni le bac ni la caméra",
        "I look and work it out. Do not touch the tray or the camera",
    ),
    "calibrate_passed": ("Klopt dit?", "Est-ce juste ?", "Does this fit?"),
    "calibrate_passed_detail": (
        "De gele lijn loopt waar vilt en wand elkaar raken",
        "La ligne jaune suit le pied du bord",
        "The yellow line runs where felt and wall meet",
    ),
    "calibrate_failed": ("Het is niet gelukt", "Ce n'est pas réussi", "It did not work"),
    "calibrate_why_tray": (
        "Ik vind de rand van de bak niet. Hang de camera zo dat hij de hele rand ziet",
        "Je ne trouve pas le bord du bac. Placez la caméra pour qu'elle voie tout le bord",
        "I cannot find the rim of the tray. Hang the camera so that it sees all of the rim",
    ),
    "calibrate_why_card": (
        "De kaart ligt niet vlak, of is niet op 100 % gedrukt",
        "La carte n'est pas à plat, ou pas imprimée à 100 %",
        "The card is not flat, or not printed at 100 %",
    ),
    "calibrate_why_no_card": (
        "Ik zie de kaart niet. Leg ze plat op het vilt, in het volle licht",
        "Je ne vois pas la carte. Posez-la à plat sur le feutre, en pleine lumière",
        "I cannot see the card. Lay it flat on the felt, in full light",
    ),
    "calibrate_why_moved": (
        "Er bewoog iets. Laat bak en camera staan en hou de handen weg",
        "Quelque chose a bougé. Laissez le bac et la caméra, retirez les mains",
        "Something moved. Leave tray and camera alone and keep hands away",
    ),
    "calibrate_why_dark": ("Het is te donker", "Il fait trop sombre", "It is too dark"),
    "calibrate_why_bright": ("Er is te veel licht", "Il y a trop de lumière", "There is too much light"),
    "calibrate_why_unusable": (
        "Met deze beelden gaat het niet",
        "Ces images ne conviennent pas",
        "These pictures will not do",
    ),
    "calibrate_why_lost": ("De camera is weg", "La caméra n'est plus là", "The camera is gone"),
    "calibrate_shoot": ("Kijk nu", "Regarde", "Look now"),
    "calibrate_without": ("Zonder kaart", "Sans carte", "Without the card"),
    "calibrate_keep": ("Juist, bewaren", "Juste, garder", "Right, keep it"),
    "calibrate_again": ("Opnieuw", "Recommencer", "Again"),
    "notice_calibration_kept": (
        "Gekalibreerd: ik ken de bak",
        "Calibré : je connais le bac",
        "Calibrated: I know the tray",
    ),
    "notice_calibration_unkept": (
        "De kalibratie kon niet bewaard worden",
        "Le calibrage n'a pas pu être gardé",
        "The calibration could not be saved",
    ),
    # questions over the table
    "ask_dice": ("Wat gooide {player}?", "Qu'a lancé {player} ?", "What did {player} throw?"),
    "ask_die": ("Wat gooide {player}?", "Qu'a lancé {player} ?", "What did {player} throw?"),
    "reason_cocked": (
        "Er ligt een teerling scheef",
        "Un dé est de travers",
        "A die is cocked",
    ),
    "reason_touching": (
        "Er liggen teerlingen tegen elkaar",
        "Des dés se touchent",
        "Dice lie against each other",
    ),
    "reason_stacked": (
        "Er ligt een teerling op een andere",
        "Un dé est sur un autre",
        "One die lies on another",
    ),
    "reason_hand": ("Er zat een hand voor", "Une main cachait les dés", "A hand was in the way"),
    "reason_blur": ("Het beeld is niet scherp", "L'image est floue", "The picture is not sharp"),
    "reason_dark": ("Het is te donker", "Il fait trop sombre", "It is too dark"),
    "reason_overexposed": ("Er is te veel licht", "Il y a trop de lumière", "There is too much light"),
    "reason_count": (
        "Het aantal teerlingen klopt niet",
        "Le nombre de dés n'est pas bon",
        "The number of dice is not right",
    ),
    "reason_disagree": ("Ik ben niet zeker", "Je ne suis pas sûr", "I am not sure"),
    "reason_uncalibrated": (
        "Deze bak is nog niet gekalibreerd",
        "Ce bac n'est pas encore calibré",
        "This tray is not calibrated yet",
    ),
    "reason_outside": ("Er ligt een teerling buiten", "Un dé est dehors", "A die lies outside"),
    "reason_gone": (
        "De teerlingen waren weg voor ik ze las",
        "Les dés sont partis avant la lecture",
        "The dice were gone before I read them",
    ),
    "reason_moved": (
        "De camera of de bak is verschoven",
        "La caméra ou le bac a bougé",
        "The camera or the tray was moved",
    ),
    "reason_lying": (
        "Dit lag er al. Telt het?",
        "C'était déjà là. Ça compte ?",
        "This lay here already. Does it count?",
    ),
    "reason_unwritable": (
        "De kaart nam de worp niet aan: nog eens?",
        "La carte a refusé le lancer : encore ?",
        "The card did not take the throw: again?",
    ),
    "enter_dice": ("Wat gooide {player}?", "Qu'a lancé {player} ?", "What did {player} throw?"),
    "correct": ("Wat moet het zijn?", "Quel est le bon dé ?", "What should it be?"),
    "correct_detail": ("Tik de juiste teerling aan", "Touchez la bonne face", "Tap the right face"),
    "back_to": (
        "Dat klopt niet met wat daarna kwam",
        "La suite ne colle plus",
        "What came later does not fit",
    ),
    "back_to_line": (
        "Dit kan dan niet meer: {line}. {why}.",
        "Alors plus possible : {line}. {why}.",
        "This is then not possible: {line}. {why}.",
    ),
    "back_to_yes": ("Terug naar die worp", "Revenir à ce lancer", "Back to that throw"),
    "sure_leave": ("Stopt {player} echt?", "{player} part vraiment ?", "Is {player} really leaving?"),
    "sure_leave_detail": (
        "De ronde herbegint zonder hem of haar; 0 punten voor dit spel.",
        "La manche recommence sans ce joueur ; 0 point pour cette partie.",
        "The round begins anew without this player; 0 points for this game.",
    ),
    "sure_abandon": ("Dit spel echt stoppen?", "Vraiment arrêter cette partie ?", "Really stop this game?"),
    "sure_abandon_detail": (
        "Wie al uit is houdt zijn punten, de anderen krijgen er geen.",
        "Les sortis gardent leurs points, les autres n'en ont pas.",
        "Who is out keeps the points, the others get none.",
    ),
    # names typed at the table
    "names_prompt": ("Naam van speler {number}", "Nom du joueur {number}", "Name of player {number}"),
    "names_start": ("SPELEN", "JOUER", "PLAY"),
    "names_name_taken": ("Die naam is er al", "Ce nom existe déjà", "That name is taken"),
    "names_table_full": ("De tafel zit vol", "La table est complète", "The table is full"),
    "names_two_needed": ("Minstens twee spelers", "Deux joueurs au moins", "At least two players"),
    # lamps of what is not well
    "lamp_camera_lost": ("camera weg", "caméra absente", "camera lost"),
    "lamp_camera_moved": ("camera verschoven", "caméra déplacée", "camera moved"),
    "lamp_camera_light": ("ander licht", "autre lumière", "other light"),
    "lamp_camera_dirty": ("lens vuil", "objectif sale", "lens dirty"),
    "lamp_camera_hidden": ("bak niet te zien", "bac invisible", "tray not seen"),
    "lamp_camera_none": ("geen camera", "sans caméra", "no camera"),
    "lamp_central": ("{count} te versturen", "{count} à envoyer", "{count} to send"),
    "lamp_buttons": ("knop klemt: {names}", "bouton bloqué : {names}", "button stuck: {names}"),
    # pages
    "page_break": ("Pauze! Straks zit je aan:", "Pause ! Ensuite, à la table :", "Break! Next you sit at:"),
    "page_statistics": ("Cijfers van deze reeks", "Chiffres de cette série", "Figures of this seating"),
    "menu_statistics": ("Cijfers", "Chiffres", "Figures"),
    "statistics_fair": (
        "De teerlingen: niets verdachts gezien in {dice} ogen.",
        "Les dés : rien de suspect en {dice} faces.",
        "The dice: nothing suspicious in {dice} faces.",
    ),
    "statistics_too_few": (
        "De teerlingen: {dice} ogen is te weinig om iets te zeggen.",
        "Les dés : {dice} faces, trop peu pour juger.",
        "The dice: {dice} faces are too few to say anything.",
    ),
    "statistics_unusual": (
        "De teerlingen vielen ongewoon. Bij eerlijke gebeurt dat één avond op de twintig.",
        "Les dés sont tombés curieusement. Avec des dés honnêtes : un soir sur vingt.",
        "The dice fell unusually. Fair ones do that one evening in twenty.",
    ),
    "statistics_very_unusual": (
        "De teerlingen vielen heel ongewoon. Neem eens andere.",
        "Les dés sont tombés très curieusement. Essayez-en d'autres.",
        "The dice fell very unusually. Try others.",
    ),
    "column_player": ("speler", "joueur", "player"),
    "column_next_table": ("tafel", "table", "table"),
    "column_throws": ("worpen", "lancers", "throws"),
    "column_best": ("beste", "meilleur", "best"),
    "column_zands": ("zand", "zand", "zand"),
    "column_sois": ("sois", "sois", "sois"),
    "column_azen": ("azen", "as", "aces"),
    "column_fietskes": ("fietske", "fietske", "fietske"),
    "column_stoefs": ("stoef", "stoef", "stoef"),
    "column_luck": ("geluk", "chance", "luck"),
    "throws_lines": (
        "Tik een worp aan om hem te verbeteren.",
        "Touchez un lancer pour le corriger.",
        "Tap a throw to correct it.",
    ),
    "throws_game": ("spel {number}", "partie {number}", "game {number}"),
    "leave_lines": ("Wie stopt ermee?", "Qui part ?", "Who is leaving?"),
    "why_nothing": (
        "Er is nog niets gebeurd om uit te leggen.",
        "Il n'y a encore rien à expliquer.",
        "Nothing to explain yet.",
    ),
    **EXPLANATIONS,
}


class _Fields(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return "…"


def text(language: str, key: str, **fields: object) -> str:
    """The text in this language, with its fields filled in.

    A key that is not there stands for itself, a field that was not given is an ellipsis: play goes on, tests find it.
    """
    found = TEXTS.get(key)
    if found is None:
        return key
    place = LANGUAGES.index(language) if language in LANGUAGES else 0
    said = found[place]
    if language == "fr":
        for sign in "?!:;":
            said = said.replace(f" {sign}", f"\N{NO-BREAK SPACE}{sign}")
    return said.format_map(_Fields(fields))
