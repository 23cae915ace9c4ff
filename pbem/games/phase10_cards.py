"""The cards of Phase 10 in standing orders: `top is red 5`, `I have laid`, `it lays`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from engine.phase10.cards import COLOUR_OF, NUMBER_OF, SKIP, WILD, Card
from engine.phase10.finder import find_lay
from engine.phase10.groups import open_ends
from engine.phase10.words import OWN_WORDS, TABLES, AnyColour, read_one
from pbem.games.knowledge import View
from pbem.games.phase10_groups import group_of
from pbem.games.subjects import COMPARISONS, HAND, PILE, STOCK, CardValues, Subject, of_seat, top_of

COLOURS = {"red": "R", "blue": "B", "green": "G", "yellow": "Y"}
_SPECIAL = {"wild": WILD, "skip": SKIP}


def read_card_value(words: Sequence[str], deck: str) -> str | None:
    """Parse a card, a number of any colour, a colour, `wild` or `skip`."""
    if len(words) == 1 and words[0] in COLOURS:
        return words[0]
    named = read_one(words, TABLES["standard" if deck == "standard" else "phase10"])
    if named is None:
        return None
    if isinstance(named, AnyColour):
        return str(named.number)
    return {WILD: "wild", SKIP: "skip"}.get(named, str(named))


def _read(words: Sequence[str], comparison: str, deck: str) -> tuple[str, int] | None:
    for count in (3, 2, 1):
        counted = words[:count]
        is_named = len(counted) == count and not OWN_WORDS.fillers & {*counted}
        value = read_card_value(counted, deck) if is_named else None
        if value is not None:
            has_order = value.isdigit() or comparison in ("is", "is not")
            return (value, count) if has_order else None
    return None


def _satisfies(top: str, comparison: str, value: str) -> bool:
    """Compare a card with a value. Only numbers have an order."""
    if value in COLOURS:
        return COMPARISONS[comparison](COLOUR_OF.get(top), COLOURS[value])  # type: ignore[call-overload]
    if not value.isdigit():
        return COMPARISONS[comparison](top, _SPECIAL.get(value, value))
    number = NUMBER_OF.get(top)  # type: ignore[call-overload]
    if number is None:
        return comparison == "is not"
    return COMPARISONS[comparison](number, int(value))


def _said_value(value: str) -> str:
    return f"a {value}" if value == "wild" or value.isdigit() else value


def _lays(view: View, own: View) -> bool:
    """True if the top discard completes the phase of a seat that could not lay it down before."""
    top, hand = _top_discard(view), tuple(map(Card, own["hand"]))
    find = partial(find_lay, phase=own["phase"], by_phase=view["naturals"] == "phase")
    can_lay = top is not None and not own["laid"] and find((*hand, top)) is not None
    return can_lay and find(hand) is None


def _hits(view: View, own: View) -> bool:
    """True if the seat has laid its phase and the top discard fits a group on the table."""
    top, groups = _top_discard(view), (group for laid in view["groups"] for group in laid)
    return (
        top is not None and own["laid"] and any(open_ends(group_of(group), top) for group in groups)
    )


def _top_discard(view: View) -> Card | None:
    """Return the top discard if it can be taken."""
    return Card(view["pile"][-1]) if view["pile"] and view["pile"][-1] != SKIP else None


_CARDS = CardValues(_read, _satisfies)
_NO = r"(?P<no>\s+not)?\s+laid(?:\s+down)?(?!\w)"
SUBJECTS = (
    top_of(_CARDS),
    PILE,
    STOCK,
    HAND,
    Subject("phase", of_seat("phase"), lambda _, seat: int(seat["phase"])),
    Subject(
        "laid",
        (rf"(?:i\s+have|i['’]ve){_NO}", rf"{{who}}\s+has{_NO}"),
        lambda _, seat: bool(seat["laid"]),
        is_state=True,
    ),
    replace(top_of(replace(_CARDS, said=_said_value)), name="it", said=(r"it(?!\w)",)),
    Subject(
        "it lays",
        (r"it\s+(?:lays(?:\s+(?:down|my\s+phase))?|completes\s+(?:my|the)\s+phase)(?!\w)",),
        _lays,
        is_state=True,
    ),
    Subject("it hits", (r"it\s+(?:hits|fits|can\s+be\s+hit)(?!\w)",), _hits, is_state=True),
)
