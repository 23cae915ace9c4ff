"""Exchange cards that a viewer cannot know. The view must not change (GEN-5, GEN-16)."""

from collections.abc import Callable, Iterator

from engine.cards import Card, sort_cards
from engine.cathedral.moves import State


def exchanged(state: State, viewer: int | None, mix: Callable[[list[Card]], None]) -> State:
    """Return the state after shuffling all cards that `viewer` cannot know among their places.

    Unknown are the hands of other seats except openly shown cards, their reserves, the stock, and the
    unseen cards of resigned seats. Unknown is also which cards of their hands they have chosen.
    """
    unknown: list[Card] = [*state.stock, *state.course.left_unseen]
    for seat, own in enumerate(state.seats):
        if seat != viewer:
            unknown += [card for card in own.hand if card not in own.known]
            unknown += own.reserve
    mix(unknown)
    fresh: Iterator[Card] = iter(unknown)

    def take(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(next(fresh) for _ in cards)

    stock, left_unseen = take(state.stock), take(state.course.left_unseen)
    seats = []
    for seat, own in enumerate(state.seats):
        if seat == viewer:
            seats.append(own)
            continue
        private = sort_cards(take(own.private))
        hand = [*own.known, *private]
        choice = own.choice
        if choice is not None:
            mix(hand)
            choice = sort_cards(hand[: len(choice)])
        seats.append(
            own._replace(
                hand=sort_cards(hand),
                private=private,
                reserve=sort_cards(take(own.reserve)),
                choice=choice,
            )
        )
    course = state.course._replace(left_unseen=left_unseen)
    return state._replace(course=course, stock=stock, seats=tuple(seats))
