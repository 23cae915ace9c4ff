"""Test that an answer to one game's message at another game's address makes no move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from tests.service.conftest import Sent, Table

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
