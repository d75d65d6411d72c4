"""The organiser's evening, page by page."""

from __future__ import annotations

import json
import re

import pytest
import sqlalchemy as sa

from central import audit, evenings, ingest, live, pictures, tables, terminals
from central.schema import game, refused
from central.store import Store
from terminal.rules import seating
from tests.central import playing
from tests.central.organising import HOME, Organiser, pair, play_seating
from tests.central.test_login import GETS


class TestBefore:
    def test_pages_without_an_evening_say_what_to_do(self, organiser):
        for path in GETS:
            answer = organiser.browser.get(HOME + path)
            assert answer.status_code in (200, 422), path
        assert "Maak een avond" in organiser.page()

    def test_an_evening_is_made_and_players_come_in(self, organiser):
        organiser.make_evening(("An", "Bo", "Jan", "Jan"))
        text = organiser.page("/spelers")
        assert "Jan (4)" in text
        assert "€\xa020,00" in text
        known = organiser.store.reading(lambda c: evenings.entrants(c, organiser.night().id))
        assert [one.name for one in known.values()] == ["An", "Bo", "Jan", "Jan (4)"]
        assert len({one.person_id for one in known.values()}) == 4

    def test_a_known_player_is_the_same_person_on_the_next_evening(self, organiser):
        organiser.make_evening(("An", "Bo"))
        first = organiser.store.reading(lambda c: evenings.entrants(c, 1))
        organiser.make_evening((), date="2026-12-06")
        assert '<option value="An">' in organiser.page("/spelers")
        organiser.do("/spelers", name="Bo")
        organiser.do("/spelers", name="An", new="1")
        second = organiser.store.reading(lambda c: evenings.entrants(c, 2))
        assert second[1].person_id == first[2].person_id
        assert second[2].person_id not in {one.person_id for one in first.values()}

    @pytest.mark.parametrize(
        ("fields", "sentence"),
        [
            ({"date": "gisteren"}, "datum"),
            ({"cafe": " "}, "café"),
            ({"cafe": "x" * 61}, "60"),
            ({"reglement": "poker"}, "reglement"),
            ({"stripes": "0"}, "1 tot 99"),
            ({"stripes": "½"}, "1 tot 99"),
            ({"stripes": "9" * 5000}, "1 tot 99"),
            ({"entry": "-5"}, "inleg"),
            ({"entry": "5,555"}, "inleg"),
            ({"entry": "1e9"}, "inleg"),
            ({"seatings": "6", "system": "primes"}, "K50"),
            ({"games": "0"}, "1 tot 9"),
            ({"system": "loten"}, "Kies"),
        ],
    )
    def test_a_mistake_in_an_evening_is_named(self, organiser, fields, sentence):
        values = {"date": "2026-11-29", "cafe": "X", "reglement": "kazerne", "stripes": "12", "entry": "2.50"}
        values |= {"seatings": "3", "games": "3", "system": "primes"}
        assert sentence in organiser.mistake("/avonden", **(values | fields))
        assert organiser.night() is None

    @pytest.mark.parametrize(("typed", "cents"), [("5", 500), ("2,5", 250), ("2.50", 250), ("", 0), ("0,05", 5)])
    def test_the_entry_fee_is_read_in_cents(self, organiser, typed, cents):
        organiser.make_evening((), entry=typed)
        assert organiser.night().entry_cents == cents

    def test_an_evening_made_by_mistake_is_struck_out_unless_it_was_played(self, organiser):
        organiser.make_evening(("An", "Bo"))
        organiser.make_evening(("An", "Bo"), date="2026-12-06")
        assert "Kies eerst een andere" in organiser.mistake("/avonden/schrap", key="2026-12-06")
        organiser.lay_seating()
        play_seating(organiser, leave_out=1)
        organiser.do("/avonden/kies", key="2026-11-29")
        assert "ze blijft" in organiser.mistake("/avonden/schrap", key="2026-12-06")
        organiser.do("/avonden/kies", key="2026-12-06")
        organiser.do("/avonden/schrap", key="2026-11-29")
        assert "Die avond is er niet" in organiser.mistake("/avonden/schrap", key="2026-11-29")
        assert organiser.page("/avonden").count("Kies</button>") == 0
        assert organiser.page("/spelers").count("<summary>An") == 1

    def test_a_cafe_plays_by_its_own_reglement_out_of_a_file(self, organiser):
        values = {"date": "2026-11-29", "cafe": "X", "reglement": "kazerne", "stripes": "12", "entry": "0"}
        values |= {"seatings": "1", "games": "3", "system": "primes"}
        fields = playing.reglement("negen", 7) | {"name": "De Kroon", "outside_adds": 2}
        del fields["labels"]
        own = "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())
        wrong = own.replace('"by_face"', '"soms"')
        assert "zand" in organiser.mistake("/avonden", **values, own=wrong)
        assert "eigen naam" in organiser.mistake("/avonden", **values, own=own.replace("De Kroon", "kazerne"))
        assert "te groot" in organiser.mistake("/avonden", **values, own=own + "#" * 20_000)
        organiser.do("/avonden", **values, own=own)
        played = organiser.night().reglement
        assert (played["name"], played["stripes"], played["outside_adds"]) == ("De Kroon", 7, 2)
        organiser.do("/avonden/wijzig", **(values | {"reglement": "De Kroon", "stripes": "9"}))
        assert (organiser.night().reglement["stripes"], organiser.night().reglement["outside_adds"]) == (9, 2)
        organiser.do("/avonden", **(values | {"reglement": "De Kroon", "date": "2026-12-06"}))
        for name in ("An", "Bo"):
            organiser.do("/spelers", name=name)
        organiser.lay_seating("primes")
        assert len(play_seating(organiser)) == 3
        assert organiser.night().reglement["name"] == "De Kroon"

    def test_k52_numbers_are_never_given_again(self, organiser):
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.do("/spelers/aanwezig", number="3", present="0")
        organiser.do("/spelers", name="Laat")
        known = organiser.store.reading(lambda c: evenings.entrants(c, 1))
        assert [(one.number, one.name, one.present) for one in known.values()][2:] == [
            (3, "Cé", False),
            (4, "Laat", True),
        ]

    @pytest.mark.parametrize("name", ["", "   ", "x" * 41, "An\x00", "An\u202e"])
    def test_a_name_that_is_none_is_refused(self, organiser, name):
        organiser.make_evening(())
        organiser.mistake("/spelers", name=name)
        assert organiser.store.reading(lambda c: evenings.entrants(c, 1)) == {}

    def test_paid_present_struck_and_public_name(self, organiser, stranger):
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.do("/spelers/betaald", number="1", paid="0")
        organiser.do("/spelers/publiek", number="1", name="An", nickname="De Slang")
        organiser.do("/spelers/publiek", number="2", name="Bo", nickname="", only_number="1")
        organiser.do("/spelers/schrap", number="3")
        known = organiser.store.reading(lambda c: evenings.entrants(c, 1))
        assert (known[1].paid, known[1].shown, known[2].shown, set(known)) == (False, "De Slang", "", {1, 2})
        page = stranger.get("/stand").text
        assert "De Slang" in page
        assert "An" not in re.findall(r">\s*([A-Z][^<>]*)\s*<", page)
        assert "Bo" not in page
        assert organiser.mistake("/spelers/betaald", number="9", paid="1") == "Dat nummer is er niet."

    def test_a_misspelt_name_is_mended_and_two_of_one_name_stay_apart(self, organiser):
        organiser.make_evening(("An", "Boo", "Cé"))
        organiser.do("/spelers/publiek", number="2", name="an", nickname="")
        known = organiser.store.reading(lambda c: evenings.entrants(c, 1))
        assert known[2].name == "an (2)"
        organiser.do("/spelers/publiek", number="2", name="Bo", nickname="")
        organiser.lay_seating()
        assert [one["name"] for one in told(organiser, "1")["players"]] == ["An", "Bo", "Cé"]

    def test_who_was_taken_for_a_known_player_becomes_a_person_of_his_own(self, organiser):
        organiser.make_evening(("An", "Bo"))
        organiser.make_evening(("An", "Bo"), date="2026-12-06")
        assert organiser.page("/spelers").count("van vorige avonden") == 2
        organiser.do("/spelers/publiek", number="1", name="Anneke", nickname="", other="1")
        first, second = (organiser.store.reading(lambda c, k=k: evenings.entrants(c, k)) for k in (1, 2))
        assert (first[1].name, second[1].name) == ("An", "Anneke")
        assert first[1].person_id != second[1].person_id
        assert first[2].person_id == second[2].person_id

    def test_the_forecast_says_what_would_fit(self, organiser):
        organiser.make_evening([f"S{k}" for k in range(25)], stripes="12", seatings="5")
        text = organiser.page("/spelers")
        assert "de hele avond" in text
        assert re.search(r"Met \d+ strepen in plaats van 12", text)

    def test_what_results_rest_on_is_fixed_once_a_seating_is_out(self, organiser):
        organiser.make_evening()
        values = {"date": "2026-11-29", "cafe": "De Zwaan", "reglement": "kazerne", "stripes": "2", "entry": "5"}
        values |= {"seatings": "2", "games": "3", "system": "spread"}
        organiser.do("/avonden/wijzig", **(values | {"stripes": "3"}))
        organiser.do("/avonden/wijzig", **values)
        organiser.lay_seating()
        assert "K42" in organiser.mistake("/avonden/wijzig", **(values | {"stripes": "3"}))
        assert "K42" in organiser.mistake("/avonden/wijzig", **(values | {"has_final": "1"}))
        organiser.do("/avonden/wijzig", **(values | {"seatings": "3"}))
        assert organiser.night().seatings == 3


