"""Test bounces: unreachable players, notifications, and the clock."""

from __future__ import annotations

from dataclasses import replace

import pytest
import structlog

from pbem.domain.clock import clockwork
from pbem.domain.log.events import MovePlayed
from pbem.domain.log.seat_events import PlayerReachable, PlayerUnreachable
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.errors import PermanentDeliveryError
from tests.service.conftest import Sent, Table, raw_mail

ROOT = "root@example.org"


def deliver_bounce(
    table: Table,
    mail: Sent,
    status: str = "5.1.1",
    *,
    action: str = "failed",
    to: str | None = None,
) -> None:
    """Deliver a status report about a message, addressed to its envelope sender."""
    back = mail.raw.split(b"\r\n\r\n", 1)[0]
    table.counter += 1
    raw = (
        b"From: MAILER-DAEMON@mx.example.net\r\nTo: x@y.example\r\nSubject: Undelivered Mail\r\n"
        + f"Message-ID: <dsn{table.counter}@mx.example.net>\r\n".encode()
        + b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n"
        + f"Action: {action}\r\nStatus: {status}\r\n\r\n".encode()
        + b"--b\r\nContent-Type: message/rfc822\r\n\r\n"
        + back
        + b"\r\n\r\n--b--\r\n"
    )
    table.receive(raw, to or mail.mail_from, mail_from="")


def deliver_complaint(table: Table, head: bytes, to: str) -> None:
    """Deliver an abuse report (RFC 5965) about a message with this header."""
    table.counter += 1
    raw = (
        b"From: fbl@isp.example\r\nSubject: complaint\r\n"
        + f"Message-ID: <arf{table.counter}@isp.example>\r\n".encode()
        + b'Content-Type: multipart/report; report-type=feedback-report; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n\r\n"
        b"--b\r\nContent-Type: text/rfc822-headers\r\n\r\n" + head + b"\r\n--b--\r\n"
    )
    table.deliver(raw, to, mail_from="fbl@isp.example")


def read_head(mail: Sent) -> bytes:
    return mail.raw.partition(b"\r\n\r\n")[0]


def list_questions(table: Table, seat: int) -> list[Sent]:
    subject = "Do my mails reach you?"
    return [mail for mail in table.mails_to(seat) if str(mail.message["Subject"]) == subject]


def lose(table: Table, game: Game, seat: int) -> None:
    """Let two messages to a seat and the question about them bounce."""
    for mail in table.mails_to(seat)[-2:]:
        deliver_bounce(table, mail)
    table.run()
    for mail in list_questions(table, seat)[-1:]:
        deliver_bounce(table, mail)
    table.run()
    assert table.game(game.id).seats[seat].is_unreachable


def list_events(table: Table, game: Game) -> list[object]:
    return [item.event for item in table.log(game)]


def test_hard_bounces_make_a_player_unreachable_and_it_is_said_once(
    table: Table, trio: Game
) -> None:
    """The log records it. The others and the admin get one message each, and bounces get none."""
    mails = table.mails_to(1)
    table.delivery.mails.clear()
    deliver_bounce(table, mails[0])
    table.run()
    assert table.delivery.mails == []
    assert not table.game(trio.id).seats[1].is_unreachable
    deliver_bounce(table, mails[1])
    deliver_bounce(table, mails[1])
    table.run()
    assert list_events(table, trio)[-1] == PlayerUnreachable(1, "bounces")
    assert sorted(mail.rcpt_to for mail in table.delivery.mails) == [
        "anna@example.org",
        "carol@example.org",
        ROOT,
    ]
    assert "Mails to Bob come back." in table.last_to(0).words
    assert "Bob" in table.sent_to(ROOT)[0].words
    table.delivery.mails.clear()
    deliver_bounce(table, mails[0], to=mails[0].mail_from)
    table.run()
    assert table.delivery.mails == []


@pytest.mark.parametrize(
    ("status", "action", "needed"), [("4.2.2", "failed", 4), ("5.7.1", "failed", 4)]
)
def test_soft_bounces_count_half(table: Table, status: str, action: str, needed: int) -> None:
    """A full mailbox needs twice as many mails."""
    _, seat, _ = table.start(2)
    for _ in range(needed - len(table.mails_to(seat))):
        table.answer(seat, "board")
    for number, mail in enumerate(table.mails_to(seat)[:needed], 1):
        assert list_questions(table, seat) == [], number
        deliver_bounce(table, mail, status, action=action)
        table.run()
    assert len(list_questions(table, seat)) == 1


