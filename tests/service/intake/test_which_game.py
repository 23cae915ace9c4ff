"""Test how the game of a message is found: by its address, thread, subject or quote."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.domain.log.clock_events import TurnTimedOut
from pbem.mail_in.mime.message import Envelope
from pbem.service.admin import acts
from pbem.service.clock.fire_due import fire_due
from pbem.service.intake import accepting as intake
from pbem.service.people.erasure import forget
from tests.service.conftest import NAMES, Sent, Table, raw_mail
from tests.service.notify.test_deliverability import deliver_bounce

CASES = [  # what is in the thread, what the subject names, whether the move is made
    ("first", "first", False),
    ("first", "second", False),
    ("none", "first", False),
    ("second", "second", True),
    ("both", "second", True),
    ("none", "none", True),
    ("none", "unknown", True),
    ("none", "first, as mails said it once", False),
    ("none", "second, as mails said it once", True),
]


def test_contradiction_is_asked_about(table: Table) -> None:
    """Thread and subject may name another game than the address."""
    first = table.started(2)
    seat = first.to_act[0]
    mails = {"first": table.last_to(seat)}
    for answers, subject, is_played in CASES:
        second = table.started(2)
        assert second.to_act[0] == seat
        mails["second"] = table.last_to(seat)
        thread = list(mails) if answers == "both" else [one for one in mails if one == answers]
        names = {
            "unknown": "[abcdef2345]",
            "none": "21",
            "first, as mails said it once": f"[{first.id}] Phyliss with Bob",
            "second, as mails said it once": f"[{second.id}] Phyliss with Bob",
        }
        reply = EmailMessage()
        reply["From"] = mails["first"].rcpt_to
        reply["To"] = mails["second"].reply_to
        reply["Subject"] = "Re: " + (
            str(mails[subject].message["Subject"]) if subject in mails else names[subject]
        )
        reply["References"] = " ".join(mails[one].message["Message-ID"] for one in thread)
        reply.set_content("21")
        raw = reply.as_bytes(policy=SMTP)
        table.deliver(raw, mails["second"].reply_to, mail_from=mails["first"].rcpt_to)
        assert table.game(first.id).version == first.version
        assert (table.game(second.id).version > second.version) is is_played, (answers, subject)
        if not is_played:
            answer = table.last_to(seat)
            assert f"came to the address of Phyliss [{second.id}]" in answer.words
            assert f"for Phyliss [{first.id}], the newest mail" in answer.words
            table.answer(seat, "21")
            assert table.game(second.id).version > second.version


def marked(mail: Sent, lines: slice = slice(None), *, sender: str = "Cards by mail") -> str:
    introduction = f"On Sat, 21 Nov 2026 at 13:05, {sender} wrote:"
    return "\n".join([introduction, "", *(f"> {line}" for line in mail.text.splitlines()[lines])])


def headed(mail: Sent) -> str:
    head = [
        "-----Original Message-----",
        f"From: {mail.message['From']}",
        "Sent: Saturday, 21 November 2026 13:05",
        f"To: {mail.rcpt_to}",
        f"Subject: {mail.message['Subject']}",
    ]
    return "\n".join([*head, "", *mail.text.splitlines()[:12]])


def addressed(mail: Sent) -> str:
    return marked(mail, slice(12), sender=f"Cards <{mail.reply_to}>")


def of_proof(mail: Sent) -> str:
    at = next(
        at
        for at, line in enumerate(mail.text.splitlines())
        if line.startswith("Against cheating: ")
    )
    return marked(mail, slice(at, at + 2))


def two_lines(mail: Sent) -> str:
    return marked(mail, slice(2))


def of_a_stranger(mail: Sent) -> str:
    """Quote a message about a game in which the player has no seat."""
    return addressed(mail).replace(mail.reply_to[7:17], "abcdef2345")


QUOTES: list[tuple[Callable[[Sent], str], Sequence[str], bool]] = [
    (marked, ["first"], False),
    (headed, ["first"], False),
    (addressed, ["first"], False),
    (of_proof, ["first"], False),
    (two_lines, ["first"], True),
    (of_a_stranger, ["first"], True),
    *((form, ["second"], True) for form in (marked, headed, addressed, of_proof)),
    *((form, ["first", "second"], True) for form in (marked, headed, addressed, of_proof)),
]


@pytest.mark.parametrize(("form", "quoted", "is_played"), QUOTES)
def test_a_quote_of_another_game_is_asked_about(
    table: Table, form: Callable[[Sent], str], quoted: Sequence[str], *, is_played: bool
) -> None:
    """Only the quote shows which message was answered. A digest names several games."""
    first, second = table.started(2), table.started(2)
    seat = first.to_act[0]
    assert second.to_act[0] == seat
    mails = {
        name: next(mail for mail in table.mails_to(seat)[::-1] if f"-{game.id}-" in mail.reply_to)
        for name, game in (("first", first), ("second", second))
    }
    quote = "\n\n".join(form(mails[one]) for one in quoted)
    table.answer(seat, f"21\n\n{quote}", to=mails["second"].reply_to)
    assert table.game(first.id).version == first.version
    assert (table.game(second.id).version > second.version) is is_played
    if not is_played:
        answer = table.last_to(seat)
        assert f"came to the address of Phyliss [{second.id}]" in answer.words
        assert f"for Phyliss [{first.id}], the newest mail" in answer.words
        table.answer(seat, "21")
        assert table.game(second.id).version > second.version


def test_a_mail_to_two_seats_is_of_the_one_in_to(table: Table) -> None:
    """The game in To counts at receipt and while parsing, whichever field comes first."""
    games = [table.started(2, seed=seed) for seed in (1, 3)]
    seat, order = table.standby(games[0])
    to, cc = (
        next(
            mail.reply_to
            for mail in table.mails_to(seat)[::-1]
            if game.id in str(mail.message["Subject"])
        )
        for game in games
    )
    sender = f"{NAMES[seat].lower()}@example.org"
    raw = raw_mail(sender, to, order, message_id="<two-games@example.org>")
    envelope = Envelope(None, None, "imap", table.clock.now())
    received = intake.receive(table.service, f"Cc: {cc}\r\n".encode() + raw, envelope)
    table.run()
    row = table.inbox()[-1]
    assert (received.game_id, row.game_id, row.seat) == (games[0].id, games[0].id, seat)
    assert table.game(games[0].id).version > games[0].version
    assert table.game(games[1].id).version == games[1].version


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
    named = {name: value.format(**ids) for name, value in headers.items()}
    table.send(mails["own"].rcpt_to, BARE, "21", **named)
    assert (table.game(game.id).position > game.position) is is_played
    assert table.game(other.id).version == other.version


@pytest.fixture
def plain(table: Table) -> Table:
    """Return a table whose mailbox gets no messages to plus addresses."""
    table.service = replace(table.service, tokens=replace(table.service.tokens, is_plain=True))
    return table


def send(table: Table, seat: int, text: str, **headers: str) -> None:
    table.send(f"{NAMES[seat].lower()}@example.org", BARE, text, **headers)


def follow(table: Table, seat: int, order: str) -> None:
    """Use the link for an order in the newest message to a seat."""
    page = table.last_to(seat).html
    links = [urlsplit(html.unescape(one)) for one in re.findall(r'href="(mailto:[^"]+)', page)]
    link = next(one for one in links if parse_qs(one.query).get("body") == [order])
    assert unquote(link.path) == BARE
    send(table, seat, order, Subject=parse_qs(link.query)["subject"][0])


def test_a_game_without_plus_addresses(plain: Table) -> None:
    """Play by replies and links. No header contains a plus, and only one game moves."""
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


PROVIDERS_ID = "<0100019a-000000@email.provider.example>"


def start_joined(table: Table) -> Any:
    game = table.new_game(2)
    for seat in range(2):
        follow(table, seat, "join")
    return table.game(game.id)


@pytest.mark.parametrize("is_quoted", [True, False])
def test_a_reply_is_known_though_the_provider_replaced_our_message_id(
    plain: Table, is_quoted: bool
) -> None:
    """Find the message by its References or by the quoted words."""
    game = start_joined(plain)
    seat = int(game.to_act[0])
    mail = plain.last_to(seat)
    text, headers = "21", {"In-Reply-To": PROVIDERS_ID, "References": PROVIDERS_ID}
    if is_quoted:
        text = f"21\n\n{mail.quote}"
    else:
        references = " ".join(str(mail.message["References"]).split())
        headers["References"] = f"{references} {PROVIDERS_ID}"
    send(plain, seat, text, **headers)
    assert plain.game(game.id).position > game.position


@pytest.mark.parametrize("kind", ["seat", "person", "question"])
def test_a_token_that_another_player_said_takes_no_reply_away(plain: Table, kind: str) -> None:
    """The other token is quoted above the player's own token."""
    game = start_joined(plain)
    teller = int(game.to_act[0])
    reader, turn = 1 - teller, plain.last_to(teller)
    if kind == "person":
        send(plain, teller, "games")
    if kind == "question":
        send(plain, teller, f"resign\n\n{turn.quote}")
    said = re.findall(r"\[([a-z]-[a-z0-9-]+)\]", plain.last_to(teller).text)[-1]
    assert said[0] == {"seat": "s", "person": "p", "question": "q"}[kind]
    answers = {"In-Reply-To": str(turn.message["Message-ID"])}
    send(plain, teller, f"21\nsay [{said}]", **answers)
    game = plain.game(game.id)
    assert game.to_act == (reader,)
    mail, before = plain.last_to(reader), len(plain.mails_to(teller))
    assert f"[{said}]" in mail.text
    send(plain, reader, f"21\n\n{mail.quote}")
    assert plain.inbox()[-1].status == "done"
    assert plain.game(game.id).position > game.position
    assert mail.rcpt_to not in "".join(one.text for one in plain.mails_to(teller)[before:])


