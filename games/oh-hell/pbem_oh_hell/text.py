"""The rules of Oh Hell for players, in the form of `engine.rulebook`."""

from __future__ import annotations

from engine import rulebook
from engine.rulebook import Say, Terms, fill

_TEXT = """\
Oh Hell

Three to seven players and one pack of 52 cards. In each deal you first say how many tricks you will take.
Take exactly that many, and you score; one more or one less, and you get nothing. (OHH-1)

{table}

## The cards

    from low to high: [2] [3] [4] to [10], then [J] [Q] [K] [A]

In a mail a card is its rank and the letter of its suit: 7c for clubs, 7d for diamonds, 7h for hearts,
7s for spades.

Codes such as (OHH-8) name a rule. When a move is refused, the answer gives its code, and you find
it here.

## The deals

{course} The next card of the pack is turned up, and its suit is trump in this deal. The other cards are
not used. (OHH-2, OHH-4)

The deal passes to the left. (OHH-3)

## Your bid

Beginning at the dealer's left, each player says in turn how many tricks they will take, from none to
all. Everybody hears the bids, and nobody can change one. (OHH-5)

{hook}

## The tricks

The player at the dealer's left leads the first trick with any card; after that, the player who took
the last trick leads. Each player plays one card in turn. (OHH-7)

- If you hold a card of the suit that was led, you have to play one. (OHH-8)
- If you hold none, you play whatever you like, trump or not. (OHH-8)
- The highest trump takes the trick; without a trump, the highest card of the suit that was led. (OHH-9)

## A trick in pictures

    trump: [5♥]
    Anna leads: [9♣]
    Bob: [K♣]
    Carol: [2♥]
    you hold: [4♣] [A♣] [Q♠]

You have clubs, so you play [4♣] or [A♣]. Carol had none and has trumped: even your ace does not take
this trick.

## Points

If you took as many tricks as you bid, you score 10 and one more for each trick. If not, you score
nothing in this deal. So a bid of none that holds is worth 10, a bid of three that holds 13. (OHH-10)

After the last deal the player with the most points has won. (OHH-11)

## How to play by mail

- "bid 2" says that you will take two tricks; while bids are made, the number alone will do.
- "play 7h" or "seven of hearts" plays a card; the rank alone will do if only one such card fits.
{by_mail}

## What everybody can see

The card turned up, all bids, all cards that were played, the tricks and points of everybody, how many
cards each hand holds. Your hand is for you alone. The cards that were not dealt are known to nobody.
(OHH-14) {opened}

## Options of this game

{options_lead}

{options}

## Settled where the sources are silent

- For a player who does not answer in time the service may make a standby move: the lowest bid that is
allowed, or the lowest card that is allowed, a trump last. (OHH-13)
- {silence}
- A player who resigns leaves with all cards, unseen. A card that lies in the trick stays there and can take it.
The others play the deal to its end with the bids that they made. Such a player ranks behind everybody
who stays. (OHH-12, GEN-7)
- {places}
"""

_HOOK = """\
The last bidder cannot choose the number with which all bids add up to the tricks of the deal. So
somebody always fails. (OHH-6)"""
_NO_HOOK = "The last bidder is as free as the others. (OHH-6)"


def rules_text(its: Terms, say: Say = str) -> str:
    """Return the rules for a table."""
    hook, course, cards = its.options["hook"], its.options["course"], its.number("cards")
    table = ""
    if its.players is not None:
        table = fill("At your table there are {players} players.", players=its.players)
    return rulebook.layout(
        fill(
            _TEXT,
            table=table,
            course=fill(_COURSES[str(course)], cards=cards),
            hook=_HOOK if hook else _NO_HOOK,
            by_mail=rulebook.by_mail("play 9h or play 9c"),
            options_lead=rulebook.OPTIONS_LEAD,
            options=rulebook.option_points(
                its,
                {
                    "cards": fill("the largest hands have {cards} cards. (OHH-2)", cards=cards),
                    "course": _COURSE[str(course)],
                    "hook": _HOOKED if hook else _UNHOOKED,
                },
            ),
            opened=rulebook.OPENED,
            silence=rulebook.SILENCE,
            places=rulebook.PLACES,
        ),
        say,
    )


_COURSES = {
    "down": (
        "In the first deal everybody gets {cards} cards, in each following deal one card less. The deal"
        " with one card is the last one."
    ),
    "up": (
        "In the first deal everybody gets one card, in each following deal one card more. The deal with"
        " {cards} cards is the last one."
    ),
    "both": (
        "In the first deal everybody gets {cards} cards, then one card less each time down to a single"
        " one, and from there one card more each time. The second deal with {cards} cards is the last one."
    ),
}
_COURSE = {
    "down": "each deal has one card less than the one before. (OHH-2)",
    "up": "each deal has one card more than the one before. (OHH-2)",
    "both": "the deals go down to one card and up again. (OHH-2)",
}
_HOOKED = "the last bid cannot make the bids add up to the tricks. (OHH-6)"
_UNHOOKED = "the last bid is free, too. (OHH-6)"
