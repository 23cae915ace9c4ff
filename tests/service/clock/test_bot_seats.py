"""Test bots that play for silent players, and players who take their seats back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.api import Seat
from pbem.bots import BotError, DirectThinker, Question
from pbem.domain.log.clock_events import TurnTimedOut
from pbem.domain.log.events import MovePlayed
from pbem.domain.log.seat_events import SeatControllerChanged
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.errors import VersionConflictError
from pbem.service.change import Change
from pbem.service.clock import fire_due as module
from pbem.service.clock.fire_due import fire_due
from tests.service.conftest import Table, configured, failing

DAY = timedelta(days=1)
AT_ONCE = Timing(86400, on_timeout="bot")


def find_moves(table: Table, game: Game, source: str) -> list[MovePlayed]:
    return [move for move in table.events(game, MovePlayed) if move.source == source]


def list_kinds_since(table: Table, seat: int, rows: int) -> list[str]:
    return [row.kind for row in table.outbox()[rows:] if row.seat == seat]


def test_bot_decides_at_once_and_everybody_is_told_in_one_mail(table: Table) -> None:
    """The silent player, the next player and the third one get one message each, with the reason."""
    game = table.started(3, timing=AT_ONCE)
    rows = len(table.outbox())
    seat = table.miss_deadline(game, run=False)
    assert table.game(game.id).seats[seat].controller == "bot"
    assert find_moves(table, game, "bot") == []
    table.run()
    assert [move.seat for move in find_moves(table, game, "bot")][:1] == [seat]
    now = table.game(game.id)
    assert seat not in now.to_act
    assert list_kinds_since(table, seat, rows) == ["timed_out"]
    assert "Any answer to this mail gives you your seat back" in table.last_to(seat).words
    for other in {0, 1, 2} - {seat}:
        mails = list_kinds_since(table, other, rows)
        assert sorted(mails) == (["notice", "turn"] if other in now.to_act else ["notice"])
        assert "A bot plays for" in table.last_to(other).words


@pytest.mark.parametrize("text", ["board", "hello, I am back"])
def test_any_mail_takes_the_seat_back(table: Table, text: str) -> None:
    """The other players are notified, and the bot makes no more moves for the seat."""
    game = table.started(3, timing=AT_ONCE)
    seat = table.miss_deadline(game)
    rows = len(table.outbox())
    table.answer(seat, text)
    assert table.game(game.id).seats[seat].controller == "person"
    assert table.events(game, SeatControllerChanged)[-1].why == "back"
    assert "You are back and play for yourself again" in table.last_to(seat).words
    (moved, *_) = find_moves(table, game, "bot")
    assert (
        f'The bot moved for you: "{moved.move}" (the lowest that fits).'
        in table.last_to(seat).words
    )
    for other in {0, 1, 2} - {seat}:
        assert "(the lowest that fits)" not in table.last_to(other).words
        assert list_kinds_since(table, other, rows) == ["notice"]
        assert "is back, and the bot has left" in table.last_to(other).words


def test_who_comes_back_before_the_bot_moved_has_the_full_time(table: Table) -> None:
    """A message is handled before the bot is asked. Without a move in it, the time starts over."""
    game = table.started(2, timing=AT_ONCE)
    seat = table.miss_deadline(game, run=False)
    table.answer(seat, "board", to=table.mails_to(seat)[-1].reply_to, run=False)
    fire_due(table.service)
    assert find_moves(table, game, "bot") == []
    table.run()
    game = table.game(game.id)
    assert game.to_act == (seat,)
    assert game.deadline.due_at == table.clock.now() + DAY
    assert f"{game.deadline.due_at:%H:%M}"[-2:] in table.last_to(seat).words
    table.answer(seat, table.standby(game)[1])
    assert find_moves(table, game, "bot") == []
    assert len(find_moves(table, game, "mail")) == 1


def test_two_silent_turns_in_a_row_bring_the_bot(table: Table, trio: Game) -> None:
    """By default safe moves come first, then a bot, and the player reads the reason."""
    silent = table.miss_deadline(trio)
    while table.game(trio.id).seats[silent].controller == "person":
        if silent in table.game(trio.id).to_act:
            table.miss_deadline(trio)
        else:
            table.move(trio)
    assert len(table.events(trio, TurnTimedOut, seat=silent)) == 2
    assert "because you missed several turns in a row" in table.last_to(silent).words


@pytest.mark.rule("GEN-6")
def test_bot_chooses_secretly_while_the_others_still_think(table: Table) -> None:
    """The bot is asked at once, and no player sees that it has chosen."""
    game = table.started(3, ruleset="cathedral", timing=Timing(86400, on_timeout="bot"))
    assert game.is_choosing
    table.clock.instant = game.deadline.fires_at + timedelta(seconds=1)  # type: ignore[union-attr]
    before = game.version
    entry = table.read(lambda uow: uow.projections.due(table.clock.now(), 1)[0])
    module._fire(table.service, entry, table.clock.now(), module._fire_person)
    game = table.game(game.id)
    assert game.seats[entry.seat].controller == "bot"
    hidden = [item for item in table.log(game)[before:] if item.actor == "hidden"]
    assert not hidden
    (bot,) = table.read(
        lambda uow: uow.projections.due(table.clock.now(), 5, bots=True)
    )  # looked at now
    assert module._fire(table.service, bot, table.clock.now(), module._play_bot)
    game = table.game(game.id)
    assert entry.seat not in game.to_act
    assert [
        row.seat for row in table.read(lambda uow: uow.projections.open_deadlines(game.id))
    ] == [0, 1, 2]


class Thinking:
    """A bot with given answers, after which it decides like the real bot. Records its questions."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = [*answers]
        self.asked: list[Question] = []

    def order(self, question: Question) -> str:
        self.asked.append(question)
        answer = self.answers.pop(0) if self.answers else DirectThinker().order(question)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.parametrize("trouble", [RuntimeError("ours"), BotError("late"), "play 99"])
