"""Test votes to undo moves, and undos overtaken by the next move."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.log.clock_events import DeadlineExtended, DeadlineSet
from pbem.domain.log.events import MovesRetracted
from pbem.domain.log.motion_events import MotionOpened
from pbem.domain.log.seat_events import SeatControllerChanged
from pbem.domain.table.fold import fold
from pbem.domain.table.game import Game
from pbem.mail_out.texts import with_glyphs
from tests.service.conftest import NAMES, Table


def move_by_mail(table: Table, game: Game, plies: int = 1) -> tuple[int, Game]:
    """Let players move by mail. Return the last seat and the game."""
    seat = -1
    for _ in range(plies):
        seat = table.move(table.game(game.id))
    return seat, table.game(game.id)


def test_all_agree(table: Table, trio: Game) -> None:
    """The others read which moves are meant, and the last yes restores the table."""
    order = table.standby(trio)[1]
    mover, after = move_by_mail(table, trio)
    others = [seat for seat in range(3) if seat != mover]
    assert "All others who play are asked" in table.ask(mover, "undo").words
    for seat in others:
        words = table.last_to(seat).words
        assert f'asks to take moves back: "{with_glyphs(order)}" ({NAMES[mover]}).' in words
        assert 'Reply with "yes" or "no". All who play have to agree.' in words
    assert "Votes in favour: 2 of 3. All have to agree." in table.ask(others[0], "yes").words
    assert table.game(trio.id).position == after.position
    table.answer(others[1], "Yes!")
    again = table.game(trio.id)
    assert again.ruleset.state_json(again.state) == trio.ruleset.state_json(trio.state)
    assert again.motions == ()
    assert "Your turn" in table.last_to(mover).words
    assert "move 1 was taken back" in table.last_to(mover).words
    assert "Done." in table.last_to(others[1]).words
    assert [event.back_to for event in table.events(trio, MovesRetracted)] == [trio.position]
    assert [type(item.event) for item in table.log(trio)][-2:] == [MovesRetracted, DeadlineSet]
    assert fold(table.log(trio), trio.id) == again
    table.answer(mover, table.standby(again)[1])
    assert table.game(trio.id).ruleset.ply(table.game(trio.id).state) == 1


def test_no_ends_it_and_gives_the_time_back(table: Table, trio: Game) -> None:
    """The asker reads it at once, and cannot ask again before the next move."""
    mover, after = move_by_mail(table, trio)
    next_seat = int(after.to_act[0])
    other = 3 - mover - next_seat
    table.clock.forward(days=1)
    table.answer(mover, "undo")
    assert after.deadline is not None
    table.answer(other, "no")
    assert table.deadline(trio).due_at == after.deadline.due_at + timedelta(days=1)
    assert [event.reason for event in table.events(trio, DeadlineExtended)] == ["undo"]
    assert "What you asked for was not agreed on" in table.last_to(mover).words
    assert "No question is waiting for your answer" in table.ask(next_seat, "yes").words
    assert "That was asked already since the last move" in table.ask(mover, "undo").words
    assert len(table.events(trio, MotionOpened, motion="undo")) == 1
    assert table.events(trio, MovesRetracted) == []


def test_a_yes_counts_only_for_what_its_mail_asked(table: Table, game: Game) -> None:
    """A yes to an earlier message brings the question again."""
    mover, _ = move_by_mail(table, game)
    before = table.last_to(1 - mover)
    table.answer(mover, "undo")
    table.answer(1 - mover, "yes", to=before.reply_to)
    assert table.events(game, MovesRetracted) == []
    words = table.last_to(1 - mover).words
    assert "Your mail answers one that was sent before that was asked" in words
    assert "asks to take moves back" in words
    table.answer(1 - mover, "yes")
    assert len(table.events(game, MovesRetracted)) == 1


def test_bots_consent(table: Table) -> None:
    """A player alone with a bot needs no vote."""
    first = table.new_game(2)
    table.answer(0, "new phyliss with easy bot", to=table.service.own_address)
    table.answer(0, "yes")
    table.answer(0, "join")
    (game,) = table.read(
        lambda uow: [one for one in uow.projections.games("running") if one.id != first.id]
    )
    table.run()
    before = table.game(game.id)
    move_by_mail(table, before)
    table.answer(0, "undo")
    assert len(table.events(before, MovesRetracted)) == 1
    assert table.game(game.id).to_act == before.to_act


@pytest.mark.parametrize("players", [2, 3])
def test_nobody_goes_back_alone_while_people_are_away(table: Table, players: int) -> None:
    """Otherwise a player could look at cards repeatedly."""
    game = table.started(players)
    mover, _ = move_by_mail(table, game)
    away = (mover - 1) % players
    with table.changing(game) as decision:
        decision.emit(SeatControllerChanged(away, "bot", "admin"))
    table.answer(mover, "undo")
    if players == 3:
        table.answer(3 - mover - away, "yes")
    else:
        said = "but they are all away and bots play for them"
        assert [mail for mail in table.mails_to(mover) if said in mail.words]
        assert table.events(game, MotionOpened, motion="undo") == []
    assert len(table.events(game, MovesRetracted)) == players - 2


def test_what_cannot_be_taken_back(table: Table, trio: Game) -> None:
    """Nothing moved yet, a move that never was, a leaving, the end, a secret choice."""
    assert "There is no such move" in table.ask(0, "undo").words
    mover, after = move_by_mail(table, trio)
    assert "There is no such move" in table.ask(mover, "undo 7").words
    leaver = int(after.to_act[0])
    table.answer_twice(leaver, "resign confirm")
    assert "somebody has left or taken a seat since then" in table.ask(mover, "undo").words
    table.answer_twice(3 - mover - leaver, "resign confirm")
    assert "The game is over" in table.ask(mover, "undo").words
    assert table.events(trio, MotionOpened, motion="undo") == []


def test_the_deadline_does_not_stop_for_it(table: Table, game: Game) -> None:
    """The standby move ends the request."""
    mover, after = move_by_mail(table, game)
    table.answer(mover, "undo")
    table.run_at(after.deadline.fires_at + timedelta(minutes=5))
    assert table.game(game.id).motions == ()
    assert "the game went on" in table.last_to(mover).words


# --- the pace -------------------------------------------------------------------------------------


def test_a_slower_pace_needs_more_than_half(table: Table, trio: Game) -> None:
    """The running deadline does not move."""
    before = table.deadline(trio)
    table.answer(0, "tempo 5d")
    for seat in (1, 2):
        words = table.last_to(seat).words
        assert "asks for another pace: 5 days for each move" in words
        assert "More than half decide." in words
    table.answer(2, "yes")
    now = table.game(trio.id)
    assert now.time_per_move == 5 * 86400
    assert now.deadline == before
    assert "From the next deadline on you have 5 days for each move" in table.last_to(1).words
    _, now = move_by_mail(table, trio)
    assert now.deadline.due_at == table.clock.now() + timedelta(days=5)


def test_several_things_asked_at_once(table: Table, trio: Game) -> None:
    """If two requests are open, a bare yes brings the question which one is meant."""
    table.answer(0, "tempo 5d")
    table.answer(0, "pause")
    words = table.ask(1, "yes").words
    assert "Several things are asked" in words
    assert '"yes pause" or "yes tempo"' in words
    table.answer(1, "yes tempo")
    assert table.game(trio.id).time_per_move == 5 * 86400
    assert table.game(trio.id).paused_at is None
    table.answer(1, "no")
    table.answer(2, "yes")
    assert table.game(trio.id).paused_at is not None
