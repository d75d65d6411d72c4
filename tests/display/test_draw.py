"""What the drawing promises: texts fit, the same view gives the same pixels, signs are there, letters are large."""

from __future__ import annotations

import itertools
from pathlib import Path

import pygame
import pytest

from terminal.display import chalk, layout, theme
from terminal.display.draw import Painter
from terminal.display.lettering import Lettering
from terminal.display.motion import MARKS_S, Motion
from terminal.display.naming import shorter
from terminal.display.paging import leaves
from terminal.display.texts import LANGUAGES
from terminal.display.theme import CHALK, FontMissing
from tests.display.gallery import SIZES
from tests.display.moments import LONG, moments
from tests.display.recorder import Recorder, first_leaf, painted

EVERYWHERE = pytest.mark.parametrize("wh", SIZES, ids=lambda wh: f"{wh[0]}x{wh[1]}")
MOMENTS = pytest.mark.parametrize("name", list(moments("nl")))
LONG_NAMES = (LONG, "Jean-Baptiste Deschepper", f"{LONG} ×")


@EVERYWHERE
@MOMENTS
def test_every_text_fits_its_box_and_covers_no_other(name: str, wh: tuple[int, int]) -> None:
    """Only a name of 24 letters among eight players may lose its end."""
    screen = pygame.Rect(0, 0, *wh)
    for language in LANGUAGES:
        view = moments(language)[name]()
        cut = leaves(view.page, wh, Recorder()) if view.page else (first_leaf(view, wh),)
        for leaf in cut:
            _, recorder = painted(view, wh, leaf)
            assert [text for text in recorder.cut if text not in LONG_NAMES] == []
            for written in recorder.written:
                assert screen.contains(written.rect), (language, written)
            for one, other in itertools.combinations(recorder.written, 2):
                assert not one.rect.colliderect(other.rect) or "?" in (one.text, other.text), (language, one, other)


@EVERYWHERE
@pytest.mark.parametrize("players", range(2, 9))
def test_the_figures_of_people_with_long_names_can_be_told_apart(players: int, wh: tuple[int, int]) -> None:
    view = moments("nl")["statistics_page"]()
    assert view.page is not None
    head, *rows = view.page.rows
    rows = [(f"Jean-Baptiste Descheppe{number}", *row[1:]) for number, row in enumerate(rows[:players])]
    _, recorder = painted(view._replace(page=view.page._replace(rows=(head, *rows))), wh)
    assert recorder.cut == []
    for one, other in itertools.combinations(recorder.written, 2):
        assert not one.rect.colliderect(other.rect), (one, other)


@EVERYWHERE
def test_what_matters_can_be_read_from_two_metres(wh: tuple[int, int]) -> None:
    """Capitals of at least a twentieth of the height of a lying screen, or of the width of an upright one."""
    view = moments("nl")["play"]()
    _, recorder = painted(view, wh)
    least = min(wh) / 20
    assert view.dice is not None
    for matters in (view.prompt, view.dice.word, "KLAAR", "STOEF", "Bo", "Cé", "9", "11"):
        found = [w.rect.height for w in recorder.written if w.text == matters]
        assert found and max(found) >= least, (matters, found, least)


def test_what_stands_on_the_slate_is_kept_without_what_is_transparent() -> None:
    """A screen of 1280x720 kept 36 MB of surfaces, most of it nothing."""
    surface = pygame.Surface((800, 480))
    words = Lettering().rendered("chalk", 60, "KLAAR", CHALK)
    for drawn in (words, chalk.stripes((200, 60), 7, CHALK, 1)):
        surface.blit(drawn, (0, 0))
        assert drawn.get_flags() & pygame.RLEACCEL
    assert chalk.slate((800, 480)).get_bytesize() == 1


@EVERYWHERE
def test_the_same_view_gives_the_same_pixels(wh: tuple[int, int]) -> None:
    for name in ("play", "unsure", "names_third", "statistics_page"):
        one, _ = painted(moments("nl")[name](), wh)
        other, _ = painted(moments("nl")[name](), wh)
        assert pygame.image.tobytes(one, "RGB") == pygame.image.tobytes(other, "RGB")