class TestSeating:
    def test_both_systems_stand_side_by_side_with_their_repeats(self, organiser):
        organiser.make_evening([f"S{k}" for k in range(1, 26)], seatings="5")
        text = organiser.page("/verdeling")
        counts = re.findall(r"(\d+) herhaalde ontmoeting\w* tot en met deze verdeling, (\d+) als", text)
        assert counts == [("0", "58"), ("0", "0")]  # K53: the paper's 58, and none

    def test_k50_the_primes_are_those_of_the_paper(self, organiser):
        organiser.make_evening([f"S{k}" for k in range(1, 16)])
        organiser.lay_seating("primes")
        laid = organiser.store.reading(lambda c: evenings.sittings(c, 1))
        assert [one.numbers for one in laid] == [(1, 4, 7, 10, 13), (2, 5, 8, 11, 14), (3, 6, 9, 12, 15)]

    def test_a_draft_is_swapped_and_nobody_changes_it_once_published(self, organiser):
        organiser.make_evening([f"S{k}" for k in range(1, 11)])
        organiser.do("/verdeling/kies", system="primes")
        before = organiser.store.reading(lambda c: evenings.sittings(c, 1))
        a, b = before[0].numbers[0], before[1].numbers[2]
        assert "Wissel" in organiser.page("/verdeling")
        organiser.do("/verdeling/wissel", a=str(a), b=str(b))
        after = organiser.store.reading(lambda c: evenings.sittings(c, 1))
        assert (after[0].numbers[0], after[1].numbers[2]) == (b, a)
        assert organiser.store.reading(lambda c: tables.seating_message(c, "1"))["seating"] is None
        organiser.do("/verdeling/publiceer")
        assert organiser.store.reading(lambda c: tables.seating_message(c, "1"))["seating"] is not None
        assert "K50" in organiser.mistake("/verdeling/wissel", a=str(a), b=str(b))
        assert "K50" in organiser.mistake("/verdeling/verwerp")

    def test_a_draft_can_be_thrown_away(self, organiser):
        organiser.make_evening()
        organiser.do("/verdeling/kies", system="spread")
        assert "klaar" in organiser.mistake("/verdeling/kies", system="spread")
        organiser.do("/verdeling/verwerp")
        organiser.lay_seating("primes")

    @pytest.mark.parametrize(("a", "b"), [("1", "1"), ("1", "99"), ("x", "1"), ("", "")])
    def test_a_swap_needs_two_players_of_the_draft(self, organiser, a, b):
        organiser.make_evening()
        organiser.do("/verdeling/kies", system="spread")
        organiser.mistake("/verdeling/wissel", a=a, b=b)

    def test_k51_one_player_is_no_evening(self, organiser):
        organiser.make_evening(("An",))
        assert "twee" in organiser.mistake("/verdeling/kies", system="spread")

    def test_who_is_absent_sits_nowhere(self, organiser):
        organiser.make_evening()
        organiser.do("/spelers/aanwezig", number="2", present="0")
        organiser.lay_seating("primes")
        laid = organiser.store.reading(lambda c: evenings.sittings(c, 1))
        assert sorted(number for one in laid for number in one.numbers) == [1, 3, 4, 5, 6]

    def test_the_next_seating_avoids_who_met_and_the_matrix_shows_it(self, organiser):
        organiser.make_evening([f"S{k}" for k in range(1, 26)])
        organiser.lay_seating()
        organiser.lay_seating()
        laid = organiser.store.reading(lambda c: evenings.sittings(c, 1))
        plan = [tuple(one.numbers for one in laid if one.seating == number) for number in (1, 2)]
        assert seating.repeats(plan) == 0
        assert organiser.page("/verdeling").count('class="n once"') == 2 * len(seating.meetings(plan))
        assert "zijn er al" in organiser.mistake("/verdeling/kies", system="spread")

    def test_tables_hear_where_their_players_go_next(self, organiser):
        organiser.make_evening([f"S{k}" for k in range(1, 11)])
        organiser.lay_seating()
        organiser.lay_seating()
        answer = organiser.store.reading(lambda c: tables.seating_message(c, "1"))
        laid = organiser.store.reading(lambda c: evenings.sittings(c, 1))
        where = {number: one.table for one in laid if one.seating == 2 for number in one.numbers}
        assert {one["number"]: one["table"] for one in answer["next"]} == {
            player["number"]: where[player["number"]] for player in answer["seating"]["players"]
        }


