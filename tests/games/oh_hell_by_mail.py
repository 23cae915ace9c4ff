"""Test Oh Hell by mail: in English and German, on a phone, with bots, and for observers."""

from __future__ import annotations

import ast
import io
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from engine import registry
from engine.api import Seat, Setup
from pbem.bots.arena import Pairing, play
from pbem.domain.terms.conditions import TableVocabulary
from pbem.domain.terms.next_order import read_next
from pbem.domain.words.translate import in_english, shown_order
from pbem.games.profile import profile_of
from pbem.language import catalog, translate
from pbem.service.lobby import creation as lobby
from pbem.show import terminal
from tests.databases import sqlite_store
from tests.service.conftest import NAMES, Sent, Table, make_table
from tests.service.core.test_every_game import proven
from tests.show.browser import CHROMIUM, browser
from tools.look import NEWCOMERS, faults
from tools.messages.extract import package_catalog

RULES: Any = registry.find("ohhell", 1)
FOLDER = registry.package_of("ohhell").game.folder  # type: ignore[union-attr]


def game_by_mail(folder: Path, language: str, **options: Any) -> tuple[Table, Any]:
    """Play a game by answers to its messages, mostly move numbers.

    It is played to its end, or for the number of moves in the option `plies`.
    """
    plies = options.pop("plies", None)
    with sqlite_store(folder) as store:
        table = make_table(store)
        for name in NAMES[:3]:
            person = lobby.Person(name, f"{name.lower()}@example.org", language)
            lobby.add_player(table.service, person)
        game = table.started(3, ruleset="ohhell", **options)
        while not (game := table.game(game.id)).is_over and RULES.ply(game.state) < (plies or 5000):
            table.answer(*table.standby(game))
        assert game.is_over == (plies is None)
        if game.is_over:
            proven(table, game)
        return table, game


def turns(table: Table) -> list[Sent]:
    words = ("Your turn: ", "Du bist dran: ")
    found = [mail for mail in table.delivery.mails if any(one in mail.text for one in words)]
    assert len(found) > 15
    return found


def html(mail: Sent) -> str:
    body = mail.message.get_body(("html",))
    assert body is not None
    return str(body.get_content())


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return game_by_mail(tmp_path_factory.mktemp("en"), "en", cards=4)[0]


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return game_by_mail(tmp_path_factory.mktemp("de"), "de", cards=4, plies=30)[0]


def test_a_whole_game_by_mail(english: Table) -> None:
    said = " ".join(mail.words for mail in english.delivery.mails)
    for words in (
        *("say how many tricks you take", "Trump:", "Your hand, 4 cards", "lead a card"),
        *("bid 0 tricks.", "takes the trick with", "The deal is over.", "Deal 2 of 4"),
        *("was turned up, so its suit is trump", "point", "You bid 0 and have taken"),
    ):
        assert words in said, words


def test_the_same_in_german(german: Table) -> None:
    said = " ".join(mail.words for mail in german.delivery.mails)
    for words in (
        *("Sag deine Stiche an", "Trumpf:", "Deine Hand (4 Karten)", "Spiel eine Karte an"),
        *("ansage 1", "gewinnt den Stich mit", "Die Runde ist vorbei.", "Runde 2 von 4"),
        *("diese Farbe ist Trumpf", "Punkte", "Angesagt hast du 0, gemacht bisher"),
    ):
        assert words in said, words
    for words in ("trick", "trump:", " bid ", "follow suit", "play "):
        assert words not in said.lower().replace("oh hell", ""), words


def test_every_sentence_is_translated() -> None:
    """The catalog has exactly the game's sentences, and each translation has all placeholders."""
    german = catalog("de")
    for message in package_catalog(FOLDER):
        if message.id:
            one = message.id if isinstance(message.id, str) else message.id[0]
            many = message.id if isinstance(message.id, str) else message.id[1]
            said = german.ngettext(one, many, 2) if one != many else german.gettext(one)
            assert said != one or one in ("Bob: [K♣]", "Carol: [2♥]", "Oh Hell"), one
            for value in ("{bid}", "{most}", "{cards}", "%(name)s", "%(tricks)s", "%(bid)s"):
                assert (value in many) == (value in said), one
    text = RULES.rules_text(3, {}, lambda text: translate(text, "de"))
    assert "DIE STICHE" in text.upper()
    assert not any(len(line) > 72 for line in text.splitlines())
    assert "the " not in text


