"""Test that rules texts are converted to HTML completely, with their cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import registry
from engine.api import OptionValue
from pbem.mail_out.rulestext import Block, Piece, blocks, pieces
from tests.mail_out import pages
from tests.mail_out.prose import is_prose
from tests.mail_out.samples import SAMPLES
from tests.mail_out.test_render import RENDERER, rendered_sample

RULES = [name for name in SAMPLES if name.startswith("rules")]


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("pile: [6] [10♥] [J]", ["6", "10h", "J"]),
        ("yours: [R7], [B12] and [W] [S]; theirs [?]", ["R7", "B12", "W", "S", "?"]),
        ("phases=[5] or [2,4], [x], [11], []", []),
    ],
)
def test_cards_are_found(line: str, cards: list[str]) -> None:
    """Those of every game, in their notation; an option that is a list is none."""
    found = pieces(line)
    assert [piece.text for piece in found if piece.kind == "card"] == cards


def test_blocks() -> None:
    """Title left out; headings, paragraphs, pictures and points told apart."""
    text = "GAME\n\nLead\nmore\n\n1. One\n\n    a\n    b\n\n- x\n  y\n* z\n"
    text_of = lambda *lines: tuple((Piece("text", line),) for line in lines)  # noqa: E731
    assert blocks(text) == (
        Block("paragraph", text_of("Lead more")),
        Block("heading", text_of("1. One")),
        Block("picture", text_of("a", "b")),
        Block("points", text_of("x y", "z"), (False, True)),
    )


@pytest.mark.parametrize("name", registry.names())
def test_nothing_is_lost(name: str) -> None:
    """Every letter and sign of every text, but brackets and suit letters, comes out again."""
    text = registry.find(name).rules_text()
    apart = "".join(
        piece.text
        for block in blocks(text)
        for line in block.lines
        for piece in line
        if piece.kind != "card"
    )
    cards = sum(len(line) for block in blocks(text) for line in block.lines)
    assert cards > 100
    for word in text.partition("\n")[2].split():
        if "[" not in word and word not in "-*":
            assert word in apart, word


@pytest.mark.parametrize("name", RULES)
def test_both_parts_say_the_same(name: str) -> None:
    """Without brackets, bullets and suit letters, the words are the same in both."""
    text = rendered_sample(name).text.replace("[", " ").replace("]", " ")
    shown = " ".join(pages.lines(rendered_sample(name).html)).lower()
    for word in text.lower().split():
        if word.isalpha() or word.startswith("("):
            assert word in shown, word


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("phyliss", 5, {"max_plies": 0, "auto_forced": "off"}),
        ("cathedral", 6, {"deals": 4}),
        ("phalanx", 2, {}),
        ("phalanx", 6, {"stakes": "per_card", "fee": 2}),
        ("phalanx", 3, {"aces": "highest", "tie": "spoils", "ante": 1}),
        ("phase10", 2, {}),
        ("phase10", 4, {"ten_hands": True, "even_only": True}),
        ("phase10-family", 2, {"phases": [8]}),
    ],
)
def test_no_line_of_other_options_reads_as_an_order(
    name: str, players: int, options: dict[str, OptionValue]
) -> None:
    """Nor in HTML, where cards have no brackets; and the page stays far below what clients clip."""
    text = registry.find(name).rules_text(players, options)
    mail = replace(SAMPLES["rules"], text=text)  # type: ignore[call-arg]
    rendered = RENDERER.render(mail)
    assert len(rendered.html.encode()) < 60_000
    for line in [*pages.lines(rendered.html), *rendered.text.splitlines()]:
        assert is_prose(line.strip(" -*")), line
