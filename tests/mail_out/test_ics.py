"""Test the calendar file of a deadline, octet by octet."""

from __future__ import annotations

import email
import email.policy
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from email.message import EmailMessage

from hypothesis import given
from hypothesis import strategies as st

from pbem import resources
from pbem.mail_in.mime.parse import parse_mail
from pbem.mail_out.compose import compose
from pbem.mail_out.ics import CalendarEntry, attached_calendar, calendar_file
from pbem.mail_out.render import Rendered, Renderer
from tests.mail_out.samples import MAIL_HEAD, SAMPLES

ENTRY = CalendarEntry(
    uid="k7q2m3x9ab.1@play.example.org",
    sequence=17,
    stamped_at=datetime(2026, 11, 21, 6, 33, 49, 123456, tzinfo=UTC),
    due_at=datetime(2026, 11, 24, 17, 0, tzinfo=timezone(timedelta(hours=9))),
    summary="Phyliss with Bob, Zoë; and \\ others",
    organizer="game@play.example.org",
)
KNOWN = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//pbem//deadlines//EN\r\nCALSCALE:GREGORIAN\r\n"
    "METHOD:PUBLISH\r\nBEGIN:VEVENT\r\nUID:k7q2m3x9ab.1@play.example.org\r\nSEQUENCE:17\r\n"
    "DTSTAMP:20261121T063349Z\r\nDTSTART:20261124T080000Z\r\n"
    "SUMMARY:Phyliss with Bob\\, Zoë\\; and \\\\ others\r\n"
    "ORGANIZER:mailto:game@play.example.org\r\nTRANSP:TRANSPARENT\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)
SIMPLE = Rendered(subject="[k7q2] Phyliss", text="Hello!\n", html="<p>Hello!</p>\n")


def unfolded(raw: bytes) -> dict[str, str]:
    """Return the lines of an entry by name, unfolded (RFC 5545 §3.1)."""
    text = re.sub(rb"\r\n[ \t]", b"", raw).decode()
    return dict(line.split(":", 1) for line in text.split("\r\n") if line)


def test_known_octets():
    """The whole file: UTC, escaped text, CRLF everywhere."""
    assert calendar_file(ENTRY) == KNOWN.encode()


@given(st.text(max_size=300))
def test_any_summary_is_one_folded_line(summary: str):
    """No line is longer than 75 octets, no name of a player adds a line of its own."""
    raw = calendar_file(replace(ENTRY, summary=summary))
    lines = raw.split(b"\r\n")
    assert lines[-1] == b""
    assert all(len(line) <= 75 and b"\n" not in line and b"\r" not in line for line in lines)
    for line in lines:
        line.decode()  # no character is parted
    assert [name for name in unfolded(raw) if name not in unfolded(calendar_file(ENTRY))] == []


def test_an_attachment_beside_the_words():
    """`mixed` around `alternative`: mail programs show the words and offer the file, unchanged."""
    raw = compose(SIMPLE, MAIL_HEAD, attached_calendar(ENTRY))
    assert raw.isascii()
    assert max(len(line) for line in raw.split(b"\r\n")) <= 78
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    assert message.get_content_type() == "multipart/mixed"
    alternative, attached = message.iter_parts()
    assert alternative.get_content_type() == "multipart/alternative"
    kinds = [part.get_content_type() for part in alternative.iter_parts()]
    assert kinds == ["text/plain", "text/html"]
    assert attached.get_content_type() == "text/calendar"
    assert attached["Content-Type"].params["method"] == "PUBLISH"
    assert (attached.get_content_disposition(), attached.get_filename()) == (
        "attachment",
        "deadline.ics",
    )
    assert attached.get_payload(decode=True) == KNOWN.encode()
    assert not [part for part in message.walk() if part.defects]
    outer, inner = message.get_boundary(""), alternative.get_boundary("")
    assert not outer.startswith(inner)
    assert not inner.startswith(outer)


def test_our_own_mail_is_read_as_without_the_file():
    """Quoted lines of a mail with a calendar are recognised like those of any other."""
    plain = parse_mail(compose(SIMPLE, MAIL_HEAD))
    read = parse_mail(compose(SIMPLE, MAIL_HEAD, attached_calendar(ENTRY)))
    assert (read.plain, read.html) == (plain.plain, plain.html)


def test_only_who_is_to_move_has_a_deadline_to_note():
    """The game must want it, the reader be to act, and the clock run."""
    renderer = Renderer([resources.templates_dir() / "email"])
    turn = replace(SAMPLES["turn"], ics=True)
    assert renderer.render(turn).entry.endswith(": your move is due")
    assert renderer.render(replace(turn, ics=False)).entry == ""
    assert renderer.render(replace(turn, deadline=None)).entry == ""
    assert renderer.render(replace(turn, to_act=(1 - turn.reader,))).entry == ""