def test_a_bounce_to_another_address_of_ours_only_tells_the_admins(
    table: Table, game: Game
) -> None:
    """Any person with a copy of the message could have written it."""
    with_return_path = [
        replace(mail, raw=f"Return-Path: <{mail.mail_from}>\r\n".encode() + mail.raw)
        for mail in table.mails_to(1)[:2]
    ]
    for mail in [*table.mails_to(1), *with_return_path]:
        deliver_bounce(table, mail, to="game@play.example.org")
        deliver_bounce(table, mail, to=mail.reply_to)
    table.run()
    assert not table.game(game.id).seats[1].is_unreachable
    assert list_questions(table, 1) == []
    (told,) = table.sent_to(ROOT)
    assert "came to another address than that mail's bounce address" in told.words


def test_reports_to_the_right_address_stop_nothing_while_a_turn_is_due(table: Table) -> None:
    """Return-Path reveals the bounce address to readers of a forwarded message."""
    game, seat, _ = table.start(2)
    for mail in table.mails_to(seat):
        deliver_bounce(table, mail)
        deliver_complaint(table, read_head(mail), mail.mail_from)
    assert not table.game(game.id).seats[seat].is_unreachable
    asked = list_questions(table, seat)
    assert ["come back" in mail.words for mail in asked] == [False, True]
    assert ["spam" in mail.words for mail in asked] == [True, False]
    assert len([mail for mail in table.sent_to(ROOT) if "It may be forged" in mail.words]) == 2
    table.wait(days=2)
    assert "Still your turn" in str(table.mails_to(seat)[-1].message["Subject"])


def test_mails_refused_to_several_players_by_policy_blame_none(table: Table, game: Game) -> None:
    """A blocklist or SPF is the probable reason, and the admins are notified."""
    for seat in (0, 1):
        for mail in table.mails_to(seat)[:2]:
            deliver_bounce(table, mail, "5.7.1")
    for mail in table.mails_to(1):
        deliver_bounce(table, mail, "5.7.26")
    table.run()
    assert not any(seat.is_unreachable for seat in table.game(game.id).seats)
    assert list_questions(table, 1) == []
    assert "for reasons of policy" in table.sent_to(ROOT)[0].words


def test_an_accepted_mail_makes_reachable_again(table: Table) -> None:
    """This holds in all games of the player, and the others read it in their next message."""
    game, other = table.started(2, seed=1), table.started(2, seed=2)
    lose(table, game, 1)
    assert table.game(other.id).seats[1].is_unreachable
    table.answer(1, "board")
    for one in (game, other):
        assert PlayerReachable(1) in list_events(table, one)
        assert not table.game(one.id).seats[1].is_unreachable
    assert table.answer(0, "board")
    assert "Bob can be reached again." in table.last_to(0).words


def test_who_comes_back_gets_the_turn_mail_that_did_not_arrive(table: Table) -> None:
    """Send it for each game with an open turn, but not twice for the answered one."""
    games = [table.started(2, seed=seed) for seed in (1, 2, 3)]
    seats = [int(game.to_act[0]) for game in games]
    seat = max(seats, key=seats.count)
    games = [game for game in games if int(game.to_act[0]) == seat][:2]
    address = table.last_to(seat).reply_to
    lose(table, games[0], seat)
    before = len(table.outbox())
    table.answer(seat, "board", to=address)
    mails = [(row.kind, row.game_id) for row in table.outbox()[before:] if row.seat == seat]
    assert sorted(kind for kind, _ in mails) == ["answer", "turn"]
    assert {game_id for _, game_id in mails} == {game.id for game in games}


def test_a_game_can_wait_for_who_cannot_be_reached(table: Table) -> None:
    """Option `unreachable = wait`: no standby move, and the whole time again afterwards."""
    timing = replace(table.service.timing, unreachable="wait")
    table.service = replace(table.service, timing=timing)
    game, seat, _ = table.start(2)
    lose(table, game, seat)
    assert "is stopped" in table.last_to(1 - seat).words
    for _ in range(3):
        table.wait(days=9)
    assert not any(isinstance(event, MovePlayed) for event in list_events(table, game))
    table.answer(seat, "board")
    assert (table.game(game.id).deadline.due_at - table.clock.now()).days >= 2


