"""Parse lines with the service's own order words, and answer questions about these words."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from engine import registry
from engine.sentences import Sentence
from pbem.domain.terms.dates import sounds_like_days
from pbem.domain.words import en
from pbem.domain.words.forms import Spelling
from pbem.domain.words.game_order import reads_as_game_order
from pbem.domain.words.league_words import NEW_LEAGUE
from pbem.domain.words.service_words import NEW, ORDER_WORDS, PARTS, VACATION, Word

SHORTEST_NEAR = 4
"""Letters of words that can be mistyped order words. Shorter ones resemble too many others."""


@dataclass(frozen=True, slots=True)
class ServiceWords:
    """A parsed line with one of the service's order words.

    Attributes:
        argument: the argument after the word, such as the phrase in `join phrase: …`, the zone in
            `timezone …`, the ruleset in `rules …`, `confirm` in `resign confirm`, or the whole text
            after `say`. None if there is no argument.
    """

    word: Word
    argument: str | None = None


_QUESTION = re.compile("[?？؟]\\s*\\Z")
_ABOUT_RULESET = re.compile(r"(rules|standings|ladder)(?: (?:of|for|in))? (.{1,40})")


_FORMS = [(word, form) for word, row in ORDER_WORDS.items() for form in row.forms]
_BY_NAME = {name: word for word, row in ORDER_WORDS.items() for name in row.names(word.value)}

_REMEMBERED = 4096
"""Number of parsed lines to cache. Replies often quote the same lines of our messages."""


@lru_cache(_REMEMBERED)
def read_service_words(text: str) -> ServiceWords | None:
    """Parse a line as an order in the service's words or their synonyms, or return None."""
    match = _in_own_words(text)
    other = None if match is not None else in_order_words(text)
    return match if other is None else _in_own_words(other)


def in_order_words(text: str) -> str | None:
    """Return the order that a line paraphrases, or None."""
    if text.strip() in ("?", "??", "???"):
        return "help"
    plain = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
    if plain in en.LINES:
        return en.LINES[plain]
    for pattern, template in en.FORMS:
        match = pattern.fullmatch(text.strip(" !?"))
        if match is not None:
            return match.expand(template)
    return None


def _in_own_words(text: str) -> ServiceWords | None:
    stripped = text.strip()
    for word, form in _FORMS:
        match = form.pattern.fullmatch(stripped)
        argument = None if match is None else "".join(match.groups()) if match[1] else match[1]
        if match is None or (argument is not None and form.check(argument) is None):
            continue
        if word is Word.NEW and not reads_as_game_order(match[1]):
            continue
        return ServiceWords(word, None if argument is None else form.check(argument.strip()))
    plain = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
    asked = _ABOUT_RULESET.fullmatch(plain)
    name = None if asked is None else _ruleset_name(asked[2])
    if asked is not None and name is not None:
        return ServiceWords(Word(asked[1]), name)
    named = _BY_NAME.get(plain)
    return None if named is None or is_doubtful(text, named, None) else ServiceWords(named)


def is_doubtful(text: str, word: Word | None, argument: str | None) -> bool:
    """True if a line such as `undo?` only asks about an order.

    Orders with an argument, such as talk and disputes, may end with a question mark.
    """
    is_bare = argument is None or word is Word.RESIGN
    return (
        is_bare and word is not None and not ORDER_WORDS[word].asks and bool(_QUESTION.search(text))
    )


@lru_cache(_REMEMBERED)
def takes_whole_line(text: str) -> bool:
    """True if a line has free text after its order word, so that it is not split at `;`."""
    return any(form.takes_line and form.pattern.fullmatch(text) for _, form in _FORMS)


def is_for_anybody(text: str) -> bool:
    """True if a line is an order that does not need a seat, or that only displays a game."""
    words = read_service_words(text)
    row = None if words is None else ORDER_WORDS[words.word]
    return row is not None and (row.looks or not row.needs_seat)


def opens_block(text: str) -> bool:
    """True if an order such as `new phalanx with` continues until the next empty line."""
    if NEW_LEAGUE.fullmatch(text):
        return True
    match = NEW.fullmatch(text)
    return match is not None and reads_as_game_order(match[1])


def service_words() -> set[str]:
    """Return all lines, mostly single words, that are complete orders."""
    return set(_BY_NAME) | set(en.LINES)


def _ruleset_name(words: str) -> str | None:
    """Return the ruleset with a name such as `phyliss` or `phase 10 family`, or None."""
    letters = words.replace(" ", "")
    return next((name for name in registry.names() if name.replace("-", "") == letters), None)


_TALK = frozenset({"phase", "phases"})
"""Words about a game that are never corrected to similar order words (`pause`)."""
_SPELLING = Spelling((word.value for word in Word), SHORTEST_NEAR)


def near_service_word(text: str) -> str | None:
    """Return the order that a line resembles, or None."""
    away = VACATION.fullmatch(text.strip())
    if away is not None and sounds_like_days(away[1]):
        return "vacation 20 Dec to 2 Jan"
    plain = text.strip(" .,!").lower()
    if plain in _TALK:
        return None
    if len(plain) == SHORTEST_NEAR:
        return _SPELLING.slipped(plain)  # `john` is no `join`
    return next(iter(_SPELLING.near(plain)), None)


def help_lines(section: str, rulesets: Collection[str]) -> list[Sentence]:
    """Return the lines about order words in a part of the help.

    Args:
        section: a key of `PARTS`.
        rulesets: rulesets of the reader's games. If empty, all order words are included.
    """
    played = [registry.find(name) for name in rulesets if name in registry.names()]
    return [
        Sentence(line)
        for row in PARTS[section].values()
        if not (played and row.help_for)
        or any(row.help_for in ruleset.order_words for ruleset in played)
        for line in row.help.splitlines()
    ]
