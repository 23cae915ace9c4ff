"""English paraphrases of orders, each with its order.

None of our messages may contain such a line, because replies quote them. No line here moves a card
or gives up a seat. Those orders must be written with their own words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine import registry


def rows(text: str) -> dict[str, str]:
    """Parse a table whose lines have an order, a colon and synonyms. Returns orders by synonym."""
    parted = (line.partition(": ") for line in text.strip().splitlines())
    return {phrase: order for order, _, others in parted for phrase in others.split("; ")}


def words(text: str) -> frozenset[str]:
    """Parse a list of words that are separated by spaces."""
    return frozenset(text.split())


def pairs(text: str) -> dict[str, str]:
    """Parse a table of words and their English, as in `karo=diamonds; und=and`."""
    parted = (pair.partition("=") for pair in " ".join(text.split()).split("; "))
    return {word: english for word, _, english in parted}


LINES: Mapping[str, str] = rows("""
board: table; show table; show the table; show me the table; the board; show board
board: show the board; show me the board; scores; the score; what s the score; what is the score
board: whose turn is it; who s turn is it; who is next; where are we
board: what does the table look like; what s on the table
hand: my hand; my cards; show my hand; show my cards; show me my cards; what are my cards
help: what can i do; what can i write; how does this work; commands; help me
rules: what are the rules; how do i play; how to play; how do you play
history: what has happened; last moves; the last moves
resend: send again; send it again; send that again; please send again; legal moves; my moves
resend: what can i play
games: my games; list games; list my games
undo: undo my move; undo my last move; undo last move; take back; take it back
join: i m in; i am in; count me in; sure count me in; yes i d love to; i d love to
join: yes count me in; yes i m in; i accept; i join; i ll join
decline: no thank you; i decline; sorry i decline; decline sorry; decline please; please decline
decline: not interested; sorry no time
standings: leaderboard; the standings; rankings
settings: my settings; preferences; my preferences
extend: more time; give more time
pause: pause the game; pause game; stop the clock
resume: resume the game; resume game
language de: auf deutsch; in german
language en: auf englisch; in english
rematch: another game; one more game
""")
"""Orders by paraphrase, which is in lower case and without punctuation and polite words."""

_DAYS = r"(\d.{0,60}?|[A-Z][a-z]+ \d.{0,60}?)"
_AWAY = (
    rf"(?:(?:i am|i.m|i will be|i.ll be) )?(?:on vacation|on holidays?|away)(?: from)? {_DAYS}\.?"
)
_GAMES = "|".join(re.sub(r"(?<=[a-z])(?=\d)", " ?", name) for name in registry.names())
FORMS = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (r"(?:show me )?the last (\d{1,3}) (?:moves|things|events)", r"history \1"),
        (r"last (\d{1,3}) moves", r"history \1"),
        (r"my time ?zone is (\S+?)\.?", r"timezone \1"),
        (r"time ?zone[\s:=]+([A-Za-z]+) ([A-Za-z]+)\.?", r"timezone \1_\2"),
        (_AWAY, r"vacation \1"),
        (r"(\w+ (?:days?|weeks?))(?: of)? (?:vacation|holidays?)", r"vacation \1"),
        (r"(?:give )?(\d{1,2} (?:hours?|days?)) more(?: time)?", r"extend \1"),
        (
            rf"(?:start|make|begin) (?:a )?(?:new )?(?:game of )?({_GAMES})(?: game)?\b(.*)",
            r"new \1\2",
        ),
    )
)
"""Patterns of paraphrases with an argument, each with its order."""

WISH: Mapping[str, str] = {
    "joint": r"and|with|against|vs\.?|versus|plus",
    "units": "weeks?|days?|hours?|minutes?|mins?|seconds?",
    "numbers": "a an one; two; three; four; five",
    "leaves_out": "not no without except excluding but or",
    "levels": "easy|medium|hard",
    "open": "open",
    "free": "open|free",
    "seats": "seats?|places?",
    "for": "for|to|with",
    "players": "players?|people|persons",
    "per": r"per|a|each|every|for\s+(?:each|a|every)|/",
    "moves": "moves?|turns?",
    "weekends": "weekends?",
    "no": r"no|without",
    "off": "off|free|yes|true",
    "anonymous": r"anonymous(?:[\s_-]*(?:talk|words))?",
    "switch": "on|off|yes|no|true|false",
    "polite": r"please|pls|plz|thank\s+you(?:\s+very\s+much)?|thanks(?:\s+a\s+lot)?|many\s+thanks|thx",
    "me": "me myself i",
}
"""Words in an order for a new game (`new …`), as parts of the patterns in `game_forms`."""
OFF = words("no off false")
"""Values that turn a setting off."""
EVERYBODY = frozenset({"all", "everybody", "everyone", "the table"})
"""Words that address the whole table in a talk message."""
REPLY_MARKER = "-- In your reply, write above this line. --"
"""First line of the text of every message. Replies are written above it."""
