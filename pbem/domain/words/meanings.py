"""Determine the meaning of a line that is not an order, using the table of `intents`.

This module also finds plain answers to invitations and votes, and recognises questions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final
from zoneinfo import available_timezones

from engine import registry
from engine.reading.lexicon import folded_words
from engine.sentences import Sentence, filled, sentence
from pbem.domain.terms.dates import WORDS, read_days
from pbem.domain.words.en import pairs
from pbem.domain.words.forms import Spelling
from pbem.domain.words.intents import (
    ADDRESS,
    ANY,
    ASKED,
    BOTH,
    CITY,
    INTENTS,
    INVITED,
    PHRASES,
    SOMEBODY,
    VOTING,
    WITHIN,
    Intent,
    Key,
)
from pbem.domain.words.service_words import Word
from pbem.domain.words.translate import words_in_english
from pbem.durations import parse_duration
from pbem.language import SOURCE, squeezed

LONGEST: Final = 250
MAX_WORDS: Final = 30
MAX_NEAR: Final = 3
"""Meanings of a line that are offered where none is sure."""
_MAX_SPAN: Final = 8
"""Words of a date or a time within a line."""


@dataclass(frozen=True, slots=True)
class Meant:
    """An intent that matches a line.

    Attributes:
        message, orders: those of the intent, with the dates, times and names of the line.
    """

    intent: Intent
    message: Sentence
    orders: tuple[Sentence, ...]


_ANSWERS: Final[Mapping[Word, re.Pattern[str]]] = {
    word: re.compile(rf"(?:(?:{'|'.join(PHRASES[word.value])})(?: |$))+")
    for word in (Word.JOIN, Word.DECLINE, Word.YES, Word.NO)
}
"""Maps an answer to an invitation or a vote to the pattern of its lines (`folded_words`)."""
_THUMB_UP: Final = "\U0001f44d"


def _any(text: str) -> re.Pattern[str]:
    """Compile a pattern for any of the expressions, which are separated by `; `."""
    alternatives = "|".join(filter(None, " ".join(text.split()).split("; ")))
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


_NO_ANSWER: Final = _any(
    "but; not; cant; cannot; unless; if; maybe; perhaps; later; though; wait; never; dont; wont;"
    " aber; nicht; kein; keine; nie; falls; wenn; vielleicht; spaeter; erst; doch; moment; oder; or"
)
_SMALL_TALK: Final = _any(
    r"^(?:so |and |und )?(?:how was|how were|hows your|my (?:son|daughter|brother|sister|kids|dog|cat)(?! (?:can|could|will|would|wants|plays|takes|is taking))|mein bruder ist|die kinder|did you|have you|were you|are you|hope|i hope|enjoy|have a|thanks for|thank you for"
    r"|(?:\w+ )*(?:used to|last year|last summer|frueher (?:immer|mal|oft|mit)|letztes jahr|letzten sommer)|wie war|hattest|hattet|hast|habt|warst|wart|seid|bist|hoffe|ich hoffe|viel spass|danke fuer|schoenen|gute)"
)
"""Small talk about the lives of the other players or their families, which is not a request."""

_EMPTY_AGREEMENT: Final = _any(
    "^(?:(?:please|thanks|thank you|thanks for asking|thanks for the invitation|thanks for inviting me|everyone|everybody|all|guys|hi|hello|hey"
    "|oh|hell|too|to play|to join|very much|at the moment|bitte|danke|vielen dank|danke fuer die einladung|fuer die einladung|hallo|sehr|euch|allen"
    "|zusammen|so|au|aber|but|sorry|tut mir leid|im moment|momentan|danke der nachfrage)(?: |$))+$"
)
"""Courtesy that is not an answer."""


def plain_answer(lines: Sequence[str], *answers: Word) -> tuple[int, Word] | None:
    """Return the index of the line that answers a question, and the answer, or None if unclear.

    Args:
        lines: all lines of the message, none of which is an order.
        answers: the answers that the question permits, for example `Word.YES` and `Word.NO`.
    """
    answers_found = [
        (index, word)
        for index, line in enumerate(lines)
        for word in [_answer_in(line, answers)]
        if word is not None
    ]
    given = {word for _, word in answers_found}
    others = [line for index, line in enumerate(lines) if index not in dict(answers_found)]
    if len(given) != 1 or any(
        "?" in line or _NO_ANSWER.search(folded_words(line)) for line in others
    ):
        return None
    return answers_found[0]


def _answer_in(line: str, answers: Sequence[Word]) -> Word | None:
    words = folded_words(squeezed(line.replace(_THUMB_UP, " ok ")))
    if len(line) > LONGEST or _EMPTY_AGREEMENT.search(words) or re.search("[?？؟]", line):
        return None
    return next((word for word in answers if _ANSWERS[word].fullmatch(words)), None)


def likely_intent(
    text: str, language: str, stage: str = "", names: Sequence[str] = ()
) -> Meant | None:
    """Return the most likely intent of a line that is not an order, or None for talk.

    Args:
        text: one line.
        language: the player's language, which is understood in addition to English.
        stage: stage of the game that the message is about, as in `intents`.
        names: names of the players at the table. A line that begins with one is talk to them.
    """
    ranked = list(_ranked(text, stage, tuple(filter(None, names))))
    if not is_question(text):
        ranked.sort(key=lambda row: -row[0] + (row[1].asks is not None and not row[1].stage))
    likely = [intent for points, intent in ranked if points >= _ENOUGH]
    if not likely:
        return None
    found, *others = (_filled(one, text, language, names) for one in likely[:MAX_NEAR])
    if found.intent.asks is not None:
        return found
    beside = (other.orders[0] for other in others if other.orders)
    return replace(found, orders=tuple(dict.fromkeys([*found.orders, *beside])))


def nearest(text: str, language: str, stage: str = "", names: Sequence[str] = ()) -> list[Meant]:
    """Return possible intents of a line, the most likely first. The arguments are as in `meant`."""
    ranked = _ranked(text, stage, tuple(filter(None, names)))
    return [_filled(intent, text, language, names) for _, intent in ranked if intent.asks is None][
        :MAX_NEAR
    ]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line, its language, and the players at the table."""

    text: str
    language: str
    names: tuple[str, ...]

    @property
    def named(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if _named(name).search(self.text))

    @property
    def name(self) -> str:
        return next(iter(self.named), "")


