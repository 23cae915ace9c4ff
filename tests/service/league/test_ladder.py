"""Test a ladder by mail, from `challenge` to the new order."""

from __future__ import annotations

import pytest

from pbem.domain.play import decide
from pbem.domain.table.game import Game
from pbem.service.admin import acts
from pbem.service.league.ladder import standing
from pbem.service.lobby import creation as lobby
from pbem.service.lobby.creation import Person
from pbem.service.logbook.verify import verify_game
from pbem.service.people import erasure
from pbem.service.upkeep import maintenance
from tests.service.conftest import Table
from tests.service.league.club import Club, address

ANNA, BOB, CARO, DORA, EMIL = NAMES = ["Anna", "Bob", "Caro", "Dora", "Emil"]


def club_of(table: Table) -> Club:
    """Create five people, four of whom have each played with Anna only."""
    table.begun("a club of five", lambda: _play_with_anna(table))
    return Club(table, NAMES)


def _play_with_anna(table: Table) -> None:
    Club(table, NAMES)
    for name in NAMES[1:]:
        table.clock.forward(minutes=1)
        people = [Person(one, address(one)) for one in (ANNA, name)]
        game = lobby.create_game(table.service, people, lobby.GamePlan("phyliss"))
        with table.changing(game) as decision:
            for seat in (0, 1):
                decide.join(decision, seat, None)
            decide.resign(decision, 1)
            decide.settle(decision)
    table.run()


@pytest.fixture
def club(table: Table) -> Club:
    return club_of(table)


def lost(club: Club, name: str, game: Game) -> None:
    """Let a player resign a minute later, so that the opponent wins."""
    club.table.clock.forward(minutes=1)
    club.write(name, "resign confirm", to=club.last(name, game.id).reply_to)
    club.write(name, "yes", to=club.mails(name)[-1].reply_to)
    assert club.table.game(game.id).is_over


def made(club: Club, one: str, other: str, how: str = "challenge {} at phyliss") -> Game:
    before = {game.id for game in club.running()}
    said = club.write(one, how.format(other.lower()))
    found = [game for game in club.running() if game.is_challenge and game.id not in before]
    assert found, said.words
    return found[-1]


def challenged(club: Club, one: str, other: str) -> Game:
    """Make a challenge, and let it be accepted."""
    game = made(club, one, other)
    club.write(other, "join", to=club.last(other, game.id).reply_to)
    assert club.table.game(game.id).status == "running"
    return game


def order(club: Club) -> list[str]:
    now = club.table.read(lambda uow: standing(uow, "phyliss", club.table.clock.now()))
    return [club.ids[who] for who in now.players]


def four(club: Club) -> None:
    """Make the ladder Dora, Bob, Anna, Caro."""
    lost(club, ANNA, challenged(club, BOB, ANNA))
    lost(club, CARO, challenged(club, CARO, BOB))
    lost(club, BOB, challenged(club, DORA, BOB))


def test_a_whole_ladder(both: Table) -> None:
    club = club_of(both)
    assert "Nobody stands on the ladder of Phyliss yet" in club.write(ANNA, "ladder phyliss").words
    game = made(club, BOB, ANNA, "challenge {} at phyliss, 1d per move")
    invited = club.last(ANNA, "Bob challenges you at Phyliss")
    assert "where neither of you stands yet" in invited.words
    assert "You have 1 day for each move" in invited.words
    assert "where neither of you stands yet" in club.last(BOB, game.id).words
    club.write(ANNA, "join", to=invited.reply_to)
    assert "This game counts on the ladder" in club.last(BOB, game.id).words
    lost(club, ANNA, game)
    assert "The ladder of Phyliss now: 1. Bob, 2. Anna" in club.last(BOB, game.id).words
    game = challenged(club, CARO, BOB)
    assert "You stand in place 1: if Caro wins" in club.last(BOB, game.id).words
    assert "Bob stands in place 1: if you win" in club.last(CARO, game.id).words
    assert "In a challenge just now: Bob" in club.write(DORA, "ladder phyliss").words
    lost(club, CARO, game)
    lost(club, BOB, challenged(club, DORA, BOB))
    assert order(club) == [DORA, BOB, ANNA, CARO]
    assert "now: 1. Dora, 2. Bob, 3. Anna, 4. Caro" in club.last(DORA, "You won").words
    told = club.write(CARO, "ladder phyliss")
    assert [told.text.index(f"{n}. {name}") for n, name in enumerate(order(club), 1)]
    with both.service.store.reading() as uow:
        before = uow.projections.dump()
        for game_id in uow.events.games():
            verify_game(uow, game_id)
    assert both.check() == []
    maintenance.rebuild(both.service, lambda _: None)
    assert both.read(lambda uow: uow.projections.dump()) == before
    assert order(club) == [DORA, BOB, ANNA, CARO]


