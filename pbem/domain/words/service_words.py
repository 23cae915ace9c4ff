"""The service's own order words and their arguments; games do not change them.

Each word is a member of `Word` and a row of `ORDER_WORDS`. Whole lines with the same meaning are in
`en`; other languages have a module like `de`.
"""

from __future__ import annotations

import difflib
import enum
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine import registry
from pbem.domain.log.motion_events import VOTED_ON
from pbem.domain.terms.dates import read_days, sounds_like_days
from pbem.domain.words import en
from pbem.domain.words.game_order import reads_as_game_order
from pbem.durations import parse_duration
from pbem.language import find_language

SHORTEST_NEAR, LONGEST_NEAR = 4, 10
"""Lengths of possible mistyped order words; shorter ones resemble too many others."""


class Word(enum.Enum):
    """The service's order words, in any case and with any closing punctuation."""

    JOIN = "join"
    DECLINE = "decline"
    RESIGN = "resign"
    CONFIRM = "confirm"
    YES = "yes"
    NO = "no"
    HELP = "help"
    RULES = "rules"
    GAMES = "games"
    STANDINGS = "standings"
    BOARD = "board"
    HISTORY = "history"
    TIMEZONE = "timezone"
    VACATION = "vacation"
    BACK = "back"
    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    UNDO = "undo"
    TEMPO = "tempo"
    REMATCH = "rematch"
    REPLACE = "replace"
    EXPORT = "export"
    ADDRESS = "address"
    OBSERVE = "observe"
    UNOBSERVE = "unobserve"
    REMINDERS = "reminders"
    DISPUTE = "dispute"
    DIGEST = "digest"
    SETTINGS = "settings"
    LANGUAGE = "language"
    NEXT = "next"
    DRAWING = "drawing"
    TRY = "try"
    SAY = "say"
    TALK = "talk"
    HTML = "html"
    AUTO = "auto"
    MUTE = "mute"
    UNMUTE = "unmute"
    HAND = "hand"
    RESEND = "resend"
    NEW = "new"
    TAKE = "join game"
    INVITE = "invite"
    BOT = "bot"
    WITHOUT = "start without"
    NEVER = "never again"
    TUTORIAL = "tutorial"
    SKIP = "skip tutorial"


@dataclass(frozen=True, slots=True)
class ServiceWords:
    """A line in the service's own words.

    Attributes:
        argument: what follows the word: the phrase of `join phrase: …`, the zone of `timezone …`,
            the ruleset of `rules …` and `standings …`, the days of `vacation …`, the time of
            `extend …`, the code of `language …`, `confirm` of `resign confirm`, the player of
            `mute` and `unmute`, all words after `say`, the text after `reminders …`, `digest …`,
            `html …`, `auto …`, `dispute …`, `next: …`, `drawing: …`, `try …`, `talk …` and
            `history …`; None without an argument.
    """

    word: Word
    argument: str | None = None


def _kept(text: str) -> str:
    return text


def _lower(text: str) -> str:
    return text.lower()


def _days(text: str) -> str | None:
    return None if read_days(text) is None else text


def _duration(text: str) -> str | None:
    try:
        parse_duration(text)
    except ValueError:
        return None
    return text


@dataclass(frozen=True, slots=True)
class _Form:
    """How an order word is written together with its argument.

    Attributes:
        pattern: matches the whole line; its one group is the argument.
        check: returns the argument to pass on; None if the line is not this order.
        takes_line: the rest of the line is the player's own text, including any `;`.
    """

    pattern: re.Pattern[str]
    check: Callable[[str], str | None] = _kept
    takes_line: bool = False


def _form(pattern: str, check: Callable[[str], str | None] = _kept) -> _Form:
    return _Form(re.compile(pattern, re.IGNORECASE), check)


def _text(pattern: str) -> _Form:
    return _Form(re.compile(pattern, re.IGNORECASE), takes_line=True)


@dataclass(frozen=True, slots=True)
class OrderWord:
    """The properties of an order word, except its effect and its translations.

    Attributes:
        forms: how it is written with an argument.
        synonyms: other lines that mean the bare word.
        needs_seat: it is about the game of the answered mail; else it is allowed in any mail.
        asks: it is a question, so a question mark changes nothing; `undo?` is a doubt.
        looks: it shows one game and changes nothing; a player with one game need not name it.
        is_private: only the service reads such a line; admins do not see it.
        welcomes: a stranger who writes it probably wants to play here.
        needs_proof: it affects others or is final, so the mail must prove its sender.
        is_setting: it shows the person's settings, or with an argument changes them.
    """

    word: Word
    forms: tuple[_Form, ...] = ()
    synonyms: tuple[str, ...] = ()
    needs_seat: bool = True
    asks: bool = False
    looks: bool = False
    is_private: bool = False
    welcomes: bool = False
    needs_proof: bool = False
    is_setting: bool = False


