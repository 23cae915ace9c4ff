"""Parse bounces into a delivery status and a severity.

The original message is identified by the address that received the bounce (VERP), never by the text
of the bounce. Only the beginning is read, line by line and up to a limit. An unreadable bounce is
treated as a soft one.

Standards: RFC 3464 (delivery status notifications), RFC 3463 (status codes), RFC 5965 (complaints).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pbem import smtp_replies

_READ: Final = 128 * 1024
_LOOSE: Final = 16 * 1024
"""Number of bytes searched for a code if there is no machine-readable part."""

_DELIVERY_STATUS: Final = re.compile(
    r"^content-type:[ \t]*message/(?:global-)?delivery-status\b", re.IGNORECASE | re.MULTILINE
)
_RETURNED: Final = re.compile(
    r"^content-type:[ \t]*(?:message/(?:rfc822|global)|text/rfc822-headers)\b",
    re.IGNORECASE | re.MULTILINE,
)
_BOUNDARY: Final = re.compile(r"^--[^\n]{1,200}$", re.MULTILINE)
_ACTION: Final = re.compile(r"^action:[ \t]*([a-z]{1,20})", re.IGNORECASE | re.MULTILINE)
_STATUS: Final = re.compile(
    r"^status:[ \t]*([245])\.(\d{1,3})\.(\d{1,3})", re.IGNORECASE | re.MULTILINE
)
_DIAGNOSTIC: Final = re.compile(
    r"^diagnostic-code:[ \t]*(?:smtp;)?[ \t]*([^\n]{1,1000}(?:\n[ \t][^\n]{1,1000}){0,9})",
    re.IGNORECASE | re.MULTILINE,
)
_LOOSE_STATUS: Final = re.compile(r"(?<![\d.])([45])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_LOOSE_CODE: Final = re.compile(r"(?<![\d.])([45])\d\d(?=[ -])")

_NO_FAILURE: Final = frozenset({"delivered", "relayed", "expanded"})
_GOOD: Final = "2"
_MAILBOX_FULL, _TOO_LARGE = (2, 2), (2, 3)
_SYSTEM, _POLICY = 3, 7
"""RFC 3463 §3 subjects that concern the server or our message rather than the address."""

HARD, SOFT, POLICY, DELAYED, COMPLAINT = "hard", "soft", "policy", "delayed", "complaint"
SCORES: Final = {HARD: 2, SOFT: 1, POLICY: 1, DELAYED: 0, COMPLAINT: 0}
"""Points of each kind against an address. A complaint unsubscribes it without points."""


@dataclass(frozen=True, slots=True)
class BounceReport:
    """The result of parsing a bounce.

    Attributes:
        kind: `hard` (the address does not work), `soft` (only this message was not delivered),
            `policy` (rejected because of the sender, so other messages may be affected) or
            `delayed` (the server keeps trying).
        status: enhanced status code such as `5.1.1`, or None.
    """

    kind: str
    status: str | None


def read_report(raw: bytes) -> BounceReport | None:
    """Parse a bounce, or None if it reports no failure (delivered, relayed)."""
    text = raw[:_READ].replace(b"\r\n", b"\n").decode("latin-1")
    start = _DELIVERY_STATUS.search(text)
    if start is None:
        return _read_loosely(text)
    end = _BOUNDARY.search(text, start.end())
    block = text[start.end() : end.start() if end else len(text)]
    actions = {action.lower() for action in _ACTION.findall(block)}
    codes = [code for code in _STATUS.findall(block) if code[0] != _GOOD]
    if actions and actions <= _NO_FAILURE:
        return None
    status = max((".".join(code) for code in codes), default=None)
    answer = " ".join(_DIAGNOSTIC.findall(block))
    if smtp_replies.is_uncertain(status):  # Exim writes 5.0.0 for every failure
        status = smtp_replies.status_of(answer) or status
    return BounceReport(DELAYED if actions == {DELAYED} else _kind(status, answer), status)


def severity(status: str | None) -> str:
    """Return the severity for an enhanced status code. `SOFT` if the code is missing."""
    if status is None:
        return SOFT
    kind, subject, detail = (int(digit) for digit in status.split("."))
    is_ours = subject in (_SYSTEM, _POLICY) or (subject, detail) in (_MAILBOX_FULL, _TOO_LARGE)
    return HARD if kind == 5 and not is_ours else SOFT  # noqa: PLR2004  (first digit of permanent errors)


def _kind(status: str | None, answer: str) -> str:
    """Classify a failure. A 5.4.x code without text may concern the recipient's whole domain."""
    has_no_route = status is not None and status.startswith("5.4.")
    if smtp_replies.is_about_us(None if has_no_route else status, answer):
        return POLICY
    return severity(status)


def _read_loosely(text: str) -> BounceReport:
    """Search the text of a bounce for a status code, except in the returned mail."""
    _, _, body = text.partition("\n\n")
    returned = _RETURNED.search(body)
    words = body[: returned.start() if returned else _LOOSE][:_LOOSE]
    match = _LOOSE_STATUS.search(words)
    if match is not None:
        status = ".".join(match.groups())
        return BounceReport(_kind(status, words), status)
    code = _LOOSE_CODE.search(words)
    unspecific = None if code is None else f"{code[1]}.0.0"
    return BounceReport(_kind(unspecific, words), None)