@pytest.mark.skipif(CHROMIUM is None, reason="chromium or fonts-liberation is missing")
def test_turns_fit_a_phone(tmp_path: Path, german: Table) -> None:
    """Hands begin within 300 px and moves within 560 px: seven cards in English, four in German."""
    (tmp_path / "seven").mkdir()
    deals = (3 + 3 * 7) + 3
    large, _ = game_by_mail(tmp_path / "seven", "en", cards=7, course="down", plies=deals)
    found = set()
    with browser(tmp_path) as page:
        for table in (german, large):
            pages = sorted((html(mail) for mail in turns(table)), key=len)
            longest = {re.search(r"<h1.*?</h1>", one, re.DOTALL)[0]: one for one in pages}
            assert len(longest) > 2
            for one in longest.values():
                found |= {*faults(page, one, most_words=NEWCOMERS)}
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("ansage 2", "bid 2"),
        ("ich sage zwei an", "bid two"),
        ("zwei Stiche", "bid two"),
        ("keinen Stich", "bid 0"),
        ("einen Stich", "bid 1"),
        ("mache drei Stiche", "bid 3"),
        ("biete 1", "bid 1"),
        ("spiele 7h", "play 7h"),
        ("Herz sieben", "play 7h"),
    ],
)
def test_german_orders(line: str, order: str) -> None:
    wanted = RULES.parse_order
    state = RULES.start(Setup(3, bytes(32), RULES.check_options(3, {}))).state
    readings = [one for one in in_english(line, "de", [RULES]) if RULES.reads_as_order(one)]
    assert readings
    if order.startswith("bid"):
        assert wanted(state, Seat(0), readings[0]) == wanted(state, Seat(0), order)
    else:
        assert order in readings


def test_orders_are_shown_in_german() -> None:
    assert shown_order("bid 2", "de") == "ansage 2"
    assert shown_order("play 7h", "de") == "spiele 7♥"


def test_its_face() -> None:
    its = profile_of("ohhell")
    vocabulary = TableVocabulary("ohhell", ("Anna", "Bob", "Carol"))
    for example in its.next_examples:
        assert read_next(example.removeprefix("next: "), vocabulary, RULES)
        assert translate(example, "de") != example
    state = RULES.start(Setup(3, bytes(32), RULES.check_options(3, {}))).state
    screen = io.StringIO()
    Console(file=screen, width=100).print(
        terminal.draw("ohhell", RULES.view(state, Seat(0)), vocabulary.names)
    )
    assert "Deal 1 of 5, trump:" in screen.getvalue()
    assert "5 hidden" in screen.getvalue()


@pytest.mark.parametrize("other", ["standby", "random"])
def test_the_rule_of_thumb_beats(other: str) -> None:
    """With two of four seats each, the rule of thumb wins clearly over thirty games."""
    options = RULES.check_options(4, {})
    pairing = Pairing(RULES.id, options, ("easy", "easy", other, other), "oh hell")
    games = [play(pairing, number) for number in range(30)]
    share = {"easy": 0.0, other: 0.0}
    for game in games:
        assert game.reason == "finished"
        for bot, place in zip(game.bots, game.shares, strict=True):
            share[bot] += place
    assert share["easy"] > 1.2 * share[other]


def test_a_guess_shows_the_same_view() -> None:
    from pbem.bots.chance import Chance  # noqa: PLC0415

    setup = Setup(4, bytes(32), RULES.check_options(4, {}))
    state, its = RULES.start(setup).state, profile_of("ohhell").bot
    assert its is not None
    chance = Chance(b"guess")
    while RULES.to_act(state):
        (seat,) = RULES.to_act(state)
        view = RULES.view(state, seat)
        guessed = RULES.state_from_json(setup, its.guess(view, setup, chance))
        assert RULES.view(guessed, seat) == view
        assert RULES.view(its.redeal(state, seat, chance), seat) == view
        assert all(0 <= one <= 1 for one in its.worth(state, has_ended=False))
        state = RULES.apply(state, seat, its.rule(guessed, seat)).state


def test_it_imports_nothing_but_the_engine_and_the_games() -> None:
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pbem"):
                assert node.module.startswith(("pbem.games.", "pbem_oh_hell")), (path, node.module)