@EVERYWHERE
def test_after_stripes_have_come_and_gone_the_screen_is_as_if_drawn_anew(wh: tuple[int, int]) -> None:
    before = moments("nl")["play"]()
    seats = list(before.seats)
    seats[0] = seats[0]._replace(marks=8)
    seats[3] = seats[3]._replace(marks=16)
    after = before._replace(seats=tuple(seats))
    surface = pygame.Surface(wh)
    painter, motion = Painter(surface), Motion()
    painter.paint(before, motion, 0.0)
    motion.lead(before, after, 10.0)
    painter.paint(after, motion, 10.0)
    pictures = set()
    for step in range(5):
        touched = painter.paint_moving(after, motion, 10.0 + step * MARKS_S / 5)
        assert len(touched) == 2
        pictures.add(pygame.image.tobytes(surface, "RGB"))
    assert len(pictures) == 5  # it really moves
    motion.sweep_up(10.0 + MARKS_S)
    assert not motion.moving
    painter.paint(after, motion, 10.0 + MARKS_S)
    fresh, _ = painted(after, wh)
    assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(fresh, "RGB")


def test_stripes_do_not_move_when_another_game_takes_the_screen() -> None:
    view = moments("nl")["play"]()
    motion = Motion()
    motion.lead(None, view, 0.0)
    assert not motion.moving
    motion.lead(view, moments("nl")["eight"](), 0.0)
    assert not motion.moving


