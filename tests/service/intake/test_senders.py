"""Test which senders are answered, and how an address is added to a player."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.domain.table.game import Game
from pbem.mail_in.mime.authentication import TrustedServer
from pbem.sections import LimitsSection
from pbem.service.core import operators
from tests.service.conftest import Sent, Table, configured, raw_mail

ANNA, BOB, DAVE = "anna@example.org", "bob@example.org", "dave@victim.example"
BARE = "game@play.example.org"
MARKS = {
    "mail tracker": {"List_Unsubscribe": "<https://tracker.example/u/1>"},
    "alias service": {
        "List_Unsubscribe": "<https://app.addy.example/deactivate/9?signature=0>",
        "X_AnonAddy_Original_Sender": ANNA,
    },
    "group before the mailbox": {
        "List_ID": "<table.club.example>",
        "Mailing_list": "list table@club.example; contact table+owners@club.example",
        "Precedence": "list",
    },
    "bulk": {"Precedence": "bulk"},
}
ROBOTS = {
    "vacation program": {"Precedence": "bulk", "X_Vacation": "yes"},
    "RFC 3834": {"Precedence": "bulk", "Auto_Submitted": "auto-replied"},
    "autoreply": {"List_Unsubscribe": "<https://x.example>", "X_Autoreply": "yes"},
    "junk": {"Precedence": "junk"},
    "notice of a list": {"List_Id": "<cards.example.org>", "Auto_Submitted": "auto-generated"},
    "bounce": {"Auto_Submitted": "auto-generated", "X_Failed_Recipients": "x@example.org"},
    "own message": {"PBEM_Loop": BARE},
    "own message of 1.0": {"X_Loop": BARE},
}


@pytest.mark.parametrize("marks", MARKS.values(), ids=list(MARKS))
def test_a_players_order_is_carried_out(table: Table, marks: dict[str, str]) -> None:
    """Alias services and groups mark forwarded messages."""
    game, seat, order = table.start(2)
    sender = f"{('anna', 'bob')[seat]}@example.org"
    mail = table.last_to(seat)
    mails = table.send(sender, mail.reply_to, f"{order}\n\n{mail.quote}", **marks)
    assert table.game(game.id).position > game.position
    assert mails
    assert table.inbox()[-1].status == "done"


@pytest.mark.parametrize("marks", MARKS.values(), ids=list(MARKS))
@pytest.mark.parametrize(
    ("text", "sender"),
    [
        ("I am away until Monday. Please write to Bob.", ANNA),  # no order
        ("play 21", "eve@example.org"),  # somebody else's address
    ],
)
def test_other_mails_of_lists_are_not_answered(
    table: Table, game: Game, marks: dict[str, str], text: str, sender: str
) -> None:
    """A vacation program marks its notices as bulk and has no order in them."""
    assert table.send(sender, table.last_to(0).reply_to, text, **marks) == []
    assert table.game(game.id).version == game.version
    assert table.inbox()[-1].status == "ignored"


@pytest.mark.usefixtures("game")
def test_list_mail_to_the_plain_address_is_not_answered(table: Table) -> None:
    """Any person can subscribe the address to a list and forge Anna's From."""
    for marks in MARKS.values():
        assert table.send(ANNA, BARE, "help", **marks) == []


@pytest.mark.parametrize("marks", ROBOTS.values(), ids=list(ROBOTS))
def test_robots_are_never_answered(table: Table, marks: dict[str, str]) -> None:
    """Even if their mail has the right sender, a secret address and an order in it."""
    game, seat, order = table.start(2)
    sender = f"{('anna', 'bob')[seat]}@example.org"
    assert table.send(sender, table.last_to(seat).reply_to, order, **marks) == []
    assert table.game(game.id).version == game.version


@pytest.mark.usefixtures("game")
def test_a_robot_that_marks_its_answers_as_bulk_ends_a_loop_at_once(table: Table) -> None:
    """Its answer contains only quoted orders."""
    table.service = configured(table.service, idle_answers_per_hour=50)
    (mail,) = table.send(ANNA, table.own_address(0), "help", **MARKS["bulk"])
    away = f"I am away.\n\n{mail.quote}"
    assert table.send(ANNA, mail.reply_to, away, **MARKS["bulk"]) == []