def told(organiser, table):
    """What a table hears of its seat."""
    return organiser.store.reading(lambda c: tables.seating_message(c, table))["seating"]


class TestANameCorrectedDuringPlay:
    """The organiser typed "Boo", and Bo reads it on the beamer after the first game."""

    def mended(self, organiser):
        """One game played and sent under the old name, then the correction; gives the table's token and the game."""
        organiser.make_evening(("An", "Boo", "Cé"))
        organiser.lay_seating("primes")
        token = pair(organiser, "1")
        (message,) = play_seating(organiser, token=token, leave_out=1)
        organiser.do("/spelers/publiek", number="2", name="Bo", nickname="")
        return token, message

    def test_every_page_has_the_new_name_and_the_results_stay_under_the_number(self, organiser, stranger):
        _, message = self.mended(organiser)
        for page in (stranger.get("/stand").text, stranger.get("/").text, organiser.page("/uitslagen")):
            assert "Bo" in re.findall(r"\b\w+\b", page)
            assert "Boo" not in page
        assert "Boo" not in organiser.page(f"/spel/{message['game']}")
        (one,) = organiser.store.reading(lambda c: tables.played(c, 1))
        assert {line["number"]: line["points"] for line in one.places}[2] == message["points"]["Boo"]
        assert "naam verbeterd" in organiser.page("/logboek")

    def test_the_table_keeps_the_name_it_was_told_until_its_next_seating(self, organiser):
        token, message = self.mended(organiser)
        assert {one["number"]: one["name"] for one in told(organiser, "1")["players"]} == {1: "An", 2: "Boo", 3: "Cé"}
        longer = playing.message(playing.corrected(message["journal"]), evening="2026-11-29")
        answer = organiser.browser.post("/api/results", json=longer, headers={"Authorization": f"Bearer {token}"})
        assert answer.json()["outcome"] == "replaced"
        play_seating(organiser, seed=3, token=token)
        organiser.lay_seating("primes")
        assert {one["number"]: one["name"] for one in told(organiser, "1")["players"]} == {1: "An", 2: "Bo", 3: "Cé"}
        assert len(play_seating(organiser, seed=4, token=token)) == 3
        assert organiser.store.reading(lambda c: c.scalars(sa.select(refused.c.code)).all()) == []

    def test_a_live_game_under_the_old_name_shows_its_stripes_under_the_new_one(self, organiser, stranger):
        token, _ = self.mended(organiser)
        seating = told(organiser, "1")
        names = [player["name"] for player in seating["players"]]
        lines = playing.play(names, 8, game="live", starter=seating["starter"], rules=seating["reglement"])
        live = [{"seq": seq, "line": line} for seq, line in enumerate(lines[:4])]
        body = {"table": "1", "game": "live", "lines": live}
        organiser.browser.post("/api/live", json=body, headers={"Authorization": f"Bearer {token}"})
        shown = stranger.get("/part/tables").text
        assert shown.count('class="tally"') == 3
        assert "Boo" not in shown

    def test_two_names_that_were_exchanged_are_put_right(self, organiser):
        organiser.make_evening(("Bo", "An"))
        organiser.lay_seating("primes")
        for number, name in (("1", "An"), ("2", "Bo"), ("1", "An")):
            organiser.do("/spelers/publiek", number=number, name=name, nickname="")
        known = organiser.store.reading(lambda c: evenings.entrants(c, 1))
        assert [one.name for one in known.values()] == ["An", "Bo"]
        assert [one["name"] for one in told(organiser, "1")["players"]] == ["Bo", "An"]

    def test_removed_on_request_neither_name_is_left_and_his_table_can_still_send(self, organiser):
        token, message = self.mended(organiser)
        organiser.do("/spelers/verwijder", number="2", sure="1")
        with organiser.store.engine.connect() as connection:
            everything = "\n".join(connection.connection.driver_connection.iterdump())
        assert "Boo" not in everything
        assert not re.search(r"\bBo\b", everything)
        longer = playing.message(playing.corrected(message["journal"]), evening="2026-11-29")
        answer = organiser.browser.post("/api/results", json=longer, headers={"Authorization": f"Bearer {token}"})
        assert answer.json()["outcome"] == "replaced"

    def test_an_evening_in_a_file_and_one_from_the_cards_know_both_names(self, organiser, tmp_path):
        token, first = self.mended(organiser)
        rest = play_seating(organiser, seed=3, token=token)
        organiser.lay_seating("primes")
        rest += play_seating(organiser, seed=4, token=token)
        stand = organiser.browser.get(HOME + "/uitvoer/stand.csv").content
        file = organiser.browser.get(HOME + "/uitvoer/avond.json").content
        for way in ("file", "cards"):
            store = Store(f"sqlite:///{tmp_path / way}.db")
            other = Organiser(store)
            if way == "file":
                other.do("/uitvoer/inlezen", file=file.decode())
            else:
                other.make_evening((), date="2026-12-31")
                headers = {"Authorization": f"Bearer {pair(other, '1')}"}
                for message in (first, *rest):
                    other.browser.post("/api/results", json=message, headers=headers)
                other.do("/uitvoer/terughalen", key="2026-11-29")
            assert other.browser.get(HOME + "/uitvoer/stand.csv").content == stand
            assert (
                store.reading(lambda c: c.scalars(sa.select(refused.c.id).where(refused.c.code != "evening")).all())
                == []
            )
            other.close()
            store.close()


