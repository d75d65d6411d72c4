"""Every page in a real browser, at the width of a laptop and of a phone: names, contrast, nothing beside the screen."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import sync_playwright

from central import tables
from central.store import Store
from tests.central import playing
from tests.central.organising import HOME, PASSWORD, Organiser, pair, play_seating
from tests.central.serving import central

PICTURE = Path(__file__).parents[2] / "fixtures" / "images" / "kroon" / "000.jpg"
CHROMIUM = shutil.which("chromium")
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)
WIDTHS = {"laptop": (1280, 800), "phone": (390, 844)}
PUBLIC = ("/", "/stand", "/seizoen", "/beamer", "/speler/1", HOME + "/aanmelden")
INSIDE = (
    *("", "/spelers", "/verdeling", "/uitslagen", "/finale", "/seizoen", "/avonden", "/toestellen", "/uitvoer"),
    *("/logboek", "/geweigerd", "/spel/hand", "/wachtwoord", "/wie/1"),
)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed; ./run test does that")

# Names for everything that can be used, and WCAG AA contrast for every text, as axe checks them.
LOOK = """() => {
  const wrong = [];
  const named = e => (e.labels && e.labels.length && e.labels[0].textContent.trim()) || e.getAttribute('aria-label')
    || e.textContent.trim() || e.title || (e.querySelector('img') || {}).alt;
  for (const e of document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a[href]'))
    if (!named(e)) wrong.push('no name: ' + e.outerHTML.slice(0, 100));
  for (const e of document.querySelectorAll('img:not([alt])')) wrong.push('no alt: ' + e.src);
  if (!document.documentElement.lang) wrong.push('no language');
  if (document.querySelectorAll('h1').length !== 1) wrong.push('headings of the first level: not one');
  if (document.querySelectorAll('main').length !== 1) wrong.push('no main');
  let level = 0;
  for (const e of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    if (e.tagName[1] > level + 1) wrong.push(`a heading skips a level: ${e.textContent.trim().slice(0, 40)}`);
    level = +e.tagName[1];
  }
  for (const e of document.querySelectorAll('th:not([scope])')) wrong.push('a head of nothing: ' + e.textContent);
  for (const e of document.querySelectorAll('button, summary, select, input:not([type=hidden]), .button, nav a')) {
    const box = e.getBoundingClientRect();
    if (e.getClientRects().length && (box.width < 20 || box.height < 20 || (box.height < 24 && !e.closest('label'))))
      wrong.push(`too small for a finger: ${e.outerHTML.slice(0, 80)}`);
  }
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  if (new Set(ids).size !== ids.length) wrong.push('an id twice');
  const rgba = text => { const m = text.match(/[\\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
  const linear = v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = c => { const [r, g, b] = c.map(v => linear(v / 255)); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = e => {
    const layers = [];
    for (; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const e = node.parentElement;
    if (!node.textContent.trim() || !e.getClientRects().length || e.closest('script, noscript, svg, .skip')) continue;
    const style = getComputedStyle(e), below = ground(e), text = over(rgba(style.color), below);
    const [a, b] = [light(text), light(below)].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) wrong.push(`contrast ${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('wider than the screen');
  return wrong;
}"""


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """An evening in the middle: results, a refused one, a live game, a table that wants in. Gives URL and token."""
    url = f"sqlite:///{tmp_path_factory.mktemp('pages') / 'central.db'}"
    store = Store(url)
    organiser = Organiser(store)
    names = [*playing.NAMES, "Jan", "Jan", "Marie-Josephine van den Broecke"]
    organiser.make_evening(names, pot="1", has_final="1")
    organiser.do("/seizoen", name="2026-2027")
    organiser.lay_seating()
    token = pair(organiser, "1")
    play_seating(organiser, token=token, leave_out=2)
    headers = {"Authorization": f"Bearer {token}"}
    send_doubtful(organiser, headers)
    wrong = playing.message(playing.play(("X", "Y"), 3), evening="2026-11-29", numbers=(1, 2))
    organiser.browser.post("/api/results", json=wrong, headers=headers)
    organiser.browser.post("/api/pair", json={"table": "2"})
    store.close()
    organiser.close()
    with central(url) as process:
        yield process.url, headers


def send_doubtful(organiser, headers):
    """The next game of table 1, with a throw that was entered by hand; its picture comes too."""
    seating = organiser.store.reading(lambda c: tables.seating_message(c, "1"))["seating"]
    names, numbers = zip(*((player["name"], player["number"]) for player in seating["players"]), strict=True)
    lines = playing.play(names, 5, game="hand", starter=seating["starter"], rules=seating["reglement"])
    at = next(seq for seq, line in enumerate(lines) if line["type"] == "throw")
    lines[at] = lines[at] | {"source": "touch", "image": "hand-1.jpg"}
    where = {key: seating[key] for key in ("evening", "table", "seating", "number")}
    message = playing.message(lines, **where, numbers=numbers)
    assert organiser.browser.post("/api/results", json=message, headers=headers).status_code == 200
    jpeg = PICTURE.read_bytes()
    answer = organiser.browser.request("PUT", "/api/pictures/hand-1.jpg?table=1", content=jpeg, headers=headers)
    assert answer.json() == {"kept": True}


def look(page, address):
    """What is wrong with a page, and what its console says."""
    said = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address, wait_until="load")
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    return page.evaluate(LOOK) + said


def test_the_look_notices_what_is_wrong(browser):
    """The check itself: a page with every fault gets a complaint for each."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_content(
        "<input id=a><button id=a></button><img src='data:,'><p style='color:#999;background:#bbb'>bleek</p>"
        "<div style='width:900px;background:rgba(0,0,0,.9)'><b style='color:#222'>donker</b></div>"
        "<h4>te diep</h4><table><tr><th>kop</th></tr></table>"
        "<button style='padding:0;border:0;font-size:8px'>x</button>"
    )
    found = page.evaluate(LOOK)
    page.close()
    faults = ("no name: <input", "no name: <button", "no alt", "no language", "not one", "no main", "id twice")
    for fault in (*faults, "skips a level: te diep", "a head of nothing: kop", "too small for a finger: <button style"):
        assert any(fault in one for one in found), fault
    assert any(one.endswith("bleek") for one in found)
    assert any(one.endswith("donker") for one in found)
    assert "wider than the screen" in found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_public_pages_are_readable_for_everybody(browser, served, width, scheme):
    wide, high = WIDTHS[width]
    context = browser.new_context(viewport={"width": wide, "height": high}, color_scheme=scheme)
    found = {path: look(context.new_page(), served[0] + path) for path in PUBLIC}
    context.close()
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_organisers_pages_are_readable_for_everybody(browser, served, width, scheme):
    wide, high = WIDTHS[width]
    context = browser.new_context(viewport={"width": wide, "height": high}, color_scheme=scheme)
    page = context.new_page()
    page.goto(served[0] + HOME + "/aanmelden")
    page.fill("input[name=password]", PASSWORD)
    page.click("button")
    found = {path: look(context.new_page(), served[0] + HOME + path) for path in INSIDE}
    context.close()
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_an_open_page_shows_a_live_game_by_itself(browser, served):
    url, headers = served
    context = browser.new_context()
    page = context.new_page()
    page.goto(url + "/")
    seating = httpx.get(url + "/api/seating?table=1", headers=headers).json()["seating"]
    names = [player["name"] for player in seating["players"]]
    lines = playing.play(names, 8, game="live", starter=seating["starter"], rules=seating["reglement"])
    live = [{"seq": seq, "line": line} for seq, line in enumerate(lines[:6])]
    body = {"table": "1", "game": "live", "lines": live}
    assert httpx.post(url + "/api/live", json=body, headers=headers).is_success
    page.wait_for_selector("article:has(h3:text-is('Tafel 1')) .tally", timeout=20_000)
    context.close()


def test_a_beamer_turns_its_pages_until_everybody_was_shown(browser, served):
    """A wall too small for eleven players: nobody was ever out of sight for longer than the turns take."""
    context = browser.new_context(viewport={"width": 1000, "height": 430})
    page = context.new_page()
    page.clock.install()
    page.goto(served[0] + "/beamer")
    page.wait_for_selector("body.turning")
    visible = """() => [...document.querySelectorAll('[data-turn]')].map(area =>
      [...area.querySelectorAll(area.dataset.turn)].map((one, at) => [at, one.getBoundingClientRect()])
      .filter(([, box]) => box.height).map(([at, box]) => [at, box.bottom <= innerHeight]))"""
    seen = [set(), set()]
    for _ in range(8):
        shown = page.evaluate(visible)
        for area, items in zip(seen, shown, strict=True):
            assert items
            assert all(fits for _, fits in items[1:])  # one alone may be larger than the wall
            area |= {at for at, _ in items}
        page.clock.run_for(10_000)
    assert seen == [{0, 1}, set(range(len(playing.NAMES) + 3))]
    assert page.locator(".turned").nth(1).inner_text().endswith(f"van {len(playing.NAMES) + 3}")
    context.close()


def test_what_the_organiser_has_opened_stays_open_when_something_changes(browser, served):
    url, headers = served
    context = browser.new_context()
    page = context.new_page()
    page.goto(url + HOME + "/aanmelden")
    page.fill("input[name=password]", PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    with page.expect_response("**/foto/hand-1.jpg") as picture:
        page.click("#kijk-hand summary")
    assert picture.value.ok
    beat = {"table": "1", "game": None, "seq": None, "queue": 7, "health": {}}
    assert httpx.post(url + "/api/heartbeat", json=beat, headers=headers).is_success
    page.wait_for_selector("text=7 onderweg", timeout=20_000)
    assert page.locator("#kijk-hand[open] img").count() == 1
    context.close()


def test_without_script_the_pages_are_whole_and_reload_themselves(browser, served):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(served[0] + "/")
    assert page.locator("article.table").count() == 2
    assert page.locator(".standings tbody tr").count() == len(playing.NAMES) + 3
    assert re.search(r'<meta http-equiv="refresh"', page.content())
    context.close()


def test_a_player_is_registered_by_two_letters_and_enter(browser, tmp_path):
    url = f"sqlite:///{tmp_path / 'central.db'}"
    store = Store(url)
    organiser = Organiser(store)
    organiser.make_evening(("Fons", "Gie"))
    organiser.make_evening((), date="2026-12-06")
    organiser.close()
    store.close()
    with central(url) as process:
        context = browser.new_context()
        page = context.new_page()
        page.goto(process.url + HOME + "/aanmelden")
        page.fill("input[name=password]", PASSWORD)
        with page.expect_navigation():
            page.keyboard.press("Enter")
        page.goto(process.url + HOME + "/spelers")
        assert page.locator("datalist option").evaluate_all("all => all.map(one => one.value)") == ["Fons", "Gie"]
        for name in ("Fons", "Els"):
            page.wait_for_selector("input[list]:focus")  # the field has the focus again after each
            page.keyboard.type(name)
            with page.expect_navigation():
                page.keyboard.press("Enter")
        assert page.locator("tbody tr th").all_inner_texts() == ["Els", "Fons"]
        context.close()
