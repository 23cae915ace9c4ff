"""The rules of Cathedral for players, in the format of `engine.rulebook`."""

from __future__ import annotations

from engine.deals import RulesText

_TEXT = """\
Cathedral

Two to six players and one pack of 52 cards. You want to be the first without cards: in the hand, and
in the reserve that you put aside for yourself at the beginning.

{table}

## The cards

    from low to high: [3] [4] [5] [6] [7] [8] [9] [J] [Q] [K] [A]

Suits mean nothing, so here [7] is any seven. In a mail you write 7; or, if it has to be a certain
one, 7c for clubs, 7d for diamonds, 7h for hearts, 7s for spades. (CAT-5) Two ranks are special:

- [2] beats everything, even another 2. Once it lies there it is the lowest card, so that anything
beats it. (CAT-8)
- [10] beats everything as well, and clears the pile: all its cards leave the game. (CAT-9)

Whoever plays one of these goes again. Codes such as (CAT-8) name a rule. When a move is refused,
the answer gives its code, and you find it here.

## Before you play: your reserve

Everybody gets six cards, and puts three of them aside, face down, as a reserve. Three stay in the
hand. What is left of the pack is the stock. (CAT-2)

    you are dealt: [2] [4] [4] [9] [Q] [A]

You send "set aside 2 Q A", and have

    in reserve: [2] [Q] [A]
    to begin with: [4] [4] [9]

You will end the game with these three, so strong cards belong there. Weak ones are lost more easily
at the beginning, while the pile is low.

All choose at the same time. Until the last player has chosen you may change your choice; the others
see that you have chosen, not what. Nobody but you sees your reserve. (CAT-3)

Then the player after the dealer begins, on an empty pile. (CAT-4)

## Your turn

You do one of two things:

- Play one card, or two, three or four of the same rank. They have to be higher than the top card of
the pile; equal is not enough. On an empty pile anything goes. How many cards were laid before makes
no difference, and you may split what you have. (CAT-6, CAT-7)
- Pick up the whole pile. It becomes part of your hand, and your turn is over. You must if you cannot
play, and you may if you can. An empty pile cannot be picked up. (CAT-12, CAT-13)

After playing you draw from the stock until you have three cards in hand again. With three or more
you draw nothing. (CAT-11)

## A turn in pictures

The bottom of the pile is on the left, its top on the right.

    pile: [5] [8] [8]
    you hold: [2] [9] [9]

Both nines beat the 8, and so does the 2. You send "play 9 9" and draw two cards:

    pile: [5] [8] [8] [9] [9]
    you hold: [2] [6] [10]

Bob, after you, has nothing but [7] [9] [9]: his nines are not higher than yours. He picks up, and
holds eight cards now. The pile is empty. If you were next, you could play what you like.

But suppose Bob has a king, and plays it. You send "play 2", draw the [J], and go again, on your own 2:

    pile: [5] [8] [8] [9] [9] [K] [2]
    you hold: [6] [10] [J]

Now even "play 6" is good; and "play 10" would clear all of it away, and give you one more turn.

## Going again

You go again after 2s, after 10s, and after four of a kind laid in one play. Four of a kind clear the
pile like a 10, but have to beat its top card like anything else. First you draw, then you go again.
(CAT-8, CAT-9, CAT-10, CAT-11)

After your own 2 you may also pick up, as in any turn. (CAT-13)

## The reserve comes up

When a play leaves you without a hand and there is no stock to draw from, you take up all three cards
of your reserve at once, even before you go again. (CAT-14)

## How it ends

Whoever has neither hand nor reserve nor anything to draw has won at once, whatever the last card
was. The others are ranked by the cards they still have, the fewest first. (CAT-15, CAT-16)

{end}

## How to play by mail

- "set aside 2 10 Q" or "keep 2s 10h Qd" puts these cards aside.
- "play 7" lays one 7, "play 7 7" two of them, "play all 7" every 7 you have.
- "play 7c 7d" names the cards. Without suits your clubs go first, then diamonds, hearts, spades.
- "pickup" or "take" takes the whole pile into your hand.
{by_mail}

## What everybody can see

The pile, the cleared cards, how many cards each hand, each reserve and the stock hold. Also the
cards that somebody picked up, until they are played: all of you saw them go. Your hand and your
reserve are known to you alone, and taking the reserve up shows it to nobody. (CAT-20) {opened}

## Options of this game

{options_lead}

{options}

## Settled where the sources are silent

- Two to six can play. (CAT-1)
- You may lay fewer or more cards than the player before, and only some of a pair. (CAT-7)
- If the stock has fewer cards than you should draw, you draw what there is. (CAT-11)
- Four 2s in one play clear the pile, as any four do. (CAT-10)
- The cards of a player who resigns leave the game; those that nobody saw stay unknown. The pile stays.
If a choice of that player is missing, nobody waits for it. The last one left has won. (CAT-17)
- Whoever resigns ranks behind everybody who stays. (GEN-7)
- For a player who does not answer in time the service may make a safe move: it keeps 2s, then 10s,
then the highest cards; later it plays the lowest rank that can be played, all cards of it, but of 2s
and 10s only one and those last; else it picks up. (CAT-18)
- {silence} To put cards aside counts as a turn.
- The game ends with a stopped deal: the cards left are counted, the fewest first, and nobody has won
that deal. Each choice of a reserve counts as one ply. (CAT-19)
- {places}
"""

_ONE_DEAL = "This game is one deal. In a rematch its winner deals. (CAT-4)"

_SEVERAL_DEALS = """\
This game has {deals} deals; the winner of one deals the next. Whoever has won the most deals wins.
If that is equal, the cards left in all deals are added up, and the lowest sum is better. (CAT-4,
CAT-16)"""

TEXT = RulesText(_TEXT, 6, "CAT-16", _ONE_DEAL, _SEVERAL_DEALS)