def _row(word: Word, *forms: _Form, synonyms: str = "", **traits: bool) -> OrderWord:
    return OrderWord(word, forms, tuple(filter(None, synonyms.split("; "))), **traits)


_VACATION = re.compile(r"(?:vacation|holidays?)[\s:,=]+(\S.{0,80})", re.IGNORECASE)

_MOTIONS = "|".join(VOTED_ON)
_GAME_ID = r"(?:(?:the )?game )?\[?([a-z0-9]{10})\]?"
_NEW = re.compile(r"new[\s:,]+(\S.*)", re.IGNORECASE | re.DOTALL)
_GUEST = r"(\S*@\S.{0,300}|[^\n.!?]{1,120}@[^\n]{1,200}|[^\W\d_][\w'.-]*(?: [\w'.-]+){0,5})"

ORDER_WORDS: Mapping[Word, OrderWord] = {
    row.word: row
    for row in (
        _row(
            Word.NEW,
            _Form(_NEW, lambda text: text if reads_as_game_order(text) else None, takes_line=True),
            needs_seat=False,
            welcomes=True,
            needs_proof=True,
        ),
        _row(
            Word.TAKE,
            _text(rf"join[\s:]+{_GAME_ID}((?:[\s,;:.-]+phrase\s*[:=]?\s*\S.*)?)\.?"),
            needs_seat=False,
            welcomes=True,
            needs_proof=True,
        ),
        _row(Word.INVITE, _form(rf"invite[\s:]+{_GUEST}")),
        _row(
            Word.BOT,
            _form(
                r"((?:(?:easy|hard) )?bot (?:instead of|for) \S.{0,60}|(?:easy|hard) bot)", _lower
            ),
        ),
        _row(
            Word.WITHOUT,
            _form(r"start (?:the game )?without(?: (\S.{0,60}))?[.!]?"),
            synonyms="start",
        ),
        _row(
            Word.NEVER,
            _form(r"invitations[\s:=]+(on|off)[.!]?", _lower),
            synonyms="never; never invite me again",
            needs_seat=False,
            needs_proof=True,
        ),
        _row(
            Word.JOIN,
            _text(r"(?:join|accept)?[\s,;:.-]*phrase\s*[:=]?\s*(\S.*)"),
            synonyms="accept",
        ),
        _row(Word.DISPUTE, _text(r"dispute(?:[\s:,.!-]+(\S.*))?")),
        _row(Word.RESIGN, _form(r"resign\W+(confirm)[^\w?？؟]*", _lower)),
        _row(Word.SAY, _text(r"say(?:\s*:\s*|\s+|\Z)(.*)")),
        _row(
            Word.TALK,
            _form(r"talk(?:[\s:=]+(at once|folded|as usual))?[.!]?", _lower),
            needs_seat=False,
            is_setting=True,
        ),
        _row(
            Word.HTML, _form(r"html[\s:=]+(on|off)[.!]?", _lower), needs_seat=False, is_setting=True
        ),
        _row(
            Word.AUTO,
            _form(r"auto(?: moves)?[\s:=]+(public|all|on|off)[.!]?", _lower),
            needs_seat=False,
        ),
        _row(Word.MUTE, _form(r"mute(?:[\s:=]+(\S.{0,60}))?"), is_private=True),
        _row(Word.UNMUTE, _form(r"unmute(?:[\s:=]+(\S.{0,60}))?"), is_private=True),
        _row(
            Word.HISTORY, _form(r"history[\s:=]+(talk|\d{1,4})[.!]?", _lower), asks=True, looks=True
        ),
        _row(
            Word.TIMEZONE,
            _form(r"time ?zone[\s:=]+([A-Za-z0-9_+/-]{1,64})\.?"),
            needs_seat=False,
            is_setting=True,
        ),
        _row(
            Word.VACATION,
            _Form(_VACATION, _days),
            synonyms="holiday; holidays",
            needs_seat=False,
            needs_proof=True,
        ),
        _row(
            Word.REMINDERS,
            _form(r"reminders?[\s:=]+(on|off|\d[\w ,]{0,60})[.!]?", _lower),
            needs_seat=False,
            is_setting=True,
        ),
        _row(
            Word.DIGEST,
            _form(r"(?:daily )?digest(?: at)?[\s:=]+(on|off|\d{1,2}(?::00)?)[.!]?", _lower),
            needs_seat=False,
            is_setting=True,
        ),
        _row(
            Word.LANGUAGE,
            _form(r"(?:language|sprache)[\s:=]+([^\W\d_]{2,20})[.!]?", find_language),
            needs_seat=False,
            is_setting=True,
        ),
        _row(Word.REPLACE, _form(r"replace[\s:]+(\S.{0,40}?(?: (?:with|by)[\s:]+\S.{2,150})?)")),
        _row(
            Word.ADDRESS,
            _form(r"address[\s:]+((?:add|remove|primary) \S{3,254}?)\.?", _lower),
            synonyms="addresses",
            needs_seat=False,
            is_setting=True,
        ),
        _row(
            Word.EXPORT,
            _form(r"export[\s:]+(?:game )?\[?([a-z2-7]{10})\]?\.?", _lower),
            needs_seat=False,
        ),
        _row(
            Word.OBSERVE,
            _form(r"observe[\s:]+(?:game )?\[?([a-z2-7]{10})\]?\.?", _lower),
            needs_seat=False,
            needs_proof=True,
        ),
        _row(
            Word.UNOBSERVE,
            _form(r"unobserve[\s:]+(?:game )?\[?([a-z2-7]{10})\]?\.?", _lower),
            needs_seat=False,
            needs_proof=True,
        ),
        _row(Word.UNDO, _form(r"undo[\s:]+(?:to |back to )?(?:before )?(?:move )?(\d{1,5})[.!]?")),
        _row(
            Word.TEMPO,
            _form(r"tempo[\s:=]+(\d[\w ]{0,20}?)(?: (?:per|a|for each) move)?\.?", _duration),
        ),
        _row(
            Word.YES, _form(rf"yes[\s,:]+(?:to )?({_MOTIONS})[.!]?", _lower), synonyms="yes please"
        ),
        _row(Word.NO, _form(rf"no[\s,:]+(?:to )?({_MOTIONS})[.!]?", _lower)),
        _row(Word.NEXT, _form(r"next(?:\s+turn)?\s*[:=]\s*(\S.*)?"), is_private=True),
        _row(Word.DRAWING, _form(r"drawing(?:\s+rule)?\s*[:=]\s*(\S.*)?"), is_private=True),
        _row(Word.TRY, _form(r"try(?:\s*[:=]\s*|\s+)(\S.*)"), is_private=True),
        _row(Word.EXTEND, _form(r"extend(?: by)?[\s:=]+(\d[\w ]{0,20})\.?", _duration)),
        _row(Word.DECLINE, synonyms="no thanks; call off; cancel"),
        _row(Word.CONFIRM),
        _row(Word.HELP, needs_seat=False, asks=True, welcomes=True),
        _row(Word.RULES, needs_seat=False, asks=True, welcomes=True),
        _row(Word.GAMES, needs_seat=False, asks=True, welcomes=True),
        _row(Word.STANDINGS, synonyms="ratings; ranking", needs_seat=False, asks=True),
        _row(Word.BOARD, synonyms="status; catch up", asks=True, looks=True),
        _row(Word.BACK, synonyms="i am back", needs_seat=False, needs_proof=True),
        _row(Word.PAUSE),
        _row(Word.RESUME),
        _row(Word.REMATCH, synonyms="revenge"),
        _row(Word.SETTINGS, needs_seat=False, asks=True, is_setting=True),
        _row(Word.HAND, asks=True, looks=True),
        _row(Word.RESEND, needs_seat=False, asks=True),
        _row(Word.TUTORIAL, synonyms="lesson", needs_seat=False, welcomes=True, needs_proof=True),
        _row(Word.SKIP),
    )
}
"""One row for each order word; if two forms match a line, the first one counts."""

