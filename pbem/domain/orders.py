"""What a player may write, line by line, before anybody asks whether it is legal.

A whole line must be an order: prose never moves a card. Reading ends at a signature mark, `end`,
`stop` or `--`. Lines within typing distance of an order are kept apart: they stop the reading and
are suggested, never executed.
"""

from __future__ import annotations

import difflib
import enum
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine import registry
from engine.api import AnyRuleset
from engine.orders import alternatives, is_near_order, is_order, list_number, number_and_move
from pbem.domain.dates import read_days, sounds_like_days
from pbem.domain.politeness import bare_words
from pbem.durations import parse_duration

MAX_LINES = 50
"""Lines of one mail that are read; nobody needs more, and a flood stays cheap."""

MAX_LINE = 500

SHORTEST_NEAR, LONGEST_NEAR = 4, 10
"""Lengths of words that may be a mistyped order word; shorter ones are like too many others."""

END_MARKS = frozenset({"end", "stop", "--", "-- ", "__", "___"})


class Word(enum.Enum):
    """The service's own order words; each is understood with any case and closing punctuation."""

    JOIN = "join"
    DECLINE = "decline"
    RESIGN = "resign"
    CONFIRM = "confirm"
    YES = "yes"
    NO = "no"
    HELP = "help"
    RULES = "rules"
    GAMES = "games"
    BOARD = "board"
    HISTORY = "history"
    TIMEZONE = "timezone"
    VACATION = "vacation"
    BACK = "back"
    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    REMINDERS = "reminders"
    DISPUTE = "dispute"
    DIGEST = "digest"
    SETTINGS = "settings"


_SYNONYMS = {
    "hand": Word.BOARD,
    "resend": Word.BOARD,
    "status": Word.BOARD,
    "accept": Word.JOIN,
    "no thanks": Word.DECLINE,
    "yes please": Word.YES,
    "resign confirm": Word.RESIGN,
    "i am back": Word.BACK,
    "catch up": Word.HISTORY,
    "holiday": Word.VACATION,
    "holidays": Word.VACATION,
}