def _filled(intent: Intent, text: str, language: str, names: Sequence[str]) -> Meant:
    line = _Line(text, language, tuple(filter(None, names)))
    orders = tuple(_fill(order, line) for order in intent.orders)
    return Meant(intent, _fill(intent.message, line), orders)


@lru_cache(256)
def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?:['’]?s)?(?!\w)", re.IGNORECASE)


@lru_cache(1024)
def _ranked(text: str, stage: str, names: tuple[str, ...]) -> list[tuple[int, Intent]]:
    """Return the rows that a line fits, with their points, the best first."""
    if len(text) > LONGEST or len(text.split()) > MAX_WORDS:
        return []
    if names and re.match(
        rf"\W*(?:{'|'.join(map(re.escape, names))})\s*[,!:–-]", text, re.IGNORECASE
    ):
        return []
    words = _said(text, names)
    is_talk = _SMALL_TALK.search(folded_words(text)) is not None
    counts = dict[int, int]()
    for row, number in {entry for word in words for entry in _BY_WORD.get(word, ())}:
        intent = INTENTS[row]
        key = (*intent.said, *intent.hints)[number]
        if intent.stage in WITHIN[stage] and _fits(key, words):
            is_hint = number >= len(intent.said)
            counts[row] = counts.get(row, 0) + (1 if is_hint else _ENOUGH + (len(key) > _PAIR))
    ranked = []
    for row, counted in counts.items():
        intent = INTENTS[row]
        points = counted - _ENOUGH * (is_talk and intent.asks is None)
        if points <= 0 or any(_fits(key, words) for key in intent.unless):
            continue
        is_first = intent.stage in (INVITED, VOTING) or intent.name in _FIRST_OF_ALL
        more = _MORE * (is_first and points >= _ENOUGH)
        is_last = intent.name in _LAST_OF_ALL
        ranked.append((min(points, _ENOUGH) if is_last else points + more, -row))
    return [(points, INTENTS[-row]) for points, row in sorted(ranked, reverse=True)]


def _fits(key: Key, words: frozenset[str]) -> bool:
    return all(not group.isdisjoint(words) for group in key)


def _said(text: str, names: Sequence[str]) -> frozenset[str]:
    """Return the words and placeholders of the table's keys that a line contains."""
    called = [name for name in names if _named(name).search(text)]
    for name in called:
        text = _named(name).sub(f" {SOMEBODY} ", text)
    has_address = _ADDRESS.search(text) is not None
    words = _NAMES.sub(r"\1\2", folded_words(squeezed(_ADDRESS.sub(" ", text)))).split()
    words += [_SHORT[word] for word in words if word in _SHORT]
    result = frozenset().union(*map(_known, words), _known(f"^{words[0]}") if words else ())
    traits = {
        ASKED: is_question(text),
        SOMEBODY: bool(called),
        BOTH: len(called) > 1,
        ADDRESS: has_address,
        CITY: _city(text) is not None,
    }
    return result.union(trait for trait, holds in traits.items() if holds)


_SHORT: Final = pairs("""
u=you; ur=your; r=are; wanna=want; lemme=let; gimme=give; pls=please; plz=please; nid=nicht; noed=nicht; ned=nicht; net=nicht; nimma=nicht;
nuemm=nicht; nuemme=nicht; koa=kein; kei=kein; koane=keine; mi=mich; uf=auf; nomal=nochmal; nomol=nochmal; nochmol=nochmal;
zrugg=zurueck; zruck=zurueck; retour=zurueck; derbi=dabei; daebi=dabei; heit=heute; huet=heute; isch=ist; haet=hat; gsi=war;
morn=morgen; woch=woche; hoer=hoert; spui=spiel; spuin=spielen; spile=spielen
""")
"""Short forms and dialect words with their standard forms."""
_NAMES: Final = re.compile(r"\b(phase) (10)\b")
"""Names of games in two words."""
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w.-]+\w")


