"""What people in a hurry write instead of an order word: whole lines, and the orders that they are.

No line of our own mails may be one of these, for it comes back quoted. Nothing here moves a card or gives a seat up; those have words of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine import registry

LINES: Mapping[str, str] = {
    **dict.fromkeys(
        [
            *("table", "show table", "show the table", "show me the table"),
            *("the board", "show board", "show the board", "show me the board"),
            *("scores", "the score", "what s the score", "what is the score"),
            *("whose turn is it", "who s turn is it", "who is next", "where are we"),
            *("what does the table look like", "what s on the table"),
        ],
        "board",
    ),
    **dict.fromkeys(
        [
            "my hand",
            "my cards",
            "show my hand",
            "show my cards",
            "show me my cards",
            "what are my cards",
        ],
        "hand",
    ),
    **dict.fromkeys(
        ["what can i do", "what can i write", "how does this work", "commands", "help me"], "help"
    ),
    **dict.fromkeys(
        ["what are the rules", "how do i play", "how to play", "how do you play"],
        "rules",
    ),
    **dict.fromkeys(["what has happened", "last moves", "the last moves"], "history"),
    **dict.fromkeys(
        ["send again", "send it again", "send that again", "please send again"], "resend"
    ),
    **dict.fromkeys(["legal moves", "my moves", "what can i play"], "resend"),
    **dict.fromkeys(["my games", "list games", "list my games"], "games"),
    **dict.fromkeys(
        ["undo my move", "undo my last move", "undo last move", "take back", "take it back"], "undo"
    ),
    **dict.fromkeys(
        ["i m in", "i am in", "count me in", "sure count me in", "yes i d love to", "i d love to"],
        "join",
    ),
    **dict.fromkeys(["yes count me in", "yes i m in", "i accept", "i join", "i ll join"], "join"),
    **dict.fromkeys(
        [
            *("no thank you", "i decline", "sorry i decline", "decline sorry", "decline please"),
            *("please decline", "not interested", "sorry no time"),
        ],
        "decline",
    ),
    **dict.fromkeys(["leaderboard", "the standings", "rankings"], "standings"),
    **dict.fromkeys(["my settings", "preferences", "my preferences"], "settings"),
    **dict.fromkeys(["more time", "i need more time", "give more time"], "extend"),
    **dict.fromkeys(["pause the game", "pause game", "stop the clock"], "pause"),
    **dict.fromkeys(["resume the game", "resume game"], "resume"),
    **dict.fromkeys(["auf deutsch", "in german"], "language de"),
    **dict.fromkeys(["auf englisch", "in english"], "language en"),
    **dict.fromkeys(["another game", "one more game"], "rematch"),
}
"""By the line in small letters, without punctuation and what is only polite."""

_DAYS = r"(\d.{0,60}?|[A-Z][a-z]+ \d.{0,60}?)"
_AWAY = (
    rf"(?:(?:i am|i.m|i will be|i.ll be) )?(?:on vacation|on holidays?|away)(?: from)? {_DAYS}\.?"
)
_GAMES = "|".join(re.sub(r"(?<=[a-z])(?=\d)", " ?", name) for name in registry.names())
_FORMS = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (r"(?:show me )?the last (\d{1,3}) (?:moves|things|events)", r"history \1"),
        (r"last (\d{1,3}) moves", r"history \1"),
        (r"my time ?zone is (\S+?)\.?", r"timezone \1"),
        (r"time ?zone[\s:=]+([A-Za-z]+) ([A-Za-z]+)\.?", r"timezone \1_\2"),
        (_AWAY, r"vacation \1"),
        (r"(?:give )?(\d{1,2} (?:hours?|days?)) more(?: time)?", r"extend \1"),
        (
            rf"(?:start|make|begin) (?:a )?(?:new )?(?:game of )?((?:{_GAMES})\b.*)",
            r"new \1",
        ),
    )
)


def in_order_words(text: str) -> str | None:
    """Return the order that a line is in other words; None if it is none of these."""
    if text.strip() in ("?", "??", "???"):
        return "help"
    plain = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
    if plain in LINES:
        return LINES[plain]
    for pattern, said in _FORMS:
        found = pattern.fullmatch(text.strip(" !?"))
        if found is not None:
            return found.expand(said)
    return None
