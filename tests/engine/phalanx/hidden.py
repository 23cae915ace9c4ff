"""Exchange cards that a viewer cannot know. The view must not change (GEN-5, GEN-16)."""

from engine.cards import sort_cards
from engine.phalanx.state import State, columns, is_gambling


def exchanged(state: State, viewer: int | None, luck) -> State:
    """Return the state after shuffling all cards that `viewer` cannot know among their places.

    Unknown are the hands of other seats, all reserves, unseen spoils, and cards that others laid aside
    or chose. With a pack per player, cards are exchanged only with cards of the same owner.
    """
    seats = list(state.seats)
    spoils = state.spoils_unseen
    pools = [[n] for n in range(len(seats))] if is_gambling(state) else [list(range(len(seats)))]
    for pool in pools:
        unknown = [] if is_gambling(state) else list(spoils)
        for n in pool:
            unknown += seats[n].reserve
            if n != viewer:
                unknown += [*seats[n].hand, *seats[n].aside]
        luck.shuffle(unknown)
        fresh = iter(unknown)

        def take(cards, fresh=fresh):
            return tuple(next(fresh) for _ in cards)

        if not is_gambling(state):
            spoils = take(spoils)
        for n in pool:
            own = seats[n]._replace(reserve=take(seats[n].reserve))
            if n != viewer:
                own = own._replace(hand=sort_cards(take(own.hand)), aside=take(own.aside))
                if own.choice is not None:
                    own = own._replace(choice=luck.choice(own.hand))
            seats[n] = own
    return state._replace(**columns(seats), spoils_unseen=spoils)
