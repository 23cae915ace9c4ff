"""Test seats that change hands by mail: request, offer, acceptance and refusal."""

from __future__ import annotations

from pbem.domain.log.clock_events import TurnTimedOut
from pbem.domain.log.motion_events import MotionEnded, MotionOpened
from pbem.domain.log.seat_events import (
    SeatControllerChanged,
    SeatReplaced,
)
from pbem.domain.table.fold import fold
from pbem.domain.table.game import Game
from pbem.domain.table.motion import voters
from pbem.mail_out.texts import card_text
from pbem.service.admin import acts
from pbem.service.core import games
from pbem.service.lobby import creation as lobby
from tests.service.conftest import NAMES, Sent, Table

EVE = "eve@example.org"


def find_mail_to_eve(table: Table) -> Sent:
    return table.sent_to(EVE)[-1]


def answer_as_eve(table: Table, text: str, mail: Sent | None = None) -> None:
    table.answer(4, text, to=(mail or find_mail_to_eve(table)).reply_to, sender=EVE)


def let_bot_play(table: Table, game: Game, seat: int) -> None:
    with table.changing(game) as decision:
        decision.emit(SeatControllerChanged(seat, "bot", "misses"))


def start_with_offer(table: Table, players: int = 3) -> Game:
    """Start a game in which Eve has the offer of Bob's seat."""
    game = table.started(players)
    let_bot_play(table, game, 1)
    table.answer(0, f"replace Bob with Eve <{EVE}>")
    if players > 2:
        table.answer(2, "yes")
    return game


def test_the_others_ask_and_eve_accepts(table: Table, trio: Game) -> None:
    """The offer shows no card. After `join`, Eve has the seat and Bob's addresses are void."""
    bobs = table.last_to(1)
    let_bot_play(table, trio, 1)
    assert (
        "The others are asked; if more than half agree, Eve is."
        in table.ask(0, f"replace bob with {EVE}").words
    )
    assert "Anna asks that Eve takes over the seat of Bob" in table.last_to(2).words
    assert not any(mail.rcpt_to == EVE for mail in table.delivery.mails)
    table.answer(2, "yes")
    offer = find_mail_to_eve(table)
    assert "Anna and Carol play Phyliss by e-mail" in offer.words
    assert 'reply with "join"' in offer.words
    view = table.game(trio.id).ruleset.view(table.game(trio.id).state, 1)  # type: ignore[arg-type]
    for card in view["seats"][1]["hand"]:  # type: ignore[index,call-overload]
        assert card_text(card) not in offer.words
    assert table.events(trio, SeatReplaced) == []
    answer_as_eve(table, "join")
    now = table.game(trio.id)
    assert "Welcome to the table" in find_mail_to_eve(table).words
    assert now.seats[1].controller == "person"
    assert now.offers == ()
    assert "Eve sits in the seat of Bob from now on." in table.last_to(2).words
    assert "moves nothing any more" in table.last_to(1).words
    assert "Somebody else plays in that seat now" in table.ask(1, "board", to=bobs.reply_to).words
    assert fold(table.log(trio), trio.id) == now
    answer_as_eve(table, "join", offer)
    assert "not offered to you" in find_mail_to_eve(table).words
    assert len(table.events(trio, SeatReplaced)) == 1


def test_who_is_back_keeps_the_seat(table: Table) -> None:
    """Any message from Bob ends the offer, and Eve is notified."""
    game = start_with_offer(table)
    offer = find_mail_to_eve(table)
    table.answer(1, "board")
    assert table.game(game.id).offers == ()
    assert "who sat there is back" in find_mail_to_eve(table).words
    answer_as_eve(table, "join", offer)
    assert "not offered to you" in find_mail_to_eve(table).words
    assert table.events(game, SeatReplaced) == []


def test_who_missed_a_turn_and_writes_keeps_the_seat(table: Table) -> None:
    """A message of the player ends the vote or the offer, and all are notified."""
    game, seat, _ = table.start(3, seed=2)
    first, second = (other for other in range(3) if other != seat)
    with table.changing(game) as decision:
        decision.emit(TurnTimedOut(seat, table.deadline(game).version))
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
    mail = find_mail_to_eve(table)
    table.answer(seat, "say here I am")
    assert table.game(game.id).offers == ()
    assert "who sat there is back" in find_mail_to_eve(table).words
    assert "not offered to somebody else any more" in table.last_to(first).words
    answer_as_eve(table, "join", mail)
    assert "not offered to you" in find_mail_to_eve(table).words
    assert table.events(game, SeatReplaced) == []
    assert fold(table.log(game), game.id) == table.game(game.id)


