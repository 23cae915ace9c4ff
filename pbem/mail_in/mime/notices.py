"""Detect reactions, recalls and protected messages, which programs send in a person's name.

Nothing in their header distinguishes them from messages written by a person, so their beginning is
compared with the texts of these programs. A reaction or a recall is never an answer. The text of a
protected message is on a web page. The message contains only a link to it.
"""

from __future__ import annotations

import html
import re
from typing import Final

REACTION_TYPE: Final = "text/vnd.google.email-reaction+json"
"""Type of a part that makes a message a reaction, as documented by Gmail."""

_BEGINNING: Final = 600
"""Number of characters of a message's text that are compared."""
_INLINE: Final = re.compile(r"</?(?:a|b|i|u|em|span|font|strong)\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<(?:style|script|title)\b[^<>]*>[^<]*|<[^<>]*>?", re.IGNORECASE)
_QUOTE: Final = re.compile(r"^>|<blockquote|gmail_quote", re.MULTILINE | re.IGNORECASE)
_REACTIONS: Final = re.compile(
    r"""
    [^\w\s<>-]{1,20}\n[^.!?<>\n]{1,80}(?:react|reag|réag|reacc)[^.!?<>\n]{0,40}\bgmail\b
    | [^\w\s<>-]{1,20}\n[^.!?<>\n]{1,80}\bgmail\b[^.!?<>\n]{0,20}(?:react|reag|réag|reacc)
    | [^:\n]{1,80}\s(?:
        reacted[ ]to[ ]your[ ]message | hat[ ]auf[ ](?:ihre|deine)[ ]nachricht[ ]reagiert
        | a[ ]réagi[ ]à[ ](?:votre|ton)[ ]message | ha[ ]reaccionado[ ]a[ ](?:su|tu)[ ]mensaje
        | ha[ ]reagito[ ]al[ ](?:suo|tuo)[ ]messaggio | reagiu[ ]à[ ](?:sua|tua)[ ]mensagem
        | heeft[ ](?:op[ ](?:je|uw)[ ]bericht[ ]gereageerd|gereageerd[ ]op[ ](?:je|uw)[ ]bericht)
      )\s?:[ ]*(?:\n|\Z|[^\w\s])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_RECALLS: Final = re.compile(
    r"""
    .{1,80}\s(?:
        would[ ]like[ ]to[ ]recall[ ]the[ ]message,?[ ]?["“]
        | möchte[ ]die[ ]nachricht[ ]["„“].{0,300}["“”][ ]zurückrufen
        | souhaite(?:rait)?[ ]rappeler[ ]le[ ]message,?[ ]?[«"“]
        | desea(?:ría)?[ ]recuperar[ ]el[ ]mensaje,?[ ]?[«"“]
        | desidera[ ]richiamare[ ]il[ ]messaggio,?[ ]?[«"“]
        | wil[ ]het[ ]bericht[ ]["“„].{0,300}["”“][ ]intrekken
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LINKS: Final = re.compile(
    r"https://(?:confidential-mail\.google\.com/msg/|outlook\.office365\.com/encryption/"
    r"|mail\.proton(?:mail)?\.(?:me|com)/eo/)",
    re.IGNORECASE,
)


def is_gesture(plain: str | None, page: str | None) -> bool:
    """True if a message begins like a reaction, or like the recall of another message."""
    return any(
        _REACTIONS.match(text) is not None or _RECALLS.match(text) is not None
        for text in (_beginning(plain), _beginning(page, is_html=True))
    )


def is_protected(plain: str | None, page: str | None) -> bool:
    """True if a message contains only a link to a web page with its text."""
    own = (_QUOTE.split(text, maxsplit=1)[0] for text in (plain, page) if text)
    return any(_LINKS.search(text) is not None for text in own)


def rough_text(page: str) -> str:
    """Return the text of an HTML page, with approximate line breaks."""
    return html.unescape(_TAG.sub("\n", _INLINE.sub(" ", " ".join(page.split()))))


def _beginning(text: str | None, *, is_html: bool = False) -> str:
    shown = (text or "")[: 20 * _BEGINNING]
    if is_html:
        shown = rough_text(shown)
    lines = (" ".join(line.split()) for line in shown[: 2 * _BEGINNING].split("\n"))
    return "\n".join(filter(None, lines))[:_BEGINNING]
