"""Test `rematch`: the next game at the table is created once, whoever asks."""

from __future__ import annotations

import pytest

from pbem.domain.log.events import GameCreated
from pbem.domain.log.seat_events import PlayerJoined
from pbem.domain.play.seating import next_dealer, next_id
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.service.admin import acts
from tests.service.conftest import Table


def finish(table: Table, players: int = 2, **options: object) -> Game:
    """Return a game that ended because all players but the first resigned."""
    game = table.started(players, **options)
    for seat in range(players - 1, 0, -1):
        table.answer_twice(seat, "resign confirm")
    return table.game(game.id)


def load_rematch(table: Table, game: Game, number: int = 1) -> Game:
    return table.game(next_id(game, number))


def test_the_same_people_options_and_clock(table: Table) -> None:
    """The requesting player has joined, the others are invited, and the secret is new."""
    game = finish(table, 3, deals=2, timing=Timing(86400, weekends_off=True))
    assert 'Reply with "rematch"' in table.last_to(1).words
    table.answer(1, "rematch")
    again = load_rematch(table, game)
    assert again.status == "inviting"
    assert [seat.player for seat in again.seats] == [seat.player for seat in game.seats]
    assert [seat.status for seat in again.seats] == ["invited", "joined", "invited"]
    assert again.options == {**game.options, "dealer": next_dealer(game)}
    assert again.timing == game.timing
    assert again.server_secret != game.server_secret
    words = table.last_to(1).words
    assert f"The rematch is the game [{again.id}]." in words
    assert "It begins when Anna and Carol have joined, too." in words
    for seat in (0, 2):
        assert again.id in table.last_to(seat).message["Subject"]
        assert "invite" in table.last_to(seat).words
    created = [item for item in table.log(again) if isinstance(item.event, GameCreated)]
    assert created[0].cause.startswith("mail:")


def test_nobody_is_asked_who_wants_no_invitation(table: Table) -> None:
    """The seat stays empty until the requesting player fills it."""
    game = finish(table)
    table.answer_twice(1, "invitations off")
    before = len(table.mails_to(1))
    table.answer(0, "rematch")
    again = load_rematch(table, game)
    assert [seat.status for seat in again.seats] == ["joined", "declined"]
    assert len(table.mails_to(1)) == before
    assert "It begins when all seats are taken." in table.last_to(0).words
    assert '"bot": a bot takes the seat' in table.last_to(0).words
    table.answer(0, "phrase: green tea\nbot")
    assert load_rematch(table, game).status == "running"


def test_two_who_ask_join_one_game(table: Table) -> None:
    """A second request joins the game of the first."""
    game = finish(table, 3)
    ends = [table.last_to(seat).reply_to for seat in range(3)]
    table.answer(0, "rematch", to=ends[0])
    table.answer(1, "Rematch!", to=ends[1])
    again = load_rematch(table, game)
    assert [seat.status for seat in again.seats] == ["joined", "joined", "invited"]
    assert len([i for i in table.log(again) if isinstance(i.event, PlayerJoined)]) == 2
    assert "You have already joined" in table.ask(1, "rematch", to=ends[1]).words
    table.answer(2, "join")
    assert load_rematch(table, game).status == "running"
    assert (
        f"The rematch [{again.id}] has begun already." in table.ask(0, "rematch", to=ends[0]).words
    )
    assert table.read(lambda uow: len(uow.projections.games())) == 2


def test_not_before_the_end_nor_of_a_game_that_never_began(table: Table, game: Game) -> None:
    assert "when this game is over" in table.ask(0, "rematch").words
    other = table.new_game(2, seed=9)
    acts.stop(table.service, other.id, "wrong people")
    table.run()
    assert "never began" in table.ask(0, "rematch").words
    assert table.read(lambda uow: {row.id for row in uow.projections.games()}) == {
        game.id,
        other.id,
    }


@pytest.mark.rule("PHY-24")
def test_the_loser_deals(table: Table) -> None:
    """A seat that resigned does not deal."""
    game = finish(table, 3)
    assert game.finished.ranking[0] == (0,)
    assert next_dealer(game) == 0
    other = table.skip(table.started(3, seed=4), 2000)
    assert next_dealer(other) == other.finished.ranking[-1][-1]


@pytest.mark.rule("CAT-4", "P10-4")
@pytest.mark.parametrize(
    ("ruleset", "options"), [("cathedral", {}), ("phase10", {"phases_to_win": 1}), ("phalanx", {})]
)
def test_the_winner_deals_or_the_deal_moves_left(
    table: Table, ruleset: str, options: dict[str, object]
) -> None:
    game = finish(table, 3, ruleset=ruleset, **options)
    if ruleset == "cathedral":
        assert next_dealer(game) == 0
    else:
        assert next_dealer(game) == (game.ruleset.view(game.state, None)["dealer"] + 1) % 3  # type: ignore[operator]
    table.answer(0, "rematch")
    assert load_rematch(table, game).options["dealer"] == next_dealer(game)
