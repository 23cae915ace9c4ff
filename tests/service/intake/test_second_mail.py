"""Test that irreversible orders need the answer to a second message."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.domain.log.seat_events import SeatResigned
from pbem.domain.table.game import Game
from pbem.mail_in.mime.authentication import TrustedServer
from pbem.service.admin import acts
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import never_invite
from tests.service.conftest import Table, configured

NEW = "anna@work.example"
EVIL = "anna@evil.example"
PASS = "mx.example.net; dmarc=pass header.from=example.org"


def list_addresses(table: Table, player_id: str) -> list[str]:
    return table.read(lambda uow: list(uow.players.addresses(player_id)))


def add_second_address(table: Table, player_id: str) -> None:
    """Give Anna a second address."""
    assert table.write(lambda uow: uow.players.add_address(player_id, NEW))


def find_resigned(table: Table, game_id: str) -> list[int]:
    game = table.game(game_id)
    return [item.event.seat for item in table.log(game) if isinstance(item.event, SeatResigned)]


# --- the attacks ----------------------------------------------------------------------------------


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize("text", ["resign confirm", "resign\nconfirm", "resign"])
def test_a_leaked_address_resigns_no_game(both: Table, text: str) -> None:
    """The registered address is asked, and the question describes the effect."""
    game = both.started(3)
    before = len(both.delivery.mails)
    both.answer(0, text)
    assert not find_resigned(both, game.id)
    (question,) = both.delivery.mails[before:]
    assert question.rcpt_to == "anna@example.org"
    assert "Resign from Phyliss with Bob and Carol" in question.words
    assert 'reply to this mail with "yes"' in question.words
    before = len(both.delivery.mails)
    both.answer(0, "yes\nthank you all\npickup", to=both.question(0).reply_to)
    assert find_resigned(both, game.id) == [0]
    told = " ".join(mail.words for mail in both.delivery.mails[before:] if "anna" in mail.rcpt_to)
    assert 'Not carried out: "pickup".' in told
    assert "thank you" not in told


@pytest.mark.parametrize(
    ("order", "before", "after"),
    [
        (f"address primary {NEW}", ["anna@example.org", NEW], [NEW, "anna@example.org"]),
        (f"address remove {NEW}", ["anna@example.org", NEW], ["anna@example.org"]),
        ("address remove anna@example.org", ["anna@example.org", NEW], [NEW]),
    ],
)
@pytest.mark.parametrize("to_player", [True, False])
def test_a_leaked_address_changes_no_addresses(
    table: Table, order: str, before: list[str], after: list[str], to_player: bool
) -> None:
    """The question goes to the current primary address."""
    anna = table.started(2).seats[0].player
    add_second_address(table, anna)
    table.answer(0, order, to=table.own_address(0) if to_player else None)
    assert list_addresses(table, anna) == before
    question = table.question(0)
    assert order.rpartition(" ")[2] in question.words
    table.answer(0, "yes", to=question.reply_to)
    assert list_addresses(table, anna) == after


def test_a_yes_to_a_leaked_address_adds_no_sender(table: Table, trio: Game) -> None:
    """The order in the held message is asked about again, and the sender's address is asked, too."""
    anna = trio.seats[0].player
    table.answer(0, "resign confirm", sender=EVIL)
    asked = table.question(0)
    table.answer(0, "yes", to=table.own_address(0))
    table.answer(0, "yes", to=table.mails_to(0)[-2].reply_to, sender=EVIL)
    assert list_addresses(table, anna) == ["anna@example.org"]
    table.answer(0, "yes", to=asked.reply_to)
    assert list_addresses(table, anna) == ["anna@example.org"]
    assert EVIL in [mail.rcpt_to for mail in table.delivery.mails]
    assert not find_resigned(table, trio.id)
    again = table.question(0)
    assert again.reply_to != asked.reply_to
    table.answer(0, "yes", to=asked.reply_to)
    assert not find_resigned(table, trio.id), "the first yes is no yes to the second question"
    table.answer(0, "yes", to=again.reply_to)
    assert find_resigned(table, trio.id) == [0]


# --- the question ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("game")
def test_one_tap_is_enough(table: Table) -> None:
    """The page has a link that needs only to be sent, and the text says the same in words."""
    table.answer(0, "resign confirm")
    question = table.question(0)
    page = question.html
    address = question.reply_to.replace("+", "%2B")
    assert f"mailto:{address}?" in page
    assert "body=yes" in page


