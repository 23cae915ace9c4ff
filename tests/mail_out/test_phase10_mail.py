"""Test messages of Phase 10 at every stage, with real views and facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.api import Seat
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.words.orders import LineKind, read_line
from pbem.games.profile import Told, said_move
from pbem.mail_out.skins import standard_words
from tests.engine.phase10.tables import done
from tests.engine.phase10.tables import seat as hand
from tests.engine.phase10.tables import table as position
from tests.mail_out.real_games import NAMES, Table, both, check, whole_game
from tests.mail_out.samples import moves
from tests.mail_out.test_render import RENDERER, words

BOTH = pytest.mark.parametrize("name", ["phase10", "phase10-family"])


@pytest.mark.rule("P10-6", "P10-7", "P10-12", "P10-15")
@BOTH
def test_the_task_says_what_to_do_now(name: str):
    """Draw or take; lay; hit; discard: in words, with the phase."""
    seen: dict[str, int] = {}
    said = {
        "two sets of 3": ("draw", "skip", "lay", "none"),
        "Draw from the stock, or take the": ("draw",),
        "Draw a card from the stock; a skip can’t be taken.": ("skip",),
        "Lay your phase down, as listed or in groups of your own.": ("lay",),
        "You can’t lay your phase down yet": ("none",),
        "Add as many cards to groups as you like": ("hit",),
        "No card of yours fits onto a group; a discard": ("down",),
    }
    for table in whole_game(name, 4, phases_to_win=1):
        if table.seat is None:
            break
        verbs = {move.text.split()[0] for move in table.mail(table.seat).moves}
        own = table.state.seats[table.seat]
        if not table.state.has_drawn:
            stage = "skip" if table.state.pile[-1:] == ("S",) else "draw"
            stage = "again" if own.laid else stage
        elif own.laid:
            stage = "hit" if "hit" in verbs else "down"
        else:
            stage = "lay" if "lay" in verbs else "none"
        seen[stage] = seen.get(stage, 0) + 1
        if stage == "again" or seen[stage] > 2:
            continue
        for body in both(table.mail(table.seat)):
            for sentence, stages in said.items():
                assert (sentence in body) == (stage in stages), (sentence, stage)
            if stage in {"lay", "hit", "down"}:
                assert ("without one you float" in body) == (name == "phase10-family")
    assert {"draw", "lay", "none", "hit"} <= seen.keys()


def test_the_largest_mail_stays_small():
    """Six players with all phases down, a hand of wilds, a long pile: below 60 kB, 72 columns."""
    mail = Table("phase10", 4).mail(0)
    group = {"kind": "set", "cards": ["R12"] * 9 + ["W"] * 3}
    run = {"kind": "run", "cards": ["W", *(f"Y{number}" for number in range(3, 12))]}
    view = {**mail.view, "groups": [[group, run]] * 4, "pile": ["B10"] * 60}
    view["seats"] = [{**seat, "laid": True} for seat in mail.view["seats"]]  # type: ignore[union-attr]
    hits = [
        f"hit W on {seat}.{at}{end}" for seat in range(4) for at in (0, 1) for end in ("", " high")
    ]
    texts = [*hits, *hits, *(f"discard R{number}" for number in range(1, 12)), *["discard S 3"] * 3]
    texts = [
        with_seat_names(said_move("phase10", one, Told(view, 0, "", ())), NAMES) for one in texts
    ]
    check(replace(mail, view=view, moves=moves(*texts, players=NAMES)))


@pytest.mark.rule("P10-2")
@BOTH
def test_what_a_mail_shows_in_standard_packs_can_be_answered(name: str) -> None:
    """Every listed order is parsed into its move."""
    read = 0
    for table in whole_game(name, 3, phases_to_win=2, deck="standard"):
        if table.seat is None or table.state.ply % 3:
            continue
        state, seat = table.state, Seat(table.seat)
        for move in table.rules.legal_moves(state, seat):
            shown = standard_words(table.rules.format_move(state, seat, move))
            assert table.rules.parse_order(state, seat, shown) == move, shown
            read += 1
    assert read > 50


@pytest.mark.rule("P10-V4")
@pytest.mark.parametrize(
    ("language", "deck", "said"),
    [
        (
            "en", "phase10",
            (
                "Anna laid down phase 2: R5 B5 G5 and W W W W from 3 to 6.",
                "Anna’s run W W W W W from 2 to 6",
                "Anna’s 12s W W W as 12",
            ),
        ),
        (
            "de", "phase10",
            (
                "Anna hat Phase 2 ausgelegt: R5 B5 G5 und W W W W von 3 bis 6.",
                "Annas Folge W W W W W von 2 bis 6",
                "Annas 12er W W W als 12",
            ),
        ),
        (
            "en", "standard",
            (
                "Anna laid down phase 2: 5♥ 5♠ 5♣ and K K K K from 3 to 6.",
                "Anna’s run K K K K K from 2 to 6",
                "Anna’s queens K K K as 12",
            ),
        ),
    ],
)  # fmt: skip
def test_wilds_alone_are_shown_with_what_they_stand_for(
    language: str, deck: str, said: tuple[str, ...]
) -> None:
    """In what happened and on the table, as text and as HTML."""
    table = Table("phase10", 2, naturals="phase", deck=deck)
    options = {"naturals": "phase", "deck": deck}
    table.state = position(
        hand("R5 B5 G5 W W W W W R12 R11", phase=2), done("G1"), drawn=True, options=options
    )
    table.move("lay W W W W as 3 / 5 5 5")
    table.move("hit W on my run low")
    table.move("discard R12")
    content = replace(table.mail(1), language=language)
    happened, run, _ = said
    for body in words(RENDERER.render(content)):
        assert happened in body
        assert run in body
    groups = [[{"kind": "set", "cards": ["W", "W", "W"], "as": 12}], []]
    content = replace(content, view={**content.view, "groups": groups})
    for body in words(RENDERER.render(content)):
        assert said[2] in body


@pytest.mark.rule("P10-V4", "P10-30")
@pytest.mark.parametrize(
    ("language", "listed"),
    [("en", "lay R5 W W / W W W as 1"), ("de", "auslegen R5 W W / W W W als 1")],
)
def test_a_listed_lay_down_says_what_wilds_stand_for(language: str, listed: str) -> None:
    """As it is shown it is understood; the button names it for people who listen."""
    table = Table("phase10", 2, naturals="phase")
    table.state = position(
        hand("R5 W W W W W S"), hand("G1"), drawn=True, options={"naturals": "phase"}
    )
    rendered = RENDERER.render(replace(table.mail(0), language=language))
    assert f"21  {listed}" in rendered.text
    spoken = {"en": "wild, wild, wild as 1", "de": "Wildkarte, Wildkarte, Wildkarte als 1"}
    assert spoken[language] in rendered.html
    read = read_line(listed, [table.rules], NAMES, language=language)
    assert read.kind is LineKind.GAME
    move = table.rules.parse_order(table.state, Seat(0), read.order)
    assert table.rules.format_move(table.state, Seat(0), move) == "lay R5 W W / W W W as 1"