@lru_cache(4096)
def _known(word: str) -> frozenset[str]:
    """Return the words in the keys of intents that match a word, correcting a typing mistake."""
    forms = _as_written(word)
    return forms or _as_written(_SPELLING.nearest(word))


def _as_written(word: str) -> frozenset[str]:
    beginnings = (f"{word[:size]}*" for size in range(2, len(word) + 1))
    within = (ending for ending in _ENDINGS if ending.strip("*") in word)
    return _VOCABULARY.intersection((word, *beginnings, *within))


_PAIR: Final = 2
_ENOUGH: Final = 2
"""Points of a sufficient key, which are the minimum for a likely intent. A hint has fewer."""
_MORE: Final = 3
_FIRST_OF_ALL: Final = ("tell one", "tell all")
"""Intents that take precedence, like answers to an invitation or a vote."""
_LAST_OF_ALL: Final = ("talk", "help")
"""Intents that only apply if no other intent does."""


def _by_word() -> dict[str, list[tuple[int, int]]]:
    """Map each word to the keys whose first set contains it, as numbers of the row and the key."""
    result = defaultdict[str, list[tuple[int, int]]](list)
    for row, intent in enumerate(INTENTS):
        for number, key in enumerate((*intent.said, *intent.hints)):
            for word in key[0]:
                result[word].append((row, number))
    return result


