"""The rules of Phase 10 for players, in the format of `engine.rulebook`.

A single template has placeholders for the differences in family rules and options.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import rulebook
from engine.phase10.groups import PHASES, Kind, Part
from engine.phase10.state import EVEN_PHASES, phase_list
from engine.rulebook import Terms, fill

_TEXT = """\
Phase 10{title}

Two to six players. {lead}

## The cards

There are 108: the numbers 1 to 12 in red, blue, green and yellow, each twice; eight wilds; and four
skips. A letter stands for the colour: (P10-1, P10-3)

    a card: [R7] the red seven, which you write R7 or "red 7"
    more of them: [B12] blue twelve, [G1] green one, [Y5] yellow five
    without a number: [W] a wild, [S] a skip

Codes such as (P10-1) name a rule. When a move is refused, the answer gives its code, and you find
it here.

{deck}

## The phases

{phase_lead} (P10-8)

{phases}

- A set is cards of one number, in any colours.
- A run is numbers that follow each other, in any colours. It may reach from 1 to 12, and does not
go round from 12 to 1. (P10-9)
- A wild may be any number and any colour. In a run it stays the number that it stood for. {needed} A
skip belongs nowhere. (P10-10)

## How a hand goes

Everybody is dealt ten cards; then the top card of the stock is turned up as the first discard. The
player after the dealer plays first, and loses that turn if the card turned up is a skip. (P10-4,
P10-5)

A hand goes on, turn by turn, until somebody is out of cards. Then points are counted, and the next
player deals.

## Your turn

A turn has four steps; the second and third are optional: (P10-6)

- Draw a card from the stock, or take the top discard. A skip cannot be taken. When the stock is gone,
the discards under the top one are shuffled, and are the new stock. (P10-7, P10-11)
- Lay down your phase, if your hand holds it: all of it at once. Groups may be longer than asked for,
but there may be no more of them. (P10-12, P10-13)
- Hit, if your phase lies on the table: lay cards onto any group there, whoever has laid it. A set
takes one more of its number, a run the next number at its low or high end, cards of one colour take
more of that colour, and any group takes a wild. (P10-15)
- Discard one card. Then the next player has the turn.

Once it lies there the phase is made, no matter who wins the hand. (P10-14)

## A turn in pictures

Suppose that your phase is number 2: a set of 3 and a run of 4. You have drawn, and have eleven cards:

    yours: [R5] [B5] [W] [G8] [R9] [Y10] [W] [R1] [G2] [B12] [S]

Two fives and a wild are a set; 8, 9 and 10 with the other wild are a run up to 11. You send "lay R5 B5
W / G8 R9 Y10 W". (With "lay" alone the service finds a way, maybe another one.)

    your set: [R5] [B5] [W]
    your run: [G8] [R9] [Y10] [W]
    still yours: [R1] [G2] [B12] [S]

Bob has a set of 2s on the table, so your 2 is welcome there, and the 12 fits at the end of your own
run. You send "hit G2 on bob" and "hit B12 on own run", and end the turn with "discard R1":

    Bob's set: [B2] [Y2] [W] [G2]
    your run: [G8] [R9] [Y10] [W] [B12]
    still yours: [S]

If somebody is out of cards before your next turn, that skip costs you 15 points.

{going_out}

## Skips

If you discard a skip, you name a player, who loses the next turn. If there is only one whom you can
name, you need not say it. (P10-19)

{skips}

## Points

When a hand ends, what you still hold is counted: (P10-23)

    each card from 1 to 9: 5 points
    each card from 10 to 12: 10 points
    each skip: 15 points
    each wild: 25 points

A player who went out{floats} gets none. Cards on the table do not count. The fewer points, the
better.

{moving_on}

## How it ends

{end}

## How to play by mail

- "draw" draws from the stock, "take" takes the top discard.
- "lay" lays down your phase; the service finds a way if there is one, with the fewest wilds.
- "lay 5 5 5 / 7 7 W" or "lay G3 W R5 Y6" says how. A run with wilds is written upwards, with each
wild at its place.
{of_wilds}
- "hit R5 on bob" puts the card onto the first group of Bob's where it fits. To say which, you write
"hit R5 on bob's 5s", "hit R5 on bob's second 5s" or "hit R5 on my run", or for an end of a run
"hit W on bob's run high".
- "discard G3" ends your turn. "discard S bob" or "skip bob" discards a skip and names Bob.
- A number without a colour is any such card you have: red before blue, green and yellow.
{by_mail}

