"""Separate a move from the words around it: greetings, remarks, and expressions of doubt.

A line is split into clauses. Clauses that the lexicons list as courtesies are ignored, and the
remaining text must be a complete order. A remark next to an order may contain unknown words, but no
question, no negation, no card and no reference to another time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile, groupby, takewhile
from typing import Final

from engine.orders import list_number
from engine.reading.lexicon import Lexicon, folded_words
from engine.reading.slots import card_at, names_a_thing
from engine.reading.tokens import QUOTES, without_list_number, without_marks
from pbem.domain.words.moves import without_times
from pbem.games.lexicons import all_words, spoken

_LONGEST: Final = 160
_LONGEST_COURTESY, _LONGEST_CORRECTION, _ROUNDS = 120, 5, 6
_MAX_WORDS, _MAX_REMARK_WORDS, _MAX_STEPS = 9, 14, 4
_BESIDE_NUMBER: Final = ("lead", "tail", "picks", "please", "sigh", "article")
"""Kinds of words that may surround the number of a listed move."""
_DOUBTS: Final = ("deny", "corrects", "doubt")
_ACTS: Final = ("verb", "act", "PUT", "RID")
_LONGEST_DESCRIPTION, _SHORTEST_LIST = 300, 3
_MAX_EDGE, _LONGEST_PHRASE, _MAX_SIGHED = 7, 4, 4
_STOP: Final = re.compile(
    r"(?<!^\d)[\s,.!;…–—-]*(?:[,.!;:…–—(](?!\d)|\s-|\s(?:and|so|und)\s)[\s,.!;…–—-]*(?:(?:so|also)\s+)?",
    re.IGNORECASE,
)
"""Separator of two clauses. `3. Your turn` is a single clause."""
_WORD: Final = re.compile(r"[.:;('’„“-]*\w[\w.,:;!)'’´`”“…–—-]*")
_NO_REMARK: Final = re.compile(r"[\d?？؟]")
_GOODBYE: Final = re.compile(r"[.!]\s+\w+\W*\Z")
_ASKS: Final = re.compile(r"[?？؟]")
_ASKED: Final = re.compile(r"\s*[?？؟]+\s*\Z")
_GLUED: Final = re.compile(
    r"(?P<verb>[^\W\d_]{4,6}?)(?P<card>(?:10|[2-9])[cdhs♣♦♥♠]?|[JQKAD][cdhs♣♦♥♠]?)"
)
"""A verb and a card without a space between them: `Play7`."""
_SHORT: Final = re.compile(r"(?:ein )?(?:god|gott)|my god|[^\W\d_]{2}")
"""Phrases that are not a move if a courtesy is next to them: `God, good luck with that`."""
_LOOKALIKES: Final = str.maketrans("lI|oO", "11100")
_MISTYPED: Final = re.compile(r"\#?([2-9][lI|oO]|[2-9][lI|oO\d][lI|oO\d])[.!]?")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a line that may be a move.

    Attributes:
        text: the part, as it was written.
        remark: the rest of the line without courtesies, or empty.
        is_reason: the remark gives a reason, so it may name cards.
    """

    text: str
    remark: str = ""
    is_reason: bool = False


def _edge(text: str, lexicon: Lexicon, kinds: tuple[str, ...], *, is_first: bool) -> int:
    """Count the words at one end of a line that are of the given kinds, or in phrases for them."""
    words = _edge_words(text, lexicon, is_first)
    known, phrase, size = lexicon.words(*kinds), lexicon.silence(*kinds), 0
    while True:
        for end in range(min(size + _LONGEST_PHRASE, len(words)), size, -1):
            clause = " ".join(words[size:end] if is_first else words[size:end][::-1])
            if clause in known or phrase.fullmatch(clause) is not None:
                size = end
                break
        else:
            return size


@lru_cache(1024)  # one line is compared with several kinds
def _edge_words(text: str, lexicon: Lexicon, is_first: bool) -> tuple[str, ...]:
    """Return the folded words at one end of a line, from the end inwards."""
    words = text.split()
    inwards = words if is_first else words[::-1]
    # A picture or another sign may say something, so it ends the edge.
    shown = takewhile(_WORD.fullmatch, inwards[: min(_MAX_EDGE, len(words) - 1)])
    return tuple(map(lexicon.fold, shown))


