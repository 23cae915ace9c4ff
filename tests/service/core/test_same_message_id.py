"""Test two messages with one Message-ID: copies count once, different ones separately."""

from __future__ import annotations

import pytest

from tests.service.conftest import Table

SAME = "<fixed@script.example>"
ON_MONDAY, ON_TUESDAY = "Mon, 23 Nov 2026 10:00:00 +0100", "Tue, 24 Nov 2026 10:00:00 +0100"
ROUTES = (
    "",
    "Received: from a.example by b.example; Mon, 23 Nov 2026 10:00:03 +0100\r\n",
    "DKIM-Signature: v=1; d=example.org; b=abc\r\nX-Spam-Score: 0.1\r\n",
)


def build_mail(
    to: str,
    text: str,
    *,
    sender: str = "anna@example.org",
    date: str = ON_MONDAY,
    route: str = "",
) -> bytes:
    head = f"{route}From: {sender}\r\nTo: {to}\r\nSubject: Re: game\r\nMessage-ID: {SAME}\r\nDate: {date}\r\n"
    content = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    return (head + content + text.replace("\n", "\r\n")).encode()


def send(table: Table, to: str, raw: bytes) -> list[str]:
    """Deliver a message and return the messages sent because of it."""
    return [sent.words for sent in table.deliver(raw, to)]


def test_another_move_with_the_same_message_id_is_made(both: Table) -> None:
    """A script may use one Message-ID for all its messages."""
    game, seat, order = both.start(2)
    sender = ("anna@example.org", "bob@example.org")[seat]
    to = both.last_to(seat).reply_to
    (refused,) = send(both, to, build_mail(to, "play 99", sender=sender))
    assert "Done" not in refused
    assert send(both, to, build_mail(to, order, sender=sender))
    version = both.game(game.id).version
    assert version > game.version
    for route in ROUTES:
        assert send(both, to, build_mail(to, order, sender=sender, route=route)) == []
    assert both.game(game.id).version == version


@pytest.mark.usefixtures("game")
def test_a_second_mail_to_the_same_address_is_answered(table: Table) -> None:
    """Another text is another message. A copy is not answered, whatever its date is."""
    to = table.last_to(0).reply_to
    assert len(send(table, to, build_mail(to, "help"))) == 1
    assert len(send(table, to, build_mail(to, "games"))) == 1
    for text, date in (("help", ON_MONDAY), ("games", ON_MONDAY), ("help", ON_TUESDAY)):
        assert send(table, to, build_mail(to, text, date=date, route=ROUTES[2])) == []


@pytest.mark.parametrize(
    ("above", "below", "date"),
    [
        ("", "", "Mon, 23 Nov 2026 10:01:00 +0100"),
        ("", "", ON_TUESDAY),
        ("CAUTION: this mail came from outside.\n", "", ON_MONDAY),
        ("", "\n\nThis mail was checked for viruses.\n", ON_MONDAY),
        ("", "\n_______________\nfriends mailing list\n", ON_TUESDAY),
        ("", "\n\n> an earlier mail\n", ON_MONDAY),
    ],
)
def test_a_move_is_not_made_again_by_a_changed_copy(
    table: Table, above: str, below: str, date: str
) -> None:
    """A mail program may date a copy later, and servers add warnings and footers."""
    game, seat, order = table.start(2)
    to = table.last_to(seat).reply_to
    sender = ("anna@example.org", "bob@example.org")[seat]
    send(table, to, build_mail(to, order, sender=sender))
    version = table.game(game.id).version
    assert version > game.version
    copy = build_mail(to, f"{above}{order}{below}", sender=sender, date=date)
    assert send(table, to, copy) == []
    assert table.receive(copy, to).inbox_id is None
    assert table.game(game.id).version == version


@pytest.mark.usefixtures("game")
def test_a_thousand_mails_with_one_message_id(table: Table) -> None:
    """Each text counts as its own message."""
    to = table.last_to(0).reply_to
    kept = [table.receive(build_mail(to, f"say number {n}"), to).inbox_id for n in range(60)]
    assert None not in kept
    again = [table.receive(build_mail(to, f"say number {n}"), to).inbox_id for n in range(60)]
    assert set(again) == {None}