class LineKind(enum.Enum):
    """What a line is, judged by its form alone."""

    SERVICE = "service"
    GAME = "game"
    NEAR = "near"
    """Nearly an order: a typing mistake, most likely."""
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a mail.

    Attributes:
        text: the player's words, trimmed.
        order: for `GAME`: the words with seat numbers for the players' names, as the rules read them.
        word: for `SERVICE`.
        argument: the phrase of `join phrase: …`, the zone of `timezone …`, the name of the ruleset
            of `rules …`, the days of `vacation …`, the time of `extend …`, what follows `reminders …` and `digest …`; None if there is none.
        guess: for `NEAR`: the order word that may have been meant.
    """

    text: str
    kind: LineKind
    order: str = ""
    word: Word | None = None
    argument: str | None = None
    guess: str | None = None


_TIMEZONE = re.compile(r"time ?zone[\s:=]+([A-Za-z0-9_+/-]{1,64})\.?", re.IGNORECASE)
_RULES_OF = re.compile(r"rules(?: (?:of|for))? (.{1,40})")
_VACATION = re.compile(r"(?:vacation|holidays?)[\s:,=]+(\S.{0,80})", re.IGNORECASE)
_EXTEND = re.compile(r"extend(?: by)?[\s:=]+(\d[\w ]{0,20})\.?", re.IGNORECASE)
_DISPUTE = re.compile(r"dispute(?:[\s:,.!-]+(\S.*))?", re.IGNORECASE)
_REMINDERS = re.compile(r"reminders?[\s:=]+(on|off|\d[\w ,]{0,60})[.!]?", re.IGNORECASE)
_DIGEST = re.compile(
    r"(?:daily )?digest(?: at)?[\s:=]+(on|off|\d{1,2}(?::00)?)[.!]?", re.IGNORECASE
)
_JOIN_PHRASE = re.compile(r"(?:join|accept)?[\s,;:.-]*phrase\s*[:=]?\s*(\S.*)", re.IGNORECASE)


def read_lines(
    text: str, rulesets: Sequence[AnyRuleset], names: Sequence[str] = ()
) -> tuple[Line, ...]:
    """Split own text into lines and judge each by its form; `names` of the players by seat."""
    lines: list[Line] = []
    for raw in text.splitlines()[: MAX_LINES * 4]:
        stripped = raw.strip()[:MAX_LINE]
        if stripped.lower().rstrip(".!") in END_MARKS:
            break
        for part in _split(stripped):
            if len(lines) >= MAX_LINES:
                return tuple(lines)
            lines.append(read_line(part, rulesets, names))
    return tuple(lines)


def _split(line: str) -> Iterable[str]:
    """Split at `;`, but for a phrase and a complaint, which take their whole line."""
    whole = _JOIN_PHRASE.fullmatch(line) or _DISPUTE.fullmatch(line)
    parts = [line] if whole else line.split(";")
    return [part.strip() for part in parts if part.strip()]


def read_line(text: str, rulesets: Sequence[AnyRuleset], names: Sequence[str] = ()) -> Line:
    """Judge one line by its form; `names` of the players by seat."""
    order = _with_seats(text, rulesets, names)
    exact = _exact_line(text, order, rulesets) or _polite_line(text, rulesets, names)
    if exact is not None:
        return exact
    guess = _near_service_word(text)
    if guess is not None or any(is_near_order(rules, order) for rules in rulesets):
        return Line(text, LineKind.NEAR, order, guess=guess)
    return Line(text, LineKind.PROSE)


def _exact_line(text: str, order: str, rulesets: Sequence[AnyRuleset]) -> Line | None:
    """Judge a line that is an order to the letter, or a card that may be talk; None for others."""
    service = _service_line(text)
    if service is not None:
        return service
    if not any(is_order(rules, order) for rules in rulesets):
        return None
    if _is_word_or_card(order, rulesets):
        return Line(text, LineKind.NEAR, order, guess=f"play {text.strip(' .,!')}")
    return Line(text, LineKind.GAME, order)


_ANSWERS = frozenset({Word.YES, Word.NO, Word.CONFIRM, Word.RESIGN, Word.DECLINE})
"""Words whose meaning hangs on what stands beside them: `no thanks`, `please resign`."""


def _polite_line(text: str, rulesets: Sequence[AnyRuleset], names: Sequence[str]) -> Line | None:
    """Judge a line by what remains of it without please, thanks, numbering and pictures."""
    bare, to_somebody = bare_words(text)
    if bare == text:
        return None
    line = _exact_line(bare, _with_seats(bare, rulesets, names), rulesets)
    if line is None or line.word in _ANSWERS:
        return None
    if line.kind is LineKind.NEAR and to_somebody:
        return None
    return replace(line, text=text)


def _is_word_or_card(text: str, rulesets: Sequence[AnyRuleset]) -> bool:
    """Say whether a line is one word that is a card too: `Ah!`, `As`, `K`, `Jack` may be talk."""
    word = text.strip(" .,!")
    return word.isalpha() and any(rules.reads_as_order(f"{word} {word}") for rules in rulesets)


def with_seat_numbers(text: str, names: Sequence[str], *, every: int | None = None) -> str:
    """Write seat numbers for the names of players: rules know seats, people know each other.

    With `every` it is this number for each of them.
    """
    by_name = {name.casefold(): seat if every is None else every for seat, name in enumerate(names)}
    if not by_name:
        return text
    longest_first = sorted(by_name, key=len, reverse=True)
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"
    return re.sub(
        pattern,
        lambda found: str(by_name.get(found.group().casefold(), found.group())),
        text,
        flags=re.IGNORECASE,
    )


_NO_CARD = 0
"""A number that is a seat and never a rank."""


def _with_seats(text: str, rulesets: Sequence[AnyRuleset], names: Sequence[str]) -> str:
    """Write seat numbers where only a seat can be meant: who signs as seat 2 plays no 2."""
    order = with_seat_numbers(text, names)
    if order == text:
        return text
    probe = with_seat_numbers(text, names, every=_NO_CARD)
    is_seat = any(is_order(rules, probe) or is_near_order(rules, probe) for rules in rulesets)
    return order if is_seat else text


def is_taken_word(name: str, rules: AnyRuleset) -> bool:
    """Say whether a player's name would be read as something else: an order, a card, a number."""
    plain = name.strip().casefold()
    words = {word.value for word in Word} | set(_SYNONYMS) | set(rules.order_words) | END_MARKS
    return plain in words or plain.isdigit() or rules.reads_as_order(plain)