def trimmed(text: str, lexicon: Lexicon, *kinds: str) -> str:
    """Remove words of the given kinds, and empty phrases, from the beginning of a line."""
    return _after(text, lexicon, "", *kinds)


def _after(text: str, lexicon: Lexicon, *kinds: str) -> str:
    return " ".join(text.split()[_edge(text, lexicon, kinds, is_first=True) :])


def cut(text: str, lexicon: Lexicon, *kinds: str) -> str:
    """Remove words of the given kinds, and empty phrases, from the end of a line."""
    return _before(text, lexicon, "", *kinds)


def _before(text: str, lexicon: Lexicon, *kinds: str) -> str:
    words = text.split()
    size = _edge(text, lexicon, kinds, is_first=False)
    return " ".join(words[: len(words) - size]).rstrip(" ,.!;:–—-(") if size else text


@lru_cache(4096)  # replies often quote the same lines of our messages
def bare_words(text: str) -> tuple[str, bool]:
    """Remove the courtesies of all languages around an order: `1. I play 21, please 👍`.

    Returns the rest of the line, and True if the removed words may be a salutation. After `Hi` or
    `Please`, a single word is probably a name and not a card. Lines that are too long are returned
    unchanged.
    """
    if len(text) > _LONGEST_COURTESY:
        return text, False
    lexicon, line, is_led = all_words(), " ".join(text.split()), False
    for _ in range(_ROUNDS):
        before, marked = line, without_marks(line)
        line = _after(without_list_number(marked), lexicon, "please", "greets")
        is_led |= line != marked
        line = _introduced(_before(line, lexicon, "please", "thanks", "agrees"), lexicon)
        if line == before:
            break
    return line, is_led


def _introduced(line: str, lexicon: Lexicon) -> str:
    """Return the order after `my move:`, or after other words before the number of a move."""
    if _after(line, lexicon, "well", "picks", "title", "plays") == line:
        return line
    picked = _after(line, lexicon, "well", "picks")
    if _is_listed(picked.partition(" ")[0]):
        return picked
    titled = _after(line, lexicon, "title")
    title = line[: len(line) - len(titled)].rstrip()
    if title[-1:] in (":", "=") or title.count(" ") > 1:
        return titled
    played = _after(line, lexicon, "plays")
    return line if played == line else f"play {played}"


def is_courtesy(line: str, names: Sequence[str]) -> bool:
    """True if a line only greets, thanks, or signs with one of these names."""
    lexicon = all_words()
    known = lexicon.words("greets", "please", "thanks", "agrees", "signs", "everybody")
    people = {
        *map(folded_words, names),
        *(part for name in names for part in folded_words(name).split()),
    }
    tokens = lexicon.words_in(line)
    return bool(tokens) and (known | people | {"courtesy"}).issuperset(tokens)


def is_chat(text: str) -> bool:
    """True if a line contains only courtesies, or no words at all."""
    clauses = [
        part for part in _STOP.split(text[:_LONGEST].strip(" .,!;")) if re.search(r"\w", part)
    ]
    return all(_silence(clause, all_words(), is_behind=True) for clause in clauses)


def parts(
    text: str, language: str, names: Sequence[str], may_order: Callable[[str], bool]
) -> Iterator[Part]:
    """Yield the parts of a line that may be its move, the most likely first.

    Args:
        text: the line.
        language: the player's language, which is understood in addition to English.
        names: the players' names.
        may_order: returns True if all words of a text can belong to an order.
    """
    if len(text) > _LONGEST:
        return
    lexicon, line = spoken(language), text.strip(" .,!;")
    if not _may_move(text, lexicon) or _ASKS.search(line) or is_idiom(line, language):
        return
    bare = _without_courtesy(line, lexicon, names)
    if bare is None:
        return
    if may_order(bare):
        yield Part(bare)
        yield from _without_edges(bare, lexicon)
    yield from _beside_reason(bare, lexicon)
    yield from _beside_remarks(text.strip(), lexicon, may_order)