class TestDuring:
    def test_results_come_and_the_steps_go_on(self, organiser):
        organiser.make_evening()
        assert 'class="now" aria-current="step"><a href="/organisator/spelers"' in organiser.page()
        organiser.lay_seating()
        assert "Verdeling 1 wordt gespeeld</a>" in organiser.page()
        sent = play_seating(organiser)
        assert len(sent) == 3  # six players sit at one table (K51)
        assert (
            'class="now" aria-current="step"><a href="/organisator/verdeling">Publiceer verdeling 2' in organiser.page()
        )
        text = organiser.page("/uitslagen")
        assert text.count('class="card result"') == 3

    def test_a_game_page_tells_the_journal(self, organiser):
        organiser.make_evening()
        organiser.lay_seating()
        (message,) = play_seating(organiser, leave_out=1)
        text = organiser.page(f"/spel/{message['game']}")
        assert text.count("<td>gooit") + text.count("gooit om") >= len(message["journal"]) // 2

    def test_a_result_is_typed_in_for_a_table_without_terminal(self, organiser):
        organiser.make_evening(("An", "Bo", "Cé", "Dré"))
        organiser.lay_seating("primes")
        slot = '["seating", 1, "1", 1]'
        assert "invullen zonder toestel" in organiser.page("/uitslagen")
        organiser.page("/uitslagen/invullen?spel=" + slot)
        fields = {"place-1": "2", "place-2": "1", "place-3": "4", "place-4": "3"}
        organiser.do("/uitslagen/invullen", slot=slot, **fields)
        (one,) = organiser.store.reading(lambda c: tables.played(c, 1))
        points = {line["number"]: line["points"] for line in one.places}
        assert points == {1: 3, 2: 5, 3: 0, 4: 1}
        assert one.typed
        answer = organiser.store.reading(lambda c: tables.seating_message(c, "1"))["seating"]
        assert (answer["number"], answer["starter"]) == (2, "Cé")  # K3
        assert "al een uitslag" in organiser.mistake("/uitslagen/invullen", slot=slot, **fields)

    def test_k40_the_loser_of_three_has_nothing_also_as_third(self, organiser):
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.lay_seating("primes")
        fields = {"place-1": "1", "place-2": "2", "place-3": "3"}
        organiser.do("/uitslagen/invullen", slot='["seating", 1, "1", 1]', **fields)
        (one,) = organiser.store.reading(lambda c: tables.played(c, 1))
        assert [line["points"] for line in one.places] == [5, 3, 0]

    def test_k54_who_stopped_is_typed_in_without_a_place(self, organiser):
        organiser.make_evening(("An", "Bo", "Cé", "Dré"))
        organiser.lay_seating("primes")
        fields = {"place-1": "1", "place-2": "-", "place-3": "2", "place-4": "3"}
        organiser.do("/uitslagen/invullen", slot='["seating", 1, "1", 1]', **fields)
        answer = organiser.store.reading(lambda c: tables.seating_message(c, "1"))["seating"]
        assert [player["number"] for player in answer["players"]] == [1, 4, 3]  # K50's order, without 2

    @pytest.mark.parametrize(
        "places", [("1", "1", "2"), ("2", "3", "1", ""), ("1", "2", "4"), ("-", "-", "-"), ("0", "1", "2")]
    )
    def test_places_that_do_not_count_up_are_refused(self, organiser, places):
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.lay_seating("primes")
        fields = {f"place-{number}": place for number, place in enumerate(places, 1)}
        if places == ("2", "3", "1", ""):
            fields["place-2"] = "x"
        organiser.mistake("/uitslagen/invullen", slot='["seating", 1, "1", 1]', **fields)
        assert organiser.store.reading(lambda c: tables.played(c, 1)) == []

    def test_a_result_is_replaced_with_a_reason_and_the_old_one_is_kept(self, organiser):
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.lay_seating("primes")
        token = pair(organiser, "1")
        (message,) = play_seating(organiser, token=token, leave_out=1)
        fields = {"place-1": "1", "place-2": "2", "place-3": "3"}
        path = f"/spel/{message['game']}/vervang"
        assert "reden" in organiser.mistake(path, **fields)
        organiser.do(path, reason="de bak viel om", **fields)
        (one,) = organiser.store.reading(lambda c: tables.played(c, 1))
        assert one.typed
        (entry,) = [one for one in organiser.store.reading(audit.entries) if one.reason]
        assert entry.reason == "de bak viel om"
        headers = {"Authorization": f"Bearer {token}"}
        answer = organiser.browser.get("/api/games?table=1", headers=headers).json()
        assert answer["refused"] == {message["game"]: len(message["journal"])}  # so the table does not offer it again
        again = organiser.browser.post("/api/results", json=message, headers=headers)
        assert again.json()["error"]["code"] == "number_taken"

    def refused_game(self, organiser):
        """Game 2 begun by the wrong player, refused (K3)."""
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.lay_seating("primes")
        token = pair(organiser, "1")
        (first,) = play_seating(organiser, token=token, leave_out=1)
        loser = playing.loser(first["journal"])
        wrong = next(name for name in ("An", "Bo", "Cé") if name != loser)
        lines = playing.play(("An", "Bo", "Cé"), 77, starter=wrong, rules=first["reglement"])
        message = playing.message(lines, evening="2026-11-29", number=2)
        headers = {"Authorization": f"Bearer {token}"}
        answer = organiser.browser.post("/api/results", json=message, headers=headers)
        assert answer.json()["error"]["code"] == "starter"
        return message

    def test_a_refused_result_is_seen_and_may_count_with_a_reason(self, organiser):
        message = self.refused_game(organiser)
        assert "1 geweigerd resultaat" in organiser.page()
        assert "De verkeerde speler begon" in organiser.page("/geweigerd")
        assert "reden" in organiser.mistake("/geweigerd/telt", id="1")
        organiser.do("/geweigerd/telt", id="1", reason="An was naar het toilet")
        games = organiser.store.reading(lambda c: tables.played(c, 1))
        assert [one.id for one in games][1] == message["game"]
        assert games[1].flags == [ingest.FORCED]
        assert "geweigerd resultaat" not in organiser.page()
        # what follows from it is checked as ever, and it stays although K3 does not hold for it
        play_seating(organiser, seed=5)
        assert len(organiser.store.reading(lambda c: tables.played(c, 1))) == 3

    def test_a_refused_result_can_be_put_aside(self, organiser):
        self.refused_game(organiser)
        organiser.do("/geweigerd/opzij", id="1")
        assert "geweigerd resultaat" not in organiser.page()
        handled = organiser.store.reading(lambda c: c.scalar(sa.select(refused.c.handled)))
        assert handled == "dismissed"
        organiser.mistake("/geweigerd/opzij", id="999")

    def test_rubbish_is_put_aside_at_once_and_makes_room(self, organiser, monkeypatch):
        """Somebody in the café sends nonsense until nothing more is kept: one button, and it goes on."""
        monkeypatch.setattr(ingest, "MOST_REFUSED", 6)
        message = self.refused_game(organiser)
        headers = {"Authorization": f"Bearer {pair(organiser, '1')}"}

        def send(k):
            return organiser.browser.post("/api/results", content=f"rommel {k}", headers=headers).status_code

        assert [send(k) for k in range(6)] == [400] * 5 + [429]
        assert "Leg alles opzij wat niet kan tellen" in organiser.page("/geweigerd")
        organiser.do("/geweigerd/rest")
        assert send(7) == 400
        left = organiser.store.reading(lambda c: c.execute(sa.select(refused.c.game, refused.c.handled)).all())
        assert left == [(message["game"], None), (None, None)]  # what may still count is never lost

    def test_a_fork_may_take_the_place_of_what_was_stored(self, organiser):
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.lay_seating("primes")
        token = pair(organiser, "1")
        (first,) = play_seating(organiser, token=token, leave_out=1)
        lines = playing.play(("An", "Bo", "Cé"), 99, game=first["game"], rules=first["reglement"])
        fork = playing.message(lines, evening="2026-11-29")
        organiser.browser.post("/api/results", json=fork, headers={"Authorization": f"Bearer {token}"})
        organiser.do("/geweigerd/telt", id="1", reason="de andere kaart was een kopie")
        (one,) = organiser.store.reading(lambda c: tables.played(c, 1))
        assert one.lines == len(lines)
        kept = organiser.store.reading(lambda c: c.scalars(sa.select(refused.c.code).order_by(refused.c.id)).all())
        assert kept == ["fork", "replaced"]

    def test_a_wrong_message_cannot_be_forced_in(self, organiser):
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.lay_seating("primes")
        token = pair(organiser, "1")
        message = playing.message(playing.play(("X", "Y", "Z"), 1)) | {"evening": "2026-11-29"}
        headers = {"Authorization": f"Bearer {token}"}
        assert organiser.browser.post("/api/results", json=message, headers=headers).status_code == 422
        assert "kan niet tellen" in organiser.mistake("/geweigerd/telt", id="1", reason="toch")
        assert organiser.store.reading(lambda c: c.execute(sa.select(game)).all()) == []

    def test_a_correction_after_the_end_is_flagged_until_it_was_seen(self, organiser):
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.lay_seating("primes")
        token = pair(organiser, "1")
        (first,) = play_seating(organiser, token=token, leave_out=1)
        longer = playing.message(playing.corrected(first["journal"]), evening="2026-11-29")
        organiser.browser.post("/api/results", json=longer, headers={"Authorization": f"Bearer {token}"})
        assert "na het einde verbeterd" in organiser.page("/part/overview")
        organiser.do(f"/spel/{first['game']}/gezien")
        assert "na het einde verbeterd" not in organiser.page("/part/overview")

    def test_health_is_shown_and_a_table_that_is_gone_is_forgotten(self, organiser, stranger, monkeypatch):
        organiser.make_evening()
        organiser.lay_seating()
        token = pair(organiser, "1")
        beat = {"table": "1", "game": None, "seq": None, "queue": 2, "health": {"camera": False, "temperature_c": 51}}
        stranger.post("/api/heartbeat", json=beat, headers={"Authorization": f"Bearer {token}"})
        text = organiser.page("/part/overview")
        assert '<span class="badge bad">geen camera</span>' in text
        assert "2 onderweg" in text
        assert "°C 51" in text
        assert "Dit toestel is weg" not in text
        monkeypatch.setattr(live, "SILENT_AFTER_S", -1.0)
        assert "Dit toestel is weg" in organiser.page("/part/overview")
        organiser.do("/tafel/vergeet", table="1")
        assert "geen toestel" in organiser.page("/part/overview")