_BY_WORD: Final = _by_word()
_VOCABULARY: Final = frozenset(
    word
    for intent in INTENTS
    for key in (*intent.said, *intent.hints, *intent.unless)
    for part in key
    for word in part
)
_ENDINGS: Final = tuple(word for word in _VOCABULARY if word.startswith("*"))
_SPELLING: Final = Spelling(word.strip("*^") for word in _VOCABULARY)
_QUESTION: Final = _any(
    r"^(?:and |so |but |hm+ |hey |hi |ok |und |also |aber |sag mal |sagt mal |mal ne frage |frage |question )*(?:how|what|when|why|which|can"
    r"|may|must|do|does|did|is|are|will|(?:would|could|should)(?! have)|am i|has|have|who|whose|where|whats|whos|whens|hows|wheres|any|explain|describe|define|meaning of|help with|help on|help about|rules?|tell me|remind me"
    r"|i (?:dont|do not|didnt) (?:know|understand|get)|(?:im )?not sure|(?:i )?forgot|wie|was(?! (?:fun|a|an|the|great|nice|my|good))|wann|warum|wieso|weshalb"
    r"|wer|wen|wem|wo|wohin|woher|wofuer|womit|wozu|wor(?:ueber|um|auf|an)|welche\w*|wieviele?|kann|koennen|darf|duerfen|muss|muessen|soll\w*|ist|sind|hat|haben|wird|werden"
    r"|gibts?|geht|zaehl\w*|gilt|gelten|brauch\w*|habe?|bin|regeln?|hilfe|bedeutung von|erklaer\w*|versteh\w*|kapier\w*|weiss nicht|keine ahnung|(?:ich )?(?:hab|habe) vergessen)"
)
_TO_SOMEBODY: Final = _any(
    r"(?:are|have|did|how|were) you; your; youre; u; bob; dich; dir; du; dein\w*; euch; ihr; euer\w*; \w+st du; tonight; today; heute"
)
_OF_A_GAME: Final = _any(
    r"cards?; karten?; pile; stapel; stock; deck; hand; blatt; moves?; z[uü]ge?; turns?; game; spiel; points?; punkte?; zones?;"
    r" middle; mitte; left; links; right; rechts; runs?; sets?; phases?; battles?; rounds?; runden?; wilds?; jokers?; skips?;"
    r" aces?; kings?; queens?; jacks?; tens?; twos?; ass; asse; koenige?; damen?; buben?; \w*stich\w*; gewinn\w*; wins?; play\w*;"
    r" spiel\w*; leg\w*; zieh\w*; draw\w*; discard\w*; ab(?:wer|le)\w*; beats?; schl[aä]\w*; reserve; chips?; raise\w*;"
    r" erhoeh\w*; same; gleich\w*; \d+"
)


def is_question(text: str) -> bool:
    """True if a line has the form of a question."""
    return text.rstrip().endswith("?") or has_question_word(text)


def has_question_word(text: str) -> bool:
    """True if a line begins like a question: with "what", "may" or "I don't know"."""
    return _QUESTION.search(folded_words(text)) is not None


def asks_about_the_game(text: str) -> bool:
    """True if a line is a short question that is not addressed to a player."""
    words = folded_words(text)
    return (
        len(words.split()) <= MAX_WORDS // 2
        and is_question(text)
        and _TO_SOMEBODY.search(words) is None
    )


def asks_for_the_rules(text: str) -> bool:
    """True if a line is a question that the rules of a game may answer."""
    words = folded_words(text)
    return asks_about_the_game(text) and _OF_A_GAME.search(words) is not None


def _people_named(line: _Line) -> str:
    """Return the people, addresses and bots that a line names, or `bot` if it names none."""
    words = folded_words(line.text)
    people = line.names if _SAME_PEOPLE.search(words) else line.named
    bots = _BOTS.search(words)
    count = _NUMBERS.get(bots[1] or "", bots[1] or "1") if bots else "0"
    some = [] if bots is None else ["bot" if count == "1" else f"{count} bots"]
    return ", ".join([*people, *_ADDRESS.findall(line.text), *some]) or "bot"


_SAME_PEOPLE: Final = _any("same|gleiche[nr]?|selben?|derselben|denselben")
_BOTS: Final = re.compile(
    r"\b(?:(\d|one|two|three|four|five|an?|eine?n?|zwei|drei|vier|fuenf) )?"
    r"(?:bots?|computers?|computern|robots?|machines?|rechner)\b"
)


def _city(text: str) -> str | None:
    """Return the time zone of a city in a text, or None."""
    words = folded_words(text).split()
    for size in (3, 2, 1):
        for start in range(len(words) - size + 1):
            city = " ".join(words[start : start + size])
            zone = _cities().get(_CITIES.get(city, city))
            if zone is not None:
                return zone
    return None