@pytest.mark.parametrize("is_quoted", [True, False])
def test_a_made_up_token_in_a_reply_moves_nothing(plain: Table, is_quoted: bool) -> None:
    """Each has a MAC."""
    game = start_joined(plain)
    seat = int(game.to_act[0])
    forged = f"s-{game.id}-{seat}-1-{game.seats[seat].decision}-{game.position}-{'a' * 16}"
    reference = PROVIDERS_ID if is_quoted else f"<{forged}@{plain.service.message_domain}>"
    text = f"21\n\n> [{forged}]\n" if is_quoted else "21"
    send(plain, seat, text, **{"In-Reply-To": reference, "References": reference})
    assert plain.game(game.id).position == game.position


def test_a_mail_that_comes_back_without_plus_addresses_only_tells_the_admins(plain: Table) -> None:
    """Any recipient can write such a report to the bare address."""
    game = plain.started(3)
    for mail in plain.mails_to(1)[:2]:
        deliver_bounce(plain, mail, to=BARE)
        plain.run()
    assert not plain.game(game.id).seats[1].is_unreachable
    assert "counts nothing" in plain.delivery.mails[-1].words


@pytest.mark.parametrize("is_encoded", [False, True])
def test_no_deadline_fires_while_a_tapped_order_waits(plain: Table, is_encoded: bool) -> None:
    """Mail programs encode a subject with a name like Jürgen in it, token and all (RFC 2047)."""
    game = start_joined(plain)
    seat = int(game.to_act[0])
    links = re.findall(r'href="(mailto:[^"]+)', plain.last_to(seat).html)
    said = next(parse_qs(urlsplit(html.unescape(one)).query) for one in links if "body" in one)
    subject, order = said["subject"][0], said["body"][0]
    if is_encoded:
        subject = f"=?utf-8?b?{base64.b64encode(subject.encode()).decode()}?="
    sender = f"{NAMES[seat].lower()}@example.org"
    raw = (
        f"From: {sender}\r\nTo: {BARE}\r\nSubject: {subject}\r\nMessage-ID: <tapped@example.org>\r\n"
        f"Content-Type: text/plain\r\n\r\n{order}\r\n"
    )
    plain.receive(raw.encode(), BARE, mail_from=sender)
    plain.clock.forward(days=4)
    fire_due(plain.service)
    assert not plain.events(game, TurnTimedOut)


def test_forgetting_somebody_leaves_the_others_able_to_answer(plain: Table) -> None:
    """Answers are recognised although the bytes of all messages at the table were erased."""
    game = plain.new_game(3)
    for seat in range(3):
        follow(plain, seat, "join")
    acts.remove(plain.service, game.id, "2", "Gone.")
    plain.run()
    game = plain.game(game.id)
    seat = int(game.to_act[0])
    answered = str(plain.last_to(seat).message["Message-ID"])
    forget(plain.service, "carol@example.org", "She asked for it.")
    send(plain, seat, "21", **{"In-Reply-To": answered})
    assert plain.game(game.id).position > game.position
