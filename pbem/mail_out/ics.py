"""Deadlines as calendar files (RFC 5545).

There is one entry per game and seat: a newer mail of the same seat has the same UID and a higher
SEQUENCE, and replaces the entry in the calendar. The file contains no secrets: neither cards nor
reply addresses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pbem.mail_out.compose import Attachment
from pbem.plain import clean

FILE_NAME = "deadline.ics"
MAX_OCTETS = 75
"""Maximum length of a line in octets, without its line end (RFC 5545 §3.1)."""
CRLF = "\r\n"
_SPECIAL = re.compile(r"([\\;,])")
_LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """Data of a calendar entry.

    Attributes:
        uid: identifies game and seat, and is the same in all their messages.
        sequence: increases from mail to mail.
        stamped_at: when the message was decided.
        due_at: the deadline.
        summary: title in the reader's calendar.
        organizer: address of the service, without a token.
    """

    uid: str
    sequence: int
    stamped_at: datetime
    due_at: datetime
    summary: str
    organizer: str = field(repr=False)


def calendar_file(*entries: CalendarEntry, name: str = "") -> bytes:
    """Build a calendar file with these entries, encoded in UTF-8.

    Entries are events, because few calendars show tasks from messages. They have no duration and do
    not mark the time as busy.

    Args:
        name: display name of the calendar (RFC 7986 §5.1 and the older X- property).
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//deadlines//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        *([f"NAME:{_text(name)}", f"X-WR-CALNAME:{_text(name)}"] if name else []),
        *(line for entry in entries for line in _event(entry)),
        "END:VCALENDAR",
    ]
    return "".join(_fold(line) + CRLF for line in lines).encode()


def _event(entry: CalendarEntry) -> list[str]:
    return [
        "BEGIN:VEVENT",
        f"UID:{_text(entry.uid)}",
        f"SEQUENCE:{entry.sequence}",
        f"DTSTAMP:{_instant(entry.stamped_at)}",
        f"DTSTART:{_instant(entry.due_at)}",
        f"SUMMARY:{_text(entry.summary)}",
        f"ORGANIZER:mailto:{entry.organizer}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _text(value: str) -> str:
    return _SPECIAL.sub(r"\\\1", clean(value, _LONGEST_TEXT))


def _instant(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _fold(line: str) -> str:
    """Fold a line that is too long, without splitting a character."""
    parts, size = [""], 0
    for char in line:
        octets = len(char.encode())
        if size + octets > MAX_OCTETS:
            parts.append(" ")
            size = 1
        parts[-1] += char
        size += octets
    return CRLF.join(parts)


def attached_calendar(entry: CalendarEntry) -> Attachment:
    """Return a deadline as a calendar attachment."""
    kind = 'text/calendar; charset="utf-8"; method=PUBLISH'
    return Attachment(FILE_NAME, kind, calendar_file(entry))
