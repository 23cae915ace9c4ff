"""The moves of Phalanx: legal moves, validation, and the standby move.

Order of `legal_moves` (frozen with the ruleset's version):

- opening: the hand in canonical order (rank 2 … 10, J, Q, K, A, then clubs to spades).
- playing: by card in that order, then left, center, right, then a king's targets in order of
  arrival. A seat that is closed out has only `pass`.
- betting: `check`, then all combinations of no bet, match and raise by 1 for left, center and
  right. The right zone varies fastest. Higher raises are legal too, so this list is not complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from engine.api import OptionValue, Seat
from engine.cards import PACK, RANK_OF, SUIT_OF, Card
from engine.errors import IllegalMoveError, illegal
from engine.phalanx.betting import CHECK, Bets, listed_bets, offers, owed
from engine.phalanx.resolving import VALUE_OF
from engine.phalanx.state import (
    BETTING,
    CHOOSING,
    PLACES,
    PLAYING,
    SEAT_PLACES,
    SOME_PLACES,
    Cards,
    State,
    Table,
    TableCard,
    active,
    has_windows,
    places_words,
    zone_words,
)
from engine.position import MAX_PLAYERS
from engine.sentences import Sentence, sentence

STANDBY_RANKS = ("A", *(str(n) for n in range(2, 11)), "J", "K", "Q")
"""Ranks in the order in which the standby move plays them (PLX-27)."""
STANDBY_SUITS = "hcds"

LOWNESS: Final[Mapping[Card, int]] = {
    card: STANDBY_RANKS.index(RANK_OF[card]) * 4 + STANDBY_SUITS.index(SUIT_OF[card])
    for card in PACK
}
"""Position of each card in the order of PLX-27, lowest first."""


HEIGHT: Final[Mapping[Card, tuple[int, int, int]]] = {
    card: (
        VALUE_OF[card],
        STANDBY_SUITS.index(SUIT_OF[card]),
        "JQK".find(RANK_OF[card]),
    )
    for card in PACK
}
"""Sort key for the highest opening: value, then suit, then king, queen, jack (PLX-8, PLX-9)."""


@dataclass(frozen=True, slots=True)
class Open:
    """Choose the opening card (PLX-7)."""

    card: Card


class Target(NamedTuple):
    """A card that a king turns face down (PLX-13), with its owner."""

    seat: Seat
    card: Card


class Play(NamedTuple):
    """Play a card into one of the seat's zones (PLX-11)."""

    card: Card
    place: str
    """`left`, `center` or `right`."""
    target: Target | None = None
    """The card that a king turns face down. None for other cards and if there is no target."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Set the lowest card aside because all zones are closed (PLX-V5)."""


Move: TypeAlias = Open | Play | Pass | Bets

PASS: Final = Pass()

# Created only once, because most lists of moves are composed of these.
_OPENS: Final[Mapping[Card, Open]] = {card: Open(card) for card in PACK}
_PLAYS: Final[Mapping[Card, tuple[Play, ...]]] = {
    card: tuple(Play(card, place) for place in PLACES) for card in PACK
}
_PLAYS_INTO: Final[Mapping[tuple[str, ...], Mapping[Card, tuple[Play, ...]]]] = {
    places: {
        card: tuple(play for play in plays if play.place in places)
        for card, plays in _PLAYS.items()
    }
    for places in SOME_PLACES
}
"""Possible plays by open zones and card."""
_KINGS: Final = frozenset(card for card in PACK if RANK_OF[card] == "K")
_KINGS_PLAYS: Final[Mapping[Card, tuple[tuple[Play, tuple[Mapping[Card, Play], ...]], ...]]] = {
    king: tuple(
        (
            play,
            tuple(
                {card: play._replace(target=Target(Seat(seat), card)) for card in PACK}
                for seat in range(MAX_PLAYERS)
            ),
        )
        for play in _PLAYS[king]
    )
    for king in _KINGS
}
"""Plays of kings by king and zone: one without a target, and those by owner and card of the target."""


def targets(table: Table, seat: Seat, place: str) -> list[TableCard]:
    """Return the face-up cards of other seats in a zone, in order of arrival (PLX-13)."""
    zone = table.zones[SEAT_PLACES[table.ring][seat].zones[place]]
    return [lying for lying in zone if lying.up and lying.seat != seat]


