"""A mail to the address of one game that answers a mail of another one moves in neither."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP

from tests.service.conftest import Table

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
    """`21` goes to the address of the second game; thread and subject may be of the first."""
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
        table.receive(raw, mails["second"].reply_to, mail_from=mails["first"].rcpt_to)
        table.run()
        assert table.game(first.id).version == first.version
        assert (table.game(second.id).version > second.version) is is_played, (answers, subject)
        if not is_played:
            answer = table.last_to(seat)
            assert f"came to the address of Phyliss [{second.id}]" in answer.words
            assert f"for Phyliss [{first.id}], the newest mail" in answer.words
            table.answer(seat, "21")
            assert table.game(second.id).version > second.version
