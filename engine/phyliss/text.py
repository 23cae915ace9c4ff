"""The rules of Phyliss as its players read them: plain text, at most 72 columns."""

RULES_TEXT = """\
PHYLISS

Two to five players, one pack of 52 cards. Be rid of all your cards:
the sooner the better, and above all not as the last, for the last one
holding cards loses, and deals the next time. The codes in brackets
name the rule; a refused order quotes them.

The cards
  From low to high: 3 4 5 6 7 8 9 J Q K A. Suits mean nothing.
  A 2 is low and high at once: it goes on top of anything, and anything
  goes on top of it. (PHY-2)
  A 10 goes on top of anything as well, and destroys the discard pile.
  (PHY-3, PHY-10)

What you have
  Three blind cards, face down, numbered 1 to 3: nobody has seen them,
  not even you. Three cards face up in front of you. Three cards in your
  hand. What is left after dealing is the stock. (PHY-4)

Who starts
  The player whose face-up cards are the lowest; 2s and 10s are left out
  of the comparison. The lowest single card decides, then the next one;
  who has fewer cards to compare loses the comparison. If it is all the
  same, the first such player from the dealer's left. (PHY-6, PHY-7)

Your turn: do one of these
  play     One or more cards of one rank, equal to the top card of the
           pile or higher. On an empty pile anything goes. How many
           cards were played before does not matter. (PHY-8, PHY-9)
  pickup   Take the whole pile into your hand, whether you could play or
           not. Not possible while the pile is empty. (PHY-12, PHY-13)
  god      The hand of god: turn over the top card of the stock. If it
           can be played, it is played. If not, you take it and the
           whole pile. Only while there is a stock. (PHY-14)
  Then, if you played, you draw until you hold three cards again, for as
  long as there is a stock. (PHY-15)

Going again
  When 10s land, or when the top three cards of the pile are of one rank
  (whoever played them, and in however many turns), the pile leaves the
  game for good, and the player who made it happen goes again, on an
  empty pile. Draw first, then go again. (PHY-10, PHY-11, PHY-16)

When the stock is gone
  First play out your hand. Then play from your face-up cards, in the
  same way. One play comes from one place: you cannot join a card of
  your hand with one of the table. (PHY-17, PHY-18)
  With those gone too, choose a blind card and flip it. If it can be
  played, it is; if not, you take it and the pile. (PHY-20, PHY-21)
  Instead of playing you may still pick up the pile. What you pick up is
  your hand, and must be played out before you return to the table; your
  cards on the table stay where they are. (PHY-19)

The end
  Without a card left, you are out, and safe: the earlier, the better.
  The last one who holds cards loses the deal. If your last card
  destroys the pile you do not go again: the next player leads.
  (PHY-22, PHY-23)
  With several deals (option deals), the loser deals the next one. To
  have lost the fewest deals wins the game; if that is equal, the lowest
  sum of places. (PHY-24)

How to write it
  play 7        one 7               7 7           two 7s
  play all 7    all your 7s         play 7c 7d    exactly these
  pickup        or: take            god           or: hand of god
  flip 2        blind card number 2
  With a bare rank, your clubs go first, then diamonds, hearts, spades.

What everybody can see (PHY-28)
  All cards that lie face up, the whole discard pile, the destroyed
  cards, how many cards each hand and the stock hold. Also the cards
  somebody picked up, until they are played: all of you saw them go.
  Only you know what you drew. Blind cards and stock: nobody.

What is settled where the old rules say nothing
  Picking up ends your turn. (PHY-12)
  The hand of god works on an empty pile too, and then never fails.
  (PHY-14)
  2s count for three of a kind like any other card. (PHY-11)
  The cards of a player who resigns leave the game; those that nobody
  saw stay unknown, and the pile stays. Whoever resigns ranks behind
  everyone who stays, unless already out in the last deal. (PHY-25,
  GEN-7)
  For a player who does not answer, the service may play a standby move:
  the lowest cards that can be played, all of an ordinary rank but only
  one 2 or 10; else it picks up; at the blind cards the lowest number.
  (PHY-26) When everybody has been silent for two turns, the game is
  stopped. (GEN-7)
  A deal that goes on for 2000 plies (option max_plies) is stopped too.
  The game ends with a stopped deal: those who are out keep their
  places, the others are ranked by the cards they have left, and nobody
  loses that deal. (GEN-8, PHY-27)
  Equal results share a place. (GEN-17)
"""
