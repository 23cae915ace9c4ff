"""The state of a game of Phalanx: values only, no rules.

A reserve is bottom to top, the top is the last element. A zone is a list of cards in the order in
which they came to lie there, each with its owner. Cards that a person must not see are left out of
`repr`, so that no traceback or log line shows them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.api import Seat, Setup
from engine.cards import PACK, Card
from engine.shuffle import Shuffled
from engine.silence import Turns

Cards = tuple[Card, ...]

Reserve = Cards | Shuffled[Card]
"""A reserve is shuffled anew before it is drawn from, so the order of the rest can wait."""

HAND_SIZE = 7
"""Cards of a hand at the start of a battle (PLX-6)."""

MOST_SEATS = 6
"""PLX-1."""

CENTER = 0
"""Number of the center zone; the side zone to the left of seat s has number s + 1 (PLX-3)."""

CHOOSING, PLAYING, BETTING, OVER = "choosing", "playing", "betting", "over"
"""What is going on: the secret opening, playing cards, a betting window, or nothing any more."""


class Lying(NamedTuple):
    """A card in a zone."""

    seat: Seat
    """Its owner (PLX-5)."""
    card: Card
    up: bool = True
    """Face down it does nothing, but falls with the zone (PLX-15)."""


LYING: tuple[dict[Card, Lying], ...] = tuple(
    {card: Lying(Seat(seat), card) for card in PACK} for seat in range(MOST_SEATS)
)
"""By seat and card: the card face up."""

LYING_DOWN: dict[Lying, Lying] = {
    lying: lying._replace(up=False) for by_card in LYING for lying in by_card.values()
}
"""By card face up: the same face down."""

Zone = tuple[Lying, ...]


Pots = tuple[tuple[int, ...], ...]


class Elimination(NamedTuple):
    """How a seat dropped out at the start of a battle (PLX-24)."""

    battle: int
    """Number of the battle that it could not begin, from 0."""
    cards: int
    """Cards that it had left."""


class SeatState(NamedTuple):
    """What one seat has."""

    hand: Cards = ()
    """In canonical order (rank 2 … A, then suit); a chosen opening card is still in it."""
    reserve: Reserve = ()
    """Bottom to top; nobody knows its order."""
    choice: Card | None = None
    """Opening card that was chosen and not yet revealed (GEN-6)."""
    choice_mark: int = 0
    """How the choice came about, a turn mark; 0 without a choice."""
    aside: Cards = ()
    """Laid aside face down by a seat that was closed out (PLX-V5)."""
    chips: int = 0
    """Not counting those in the pots; 0 where no chips are played for."""
    out: Elimination | None = None

    def __repr__(self) -> str:
        return f"SeatState(choice_mark={self.choice_mark}, chips={self.chips}, out={self.out})"


class Window(NamedTuple):
    """A betting window that is open (PLX-V5)."""

    bettor: Seat
    """Who is asked."""
    acted: tuple[Seat, ...] = ()
    """Seats that have had their first action, ascending."""
    raises: tuple[int, ...] = ()
    """Per zone number, how often the stake was raised in this window."""
    unanswered: tuple[tuple[Seat, ...], ...] = ()
    """Per zone number, seats that have not answered the last raise there, ascending."""


class State(NamedTuple):
    """One position of a game, complete. What playing a card changes stands first."""

    seats: tuple[SeatState, ...]
    zones: tuple[Zone, ...]
    """By zone number; the sides of seats outside the ring stay empty."""
    player: Seat | None
    """Whose turn to play a card it is, or will be after the window."""
    turns: Turns
    """Every ply and every secret choice is a turn of its own (GEN-7)."""
    ply: int
    pots: Pots
    """By zone number and seat, chips that lie in the zone."""
    setup: Setup
    battle: int
    """Number of the running (or last) battle, from 0."""
    ring: tuple[Seat, ...]
    """Seats of this battle, ascending, those that resigned in it included (PLX-26)."""
    spoils_seen: Cards
    """Spoils that everybody saw on their way (PLX-29)."""
    spoils_unseen: Cards
    """Spoils that nobody has seen: left over, antes, reserves and hands of those who left."""
    phase: str
    first: Seat | None
    """Who opened highest and plays first (PLX-8); None while openings are chosen."""
    window: Window | None
    window_size: int
    """Hand size at the last window of this battle; one more than a hand if there was none."""
    shuffles: int
    """Number of shuffles so far, which is the number of the next one (GEN-2)."""
    resigned: tuple[Seat, ...]
    """In the order of resigning."""
    reason: str | None = None
    """Why the game is over, None while it runs."""

    def __repr__(self) -> str:
        shown = zip(self._fields, self, strict=True)
        return f"State({', '.join(f'{k}={v!r}' for k, v in shown if k != 'spoils_unseen')})"

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Seats that have something to decide, ascending."""
        return seats_to_act(self)


