"""Test hints, trial messages and rules, which change nothing unless the player asks for it."""

from __future__ import annotations

import re

import pytest

from engine import registry
from pbem.domain.log.events import MovePlayed
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.service.intake import advice, trial
from tests.service.conftest import Table
from tests.service.notify.test_refusals import BARE, write


@pytest.fixture
def game(table: Table, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game whose bot plays by a rule of thumb, which needs no time."""
    monkeypatch.setattr(advice, "LEVEL", "easy")
    return table.started(3)


@pytest.mark.parametrize(
    ("language", "words", "said"),
    [
        ("en", "hint", "A bot would play"),
        ("en", "what should I do?", "A bot would play"),
        ("de", "Tipp", "Ein Bot würde jetzt"),
        ("de", "was soll ich tun?", "Ein Bot würde jetzt"),
    ],
)
def test_a_hint_names_a_move_and_plays_nothing(
    table: Table, game: Game, language: str, words: str, said: str
) -> None:
    seat = game.to_act[0]
    table.answer(seat, f"language {language}")
    mail = table.ask(seat, words)
    assert said in mail.words
    assert table.game(game.id).version == game.version


def test_the_bot_plays_this_turn_and_the_log_says_so(table: Table) -> None:
    """In Phase 10 a turn is several moves; the next turn is the player's own again."""
    game, seat, _ = table.start(2, ruleset="phase10")
    table.answer(seat, "play for me")
    after = table.game(game.id)
    assert seat not in after.to_act
    assert after.seats[seat].controller == "person"
    moves = [item for item in table.log(game) if isinstance(item.event, MovePlayed)]
    assert len(moves) >= 2
    assert {item.event.source for item in moves if isinstance(item.event, MovePlayed)} == {"bot"}
    assert {item.actor for item in moves} == {f"seat:{seat}"}
    assert all(item.cause for item in moves)
    assert "The bot moved for you:" in table.last_to(seat).words


def test_nobody_else_reads_that_a_bot_was_asked(table: Table, game: Game) -> None:
    seat = game.to_act[0]
    table.answer(seat, "play for me")
    others = [table.last_to(other) for other in range(3) if other != seat]
    assert [re.search(r"\bbots?\b", mail.words, re.IGNORECASE) for mail in others] == [None] * 2


@pytest.mark.parametrize("words", ["hint", "play for me"])
def test_out_of_turn_nothing_is_advised(table: Table, game: Game, words: str) -> None:
    other = next(seat for seat in range(3) if seat not in game.to_act)
    assert "It is not your turn" in table.ask(other, words).words
    assert table.game(game.id).version == game.version


def test_an_old_mail_lets_nobody_play_the_next_turn(table: Table, game: Game) -> None:
    seat, order = table.standby(game)
    old = table.last_to(seat).reply_to
    table.answer(seat, order)
    while seat not in table.game(game.id).to_act:
        table.move(table.game(game.id))
    before = table.game(game.id)
    table.answer(seat, "play for me", to=old)
    assert table.game(game.id).version == before.version
    assert "Your mail answers an older position" in table.last_to(seat).words


@pytest.mark.parametrize("words", ["hint", "play for me"])
def test_a_game_can_switch_hints_off(table: Table, words: str) -> None:
    game, seat, _ = table.start(2, timing=Timing(3 * 86400, hints=False))
    assert "hints are off" in table.ask(seat, words).words
    assert table.game(game.id).version == game.version


LINES = """test
21
pickup
say hello everybody
resign confirm
vacation 5 days
hitory
good luck!

On Monday, Bob wrote:
> play 7
"""
READ = (
    ("21", "Read as a move."),
    ("say hello everybody", 'Read as "say" with "hello everybody".'),
    ("resign confirm", 'Read as "resign" with "confirm".'),
    ("vacation 5 days", 'Read as "vacation" with "5 days".'),
    ("hitory", 'Did you mean "history"?'),
    ("good luck!", "No move: it changes nothing."),
    ("play 7", "Taken as quoted"),
)


@pytest.mark.parametrize("where", ["game", "bare address"])
def test_each_line_is_told_and_nothing_is_done(table: Table, trio: Game, where: str) -> None:
    to = None if where == "game" else table.service.own_address
    words = table.ask(trio.to_act[0], LINES, to=to).words
    assert table.last_to(trio.to_act[0]).message["Subject"] == "How your mail is read"
    for line, said in READ:
        assert line in words
        assert said in words.partition(f'"{line}"')[2]
    assert table.game(trio.id).version == trio.version
    others = [seat for seat in range(3) if seat != trio.to_act[0]]
    assert all(
        "hello everybody" not in mail.words for seat in others for mail in table.mails_to(seat)
    )


def test_below_other_lines_it_is_refused(table: Table) -> None:
    table.started(2)
    assert (
        'A test begins with "test" on the first line' in table.ask(0, "history\ntest\npause").words
    )


def test_only_a_few_a_day(table: Table) -> None:
    """The last answer says so, and later messages have no effect."""
    game = table.started(2)
    table.service.clock.forward(hours=1)
    for _ in range(trial.MAX_PER_DAY + 1):
        table.answer(0, "test\nresign confirm")
    mails = [
        mail for mail in table.mails_to(0) if mail.message["Subject"] == "How your mail is read"
    ]
    assert len(mails) == trial.MAX_PER_DAY
    assert "the last test that is answered today" in mails[-1].words
    assert table.game(game.id).version == game.version


def test_in_a_game_its_own_options_are_in_force(table: Table) -> None:
    """The rules are those for the number of players at the table."""
    game = table.started(4, deals=3)
    change = write(table, game, int(game.to_act[0]), "rules")
    assert change.events == 0
    words = change.only(int(game.to_act[0])).words
    assert "At your table there are 4 players" in words
    assert "* deals=3 (usually 1)" in words


def test_at_the_bare_address_with_several_games_it_is_asked_which(table: Table) -> None:
    """Offer every ruleset. A name gives the usual rules."""
    game = table.started(2, deals=2)
    table.new_game(2, deals=3)
    words = write(table, game, 0, "rules", to=BARE).only(0).words
    assert "Which game do you mean?" in words
    for name in registry.names():
        assert f'"rules {name}"' in words
    table.clock.forward(hours=1, seconds=1)
    assert "- deals=1:" in write(table, game, 0, "rules phyliss", to=BARE).only(0).words


def test_a_question_at_a_table_gets_no_rules_of_another_game(table: Table) -> None:
    """Phyliss has no flanking, Phalanx has. The single word still finds it."""
    game = table.started(3, 1)
    assert "Phalanx" not in write(table, game, 0, "how does flanking work here?").only(0).words
    table.clock.forward(hours=1, seconds=1)
    assert "The rules of Phalanx" in write(table, game, 0, "help flanking").only(0).words