def _may_move(text: str, lexicon: Lexicon) -> bool:
    """True if a line contains a word that occurs in moves: a card, a place or a verb."""
    is_glued = _GLUED.fullmatch(text) is not None
    return is_glued or lexicon.says(text, *_ACTS) or _names(text, lexicon)


def is_idiom(text: str, language: str) -> bool:
    """True if a line contains an idiom such as `I take it`, so that it is not a move."""
    lexicon = spoken(language)
    return lexicon.has("idioms", lexicon.fold(_GOODBYE.sub("", text)))


def _without_edges(line: str, lexicon: Lexicon) -> Iterator[Part]:
    """Yield versions of a line without the meaningless words at its ends.

    Before a card without a verb, only `please` is meaningless: `oh two kings!` is not a move.
    """
    end = cut(line, lexicon, "tail")
    polite, picked = trimmed(end, lexicon, "please"), _pick(end, lexicon)
    if polite != line:
        yield Part(polite)
    if picked != line and _is_listed(picked):
        yield Part(picked)
    mine = trimmed(end, lexicon, "self")
    opted = trimmed(mine, lexicon, "self", "opts")
    if opted != mine and lexicon.fold(opted.split()[0]) in lexicon["article"]:
        yield Part(opted)
    glued = _GLUED.fullmatch(end)
    if glued is not None and lexicon.fold(glued["verb"]) in lexicon["PUT"]:
        yield Part(f"play {glued['card']}")
    loose = trimmed(end, lexicon, "lead", "filler")
    if not _is_listed(loose) and does(loose, lexicon):
        yield Part(loose)
        first, _, rest = loose.partition(" ")
        form = lexicon["form"].get(first.lower())
        if form is not None:
            yield Part(f"{form} {rest}".strip())


def _is_listed(text: str) -> bool:
    return list_number(text.strip(" #.!")) is not None


def does(text: str, lexicon: Lexicon) -> bool:
    """True if a text has a verb or a word such as `I`, or is the number of a listed move."""
    return lexicon.says(text, *_ACTS, "self") or _is_listed(
        _pick(cut(text, lexicon, "tail"), lexicon)
    )


def _pick(text: str, lexicon: Lexicon) -> str:
    """Return the text that a line chooses, such as `21` in `I choose 21`."""
    tokens = [lexicon["listed"].get(token, token) for token in lexicon.words_in(text)]
    numbers = [token for token in tokens if list_number(token) is not None]
    beside = lexicon.words(*_BESIDE_NUMBER) - lexicon.words("thanks", *_DOUBTS)
    is_plain = all(map(_WORD.fullmatch, text.split()))  # an emoji may deny
    if is_plain and len(numbers) == 1 and beside.issuperset({*tokens} - {*numbers}):
        return numbers[0]
    return cut(trimmed(text, lexicon, "lead", "picks"), lexicon, "picks")


def _begins(text: str, lexicon: Lexicon) -> bool:
    """True if a line begins with an action of its writer. A card without a verb may be talk."""
    tokens = lexicon.words_in(text)
    if lexicon.says(text, "please"):
        return True
    led = takewhile(lexicon.words("filler", "self").__contains__, tokens)
    first = list(dropwhile(lexicon["filler"].__contains__, tokens))[:1]
    verbs = lexicon.words("verb", "PUT", "RID")
    return not lexicon["self"].keys().isdisjoint(led) or not verbs.isdisjoint(first)


def _silence(clause: str, lexicon: Lexicon, *, is_behind: bool) -> str:
    """Classify a meaningless clause as `courtesy`, `sigh` or `label`. Empty for other clauses."""
    line = lexicon.fold(clause)
    if lexicon.has("unwanted", line):
        return "sigh"
    tokens, courtesy = lexicon.tokens(line), lexicon["courtesy"]
    empty = lexicon.words("filler", "lead") - courtesy.keys()
    rest = list(dropwhile(empty.__contains__, tokens))
    if not rest:
        return "courtesy" if lexicon["tail"].keys() >= set(tokens) else "sigh"
    corrects = not lexicon["corrects"].keys().isdisjoint(rest)
    if corrects or len(rest) > _MAX_WORDS or any(map(str.isdigit, rest)):
        return ""
    if rest[0] in courtesy or (is_behind and rest[0] in lexicon["yours"]):
        return "courtesy"
    if rest[0] == "sigh" and len(rest) <= _MAX_SIGHED:
        return "sigh"
    kinds = (kind for kind in ("sigh", "label") if lexicon.words(kind, "filler").issuperset(rest))
    return next(kinds, "")


