"""The rules of Phalanx for players, in the format of `engine.rulebook`.

The stakes (cards, bets on zones, or a fee per card) result in three different games, so the text is
assembled from chapters.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import rulebook
from engine.rulebook import Plain, Terms, fill

_NAMES = ("Anna", "Bob", "Carol", "Dora", "Emil", "Fay")
_EXAMPLE_RING = 3

_LEAD = {
    "cards": """\
Two to six players fight battles over the zones of a table. What you win joins your reserve. Whoever
can no longer raise a hand of seven cards is out, and the last one left has won.""",
    "zones": """\
Two to six players fight battles over the zones of a table, and bet on them. Cards are not won or
lost in this game; chips are. Whoever has the most chips at the end has won.""",
    "per_card": """\
Two to six players fight battles over the zones of a table. Cards are not won or lost in this game;
chips are, and each card that you play costs some. Whoever has the most chips at the end has won.""",
}

_CARDS = """\
## The cards

The number cards count what is printed on them, an ace 1. The face cards, jack, queen and king, count
0 and have powers of their own. (PLX-1)

Suits matter here. In a mail you write them as letters, c for ♣ clubs, d for ♦ diamonds, h for ♥
hearts, s for ♠ spades:

    a card: [7♠] you write 7s, the seven of spades
    a card: [10♥] you write 10h, the ten of hearts
    a card: [Q♣] you write Qc, the queen of clubs

Codes such as (PLX-1) name a rule. When a move is refused, the answer gives its code, and you find
it here.

{packs}"""

_ONE_PACK = """\
One pack is dealt out evenly, face down. What you get is your reserve. Any cards left over are
spoils (more about them below). (PLX-2) {table}"""

_OWN_PACKS = """\
Everybody has a whole pack of 52 cards, which is shuffled anew before each battle and comes back
complete after it. (PLX-V5) Everybody begins with {bankroll} chips."""

_ZONES = """\
## Zones of the table

In the middle of the table lies the center, which all players share. Between each two neighbours lies
a side zone, which only these two share. So you have three zones: left, center and right. Your left
is the right of the player after you. (PLX-3) {ring}

{zones}

From the center it is one step to any side zone. From one side to another there is no way but through
the center. In a zone, everybody's cards are kept apart. (PLX-4, PLX-5)"""

_BATTLE = """\
## A battle

- First everybody draws seven cards{drawn}. (PLX-6)
- The opening: everybody chooses one of them in secret. When all have chosen, these cards are turned
up in the center, where they stay and count. While somebody is still choosing, you may change your mind.
(PLX-7)
- Whoever opened with the highest card plays first. Between equal ones spades go before diamonds,
diamonds before clubs, clubs before hearts; then a king before a queen before a jack. (PLX-8, PLX-9)
- Then you play in turn, one card at a time, face up into one of your three zones, until nobody
has a card left. You cannot pass. (PLX-11) {extra}
- At last the zones are counted and won."""

_FACES = """\
## The face cards

- A queen turns everything in her zone face down: all face-up cards, yours, theirs, and herself. (PLX-12)
- A king turns one face-up card of an opponent in his zone face down, and himself. You say which one. Only
where there is none may he be played without. (PLX-13, PLX-14)
- A jack stays and counts 0, but doubles one of your cards in his zone when it is counted. (PLX-16)

Cards that lie face down no longer count or work, {down}. (PLX-15)

    your right: yours [6♦], theirs [10♦] [4♥]

You send "play Ks right x 10d", which reads: the king of spades to the right takes the ten of
diamonds. Both are turned face down:

    your right: yours [6♦] [?], theirs [?] [4♥]

A queen or king that you open with only lies there, turning nothing. (PLX-10)"""

_COUNTING = """\
## Counting a zone

Only number cards that lie face up are counted, in three steps.

First, forming. If you have several number cards of one suit in a zone, all of them but the highest
count double. (PLX-17)

    you have: [2♦] [6♦] [8♦] for 4 + 12 + 8 = 24

Second, jacks. Each jack doubles your lowest card in his zone that is not doubled yet. No card is
doubled twice. (PLX-18)

    you have: [2♦] [6♦] [8♦] [J♣] for 4 + 12 + 16 = 32
    or you have: [3♠] [8♠] [5♦] [J♥] for 6 + 8 + 10 = 24

Third, flanking. If nobody but you has anything face up in a zone (for you
a jack will do), what you have
there also counts for you next door: from a side in the center, from the center in both your sides.
It is passed on no further. (PLX-19)

    your left: yours [4♣] [7♣] for 8 + 7 = 15, theirs none
    the center: yours [6♦] for 6 + 15 = 21, theirs [9♠] [8♥] for 17

{aces}"""

