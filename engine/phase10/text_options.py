"""What the options of Phase 10 mean for its rules text, in words.

If a text depends on `ten_hands`, it is under `phases` (the usual game) and `ten_hands`; if on
`naturals`, under the values of that option.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import rulebook
from engine.rulebook import Terms, fill

LEAD = {
    "phases": """\
Everybody has {count} to make, in order, and makes at most one in each hand. The first who has made
the last one wins.""",
    "ten_hands": """\
There are {count} to make, and one hand for each, whether you make it or not. What is left in your
hands costs points, and the lowest total wins.""",
}

STANDARD_DECK = """\
In this game the cards are those of two packs of 52 with four jokers: spades are blue,
hearts red, diamonds yellow, clubs green; ace to ten are 1 to 10, jacks 11, queens 12; kings are
wilds, and jokers are skips. So "discard 7h" means R7, and "discard Qs" means B12. The mails show
these cards; the letters of the colours are understood as well. (P10-2)

W and S are a wild and a skip here, too, and take no suit. Only right behind a number or a picture
an S is spades: "discard 5 S" discards the five of spades, and "discard S" a skip. (P10-2)"""

MOVING_ON = {
    "phases": """\
Whoever laid down the phase has the next one in the next hand. The others try theirs again.
(P10-24)""",
    "ten_hands": """\
In the next hand everybody goes on to the next phase, made or not. (P10-V1)""",
}

END = {
    "phases": """\
The game ends with the hand in which somebody made phase {last}, the last one. If several made it in
that hand, the fewest points win; the points of that hand count. If that is equal too, the tied play
the last phase again among themselves, and win by going out first. The others rank by
phases made, then by points. (P10-25, P10-26, P10-27)""",
    "ten_hands": """\
The game ends with the hand for phase {last}, the last one. The fewest points win. If several are
equal in the lead, they play the last phase again among themselves, and win by going out
first. (P10-V1, P10-26)""",
}

STOPPED = {
    "phases": "phases made, then by the points of finished hands",
    "ten_hands": "the points of finished hands",
}


NEEDED = {
    "group": "Each set and each run needs at least one number card.",
    "phase": """\
One number card in the whole phase is enough, so a set or a run beside it can be of wilds alone. \
(P10-V4)""",
}
"""What needs a number card, by `naturals`."""

NATURALS = {
    "group": """\
Every set and every run needs a number card of its own, not only the phase as a whole. (P10-10)""",
    "phase": """\
A set or a run of wilds alone keeps the numbers that its player said until the hand is over. (P10-V4)""",
}
"""What the sources leave open, by `naturals`."""

_OF_WILDS = """\
- "lay W W W as 7 / 5 5 5" makes three wilds a set of 7s; a run of wilds says its lowest number, as in
"lay 5 5 5 / W W W W as 3". (P10-V4)"""

_AS_IN_STANDARD = """\
- Between wilds alone and the last word of a group, As is this word. Everywhere else As is the ace of
spades. (P10-V4)"""


def of_wilds(naturals: str, *, is_standard: bool) -> str:
    """Say how wilds alone are laid down, where the rules allow it."""
    if naturals == "group":
        return ""
    return f"{_OF_WILDS}\n{_AS_IN_STANDARD}" if is_standard else _OF_WILDS


def phase_lead(count: int, *, ten_hands: bool) -> str:
    """Introduce the list of phases."""
    if ten_hands:
        return "In this order, one hand for each:"
    return "There is one to make:" if count == 1 else "They are made in this order:"


def option_points(its: Terms, phases: Sequence[int]) -> str:
    """Write the source of the list of options."""
    options = its.options
    even_only, ten_hands = options["even_only"] is True, options["ten_hands"] is True
    count = 5 if even_only else len(_given(its))
    words = {
        "even_only": (
            "only the phases with even numbers are played. (P10-V3)"
            if even_only
            else "the list is not cut to the even numbers. (P10-V3)"
        ),
        "phases_to_win": (
            fill("the whole list is played, {count} phase. (P10-V2)", count=count)
            if len(phases) == count == 1
            else fill("the whole list is played, {count} phases. (P10-V2)", count=count)
            if len(phases) == count
            else "only the first of the list is played. (P10-V2)"
            if len(phases) == 1
            else fill("only the first {count} of the list are played. (P10-V2)", count=len(phases))
        ),
        "ten_hands": (
            "there is one hand for each phase, and the lowest total wins. (P10-V1)"
            if ten_hands
            else "a phase is tried until it is made. (P10-V1)"
        ),
        "deck": (
            "cards are shown and written as those of two standard packs. (P10-2)"
            if options["deck"] == "standard"
            else "cards are written with the letters of their colours. (P10-2)"
        ),
        "naturals": (
            "one number card in the whole phase is enough. (P10-V4)"
            if options.get("naturals") == "phase"
            else "every set and every run needs a number card beside its wilds. (P10-V4)"
        ),
        "max_plies": rulebook.plies_words(
            its,
            "Then the points of finished hands decide."
            if ten_hands
            else "Then the phases made decide, after them the points.",
        ),
    }
    if not even_only:
        words["phases"] = "these are in the list, of the ten that there are. (P10-V3)"
    return rulebook.option_points(its, words, {"phases_to_win": count})


def _given(its: Terms) -> Sequence[int]:
    phases = its.options["phases"]
    return phases if isinstance(phases, list) else ()
