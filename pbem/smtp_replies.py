"""Classification of SMTP rejections: about us (the sender) or about the recipient.

RFC 3463 (enhanced status codes), RFC 5321 §4.2 (replies). Providers use codes loosely, so the text
counts as well. A rejection of us must never count against a recipient.
"""

from __future__ import annotations

import re
from typing import Final

_STATUS: Final = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
_REPLY: Final = re.compile(r"\s*(?:[245]\d\d[ -])?\s*#?([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
_QUOTED: Final = re.compile(r"<[^>]*>|\S+@\S+")
_SENDER_CODES: Final = re.compile(
    r"5\.(?:[47]\.\d{1,3}|3\.(?!4$)\d{1,3}|1\.(?:[78]|90)|2\.252)|4\.7\.\d{1,3}"
)
"""Codes about the sender: x.7.x policy, 5.4.x and 5.3.x the server and its routes, 5.1.7 and 5.1.8
the sender's address, and those of Gmail (5.4.5) and Exchange (5.1.90, 5.2.252) for a sender's limit
and a forbidden sender. 5.3.4 is about the size of the message."""
_READER_CODES: Final = re.compile(r"[45]\.(?:1\.(?:[1-46]|10)|2\.[1-4])")
_UNCERTAIN: Final = re.compile(r"[45]\.(?:0\.\d{1,3}|5\.\d{1,3}|[12]\.0)")
"""Codes without a reason: other or undefined, a protocol error, an undefined address error."""
_SENDER_WORDS: Final = re.compile(
    r"sender (?:address )?(?:rejected|denied|refused|blocked|verif|not|is not)|not owned by user"
    r"|bad(?: outbound)? sender|envelope sender|sender[’']?s? domain|sender is unauthenticated"
    r"|send ?as ?denied|not (?:allowed|permitted|authori[sz]ed) to (?:send|connect)"
    r"|client host|blocked using|helo command|your ip\b|(?:from|by) (?:your )?ip\b|outbound ?spam"
    r"|(?:submission|outgoing|outbound)[ -]?(?:mail |message |e-?mail )?(?:quota|limit|rate|messages? rate)"
    r"|your account (?:has been |is |was )?(?:blocked|disabled|suspended|locked|restricted)"
    r"|credits exceeded|exceeded its (?:hourly|daily|message)",
    re.IGNORECASE,
)
"""Phrases about the sender that count regardless of the code."""
_LIMIT_WORDS: Final = re.compile(
    r"(?:sending|daily|hourly|user|rate|message|mail|account)[ -]"
    r"(?:sending |message |mail )?(?:limit|quota)"
    r"|limit exceeded|throttl|unusual sending|too (?:many|much) (?:messages?|mails?|e-?mails?)"
    r"|too many (?:recipients|connections)"
    r"|(?:block|black|deny)[ -]?list|spamhaus|dnsbl|reputation|relay(?:ing)?(?: access)? (?:is )?denied"
    r"|relay(?:ing)? (?:is )?not (?:permitted|allowed)|not (?:permitted|allowed) to relay"
    r"|authentication (?:is )?required|not (?:yet )?verified|suspended",
    re.IGNORECASE,
)
"""Phrases about the sender, unless the code is about the recipient, for example a full mailbox."""
_GREYLISTED: Final = re.compile(r"gr[ea]y[ -]?list", re.IGNORECASE)
"""Matches replies about greylisting, which is temporary and concerns a single recipient."""


def status_of(reply: str) -> str | None:
    """Return the enhanced status code at the start of a reply, or None.

    A code at a later position may be part of an IP address.
    """
    match = _REPLY.match(reply)
    return match[1] if match else None


def is_about_us(status: str | None, reply: str) -> bool:
    """True if a rejection is about us, the sender, and not about the recipient.

    Args:
        status: the enhanced status code, if any.
        reply: the server's text. Addresses in it are ignored.
    """
    words = _QUOTED.sub("", _STATUS.sub("", reply))
    if _SENDER_WORDS.search(words):
        return True
    if _GREYLISTED.search(words):
        return False
    if _SENDER_CODES.fullmatch(status or ""):
        return True
    return _LIMIT_WORDS.search(words) is not None and not _READER_CODES.fullmatch(status or "")


def is_uncertain(status: str | None) -> bool:
    """True if a status code is missing or too general to give a reason."""
    return status is None or _UNCERTAIN.fullmatch(status) is not None
