"""The rules of Cathedral as its players read them: plain text, at most 72 columns."""

from engine.rulebook import Terms

RULES_TEXT = """\
CATHEDRAL

Two to six players, one pack of 52 cards. The first who is rid of
everything wins. The codes in brackets name the rule; a refused order
quotes them.

The cards
  From low to high: 3 4 5 6 7 8 9 J Q K A. Suits mean nothing. (CAT-5)
  A 2 beats everything, another 2 as well; once it lies there, anything
  beats it. Who plays it goes again. (CAT-8)
  A 10 beats everything too, clears the pile, and its player goes again.
  Cleared cards are out of the game. (CAT-9)

Before you play
  Everybody gets six cards and sets three of them aside, face down: the
  reserve. The other three are the hand, the undealt cards the stock.
  (CAT-2)
  All choose at the same time, in secret. Until the last one has chosen
  you may choose anew; the others only see that you have. Nobody but you
  ever sees your reserve before you take it up. (CAT-3)
  The player on the dealer's left starts, on an empty pile. (CAT-4)

Your turn: do one of these
  play     One card, or two, three or four of one rank, higher than the
           top card of the pile: an equal rank is not enough. On an
           empty pile anything goes. How many cards were played before
           does not matter, and you may split what you hold. (CAT-6,
           CAT-7)
  pickup   Take the whole pile into your hand. That ends your turn. You
           may do it even if you could play, and must if you cannot. Not
           possible while the pile is empty. (CAT-12, CAT-13)
  After a play you draw until you hold three cards again, for as long as
  there is a stock. (CAT-11)

Going again
  After 2s, after 10s, and after four of a kind played at once. Four of
  a kind clear the pile as a 10 does, but have to be higher than its top
  card like any other play. First draw, then go again. (CAT-8 to CAT-11)
  After your own 2 you may play or pick up, as in any turn. (CAT-13)

The reserve
  When a play leaves you without a hand, and the stock is gone, you take
  up all three cards of your reserve at once: at the end of that play,
  before you go again, if you do. (CAT-14)

The end
  Who has no hand, no reserve and nothing to draw wins at once, whatever
  the last card was. The others are ranked by the cards they have left,
  the fewest first. (CAT-15, CAT-16)
  With several deals (option deals), the winner deals the next one. Most
  deals won wins the game; if that is equal, the fewest cards left in
  all deals together. (CAT-4, CAT-16)

How to write it
  keep 2 10 Q   set these aside         or: set aside 2s 10h Qd
  play 7        one 7                   7 7          two 7s
  play all 7    all your 7s             play 7c 7d   exactly these
  pickup        or: take
  With a bare rank, your clubs go first, then diamonds, hearts, spades.

What everybody can see (CAT-20)
  The pile, the cleared cards, how many cards each hand, each reserve
  and the stock hold. Also the cards somebody picked up, until they are
  played: all of you saw them go. Only you know your hand and your
  reserve, and after you take it up the others still do not know it.

What is settled where the old rules say nothing
  Two to six can play. (CAT-1)
  The stock runs out as it does: if there are fewer cards than you would
  draw, you draw those. (CAT-11)
  Four 2s in one play clear the pile, as four of anything. (CAT-10)
  The cards of a player who resigns leave the game; those that nobody
  saw stay unknown, and the pile stays. A choice that is missing from
  that player is no longer waited for. The last one left wins. Whoever
  resigns ranks behind everyone who stays. (CAT-17, GEN-7)
  For a player who does not answer, the service may play a standby move.
  It sets aside 2s, then 10s, then the highest cards. Later it plays the
  lowest rank that can be played, all cards of an ordinary rank but only
  one 2 or 10, and those last; else it picks up. (CAT-18)
  When everybody has been silent for two turns, the game is stopped; to
  set cards aside counts as a turn. (GEN-7)
  A deal that goes on for 2000 plies (option max_plies) is stopped too.
  Then the cards left are counted, fewest first, and nobody wins that
  deal. Each choice of a reserve counts as a ply. (CAT-19)
  Equal results share a place. (GEN-17)
"""


def rules_text(its: Terms) -> str:
    """Return the rules for a table."""
    return RULES_TEXT