def test_a_fault_in_one_game_keeps_no_other_from_being_told(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log names the game and the location of the fault, and the next check tries again."""
    games = [table.started(2, seed=seed) for seed in (1, 2)]
    lose(table, games[0], 0)
    real, faulty = clockwork.restore_contact, games[0].id

    def restore_contact(decision: Decision, seat: int) -> None:
        if decision.game_id == faulty:
            raise RuntimeError("cards 7c 9d")
        real(decision, seat)

    with monkeypatch.context() as patch, structlog.testing.capture_logs() as logged:
        patch.setattr(clockwork, "restore_contact", restore_contact)
        table.answer(0, "board")
    faults = [entry for entry in logged if entry.get("action") == "fault"]
    assert {entry["game"] for entry in faults} == {faulty}
    assert "7c" not in str(faults)
    assert [table.game(game.id).seats[0].is_unreachable for game in games] == [True, False]
    table.run()
    assert not table.game(faulty).seats[0].is_unreachable


def test_a_complaint_ends_all_mails_until_the_person_writes(table: Table) -> None:
    """After a second complaint no turn message is sent (RFC 5965), only answers."""
    game, seat, order = table.start(2)
    mail = table.last_to(1 - seat)
    deliver_complaint(table, read_head(mail), mail.mail_from)
    (question,) = list_questions(table, 1 - seat)
    deliver_complaint(table, read_head(question), question.mail_from)
    assert PlayerUnreachable(1 - seat, "complaint") in list_events(table, game)
    before = len(table.mails_to(1 - seat))
    table.answer(seat, order)
    assert len(table.mails_to(1 - seat)) == before
    assert "cancelled" in {row.status for row in table.outbox()}
    table.answer(1 - seat, "board", to=mail.reply_to)
    assert len(table.mails_to(1 - seat)) > before


@pytest.mark.parametrize("word", ["stop", "Unsubscribe"])
def test_unsubscribing_is_confirmed_and_stops_mails(table: Table, game: Game, word: str) -> None:
    """The link in List-Unsubscribe needs a yes from the player's own address."""
    link = table.last_to(1).message["List-Unsubscribe"]
    address = link.split("mailto:")[1].split("?")[0].replace("%2B", "+")
    assert "subject=stop" in link
    forged = raw_mail("x@example.net", address, "", message_id="<1@x>", Subject_="")
    for sender in ("x@example.net", "bob@example.org"):
        forged = (
            f"From: {sender}\r\nTo: {address}\r\nSubject: {word}\r\n"
            f"Message-ID: <{sender}>\r\n\r\n\r\n"
        ).encode()
        assert not table.game(game.id).seats[1].is_unreachable
        table.deliver(forged, address)
    table.answer(1, "yes", to=table.question(1).reply_to)
    assert PlayerUnreachable(1, "unsubscribed") in list_events(table, game)
    assert "no more mails" in table.last_to(1).words


def test_a_reader_refused_at_our_door_is_a_bounce(table: Table, game: Game) -> None:
    """Our next server knows the address and does not want it."""
    table.delivery.error = PermanentDeliveryError("no", scope="recipient", status="5.1.1")
    seat = int(game.to_act[0])
    for _ in range(2):
        table.answer(seat, "board", to=table.last_to(seat).reply_to)
    table.delivery.error = None
    table.run()
    assert table.game(game.id).seats[seat].is_unreachable


def test_a_complaint_to_another_address_of_ours_stops_nothing(table: Table) -> None:
    """Neither a forwarded header nor the headers of a reply authenticate a complaint."""
    game, seat, order = table.start(2)
    mail = table.mails_to(1 - seat)[-1]
    seen = f"To: {mail.reply_to}\r\nIn-Reply-To: {mail.message['Message-ID']}".encode()
    for head in (read_head(mail), seen):
        deliver_complaint(table, head, "game@play.example.org")
    assert not table.game(game.id).seats[1 - seat].is_unreachable
    before = len(table.mails_to(1 - seat))
    table.answer(seat, order)
    assert len(table.mails_to(1 - seat)) > before
    assert len(list_questions(table, 1 - seat)) == 1
    assert table.sent_to(ROOT)
