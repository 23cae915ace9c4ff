"""The cards of Phase 10 in standing orders: `top is red 5`, `I have laid`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.phase10.cards import COLOUR_OF, NUMBER_OF, SKIP, WILD
from engine.phase10.words import OWN_WORDS, TABLES, AnyColour, read_one
from pbem.games.subjects import COMPARISONS, HAND, PILE, STOCK, CardValues, Subject, of_seat, top_of

COLOURS = {"red": "R", "blue": "B", "green": "G", "yellow": "Y"}
_SPECIAL = {"wild": WILD, "skip": SKIP}


def read_card_value(words: Sequence[str], deck: str) -> str | None:
    """Read a card, a number of any colour, a colour, `wild` or `skip`."""
    if len(words) == 1 and words[0] in COLOURS:
        return words[0]
    named = read_one(words, TABLES["standard" if deck == "standard" else "phase10"])
    if named is None:
        return None
    if isinstance(named, AnyColour):
        return str(named.number)
    return {WILD: "wild", SKIP: "skip"}.get(named, str(named))


def _read(words: tuple[str, str], comparison: str, deck: str) -> tuple[str, int] | None:
    for count in (2, 1):
        said = words[:count]
        is_filled = "" not in said and not OWN_WORDS.fillers & {*said}
        value = read_card_value(said, deck) if is_filled else None
        if value is not None:
            has_order = value.isdigit() or comparison in ("is", "is not")
            return (value, count) if has_order else None
    return None


def _is_so(top: str, comparison: str, value: str) -> bool:
    """Compare a card; only numbers have an order."""
    if value in COLOURS:
        return COMPARISONS[comparison](COLOUR_OF.get(top), COLOURS[value])  # type: ignore[call-overload]
    if not value.isdigit():
        return COMPARISONS[comparison](top, _SPECIAL.get(value, value))
    number = NUMBER_OF.get(top)  # type: ignore[call-overload]
    if number is None:
        return comparison == "is not"
    return COMPARISONS[comparison](number, int(value))


_NO = r"(?P<no>\s+not)?\s+laid(?:\s+down)?(?!\w)"
SUBJECTS = (
    top_of(CardValues(_read, _is_so)),
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
)