def _without_courtesy(line: str, lexicon: Lexicon, names: Sequence[str]) -> str | None:
    """Remove the meaningless clauses before and after the move of a line.

    Returns None if the rest cannot be a move in this context.
    """
    spans = _spans(line)
    clauses = [line[start:end] for start, end in spans]
    first, last, is_sigh = 0, len(clauses) - 1, False

    while first < last:
        why = _silence(clauses[first], lexicon, is_behind=False)
        if not why and not _is_name(clauses[first], lexicon, names):
            break
        is_sigh |= why == "sigh"
        first += 1
    if last - 1 > first and _signs(clauses[last - 1], lexicon) and clauses[last].isalpha():
        last -= 2
    while last > first:
        why = _silence(clauses[last], lexicon, is_behind=True)
        if not why and not _is_name(clauses[last], lexicon, names):
            break
        is_sigh |= why == "sigh"
        last -= 1
    bare = line[spans[first][0] : spans[last][1]].strip()
    if bare == line:
        return line
    is_short = _SHORT.fullmatch(folded_words(bare)) is not None
    is_talk = is_sigh and not (does(bare, lexicon) or _is_card(bare, lexicon))
    return None if is_short or is_talk or _is_name(bare, lexicon, names) else bare


def _is_name(clause: str, lexicon: Lexicon, names: Sequence[str]) -> bool:
    words = (word for word in lexicon.words_in(clause) if word not in lexicon["filler"])
    return " ".join(words) in map(folded_words, names)


def is_request_to_player(text: str, language: str, names: Sequence[str]) -> bool:
    """True if a line asks another player to do something, as in `Bob, throw the eight!`."""
    lexicon, clauses = spoken(language), _STOP.split(text.strip(" .,!;"))
    is_named = len(clauses) > 1 and any(_is_name(clause, lexicon, names) for clause in clauses)
    line = lexicon.fold(text)
    is_own = lexicon.has("own", line) or not lexicon["self"].keys().isdisjoint(line.split())
    return is_named and not is_own


def _signs(clause: str, lexicon: Lexicon) -> bool:
    """True if a clause is a closing that a name can follow, as in `Cheers, Tom`."""
    return not lexicon["signs"].keys().isdisjoint(lexicon.words_in(clause)[-1:])


def _beside_reason(line: str, lexicon: Lexicon) -> Iterator[Part]:
    """Yield the part of a line before `because`. The reason after it may mention cards."""
    words = line.split()
    for index, word in enumerate(words):
        if index and lexicon.fold(word) in lexicon["because"]:
            order, reason = " ".join(words[:index]), " ".join(words[index + 1 :])
            if reason and _begins(order, lexicon) and is_certain(reason):
                yield Part(order.rstrip(" ,.–-"), reason, is_reason=True)
                return


def is_certain(remark: str) -> bool:
    """True if a remark has no condition, question or other word that casts doubt on the order."""
    if re.search(r"[?？؟]|n['’]t\b", remark):
        return False
    lexicon = all_words()
    folded = {*lexicon.fold(remark).split(), *lexicon.words_in(remark)}
    return lexicon.words("corrects", "doubt").isdisjoint(folded)