def test_the_organiser_asks_for_a_picture_and_sees_it(organiser, stranger):
    organiser.make_evening(("An", "Bo", "Cé"))
    organiser.lay_seating("primes")
    lines = playing.play(("An", "Bo", "Cé"), 3, rules=organiser.night().reglement)
    at = next(seq for seq, line in enumerate(lines) if line["type"] == "throw")
    lines[at] = lines[at] | {"image": "game-3-7.jpg"}
    token = pair(organiser, "1")
    headers = {"Authorization": f"Bearer {token}"}
    organiser.browser.post("/api/results", json=playing.message(lines, evening="2026-11-29"), headers=headers)
    assert "Vraag de foto van regel" in organiser.page("/spel/game-3")
    organiser.mistake("/spel/game-3/foto", seq="0")
    organiser.do("/spel/game-3/foto", seq=str(at))
    assert "foto gevraagd" in organiser.page("/spel/game-3")
    jpeg = b"\xff\xd8\xff bak"
    stranger.request("PUT", "/api/pictures/game-3-7.jpg?table=1", content=jpeg, headers=headers)
    assert 'src="/organisator/foto/game-3-7.jpg"' in organiser.page("/spel/game-3")
    answer = organiser.browser.get(HOME + "/foto/game-3-7.jpg")
    assert (answer.content, answer.headers["content-type"]) == (jpeg, "image/jpeg")
    assert stranger.get(HOME + "/foto/game-3-7.jpg").status_code == 303


