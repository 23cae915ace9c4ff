"""Exchange cards that a viewer cannot know. The view must not change (GEN-5, GEN-16)."""

from collections.abc import Callable

from engine.phase10.cards import Card, sort_cards, without
from engine.phase10.state import State


def exchanged(state: State, viewer: int | None, mix: Callable[[list[Card]], None]) -> State:
    """Return the state after shuffling all cards that `viewer` cannot know among their places.

    Unknown are the hands of other seats except openly shown cards, the stock, and the unseen cards of
    resigned seats.
    """
    private = [
        () if seat == viewer else without(own.hand, own.known)
        for seat, own in enumerate(state.seats)
    ]
    unknown: list[Card] = [*state.stock, *state.left_unseen, *(c for each in private for c in each)]
    mix(unknown)
    fresh = iter(unknown)

    def take(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(next(fresh) for _ in cards)

    stock, left_unseen = take(state.stock), take(state.left_unseen)
    seats = tuple(
        own if seat == viewer else own._replace(hand=sort_cards([*own.known, *take(hidden)]))
        for seat, (own, hidden) in enumerate(zip(state.seats, private, strict=True))
    )
    return state._replace(stock=stock, left_unseen=left_unseen, seats=seats)
