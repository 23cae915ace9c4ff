"""Standing orders: `next: if top <= 9 play 9 or pickup`, `drawing: take if it lays, else stock`.

Alternatives are joined by `or`. Each is a game order with or without conditions. The first legal
alternative whose conditions are met is played. docs/standing-orders.md has the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from engine.api import AnyRuleset, Seat
from engine.errors import EngineError
from engine.orders import alternatives, list_number, number_and_move
from engine.sentences import Sentence, sentence
from pbem.domain.terms.conditions import Condition, TableVocabulary, read_conditions
from pbem.domain.terms.seats import with_seats
from pbem.errors import Refusal
from pbem.games.knowledge import View

MAX_ALTERNATIVES = 6
LONGEST = 1200
"""Maximum length of a standing order in characters. Canonical texts are always shorter."""

_OTHERWISE = re.compile(r"\s*[,;]?\s+(?:or\s+)?(?:otherwise|else)[,:]?\s+", re.IGNORECASE)
_IF_FIRST = re.compile(r"if\s+", re.IGNORECASE)
_IF_LAST = re.compile(r"\s+if\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One order, with seat numbers, and its conditions, which must all be met."""

    order: str
    conditions: tuple[Condition, ...] = ()

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the canonical text, which can be parsed again."""
        if not self.conditions:
            return self.order
        return f"if {' and '.join(condition.text(names) for condition in self.conditions)} {self.order}"


NextOrder = tuple[Alternative, ...]


def text_of(wanted: NextOrder, names: Sequence[str] = ()) -> str:
    """Return a standing order's canonical text, with names or seat numbers."""
    return " or ".join(alternative.text(names) for alternative in wanted)


def read_next(text: str, vocabulary: TableVocabulary, rules: AnyRuleset) -> NextOrder:
    """Parse the text after `next:`.

    Raises: Refusal that explains the syntax.
    """
    if len(text) > LONGEST:
        raise _refusal(
            sentence("A standing order has at most {count} characters.", count=LONGEST), vocabulary
        )
    groups = [alternatives(group) for group in _OTHERWISE.split(text.strip(" ,."))]
    parts = [alternative for group in groups for alternative in group]
    if len(parts) > MAX_ALTERNATIVES:
        raise _refusal(
            sentence("A standing order has at most {count} alternatives.", count=MAX_ALTERNATIVES),
            vocabulary,
        )
    for before, alternative in (pair for group in groups for pair in pairwise(group)):
        if _goes_on(before, alternative, vocabulary):
            raise _unread_condition(f"{before} or {alternative}", vocabulary)
    return tuple(_read_alternative(alternative, vocabulary, rules) for alternative in parts)


def _goes_on(before: str, text: str, vocabulary: TableVocabulary) -> bool:
    """True if an alternative may continue a condition, as in `pickup if top is A or K`."""
    last = None if _IF_FIRST.match(before) else _IF_LAST.search(before)
    conditions = None if last is None else read_conditions(before[last.end() :], vocabulary)
    if conditions is None:
        return False
    asked = replace(conditions[0][-1], value="").text().strip()
    again = read_conditions(f"{asked} {text}", vocabulary)
    return again is not None and not again[1]


