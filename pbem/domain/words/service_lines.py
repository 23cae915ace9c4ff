"""Reads a line in the service's own words, and tells of these words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from engine import registry
from engine.sentences import Sentence
from pbem.domain.terms.dates import sounds_like_days
from pbem.domain.words import en
from pbem.domain.words.game_order import reads_as_game_order
from pbem.domain.words.league_words import NEW_LEAGUE
from pbem.domain.words.service_words import NEW, ORDER_WORDS, PARTS, VACATION, Word

SHORTEST_NEAR, LONGEST_NEAR = 4, 10
"""Lengths of possible mistyped order words; shorter ones resemble too many others."""


@dataclass(frozen=True, slots=True)
class ServiceWords:
    """A line in the service's own words.

    Attributes:
        argument: what follows the word: the phrase of `join phrase: …`, the zone of `timezone …`,
            the ruleset of `rules …`, `standings …` and `ladder …`, the days of `vacation …`, the time of
            `extend …`, the code of `language …`, `confirm` of `resign confirm`, the player of
            `mute` and `unmute`, all words after `say`, the text after `reminders …`, `digest …`,
            `html …`, `cards …`, `auto …`, `dispute …`, `next: …`, `drawing: …`, `try …`, `talk …` and
            `history …`; None without an argument.
    """

    word: Word
    argument: str | None = None


_QUESTION = re.compile("[?？؟]\\s*\\Z")
_ABOUT_RULESET = re.compile(r"(rules|standings|ladder)(?: (?:of|for|in))? (.{1,40})")


_FORMS = [(word, form) for word, row in ORDER_WORDS.items() for form in row.forms]
_BY_NAME = {name: word for word, row in ORDER_WORDS.items() for name in row.names(word.value)}

_REMEMBERED = 4096
"""Lines whose reading is cached: answers quote much the same lines of our mails."""


@lru_cache(_REMEMBERED)
def read_service_words(text: str) -> ServiceWords | None:
    """Read a whole line in the service's words or synonyms; None if not an order."""
    found = _in_own_words(text)
    other = None if found is not None else in_order_words(text)
    return found if other is None else _in_own_words(other)


def in_order_words(text: str) -> str | None:
    """Return the order that a line paraphrases; None if it does not match any."""
    if text.strip() in ("?", "??", "???"):
        return "help"
    plain = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
    if plain in en.LINES:
        return en.LINES[plain]
    for pattern, said in en.FORMS:
        found = pattern.fullmatch(text.strip(" !?"))
        if found is not None:
            return found.expand(said)
    return None


def _in_own_words(text: str) -> ServiceWords | None:
    stripped = text.strip()
    for word, form in _FORMS:
        found = form.pattern.fullmatch(stripped)
        argument = None if found is None else "".join(found.groups()) if found[1] else found[1]
        if found is None or (argument is not None and form.check(argument) is None):
            continue
        if word is Word.NEW and not reads_as_game_order(found[1]):
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
    """True if a line with this order word asks whether to use it: `undo?`.

    What somebody says, tries or complains about can well end in a question mark.
    """
    is_bare = argument is None or word is Word.RESIGN
    return (
        is_bare and word is not None and not ORDER_WORDS[word].asks and bool(_QUESTION.search(text))
    )


@lru_cache(_REMEMBERED)
def takes_whole_line(text: str) -> bool:
    """True if a line contains free text after its order word: a `;` does not split it."""
    return any(form.takes_line and form.pattern.fullmatch(text) for _, form in _FORMS)


def is_for_anybody(text: str) -> bool:
    """True if a line is an order that needs no seat, or shows the only game of its writer."""
    found = read_service_words(text)
    row = None if found is None else ORDER_WORDS[found.word]
    return row is not None and (row.looks or not row.needs_seat)


def opens_block(text: str) -> bool:
    """True if an order goes on below, up to an empty line: `new phalanx with`."""
    if NEW_LEAGUE.fullmatch(text):
        return True
    found = NEW.fullmatch(text)
    return found is not None and reads_as_game_order(found[1])


def service_words() -> set[str]:
    """Return every word that is an order by itself."""
    return set(_BY_NAME) | set(en.LINES)


def _ruleset_name(words: str) -> str | None:
    """Return the ruleset called `phyliss`, `Phase 10` or `phase 10 family`."""
    letters = words.replace(" ", "")
    return next((name for name in registry.names() if name.replace("-", "") == letters), None)


_TALK = frozenset({"phase", "phases"})
"""Words about a game that are not misspelt order words (`pause`)."""


def near_service_word(text: str) -> str | None:
    """Return the order that a line nearly matches; None if there is none."""
    away = VACATION.fullmatch(text.strip())
    if away is not None and sounds_like_days(away[1]):
        return "vacation 20 Dec to 2 Jan"
    plain = text.strip(" .,!").lower()
    if not SHORTEST_NEAR <= len(plain) <= LONGEST_NEAR or " " in plain or plain in _TALK:
        return None
    words = [word.value for word in Word if len(word.value) >= SHORTEST_NEAR]
    close = difflib.get_close_matches(plain, words, n=1, cutoff=0.8)
    return next(iter(close), None) or next((w for w in words if _is_swap(plain, w)), None)


def _is_swap(text: str, word: str) -> bool:
    """True if two neighbouring letters are swapped; "John" is not a misspelt "join"."""
    differ = [at for at, (a, b) in enumerate(zip(text, word, strict=False)) if a != b]
    return (
        len(text) == len(word)
        and len(differ) == 2  # noqa: PLR2004  (the two letters)
        and text[differ[0]] == word[differ[1]]
        and text[differ[1]] == word[differ[0]]
    )


def help_lines(part: str, rulesets: Collection[str]) -> list[Sentence]:
    """Return the lines about order words in a part of the help.

    `rulesets` are those of the reader's games. Without any, all order words are included.
    """
    played = [registry.find(name) for name in rulesets if name in registry.names()]
    return [
        Sentence(line)
        for row in PARTS[part].values()
        if not (played and row.help_for) or any(row.help_for in one.order_words for one in played)
        for line in row.help.splitlines()
    ]