def write_from(table: Table, origin: str, to: str, name: str) -> list[Sent]:
    """Deliver a message with these header lines about its origin, and return the answers."""
    raw = raw_mail(ANNA, to, "21", message_id=f"<{name}@example.org>")
    return table.deliver(raw.replace(f"From: {ANNA}".encode(), origin.encode()), to)


ORIGINS = [
    (f"From: Anna <{ANNA}>, eve@example.org", ANNA),
    (f"From: eve@example.org, {ANNA}", ANNA),
    (f"From: {ANNA}, {BOB}", ANNA),  # the reply address is Anna's
    (f"From: {ANNA}, eve@example.org\r\nSender: {ANNA}", ANNA),
    (f"From: {ANNA}, eve@example.org\r\nSender: office@example.org", ANNA),
    (f"From: Doe, Anna <{ANNA}>", ANNA),  # a name with a comma that is not quoted
    (f"From: {ANNA}, eve@example.org\r\nSender: eve@example.org", None),  # she sent it
    ("From: carol@example.org, eve@example.org", None),  # nobody known
    (f"From: {ANNA}, eve@example.org, <eve@example.org", None),  # read in several ways
    (f"From: {ANNA} <eve@example.org>, eve@example.org", None),
    (f"From: Friends: {ANNA}, eve@example.org;", None),
    (f"From: {ANNA}, eve@example.org\r\nPrecedence: bulk", None),
]
"""Header lines about the origin of a mail to Anna's reply address, and who is told."""


def test_the_owner_of_the_reply_address_is_told(table: Table):
    """At the registered address and nowhere else."""
    table.service = configured(table.service, limits=LimitsSection(idle_answers_per_hour=50))
    game = table.started(2)
    to = table.last_to(0).reply_to
    for number, (origin, told) in enumerate(ORIGINS):
        mails = write_from(table, origin, to, f"several{number}")
        assert [mail.rcpt_to for mail in mails] == ([told] if told else []), origin
        for mail in mails:
            assert "does not name exactly one address" in mail.words
            assert "Nothing was carried out" in mail.words
        assert table.inbox()[-1].status in ("done", "ignored")
    assert table.game(game.id).version == game.version


@pytest.mark.usefixtures("game")
def test_without_a_reply_address_one_player_is_told_once_an_hour(table: Table):
    """Any person can forge a From with two players, so neither is notified."""
    both = f"From: {ANNA}, eve@example.org"
    assert [mail.rcpt_to for mail in write_from(table, both, BARE, "a")] == [ANNA]
    assert write_from(table, both, BARE, "b") == []
    assert write_from(table, f"From: {ANNA}, {BOB}", BARE, "c") == []
    foreign = raw_mail(ANNA, BARE, "21", message_id="<d@example.org>")
    foreign = foreign.replace(b"From: anna@", b"From: eve@x.example, anna@")
    assert table.deliver(foreign, BARE, mail_from="eve@x.example") == []


ROOT = "root@example.org"


def find_owner(table: Table, address: str) -> str | None:
    """Return the name of the player who has an address."""
    with table.service.store.reading() as uow:
        player = uow.players.by_address(address)
        return None if player is None else player.name


def claim(table: Table, address: str, text: str = "help", **headers: str) -> None:
    """Send a mail with this From to Bob's reply address, and say yes to the question as Bob."""
    to = next(m.reply_to for m in reversed(table.mails_to(1)) if "+s-" in m.reply_to)
    table.send(address, to, text, **headers)
    table.answer(1, "yes", to=table.question(1).reply_to)


@pytest.mark.usefixtures("game")
def test_the_address_is_asked_itself(table: Table) -> None:
    """The question holds none of Bob's reply addresses, and only a yes from Dave's mailbox counts."""
    claim(table, DAVE)
    (question,) = table.sent_to(DAVE)
    assert "Somebody named Bob wants to play from this address" in question.words
    table.answer(1, "yes", to=question.reply_to)
    assert find_owner(table, DAVE) is None
    table.answer(1, "yes", to=question.reply_to, sender=DAVE)
    assert find_owner(table, DAVE) == "Bob"


def test_the_held_mail_is_carried_out_once(table: Table, game: Game) -> None:
    """Bob confirms one message. The next one from that address is asked about again."""
    claim(table, DAVE, "pause")
    assert table.game(game.id).votes["pause"] == {1: True}
    table.answer(1, "no pause", sender=DAVE)
    assert table.game(game.id).votes["pause"] == {1: True}
    assert table.inbox()[-1].status == "held"


