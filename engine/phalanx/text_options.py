"""The end of Phalanx's rules text: its options in words, and settled questions."""

from __future__ import annotations

from engine import rulebook
from engine.rulebook import Terms, fill

ACES = {
    "2": """\
An ace is a number card like any other: it counts 1, doubled 2.""",
    "4": """\
An ace counts 1, but 4 when it is doubled, as agreed for this game. (PLX-V3)

    you have: [A♠] [9♠] for 4 + 9 = 13""",
    "10": """\
An ace counts 1, but 10 when it is doubled, as agreed for this game. (PLX-V3)

    you have: [A♠] [9♠] for 10 + 9 = 19""",
    "highest": """\
An ace counts 1, but when it is doubled it counts as much as the highest face-up number card of an
opponent in that zone, at least 2. So it was agreed for this game. (PLX-V3)

    you have: [A♠] [9♠] for 8 + 9 = 17, theirs [8♥] [3♥]""",
}
"""What a doubled ace counts, by the option `aces`."""

TIES = {
    "back": """\
If the lead is tied, the tied take their own cards back. In the center the cards of those below them
become spoils. (PLX-21)""",
    "spoils": """\
If the lead is tied, all cards of the zone become spoils, as agreed for this game. (PLX-V1)""",
    "swap": """\
If the lead is tied, the tied take each other's cards, as agreed for this game: three or more
of them hand theirs on to the player before them, in a ring. In the center the cards of
those below them become spoils. (PLX-V2, PLX-21)""",
}
"""What becomes of the cards when the lead is tied, by the option `tie`."""

CHIPS_TIE = "If the lead is tied, everybody's stake in that zone goes back. (PLX-V5)"

_TIE_WORDS = {
    "back": "who ties for the lead of a zone takes the own cards back. (PLX-21)",
    "spoils": "when the lead of a zone is tied, all its cards become spoils. (PLX-V1)",
    "swap": "who ties for the lead of a zone takes the cards of another who ties. (PLX-V2)",
}

_ACE_WORDS = {
    "2": "a doubled ace counts 2. (PLX-17)",
    "4": "a doubled ace counts 4. (PLX-V3)",
    "10": "a doubled ace counts 10. (PLX-V3)",
    "highest": (
        "a doubled ace counts as the highest opposing card in its zone, at least 2. (PLX-V3)"
    ),
}

_STAKE_WORDS = {
    "cards": "you fight for the cards. (PLX-20)",
    "zones": "you fight for chips, which you bet on zones. (PLX-V5)",
    "per_card": "you fight for chips, and each card played costs some. (PLX-V6)",
}

_WINDOW_WORDS = {
    "deal": "the first bets are made before the opening cards are chosen. (PLX-V5)",
    "opening": "the first bets are made after the opening, which saves a round of mails. (PLX-V5)",
}

_SETTLED = """\
## Settled where the sources are silent

- A king has to take a card if there is one to take. (PLX-14)
- An opening queen or king lies there like a jack that doubles nothing: it keeps an opponent from
flanking. (PLX-10)
- What was received by flanking forms nothing, is not doubled, and flanks no further. (PLX-19)
{more}
- For a player who does not answer in time the service may make a safe move: the lowest number card,
else a jack, king or queen; between equal ones hearts, clubs, diamonds, spades. It goes where
that player has the fewest cards face up. A king takes the highest card there{no_bets}. (PLX-27)
- {silence} Each single move counts as a turn here, also the choice of an opening.
- {stopped} (PLX-28)
- {places}
"""

_CARDS_SETTLED = """\
- Spoils from the deal, from antes and from players who are out can be won in the battle that follows.
What becomes spoils while a battle is counted cannot be won in that same battle. (PLX-22)
- All who cannot draw seven are found at the same time, after any ante. (PLX-24)
- Who resigns can win nothing any more. The cards in the zones stay, still keep others from flanking,
and may be taken by kings; what is left in hand and reserve becomes spoils when the battle is over. Such a player ranks behind
everybody who stays; who was out before keeps the place. (PLX-26, GEN-7)"""

_CHIPS_SETTLED = """\
- If two opening cards are the very same, who sits nearer to the dealer's left plays first. (PLX-9)
{bets}
- Who resigns can win nothing any more. The cards in the zones stay and still keep others from
flanking; the stakes stay too{unmatched}. Such a player ranks behind everybody who
stays; who was out before keeps the place. (PLX-26, PLX-V5, GEN-7)"""


def chapter(its: Terms) -> str:
    """Write the source of the chapter on the options in force, if they have an effect."""
    options = its.options
    stakes = str(options["stakes"])
    battles, ante = its.number("max_battles"), its.number("ante")
    words = {
        "aces": _ACE_WORDS[str(options["aces"])],
        "max_battles": _battles_words(battles),
        "stakes": _STAKE_WORDS[stakes],
        "max_plies": rulebook.plies_words(
            its, "Then the most cards win." if stakes == "cards" else "The most chips win."
        ),
    }
    if stakes == "cards":
        words["tie"] = _TIE_WORDS[str(options["tie"])]
        words["ante"] = _ante_words(ante)
    else:
        words["bankroll"] = fill(
            "everybody begins with {chips} chips. (PLX-V5)", chips=options["bankroll"]
        )
    if stakes == "zones":
        words["zone_ante"] = fill(
            "before a battle everybody puts {ante} into each own zone. (PLX-V5)",
            ante=options["zone_ante"],
        )
        words["first_window"] = _WINDOW_WORDS[str(options["first_window"])]
    if stakes == "per_card":
        words["fee"] = fill("each card played costs {fee}. (PLX-V6)", fee=options["fee"])
    usual = {} if stakes == "cards" else {"max_battles": 5}
    points = rulebook.option_points(its, words, usual)
    return f"## Options of this game\n\n{rulebook.OPTIONS_LEAD}\n\n{points}"


def _battles_words(battles: int) -> str:
    if battles == 0:
        return (
            "the game goes on until one player is left; two players need some thirty battles for"
            " that. (PLX-V7)"
        )
    if battles == 1:
        return "the game is over after 1 battle. (PLX-V7)"
    return fill("the game is over after {count} battles. (PLX-V7)", count=battles)


def _ante_words(ante: int) -> str:
    if ante == 0:
        return "nobody lays cards as spoils before a battle. (PLX-V4)"
    return fill(
        "before each battle everybody first lays the top {ante} of the reserve as spoils, and needs"
        " seven more to fight on. (PLX-V4)",
        ante=ante,
    )


_BETS_SETTLED = """\
- A match or raise is only possible if it matches something, or if an opponent in that zone has chips
left to answer it. (PLX-V5)
- The bets of one line are made in the order left, center, right, however you write them. If your chips
run out, the last match takes what is left. (PLX-V5)"""


def settled(stakes: str) -> str:
    """Write the source of the last chapter; `stakes` is the option."""
    chips, bets = stakes != "cards", stakes == "zones"
    more = fill(
        _CHIPS_SETTLED,
        bets=_BETS_SETTLED if bets else "",
        unmatched=", but nobody has to match them" if bets else "",
    )
    return fill(
        _SETTLED,
        more=more if chips else _CARDS_SETTLED,
        no_bets="; it never bets" if bets else "",
        silence=rulebook.SILENCE,
        stopped=(
            "When a game is stopped, stakes go back, and the most chips win."
            if chips
            else "When a game is stopped, everybody counts reserve, hand and own cards in the zones,"
            " not the spoils, and the most cards win."
        ),
        places=rulebook.PLACES,
    )