def open_places(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the names of the zones that are open to a seat, i.e. not closed by PLX-V5."""
    # an all-in seat can play anywhere
    if state.setup.options["stakes"] != "zones" or state.chips[seat] == 0:
        return PLACES
    zones = SEAT_PLACES[state.ring][seat].zones
    return tuple([place for place, zone in zones.items() if not owed(state, seat, zone)])


def lowest(hand: tuple[Card, ...]) -> Card:
    """Return the card that a closed-out seat must set aside (PLX-V5, PLX-27)."""
    return min(hand, key=LOWNESS.__getitem__)


def may_act(state: State, seat: Seat) -> bool:
    """True if a seat must act. This is faster than computing `to_act`."""
    if state.phase == PLAYING:
        return seat == state.player
    if state.phase == CHOOSING:
        return seat in active(state) and state.choices[seat] is None
    return state.window is not None and seat == state.window.bettor


def legal_moves(state: State, seat: Seat) -> Iterable[Move]:
    """Return the legal moves in documented order. Empty for a seat that does not have to act."""
    if state.phase == PLAYING:
        return _plays(state, seat) if seat == state.player else ()
    if not may_act(state, seat):
        return ()
    if state.phase == CHOOSING:
        return map(_OPENS.__getitem__, state.hands[seat])
    return listed_bets(state, seat)


def _plays(state: State, seat: Seat) -> Iterable[Move]:
    hand = state.hands[seat]
    places = PLACES if state.setup.options["stakes"] != "zones" else open_places(state, seat)
    if not places:
        return (PASS,)
    if _KINGS.isdisjoint(hand):
        return chain.from_iterable(map(_PLAYS_INTO[places].__getitem__, hand))
    plays = _plays_with_kings(state, seat, hand)
    return plays if places is PLACES else [play for play in plays if play.place in places]


def _plays_with_kings(state: State, seat: Seat, hand: Cards) -> list[Play]:
    """List the plays of a hand as if no zone were closed. Kings have a play per target (PLX-13)."""
    plays: list[Play] = []
    left, center, right = SEAT_PLACES[state.ring][seat].zones.values()
    zones = (state.zones[left], state.zones[center], state.zones[right])
    for card in hand:
        if card not in _KINGS:
            plays += _PLAYS[card]
            continue
        for (play, takes), zone in zip(_KINGS_PLAYS[card], zones):  # noqa: B905  (`strict` would be slow here)
            kings = [takes[owner][taken] for owner, taken, up in zone if up and owner != seat]
            plays += kings or (play,)
    return plays


def is_list_complete(state: State, seat: Seat) -> bool:
    """True if `legal_moves` is complete. False if a seat can raise by any amount."""
    window = state.window
    if window is None or window.bettor != seat:
        return True
    return not any(offer.can_raise for offer in offers(state, window, seat))


# --- validation -----------------------------------------------------------------------------------


def check_pass(state: State, seat: Seat) -> None:
    """Reject passing while a zone is open to the seat. Raises: IllegalMoveError."""
    need_phase(state, PLAYING)
    if not has_windows(state):
        raise illegal(sentence("PLX-11: there is no passing"))
    places = open_places(state, seat)
    if places:
        raise illegal(
            sentence(
                "PLX-V5: only a seat that is closed out of all its zones passes; open to you:"
                " {places}",
                places=places_words(places),
            ),
        )


_PHASE_SAYS: Mapping[str, tuple[str, Sentence]] = {
    CHOOSING: (
        "PLX-7",
        sentence("the opening cards are being chosen; open with a card, as in: open 9h"),
    ),
    PLAYING: ("PLX-11", sentence("it is time to play a card into a zone, as in: play 7s left")),
    BETTING: ("PLX-V5", sentence("a betting window is open; check, match a zone or raise it")),
}


def need_phase(state: State, phase: str) -> None:
    """Reject a move that belongs to another phase. Raises: IllegalMoveError."""
    if state.phase != phase:
        rule, words = _PHASE_SAYS[state.phase]
        raise illegal(sentence("{rule}: {why}", rule=rule, why=words))


def need_card(state: State, seat: Seat, card: Card) -> None:
    """Reject a card that the seat does not hold. Raises: IllegalMoveError."""
    if card not in state.hands[seat]:
        rule = "PLX-7" if state.phase == CHOOSING else "PLX-11"
        raise illegal(sentence("{rule}: you do not hold {card}", rule=rule, card=card))


def need_open(state: State, seat: Seat, place: str) -> None:
    """Reject a zone that is closed to the seat. Raises: IllegalMoveError."""
    if place not in PLACES:
        raise illegal(sentence("PLX-11: your zones are left, center and right"))
    places = open_places(state, seat)
    if place in places:
        return
    other = (
        sentence("; open to you: {places}", places=places_words(places))
        if places
        else sentence("; you are closed out: pass")
    )
    raise illegal(
        sentence(
            "PLX-V5: you have less money in your {zone} than an opponent{other}",
            zone=zone_words(place),
            other=other,
        ),
    )


def check_play(state: State, seat: Seat, move: Play) -> None:
    """Reject an illegal play. Raises: IllegalMoveError."""
    card, place, target = move
    if state.phase != PLAYING:
        need_phase(state, PLAYING)
    if card not in state.hands[seat]:
        need_card(state, seat, card)
    if state.setup.options["stakes"] == "zones" or place not in PLACES:
        need_open(state, seat, place)
    if card in _KINGS:
        _check_target(state, seat, place, target)
    elif target is not None:
        raise illegal(sentence("PLX-13: only a king takes a card; {card} is none", card=card))


def _check_target(state: State, seat: Seat, place: str, target: Target | None) -> None:
    """Reject a king without a target if targets exist, or with an invalid target."""
    there = targets(state, seat, place)
    if target is None:
        if there:
            raise illegal(
                sentence("PLX-14: say which card the king takes: {cards}", cards=spelt(there)),
            )
        return
    if TableCard(target.seat, target.card) not in there:
        raise no_target(target.card, place, there)


def no_target(card: object, place: str, there: list[TableCard]) -> IllegalMoveError:
    """Create the error for a target that does not exist."""
    has = sentence("there are {cards}", cards=spelt(there)) if there else sentence("there is none")
    return illegal(
        sentence(
            "PLX-13: no opponent has {card} face up in your {zone}; {has}",
            card=card,
            zone=zone_words(place),
            has=has,
        ),
    )


def spelt(there: list[TableCard]) -> str:
    """Format the cards of other seats for a message, in the notation of orders."""
    return ", ".join(f"{lying.card}@{lying.seat}" for lying in there)


# --- standby and forced moves ---------------------------------------------------------------------


def standby_move(state: State, seat: Seat) -> Move:
    """Return the cautious move for a silent seat that must act (PLX-27)."""
    if state.phase == BETTING:
        return CHECK
    card = lowest(state.hands[seat])
    if state.phase == CHOOSING:
        return Open(card)
    places = open_places(state, seat)
    if not places:
        return PASS

    def own_face_up(place: str) -> int:
        zone = state.zones[SEAT_PLACES[state.ring][seat].zones[place]]
        return sum(lying.up and lying.seat == seat for lying in zone)

    place = min(places, key=own_face_up)  # ties: left, then center, then right
    there = targets(state, seat, place)
    if RANK_OF[card] != "K" or not there:
        return Play(card, place)
    players = state.setup.players

    def worth(lying: TableCard) -> tuple[int, int, int, int]:
        value, suit, face = HEIGHT[lying.card]
        return value, suit, -((lying.seat - seat) % players), face

    best = max(there, key=worth)
    return Play(card, place, Target(best.seat, best.card))


def only_move(state: State, policy: OptionValue) -> tuple[Seat, Move] | None:
    """Return the only legal move of the seat whose turn it is, if there is exactly one.

    A card is forced only if zones are closed (PLX-V5). Everyone can deduce the move of a seat that
    is closed out of all zones, and of a seat with one card, one open zone and at most one target
    for a king. With the policy `all`, the cards of the hand are considered as well.

    Rules: GEN-11.
    """
    if state.phase != PLAYING or state.player is None:
        return None
    seat = state.player
    places = open_places(state, seat)
    if not places:
        return seat, PASS
    if len(places) > 1 or len(state.hands[seat]) > 1:
        return None
    first, *others = _plays(state, seat)
    there = targets(state, seat, places[0])
    return (seat, first) if len(there) <= 1 or (policy == "all" and not others) else None