def test_who_can_be_challenged_and_who_cannot(club: Club) -> None:
    four(club)
    said = club.write(EMIL, "challenge dora at phyliss").words
    assert "you can challenge Bob, Anna or Caro" in said
    assert "You stand at the top" in club.write(DORA, "challenge bob at phyliss").words
    assert "You stand at the top" in club.write(DORA, "challenge dora at phyliss").words
    for who in ("caro", "me", "emil", "emil@example.org", "nobody", "Zoe <zoe@example.net>", "bot"):
        said = club.write(CARO, f"challenge {who} at phyliss").words
        assert "you can challenge Dora, Bob or Anna" in said, who
    assert (
        "A challenge is a game for the two"
        in club.write(CARO, "challenge anna at phyliss, open 4 players").words
    )
    assert (
        "On which ladder?" in club.write(CARO, "challenge anna", to="game@play.example.org").words
    )
    assert not any(game.is_challenge for game in club.running())
    read = club.write(EMIL, "ladder phyliss")
    assert "Dora" not in read.text
    assert "Caro" in read.text
    assert "Players: 4" in read.words


def test_a_challenge_that_is_declined_or_not_answered_is_over(club: Club) -> None:
    game = made(club, BOB, ANNA)
    club.write(ANNA, "decline", to=club.last(ANNA, game.id).reply_to)
    told = club.last(BOB, game.id)
    assert "Anna" in told.words
    assert "The ladder of Phyliss stays as it is" in told.words
    assert club.table.game(game.id).status == "stopped"
    assert "one challenge a week" in club.write(BOB, "challenge anna at phyliss").words
    club.table.clock.forward(days=7, minutes=1)
    again = made(club, BOB, ANNA)
    said = club.write(BOB, "bot", to=club.last(BOB, again.id).reply_to)
    assert "between the two of you" in said.words
    club.table.wait(days=15)
    assert club.table.game(again.id).status == "stopped"
    club.table.clock.forward(days=7)
    last = made(club, BOB, ANNA)
    club.write(BOB, "decline", to=club.last(BOB, last.id).reply_to)
    assert club.table.game(last.id).status == "stopped"
    assert order(club) == []


def test_no_challenge_has_a_clock_that_can_stand_still_or_take_months(club: Club) -> None:
    four(club)
    club.table.clock.forward(days=8)
    for clock in ("60d per move", "bank 30d", "on_timeout wait", "on_timeout ask", "grace 9d"):
        said = club.write(ANNA, f"challenge dora at phyliss, {clock}").words
        assert "A challenge must not take too long" in said, clock
    game = challenged(club, ANNA, DORA)
    for name in (ANNA, DORA):
        said = club.write(name, "pause", to=club.last(name, game.id).reply_to).words
        assert "In a challenge the clock can't be stopped by a vote" in said
    said = club.write(ANNA, "tempo 60d", to=club.last(ANNA, game.id).reply_to).words
    assert "at most 3 days for a move" in said
    assert club.table.game(game.id).paused_at is None