def _read_alternative(text: str, vocabulary: TableVocabulary, rules: AnyRuleset) -> Alternative:
    conditions: tuple[Condition, ...] = ()
    order = text.strip()
    first, last = _IF_FIRST.match(order), _IF_LAST.search(order)
    if first is not None:
        result = read_conditions(order[first.end() :], vocabulary)
        if result is None:
            raise _unread_condition(text, vocabulary)
        conditions, order = result
    elif last is not None:
        result = read_conditions(order[last.end() :], vocabulary)
        if result is None or result[1]:
            raise _unread_condition(text, vocabulary)
        conditions, order = result[0], order[: last.start()]
    order = with_seats(" ".join(order.split()).strip(" ,."), [rules], vocabulary.names)
    if not order:
        raise _refusal(
            sentence("“{part}” says when, but not what is to be done then.", part=text), vocabulary
        )
    if list_number(order) is not None or number_and_move(rules, order) is not None:
        raise _refusal(
            sentence(
                "The list for your next turn does not exist yet, so a number means nothing: "
                "please name the cards."
            ),
            vocabulary,
        )
    if not rules.reads_as_order(order):
        raise _refusal(sentence("“{order}” isn't a move in this game.", order=order), vocabulary)
    if order.split()[0].casefold() in (vocabulary.profile.choice_word, "set"):
        raise _refusal(
            sentence(
                "A secret choice needs the cards of its own deal, so it cannot be made in advance;"
                " everybody chooses at once, and nobody waits for you alone."
            ),
            vocabulary,
            rule="GEN-6",
        )
    return Alternative(order, conditions)


# --- rules for drawing ----------------------------------------------------------------------------

DRAW = Alternative("draw")
NOTHING = ("none", "off", "nothing", "no", "cancel")
"""Words that cancel a standing order."""
_ALWAYS = re.compile(r"(?:always\s+)?(?:from\s+)?(?:the\s+)?(?:stock|draw)", re.IGNORECASE)
_ASKED = re.compile(r"(?:always\s+)?ask(?:\s+me)?", re.IGNORECASE)
_TAKE = re.compile(
    r"take\s+(?:it\s+)?if\s+(?P<conditions>.+?)"
    r"(?:\s*[,;:]?\s+(?:or\s+)?(?:else|otherwise)\s+(?:from\s+)?(?:the\s+)?"
    r"(?P<otherwise>stock|draw|ask(?:\s+me)?))?",
    re.IGNORECASE,
)
_OR = re.compile(r"\s*(?:,\s*(?:or\s+)?|\s+or\s+)", re.IGNORECASE)
_IT_IS = re.compile(
    r"\A(?:(?:it|the\s+(?:top\s+)?card)(?:\s+|['’](?=s)))?(?:(?:is|s)\s+)?", re.IGNORECASE
)


def read_drawing(text: str, vocabulary: TableVocabulary) -> NextOrder:
    """Parse the text after `drawing:`. No alternatives means that the player decides.

    `take if it is a 5 or it lays, else stock` becomes one `take` per condition, and `draw`.

    Raises: Refusal that explains the syntax.
    """
    bare = " ".join(text.split()).strip(" .")
    if bare.casefold() in NOTHING or _ASKED.fullmatch(bare):
        return ()
    if _ALWAYS.fullmatch(bare):
        return (DRAW,)
    rule = _TAKE.fullmatch(bare)
    if rule is None or len(text) > LONGEST:
        raise _refused_rule(
            sentence(
                "I could not read that rule for drawing. It says when you take the top card of the"
                " discard pile, and what is done otherwise: “stock” draws, “ask” leaves it to you."
            ),
            vocabulary,
        )
    parts = _OR.split(rule["conditions"])
    takes = dict.fromkeys(Alternative("take", _conditions(part, vocabulary)) for part in parts)
    asks = (rule["otherwise"] or "").casefold().startswith("ask")
    ways = tuple(takes) if asks else (*takes, DRAW)
    if len(drawing_text(ways)) > LONGEST:
        longest = sentence("A standing order has at most {count} characters.", count=LONGEST)
        raise _refused_rule(longest, vocabulary)
    return ways


def _conditions(text: str, vocabulary: TableVocabulary) -> tuple[Condition, ...]:
    """Parse the conditions of one part, in which `it` and `is` are optional. Raises: Refusal."""
    bare = _IT_IS.sub("", text.strip())
    for phrase in (text, f"it {bare}", f"it is {bare}"):
        conditions = read_conditions(phrase, vocabulary)
        if conditions is None or conditions[1]:
            continue
        if any(
            (condition.comparison, condition.value) == ("is", "skip") for condition in conditions[0]
        ):
            skip = sentence("A skip cannot be taken from the discard pile.")
            raise _refused_rule(skip, vocabulary, rule="P10-7")
        return conditions[0]
    raise _refused_rule(
        sentence(
            "I could not read “{part}” in that rule. It may be a number (“it is a 5”), a card"
            " (“it is red 5”), a colour (“it is red”), “it is a wild”, “it lays” or “it hits”.",
            part=text.strip(),
        ),
        vocabulary,
    )