def _beside_remarks(
    line: str, lexicon: Lexicon, may_order: Callable[[str], bool]
) -> Iterator[Part]:
    """Yield the part of a line that is about the game, if the rest is unrelated remarks.

    Examples: `22, I was asleep` and `It rains. I pick up the pile. Bob is late.`
    """
    spans = _spans(line)
    clauses = [line[start:end] for start, end in spans]
    named = [index for index, clause in enumerate(clauses) if _names(clause, lexicon)]
    if not named or len(named) == len(clauses):
        return
    first, last = named[0], named[-1]
    order, rest = line[spans[first][0] : spans[last][1]], clauses[:first] + clauses[last + 1 :]
    if order[0] in QUOTES or not may_order(order):
        return
    before = line[: spans[first][0]].rstrip(" (-–—")
    # `Your turn: draw a card` is a line of our messages
    is_own = not before or before[-1] in ".!…" or lexicon.says(order, "self")
    is_firm = is_own and (
        _begins(order, lexicon)
        or _asks_for(rest, lexicon)
        or (first == 0 and _is_laid(order, lexicon))
    )
    remark = ". ".join(
        remark_part for remark_part in rest if not _silence(remark_part, lexicon, is_behind=True)
    )
    is_short = len(remark.split()) <= _MAX_REMARK_WORDS and not _NO_REMARK.search(remark)
    if is_firm and is_short and is_certain(remark):
        said = (order, *(part.text for part in _without_edges(order, lexicon)))
        yield from (Part(words, remark) for words in dict.fromkeys(said))


def _names(clause: str, lexicon: Lexicon) -> bool:
    return names_a_thing(lexicon.words_in(clause), lexicon)


def _is_laid(order: str, lexicon: Lexicon) -> bool:
    """True if a text begins with a card and its destination: `6s left`, `Karo 5 zu Bob`."""
    tokens = lexicon.words_in(order)
    card, size = card_at(tokens[:3], lexicon)
    return (
        len(card) > 1
        and not card.isdigit()
        and not lexicon.words("onto", "zone").isdisjoint(tokens[size:])
    )


def _is_card(text: str, lexicon: Lexicon) -> bool:
    """True if a text is a single card with its suit or colour, as in `Karo 9 natürlich`."""
    tokens = lexicon.words_in(cut(text, lexicon, "tail"))
    card, size = card_at(tokens[:3], lexicon)
    return size == len(tokens) and len(card) > 1 and not card.isdigit()


def _asks_for(clauses: Sequence[str], lexicon: Lexicon) -> bool:
    """True if one of these clauses is `please` or `thank you`."""
    polite = lexicon.words("please", "thanks")
    return any(polite >= {*lexicon.words_in(clause)} > set() for clause in clauses)


def _spans(line: str) -> list[tuple[int, int]]:
    """Return the start and end of each clause of a line."""
    stops = [match.span() for match in _STOP.finditer(line)]
    spans = zip([0, *(end for _, end in stops)], [*(at for at, _ in stops), len(line)], strict=True)
    return [(start, end) for start, end in spans if start < end]


# --- several moves, questions and doubts ----------------------------------------------------------


def steps(text: str, language: str) -> Iterator[list[str]]:
    """Yield each way to split a line into several moves: `lay my phase, then discard 5`.

    Without `then`, each part needs a verb or a similar word.
    """
    if len(text) > _LONGEST:
        return
    lexicon = spoken(language)
    for joint, is_then in zip(_joints(), (True, False, False), strict=True):
        said = joint.split(text.strip())
        if not 1 < len(said) <= _MAX_STEPS:
            continue
        if is_then or all(does(part, lexicon) or lexicon.says(part, "onto") for part in said):
            yield said


@lru_cache
def _joints() -> tuple[re.Pattern[str], ...]:
    """Compile the patterns that separate moves: `then`, a comma, and a comma or `and`."""
    then, joined = ("|".join(all_words()[kind]) for kind in ("then", "and"))
    after = rf"\s*[,.!:–—-]*\s+(?:(?:{joined})\s+)?(?:{then}|after that)[\s,]+(?=\S)"
    comma = rf"\s*[,.+&]\s+(?:(?:{joined})\s+)?(?=\S)"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (after, comma, rf"{comma}|\s+(?:{joined})\s+")
    )