def test_a_challenge_that_is_not_answered_within_three_days_is_lost(club: Club) -> None:
    four(club)
    club.table.clock.forward(days=8)
    game = made(club, ANNA, DORA)
    invited = club.last(DORA, game.id)
    assert "If you don't answer within three days, it counts as lost" in invited.words
    assert "Join by" in invited.words
    for _ in range(2):
        club.table.wait(days=1, hours=12)
    club.table.wait(minutes=10)
    assert club.table.game(game.id).status == "stopped"
    assert order(club) == [ANNA, DORA, BOB, CARO]
    for name in (ANNA, DORA):
        told = club.last(name, game.id).words
        assert "The challenge was not taken, so it counts as lost" in told
        assert "now: 1. Anna, 2. Dora" in told
    assert club.table.check() == []


def test_a_player_whom_no_mail_reaches_loses_nothing(club: Club) -> None:
    four(club)
    club.table.clock.forward(days=8)
    dora = next(player for player, name in club.ids.items() if name == DORA)
    club.table.write(
        lambda uow: uow.deliverability.mark_unreachable(dora, club.table.clock.now(), "bounce")
    )
    game = made(club, ANNA, DORA)
    club.table.wait(days=5)
    assert club.table.game(game.id).status == "inviting"
    club.table.wait(days=10)
    assert club.table.game(game.id).status == "stopped"
    assert order(club) == [DORA, BOB, ANNA, CARO]


def test_the_second_challenge_in_a_row_that_is_declined_is_lost(club: Club) -> None:
    """Otherwise the first player could decline all challenges except those of an accomplice."""
    four(club)
    club.table.clock.forward(days=8)
    club.write(DORA, "decline", to=club.last(DORA, made(club, ANNA, DORA).id).reply_to)
    assert order(club) == [DORA, BOB, ANNA, CARO]
    club.table.clock.forward(minutes=1)
    second = made(club, CARO, DORA)
    assert "You declined the last challenge" in club.last(DORA, second.id).words
    club.write(DORA, "decline", to=club.last(DORA, second.id).reply_to)
    assert order(club) == [CARO, DORA, BOB, ANNA]
    assert "it counts as lost" in club.last(DORA, second.id).words
    club.table.clock.forward(days=8)
    club.write(DORA, "decline", to=club.last(DORA, made(club, BOB, DORA).id).reply_to)
    assert order(club) == [CARO, DORA, BOB, ANNA]
    with club.table.service.store.reading() as uow:
        for game_id in uow.events.games():
            verify_game(uow, game_id)


def test_who_wants_no_invitations_declines_at_once_and_nobody_learns_why(club: Club) -> None:
    club.write(ANNA, "invitations off")
    club.write(ANNA, "yes", to=club.mails(ANNA)[-1].reply_to)
    before = len(club.mails(ANNA))
    assert "stays as it is" in club.write(BOB, "challenge anna at phyliss").words
    assert len(club.mails(ANNA)) == before
    assert club.running() == []


def test_neither_a_stopped_game_nor_a_rematch_changes_the_order(club: Club) -> None:
    four(club)
    game = challenged(club, CARO, DORA)
    acts.stop(club.table.service, game.id, "A dispute.")
    club.table.run()
    assert "The ladder of Phyliss stays as it is" in club.last(CARO, game.id).words
    assert order(club) == [DORA, BOB, ANNA, CARO]
    club.write(CARO, "rematch", to=club.last(CARO, game.id).reply_to)
    club.write(DORA, "rematch", to=club.last(DORA, game.id).reply_to)
    (again,) = club.running()
    assert not again.is_challenge
    lost(club, DORA, again)
    assert order(club) == [DORA, BOB, ANNA, CARO]


def test_who_is_forgotten_leaves_the_ladder(club: Club) -> None:
    four(club)
    erasure.forget(club.table.service, BOB, "They asked for it.")
    assert order(club) == [DORA, ANNA, CARO]
    assert "Bob" not in club.write(CARO, "ladder phyliss").text
    lost(club, DORA, challenged(club, CARO, DORA))
    assert "now: 1. Caro, 2. Dora, 3. Anna" in club.last(CARO, "You won").words
    assert club.table.check() == []
