"""The rules of Phase 10 as its players read them: plain text, at most 72 columns.

One text with gaps for what the family plays otherwise.
"""

from engine.rulebook import Terms

_TEXT = """\
PHASE 10{title}

Two to six players. There are ten phases to be made, in order, at most
one in each hand. The first to have made the last one wins. The codes in
brackets name the rule; a refused order quotes them.

The cards
  108: the numbers 1 to 12 in red, blue, green and yellow, two of each;
  eight wilds; four skips. Written R7, B12, G1, Y5, W and S; "red 7" is
  understood too. (P10-1, P10-3)
  With option deck=standard you may say everything with two packs of 52
  and four jokers: spades are blue, hearts red, diamonds yellow, clubs
  green, ace to queen are 1 to 12, kings are wilds, jokers skips. It is
  the same game. (P10-2)

The phases (P10-8)
   1  two sets of 3             6  run of 9
   2  set of 3 + run of 4       7  two sets of 4
   3  set of 4 + run of 4       8  7 cards of one colour
   4  run of 7                  9  set of 5 + set of 2
   5  run of 8                 10  set of 5 + set of 3
  A set: cards of one number, in any colours. A run: numbers that follow
  each other between 1 and 12, in any colours. (P10-9)
  A wild is any number and any colour; in a run it stays the number that
  it stood for. Skips belong to no group. (P10-10)

A hand
  Ten cards each, then the top of the stock starts the discard pile. If
  that is a skip, the first player loses the first turn. (P10-4, P10-5)

Your turn (P10-6)
  1  Draw from the stock, or take the top discard. A skip cannot be
     taken. (P10-7) If the stock is gone, all discards but the top one
     are shuffled and become the stock. (P10-11)
  2  If you can, lay your phase down: all of it at once, from your hand.
     Groups may be longer than asked for, but no group may be added. The
     credit is yours from now on, whoever wins the hand. (P10-12 to 14)
  3  With your phase down, hit: put cards onto any group on the table,
     yours or not. The same number onto a set, the next number at either
     end of a run, the same colour onto a colour group, a wild onto any.
     (P10-15)
  4  Discard one card; that ends your turn.

{end}
Skips
  Discard a skip and name a player, who loses the next turn. (P10-19)
{skips}
Points (P10-23)
  What is left in your hand costs: 1 to 9 five each, 10 to 12 ten, a
  skip 15, a wild 25. Who went out{floats} has none.
  Whoever laid the phase down has the next one in the next hand, the
  others try theirs again. The deal moves to the left. (P10-24, P10-4)

The end
  The game ends with the hand in which somebody made the last phase. If
  several did, the fewest points win. If that is equal too, the tied
  play the last phase again among themselves, and the first to go out
  wins. The others rank by phases made, then by points. (P10-25 to 27)

Other games (options)
  phases=2,4,7      only these phases. (P10-V3)
  even_only         only phases 2, 4, 6, 8 and 10. (P10-V3)
  phases_to_win=5   only the first five of the list. (P10-V2)
  ten_hands         one hand for each phase, and everybody goes on to
                    the next whether it was made or not; the lowest
                    total wins. (P10-V1)

How to write it
  draw              take              lay (the service finds it)
  lay 5 5 5 / 7 7 W                   lay G3 W R5 Y6
  hit R5 on 1.0     group 0 of seat 1, or with names: hit R5 on bob,
                    hit R5 on own run, hit W on bob run high
  discard G3        discard S bob, or: skip bob
  A number without a colour is any such card: red before blue, green and
  yellow. A run with wilds is written upwards, each wild at its place.

What everybody can see (P10-32)
  The discards, the groups, the phases and points of all, how many cards
  each hand and the stock hold. Also a card that somebody took from the
  discards, until it is played. Hands are private.

What is settled where the old rules say nothing
  Every group, not only every phase, needs one number card. (P10-10)
  A wild that is hit onto a run goes to the end that you name; if one
  end only is open, to that. A run from 1 to 12 is full. (P10-16)
  If nobody can be named, a skip is an ordinary discard. Turns that were
  not lost yet are forgotten when the hand ends. (P10-21)
  Of two equal cards the one that everybody knows leaves first. (P10-32)
  Whoever resigns takes the hand along; the groups stay and can be hit.
  (P10-28) Who resigns ranks behind everyone who stays. (GEN-7)
  For a player who does not answer, the service may play: it draws, lays
  down and hits what it can, and discards the dearest number card that
  does not help. (P10-29) When everybody has been silent for two turns,
  the game is stopped. (GEN-7)
  After 10000 plies (option max_plies) the game is stopped: more phases,
  then fewer points of finished hands. (P10-31) Equal results share a
  place. (GEN-17)
"""

_OFFICIAL = {
    "title": "",
    "floats": "",
    "end": """\
Going out (P10-17)
  Be rid of your last card, by discarding, hitting or laying down: the
  hand is over at once and you have won it. A last discard is not
  needed.
""",
    "skips": """\
  One skip per player and round: until the turn of the player who
  skipped comes round again, nobody else may skip the same one. With two
  players you may go on skipping. (P10-20) With two players the skipper
  plays again. (P10-21)
  If the skip is your last card, you go out and name nobody. (P10-22)
""",
}

_FAMILY = {
    "title": ", FAMILY RULES",
    "floats": " or floats",
    "end": """\
Going out, and floating (P10-18)
  To go out you discard your last card: the hand is over at once and you
  have won it. If your last cards went by laying down or hitting, you
  float: no further turn in this hand, no points, and you cannot win it.
  If everybody floats, nobody wins the hand.
""",
    "skips": """\
  A player who still has a turn to lose, or has lost one and not had a
  turn since, cannot be named. (P10-20) With two players the skipper
  plays again. (P10-21)
  You cannot go out with a skip: if it is your last card it names a
  player, you draw one card, and your turn ends. (P10-22)
""",
}


def rules_text(its: Terms, *, is_family: bool) -> str:
    """Return the rules of one of the two rulesets."""
    return _TEXT.format_map(_FAMILY if is_family else _OFFICIAL)