@pytest.mark.parametrize("asks", ["held", "address add"])
def test_an_admins_address_becomes_no_players_by_mail(table: Table, game: Game, asks: str) -> None:
    """Not even by a yes from there: the admin does that with a command, and reads which."""
    if asks == "held":
        claim(table, ROOT)
    else:
        table.answer_twice(1, f"address add {ROOT}")
    (question,) = table.sent_to(ROOT)
    table.answer(1, "yes", to=question.reply_to, sender=ROOT)
    assert find_owner(table, ROOT) is None
    bob = game.seats[1].player
    assert not table.read(lambda uow: operators.is_operator(table.service, uow, bob))
    assert f"pbem player address {bob} {ROOT}" in table.sent_to(ROOT)[-1].words


def test_questions_to_new_addresses_have_a_limit(table: Table, game: Game) -> None:
    """Bob's message is carried out, and he reads that the address was not asked today."""
    most = table.service.config.limits.questions_per_day
    assert table.write(
        lambda uow: uow.players.add_address(game.seats[1].player, "bob@work.example")
    )
    for number in range(most):
        table.answer_twice(1, f"address add x{number}@victim.example")
    claim(table, DAVE, "pause")
    assert not table.sent_to(DAVE)
    assert table.game(game.id).votes["pause"] == {1: True}
    assert any("asked often enough today" in mail.words for mail in table.mails_to(1)[-2:])


@pytest.fixture
def checked(table: Table) -> Table:
    return replace(
        table, service=configured(table.service, trusted=TrustedServer("mx.example.net", "dmarc"))
    )


def send_with_result(
    table: Table, seat: int, text: str, result: str | None, *, sender: str
) -> None:
    headers = {} if result is None else {"Authentication_Results": result}
    table.send(sender, table.last_to(seat).reply_to, text, **headers)


def test_a_mail_without_a_pass_moves_nothing(checked: Table) -> None:
    """Without a pass of the trusted server, nothing happens and the player is notified once an hour."""
    game = checked.new_game(2)
    checked.delivery.mails = checked.delivery.mails[:2]
    for result in (
        None,
        "mx.evil.example; dmarc=pass header.from=example.org",
        "mx.example.net; dmarc=fail header.from=example.org",
    ):
        send_with_result(checked, 0, "join", result, sender="anna@example.org")
        assert checked.inbox()[-1].status == "ignored"
        assert "without the proof" in checked.last_to(0).words
        checked.delivery.mails = checked.delivery.mails[:2]
        send_with_result(checked, 0, "join", result, sender="anna@example.org")
        assert len(checked.delivery.mails) == 2, "one answer within an hour"
        checked.clock.forward(hours=1, seconds=1)
    assert checked.game(game.id).seats[0].status == "invited"


def test_what_the_server_said_is_kept_with_the_mail(checked: Table) -> None:
    """Store the result, the method and the server with the message."""
    checked.new_game(2)
    for result in ("dmarc=pass header.from=example.org", "dmarc=fail", "spf=pass"):
        send_with_result(checked, 0, "help", f"mx.example.net; {result}", sender="anna@example.org")
    send_with_result(checked, 1, "help", None, sender="bob@example.org")
    kept = [row.authentication or {} for row in checked.inbox()]
    assert [said["result"] for said in kept] == ["pass", "fail", "none", "none"]
    assert {(said["method"], said["authserv_id"]) for said in kept} == {("dmarc", "mx.example.net")}


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize(
    "text", ["resign", "confirm", "resign\nconfirm\nSorry, Anna", "resign confirm\npickup"]
)
def test_resigning_needs_a_mail_with_nothing_else(checked: Table, text: str) -> None:
    """An authenticated message resigns at once, so nothing else may be in it."""
    game = checked.new_game(2)
    good = "mx.example.net; dmarc=pass header.from=example.org"
    for seat, name in enumerate(("anna", "bob")):
        send_with_result(checked, seat, "join", good, sender=f"{name}@example.org")
    before = checked.game(game.id).version
    send_with_result(checked, 0, text, good, sender="anna@example.org")
    assert checked.game(game.id).version == before
    assert "resign confirm" in checked.last_to(0).words
    assert "GEN-7" in checked.last_to(0).words
