"""Test the texts of turn messages and of refusals in the words of each game."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.service.core import games
from pbem.service.letters import game_mail
from tests.mail_out import pages
from tests.service.conftest import Table


def test_the_example_is_the_safe_move(table: Table) -> None:
    """The example is not a bad move such as `discard W`."""
    game, _, order = table.start(2, seed=7, ruleset="phase10")
    table.answer(int(game.to_act[0]), order)
    game = table.game(game.id)
    seat, order = table.standby(game)
    assert order.startswith("discard")
    assert f"or “{order}” at the top" in " ".join(table.last_to(seat).text.split())
    assert "“discard W”" not in table.last_to(seat).text


def test_cards_are_set_aside(table: Table) -> None:
    """The list does not say `keep`, and its words can be sent back."""
    game = table.started(2, seed=7, ruleset="cathedral")
    mail = table.last_to(0)
    assert "  21  set aside " in mail.text
    assert "keep" not in mail.text
    assert "You chose" in table.ask(0, mail.text.split("\n  21  ")[1].split("\n")[0]).text
    assert table.game(game.id).version > game.version


@pytest.mark.parametrize("ruleset", ["phyliss", "cathedral", "phalanx", "phase10"])
def test_whether_a_reader_has_moved_is_what_a_fold_says(table: Table, ruleset: str) -> None:
    """Compare both at each position that a seat may have seen last."""
    game, first, _ = table.start(3, seed=7, ruleset=ruleset)
    table.skip(game, 1)
    table.answer(first, "undo")
    for seat in {0, 1, 2} - {first}:
        table.answer(seat, "yes")
    game = table.skip(table.game(game.id), 4)
    table.answer(0, "resign confirm")
    game = table.game(game.id)
    told = []
    with table.service.store.reading() as uow:
        for seen in range(1, game.version + 1):
            then = games.load(uow, game.id, up_to=seen)
            has_moved = then.state is not None and then.ruleset.ply(then.state) > 0
            seats = tuple(replace(one, seen=seen) for one in game.seats)
            told.append(has_moved)
            assert game_mail._has_moved(uow, replace(game, seats=seats), 0) == has_moved, seen
    assert set(told) == {False, True}


def test_an_answer_tells_the_own_draw_once_with_its_cards(table: Table) -> None:
    """Leave out the public report of a draw if the player reads which card it was."""
    seat = table.move(table.started(2))
    words = table.last_to(seat).words
    (drawn,) = re.findall(r"You played \S+ and drew (\S+) from the stock\.", words)
    assert words.count(" drew ") == 1, words
    assert drawn in words[words.index("Your hand,") :]
    assert "drew 1 card" in table.last_to(1 - seat).words


@pytest.mark.rule("PLX-3", "PLX-11")
def test_zones_are_called_by_neighbours(table: Table) -> None:
    """In refusals, in a move that the service made, and where moves are to be taken back."""
    game = table.skip(table.started(3, ruleset="phalanx"), 3)
    seat = int(game.to_act[0])
    card = table.standby(game)[1].split()[1]
    refused = table.ask(seat, card).words
    assert f"Into which zone does {card} go: with Bob, middle, with Carol?" in refused
    assert "middle, with Carol?" in table.ask(seat, f"try {card}").words
    table.wait(days=4)
    made = f'"play {card} with Bob"'
    assert f"a safe move was made for you: {made}" in table.last_to(seat).words
    assert f"so a safe move was made: {made}" in table.last_to((seat + 1) % 3).words
    table.answer(seat, "undo")
    asked = table.last_to((seat + 2) % 3).words
    assert "asks to take back moves" in asked.split("Phalanx")[0]
    assert "with Bob" in asked.split("would be as it was")[0]


def test_a_refusal_in_german(table: Table) -> None:
    """The explanation and the suggestion are in the sender's language."""
    game, seat, _ = table.start(2)
    table.answer(seat, "language de")
    text = " ".join(table.ask(seat, "spiele Herz Dame Pik Dame Karo Dame Kreuz Dame").text.split())
    assert re.search(r" -- (?!PHY).+ Das geht nicht\. Regel PHY-1[78]\.", text)
    assert "Möglich wäre eines davon: „spiele" in text
    queries = (urlsplit(link).query for _, link in pages.mailto_links(table.last_to(seat).html))
    links = [parse_qs(query)["body"][0] for query in queries if "body" in query]
    assert any(re.fullmatch(r"spiele \d+[♣♦♥♠]", order) for order in links), links
    assert not [order for order in links if re.search(r"play|pickup|[2-9JQKA][cdhs]\b", order)]
    assert (
        " ".join(table.ask(seat, f"{links[0]}?\nprobiere {links[0]}").text.split()).count(
            f"„{links[0]}“ ginge"
        )
        == 2
    )
    version = table.game(game.id).version
    table.answer(seat, links[0])
    assert table.game(game.id).version > version
    assert "aufgeben bestätigen" in " ".join(table.ask(seat, "bestätigen").text.split())
    table.answer(seat, "Aufgeben bestätigen")
    assert "antworte mit „ja“" in " ".join(table.question(seat).text.split())
    table.answer(seat, "ja", to=table.question(seat).reply_to)
    assert table.game(game.id).status == "finished"
