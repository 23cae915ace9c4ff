"""`drawing: take if it is a 5 or it lays, else stock`: drawing rules of Phase 10.

A rule looks only at the top discard, the player's own hand and the cards on the table. The grammar:
docs/standing-orders.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from engine.phase10.cards import COLOUR_OF, NUMBER_OF, SKIP, WILD, Card
from engine.phase10.finder import find_lay
from engine.phase10.groups import open_ends
from engine.sentences import sentence
from pbem.errors import Refusal
from pbem.games.knowledge import View
from pbem.games.phase10_cards import COLOURS, read_card_value
from pbem.games.phase10_groups import group_of

LAYS, HITS = "lays", "hits"
STOCK, ASK = "stock", "ask"
MOST_CONDITIONS = 12
LONGEST = 300

EXAMPLES = (
    sentence("drawing: take if it lays, else stock"),
    sentence("drawing: take if it hits, else stock"),
    sentence("drawing: always stock"),
    sentence("drawing: none"),
)


@dataclass(frozen=True, slots=True)
class Phase10Rule:
    """When to take the top discard, and what to do otherwise.

    Attributes:
        conditions: cards (`R5`), numbers of any colour, colours, `wild`, `lays`, `hits`; one suffices.
        otherwise: `stock` or `ask`.
    """

    conditions: tuple[str, ...]
    otherwise: str

    def __str__(self) -> str:
        if not self.conditions:
            return f"always {self.otherwise}"
        return f"take if it {' or it '.join(map(_said, self.conditions))}, else {self.otherwise}"

    def order(self, view: View) -> str | None:
        """Return how to draw, `take` or `draw`; None to ask the player."""
        top = view["pile"][-1] if view["pile"] else None
        if top not in (None, SKIP) and any(
            _is_wanted(condition, Card(top), view) for condition in self.conditions
        ):
            return "take"
        return "draw" if self.otherwise == STOCK else None


def _said(condition: str) -> str:
    if condition in (LAYS, HITS):
        return condition
    return f"is a {condition}" if condition == "wild" or condition.isdigit() else f"is {condition}"


def _is_wanted(condition: str, top: Card, view: View) -> bool:
    own = view["seats"][view["seat"]]
    if condition == LAYS:
        hand = tuple(map(Card, own["hand"]))
        find = partial(find_lay, phase=own["phase"], by_phase=view["naturals"] == "phase")
        return not own["laid"] and find((*hand, top)) is not None and find(hand) is None
    if condition == HITS:
        return own["laid"] and any(
            open_ends(group_of(group), top) for groups in view["groups"] for group in groups
        )
    if condition in COLOURS:
        return COLOUR_OF.get(top) == COLOURS[condition]
    if condition == "wild":
        return top == WILD
    return top == condition or (condition.isdigit() and NUMBER_OF.get(top) == int(condition))


# --- reading --------------------------------------------------------------------------------------

_ALWAYS = re.compile(r"(?:always\s+)?(?:from\s+)?(?:the\s+)?(?:stock|draw)", re.IGNORECASE)
_NONE = ("none", "off", "nothing", "no", "cancel")
_ASKED = re.compile(r"(?:always\s+)?ask(?:\s+me)?", re.IGNORECASE)
_TAKE = re.compile(
    r"take\s+(?:it\s+)?if\s+(?P<conditions>.+?)"
    r"(?:\s*[,;:]?\s+(?:or\s+)?(?:else|otherwise)\s+(?:from\s+)?(?:the\s+)?"
    r"(?P<otherwise>stock|draw|ask(?:\s+me)?))?",
    re.IGNORECASE,
)
_OR = re.compile(r"\s*(?:,\s*(?:or\s+)?|\s+or\s+)", re.IGNORECASE)
_IT = re.compile(r"\A(?:it|the\s+card|the\s+top\s+card)(?:\s+|['’](?=s))", re.IGNORECASE)
_IS = re.compile(r"\A(?:is|['’]?s)\s+", re.IGNORECASE)
_LAYS = re.compile(
    r"(?:lays(?:\s+(?:down|my\s+phase))?|completes\s+(?:my|the)\s+phase)", re.IGNORECASE
)
_HITS = re.compile(r"(?:hits|fits|can\s+be\s+hit)", re.IGNORECASE)


def read_drawing(text: str, deck: str = "") -> Phase10Rule | None:
    """Read the text after `drawing:`; None if the player decides again.

    Raises: Refusal, which explains how to write it.
    """
    said = " ".join(text[:LONGEST].split()).strip(" .")
    if said.casefold() in _NONE or _ASKED.fullmatch(said):
        return None
    if _ALWAYS.fullmatch(said):
        return Phase10Rule((), STOCK)
    found = _TAKE.fullmatch(said)
    if found is None or len(text) > LONGEST:
        raise Refusal(
            "standing",
            sentence(
                "I could not read that rule for drawing. It says when you take the top card of the"
                " discard pile, and what is done otherwise: “stock” draws, “ask” leaves it to you."
            ),
            suggestions=EXAMPLES,
        )
    conditions: list[str] = []
    for part in _OR.split(found["conditions"]):
        condition = _read_one(part, deck)
        if condition not in conditions:
            conditions.append(condition)
    if len(conditions) > MOST_CONDITIONS:
        raise Refusal(
            "standing",
            sentence("A rule for drawing names at most {count} cards.", count=MOST_CONDITIONS),
            suggestions=EXAMPLES,
        )
    otherwise = (found["otherwise"] or STOCK).casefold()
    return Phase10Rule(tuple(conditions), ASK if otherwise.startswith(ASK) else STOCK)


def _read_one(part: str, deck: str) -> str:
    said = _IS.sub("", _IT.sub("", part.strip(), count=1), count=1).strip()
    if _LAYS.fullmatch(said):
        return LAYS
    if _HITS.fullmatch(said):
        return HITS
    words = said.casefold().split()
    value = read_card_value(
        words[1:] if words[:1] in (["a"], ["an"]) and words[1:] else words, deck
    )
    if value == "skip":
        raise Refusal(
            "standing",
            sentence("A skip cannot be taken from the discard pile."),
            rule="P10-7",
            suggestions=EXAMPLES,
        )
    if value is None:
        raise Refusal(
            "standing",
            sentence(
                "I could not read “{part}” in that rule. It may be a number (“it is a 5”), a card"
                " (“it is red 5”), a colour (“it is red”), “it is a wild”, “it lays” or “it hits”.",
                part=part.strip(),
            ),
            suggestions=EXAMPLES,
        )
    return value
