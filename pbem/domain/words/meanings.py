"""Finds out what a line that is not an order means, with the table of `intents`.

The plain answer to an invitation and the words that a line asks about are found here as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine import registry
from engine.sentences import Sentence, filled, sentence
from pbem.domain.terms.dates import read_days
from pbem.domain.words.intents import ANY, INTENTS, WITHIN, Intent, pattern
from pbem.domain.words.service_words import Word
from pbem.domain.words.translate import words_in_english
from pbem.durations import parse_duration
from pbem.language import SOURCE, folded_words

LONGEST: Final = 250
MOST_WORDS: Final = 30
_MOST_SPAN: Final = 8
"""Words of a date or a time within a line."""


@dataclass(frozen=True, slots=True)
class Meant:
    """An intent that was found in a line.

    Attributes:
        message, orders: those of the row, with the days, times and names of the line.
    """

    intent: Intent
    message: Sentence
    orders: tuple[Sentence, ...]


TOPIC: Final[Mapping[str, re.Pattern[str]]] = {
    "en": pattern(
        r"what(?:s| is| are| does| do| did|re) (?:meant by )?(?:an? |the |a |this |that )?(?P<a>\w+(?: \w+){0,4}?)(?: mean| do| work| stand for| for| good for| again| here| in this game| exactly| thing| stuff| business)*$; "
        r"(?:how|when|why) (?:does|do|is|are|can|may|must|will) (?:an? |the |i |you |we )?(?P<b>\w+(?: \w+){0,4}?)(?: work| works| played| counted| function| happen| used| done| again| here)*$; "
        r"(?:explain|describe|define|meaning of|tell me about|help with|help on|help about|the rules? (?:of|for|about)) (?:me )?(?:an? |the |to me )?(?P<c>\w+(?: \w+){0,3}?)(?: to me| please| again)*$"
    ),
    "de": pattern(
        r"was (?:bedeute[nt]?|ist|sind|heisst|heissen|macht|machen|bringt|meint|soll)(?: denn| eigentlich| nochmal| noch mal| hier| bitte)* (?:eine? |die |der |das |den |mit |man mit )?(?P<a>\w+(?: \w+){0,3}?)(?: denn| eigentlich| bedeuten| hier| nochmal| genau| heissen| sein| tun)*$; "
        r"(?:wie|wann|warum|wozu) (?:funktionier(?:t|en)|geht|gehen|zaehl(?:t|en)|wirkt|laeuft|ist|dient|kann|darf|muss|wird|werden)(?: denn| eigentlich)*(?: ich| man)? (?:eine? |die |der |das |den )?(?P<b>\w+(?: \w+){0,3}?)(?: denn| eigentlich| genau| gezaehlt| gespielt| hier)*$; "
        r"(?:erklaer(?:e|t)?|hilfe zu|hilfe bei|bedeutung von|regeln? (?:zu|fuer|von))(?: mir)?(?: bitte)? (?:eine? |die |der |das |den )?(?P<c>\w+(?: \w+){0,3}?)(?: bitte| nochmal)*$"
    ),
}
"""What a line asks to have explained, in one of the groups."""

AGREEMENT: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(
        r"(?:(?:yes|yep|yeah|yup|ok|okay|sure|of course|certainly|absolutely|definitely|gladly|sure thing|with pleasure|very gladly|"
        r"happily|why not|great|lovely|wonderful|perfect|cool|fine|sounds good|sounds great|sounds like fun|sounds fun|great idea|"
        r"im in|i am in|im game|count me in|ill play|i will play|ill join|i will join|i play|id love to|i would love to|i d love to|"
        r"id like to|i would like to|id like to play|id love to play|i would love to play|happy to|happy to play|happy to join|happy to join in|glad to|lets play|lets go|lets do it|lets do this|"
        r"i accept|accepted|i agree|agreed|deal me in|sign me up|im up for it|love to|would love to|i want to play|i want to join|here i come|please|thanks|thank you|"
        r"you bet|hell|oh|me too|im on|bring it on|game on|would be great|id be happy to|im happy to|i am happy to|wouldnt miss it|thanks for the invitation|"
        r"thanks for inviting me|thanks for asking|everyone|everybody|all|guys|hi|hello|hey|very much|to play|to join|too)(?: |$))+"
    ),
    "de": re.compile(
        r"(?:(?:ja|jo|jup|jep|klar|na klar|aber klar|sicher|aber sicher|gern|gerne|sehr gern|sehr gerne|aber gern|aber gerne|natuerlich|logo|logisch|"
        r"okay|ok|auf jeden fall|unbedingt|super|toll|prima|warum nicht|na gut|mit vergnuegen|einverstanden|"
        r"ich mache mit|ich mach mit|mach mit|mache mit|ich spiele mit|ich spiel mit|spiele mit|spiel mit|ich bin dabei|bin dabei|dabei|ich mache gern mit|ich mache gerne mit|ich spiele gern mit|ich spiele gerne mit|bin gern dabei|bin gerne dabei|ich bin gern dabei|ich bin gerne dabei|"
        r"ich nehme an|ich nehme die einladung an|zusage|ich sage zu|los gehts|lass uns spielen|lasst uns spielen|ich moechte mitspielen|ich will mitspielen|ich wuerde gern mitspielen|ich wuerde gerne mitspielen|freue mich|ich freue mich|freu mich|bitte|danke|abgemacht|"
        r"klaro|na logo|immer gern|immer gerne|immer doch|da bin ich dabei|da mach ich mit|da mache ich mit|aber hallo|mach ich gern|mach ich gerne|mache ich gern|mache ich gerne|"
        r"sowieso|bin am start|ich auch|bin auch dabei|ich bin auch dabei|ich mache auch mit|danke fuer die einladung|vielen dank|fuer die einladung|ich nehme gern an|ich nehme gerne an|"
        r"ich nehme sehr gern an|ich nehme sehr gerne an|nehme gern an|nehme gerne an|spiele gern mit|spiele gerne mit|spiel gern mit|spiel gerne mit|mache gern mit|mache gerne mit|"
        r"hallo|sehr|euch|allen|zusammen|so|oh|au)(?: |$))+"
    ),
}
"""Whole lines (of `folded_words`) that take a seat, in answer to an invitation to it."""

REFUSAL: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(
        r"(?:(?:no|nope|nah|sorry|no sorry|no thanks|no thank you|thanks|thank you|but|thanks but no|not this time|not for me|not now|not today|"
        r"count me out|id rather not|i would rather not|rather not|im out|i am out|not interested|im not interested|i am not interested|no time|i have no time|i dont have time|i do not have time|i cant|i cannot|i cant play|i cannot play|i wont play|i dont want to play|i do not want to play|i pass|ill pass|without me|leave me out|unfortunately|unfortunately not|afraid not|im afraid not|"
        r"cant this time|i cant this time|not at the moment|at the moment|no time at the moment|too busy|im too busy|another time|some other time|maybe another time|"
        r"maybe next time|next time|maybe next month|maybe later|ill sit this one out|i will sit this one out|thanks for asking|thanks for the invitation|i have to decline|i must decline)(?: |$))+"
    ),
    "de": re.compile(
        r"(?:(?:nein|nee|ne|nein danke|danke nein|danke|leider|leider nein|leider nicht|lieber nicht|ohne mich|diesmal nicht|diesmal ohne mich|nicht fuer mich|"
        r"kein interesse|ich habe kein interesse|habe kein interesse|keine zeit|ich habe keine zeit|ich habe leider keine zeit|habe leider keine zeit|habe keine zeit|keine lust|ich habe keine lust|ich kann nicht|ich kann leider nicht|kann leider nicht|ich mache nicht mit|ich spiele nicht mit|ich moechte nicht|ich moechte nicht mitspielen|ich will nicht|ich passe|bin raus|ich bin raus|sorry|aber|tut mir leid|"
        r"ich muss leider absagen|muss leider absagen|ich muss absagen|ich sage ab|ich sage leider ab|passt gerade nicht|passt mir gerade nicht|passt mir grad nicht|passt grad nicht|"
        r"leider grad keine zeit|leider gerade keine zeit|leider keine zeit|gerade keine zeit|grad keine zeit|im moment|momentan|vielleicht ein andermal|ein andermal|vielleicht naechstes mal|"
        r"naechstes mal|vielleicht naechsten monat|vielleicht spaeter|ich setze diesmal aus|ich setz diesmal aus|setze diesmal aus|danke fuer die einladung|danke der nachfrage)(?: |$))+"
    ),
}
"""Whole lines that decline an invitation."""

_NO_ANSWER: Final = pattern(
    "but; not; cant; cannot; unless; if; maybe; perhaps; later; though; wait; never; dont; wont;"
    " aber; nicht; kein; keine; nie; falls; wenn; vielleicht; spaeter; erst; doch; moment; oder; or"
)
_SMALL_TALK: Final = pattern(
    r"^(?:so |and |und )?(?:how was|how were|hows your|my (?:son|daughter|brother|sister|kids|dog|cat)(?! (?:can|could|will|would|wants|plays|takes|is taking))|mein bruder ist|die kinder|did you|have you|were you|are you|hope|i hope|enjoy|have a|thanks for|thank you for"
    r"|(?:\w+ )*(?:used to|last year|last summer|frueher (?:immer|mal|oft|mit)|letztes jahr|letzten sommer)|wie war|hattest|hattet|hast|habt|warst|wart|seid|bist|hoffe|ich hoffe|viel spass|danke fuer|schoenen|gute)"
)
"""Lines about the life of somebody else: no request."""

_EMPTY_AGREEMENT: Final = pattern(
    "^(?:(?:please|thanks|thank you|thanks for asking|thanks for the invitation|thanks for inviting me|everyone|everybody|all|guys|hi|hello|hey"
    "|oh|hell|too|to play|to join|very much|at the moment|bitte|danke|vielen dank|danke fuer die einladung|fuer die einladung|hallo|sehr|euch|allen"
    "|zusammen|so|au|aber|but|sorry|tut mir leid|im moment|momentan|danke der nachfrage)(?: |$))+$"
)
"""Courtesy that is no answer."""


def _languages(language: str) -> Iterator[str]:
    yield from dict.fromkeys((language, SOURCE))


def answer_to_invitation(lines: Sequence[str], language: str) -> tuple[int, Word] | None:
    """Return which line takes or declines a seat, and how; None if that is in doubt.

    Args:
        lines: all lines of the mail that are no orders.
    """
    found = [
        (at, word)
        for at, line in enumerate(lines)
        for word in [_plain_answer(line, language)]
        if word is not None
    ]
    answers = {word for _, word in found}
    others = [line for at, line in enumerate(lines) if at not in dict(found)]
    if len(answers) != 1 or any(
        "?" in line or _NO_ANSWER.search(folded_words(line)) for line in others
    ):
        return None
    return found[0]


def _plain_answer(line: str, language: str) -> Word | None:
    words = folded_words(line)
    if len(line) > LONGEST or _EMPTY_AGREEMENT.search(words) or re.search("[?？؟]", line):
        return None
    for code in _languages(language):
        for table, word in ((AGREEMENT, Word.JOIN), (REFUSAL, Word.DECLINE)):
            if code in table and table[code].fullmatch(words):
                return word
    return None


def meant(text: str, language: str, stage: str = "", names: Sequence[str] = ()) -> Meant | None:
    """Return what a line that is no order asks for; None for talk.

    Args:
        text: one line.
        language: the language that is understood besides English.
        stage: as in `Intent`, of the game that the mail is about.
        names: of the players at the table. A line that begins with one of them speaks to them.
    """
    if len(text) > LONGEST or len(text.split()) > MOST_WORDS:
        return None
    named = [name for name in names if name]
    if named and re.match(
        rf"\W*(?:{'|'.join(map(re.escape, named))})\s*[,:!–-]", text, re.IGNORECASE
    ):
        return None
    who, own = "", text
    for name in named:
        said = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "bob", text, flags=re.IGNORECASE)
        text, who = said, who if said == text else name
    return _meant(text, own, language, stage, who)


@lru_cache(1024)
def _meant(text: str, own: str, language: str, stage: str, name: str) -> Meant | None:
    words = folded_words(text)
    is_chat = _SMALL_TALK.search(words) is not None
    for intent in INTENTS:
        if intent.stage not in WITHIN[stage] or (is_chat and intent.asks is None):
            continue
        if any(
            code in intent.patterns and intent.patterns[code].search(words)
            for code in _languages(language)
        ):
            values = _values(own, language, name)
            orders = tuple(_fill(order, values) for order in intent.orders)
            return Meant(intent, _fill(intent.message, values), orders)
    return None


def topics(text: str, language: str) -> list[str]:
    """Return what a line may ask to have explained, the likeliest first."""
    if len(text) > LONGEST:
        return []
    words = folded_words(text)
    found = (TOPIC[code].search(words) for code in _languages(language) if code in TOPIC)
    return [group for one in found if one is not None for group in one.groups() if group]


_QUESTION: Final = pattern(
    r"^(?:and |so |but |und |also )?(?:how|what|when|why|which|can|may|must|do|does|is|are|should|am i|has|have"
    r"|wie|was|wann|warum|welche\w*|kann|darf|muss|soll|ist|sind|zaehl\w*|gilt|gelten|brauch\w*|habe?)"
)
_TO_SOMEBODY: Final = pattern(
    r"you; your; youre; u; bob; dich; dir; du; dein\w*; euch; ihr; euer\w*; \w+st du; tonight; today; heute"
)


def asks_about_the_game(text: str) -> bool:
    """True if a line is a question, and not to one of the players."""
    words = folded_words(text)
    return (
        len(words.split()) <= MOST_WORDS // 2
        and _QUESTION.search(words) is not None
        and _TO_SOMEBODY.search(words) is None
    )


def _values(text: str, language: str, name: str) -> dict[str, str]:
    """Return what the orders and messages of a row are filled with: words of the line, or examples."""
    address = re.search(r"[\w.+-]+@[\w.-]+\w", text)
    return {
        "days": _days_away(text, language),
        "time": find_time(text, language) or sentence("2 days"),
        "name": name or "bob",
        "game": _game_in(text),
        "person": address[0] if address else "carol@example.org",
        "address": address[0] if address else "me@example.org",
        "said": _said_to(name, text),
    }


def _game_in(text: str) -> str:
    """Return the game that a line names, else one for an example."""
    said = re.sub(r"[^a-z0-9]", "", text.casefold())
    return next((name for name in registry.names() if name.replace("-", "") in said), ANY)


_SPANS: Final = (
    (pattern("weekend; wochenende"), sentence("Saturday to Sunday")),
    (pattern("next week; naechste woche; kommende woche"), sentence("Monday to Sunday")),
    (pattern("this week; all week; diese woche"), sentence("until Sunday")),
)
"""Spans that people name in a word."""

_UNTIL: Final = sentence("until {days}")
_RETURNS: Final = pattern("back; again; not before; wieder; zurueck; erst")


def _days_away(text: str, language: str) -> str:
    words = folded_words(text)
    between = re.sub(
        r"\b(?:between|zwischen)\s+(.+?)\s+(?:and|und)\s+", r"\1 - ", text, flags=re.IGNORECASE
    )
    days = find_days(between, language)
    if days is None:
        named = (span for said, span in _SPANS if said.search(words))
        return next(named, sentence("until Friday"))
    day = re.sub(r"^(?:on|from|am|ab)\s+", "", days, flags=re.IGNORECASE)
    if _RETURNS.search(words) and len(day.split()) == 1:
        return filled(_UNTIL, {"days": day})
    return days


_ALL: Final = (
    "them both|them all|others?|other players|everybody|everyone|all|them|both|table|group|opponents?"
    "|allen?|ander(?:e)?n|runde|tisch|beiden?|ihnen|mitspielern?"
)


def _said_to(name: str, text: str) -> str:
    """Return what a line tells somebody: what follows a colon, or who is spoken to."""
    _, colon, said = text.partition(": ")
    if not colon:
        who = rf"(?<!\w)(?:{re.escape(name)}|{_ALL})(?!\w)"
        said = re.split(who, text, maxsplit=1, flags=re.IGNORECASE)[-1]
        said = re.sub(r"^\W*(?:that|dass)\b", "", said, flags=re.IGNORECASE)
    return said.strip(" ,;:-–") or text


def _fill(template: Sentence, values: Mapping[str, str]) -> Sentence:
    used = {name: value for name, value in values.items() if f"{{{name}}}" in template}
    return filled(str(template), used) if used else template


_NUMBERS: Final = {
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "einen": "1",
    "eine": "1",
    "zwei": "2",
    "drei": "3",
    "vier": "4",
    "fünf": "5",
    "sechs": "6",
}


def find_days(text: str, language: str) -> str | None:
    """Return the longest part of a line that names days, in its own words."""
    return _longest(text, language, _are_days)


def find_time(text: str, language: str) -> str | None:
    """Return the longest part of a line that names a time such as `2 days`."""
    digits = re.sub(r"[^\W\d_]+", lambda word: _NUMBERS.get(word[0].lower(), word[0]), text)
    return _longest(digits, language, _is_time)


def _are_days(words: str) -> bool:
    return read_days(words) is not None


def _is_time(words: str) -> bool:
    try:
        parse_duration(words)
    except ValueError:
        return False
    return True


def _longest(text: str, language: str, fits: Callable[[str], bool]) -> str | None:
    words = text.split()
    for size in range(min(_MOST_SPAN, len(words)), 0, -1):
        for at in range(len(words) - size + 1):
            said = " ".join(words[at : at + size]).strip(' ,;:!?()"')
            said = said.rstrip(".") if not said[:-1].endswith(tuple("0123456789")) else said
            if fits(said) or (language != SOURCE and fits(words_in_english(said, language))):
                return said
    return None
