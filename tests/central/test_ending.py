"""The end of an evening step by step (K42 to K46), seasons (K47, K48), files in and out, and removal on request."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
import sqlalchemy as sa

from central import audit, evenings, exchange, paper, standings_view, tables
from central.schema import entrant, evening, game, refused
from central.store import Store
from tests.central import playing
from tests.central.organising import HOME, Organiser, pair, play_seating

FIVE = ("An", "Bo", "Cé", "Dré", "Els")


def type_all(organiser, *orders):
    """Type the results of table 1: each order lists the numbers from first to loser."""
    for order in orders:
        slot = next(iter(organiser.store.reading(lambda c: _missing(c))))
        fields = {f"place-{number}": str(place) for place, number in enumerate(order, 1)}
        organiser.do("/uitslagen/invullen", slot=slot, **fields)


def _missing(connection):
    from central.organise_results import missing

    return [one.key for one in missing(connection, evenings.current(connection))]


def points(organiser):
    """Points of everybody by number, and their places."""
    night = organiser.night()
    rows = organiser.store.reading(lambda c: standings_view.totals(c, night).rows)
    return {row.number: (row.place, row.points) for row in rows}


class TestFinal:
    def test_k42_the_final_is_offered_when_the_seatings_are_over_and_not_before(self, organiser):
        organiser.make_evening(FIVE, seatings="1", games="1", has_final="1")
        assert "Eerst de tafelverdelingen" in organiser.page("/finale")
        organiser.lay_seating("primes")
        assert "Nog bezig: tafel 1" in organiser.page("/finale")
        type_all(organiser, (5, 3, 1, 2, 4))
        text = organiser.page("/finale")
        assert "De finale (K42): Els, Cé, An, Bo en Dré." in text
        organiser.do("/finale/tafel", kind="final", numbers="5,3,1,2,4", table="1")
        assert "De finale wordt gespeeld aan tafel 1" in organiser.page("/finale")
        answer = organiser.store.reading(lambda c: tables.seating_message(c, "1"))["seating"]
        assert (answer["kind"], answer["games"]) == ("final", 1)
        assert [player["name"] for player in answer["players"]] == ["Els", "Cé", "An", "Bo", "Dré"]
        type_all(organiser, (4, 2, 1, 3, 5))
        # K44: 10, 6, 4, 2, 1 on top, to the loser too
        assert points(organiser) == {4: (1, 10), 5: (2, 6), 2: (3, 6), 3: (4, 5), 1: (5, 5)}
        assert "de eindstand" in organiser.page("/finale")
        # what the final brought stands with its game, not what a game of a seating would have brought
        path = re.search(r'href="/organisator(/spel/[^"]*)">Tafel 1, finale', organiser.page("/uitslagen"))[1]
        assert re.findall(r'points">(\d+)<', organiser.page(path)) == ["10", "6", "4", "2", "1"]
        own = organiser.browser.get("/speler/3").text
        assert re.search(r"finale, spel 1</th>.*?points\">(\d+)<", own, re.DOTALL)[1] == "2"

    def test_k42_who_is_absent_is_skipped(self, organiser):
        organiser.make_evening((*FIVE, "Fons"), seatings="1", games="1", has_final="1")
        organiser.lay_seating("primes")
        laid = organiser.store.reading(lambda c: evenings.sittings(c, 1))[0].numbers
        type_all(organiser, laid)
        organiser.do("/spelers/aanwezig", number=str(laid[0]), present="0")
        assert "De finale (K42)" in organiser.page("/finale")
        organiser.mistake("/finale/tafel", kind="final", numbers=",".join(map(str, laid[:5])), table="1")
        seats = [*laid[1:3], *sorted(laid[3:])]  # second, third, and equals by number
        organiser.do("/finale/tafel", kind="final", numbers=",".join(map(str, seats)), table="1")

    def test_k43_equals_for_a_seat_play_off_with_six_stripes(self, organiser):
        names = [f"S{k}" for k in range(1, 8)]
        organiser.make_evening(names, seatings="1", games="1", has_final="1")
        organiser.lay_seating("primes")
        laid = organiser.store.reading(lambda c: evenings.sittings(c, 1))[0].numbers
        type_all(organiser, laid)  # places four to seven have no points: four equals for two seats
        text = organiser.page("/finale")
        assert "zijn gelijk voor 2 plaatsen in de finale: een kampspel met zes strepen (K43)" in text
        equals = tuple(sorted(laid[3:]))
        organiser.do("/finale/tafel", kind="playoff", numbers=",".join(map(str, equals)), table="1")
        assert "Wordt gespeeld aan tafel 1" in organiser.page("/finale")
        answer = organiser.store.reading(lambda c: tables.seating_message(c, "1"))["seating"]
        assert (answer["kind"], answer["reglement"]["stripes"], answer["starter"]) == ("playoff", 6, None)
        play_seating(organiser)
        (one,) = [one for one in organiser.store.reading(lambda c: tables.played(c, 1)) if one.kind == "playoff"]
        through = [line["number"] for line in one.places[:2]]
        before = points(organiser)
        assert all(before[number][1] == 0 for number in equals)  # it brings nothing else
        seats = [*laid[:3], *sorted(through)]
        organiser.do("/finale/tafel", kind="final", numbers=",".join(map(str, seats)), table="1")

    def test_k43_more_than_eight_equals_draw_lots(self, organiser):
        organiser.make_evening([f"S{k}" for k in range(1, 16)], seatings="1", games="1", has_final="1")
        organiser.lay_seating("primes")
        for one in organiser.store.reading(lambda c: evenings.sittings(c, 1)):
            type_all(organiser, one.numbers)
        # three with 5, three with 3 points, three with 1, six with none: seats four and five go to three equals
        text = organiser.page("/finale")
        assert "kampspel" in text
        organiser.mistake("/finale/loot", kind="playoff", table="1")

    def test_k43_lots_seat_eight_and_are_in_the_log(self, organiser):
        organiser.make_evening([f"S{k}" for k in range(1, 11)], seatings="1", games="1", has_final="1")
        organiser.lay_seating("primes")
        organiser.store.writing(_all_equal)
        assert "het lot wijst ze aan" in organiser.page("/finale")
        organiser.do("/finale/loot", kind="playoff", table="1")
        (one,) = [one for one in organiser.store.reading(lambda c: evenings.sittings(c, 1)) if one.kind == "playoff"]
        assert len(one.numbers) == 8
        assert list(one.numbers) == sorted(one.numbers)
        drawn = next(entry for entry in organiser.store.reading(audit.entries) if entry.what == "geloot")
        assert drawn.detail["chosen"] == list(one.numbers)

    def test_k45_equals_in_the_top_three_play_a_deciding_game_with_twelve_stripes(self, organiser):
        organiser.make_evening(FIVE[:4], seatings="1", games="2")
        organiser.lay_seating("primes")
        a, b, c, d = organiser.store.reading(lambda c: evenings.sittings(c, 1))[0].numbers
        type_all(organiser, (a, b, c, d), (b, a, c, d))
        text = organiser.page("/finale")
        assert "zijn gelijk voor 2 plaatsen in de top drie: een beslissingsspel (K45)" in text
        numbers = ",".join(map(str, sorted((a, b))))
        organiser.do("/finale/tafel", kind="deciding", numbers=numbers, table="1")
        answer = organiser.store.reading(lambda c: tables.seating_message(c, "1"))["seating"]
        assert (answer["kind"], answer["reglement"]["stripes"]) == ("deciding", 12)
        type_all(organiser, (b, a))
        assert "de eindstand" in organiser.page("/finale")
        assert points(organiser)[b] == (1, 8)
        assert "won het beslissingsspel (K45)" in organiser.page("/finale")

    def test_a_game_that_is_not_needed_is_not_put_at_a_table(self, organiser):
        organiser.make_evening(FIVE, seatings="1", games="1", has_final="1")
        for kind in ("final", "playoff", "deciding"):
            assert "niet (meer) nodig" in organiser.mistake("/finale/tafel", kind=kind, numbers="1,2", table="1")
        assert "Kies het spel" in organiser.mistake("/finale/tafel", kind="seating", numbers="1,2", table="1")

    def test_k46_the_pot_is_off_until_the_organiser_turns_it_on(self, organiser):
        organiser.make_evening(FIVE, seatings="1", games="1")
        assert "Prijzen" not in organiser.page("/finale").split("<h2>Stand")[0].split("<h1>")[1].replace("prijzen", "")

    def test_k46_the_calculation_is_shown_in_whole_cents(self, organiser):
        organiser.make_evening(FIVE, seatings="1", games="1", entry="2,51", pot="1")
        text = organiser.page("/finale").replace("\xa0", " ")
        # 5 × 2.51 = 12.55; a quarter down: 3.13; paid 9.42; 30 %: 2.82; 15 %: 1.41; the rest 5.19
        for amount in ("€ 12,55", "€ 3,13", "€ 9,42", "€ 2,82", "€ 1,41", "€ 5,19"):
            assert amount in text


def _line_of(person, evening_id):
    """Place and points of a person on an evening, asked of the store."""

    def ask(connection):
        number = next(n for n, one in evenings.entrants(connection, evening_id).items() if one.person_id == person)
        known, games = evenings.entrants(connection, evening_id), tables.played(connection, evening_id)
        row = next(row for row in standings_view.rows(known, games) if row.number == number)
        return row.place, row.points

    return ask


def _all_equal(connection):
    """Every player of the first seating without points, as after games that were given up."""
    for one in evenings.sittings(connection, 1):
        connection.execute(
            game.insert().values(
                id=f"gestopt-{one.table}",
                evening_id=1,
                kind="seating",
                seating=1,
                table_name=one.table,
                number=1,
                numbers=list(one.numbers),
                lines=0,
                journal=None,
                state={"ranking": [], "points": {}},
                places=[{"number": number, "points": 0, "place": None} for number in one.numbers],
                losers={"now": None, "before": []},
                leavers=[],
                flags=[],
                received="x",
                changed="x",
            )
        )


class TestSeason:
    def two_evenings(self, organiser):
        organiser.make_evening(FIVE, seatings="1", games="1", pot="1", entry="10")
        organiser.do("/seizoen", name="2026-2027")
        organiser.lay_seating("primes")
        type_all(organiser, organiser.store.reading(lambda c: evenings.sittings(c, 1))[0].numbers)
        organiser.make_evening((*FIVE[1:], "Fons"), date="2026-12-06", seatings="1", games="1", pot="1", entry="10")
        organiser.do("/seizoen/erbij", key="2026-12-06", season="1")
        organiser.lay_seating("primes")
        type_all(organiser, organiser.store.reading(lambda c: evenings.sittings(c, 2))[0].numbers)

    def test_k48_evenings_add_up_for_a_person_whatever_his_number(self, organiser):
        self.two_evenings(organiser)
        rows = {row.name: row.tally for row in organiser.store.reading(lambda c: standings_view.season_rows(c, 1))}
        assert sum(tally.points for tally in rows.values()) == 18
        assert {name: tally.evenings for name, tally in rows.items()} == {
            **dict.fromkeys(FIVE[1:], 2),
            "An": 1,
            "Fons": 1,
        }
        assert "Stand van het seizoen" in organiser.page("/seizoen")
        assert "Fons" in organiser.browser.get("/seizoen").text

    def test_k46_a_quarter_is_carried_to_the_final_evening(self, organiser):
        self.two_evenings(organiser)
        assert "€ 25,00" in organiser.page("/seizoen").replace("\xa0", " ")  # held: 12.50 of each
        organiser.do("/seizoen/slot", key="2026-12-06", final="1")
        prizes = organiser.store.reading(lambda c: standings_view.prizes_of(c, evenings.by_key(c, "2026-12-06")))
        assert (prizes.pot, prizes.carried_in, prizes.carried, prizes.paid) == (5000, 1250, 0, 6250)
        assert sum(prizes.prizes) == prizes.paid
        organiser.do("/seizoen/slot", key="2026-12-06", final="0")
        prizes = organiser.store.reading(lambda c: standings_view.prizes_of(c, evenings.by_key(c, "2026-12-06")))
        assert (prizes.carried, prizes.paid) == (1250, 3750)

    def test_a_player_is_seen_across_his_evenings(self, organiser):
        self.two_evenings(organiser)
        bo = organiser.store.reading(lambda c: evenings.entrants(c, 1))[2].person_id
        text = organiser.page(f"/wie/{bo}")
        assert text.count('<th scope="row">') == 2
        total = sum(points for _, points in (organiser.store.reading(_line_of(bo, night)) for night in (1, 2)))
        assert f"<b>{total}</b> punten" in text
        assert organiser.browser.get(HOME + "/wie/999").status_code == 422
        assert "Vink eerst" in organiser.mistake(f"/wie/{bo}/verwijder")
        organiser.do(f"/wie/{bo}/verwijder", sure="1")  # he need not be playing tonight
        assert organiser.store.reading(lambda c: evenings.entrants(c, 1))[2].name == "speler 2"
        assert organiser.browser.get("/stand").text.count("Bo") == 0
        assert organiser.post("/wie/999/verwijder", sure="1").status_code == 422

    def test_an_evening_leaves_and_joins(self, organiser):
        self.two_evenings(organiser)
        assert "hoort al bij" in organiser.mistake("/seizoen/erbij", key="2026-12-06", season="1")
        organiser.do("/seizoen/eruit", key="2026-12-06")
        assert organiser.night().season_id is None
        assert "Die avond is er niet" in organiser.mistake("/seizoen/eruit", key="x")
        assert "Dat seizoen is er niet" in organiser.mistake("/seizoen/erbij", key="2026-12-06", season="9")
        assert "al een seizoen" in organiser.mistake("/seizoen", name="2026-2027")
        assert "hoort bij geen seizoen" in organiser.mistake("/seizoen/slot", key="2026-12-06", final="1")


class TestOut:
    @pytest.fixture
    def played(self, organiser):
        organiser.make_evening((*FIVE, "=1+1"), seatings="1", pot="1")
        organiser.lay_seating("primes")
        play_seating(organiser)
        return organiser

    @pytest.mark.parametrize("name", ["spelers", "verdeling", "stand"])
    def test_every_list_is_there_as_csv_and_pdf(self, played, name):
        answer = played.browser.get(f"{HOME}/uitvoer/{name}.csv")
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))
        assert any("Cé" in row for row in rows)
        assert not any(cell.startswith("=") for row in rows for cell in row)  # no formula in a spreadsheet
        answer = played.browser.get(f"{HOME}/uitvoer/{name}.pdf")
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF-")

    def test_score_sheets_are_of_the_games_that_are_still_to_be_played(self, organiser):
        organiser.make_evening((*FIVE, "Fons"), games="3", seatings="2")
        organiser.lay_seating("primes")
        play_seating(organiser, leave_out=1)
        text = organiser.browser.get(f"{HOME}/uitvoer/scorebladen.csv").content.decode("utf-8-sig")
        assert re.findall(r"Tafel 1, verdeling 1, spel (\d): 2 strepen", text) == ["2", "3"]
        assert organiser.browser.get(f"{HOME}/uitvoer/scorebladen.pdf").content.startswith(b"%PDF-")
        play_seating(organiser, seed=2)
        assert organiser.browser.get(f"{HOME}/uitvoer/scorebladen.csv").status_code == 422

    def test_the_prize_list_names_who_gets_what_once_it_is_decided(self, organiser):
        organiser.make_evening(FIVE, seatings="1", games="1", pot="1", entry="3,33")
        organiser.lay_seating("primes")
        assert "Eerste: de rest;" in self.prizes(organiser)
        type_all(organiser, organiser.store.reading(lambda c: evenings.sittings(c, 1))[0].numbers)
        laid = [FIVE[n - 1] for n in organiser.store.reading(lambda c: evenings.sittings(c, 1))[0].numbers]
        assert f"Eerste: de rest: {laid[0]};" in self.prizes(organiser)
        assert f"naar beneden afgerond: {laid[2]};" in self.prizes(organiser)

    @staticmethod
    def prizes(organiser):
        return organiser.browser.get(f"{HOME}/uitvoer/stand.csv").content.decode("utf-8-sig").replace('"', "")

    def test_a_season_is_printed_with_its_pots_under_the_true_names(self, played):
        assert played.browser.get(f"{HOME}/uitvoer/seizoen.csv").status_code == 422
        played.do("/seizoen", name="2026-2027")
        played.do("/spelers/publiek", number="3", name="Cé", nickname="De Slang")
        text = played.browser.get(f"{HOME}/uitvoer/seizoen.csv").content.decode("utf-8-sig").replace("\xa0", " ")
        assert "Cé" in text
        assert "De Slang" not in text
        assert "zondag 29 november 2026;De Kroon;€ 30,00;€ 0,00;€ 7,50;€ 22,50" in text
        assert played.browser.get(f"{HOME}/uitvoer/seizoen.pdf").content.startswith(b"%PDF-")

    def test_without_the_font_a_pdf_says_what_is_missing(self, played, monkeypatch, tmp_path):
        monkeypatch.setattr(paper, "FONTS", tmp_path)
        answer = played.browser.get(HOME + "/uitvoer/stand.pdf")
        assert answer.status_code == 422
        assert "fonts-dejavu-core" in answer.text

    @pytest.mark.parametrize("name", ["x.csv", "stand.exe", "stand", "..%2fcentral.db", ".csv"])
    def test_other_files_are_not(self, played, name):
        assert played.browser.get(f"{HOME}/uitvoer/{name}").status_code in (404, 422)

    def test_the_standings_list_has_the_points(self, played):
        text = played.browser.get(f"{HOME}/uitvoer/stand.csv").content.decode("utf-8-sig")
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=";") if row and row[0].isdecimal()]
        assert {int(row[1]): (int(row[0]), int(row[3])) for row in rows} == points(played)

    def test_an_evening_goes_out_and_in_as_one_file(self, played, tmp_path):
        content = played.browser.get(HOME + "/uitvoer/avond.json").content
        assert b"argon2" not in content
        second = Store(f"sqlite:///{tmp_path / 'second.db'}")
        other = Organiser(second)
        fields = {"csrf": (None, other.csrf()), "file": ("avond.json", content)}
        assert other.browser.post(HOME + "/uitvoer/inlezen", files=fields).status_code == 303
        assert points(other) == points(played)
        again = json.loads(other.browser.get(HOME + "/uitvoer/avond.json").content)
        first = json.loads(content)
        for part in (first, again):
            del part["made"]
            for one in part["evenings"][0]["games"]:
                del one["received"], one["changed"]
        assert again == first
        assert "is hier al" in other.mistake("/uitvoer/inlezen", file=content.decode())
        other.close()
        second.close()

    def test_a_season_goes_out_and_in_with_the_same_persons(self, organiser, tmp_path):
        TestSeason().two_evenings(organiser)
        content = organiser.browser.get(HOME + "/uitvoer/seizoen.json").content
        second = Store(f"sqlite:///{tmp_path / 'second.db'}")
        second.writing(lambda c: exchange.imported(c, content.decode()))

        def standing(store):
            rows = store.reading(lambda c: standings_view.season_rows(c, 1))
            return [(row.place, row.name, row.tally) for row in rows]

        assert standing(second) == standing(organiser.store)
        second.close()

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda text: "",
            lambda text: "[]",
            lambda text: "{}",
            lambda text: text[:-50],
            lambda text: text.replace('"format": 1', '"format": 2'),
            lambda text: text.replace('"pot": true', '"pot": true, "admin": true'),
            lambda text: text.replace('"number": 1,', '"number": 2,', 1),
            lambda text: text.replace('"type": "throw"', '"type": "stand"', 1),
            lambda text: text.replace('"table": "1"', '"table": ["1"]', 1),
            lambda text: "[" * 50_000,
        ],
    )
    def test_a_file_that_is_none_changes_nothing(self, played, tmp_path, spoil):
        text = played.browser.get(HOME + "/uitvoer/avond.json").text
        second = Store(f"sqlite:///{tmp_path / 'second.db'}")
        with pytest.raises(exchange.BadFile):
            second.writing(lambda c: exchange.imported(c, spoil(text)))
        for table in (evening, entrant, game):
            assert second.reading(lambda c, table=table: c.execute(sa.select(table)).all()) == []
        second.close()

    def test_a_second_machine_is_rebuilt_from_the_tables_journals(self, organiser, tmp_path):
        organiser.make_evening([f"S{k}" for k in range(1, 11)], seatings="2")
        organiser.lay_seating()
        sent = play_seating(organiser)
        organiser.lay_seating()
        sent += play_seating(organiser, 1)
        second = Store(f"sqlite:///{tmp_path / 'second.db'}")
        other = Organiser(second)
        other.make_evening(("X", "Y"), date="2026-01-01")
        token = pair(other, "1")
        for message in reversed(sent):
            answer = other.browser.post("/api/results", json=message, headers={"Authorization": f"Bearer {token}"})
            assert answer.json()["error"]["code"] == "evening"
        assert "die hier niet is" in other.page("/uitvoer")
        other.do("/uitvoer/terughalen", key="2026-11-29")
        assert other.night().key == "2026-11-29"
        assert points(other) == points(organiser)
        waiting = second.reading(lambda c: c.scalars(sa.select(refused.c.id).where(refused.c.handled.is_(None))).all())
        assert waiting == []
        assert "wachten er geen resultaten" in other.mistake("/uitvoer/terughalen", key="2026-11-29")
        other.close()
        second.close()


class TestRemoval:
    def test_a_name_is_wiped_everywhere_and_results_stay(self, organiser):
        organiser.make_evening(("Xantippe", *FIVE), seatings="1")
        organiser.lay_seating("primes")
        token = pair(organiser, "1")
        sent = play_seating(organiser, token=token)
        before = points(organiser)
        wrong = sent[0] | {"points": {}}
        headers = {"Authorization": f"Bearer {token}"}
        organiser.browser.post("/api/results", json=wrong, headers=headers)
        assert "Vink" in organiser.mistake("/spelers/verwijder", number="1")
        organiser.do("/spelers/verwijder", number="1", sure="1")
        assert points(organiser) == before
        with organiser.store.engine.connect() as connection:
            dump = "\n".join(connection.connection.driver_connection.iterdump())
        assert "Xantippe" not in dump
        # the card at the table still has the name: what it sends again is the same game, and brings nothing back
        answers = [organiser.browser.post("/api/results", json=one, headers=headers).json() for one in sent]
        assert [answer["outcome"] for answer in answers] == ["same"] * len(sent)
        longer = playing.corrected([{k: v for k, v in line.items() if k != "seq"} for line in sent[-1]["journal"]])
        fixed = playing.message(longer, evening="2026-11-29", number=3, numbers=sent[-1]["numbers"])
        answer = organiser.browser.post("/api/results", json=fixed, headers=headers).json()
        assert answer["outcome"] == "replaced"
        with organiser.store.engine.connect() as connection:
            kept = connection.execute(sa.select(game.c.journal)).scalars().all()
        assert not any("Xantippe" in journal for journal in kept)

    def test_the_public_page_shows_his_number_only(self, organiser):
        organiser.make_evening(("Xantippe", "Bo"), seatings="1")
        organiser.do("/spelers/verwijder", number="1", sure="1")
        for path in ("/", "/stand", "/speler/1", "/beamer"):
            assert "Xantippe" not in organiser.browser.get(path).text


class TestPublic:
    def test_a_player_sees_his_next_table_games_and_dice(self, organiser):
        organiser.make_evening(FIVE)
        organiser.lay_seating("primes")
        sent = play_seating(organiser)
        organiser.lay_seating("primes")
        text = organiser.browser.get("/speler/1").text
        assert "<b>Tafel 1</b>" in text
        assert text.count("verdeling 1, spel") == 3
        throws = sum(
            line["type"] == "throw" and line["player"] == "An" and len(line["dice"]) == 3
            for message in sent
            for line in message["journal"]
        )
        assert f"Van {throws} worpen" in text

    @pytest.mark.parametrize("path", ["/speler/99", "/speler/0", "/speler/-1", "/speler/x", "/speler/" + "9" * 400])
    def test_a_player_who_is_not_there(self, organiser, path):
        organiser.make_evening(FIVE)
        assert organiser.browser.get(path).status_code == 404

    def test_the_beamer_has_the_address_as_qr(self, organiser):
        organiser.make_evening(FIVE)
        text = organiser.browser.get("/beamer").text
        assert "<svg" in text
        assert "http://central.test" in text

    def test_public_pages_hold_no_form(self, organiser):
        organiser.make_evening(FIVE)
        for path in ("/", "/stand", "/beamer", "/seizoen", "/speler/1"):
            assert "<form" not in organiser.browser.get(path).text