_QUESTION = re.compile("[?？؟]\\s*\\Z")
_ABOUT_RULESET = re.compile(r"(rules|standings)(?: (?:of|for|in))? (.{1,40})")


_FORMS = [(row, form) for row in ORDER_WORDS.values() for form in row.forms]
_BY_NAME = {
    name: row.word for row in ORDER_WORDS.values() for name in (row.word.value, *row.synonyms)
}

_REMEMBERED = 4096
"""Lines whose reading is cached: answers quote much the same lines of our mails."""


@lru_cache(_REMEMBERED)
def read_service_words(text: str) -> ServiceWords | None:
    """Read a whole line in the service's words or synonyms; None if not an order."""
    found = _in_own_words(text)
    other = None if found is not None else en.in_order_words(text)
    return found if other is None else _in_own_words(other)


def _in_own_words(text: str) -> ServiceWords | None:
    stripped = text.strip()
    for row, form in _FORMS:
        found = form.pattern.fullmatch(stripped)
        argument = None if found is None else "".join(found.groups()) if found[1] else found[1]
        if found is None or (argument is not None and form.check(argument) is None):
            continue
        return ServiceWords(row.word, None if argument is None else form.check(argument.strip()))
    plain = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
    asked = _ABOUT_RULESET.fullmatch(plain)
    name = None if asked is None else _ruleset_name(asked[2])
    if asked is not None and name is not None:
        return ServiceWords(Word(asked[1]), name)
    word = _BY_NAME.get(plain)
    return None if word is None or is_doubtful(text, word, None) else ServiceWords(word)


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


def opens_block(text: str) -> bool:
    """True if an order goes on below, up to an empty line: `new phalanx with`."""
    found = _NEW.fullmatch(text)
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
    away = _VACATION.fullmatch(text.strip())
    if away is not None and sounds_like_days(away[1]):
        return "vacation 20 Dec to 3 Jan"
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