class TestDoubts:
    """A camera looks at table 1: two throws were entered by hand, one was corrected before the end."""

    JPEG = b"\xff\xd8\xff bak"

    @pytest.fixture
    def headers(self, organiser):
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.lay_seating("primes")
        return {"Authorization": f"Bearer {pair(organiser, '1')}"}

    @pytest.fixture
    def lines(self, organiser, headers):
        played = playing.play(("An", "Bo", "Cé"), 3, rules=organiser.night().reglement)
        lines = [line | {"source": "camera", "image": f"game-3-{seq}.jpg"} for seq, line in enumerate(played)]
        throws = [seq for seq, line in enumerate(lines) if line["type"] == "throw"]
        for seq in throws[2:4]:
            lines[seq] = lines[seq] | {"source": "touch"}
        right = {"type": "correction", "of": throws[5], "dice": lines[throws[5]]["dice"][::-1], "source": "touch"}
        wrong = {"type": "correction", "of": throws[6], "dice": [1, 2, 4], "source": "touch"}
        at = next(
            at for at in range(throws[6] + 1, len(lines)) if self.goes_on([*lines[:at], right, wrong], lines[at:])
        )
        return [*lines[:at], right, wrong, *lines[at:]]

    @staticmethod
    def goes_on(lines, rest):
        try:
            return playing.fold_of([*lines, *rest]).seq > 0
        except ValueError:
            return False

    def send(self, organiser, headers, lines):
        message = playing.message(lines, evening="2026-11-29")
        answer = organiser.browser.post("/api/results", json=message, headers=headers)
        assert answer.status_code == 200, answer.text

    def test_the_overview_shows_them_with_their_pictures_until_they_were_seen(self, organiser, headers, lines):
        self.send(organiser, headers, lines)
        part = organiser.page("/part/overview")
        assert "Tafel 1, verdeling 1, spel 1: 2 worpen met de hand, 1 verbeterd" in part
        assert part.count("foto gevraagd") == 3
        beat = {"table": "1", "game": None, "seq": None, "queue": 0, "health": {}}
        names = organiser.browser.post("/api/heartbeat", json=beat, headers=headers).json()["pictures"]
        for name in names:
            organiser.browser.request("PUT", f"/api/pictures/{name}?table=1", content=self.JPEG, headers=headers)
        assert set(re.findall(r'<img src="/organisator/foto/([^"]*)"', organiser.page("/part/overview"))) <= set(names)
        assert organiser.page("/part/overview").count("<img") == 3
        organiser.do("/spel/game-3/gezien", overview="1")
        assert "Na te kijken" not in organiser.page("/part/overview")

    def test_what_was_seen_comes_back_only_when_there_is_more(self, organiser, headers, lines):
        self.send(organiser, headers, lines)
        organiser.do("/bekeken")
        undone = [*lines, {"type": "undo", "of": len(lines) - 1}, *lines[-1:]]
        self.send(organiser, headers, undone)
        assert "Na te kijken" not in organiser.page("/part/overview")
        self.send(organiser, headers, playing.corrected(undone, 1))
        assert "2 verbeterd" in organiser.page("/part/overview")

    def test_a_live_game_shows_them_at_its_table_and_its_pictures_come_at_once(
        self, organiser, headers, lines, monkeypatch
    ):
        monkeypatch.setattr(tables, "PICTURE_AFTER_S", 0.0)
        for seq, line in enumerate(lines[:-2]):  # one by one, as they are thrown
            body = {"table": "1", "game": "game-3", "lines": [{"seq": seq, "line": line}]}
            organiser.browser.post("/api/live", json=body, headers=headers)
        part = organiser.page("/part/overview")
        assert '<details id="hand-1"><summary>2 worpen met de hand, 1 verbeterd</summary>' in part
        assert part.count("foto gevraagd") == 3
        beat = {"table": "1", "game": None, "seq": None, "queue": 0, "health": {}}
        answer = organiser.browser.post("/api/heartbeat", json=beat, headers=headers).json()
        assert len(answer["pictures"]) == 4  # that of the correction which changed nothing, too

    def test_a_table_has_time_to_keep_the_picture_before_it_is_asked(self, organiser, headers, lines):
        body = {
            "table": "1",
            "game": "game-3",
            "lines": [{"seq": s, "line": line} for s, line in enumerate(lines[:-2])],
        }
        organiser.browser.post("/api/live", json=body, headers=headers)
        beat = {"table": "1", "game": None, "seq": None, "queue": 0, "health": {}}
        assert organiser.browser.post("/api/heartbeat", json=beat, headers=headers).json()["pictures"] == []

    def test_a_table_without_a_camera_has_nothing_to_look_at(self, organiser, headers):
        lines = playing.play(("An", "Bo", "Cé"), 3, rules=organiser.night().reglement)
        self.send(organiser, headers, [line | {"source": "touch"} for line in lines])
        assert "Na te kijken" not in organiser.page("/part/overview")

    def test_guests_see_neither_the_throws_nor_their_pictures(self, organiser, headers, lines, stranger):
        self.send(organiser, headers, lines)
        for path in ("/", "/part/tables", "/speler/1"):
            assert "met de hand" not in stranger.get(path).text
        assert stranger.get(HOME + "/part/overview").status_code == 303

    def test_the_oldest_pictures_go_when_there_are_too_many(self, organiser, headers, lines, monkeypatch):
        monkeypatch.setattr(pictures, "MOST_KEPT", 2)
        self.send(organiser, headers, lines)
        names = organiser.store.reading(lambda c: pictures.wanted(c, "1"))
        for name in names:
            organiser.browser.request("PUT", f"/api/pictures/{name}?table=1", content=self.JPEG, headers=headers)
        kept = [organiser.store.reading(lambda c, name=name: pictures.jpeg(c, name)) for name in names]
        assert len(names) > 2
        assert sum(jpeg is not None for jpeg in kept) == 2


