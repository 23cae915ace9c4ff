"""Replies that go to the address in From, which names no game: the mail that they answer does."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from tests.service.conftest import NAMES, Table, raw_mail
from tests.service.notify.test_reach import bounce

BARE = "game@play.example.org"


@pytest.mark.parametrize(
    ("headers", "is_played"),
    [
        ({"In-Reply-To": "{own}"}, True),
        ({"References": "<0.0@elsewhere.example> {other_game} {own}"}, True),
        ({"References": "{own} {other_game}", "In-Reply-To": "{own}"}, True),
        (
            {
                "References": " ".join(["<an.id.of.ninety.letters@elsewhere.example>"] * 90),
                "In-Reply-To": "{own}",
            },
            True,
        ),
        ({"In-Reply-To": "{other_player}"}, False),
        ({"In-Reply-To": "<abcdefghijklmnopqrstuvwxyz@pbem.play.example.org>"}, False),
        ({}, False),
    ],
)
def test_the_answered_mail_names_seat_and_position(
    table: Table, headers: dict[str, str], is_played: bool
) -> None:
    other = table.started(2)
    seat = other.to_act[0]
    mails = {"other_game": table.last_to(seat), "other_player": table.mails_to(1 - seat)[-1]}
    game = table.started(2)
    assert game.to_act == (seat,)
    mails["own"] = table.last_to(seat)
    ids = {name: str(mail.message["Message-ID"]) for name, mail in mails.items()}
    sender = mails["own"].rcpt_to
    raw = raw_mail(
        sender,
        BARE,
        "21",
        message_id="<m1@example.org>",
        **{name: value.format(**ids) for name, value in headers.items()},
    )
    table.receive(raw, BARE, mail_from=sender)
    table.run()
    assert (table.game(game.id).position > game.position) is is_played
    assert table.game(other.id).version == other.version


def test_every_mail_has_the_same_sender(table: Table) -> None:
    """So that one entry in an address book lets all mails through; the token is in Reply-To."""
    game = table.started(2)
    table.answer(int(game.to_act[0]), "21\nboard")
    table.answer(0, "new nonsense", to=BARE)
    senders = {str(mail.message["From"]).partition("<")[2] for mail in table.delivery.mails}
    assert senders == {f"{BARE}>"}
    assert len({mail.reply_to for mail in table.delivery.mails}) > 2


@pytest.fixture
def plain(table: Table) -> Table:
    """A service whose mailbox gets no mail to plus addresses."""
    table.service = replace(table.service, tokens=replace(table.service.tokens, is_plain=True))
    return table


def send(table: Table, seat: int, text: str, **headers: str) -> None:
    table.counter += 1
    sender = f"{NAMES[seat].lower()}@example.org"
    raw = raw_mail(sender, BARE, text, message_id=f"<m{table.counter}@example.org>", **headers)
    table.receive(raw, BARE, mail_from=sender)
    table.run()


def follow(table: Table, seat: int, order: str) -> None:
    """Tap the link for an order in the newest mail of a seat."""
    page = table.last_to(seat).message.get_body(("html",))
    assert page is not None
    links = [
        urlsplit(html.unescape(one))
        for one in re.findall(r'href="(mailto:[^"]+)', page.get_content())
    ]
    link = next(one for one in links if parse_qs(one.query).get("body") == [order])
    assert unquote(link.path) == BARE
    send(table, seat, order, Subject=parse_qs(link.query)["subject"][0])


def test_a_game_without_plus_addresses(plain: Table) -> None:
    """By replies and by links in turn; no header nor envelope has a plus, only one game moves."""
    other = plain.started(2)
    game = plain.new_game(2, max_plies=10)
    for seat in range(2):
        follow(plain, seat, "join")
    for number in range(20):
        game = plain.game(game.id)
        if game.is_over:
            break
        seat, move = plain.standby(game)
        if number % 2:
            follow(plain, seat, move)
        else:
            newest = str(plain.last_to(seat).message["Message-ID"])
            send(plain, seat, move, **{"In-Reply-To": newest})
    assert game.is_over
    assert plain.game(other.id).version == other.version
    for mail in plain.delivery.mails[-10:]:
        assert {mail.reply_to, mail.mail_from} == {BARE}
        assert "+" not in str(mail.message["List-Unsubscribe"])


def test_a_mail_comes_back_without_plus_addresses(plain: Table) -> None:
    """Our Message-ID and token are in the part that is sent back."""
    game = plain.started(3)
    for mail in plain.mails_to(1)[:2]:
        bounce(plain, mail, to=BARE)
        plain.run()
    assert plain.game(game.id).seats[1].is_unreachable


def test_unsubscribe_link_without_plus_addresses(plain: Table) -> None:
    plain.started(2)
    link = urlsplit(str(plain.last_to(0).message["List-Unsubscribe"]).strip("<> "))
    send(plain, 0, "", Subject=parse_qs(link.query)["subject"][0])
    assert "no more mails" in plain.last_to(0).words