_ALONE: Mapping[Seat | None, tuple[Seat, ...]] = {
    None: (),
    **{seat: (seat,) for seat in map(Seat, range(MOST_SEATS))},
}


def seats_to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats that have something to decide, ascending: several during the opening."""
    if state.phase == CHOOSING:
        seats = state.seats
        return tuple([seat for seat in active(state) if seats[seat].choice is None])
    window = state.window
    return _ALONE[state.player if window is None else window.bettor]


class Draft:
    """A state in the making: the same fields, open for change, until `freeze`.

    It lives inside one call of the rules and never leaves it.
    """

    __slots__ = (
        "battle",
        "first",
        "phase",
        "player",
        "ply",
        "pots",
        "reason",
        "resigned",
        "ring",
        "seats",
        "setup",
        "shuffles",
        "spoils_seen",
        "spoils_unseen",
        "turns",
        "window",
        "window_size",
        "zones",
    )

    def __init__(self, state: State) -> None:
        (
            seats,
            zones,
            self.player,
            self.turns,
            self.ply,
            self.pots,
            self.setup,
            self.battle,
            self.ring,
            self.spoils_seen,
            self.spoils_unseen,
            self.phase,
            self.first,
            self.window,
            self.window_size,
            self.shuffles,
            self.resigned,
            self.reason,
        ) = state
        self.seats = list(seats)
        self.zones = list(zones)

    def freeze(self) -> State:
        """Return the state that has been made."""
        # As State(*fields) does, at half the price.
        fields = (
            tuple(self.seats),
            tuple(self.zones),
            self.player,
            self.turns,
            self.ply,
            self.pots,
            self.setup,
            self.battle,
            self.ring,
            self.spoils_seen,
            self.spoils_unseen,
            self.phase,
            self.first,
            self.window,
            self.window_size,
            self.shuffles,
            self.resigned,
            self.reason,
        )
        state: State = tuple.__new__(State, fields)
        return state


def unordered(reserve: Reserve) -> Cards:
    """Return the cards of a reserve in an order that says nothing."""
    return reserve.unordered if isinstance(reserve, Shuffled) else reserve


def with_cards(own: SeatState, hand: Cards, reserve: Reserve) -> SeatState:
    """Return what a seat has, with other cards."""
    # As `_replace` does, at a fraction of the price.
    new: SeatState = tuple.__new__(SeatState, (hand, reserve, *own[2:]))
    return new


def with_chips(own: SeatState, chips: int) -> SeatState:
    """Return what a seat has, with so many chips."""
    # As `with_cards` does.
    new: SeatState = tuple.__new__(SeatState, (*own[:5], chips, own.out))
    return new


Table = State | Draft


def active(table: Table) -> Sequence[Seat]:
    """Return the seats of the ring that have not resigned, ascending."""
    if not table.resigned:
        return table.ring
    return [seat for seat in table.ring if seat not in table.resigned]


def with_stake(pots: Pots, zone: int, seat: Seat, chips: int) -> Pots:
    """Return the pots with more chips of one seat in one zone."""
    pot = pots[zone]
    pot = (*pot[:seat], pot[seat] + chips, *pot[seat + 1 :])
    return (*pots[:zone], pot, *pots[zone + 1 :])


def number_option(table: Table, name: str) -> int:
    """Return an option that is a whole number."""
    value = table.setup.options[name]
    assert isinstance(value, int)  # noqa: S101  (check_options has seen to it)
    return value


def is_gambling(table: Table) -> bool:
    """Say whether chips are played for, and cards return to their owners (PLX-V5, PLX-V6)."""
    return table.setup.options["stakes"] != "cards"


def has_windows(table: Table) -> bool:
    """Say whether there are antes, betting windows and closed zones (PLX-V5)."""
    return table.setup.options["stakes"] == "zones"
