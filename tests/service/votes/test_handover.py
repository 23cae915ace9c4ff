"""Test seats that change hands by mail: request, offer, acceptance and refusal."""

from __future__ import annotations

from pbem.domain.log.clock_events import TurnTimedOut
from pbem.domain.log.motion_events import MotionEnded, MotionOpened
from pbem.domain.log.seat_events import (
    SeatControllerChanged,
    SeatReplaced,
)
from pbem.domain.table.decision import Decision
from pbem.domain.table.fold import fold
from pbem.domain.table.game import Game
from pbem.domain.table.motion import voters
from pbem.mail_out.texts import card_text
from pbem.service.admin import acts
from pbem.service.change import Change
from pbem.service.core import games
from pbem.service.lobby import making as lobby
from tests.service.conftest import NAMES, Sent, Table

EVE = "eve@example.org"


def to_eve(table: Table) -> Sent:
    return next(mail for mail in table.delivery.mails[::-1] if mail.rcpt_to == EVE)


def eve_answers(table: Table, text: str, mail: Sent | None = None) -> None:
    table.answer(4, text, to=(mail or to_eve(table)).reply_to, sender=EVE)


def away(table: Table, game: Game, seat: int) -> None:
    """A bot plays for a seat."""
    with table.service.store.unit_of_work() as uow:
        decision = Decision(
            game.id,
            table.clock.now(),
            "system",
            None,
            table.game(game.id),
            recorded_at=table.clock.now(),
        )
        decision.emit(SeatControllerChanged(seat, "bot", "misses"))
        Change(table.service, uow, None, decision).record()


def unreachable(table: Table, game: Game, seat: int) -> None:
    """Mails do not reach a seat."""
    with table.service.store.unit_of_work() as uow:
        uow.reach.mark_unreachable(game.seats[seat].player, table.clock.now(), "bounces")
    table.run()


def offered(table: Table, players: int = 3, *, bot: bool = True) -> Game:
    """Bob is away in a game of several, and Eve has the offer."""
    game = table.started(players)
    (away if bot else unreachable)(table, game, 1)
    table.answer(0, f"replace Bob with Eve <{EVE}>")
    if players > 2:
        table.answer(2, "yes")
    return game


def of(table: Table, game: Game, kind: type, **fields: object) -> list:
    return [
        item.event
        for item in table.log(game)
        if isinstance(item.event, kind)
        and all(getattr(item.event, name) == value for name, value in fields.items())
    ]


def test_the_others_ask_and_eve_accepts(table: Table) -> None:
    """Her first mail holds no card; with `join` she has the seat, and Bob's mails move nothing."""
    game = table.started(3)
    bobs = table.last_to(1)
    away(table, game, 1)
    table.answer(0, f"replace bob with {EVE}")
    assert "The others are asked; if more than half agree, Eve is." in table.last_to(0).words
    assert "Anna asks that Eve takes over the seat of Bob" in table.last_to(2).words
    assert not any(mail.rcpt_to == EVE for mail in table.delivery.mails)
    table.answer(2, "yes")
    offer = to_eve(table)
    assert "Anna and Carol play Phyliss by e-mail" in offer.words
    assert 'reply with "join"' in offer.words
    view = table.game(game.id).ruleset.view(table.game(game.id).state, 1)  # type: ignore[arg-type]
    for card in view["seats"][1]["hand"]:  # type: ignore[index,call-overload]
        assert card_text(card) not in offer.words
    assert of(table, game, SeatReplaced) == []
    eve_answers(table, "join")
    now = table.game(game.id)
    assert "Welcome to the table" in to_eve(table).words
    assert now.seats[1].controller == "person"
    assert now.offers == ()
    assert "Eve sits in the seat of Bob from now on." in table.last_to(2).words
    assert "moves nothing any more" in table.last_to(1).words
    table.answer(1, "board", to=bobs.reply_to)
    assert "Somebody else plays in that seat now" in table.last_to(1).words
    assert fold(table.log(game), game.id) == now
    eve_answers(table, "join", offer)
    assert "not offered to you" in to_eve(table).words
    assert len(of(table, game, SeatReplaced)) == 1


def test_who_is_back_keeps_the_seat(table: Table) -> None:
    """Any mail of Bob's ends the offer, and Eve is told."""
    game = offered(table)
    offer = to_eve(table)
    table.answer(1, "board")
    assert table.game(game.id).offers == ()
    assert "who sat there is back" in to_eve(table).words
    eve_answers(table, "join", offer)
    assert "not offered to you" in to_eve(table).words
    assert of(table, game, SeatReplaced) == []


def missed(table: Table, game: Game, seat: int) -> None:
    """A seat let a deadline pass."""
    with table.service.store.unit_of_work() as uow:
        decision = Decision(
            game.id,
            table.clock.now(),
            "clock",
            None,
            table.game(game.id),
            recorded_at=table.clock.now(),
        )
        deadline = decision.existing().deadline
        assert deadline is not None
        decision.emit(TurnTimedOut(seat, deadline.version))
        Change(table.service, uow, None, decision).record()


