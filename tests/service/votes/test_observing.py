"""Test observers: admission by the table, and public information only."""

from __future__ import annotations

import json

import pytest

from pbem.domain.log.motion_events import MotionEnded
from pbem.domain.log.seat_events import ObserverLeft
from pbem.domain.table.fold import fold
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.domain.terms.tokens import PlayerToken
from pbem.service.core import games
from pbem.service.lobby import creation as lobby
from pbem.service.notify import outsiders
from tests.service.conftest import Sent, Table
from tests.service.evidence.test_leaks import find_cards

DORA = 3


def register_dora(table: Table) -> None:
    """Register a player who has no seat in the game."""
    lobby.add_player(table.service, lobby.Person("Dora", "dora@example.org"))


def write_as_dora(table: Table, text: str) -> None:
    dora = table.player("dora@example.org")
    table.answer(DORA, text, to=table.service.tokens.address(PlayerToken(dora.id, dora.rotation)))


def start_observing(table: Table, game: Game) -> Sent:
    """Let Dora observe with the consent of all, and return her first message."""
    write_as_dora(table, f"observe {game.id}")
    for seat in range(len(game.seats)):
        if table.game(game.id).motions:
            table.answer(seat, "yes")
    return table.last_to(DORA)


def test_the_table_is_asked_and_more_than_half_decide(table: Table) -> None:
    """The players read who asks, and the second yes admits the observer."""
    register_dora(table)
    game = table.started(3)
    write_as_dora(table, f"Observe {game.id}")
    assert "The players are asked" in table.last_to(DORA).words
    for seat in range(3):
        assert "Dora asks to watch this game." in table.last_to(seat).words
    table.answer(0, "yes")
    assert table.events(game, MotionEnded, motion="observer") == []
    table.answer(2, "yes observer")
    assert len(table.events(game, MotionEnded, motion="observer")) == 1
    mail = table.last_to(DORA)
    assert "You are watching a game of Phyliss with Anna, Bob and Carol." in mail.words
    assert "is next." in mail.words
    assert "Dora watches the game from now on" in table.last_to(2).words
    now = table.game(game.id)
    assert now.motions == ()
    assert fold(table.log(game), game.id) == now


@pytest.mark.rule("GEN-5")
def test_no_hand_is_shown(table: Table) -> None:
    """In a deal with secret choices, no message shows a hidden card."""
    register_dora(table)
    game = table.started(2, ruleset="cathedral")
    start_observing(table, game)
    for _ in range(8):
        now = table.game(game.id)
        table.clock.forward(hours=21)
        table.move(now)
        view = table.game(game.id).ruleset.view(table.game(game.id).state, None)
        for hidden in view["seats"]:  # type: ignore[union-attr]
            assert not hidden.get("hand")  # type: ignore[union-attr]
    told = [mail for mail in table.mails_to(DORA) if "You are watching" in mail.words]
    assert len(told) > 3
    public = _find_public_cards(table, game)
    for mail in told:
        assert find_cards(mail.text) <= public


def _find_public_cards(table: Table, game: Game) -> set[str]:
    """Return all cards that were open at any time, by the observer's views and the public facts."""
    newest = table.game(game.id).version
    with table.service.store.reading() as uow:
        shown: list[object] = [f.data for f in outsiders.public_facts(uow, game.id, 6, newest)]
        for version in range(7, newest + 1):
            then = games.load(uow, game.id, up_to=version)
            if then.state is not None:
                shown.append(then.ruleset.view(then.state, None))
    return find_cards(json.dumps(shown).replace('"', " "))


def test_once_a_day_and_at_the_end(table: Table) -> None:
    """The moves of a day make one message, and the last one shows the result."""
    register_dora(table)
    game = table.started(2)
    start_observing(table, game)
    sent = len(table.mails_to(DORA))
    table.skip(game, 3)
    assert len(table.mails_to(DORA)) == sent
    table.clock.forward(hours=21)
    table.skip(game, 1)
    assert len(table.mails_to(DORA)) == sent + 1
    assert table.last_to(DORA).words.count("played") + table.last_to(DORA).words.count("took") >= 1
    table.answer_twice(0, "resign confirm")
    assert "is over" in table.last_to(DORA).words
    assert "Bob has won." in table.last_to(DORA).words
    assert table.game(game.id).server_secret in table.last_to(DORA).words


def test_who_looks_on_moves_nothing_and_may_stop(table: Table) -> None:
    """Their reply address speaks for no seat."""
    register_dora(table)
    game = table.started(2)
    mail = start_observing(table, game)
    version = table.game(game.id).version
    table.answer(DORA, table.standby(table.game(game.id))[1], to=mail.reply_to)
    assert table.game(game.id).version == version
    table.answer(DORA, f"unobserve {game.id}", to=mail.reply_to)
    assert len(table.events(game, ObserverLeft)) == 1
    sent = len(table.mails_to(DORA))
    table.clock.forward(days=2)
    table.skip(game, 2)
    assert len(table.mails_to(DORA)) == sent
    write_as_dora(table, f"unobserve {game.id}")
    assert "You are not watching this game." in table.last_to(DORA).words


@pytest.mark.parametrize(
    ("policy", "said"),
    [("off", "Nobody may watch this game."), ("open", "You are watching a game of Phyliss")],
)
def test_the_game_says_who_may_look_on(table: Table, policy: str, said: str) -> None:
    register_dora(table)
    game = table.started(2, timing=Timing(86400, observers=policy))
    write_as_dora(table, f"observe {game.id}")
    assert said in " ".join(mail.words for mail in table.mails_to(DORA))
    assert table.game(game.id).motions == ()
    assert "asks to watch" not in " ".join(mail.words for mail in table.mails_to(0))