def test_eve_declines(table: Table) -> None:
    game = start_with_offer(table, 2)
    assert "Eve is asked by mail." in " ".join(mail.words for mail in table.mails_to(0))
    answer_as_eve(table, "No, thanks\ndecline")
    assert len(table.events(game, MotionEnded, why="declined")) == 1
    words = " ".join(mail.words for mail in table.mails_to(0))
    assert "Eve does not take over the seat of Bob." in words
    assert "You do not take over the seat." in find_mail_to_eve(table).words
    table.answer(0, f"replace bob with {EVE}")
    assert len(table.events(game, MotionOpened, motion="offer")) == 2


def test_an_offer_runs_out(table: Table) -> None:
    """It expires after seven days, and then a new offer is possible."""
    game = start_with_offer(table)
    offer = find_mail_to_eve(table)
    table.clock.forward(days=8)
    answer_as_eve(table, "join", offer)
    assert "not offered to you" in find_mail_to_eve(table).words
    assert table.events(game, SeatReplaced) == []


def test_nobody_is_put_out_who_plays(table: Table, game: Game) -> None:
    """A player may hand over the own seat if the others agree."""
    assert "The player of that seat is not away" in table.ask(0, f"replace bob with {EVE}").words
    table.answer_twice(1, f"replace me with {EVE}")
    assert "takes over the seat of Bob" in table.last_to(0).words
    table.answer(1, "yes replace")
    assert table.events(game, MotionOpened, motion="offer") == []
    assert len(table.game(game.id).motions) == 1
    table.answer(0, "yes")
    answer_as_eve(table, "join")
    assert len(table.events(game, SeatReplaced)) == 1
    assert voters(table.game(game.id)) == [0, 1]


def test_an_admin_offers_it_too(table: Table, game: Game) -> None:
    """All players read the reason. Bob keeps the seat until Eve joins."""
    acts.replace(table.service, game.id, "Bob", lobby.Person("Eve", EVE), "Bob is ill.")
    table.run()
    assert table.events(game, SeatReplaced) == []
    assert "Bob is ill." in table.last_to(0).words
    answer_as_eve(table, "yes")
    assert len(table.events(game, SeatReplaced)) == 1


def test_history_keeps_what_was_private_to_who_sat_there(table: Table) -> None:
    """The new player does not read what standing orders did."""
    game, first, _ = table.start(2, ruleset="phase10")
    other = 1 - first
    table.answer(other, "drawing: always stock")
    table.skip(game, 20, until=lambda now: now.to_act[0] == other)
    assert any(news.fact.kind == "standing_move" for news in table.game(game.id).news)
    assert "Your rule for drawing did this" in table.ask(other, "history 50").words
    table.answer_twice(other, f"replace me with {EVE}")
    table.answer(first, "yes replace")
    answer_as_eve(table, "join")
    answer_as_eve(table, "history 50")
    told = find_mail_to_eve(table).words
    assert "You sit in the seat of" in told
    assert "rule for drawing" not in told


def test_a_newcomer_takes_nobodys_name(table: Table, trio: Game) -> None:
    """The new Bob is called Bob 2, and talk to Bob reaches the first one."""
    before = table.last_to(2)
    other_bob = "bob@elsewhere.example"
    table.answer_twice(0, f"replace me with {other_bob}")
    for seat in (1, 2):
        table.answer(seat, "yes")
    table.answer(4, "join", to=table.sent_to(other_bob)[0].reply_to, sender=other_bob)
    assert table.read(lambda uow: games.table_names(uow, table.game(trio.id))) == (
        "Bob 2",
        "Bob",
        "Carol",
    )
    table.answer(2, "say to bob: I hold both wilds", to=before.reply_to)
    table.wait(hours=4)
    readers = {mail.rcpt_to for mail in table.delivery.mails if "both wilds" in mail.words}
    assert readers == {"bob@example.org", "carol@example.org"}
