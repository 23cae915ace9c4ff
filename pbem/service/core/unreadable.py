"""Why a mail was not read, in words for its sender.

The reader of mails has no sentences.
"""

from __future__ import annotations

from engine.sentences import Sentence, sentence

PLAIN_PLEASE = sentence(
    "Please answer again with a few lines of plain text and without attachments."
)

_REASONS = {
    str(reason): reason
    for reason in (
        sentence("too many parts"),
        sentence("containers are nested too deep"),
        sentence("the text is longer than the size limit"),
        sentence("an encrypted mail or a digest is not read"),
        sentence("what is wrapped in S/MIME or in winmail.dat is not read"),
        sentence("a container without boundary"),
        sentence("the character set is not known, or the text is not of it"),
        sentence("the HTML is too deep or too long to be read"),
        sentence("text and HTML of the mail differ about an order"),
        sentence("the header is too long"),
        sentence("the header has too many lines"),
        sentence("a header line is too long"),
        sentence("too many header fields"),
        sentence("only its header was read"),
        sentence("reading it takes more than a second of processor time"),
    )
}


def not_read(reason: str) -> Sentence:
    """Say that a mail could not be read, and what would work better."""
    return sentence(
        "Your mail could not be read: {reason}. {please}",
        reason=_REASONS.get(reason, reason),
        please=PLAIN_PLEASE,
    )