def test_bot_that_fails_keeps_nobody_waiting(table: Table, trouble: str | Exception) -> None:
    """The rule of thumb plays in its place, and if that fails, the cautious move."""
    game = table.started(2, timing=AT_ONCE)
    seat = table.miss_deadline(game, run=False)
    expected = table.standby(table.game(game.id))[1]
    thinker = Thinking(trouble, trouble)
    table.service = configured(table.service, thinker=thinker, bot_level="hard")
    table.run()
    moved = find_moves(table, game, "bot")[0]
    assert (moved.seat, moved.move) == (seat, expected)
    assert [question.level for question in thinker.asked[:3]] == ["hard", "easy", "standby"]
    assert not [row for row in table.outbox() if row.kind == "alert"]


def test_bot_sees_its_own_view_only_and_decides_again_the_same(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot gets the view of its seat and the public history. A second attempt gives the same order."""
    game = table.started(2, timing=AT_ONCE)
    seat = table.miss_deadline(game, run=False)
    game = table.game(game.id)
    thinker = Thinking()
    table.service = configured(table.service, thinker=thinker)
    with monkeypatch.context() as patch:
        patch.setattr(Change, "record", failing(VersionConflictError("late")))
        fire_due(table.service)
    assert find_moves(table, game, "bot") == []
    fire_due(table.service)
    first = thinker.asked[0]
    assert thinker.asked[1].line() == first.line()
    assert first.view == game.ruleset.view(game.state, Seat(seat))
    assert first.history == [
        {"kind": fact.kind, "seat": fact.seat, "data": fact.data} for fact in game.news_for(None, 0)
    ]
    assert game.server_secret not in first.line().decode()


def test_many_bots_do_not_keep_the_deadlines_of_people_waiting(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many bots are to move, the deadlines of people are looked at in the same look."""
    monkeypatch.setattr(module, "BOTS_AT_ONCE", 1)
    bots = [table.started(2, seed=n, timing=AT_ONCE) for n in range(3)]
    game = table.started(2, seed=9)
    for one in bots:
        table.miss_deadline(one, run=False)
        table.clock.forward(seconds=1)
    table.clock.instant = game.deadline.fires_at + timedelta(seconds=1)  # type: ignore[union-attr]
    fire_due(table.service)
    assert len(table.events(game, TurnTimedOut)) == 1