def test_who_missed_a_turn_and_writes_keeps_the_seat(table: Table) -> None:
    """Whatever they write ends what is voted on, or the offer; all are told, and Eve."""
    game = table.started(3, seed=2)
    seat = int(game.to_act[0])
    first, second = (other for other in range(3) if other != seat)
    missed(table, game, seat)
    ask = f"replace {NAMES[seat]} with Eve <{EVE}>"
    table.answer(first, ask)
    table.answer(seat, "say here I am")
    assert table.game(game.id).motions == ()
    told = f"Nobody is asked to take over the seat of {NAMES[seat]} any more."
    assert told in table.last_to(first).words
    assert "was not agreed on" not in table.last_to(first).words
    table.answer(first, ask)
    table.answer(second, "yes")
    (offer,) = table.game(game.id).offers
    assert offer.while_away
    mail = to_eve(table)
    table.answer(seat, "say here I am")
    assert table.game(game.id).offers == ()
    assert "who sat there is back" in to_eve(table).words
    assert "not offered to somebody else any more" in table.last_to(first).words
    eve_answers(table, "join", mail)
    assert "not offered to you" in to_eve(table).words
    assert of(table, game, SeatReplaced) == []
    assert fold(table.log(game), game.id) == table.game(game.id)


def test_eve_declines(table: Table) -> None:
    game = offered(table, 2)
    assert "Eve is asked by mail." in " ".join(mail.words for mail in table.mails_to(0))
    eve_answers(table, "No, thanks\ndecline")
    assert len(of(table, game, MotionEnded, why="declined")) == 1
    words = " ".join(mail.words for mail in table.mails_to(0))
    assert "Eve does not take over the seat of Bob." in words
    assert "You do not take over the seat." in to_eve(table).words
    table.answer(0, f"replace bob with {EVE}")
    assert len(of(table, game, MotionOpened, motion="offer")) == 2


def test_an_offer_runs_out(table: Table) -> None:
    """It expires after seven days, and then a new offer is possible."""
    game = offered(table)
    offer = to_eve(table)
    table.clock.forward(days=8)
    eve_answers(table, "join", offer)
    assert "not offered to you" in to_eve(table).words
    assert of(table, game, SeatReplaced) == []


def test_nobody_is_put_out_who_plays(table: Table) -> None:
    """But everybody may hand over the own seat, with the consent of the others."""
    game = table.started(2)
    table.answer(0, f"replace bob with {EVE}")
    assert "The player of that seat is not away" in table.last_to(0).words
    table.answer_twice(1, f"replace me with {EVE}")
    assert "takes over the seat of Bob" in table.last_to(0).words
    table.answer(1, "yes replace")
    assert of(table, game, MotionOpened, motion="offer") == []
    assert len(table.game(game.id).motions) == 1
    table.answer(0, "yes")
    eve_answers(table, "join")
    assert len(of(table, game, SeatReplaced)) == 1
    assert voters(table.game(game.id)) == [0, 1]


def test_an_admin_offers_it_too(table: Table) -> None:
    """Everybody reads the reason; the seat is Bob's until Eve has joined."""
    game = table.started(2)
    acts.replace(table.service, game.id, "Bob", lobby.Person("Eve", EVE), "Bob is ill.")
    table.run()
    assert of(table, game, SeatReplaced) == []
    assert "Bob is ill." in table.last_to(0).words
    eve_answers(table, "yes")
    assert len(of(table, game, SeatReplaced)) == 1


def test_history_keeps_what_was_private_to_who_sat_there(table: Table) -> None:
    """What their standing orders did remains theirs; what all may know is told."""
    game = table.started(2, ruleset="phase10")
    first = int(game.to_act[0])
    other = 1 - first
    table.answer(other, "drawing: always stock")
    table.skip(game, 20, until=lambda now: now.to_act[0] == other)
    assert any(news.fact.kind == "standing_move" for news in table.game(game.id).news)
    table.answer(other, "history 50")
    assert "Your rule for drawing did this" in table.last_to(other).words
    table.answer_twice(other, f"replace me with {EVE}")
    table.answer(first, "yes replace")
    eve_answers(table, "join")
    eve_answers(table, "history 50")
    told = to_eve(table).words
    assert "You sit in the seat of" in told
    assert "rule for drawing" not in told


def test_a_newcomer_takes_nobodys_name(table: Table) -> None:
    """A newcomer called Bob is Bob 2, and words to bob in answer to an older mail reach the first Bob."""
    game = table.started(3)
    before = table.last_to(2)
    other_bob = "bob@elsewhere.example"
    table.answer_twice(0, f"replace me with {other_bob}")
    for seat in (1, 2):
        table.answer(seat, "yes")
    offer = next(mail for mail in table.delivery.mails if mail.rcpt_to == other_bob)
    table.answer(4, "join", to=offer.reply_to, sender=other_bob)
    with table.service.store.reading() as uow:
        assert games.table_names(uow, table.game(game.id)) == ("Bob 2", "Bob", "Carol")
    table.answer(2, "say to bob: I hold both wilds", to=before.reply_to)
    table.clock.forward(hours=4)
    table.run()
    readers = {mail.rcpt_to for mail in table.delivery.mails if "both wilds" in mail.words}
    assert readers == {"bob@example.org", "carol@example.org"}
