"""Test that nothing is carried out if From does not have exactly one address."""

from __future__ import annotations

from pbem.sections import LimitsSection
from tests.service.conftest import Sent, Table, configured, raw_mail

ANNA, BOB = "anna@example.org", "bob@example.org"
BARE = "game@play.example.org"


def write(table: Table, origin: str, to: str, name: str) -> list[Sent]:
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
        mails = write(table, origin, to, f"several{number}")
        assert [mail.rcpt_to for mail in mails] == ([told] if told else []), origin
        for mail in mails:
            assert "does not name exactly one address" in mail.words
            assert "Nothing was carried out" in mail.words
        assert table.inbox()[-1].status in ("done", "ignored")
    assert table.game(game.id).version == game.version


def test_without_a_reply_address_one_player_is_told_once_an_hour(table: Table):
    """Any person can forge a From with two players, so neither is notified."""
    table.started(2)
    both = f"From: {ANNA}, eve@example.org"
    assert [mail.rcpt_to for mail in write(table, both, BARE, "a")] == [ANNA]
    assert write(table, both, BARE, "b") == []
    assert write(table, f"From: {ANNA}, {BOB}", BARE, "c") == []
    foreign = raw_mail(ANNA, BARE, "21", message_id="<d@example.org>")
    foreign = foreign.replace(b"From: anna@", b"From: eve@x.example, anna@")
    assert table.deliver(foreign, BARE, mail_from="eve@x.example") == []