_WINNING = """\
## Winning a zone

The highest total {wins}. You compete in all your zones, even where you have no card: by
flanking alone you can win one. {stay} (PLX-20)

{tie}"""

_WINS = {
    "cards": "takes all cards of the zone, whoever laid them and whichever way they lie",
    "chips": "wins the chips of the zone",
}

_STAY = """\
Flanking lends a sum, not cards: these remain where they lie, and go to whoever wins that zone."""

_EXAMPLE = """\
## A battle in pictures

Two players, to keep it small. Anna opened with 9h and Bob with 10c, so he went first. Now all seven cards
of each are on the table:

    Anna's left, Bob's right: Anna [4♠] [7♠] [6♦], Bob [5♥] [9♦]
    the center: Anna [9♥] [2♥] [J♣], Bob [10♣] [5♣]
    Anna's right, Bob's left: Anna [?], Bob [8♦] [2♦] [?]

On Anna's right, Bob's king has turned Anna's only card there face down, and himself, as the [?] show. Now they count:

- Anna's left: Anna has 8 + 7 for the spades, the 4 being doubled, and 6: that is 21. Bob has 5 + 9,
which is 14. Anna wins this zone.
- Anna's right: Bob has 8 + 4 = 12, and is alone there, so he is flanking.
- The center: Anna has 4 for the doubled 2, and her jack doubles the 9 to 18: that is 22. Bob has 10 +
10 = 20, and 12 more by flanking: that is 32. Bob wins the center, and the zone on his left.

{takes}"""

_TAKES = {
    "cards": """\
So Anna takes five cards, Bob nine. Without the king Anna's card would have faced Bob's, he would
not have been flanking, and the center would have been hers.""",
    "chips": """\
Without the king Anna's card would have faced Bob's, he would not have been flanking, and the center
would have been hers.""",
}

_SPOILS = """\
## Spoils and reserves

Spoils lie face down in the middle and belong to nobody. Whoever next wins the center alone takes
them as well, but only what lay there before the battle was counted. (PLX-22)

What you take joins your reserve, which is then shuffled. (PLX-23)"""

_BETTING = """\
## Betting

Before a battle everybody puts {zone_ante} into each own zone. That is your first stake there. Whoever
cannot pay all three is out.

{windows} Everybody acts once:

- "check" bets nothing.
- "match left" pays what is missing to the highest stake in your left zone; if you have less, all
you have.
- "raise center 5" matches, and adds 5.
- "match left, raise center 5" is one action with a bet for each of two zones.

After a raise the others of that zone are asked in turn: they match, raise again, or decline with
"check". There are three raises at most for a zone in one window. After declining you can still match, in a later
window. A player who cannot bet is not asked.

While your stake in a zone is lower than an opponent's, you may not play cards into it, unless you
have no chips left at all. What you have there still counts. If you are closed out of all three
zones, your lowest card is laid aside instead: that is "pass", and the only time there is one.

    your left: your stake {one}, Bob's stake {one}

You send "raise left 4", and have {five} there. Bob declines. From now on he cannot play into that
zone. If you win it, you collect his {one}; if he wins it all the same, he collects only {one} from you,
as much as his own stake, and your 4 come back.

## Winning chips

The only winner of a zone collects the stake of each opponent in it, but from each no more than the
winner's own stake; the rest goes back. (PLX-V5)"""

_WINDOWS = {
    "deal": """\
Whenever all hands are equally large, there is a window for bets: before the opening cards are
chosen, after they are turned up, and after each full round. The first one begins to the left of the
dealer, the others with the player who opened highest. (PLX-V5)""",
    "opening": """\
Whenever all hands are equally large, there is a window for bets: after the opening and after each
full round. It begins with the player who opened highest. (PLX-V5)""",
}
"""Paragraph about the betting windows, by the option `first_window`."""

_FEES = """\
## What a card costs

Each card that you play after the opening costs you {fee}: that is your stake in the pot of its zone.
If you have less during a battle, you play on for nothing; if you have less when a battle begins, you
are out. (PLX-V6)

The only winner of a zone collects the stake of each opponent in it, but from each no more than the
winner's own stake; the rest goes back. So it takes stakes to win stakes.

    the center: your stake 3, Bob's stake 5, Carol's stake 1

If you win it, you collect 3 from Bob and 1 from Carol, and 2 go back to Bob."""

