"""The rules of Phalanx as its players read them: plain text, at most 72 columns."""

from engine.rulebook import Terms

RULES_TEXT = """\
PHALANX

Two to six players fight battles over zones of the table. What you win
joins your reserve; whoever can no longer raise a hand of seven cards is
out, and the last one left wins. The codes in brackets name the rule; a
refused order quotes them.

The cards
  One pack of 52 cards. An ace counts 1, the cards 2 to 10 what is
  printed on them: these are the number cards. Jack, queen and king, the
  face cards, count 0. (PLX-1)
  The pack is dealt out evenly as reserves, face down. What does not
  come out even lies in the center as spoils. (PLX-2)

The zones
  In the middle lies the center, which everybody shares. Between you and
  your neighbour on either side lies a side zone that only the two of
  you share. So everyone has three zones: left, center and right. Your
  left is the right of the next player clockwise. Two players have two
  side zones between them, and the center. (PLX-3)
  Each side zone is next to the center; side zones are not next to each
  other. Everyone's cards in a zone are kept apart. (PLX-4, PLX-5)

A battle
  Everyone draws the top seven cards of the reserve. (PLX-6)
  Opening: everyone chooses a card in secret. All are turned up together
  in the center, where they stay and count. The highest plays first;
  between equal ones spades, diamonds, clubs, hearts, then king, queen,
  jack. An opening queen or king destroys nothing. (PLX-7 to PLX-10)
  Then you play in turn, clockwise, one card at a time, face up into one
  of your zones, until all hands are empty. You cannot pass. (PLX-11)

The face cards
  Queen  turns everything face down that lies face up in her zone,
         yours, theirs, and herself. (PLX-12)
  King   turns down one face-up card of an opponent in his zone, which
         you name, and himself. Only if there is none to take may he be
         played without. (PLX-13, PLX-14)
  Jack   stays, counts 0, and doubles a card at the end. (PLX-16)
  Cards that lie face down count nothing, but they are won and lost with
  their zone. (PLX-15)

Counting, when all hands are empty
  1. Forming. For each owner, zone and suit: of two or more number cards
     all but the highest count double. 3s 5s 9s: 6 + 10 + 9 = 25.
     (PLX-17)
  2. Jacks. Each of your jacks in a zone doubles your lowest number card
     there that is not doubled yet. With a jack the 9s above counts 18
     as well. No card is doubled twice. (PLX-18)
  3. Flanking. If you are the only one with a face-up card in a zone
     (a jack will do), what you have there also counts for you in each
     of your zones next to it: from a side in the center, from the
     center in both your sides. It is passed on no further. (PLX-19)
  The highest total takes all cards of the zone, whoever's they are and
  whichever way they lie. You compete in all your zones, also where you
  have no card. Cards that flank from elsewhere stay in their own zone
  and fall with it. (PLX-20)
  Tie: everyone takes the own cards back. If in the center only some tie
  for the lead, those take theirs back, and the cards of the others
  become spoils. (PLX-21)
  Spoils go to the next one who wins the center alone; spoils made in
  this very battle wait for a later one. (PLX-22)
  What you take joins your reserve, which is then shuffled. (PLX-23)

The end
  Who cannot draw seven cards at the start of a battle is out; that
  reserve becomes spoils and the ring closes. The last one left wins. If
  nobody is left, most cards win. The later out, the better; in the same
  battle, the more cards. (PLX-24)
  The option max_battles ends the game after so many battles: the most
  cards win. Without it two players need some thirty battles. (PLX-V7)

How to write it
  open 9h               choose the opening card; change it as often as
                        you like until the last one has chosen
  play 7s left          or: 7s left, 7s center, 7s to the right
  Ks right x 10d        the king takes the 10 of diamonds; x 10d of 2
                        if two players (here seat 2) have one there.
                        If there is just one to take, you need not name
                        it
  check                 no bet, or: decline
  match center, raise left 5          bets (option stakes=zones)
  pass                  only if you are closed out (stakes=zones)
  A bare rank will do if you hold only one such card.

Options
  tie=spoils        When the lead is tied, all cards of the zone become
                    spoils. (PLX-V1)
  tie=swap          The tied take each other's cards; three or more pass
                    theirs on counter-clockwise. (PLX-V2)
  aces=4, 10        A doubled ace counts so much instead of 2.
  aces=highest      It counts as the highest opposing number card there,
                    at least 2. (PLX-V3)
  ante=N            Before a battle everyone lays the top N cards of the
                    reserve as spoils. (PLX-V4)
  stakes=zones      The gambling game, below. (PLX-V5)
  stakes=per_card   The same without bets: each card played after the
                    opening costs fee chips (1), into the pot of its
                    zone. Who cannot pay plays free. Who cannot pay one
                    fee at the start of a battle is out. (PLX-V6)

The gambling game, stakes=zones (PLX-V5)
  Everyone has a whole pack, shuffled before each battle, and cards are
  never won. Chips are: everyone has bankroll of them (100), and puts
  zone_ante (1) into each own zone before a battle; who cannot is out.
  When all hands are equally large, after the opening and after each
  round, you may bet, clockwise from the first player. In one action you
  may in each own zone match the highest stake, or raise: match it and
  add to it. After a raise the others of that zone are asked to match,
  raise again or decline. Three raises per zone and window at most.
  Who has less than an opponent in a zone may not play into it, unless
  without any chip left: one may match with all that is left. Closed out
  of all three zones, you pass, and your lowest card is laid aside.
  Who wins a zone alone collects from each opponent there at most as
  much as the own stake; the rest goes back. A tie returns all stakes.
  After max_battles (5), or when at most one player can pay the antes,
  the most chips win.

What everybody can see (PLX-29)
  All cards in zones, also those turned down: you all saw them. The
  openings when all have chosen. How many cards every hand and reserve
  has, how many spoils there are, and which of them came from a zone.
  Only you know your hand. Nobody knows the order of a reserve.

What is settled where the old rules say nothing
  A king must take a card if there is one to take. (PLX-14)
  An opening queen or king lies there like a jack that doubles nothing,
  and stops flanking. (PLX-10)
  Who resigns can win nothing any more. The cards in zones stay and
  still stop flanking; the hand and the reserve become spoils after the
  battle. Stakes stay in the pots and bind nobody. Whoever resigns ranks
  behind everyone who stays. (PLX-26, GEN-7)
  For a player who does not answer, the service may play a standby move:
  the lowest number card (then jack, king, queen; hearts, clubs,
  diamonds, spades), into the zone with the fewest own cards; a king
  takes the highest; no bets. (PLX-27) When everybody has been silent
  for two turns, the game is stopped. (GEN-7)
  After 5000 plies (option max_plies) the game is stopped too, and the
  most cards win, spoils not counted; or the most chips. (PLX-28)
  Equal results share a place. (GEN-17)
"""


def rules_text(its: Terms) -> str:
    """Return the rules for a table."""
    return RULES_TEXT
