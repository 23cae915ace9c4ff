"""Test the effect and the notifications of each kind of timeout."""

from __future__ import annotations

from datetime import timedelta

from pbem.domain.log.clock_events import AdminAsked, TurnTimedOut
from pbem.domain.log.seat_events import SeatRemoved
from pbem.domain.terms.timing import Timing
from pbem.service.admin import acts, clock_acts
from pbem.service.lobby import creation as lobby
from tests.service.conftest import Table

DAY = timedelta(days=1)


def count_kind(table: Table, seat: int | None, kind: str) -> int:
    return sum(row.kind == kind and row.seat == seat for row in table.outbox())


def test_wait_reminds_and_does_nothing_else(table: Table) -> None:
    """At the deadline, then once per time for a move, however often time is asked."""
    game = table.started(2, timing=Timing(86400, on_timeout="wait", reminders=()))
    seat = table.miss_deadline(game)
    for nags in (1, 2, 3):
        for _ in range(4):
            table.run()
        assert count_kind(table, seat, "reminder") == nags
        table.clock.forward(days=1)
        table.write(lambda uow: uow.projections.rebuild())
        table.run()
    assert table.game(game.id).to_act == game.to_act
    assert table.events(game, TurnTimedOut) == []
    table.answer(seat, table.standby(game)[1])
    assert table.game(game.id).to_act != game.to_act


def test_ask_asks_the_admins_once_and_tells_the_players_once(table: Table) -> None:
    """No move is made until an admin decides. After additional time they are asked again."""
    game = table.started(2, timing=Timing(86400, on_timeout="ask"))
    seat = table.miss_deadline(game)
    for _ in range(5):
        table.wait(hours=9)
    assert len(table.events(game, AdminAsked)) == 1
    assert count_kind(table, None, "alert") == 1
    assert [count_kind(table, number, "notice") for number in (0, 1)] == [1, 1]
    assert "the admin was asked what happens now" in table.last_to(1 - seat).words
    assert f"pbem game extend {game.id}" in table.sent_to("root@example.org")[0].words
    table.clock.forward(seconds=1)
    acts.carry_out(table.service, game.id, clock_acts.extend, 5 * DAY, "a last chance")
    table.run()
    table.miss_deadline(game)
    assert len(table.events(game, AdminAsked)) == 2
    assert count_kind(table, None, "alert") == 2
    acts.carry_out(table.service, game.id, clock_acts.hand_to_bot, seat, "he asked for it")
    for _ in range(2):
        table.run()
    assert table.game(game.id).to_act == (1 - seat,)


def test_forfeit_gives_the_seat_up_and_says_so(table: Table) -> None:
    """The removed player is notified, and the others play on."""
    game = table.started(3, timing=Timing(86400, on_timeout="forfeit"))
    seat = table.miss_deadline(game)
    assert len(table.events(game, SeatRemoved)) == 1
    assert table.game(game.id).seats[seat].status == "removed"
    assert "You missed the deadline and are out" in table.last_to(seat).words
    for other in {0, 1, 2} - {seat}:
        assert "missed the deadline and has left the game" in table.last_to(other).words
    assert not table.game(game.id).is_over


def test_grace_is_time_in_which_an_answer_counts(table: Table) -> None:
    """Messages show the deadline without it."""
    game, seat, _ = table.start(2, timing=Timing(86400, grace=7200))
    table.run_at(game.deadline.due_at + timedelta(hours=2))
    assert table.events(game, TurnTimedOut) == []
    table.answer(seat, table.standby(game)[1])
    assert table.events(game, TurnTimedOut) == []
    assert table.game(game.id).to_act == (1 - seat,)


def test_a_replacement_can_be_invited_and_until_then_any_mail_takes_the_seat_back(
    table: Table,
) -> None:
    """Each time, the admins are told how to invite another player, who then gets the hand."""
    game = table.started(3, timing=Timing(86400, misses=1))
    seat = table.miss_deadline(game)
    table.run()
    alerts = [mail.words for mail in table.delivery.mails if mail.rcpt_to == "root@example.org"]
    assert [f"pbem game replace {game.id} {seat} NAME=ADDRESS" in text for text in alerts] == [True]
    for other in {0, 1, 2} - {seat}:
        assert "how to invite somebody else" in " ".join(m.words for m in table.mails_to(other))
    table.answer(seat, "board")
    assert table.game(game.id).seats[seat].controller == "person"
    while int(table.game(game.id).to_act[0]) != seat:
        now = table.game(game.id)
        table.answer(int(now.to_act[0]), table.standby(now)[1])
    assert table.miss_deadline(game) == seat
    assert count_kind(table, None, "alert") == 2
    acts.replace(
        table.service, game.id, str(seat), lobby.Person("Dora", "dora@example.org"), "Nobody wrote."
    )
    table.run()
    assert "You play on for somebody" in table.ask(3, "join").words
    assert table.game(game.id).seats[seat].controller == "person"
    version = table.game(game.id).version
    table.answer(seat, "board", to=table.mails_to(seat)[-2].reply_to)
    assert table.game(game.id).version == version, "the seat is Dora's"


def test_a_miss_that_is_excused_is_told_with_what_is_left(table: Table) -> None:
    """Only the player reads it, and the invitation mentions the rule. The third miss counts."""
    game, seat, _ = table.start(2, timing=Timing(86400, misses=1, excused=(2, 10)))
    invited = next(mail.words for mail in table.mails_to(1) if "join" in mail.words)
    assert "Missing 2 in any 10 turns costs you nothing" in invited
    for left in ("you have 1 left.", "this was the last."):
        assert table.miss_deadline(game) == seat
        told = f"A missed turn of yours was excused: 2 in any 10 cost nothing, and {left}"
        assert told in table.last_to(seat).words
        assert "excused" not in table.last_to(1 - seat).words
        table.answer(1 - seat, table.standby(table.game(game.id))[1])
    table.miss_deadline(game)
    assert "A bot plays for you" in table.last_to(seat).words
    assert table.last_to(seat).words.count("was excused") == 2