## What everybody can see

The discards, all groups on the table, everybody's phase and points, how many cards each hand and the
stock hold. Also a card that somebody took from the discards, until it is played. Your hand is known
to you alone. (P10-32) {opened}

## Options of this game

{options_lead}

{options}

## Settled where the sources are silent

- {naturals}
- A wild that is hit onto a run goes to the end that you name; if one end only is open, to that. A run
from 1 to 12 is full. (P10-16)
- Two sets of one phase may have the same number. (P10-9)
- If the stock is gone and there is nothing to shuffle, "draw" takes the top discard. Only if that
is a skip, you go without. (P10-11)
- A skip with nobody to name is discarded like any card. Turns that were not lost yet are forgotten
when the hand ends. (P10-21)
- Of two equal cards the one that everybody knows leaves the hand first. (P10-32)
- A player who resigns takes the hand along; the groups stay, and can be hit. Such a player ranks
behind everybody who stays. When a tie is played off, those who are not in it keep their places even
so. (P10-28, GEN-7)
- For a player who does not answer in time the service may play safe moves: it draws, lays down and
hits what it can, and discards the dearest number card that does not help. (P10-29)
- {silence} To lose a turn to a skip does not count as one.
- A game that is stopped is ranked by {stopped}. (P10-31)
- {places}
"""

_OFFICIAL = {
    "title": "",
    "floats": "",
    "going_out": """\
## Going out

You go out when your last card leaves your hand: by discarding it, by hitting, or by laying down. The
hand is over at once, and you have won it. You need not keep a card to discard. (P10-17)""",
    "skips": """\
- In each round a player can be skipped only once: until the turn of whoever skipped comes round
again, nobody else may name the same player. (P10-20)
- Between two players the skipper plays again, and may go on skipping. (P10-20, P10-21)
- If the skip is your last card, you go out and name nobody. (P10-22)""",
}

_FAMILY = {
    "title": ", family rules",
    "floats": " or floats",
    "going_out": """\
## Going out, and floating

You go out by discarding your last card. The hand is over at once, and you have won it.

If your last cards went by laying down or hitting, you have nothing to discard, and float: you have
no further turn in this hand and no points, but you cannot win it. Your phase counts all the same. If
everybody floats, nobody wins the hand. (P10-18)""",
    "skips": """\
- A player who still has a turn to lose, or has lost one and not had a turn since, cannot be named.
Nor can a player who floats. (P10-20, P10-21)
- Between two players the skipper plays again. (P10-21)
- You cannot go out with a skip. If it is your last card, you name a player, draw a card, and your turn
is over; with nothing to draw you float. (P10-22)""",
}


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
"""Sentence about groups that need a number card, by the option `naturals`."""

NATURALS = {
    "group": """\
Every set and every run needs a number card of its own, not only the phase as a whole. (P10-10)""",
    "phase": """\