def test_a_player_whose_turn_it_is_stands_out_by_a_filled_seat() -> None:
    wh = (800, 480)
    view = moments("nl")["play"]()
    surface, _ = painted(view, wh)
    plan = layout.table(view, wh)
    filled = []
    for seat, box in zip(view.seats, plan.seats, strict=True):
        pixels = [surface.get_at((x, box.top + 8))[:3] for x in range(box.left + 20, box.right - 20)]
        filled.append(pixels.count(theme.YELLOW) > len(pixels) // 2)
        assert filled[-1] == seat.turn
    assert filled.count(True) == 1


def test_what_cannot_be_done_looks_different_from_what_can() -> None:
    wh = (800, 480)
    view = moments("nl")["stand_or_throw"]()
    surface, _ = painted(view, wh)
    plan = layout.table(view, wh)
    corner = [surface.get_at(button.rect.move(14, 14).topleft)[:3] for button in plan.buttons[:4]]
    assert corner[3] == theme.YELLOW  # KLAAR, the thing to do now
    assert corner[0] == theme.SLATE_LIGHT  # STOEF, which may be called
    assert corner[1] not in (corner[0], corner[3])  # OGEN, which may not


def _luminance(colour: theme.Colour) -> float:
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [
        (theme.CHALK, theme.SLATE, 12),
        (theme.CHALK, theme.SLATE_LIGHT, 7),
        (theme.CHALK, theme.FELT, 7),
        (theme.YELLOW, theme.SLATE, 7),
        (theme.YELLOW, theme.FELT, 7),
        (theme.DUST, theme.SLATE, 6),
        (theme.SLATE, theme.YELLOW, 7),
        (theme.SLATE, theme.RED, 6),
        (theme.SLATE, theme.BLUE, 7),
        (theme.SLATE, theme.CHALK, 12),
    ],
)
def test_colours_keep_their_contrast_in_bad_light(ink: theme.Colour, ground: theme.Colour, least: float) -> None:
    light, dark = sorted((_luminance(ink), _luminance(ground)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= least


@pytest.mark.parametrize("face", list(theme.TYPEFACES))
def test_the_fonts_have_every_sign_that_flemish_names_and_scores_need(face: theme.FaceName) -> None:
    font = Lettering().font(face, 40)
    missing = pygame.image.tobytes(font.render("\U0010fff0", True, (255, 255, 255)), "RGBA")
    for sign in "éëïèçöüÉËÏ€½×·−…?!0123456789":
        drawn = font.render(sign, True, (255, 255, 255))
        assert pygame.image.tobytes(drawn, "RGBA") != missing, sign
        assert drawn.get_bounding_rect().width > 0, sign


@pytest.mark.parametrize("face", list(theme.TYPEFACES))
def test_a_space_that_may_not_break_looks_like_any_space(face: theme.FaceName) -> None:
    lettering = Lettering()
    no_break = lettering.width(face, 40, "a\N{NO-BREAK SPACE}b")
    assert no_break == lettering.width(face, 40, "a b")
    assert lettering.wrap(face, 40, "a b\N{NO-BREAK SPACE}c", no_break) == ["a", "b\N{NO-BREAK SPACE}c"]


def test_a_missing_font_names_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gone = theme.TYPEFACES["text"]._replace(path=tmp_path / "DejaVuSans.ttf")
    monkeypatch.setitem(theme.TYPEFACES, "text", gone)
    with pytest.raises(FontMissing, match="fonts-dejavu-core"):
        Lettering().font("text", 20)


def test_a_text_shrinks_before_it_loses_its_end() -> None:
    lettering = Lettering()
    easy = lettering.fit("chalk", "An", (200, 60), 50, 15)
    tight = lettering.fit("chalk", LONG, (150, 60), 50, 15)
    assert tight.size < easy.size and tight.lines == (LONG,) and lettering.cut == []
    lost = lettering.fit("chalk", LONG, (60, 60), 50, 15)
    assert lost.lines[0].endswith("…") and lost.width <= 60 and lettering.cut == [LONG]


@pytest.mark.parametrize("name", ["\0An", "A\nn", "\t", "🎲", "\u202eAn", "ʘ̃" * 8, "An" * 5000, "an " * 2000])
def test_no_name_that_central_may_send_stops_the_screen(name: str) -> None:
    view = moments("nl")["eight"]()
    seats = (view.seats[0]._replace(name=name), *view.seats[1:])
    surface, recorder = painted(view._replace(seats=seats, prompt=f"{name} gooit", facts=(name,)), (800, 480))
    assert all(surface.get_rect().contains(written.rect) for written in recorder.written)


def test_ninety_nine_stripes_fit_their_box() -> None:
    from terminal.display import chalk

    for wh in ((150, 24), (90, 30), (60, 60)):
        whole = chalk.tally((wh[0] * 2, wh[1] * 2), 99, 99, 1.0, (255, 255, 255), (0, 0, 0), (0, 0, 0), 1)
        assert whole.get_size() == (wh[0] * 2, wh[1] * 2)
        rows, across, step = chalk.tally_rows(99, wh)
        assert rows * across * chalk.GROUP >= 99
        assert across * step * 4.6 <= wh[0] + 0.01


@EVERYWHERE
def test_eight_players_can_be_read_from_two_metres(wh: tuple[int, int]) -> None:
    """Their names, stripes and the throw that counts, which were 14 pixels high: 6 minutes of arc on 7 inches now."""
    view = moments("nl")["eight"]()
    _, recorder = painted(view, wh)
    least = (16.5 if layout.upright(wh) else 19.5) * layout.unit(wh)
    for seat in view.seats:
        told = [str(seat.marks)]
        if seat.best is not None:
            told.append("".join(map(str, seat.throws[seat.best])))
        if len(seat.name) < 12:
            told.append(seat.name)
        for text in told:
            found = [written.rect.height for written in recorder.written if written.text == text]
            assert found and max(found) >= least, (text, found, least)
    assert recorder.cut == []  # a long name is said shorter, not cut


def test_names_are_made_shorter_without_taking_one_for_another() -> None:
    names = ("Jan Peeters", "Jan Pauwels", "Jan", "Marie-Christine Vandenbr", "Els", "Jean Claude Van Damme")
    assert shorter(names) == (
        ("Jan Peeters", "Jan Pe."),
        ("Jan Pauwels", "Jan Pa."),
        ("Jan",),
        ("Marie-Christine Vandenbr", "Marie-Christine V."),
        ("Els",),
        ("Jean Claude Van Damme", "Jean D."),
    )
    assert shorter(("Jan Peeters", "Jan Peeter")) == (("Jan Peeters",), ("Jan Peeter",))
