"""The rules of Phyliss for players, in the format of `engine.rulebook`."""

from __future__ import annotations

from engine.deals import RulesText

_TEXT = """\
Phyliss

Two to five players and one pack of 52 cards. You want to get rid of all that you hold: the earlier, the
better. The one thing to avoid is being the last with cards, for that player has lost the deal.

{table}

## The cards

    from low to high: [3] [4] [5] [6] [7] [8] [9] [J] [Q] [K] [A]

Suits mean nothing, so here [7] is any seven. In a mail you write 7; or, if it has to be a certain
one, 7c for clubs, 7d for diamonds, 7h for hearts, 7s for spades. Two ranks are special:

- [2] is high and low at once: it may be laid on anything, and anything may be laid on it. (PHY-2)
- [10] may be laid on anything too, and it destroys the pile. (PHY-3, PHY-10)

Codes such as (PHY-2) name a rule. When a move is refused, the answer gives its code, and you find
it here.

## What you get

Everybody is dealt nine cards in three places:

    hidden: [?] [?] [?]
    face up: [4] [9] [K]
    your own hand: [5] [J] [J]

Your three hidden cards lie face down and are numbered 1, 2 and 3. Nobody has seen them, you neither.
The face-up cards lie before everybody's eyes. The hand is for you alone. What is left of the pack
is the stock. (PHY-4)

You play them from the hand up: first the hand, which is filled from the stock; when stock and hand
are gone, the face-up cards; at last the hidden ones.

## Who begins

Whoever shows the lowest face-up cards; 2s and 10s are passed over. First the lowest card of each
player is compared, then the second lowest, then the third. A player with no cards left to compare
does not begin. (PHY-6, PHY-7)

    Anna: [4] [9] [K]
    Bob: [2] [4] [8]
    Carol: [10] [5] [6]

Here Anna counts 4 9 K, Bob 4 8 and Carol 5 6. Carol is out of it, since 4 is lower; of the other
two Bob begins, for his 8 is lower than Anna's nine. If everything is equal, it is the first such
player after the dealer.

## Your turn

You do one of three things:

- Play one or more cards of the same rank, as high as the top card of the pile or higher. On an empty
pile anything goes. How many cards were laid before makes no difference. (PHY-8, PHY-9)
- Pick up the whole pile, also if you could play. It becomes part of your hand, and your turn is
over. An empty pile cannot be picked up. (PHY-12, PHY-13)
- Ask the hand of god: the top card of the stock is turned over. If it may be laid on the pile, it
has been played for you; if not, you take it together with the pile. That works while there is a
stock. (PHY-14)

After playing you draw from the stock until you have three cards in hand again. With three or more
you draw nothing. (PHY-15)

## A turn in pictures

The bottom of the pile is on the left, its top on the right.

    pile: [6] [9]
    you hold: [5] [J] [J]

Your 5 is too low. You can play one jack or both, pick up, or ask the hand of god. You send
"play J J":

    pile: [6] [9] [J] [J]
    you hold: [5]

Then you draw two cards:

    you hold: [3] [5] [10]

Bob comes next and has a jack as well. He lays it on yours, and now three jacks are on top:

    pile: [6] [9] [J] [J] [J]

That destroys the pile. Bob draws, and goes again with whatever he likes.

## Going again

Two things destroy the pile, which then is out of the game for good:

- a 10, or several; (PHY-10)
- three or more cards of one rank on top, no matter who laid them and in how many turns. (PHY-11)

Whoever laid the last of those cards goes again on the empty pile, after drawing. (PHY-16)

## When the stock is gone

- As long as you have a hand, you play from it. You draw no more. (PHY-15)
- Without a hand you play from your face-up cards, by the same rules. One play comes from one place:
the last card of the hand cannot be laid together with an equal one from the table. (PHY-17, PHY-18)
- With those gone as well you flip a hidden card of your choice. If it may be laid on the pile, it is
played; if not, you take it and the pile. (PHY-20, PHY-21)
- You may always pick up the pile instead. What you take has to be played before you come back to
the table, where your other cards wait for you. (PHY-17, PHY-19, PHY-21)

    pile: [K]
    your hidden cards: [?] number 1, [?] number 3

You send "flip 3". It is a [4]: that does not go on a king, so you now hold [4] [K], and number 1
still lies there.

## How it ends

Without any card left, you are out and safe. The last player with cards loses. If your last play
would let you go again, you are simply out, and the next player leads. (PHY-22, PHY-23)

{end}

## How to play by mail

- "play 7" lays one 7, "play 7 7" two of them, "play all 7" every 7 you have.
- "play 7c 7d" names the cards. Without suits your clubs go first, then diamonds, hearts, spades.
- "pickup" or "take" takes the whole pile into your hand.
- "god" or "hand of god" turns over the top card of the stock.
- "flip 2" turns over your hidden card number 2.
{by_mail}

## What everybody can see

All face-up cards, the whole pile, what was destroyed, how many cards each hand and the stock hold.
Also the cards that somebody picked up, until they are played: all of you saw them go. What you drew
is known to you alone. Blind cards and stock are known to nobody. (PHY-28) {opened}

## Options of this game

{options_lead}

{options}

## Settled where the sources are silent

- Three of a kind on top destroy the pile even if they are 2s, and even if several players laid
them. (PHY-11)
- A pile picked up ends the turn; on an empty pile you have to play. (PHY-12, PHY-13)
- The hand of god may be asked on an empty pile, and then always succeeds. (PHY-14)
- Picking up leaves your cards on the table where they are. (PHY-19)
- At the hidden cards you need not flip: a pile that is there may be picked up unseen. (PHY-21)
- For a player who does not answer in time the service may make a safe move: the lowest cards that
can be laid, all of a rank, but of 2s and 10s only one and those last; if nothing can be laid, it
picks up; at the hidden cards it flips the lowest number. (PHY-26)
- {silence}
- A player who resigns leaves with all cards; those that nobody saw stay unknown. The pile stays.
Such a player ranks behind everybody who stays, unless already out in the last deal. (PHY-25, GEN-7)
- The game ends with a stopped deal: those who are out keep their places, the others are ranked by
the cards they still have, the fewest first, and nobody has lost that deal. (PHY-27)
- {places}
"""

_ONE_DEAL = "This game is one deal. In a rematch its loser deals. (PHY-24)"

_SEVERAL_DEALS = """\
This game has {deals} deals; the loser of one deals the next. Whoever has lost the fewest deals wins.
If that is equal, the places of all deals are added up, and the lowest sum is better. (PHY-24)"""

TEXT = RulesText(_TEXT, 9, "PHY-24", _ONE_DEAL, _SEVERAL_DEALS)