A set or a run of wilds alone keeps the numbers that its player named until the hand is over.
(P10-V4)""",
}
"""Clarifications of the rules, by the option `naturals`."""

_OF_WILDS = """\
- "lay W W W as 7 / 5 5 5" makes three wilds a set of 7s; a run of wilds says its lowest number, as in
"lay 5 5 5 / W W W W as 3". (P10-V4)"""

_AS_IN_STANDARD = """\
- Between wilds alone and the last word of a group, As is this word. Everywhere else As is the ace of
spades. (P10-V4)"""


def of_wilds(naturals: str, *, is_standard: bool) -> str:
    """Return the points about laying down wilds only, or an empty text if not allowed."""
    if naturals == "group":
        return ""
    return f"{_OF_WILDS}\n{_AS_IN_STANDARD}" if is_standard else _OF_WILDS


def phase_lead(count: int, *, ten_hands: bool) -> str:
    """Return the sentence that introduces the list of phases."""
    if ten_hands:
        return "In this order, one hand for each:"
    return "There is one to make:" if count == 1 else "They are made in this order:"


def _counts_of(its: Terms) -> Sequence[int]:
    phases = its.options["phases"]
    return phases if isinstance(phases, list) else ()


def _number_of_phases(its: Terms) -> int:
    """Return the length of the list of phases."""
    return len(EVEN_PHASES) if its.options["even_only"] else len(_counts_of(its))


def _phases_words(its: Terms) -> str:
    """Describe how many phases of the list are played."""
    count, played = _number_of_phases(its), its.number("phases_to_win")
    if played == count == 1:
        return fill("the whole list is played, {count} phase. (P10-V2)", count=count)
    if played == count:
        return fill("the whole list is played, {count} phases. (P10-V2)", count=count)
    if played == 1:
        return "only the first of the list is played. (P10-V2)"
    return fill("only the first {count} of the list are played. (P10-V2)", count=played)


_WORDS: rulebook.Words = {
    "phases": lambda _: "these are in the list, of the ten that there are. (P10-V3)",
    "even_only": {
        "true": "only the phases with even numbers are played. (P10-V3)",
        "false": "the list is not cut to the even numbers. (P10-V3)",
    },
    "phases_to_win": _phases_words,
    "ten_hands": {
        "true": "there is one hand for each phase, and the lowest total wins. (P10-V1)",
        "false": "a phase is tried until it is made. (P10-V1)",
    },
    "deck": {
        "standard": "cards are shown and written as those of two standard packs. (P10-2)",
        "phase10": "cards are written with the letters of their colours. (P10-2)",
    },
    "naturals": {
        "phase": "one number card in the whole phase is enough. (P10-V4)",
        "group": "every set and every run needs a number card beside its wilds. (P10-V4)",
    },
    "max_plies": lambda its: rulebook.plies_words(
        its,
        "Then the points of finished hands decide."
        if its.options["ten_hands"]
        else "Then the phases made decide, after them the points.",
    ),
}
"""Descriptions of the option values, for `rulebook.option_points`."""


def rules_source(its: Terms, *, is_family: bool) -> str:
    """Return the source of the rules text of either ruleset for a table."""
    phases = phase_list(its.options)
    ten_hands = its.options["ten_hands"] is True
    last = phases[-1]
    kind = "ten_hands" if ten_hands else "phases"
    naturals = str(its.options.get("naturals", "group"))
    is_standard = its.options["deck"] == "standard"
    return fill(
        _TEXT,
        **(_FAMILY if is_family else _OFFICIAL),
        lead=fill(LEAD[kind], count=_count(len(phases))),
        deck=STANDARD_DECK if is_standard else "",
        needed=NEEDED[naturals],
        of_wilds=of_wilds(naturals, is_standard=is_standard),
        naturals=NATURALS[naturals],
        phase_lead=phase_lead(len(phases), ten_hands=ten_hands),
        phases="\n".join(
            fill("    phase {phase}: {words}", phase=phase, words=_in_words(phase))
            for phase in phases
        ),
        moving_on=MOVING_ON[kind],
        end=fill(END[kind], last=last),
        by_mail=rulebook.by_mail("take or draw"),
        options_lead=rulebook.OPTIONS_LEAD,
        options=rulebook.option_points(
            its,
            _WORDS,
            {"phases_to_win": _number_of_phases(its)},
            ["phases"] if its.options["even_only"] else (),
        ),
        opened=rulebook.OPENED,
        silence=rulebook.SILENCE,
        stopped=STOPPED[kind],
        places=rulebook.PLACES,
    )


def _in_words(phase: int) -> str:
    parts = PHASES[phase]
    if len(parts) > 1 and all(group == parts[0] and group.kind is Kind.SET for group in parts):
        return fill("two sets of {size}", size=parts[0].size)
    first, *others = (fill(words.template, **words.values) for words in map(Part.in_words, parts))
    return fill("{first} + {second}", first=first, second=others[0]) if others else first


def _count(number: int) -> str:
    words = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return "one phase" if number == 1 else fill("{number} phases", number=words[number - 2])