_ENDS = {
    "cards": """\
Whoever cannot draw seven cards when a battle begins is out. Those cards become spoils, and the
neighbours close the gap. The last one left has won. If nobody is left, the most cards win. The later
out, the better; in the same battle, the more cards the better. (PLX-24)

{most}""",
    "chips": """\
The game ends after {battles}, or when at most one player can still pay. The most chips win; between
equals, whoever was out later. (PLX-V5)""",
}

_ORDERS = """\
## How to play by mail

- "open 9h" chooses your opening card.
- "play 7s left", or just "7s left", plays a card into a zone. The zones are left, center and right.
- "play Ks right x 10d" names what a king takes. If there is only one card to take, you need not.
- "play Ks center x 10d of Bob" tells whose 10d you mean, where several have one.
- A rank without a suit will do if you hold only one such card.
{bets}
{by_mail}"""

_BET_ORDERS = """\
- "check" or "decline" bets nothing. "match left" and "raise center 5" bet; a comma joins them.
- "pass" is only for those who are closed out of all their zones."""

_LOOKING = """\
## What everybody can see

All cards in the zones, even those face down: you all saw them. The opening cards as soon as all
have chosen. How many cards every hand{sizes}. Your hand is known to you alone. {order} (PLX-29) {opened}"""


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
"""Paragraph about the value of a doubled ace, by the option `aces`."""

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
"""Paragraph about the effect of a tie for the lead, by the option `tie`."""

