"""Parser and formatter for moves of Phalanx (GEN-9).

`engine.phalanx.reading` parses the words. This module converts the result into a move in the
position. Suits matter: a rank without suit names a card only if the hand has one card of that rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import assert_never

from engine.api import Seat
from engine.cards import RANK_OF, Card, Named, card
from engine.errors import (
    AmbiguousOrderError,
    EngineError,
    InvalidOrderError,
    illegal,
)
from engine.orders import echo
from engine.phalanx.betting import Bet, Bets
from engine.phalanx.moves import (
    Move,
    Open,
    Pass,
    Play,
    Target,
    legal_moves,
    need_open,
    need_phase,
    no_target,
    open_places,
    targets,
)
from engine.phalanx.reading import (
    SIDES,
    OpenForm,
    PlayForm,
    TargetForm,
    in_places,
    read_form,
    zones_called,
)
from engine.phalanx.state import (
    BETTING,
    CHOOSING,
    PLAYING,
    SEAT_PLACES,
    State,
    TableCard,
    places_words,
)
from engine.sentences import all_of, sentence


def read_order(state: State, seat: Seat, text: str) -> Move:
    """Convert an order of a seat that may act into a move.

    The legality of the move is checked when it is applied.

    Raises:
        InvalidOrderError: the text is not an order.
        AmbiguousOrderError: the text matches several moves.
        IllegalMoveError: the seat does not hold the card.
    """
    called = list(dict.fromkeys(other for _, other in zones_called(text)))
    if called and read_form(text) is not None:
        return _called_by_neighbours(state, seat, text, called)
    form = read_form(text)
    match form:
        case Pass() | Bets():
            return form
        case OpenForm(named):
            need_phase(state, CHOOSING)
            return Open(_held(state, seat, named))
        case PlayForm(named, place, target):
            if state.phase == CHOOSING and place in (None, "center") and target is None:
                return Open(_held(state, seat, named))
            need_phase(state, PLAYING)
            return _play(state, seat, form)
        case None:
            raise InvalidOrderError(
                sentence(
                    "“{text}” isn't a move in Phalanx; {examples}",
                    text=echo(text),
                    examples=_EXAMPLES[state.phase],
                )
            )
        case _:
            assert_never(form)


def _called_by_neighbours(state: State, seat: Seat, text: str, called: Sequence[int]) -> Move:
    """Convert an order that names zones by the seats that share them.

    Raises the errors of `read_order`. Two players share both side zones, so the order is clear only
    if just one of the two plays is possible.
    """
    zones = SEAT_PLACES[state.ring][seat]
    sides = [
        [place for place in SIDES if other != seat and other in zones.others[zones.zones[place]]]
        for other in called
    ]
    orders = [in_places(text, dict(zip(called, places, strict=True))) for places in product(*sides)]
    if not orders:
        raise illegal(sentence("PLX-3: you share a zone with your two neighbours only"))
    if len(orders) == 1:
        return read_order(state, seat, orders[0])
    moves: list[Move] = []
    candidates: list[str] = []
    refusals: list[EngineError] = []
    for order in orders:
        try:
            moves.append(read_order(state, seat, order))
        except AmbiguousOrderError as error:
            candidates += error.candidates
        except EngineError as error:
            refusals.append(error)
    if len(moves) == 1 and not candidates:
        return moves[0]
    if not moves and not candidates:
        raise refusals[0]
    raise AmbiguousOrderError(
        sentence("left or right? You share both zones with the same player"),
        rule="PLX-3",
        candidates=(*(format_move(state, seat, move) for move in moves), *candidates),
    )


_EXAMPLES = {
    CHOOSING: sentence("a move now looks like open 9h"),
    BETTING: sentence("moves now look like check, match center, raise left 5"),
    PLAYING: sentence("moves look like play 7s left, Qs center, Ks right x 10d"),
}


def _held(state: State, seat: Seat, named: Named, place: str | None = None) -> Card:
    """Return the card of the hand that is meant. The zone is only used for suggestions."""
    hand = state.hands[seat]
    fitting = _fitting(named, hand)
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        rule = "PLX-7" if state.phase == CHOOSING else "PLX-11"
        raise illegal(
            sentence("{rule}: you do not hold {named}", rule=rule, named=_card_text(named))
        )
    raise AmbiguousOrderError(
        sentence("which {rank}? You hold {fitting}", rank=named.rank, fitting=all_of(fitting)),
        rule="GEN-9",
        candidates=_format_moves(state, seat, fitting, place),
    )


def _format_moves(
    state: State,
    seat: Seat,
    cards: Sequence[Card],
    place: str | None = None,
) -> tuple[str, ...]:
    """Format the legal moves with one of these cards, optionally limited to one zone."""
    if state.phase == CHOOSING:
        return tuple(f"open {one}" for one in cards)
    return tuple(
        format_move(state, seat, move)
        for move in legal_moves(state, seat)
        if isinstance(move, Play) and move.card in cards and place in (None, move.place)
    )


def _fitting(named: Named, cards: Sequence[Card]) -> tuple[Card, ...]:
    if named.suit is not None:
        exact = card(named.rank + named.suit)
        return (exact,) if exact in cards else ()
    return tuple(one for one in cards if RANK_OF[one] == named.rank)


def _card_text(named: Named) -> str:
    return named.rank + (named.suit or "")


def _play(state: State, seat: Seat, form: PlayForm) -> Play | Pass:
    played = _held(state, seat, form.card, form.place)
    place = form.place
    if place is None:
        places = open_places(state, seat)
        if len(places) != 1:
            if not places:
                need_open(state, seat, "center")  # raises the error with the reason
            raise AmbiguousOrderError(
                sentence(
                    "into which zone does {played} go: {places}?",
                    played=played,
                    places=places_words(places),
                ),
                rule="PLX-11",
                candidates=_format_moves(state, seat, (played,)),
            )
        place = places[0]
    need_open(state, seat, place)
    there = targets(state, seat, place)
    if RANK_OF[played] != "K" and form.target is not None:
        raise illegal(
            sentence("PLX-13: only a king takes a card; {played} is none", played=played),
        )
    if RANK_OF[played] != "K" or (form.target is None and not there):
        return Play(played, place)
    fitting = there if form.target is None else _fitting_targets(form.target, there)
    if not fitting and form.target is not None:
        card_said, owner = _card_text(form.target.card), form.target.seat
        if owner is not None:
            card_said = sentence("{card} of seat {seat}", card=card_said, seat=owner)
        raise no_target(card_said, place, there)
    plays = [Play(played, place, Target(lying.seat, lying.card)) for lying in fitting]
    if len(plays) > 1:
        raise AmbiguousOrderError(
            sentence("which card does {played} take?", played=played),
            rule="PLX-14",
            candidates=tuple(format_move(state, seat, play) for play in plays),
        )
    return plays[0]


def _fitting_targets(form: TargetForm, there: list[TableCard]) -> list[TableCard]:
    cards = _fitting(form.card, tuple(lying.card for lying in there))
    return [
        lying
        for lying in there
        if lying.card in cards and (form.seat is None or lying.seat == form.seat)
    ]


def format_move(state: State, seat: Seat, move: Move) -> str:
    """Return the canonical text of a move, as used in the log and the engine protocol."""
    match move:
        case Open(opened):
            return f"open {opened}"
        case Play(played, place, target):
            taken = "" if target is None else f" x {_format_target(state, seat, place, target)}"
            return f"play {played} {place}{taken}"
        case Pass():
            return "pass"
        case Bets(bets):
            return ", ".join(map(_format_bet, bets)) or "check"
        case _:
            assert_never(move)


def _format_target(state: State, seat: Seat, place: str, target: Target) -> str:
    """Format a king's target. The seat is added if the card alone would be ambiguous."""
    there = targets(state, seat, place)
    is_alone = sum(lying.card == target.card for lying in there) == 1
    return target.card if is_alone else f"{target.card}@{target.seat}"


def _format_bet(bet: Bet) -> str:
    return f"raise {bet.place} {bet.raise_by}" if bet.raise_by else f"match {bet.place}"
