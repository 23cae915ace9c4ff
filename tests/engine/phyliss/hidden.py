"""Exchange cards that a viewer cannot know. The view must not change (GEN-5, GEN-16)."""

from collections.abc import Callable, Iterator

from engine.cards import Card, sort_cards
from engine.phyliss.moves import State


def exchanged(state: State, viewer: int | None, mix: Callable[[list[Card]], None]) -> State:
    """Return the state after shuffling all cards that `viewer` cannot know among their places.

    Unknown are the hands of other seats except openly shown cards, all blind cards, the stock, and
    the unseen cards of resigned seats.
    """
    unknown: list[Card] = [*state.stock, *state.course.left_unseen]
    for seat, own in enumerate(state.seats):
        unknown += own.blind
        if seat != viewer:
            unknown += [card for card in own.hand if card not in own.known]
    mix(unknown)
    fresh: Iterator[Card] = iter(unknown)

    def take(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(next(fresh) for _ in cards)

    stock, left_unseen = take(state.stock), take(state.course.left_unseen)
    seats = []
    for seat, own in enumerate(state.seats):
        blind = take(own.blind)
        hand, private = own.hand, own.private
        if seat != viewer:
            private = sort_cards(take(own.private))
            hand = sort_cards([*own.known, *private])
        seats.append(own._replace(blind=blind, hand=hand, private=private))
    course = state.course._replace(left_unseen=left_unseen)
    return state._replace(course=course, stock=stock, seats=tuple(seats))