CHIPS_TIE = "If the lead is tied, everybody's stake in that zone goes back. (PLX-V5)"

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
- A player who resigns can no longer win anything. The cards in the zones stay, still keep others
from flanking, and may be taken by kings. What is left in hand and reserve becomes spoils when the
battle ends. Such a player ranks behind everyone who stays. Players who were out before keep
their places. (PLX-26, GEN-7)"""

_CHIPS_SETTLED = """\
- If two opening cards are identical, the player nearer to the dealer's left plays first. (PLX-9)
{bets}
- A player who resigns can no longer win anything. The cards in the zones stay and still keep others
from flanking. The stakes stay too{unmatched}. Such a player ranks behind everyone who stays.
Players who were out before keep their places. (PLX-26, PLX-V5, GEN-7)"""


def rules_source(its: Terms) -> str:
    """Return the source of the rules text for a table."""
    stakes = str(its.options["stakes"])
    chips = stakes != "cards"
    kind = "chips" if chips else "cards"
    chapters = [
        "Phalanx",
        _LEAD[stakes],
        fill(_CARDS, packs=_packs(its, chips=chips)),
        _zones(its.players or _EXAMPLE_RING, is_example=its.players is None),
        fill(
            _BATTLE,
            drawn="" if chips else " from the top of the reserve",
            extra="Between the rounds you bet." if stakes == "zones" else "",
        ),
        fill(
            _FACES,
            down="but they lie there" if chips else "but they are won and lost with their zone",
        ),
        fill(_COUNTING, aces=ACES[str(its.options["aces"])]),
        fill(
            _WINNING,
            wins=_WINS[kind],
            stay="" if chips else _STAY,
            tie=CHIPS_TIE if chips else TIES[str(its.options["tie"])],
        ),
        fill(_EXAMPLE, takes=_TAKES[kind]),
        _stakes_chapter(its, stakes),
        "## How it ends\n\n" + _end(its, kind),
        fill(
            _ORDERS,
            bets=_BET_ORDERS if stakes == "zones" else "",
            by_mail=rulebook.by_mail("7s left or 7s center"),
        ),
        fill(
            _LOOKING,
            sizes=" has, and how many chips" if chips else ", every reserve and the spoils have",
            opened=rulebook.OPENED,
            order=(
                "Nobody knows the order of a pack."
                if chips
                else "Nobody knows the order of a reserve."
            ),
        ),
        _options(its, stakes),
        settled(stakes),
    ]
    return "\n\n".join(chapters)


def _packs(its: Terms, *, chips: bool) -> str:
    if chips:
        return fill(_OWN_PACKS, bankroll=its.options["bankroll"])
    table = ""
    if its.players is not None:
        each, left = divmod(52, its.players)
        table = (
            fill(
                "Among {players} players everybody gets {each} cards, and {left} are spoils.",
                players=its.players,
                each=each,
                left=left,
            )
            if left
            else fill(
                "Among {players} players everybody gets {each} cards.",
                players=its.players,
                each=each,
            )
        )
    return fill(_ONE_PACK, table=table)


def _zones(players: int, *, is_example: bool) -> str:
    names = _NAMES[:players]
    sides = [
        fill(
            "    side zone: {name}'s left is {after}'s right", name=Plain(name), after=Plain(after)
        )
        for name, after in zip(names, (*names[1:], names[0]), strict=True)
    ]
    ring = (
        "With three players:"
        if is_example
        else fill("With {players} players, as in this game:", players=players)
    )
    is_pair = len(names) == 2  # noqa: PLR2004
    center = "    center: shared by both" if is_pair else "    center: shared by all"
    return fill(_ZONES, ring=ring, zones="\n".join([*sides, center]))


def _stakes_chapter(its: Terms, stakes: str) -> str:
    if stakes == "cards":
        return _SPOILS
    if stakes == "per_card":
        return fill(_FEES, fee=rulebook.chips(its.number("fee")))
    ante = its.number("zone_ante")
    windows = _WINDOWS[str(its.options["first_window"])]
    return fill(_BETTING, zone_ante=rulebook.chips(ante), windows=windows, one=ante, five=ante + 4)


def _end(its: Terms, kind: str) -> str:
    battles = its.number("max_battles")
    counted = fill("{count} battle" if battles == 1 else "{count} battles", count=battles)
    highest = fill(
        "After {battles} the game ends anyhow, and the most cards win. (PLX-V7)", battles=counted
    )
    return fill(_ENDS[kind], battles=counted, most=highest if battles else "")


# --- descriptions of options ----------------------------------------------------------------------


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
    """Return the source of the last chapter. `stakes` is the value of the option."""
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


UNUSED: Mapping[str, tuple[str, ...]] = {
    "cards": ("bankroll", "zone_ante", "first_window", "fee"),
    "zones": ("tie", "ante", "fee"),
    "per_card": ("tie", "ante", "zone_ante", "first_window"),
}
"""Names of options that have no effect, by the option `stakes`."""


_WORDS: rulebook.Words = {
    "tie": {
        "back": "players tied for the lead of a zone take back their own cards. (PLX-21)",
        "spoils": "when the lead of a zone is tied, all its cards become spoils. (PLX-V1)",
        "swap": "players tied for the lead of a zone take the cards of another tied player. "
        "(PLX-V2)",
    },
    "aces": {
        "2": "a doubled ace counts 2. (PLX-17)",
        "4": "a doubled ace counts 4. (PLX-V3)",
        "10": "a doubled ace counts 10. (PLX-V3)",
        "highest": (
            "a doubled ace counts as the highest opposing card in its zone, at least 2. (PLX-V3)"
        ),
    },
    "ante": lambda its: _ante_words(its.number("ante")),
    "max_battles": lambda its: _battles_words(its.number("max_battles")),
    "stakes": {
        "cards": "you fight for the cards. (PLX-20)",
        "zones": "you fight for chips, which you bet on zones. (PLX-V5)",
        "per_card": "you fight for chips, and each card played costs some. (PLX-V6)",
    },
    "bankroll": lambda its: fill(
        "everybody begins with {chips} chips. (PLX-V5)", chips=its.options["bankroll"]
    ),
    "zone_ante": lambda its: fill(
        "before a battle everybody puts {ante} into each own zone. (PLX-V5)",
        ante=its.options["zone_ante"],
    ),
    "first_window": {
        "deal": "the first bets are made before the opening cards are chosen. (PLX-V5)",
        "opening": (
            "the first bets are made after the opening, which saves a round of mails. (PLX-V5)"
        ),
    },
    "fee": lambda its: fill("each card played costs {fee}. (PLX-V6)", fee=its.options["fee"]),
    "max_plies": lambda its: rulebook.plies_words(
        its,
        "Then the most cards win." if its.options["stakes"] == "cards" else "The most chips win.",
    ),
}
"""Descriptions of the option values, for `rulebook.option_points`."""


def _options(its: Terms, stakes: str) -> str:
    """Return the source of the chapter about the options that have an effect in this game."""
    usual = {} if stakes == "cards" else {"max_battles": 5}
    points = rulebook.option_points(its, _WORDS, usual, UNUSED[stakes])
    return f"## Options of this game\n\n{rulebook.OPTIONS_LEAD}\n\n{points}"