def _refused_rule(
    message: Sentence, vocabulary: TableVocabulary, rule: str | None = None
) -> Refusal:
    return Refusal("standing", message, rule=rule, suggestions=vocabulary.profile.drawing_examples)


def drawing_text(rule: NextOrder, names: Sequence[str] = ()) -> str:
    """Return the canonical text of a drawing rule, or an empty text if there is none."""
    takes = [
        " and ".join(condition.text(names) for condition in way.conditions)
        for way in rule
        if way != DRAW
    ]
    if takes:
        return f"take if {' or '.join(takes)}, else {'stock' if DRAW in rule else 'ask'}"
    return "always stock" if rule else ""


# --- refusals -------------------------------------------------------------------------------------


def _unread_condition(text: str, vocabulary: TableVocabulary) -> Refusal:
    return _refusal(
        sentence(
            "I could not read the condition of “{part}”. After “if” comes what may be compared:"
            " {subjects}; then “is”, “is not”, “<”, “<=”, “>” or “>=”; then a card or a number;"
            " and behind it the move.",
            part=text,
            subjects=", ".join(_said_subjects(vocabulary)),
        ),
        vocabulary,
    )


def _said_subjects(vocabulary: TableVocabulary) -> list[str]:
    names = [name for name in vocabulary.names if name][:1]
    more = {"hand": ["hand", *(f"hand of {name}" for name in names)], "laid": ["I have laid"]}
    return [
        phrase
        for subject in vocabulary.profile.subjects
        for phrase in more.get(subject.name, [subject.name])
    ]


def _refusal(message: Sentence, vocabulary: TableVocabulary, rule: str | None = None) -> Refusal:
    return Refusal("standing", message, rule=rule, suggestions=examples(vocabulary))


def examples(vocabulary: TableVocabulary) -> tuple[str, ...]:
    """Return example standing orders for the game."""
    return vocabulary.profile.next_examples


# --- when the turn comes --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fitting:
    """Result of applying a standing order now: the order to play, or why there is none."""

    order: str | None
    reasons: tuple[Sentence, ...] = ()


def fitting(
    wanted: NextOrder,
    rules: AnyRuleset,
    state: Any,  # noqa: ANN401  (a state of any ruleset)
    seat: Seat,
    names: Sequence[str] = (),
) -> Fitting:
    """Return the first alternative that is legal now and whose conditions are met.

    A condition about a player who has left ends the search, because its meaning is unclear.
    """
    view: View = rules.view(state, seat)
    reasons: list[Sentence] = []
    for alternative in wanted:
        missing = next((each for each in alternative.conditions if not each.holds(view)), None)
        if missing is not None:
            reasons.append(missing.why_not(view, names))
            if missing.is_about_nobody(view):
                break
            continue
        try:
            rules.apply(state, seat, rules.parse_order(state, seat, alternative.order))
        except EngineError as error:
            reasons.append(
                sentence("“{order}”: {message}", order=alternative.order, message=error.message)
            )
        else:
            return Fitting(alternative.order)
    return Fitting(None, tuple(reasons))


def names_move(
    wanted: NextOrder,
    rules: AnyRuleset,
    state: Any,  # noqa: ANN401  (a state of any ruleset)
    seat: Seat,
    move: str,
) -> bool:
    """True if an alternative is this move, regardless of its conditions."""
    for alternative in wanted:
        try:
            meant = rules.parse_order(state, seat, alternative.order)
        except EngineError:
            continue
        if rules.format_move(state, seat, meant) == move:
            return True
    return False
