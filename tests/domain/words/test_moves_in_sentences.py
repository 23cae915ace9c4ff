"""Test moves in sentences in both languages, and talk that resembles a move.

`lines/moves.<language>.txt` has a game, a line and the move in the words of the rules;
`lines/chat.<language>.txt` has lines that mention cards, numbers and games and order nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import registry
from engine.cathedral import orders as cathedral
from engine.orders import list_number
from engine.phalanx import orders as phalanx
from engine.phase10 import forms as phase10
from engine.phase10.words import TABLES
from engine.phyliss import orders as phyliss
from pbem.domain.words.orders import LineKind, OrderReader, read_line
from pbem.domain.words.service_words import Word
from pbem.language import languages

RULES = {name: registry.find(name) for name in ("phyliss", "cathedral", "phalanx", "phase10")}
NAMES = ("Anna", "Bob", "Carol")
LINES = Path(__file__).parent / "lines"


def moves(language: str) -> list[tuple[str, str, str]]:
    rows = (LINES / f"moves.{language}.txt").read_text(encoding="utf-8").splitlines()
    return [(game, text, order) for game, text, order in (row.split(" | ") for row in rows)]


def chat(language: str) -> list[str]:
    return (LINES / f"chat.{language}.txt").read_text(encoding="utf-8").splitlines()


def meaning(name: str, order: str) -> object:
    """Return what a game understands, whatever the words; the groups of Phase 10 as one."""
    number = list_number(order)
    if number is not None:
        return number
    if name != "phase10":
        return {"phyliss": phyliss, "cathedral": cathedral, "phalanx": phalanx}[name].read_form(
            order
        )
    form = phase10.read_form(order, TABLES["phase10"])
    if isinstance(form, phase10.LayForm):
        return tuple(card for group in form.groups for card in group)
    return form


@pytest.mark.parametrize("language", ["en", "de"])
def test_moves_in_sentences(language: str) -> None:
    """Each line is the move that it says."""
    rows = moves(language)
    wrong = []
    for name, text, order in rows:
        line = read_line(text, [RULES[name]], NAMES, language)
        wanted = meaning(name, order)
        assert wanted is not None, order
        if line.kind is not LineKind.GAME or meaning(name, line.order) != wanted:
            wrong.append((name, text, line.kind.value, line.order))
    assert len(rows) >= 200
    assert wrong == [], wrong[:30]


@pytest.mark.parametrize(("written", "reader"), [("en", "en"), ("de", "de"), ("en", "de")])
def test_talk_moves_no_card(written: str, reader: str) -> None:
    """It is prose, or at most a suggestion, however it is spelt and in whatever game."""
    lines = chat(written)
    wrong = []
    for rules in RULES.values():
        orders = OrderReader([rules], NAMES, reader)
        for text in lines:
            for spelt in {text, text.lower()}:
                kind = orders.read_line(spelt).kind
                if kind is LineKind.GAME or orders.is_order(spelt):
                    wrong.append((rules.id.name, spelt, kind.value))
    assert len(lines) >= 250
    assert wrong == [], wrong[:30]


FRAMES = {
    "en": (
        "{}", "{}.", "{}!", "Please {}", "{} please", "{}, thanks!", "ok, {}", "I {}", "I'll {}", "I will {}",
        "I'd like to {} please", "I would like to {}", "I want to {}", "I'm going to {}", "Then I {}",
        "I have to {}", "So I'll {} then", "Let me {}", "Well, I guess I'll {}", "My move: {}", "1. {}",
        "- {}", "{} Sent from my iPhone", "{}. Good luck!", "{} 👍", "Hi Bob, I {}", "{}, sorry",
    ),
    "de": (
        "{}", "{}.", "{}!", "Bitte {}", "{} bitte", "{}, danke!", "ok, {}", "Mein Zug: {}", "1. {}", "- {}",
        "ich {}", "Ich {}", "{} dann", "{} Von meinem iPhone gesendet", "{}, viel Glück!", "{}. LG", "{} 👍",
    ),
}  # fmt: skip
CANONICAL = {
    "en": {
        "phyliss": ("play 7c", "play 7c 7d", "pickup", "play Qs", "flip 2"),
        "cathedral": ("keep 2c 10d Qh", "play 7c 7d", "pickup"),
        "phalanx": ("open 9h", "play 7s left", "play Ks right x 10d", "raise left 5", "match center", "pass", "check"),
        "phase10": ("draw", "take", "lay R5 B5 W / Y7 Y7 G7", "hit R5 on 1.0", "discard G3", "discard S 2"),
    },
    "de": {
        "phyliss": ("spiele 7c", "spiele 7c 7d", "nehme den Stapel auf", "spiele Qs", "drehe 2"),
        "cathedral": ("behalte 2c 10d Qh", "spiele 7c 7d", "nehme den Stapel auf"),
        "phalanx": ("eröffne 9h", "spiele 7s links", "spiele Ks rechts x 10d", "erhöhe links 5", "passe"),
        "phase10": ("ziehe", "nimm", "lege R5 B5 W / Y7 Y7 G7 aus", "lege R5 an 1.0 an", "lege G3 ab"),
    },
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_frame_changes_nothing_about_a_move(language: str) -> None:
    """Every move in every frame is the move alone."""
    wrong = []
    for name, texts in CANONICAL[language].items():
        for text in texts:
            wanted = meaning(name, read_line(text, [RULES[name]], NAMES, language).order)
            for frame in FRAMES[language]:
                said = frame.format(text)
                line = read_line(said, [RULES[name]], NAMES, language)
                if line.kind is not LineKind.GAME or meaning(name, line.order) != wanted:
                    wrong.append((name, said, line.kind.value, line.order))
    assert wrong == [], wrong[:30]


NOT_NOW = {
    "en": (
        "don't {}", "I won't {}", "I would never {}", "not {}", "Bob, {} or not", "if I can, {}", "you should {}",
        "you {}", "I had to {}", "I wanted to {}", "never {}", "{} tomorrow", "{} next time", "maybe {}",
        "I might {}", "did you {}", "why {}", "{} was a mistake", "unless Bob does, {}", "Bob will {}",
        "{}, sorry I meant another one", "{}, thanks but I changed my mind", "{}, no the other one", "{} and not that",
    ),
    "de": (
        "nicht {}", "ich würde nie {}", "wenn es geht, {}", "du solltest {}", "du {}", "ich wollte {}",
        "nie {}", "{} morgen", "{} nächstes Mal", "vielleicht {}", "warum {}", "{} war ein Fehler", "Bob {}",
        "falls Bob das tut, {}", "{} nicht",
        "{}, sorry ich meinte etwas anderes", "{}, danke aber nicht jetzt", "{}, quatsch, doch nicht",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de"])
def test_denied_doubted_and_other_peoples_moves_are_none(language: str) -> None:
    wrong = []
    for name, texts in CANONICAL[language].items():
        for text in texts:
            for frame in NOT_NOW[language]:
                line = read_line(frame.format(text), [RULES[name]], NAMES, language)
                if line.kind not in (LineKind.PROSE, LineKind.NEAR):
                    wrong.append((name, line.text, line.kind.value))
    assert wrong == [], wrong[:30]


@pytest.mark.parametrize(
    ("text", "language", "order"),
    [
        ("pickup?", "en", "pickup"), ("21?", "en", "21"), ("play 7c?", "en", "play 7c"), ("21 please?", "en", "21"),
        ("Can I play 7c?", "en", "7c"), ("may I pick up ?", "en", "pick up"), ("7h??", "en", "7h"),
        ("aufnehmen?", "de", "pickup"), ("Kann ich die Dame spielen?", "de", "play Q"), ("Herz 7?", "de", "play 7h"),
    ],
)  # fmt: skip
def test_a_move_with_a_question_mark_is_tried_out(text: str, language: str, order: str) -> None:
    """It is answered like `try`, and moves nothing."""
    line = read_line(text, [RULES["phyliss"]], NAMES, language)
    assert (line.kind, line.word) == (LineKind.SERVICE, Word.TRY)
    assert (
        meaning("phyliss", line.argument or "") == meaning("phyliss", order)
        or line.argument == order
    )
    assert not OrderReader([RULES["phyliss"]], NAMES, language).is_order(text)


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("2l", "21"), ("2I.", "21"), ("3O", "30"), ("maybe 21", "21"), ("21 I think", "21"), ("number 7", "7"),
        ("I'll take 7", "7"), ("can you play 21 for me", "21"), ("I could play 7c", "7c"),
    ],
)  # fmt: skip
def test_what_is_not_certain_is_suggested(text: str, guess: str) -> None:
    """Nothing is carried out from a guess."""
    line = read_line(text, [RULES["phyliss"]], NAMES)
    assert (line.kind, line.guess) == (LineKind.NEAR, guess)


def test_no_language_is_left_out() -> None:
    assert set(languages()) == set(FRAMES)


@pytest.mark.parametrize(
    ("game", "text", "language"),
    [
        ("phalanx", "Bob, throw the eight!", "en"),
        ("phalanx", "Bob! throw the eight", "en"),
        ("phalanx", "throw the eight, Bob", "en"),
        ("phalanx", "@Bob: play the eight", "en"),
        ("phalanx", "Bob throw the eight", "en"),
        ("phalanx", "Bob put the eight down", "en"),
        ("phalanx", "well Bob, throw the eight", "en"),
        ("phalanx", "hey Bob throw the eight", "en"),
        ("phalanx", "tja Bob, wirf die Acht", "de"),
        ("phalanx", "Bob, wirf die Acht!", "de"),
        ("phalanx", "Bob leg die Acht", "de"),
        ("phase10", "Bob discard the skip", "en"),
        ("phase10", "Bob hit the 5", "en"),
    ],
)
def test_what_somebody_else_is_told_to_do_moves_no_card(
    game: str, text: str, language: str
) -> None:
    """A name says where a card goes as well, as in `throw the eight to Bob`."""
    assert not OrderReader([RULES[game]], NAMES, language).is_order(text)
    assert OrderReader([RULES["phalanx"]], NAMES).is_order("throw the eight to Bob")