_CITIES: Final = pairs("""
wien=vienna; zuerich=zurich; genf=zurich; bern=zurich; basel=zurich; rom=rome; mailand=rome; moskau=moscow; athen=athens; prag=prague;
lissabon=lisbon; warschau=warsaw; bruessel=brussels; kopenhagen=copenhagen; muenchen=berlin; hamburg=berlin; koeln=berlin
""")
"""Cities with a German name or without their own time zone, and the city that names their zone."""


@cache
def _cities() -> Mapping[str, str]:
    named = (
        zone for zone in sorted(available_timezones(), reverse=True) if zone.startswith(_CONTINENTS)
    )
    return {folded_words(zone.rpartition("/")[2].replace("_", " ")): zone for zone in named}


_CONTINENTS: Final = ("Africa/", "America/", "Asia/", "Australia/", "Europe/", "Pacific/")
_HOUR: Final = re.compile(
    r"\b(?:at|um|gegen|around|about|ab) (1?\d|2[0-3])\b|\b(1?\d|2[0-3]) ?(?:uhr|am|oclock|h)\b"
)


def _hour(line: _Line) -> str:
    match = _HOUR.search(folded_words(line.text))
    return "8" if match is None else match[1] or match[2]


def _game_in(text: str) -> str:
    """Return the ruleset that a line names, or the one that is used in examples."""
    letters = re.sub(r"[^a-z0-9]", "", text.casefold())
    return next((name for name in registry.names() if name.replace("-", "") in letters), ANY)


_SPANS: Final = (
    (_any("weekend; wochenende"), sentence("Saturday to Sunday")),
    (_any("next week; naechste woche; kommende woche"), sentence("Monday to Sunday")),
    (_any("this week; all week; diese woche"), sentence("until Sunday")),
)
"""Expressions for a range of days, with the range that is suggested."""

_UNTIL: Final = sentence("until {days}")
_RETURNS: Final = _any("back; again; not before; by; better; wieder; zurueck; erst; besser; gesund")


def _days_away(line: _Line, usual: str) -> str:
    words = folded_words(line.text)
    between = re.sub(
        r"\b(?:between|zwischen)\s+(.+?)\s+(?:and|und)\s+", r"\1 - ", line.text, flags=re.IGNORECASE
    )
    days = find_days(between, line.language)
    if days is None:
        named = (span for pattern, span in _SPANS if pattern.search(words))
        return next(named, usual)
    day = re.sub(r"^(?:on|from|am|ab)\s+", "", days, flags=re.IGNORECASE)
    if _RETURNS.search(words) and len(day.split()) == 1:
        return filled(_UNTIL, {"days": day})
    return days


_ALL: Final = (
    "them both|them all|others?|other players|everybody|everyone|all|them|both|table|group|opponents?"
    "|allen?|ander(?:e)?n|runde|tisch|beiden?|ihnen|mitspielern?"
)


def _said_to(name: str, text: str) -> str:
    """Return the part of a line that is said to a player: the text after a colon or the name."""
    _, colon, message = text.partition(": ")
    if not colon:
        who = rf"(?<!\w)(?:{re.escape(name)}|{_ALL})(?!\w)"
        message = re.split(who, text, maxsplit=1, flags=re.IGNORECASE)[-1]
        message = re.sub(
            r"^\W*(?:know|wissen)?\W*(?:that|dass)?\b", "", message, flags=re.IGNORECASE
        )
    return message.strip(" ,;:-–") or text


_PER_MOVE: Final = re.compile(r"\b(\d+)(?= (?:per|a|each|pro|je) (?:move|turn|zug))", re.IGNORECASE)


def _pace(line: _Line) -> str | None:
    """Return the last duration in a line. An earlier duration may be a pace it complains about."""
    parts = re.split(r"[,.;:!?]|\b(?:instead of|statt)\b", _PER_MOVE.sub(r"\1 days", line.text))
    return next(filter(None, (find_time(text, line.language) for text in reversed(parts))), None)