def reads_as_order(text: str, rulesets: Sequence[AnyRuleset], names: Sequence[str] = ()) -> bool:
    """Say whether a line would be taken for an order: what a quoted line must never be."""
    exact = _exact_line(text, _with_seats(text, rulesets, names), rulesets) or _polite_line(
        text, rulesets, names
    )
    return exact is not None and exact.kind in (LineKind.SERVICE, LineKind.GAME)


def names_list_number(text: str, rules: AnyRuleset) -> bool:
    """Say whether an order names a listed move by its number, alone or among alternatives."""
    return any(
        list_number(part) is not None or number_and_move(rules, part) is not None
        for part in alternatives(text)
    )


def _service_line(text: str) -> Line | None:
    phrase = _JOIN_PHRASE.fullmatch(text)
    if phrase is not None:
        return Line(text, LineKind.SERVICE, word=Word.JOIN, argument=phrase.group(1).strip())
    zone = _TIMEZONE.fullmatch(text.strip())
    if zone is not None:
        return Line(text, LineKind.SERVICE, word=Word.TIMEZONE, argument=zone.group(1))
    dispute = _DISPUTE.fullmatch(text.strip())
    if dispute is not None:
        return Line(text, LineKind.SERVICE, word=Word.DISPUTE, argument=dispute.group(1))
    timed = _time_line(text.strip())
    if timed is not None:
        return timed
    plain = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
    asked = _RULES_OF.fullmatch(plain)
    name = None if asked is None else _ruleset_name(asked.group(1))
    if name is not None:
        return Line(text, LineKind.SERVICE, word=Word.RULES, argument=name)
    word = _SYNONYMS.get(plain)
    if word is None:
        word = next((w for w in Word if w.value == plain), None)
    return None if word is None else Line(text, LineKind.SERVICE, word=word)


def _time_line(text: str) -> Line | None:
    """Read `vacation …`, `extend …`, `reminders …` and `digest …` with what belongs to them."""
    away = _VACATION.fullmatch(text)
    if away is not None and read_days(away[1]) is not None:
        return Line(text, LineKind.SERVICE, word=Word.VACATION, argument=away[1])
    reminders = _REMINDERS.fullmatch(text)
    if reminders is not None:
        return Line(text, LineKind.SERVICE, word=Word.REMINDERS, argument=reminders[1].lower())
    digest = _DIGEST.fullmatch(text)
    if digest is not None:
        return Line(text, LineKind.SERVICE, word=Word.DIGEST, argument=digest[1].lower())
    gift = _EXTEND.fullmatch(text)
    if gift is None:
        return None
    try:
        parse_duration(gift[1])
    except ValueError:
        return None
    return Line(text, LineKind.SERVICE, word=Word.EXTEND, argument=gift[1])


def _ruleset_name(words: str) -> str | None:
    """Give the ruleset that somebody calls `phyliss`, `Phase 10` or `phase 10 family`."""
    letters = words.replace(" ", "")
    return next((name for name in registry.names() if name.replace("-", "") == letters), None)


_TALK = frozenset({"phase", "phases"})
"""Words that people use of a game, and that are no slips of an order word (`pause`)."""


def _near_service_word(text: str) -> str | None:
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
    """Say whether two neighbouring letters changed places; John, for one, is no slip of "join"."""
    differ = [at for at, (a, b) in enumerate(zip(text, word, strict=False)) if a != b]
    return (
        len(text) == len(word)
        and len(differ) == 2  # noqa: PLR2004  (the two letters)
        and text[differ[0]] == word[differ[1]]
        and text[differ[1]] == word[differ[0]]
    )