class TestTerminals:
    def test_a_terminal_that_broke_is_replaced_in_the_middle_of_a_seating(self, organiser):
        """Beer over table 1 after game 2, which central does not have yet: a spare one goes on, all counts once."""
        organiser.make_evening(("An", "Bo", "Cé"))
        organiser.lay_seating("primes")
        old = {"Authorization": f"Bearer {pair(organiser, '1')}"}
        (first,) = play_seating(organiser, token=old["Authorization"][7:], leave_out=1)
        second = self.next_game(organiser, seed=21)
        organiser.do("/toestellen/ontkoppel", id="1")
        assert organiser.browser.get("/api/seating?table=1", headers=old).status_code == 401
        new = {"Authorization": f"Bearer {pair(organiser, '1')}"}
        seating = organiser.browser.get("/api/seating?table=1", headers=new).json()["seating"]
        assert (seating["number"], seating["starter"]) == (2, playing.loser(first["journal"]))
        assert organiser.browser.get("/api/games?table=1", headers=new).json()["games"] == {
            first["game"]: len(first["journal"])
        }
        # the dried card comes with the spare terminal: its game arrives, and the evening goes on from there
        assert organiser.browser.post("/api/results", json=second, headers=new).json()["outcome"] == "stored"
        assert organiser.browser.post("/api/results", json=first, headers=new).json()["outcome"] == "same"
        third = self.next_game(organiser, seed=22)
        assert organiser.browser.post("/api/results", json=third, headers=new).json()["outcome"] == "stored"
        again = self.next_game(organiser, seed=23) | {"number": 2}
        assert organiser.browser.post("/api/results", json=again, headers=new).status_code == 409
        assert len(organiser.store.reading(lambda c: tables.played(c, 1))) == 3

    @staticmethod
    def next_game(organiser, seed):
        seating = told(organiser, "1")
        names, numbers = zip(*((player["name"], player["number"]) for player in seating["players"]), strict=True)
        lines = playing.play(names, seed, starter=seating["starter"], rules=seating["reglement"])
        where = {key: seating[key] for key in ("evening", "table", "seating", "number")}
        return playing.message(lines, **where, numbers=numbers)

    def test_a_flood_of_requests_to_be_let_in_leaves_the_overview_readable(self, organiser):
        organiser.make_evening()
        for number in range(20):
            organiser.browser.post("/api/pair", json={"table": f"x{number}"})
        part = organiser.page("/part/overview")
        assert part.count("wil gekoppeld worden") == 4
        assert "En nog 16 toestellen vragen een koppeling" in part

    def test_a_table_is_let_in_and_put_out(self, organiser):
        organiser.make_evening()
        token = pair(organiser, "1")
        headers = {"Authorization": f"Bearer {token}"}
        assert organiser.browser.get("/api/games?table=1", headers=headers).status_code == 200
        organiser.do("/toestellen/ontkoppel", id="1")
        assert organiser.browser.get("/api/games?table=1", headers=headers).status_code == 401
        organiser.mistake("/toestellen/ontkoppel", id="1")

    @pytest.mark.parametrize("code", ["000000", "", "abc", "1" * 20])
    def test_a_code_that_no_table_shows_lets_nobody_in(self, organiser, code):
        organiser.make_evening()
        organiser.mistake("/toestellen/koppel", code=code)
        assert organiser.store.reading(terminals.paired) == []

    def test_the_page_shows_the_address_for_the_tables(self, organiser):
        text = organiser.page("/toestellen")
        assert "http://central.test" in text
        assert "<svg" in text


def test_everything_that_was_decided_is_in_the_log(organiser):
    organiser.make_evening(("An", "Bo"))
    organiser.lay_seating()
    text = organiser.page("/logboek")
    for what in ("avond gemaakt", "speler ingeschreven", "verdeling gekozen", "verdeling gepubliceerd"):
        assert what in text