_BLANKS: Final[Mapping[str, Callable[[_Line], str]]] = {
    "days": lambda line: _days_away(line, sentence("until Friday")),
    "off": lambda line: _days_away(line, sentence("2 days")),
    "time": lambda line: find_time(line.text, line.language) or sentence("2 days"),
    "pace": lambda line: _pace(line) or sentence("2 days"),
    "ahead": lambda line: find_time(line.text, line.language) or "24h 4h",
    "hour": _hour,
    "zone": lambda line: _city(line.text) or "Europe/Berlin",
    "who": _people_named,
    "name": lambda line: line.name or "bob",
    "game": lambda line: _game_in(line.text),
    "person": lambda line: next(iter(_ADDRESS.findall(line.text)), "carol@example.org"),
    "address": lambda line: next(iter(_ADDRESS.findall(line.text)), "me@example.org"),
    "said": lambda line: _said_to(line.name, line.text),
}
"""Maps a placeholder of orders and messages to its value: words of the line, or an example."""
_BLANK: Final = re.compile(r"\{(\w+)\}")


def _fill(template: Sentence, line: _Line) -> Sentence:
    used = {name: _BLANKS[name](line) for name in _BLANK.findall(template)}
    return filled(str(template), used) if used else template


_NUMBERS: Final = pairs("""
one=1; two=2; three=3; four=4; five=5; six=6; seven=7; eight=8; nine=9; ten=10; a=1; an=1; another=1; ein=1; einen=1; eine=1; nen=1; ne=1; zwei=2;
drei=3; vier=4; fünf=5; fuenf=5; sechs=6; sieben=7; acht=8; neun=9; zehn=10
""")
_MORE_OF_IT: Final = re.compile(
    r"\b(?:more|extra|additional|further|full|weitere[nr]?|zusätzliche[nr]?|mehr|noch|ganze[nr]?) ?\b",
    re.IGNORECASE,
)
_HALF_A_DAY: Final = re.compile(r"\b(?:half a|(?:einen |nen )?halben) (?:day|tag)\b", re.IGNORECASE)
_IN_TIME: Final = WORDS | {"hour", "hours", "minute", "minutes", "d", "h", "w"}
"""Words that can occur in dates and durations."""


def find_days(text: str, language: str) -> str | None:
    """Return the longest part of a line that is a range of days, as written, or None."""
    return _longest(_plainly(text), language, _are_days)


def find_time(text: str, language: str) -> str | None:
    """Return the longest part of a line that is a duration such as `2 days`, or None."""
    digits = re.sub(
        r"[^\W\d_]+", lambda word: _NUMBERS.get(word[0].lower(), word[0]), _plainly(text)
    )
    match = _longest(digits, language, _is_time)
    is_a_day = match is None and _TOMORROW.search(folded_words(text))
    return sentence("1 day") if is_a_day else match


_TOMORROW: Final = _any("tomorrow(?! morning)|morgen")


def _plainly(text: str) -> str:
    return _HALF_A_DAY.sub("12 hours", _MORE_OF_IT.sub("", text))


def _are_days(words: str) -> bool:
    return read_days(words) is not None


def _is_time(words: str) -> bool:
    try:
        parse_duration(words)
    except ValueError:
        return False
    return True


@lru_cache(1024)
def _in_time(word: str, language: str) -> str | None:
    """Translate a word of a date or duration into English. Returns None for other words.

    The result is empty for words that are ignored.
    """
    bare = word.strip(" ,;:!?()\"'")
    english = bare if language == SOURCE else words_in_english(bare, language)
    return english if _IN_TIME.issuperset(re.findall(r"[^\W\d_]+", english.lower())) else None


def _longest(text: str, language: str, fits: Callable[[str], bool]) -> str | None:
    own = [word.strip(" ,;:!?()\"'") for word in text.split()]
    said = [_in_time(word, language) for word in own]
    for size in range(min(_MAX_SPAN, len(said)), 0, -1):
        for start in range(len(said) - size + 1):
            part = [word for word in said[start : start + size] if word is not None]
            if len(part) == size and part[0] and part[-1]:
                english = " ".join(filter(None, part))
                shown = " ".join(own[start : start + size])
                if fits(english) or fits(english.rstrip(".")):
                    return (
                        shown.rstrip(".") if not shown[:-1].endswith(tuple("0123456789")) else shown
                    )
    return None