def test_what_stands_before_is_done(table: Table) -> None:
    """The answer says line by line what waits for the confirmation."""
    game, seat, order = table.start(3)
    before = len(table.delivery.mails)
    table.answer(seat, f"{order}\nresign")
    assert table.game(game.id).position > game.position
    assert not find_resigned(table, game.id)
    mine = [m for m in table.delivery.mails[before:] if m in table.mails_to(seat)]
    answer, question = sorted(mine, key=lambda mail: "+q-" in mail.reply_to)
    assert f'Done, as "{order}".' in answer.words
    assert 'You wrote "resign". Not done yet: a separate mail asks you about it.' in answer.words
    table.answer(seat, "yes", to=question.reply_to)
    assert find_resigned(table, game.id) == [seat]


def test_no_makes_what_leaked_worthless(table: Table) -> None:
    """A no replaces all reply addresses of the player."""
    game, seat, _ = table.start(2)
    leaked = table.last_to(seat).reply_to
    table.answer(seat, "resign confirm", to=leaked)
    question = table.question(seat)
    assert table.ask(seat, "no", to=question.reply_to).reply_to != leaked
    assert "Your turn" in table.last_to(seat).words
    assert not find_resigned(table, game.id)
    assert "replaced by a new one" in table.ask(seat, "resign confirm", to=leaked).words
    table.answer(seat, "yes", to=question.reply_to)
    assert not find_resigned(table, game.id)


# --- what a question dies with --------------------------------------------------------------------


def test_somebody_else_sits_there(table: Table, trio: Game) -> None:
    """A yes after a change of players does not affect the new player."""
    table.answer(0, "resign confirm")
    question = table.question(0)
    eve = lobby.Person("Eve", "eve@example.net")
    acts.replace(table.service, trio.id, "Anna", eve, "She is ill.")
    table.run()
    offer = table.sent_to("eve@example.net")[-1]
    table.answer(0, "join", to=offer.reply_to, sender="eve@example.net")
    assert table.game(trio.id).seats[0].generation > trio.seats[0].generation
    table.answer(0, "yes", to=question.reply_to)
    assert not find_resigned(table, trio.id)
    assert "Somebody else plays in that seat now" in table.last_to(0).words


def test_a_question_ends_after_a_week(table: Table) -> None:
    """The player can repeat the order."""
    game = table.started(2, timing=replace(table.service.timing, time_per_move=30 * 86400))
    table.answer(0, "resign confirm")
    question = table.question(0)
    table.clock.forward(days=7, hours=1)
    table.answer(0, "yes", to=question.reply_to)
    assert not find_resigned(table, game.id)
    assert "nothing was done" in table.last_to(0).words


# --- how much, how long ---------------------------------------------------------------------------


def test_questions_have_a_limit(table: Table, game: Game) -> None:
    """Orders beyond the daily limit are refused. Strangers do not use it up."""
    most = table.service.config.limits.questions_per_day
    for number in range(most + 2):
        table.answer(0, "help", sender=f"x{number}@evil.example", to=table.mails_to(0)[1].reply_to)
    before = len(table.mails_to(0))
    for _ in range(most + 2):
        table.answer(0, "resign confirm", to=table.mails_to(0)[1].reply_to)
    new = table.mails_to(0)[before:]
    assert sum("+q-" in mail.reply_to for mail in new) == most
    assert "asked about so many" in new[-1].words
    table.answer(0, "yes", to=table.question(0).reply_to)
    assert find_resigned(table, game.id) == [0]


# --- where a mail server has checked the sender ---------------------------------------------------


@pytest.fixture
def checked(table: Table) -> Table:
    trusted = TrustedServer("mx.example.net", "dmarc")
    return replace(table, service=configured(table.service, trusted=trusted))


def test_a_proven_sender_is_not_asked(table: Table, trio: Game, checked: Table) -> None:
    """A message that the trusted server authenticates needs no confirmation."""
    anna = trio.seats[0].player
    add_second_address(table, anna)
    to = table.last_to(0).reply_to

    def send(text: str) -> None:
        checked.send("anna@example.org", to, text, Authentication_Results=PASS)

    send(f"address primary {NEW}")
    send("address primary anna@example.org")
    send(f"address remove {NEW}")
    assert list_addresses(checked, anna) == ["anna@example.org"]
    send("invitations off")
    assert table.read(lambda uow: never_invite.is_listed(table.service, uow, "anna@example.org"))
    send("resign confirm")
    assert find_resigned(checked, trio.id) == [0]
    stop = checked.own_address(0)
    checked.send("anna@example.org", stop, "", Subject="stop", Authentication_Results=PASS)
    assert table.read(lambda uow: uow.deliverability.unreachable(anna)) is not None
    assert not any("+q-" in mail.reply_to for mail in checked.delivery.mails)