def takes_back(line: str, is_order: Callable[[str], bool]) -> bool:
    """True if a line that is not an order revokes the order above it.

    Args:
        is_order: returns True if a text is an order. It is called with parts of the line.
    """
    lexicon = all_words()
    if len(line) > _LONGEST_COURTESY:
        return False
    clauses = [line[start:end] for start, end in _spans(line)]
    if any(lexicon.has("retracts", lexicon.fold(clause)) for clause in clauses):
        return True
    other = _before(line, lexicon, "instead")
    if other != line and is_order(other):
        return True
    tokens = dropwhile(lexicon.words("filler", "lead").__contains__, lexicon.words_in(line))
    if lexicon.words("corrects", "amends").isdisjoint([*tokens][:1]):
        return False
    words = line.split()[1:]
    sizes = range(1, min(_LONGEST_CORRECTION, len(words)) + 1)
    return any(is_order(" ".join(words[-size:])) for size in sizes)


def question_texts(text: str, language: str) -> tuple[str, ...]:
    """Return the text of a question, with and without `can I`. Empty for other lines."""
    match = _ASKED.search(text[:_LONGEST])
    if match is None or not match.start():
        return ()
    said = text[: match.start()]
    return tuple(dict.fromkeys((said, trimmed(said, spoken(language), "asks"))))


def without_doubt(text: str, language: str) -> str | None:
    """Remove words of doubt, as in `maybe 21`. Returns None if a line has no such words."""
    if len(text) > _LONGEST or _ASKED.search(text):
        return None
    lexicon, kinds = spoken(language), ("may", "address", "lead", "picks", "article")
    bare = cut(trimmed(text, lexicon, *kinds), lexicon, "may", "tail")
    left_out = {*lexicon.words_in(text)}.difference(lexicon.words_in(bare))
    doubts = lexicon.words("may", "picks") - lexicon["corrects"].keys()
    is_doubt = bare != text and not doubts.isdisjoint(left_out)
    return bare if is_doubt and _may_move(bare, lexicon) and bare[0] not in QUOTES else None


# --- descriptions of moves ------------------------------------------------------------------------


def describes_move(text: str, language: str) -> bool:
    """True if a line that is not an order seems to describe its writer's move.

    A clause begins or ends with a verb and names a card or similar, or the line consists mostly of
    cards. A false alarm does no harm, because the player gets a message and can answer.
    """
    line, lexicon = without_times(text[:_LONGEST_DESCRIPTION], language), spoken(language)
    clauses = (lexicon.words_in(line[start:end]) for start, end in _spans(line))
    is_list = _is_mostly_cards(lexicon.fold(line).split(), lexicon)
    return is_list or any(_acts(clause, lexicon) for clause in clauses)


def _acts(tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """True if words name a thing after an introduction and a verb, or before a last verb."""
    intros = lexicon.words("filler", "lead", "self", "then", "and", "label", "asks", "may")
    begun = list(dropwhile(intros.__contains__, tokens))
    is_begun = not lexicon.words("verb", "PUT", "RID").isdisjoint(begun[:1])
    return (is_begun and names_a_thing(begun[1:], lexicon)) or (
        not lexicon["verb"].keys().isdisjoint(tokens[-1:]) and names_a_thing(tokens[:-1], lexicon)
    )


def _is_mostly_cards(words: Sequence[str], lexicon: Lexicon) -> bool:
    """True if at least half of the words are in lists of three or more cards: `R5 R5 R5 phase`."""
    listed = [word for word in words if word not in lexicon["and"]]
    lists = groupby(listed, lambda word: _is_code(word, lexicon))
    sizes = [len(list(cards)) for is_list, cards in lists if is_list]
    return 0 < len(listed) <= 2 * sum(size for size in sizes if size >= _SHORTEST_LIST)


def _is_code(word: str, lexicon: Lexicon) -> bool:
    is_short = len(word) == 1 or not word.isalpha()
    return is_short and (word == "1" or card_at([word], lexicon)[1] > 0)


def mistyped_number(text: str) -> str | None:
    """Return the number that a text such as `2l` or `3O` resembles, or None."""
    match = _MISTYPED.fullmatch(text.strip())
    return None if match is None or match[1].isdigit() else match[1].translate(_LOOKALIKES)
