"""Course of the deals: from shuffle to first move, from deal to end of the game.

The functions here change a `Draft` and add to its list of facts; `turn.py` calls them.
"""

from __future__ import annotations

from engine import shedding, silence
from engine.api import Fact, JsonValue, Note, Seat, Setup, Shuffle, Step
from engine.cards import PACK, RANK_OF, sort_cards
from engine.phyliss.moves import DESTROYER, PHYLISS_RANKS, WILD
from engine.phyliss.scoring import (
    deal_result,
    has_left,
    next_dealer,
    ranking,
    scores,
    stayers,
)
from engine.phyliss.state import NO_CARDS, DealResult, Draft, SeatCards, State
from engine.plays import Cards
from engine.shedding import CLOCKWISE

PILE_SIZE = 3
"""Cards of each kind that a seat gets: blind, face up, hand (PHY-4)."""

_ABOVE_ACE = len(PHYLISS_RANKS)


def first_step(setup: Setup) -> Step[State]:
    """Shuffle and deal the first deal."""
    draft: Draft = shedding.Draft(shedding.undealt(setup, NO_CARDS))
    facts: list[Note] = []
    shuffled = deal_cards(draft, facts)
    return draft.finish(facts, (shuffled,))


def deal_cards(draft: Draft, facts: list[Note]) -> Shuffle:
    """Shuffle and deal to everyone who has not resigned, nine cards at a time.

    Rules: PHY-4, PHY-5, GEN-2 (deal k uses shuffle k).
    """
    course, pack, stock = shedding.begin_deal(draft, NO_CARDS)
    for seat in _clockwise_from(draft, course.dealer):
        blind, up, hand = (tuple(stock.pop() for _ in range(PILE_SIZE)) for _ in range(PILE_SIZE))
        hand = sort_cards(hand)
        draft.seats[seat] = SeatCards(hand, hand, up, blind, (1, 2, 3))
    draft.stock = tuple(stock)
    starter = first_to_play(draft)
    draft.to_act = starter
    ups: list[JsonValue] = [list(own.up) for own in draft.seats]
    facts.append(
        Fact(
            "dealt",
            starter,
            {"deal": course.deal, "dealer": course.dealer, "up": ups, "stock_size": len(stock)},
        )
    )
    facts += [
        Fact("dealt", seat, {"deal": course.deal, "hand": list(draft.seats[seat].hand)}, seat)
        for seat in course.dealt_in
    ]
    return Shuffle(course.deal, PACK, pack)


def first_to_play(draft: Draft) -> Seat:
    """Return the seat with the lowest face-up cards; ties: first from dealer's left.

    Rules: PHY-6, PHY-7.
    """
    return min(
        _clockwise_from(draft, draft.course.dealer), key=lambda seat: shown(draft.seats[seat].up)
    )


def shown(up: Cards) -> tuple[int, ...]:
    """Return a seat's face-up ranks for the start: sorted, no 2s and 10s, padded high."""
    counted = sorted(
        PHYLISS_RANKS.index(RANK_OF[card]) for card in up if RANK_OF[card] not in (WILD, DESTROYER)
    )
    return tuple(counted + [_ABOVE_ACE] * (PILE_SIZE - len(counted)))


def _clockwise_from(draft: Draft, dealer: Seat) -> list[Seat]:
    """Return the seats of this deal in order, from the dealer's left."""
    return sorted(draft.course.dealt_in, key=lambda seat: (seat - dealer - 1) % draft.setup.players)


def next_seat(draft: Draft, after: Seat) -> Seat:
    """Return the next seat clockwise that still holds cards; there is one."""
    seats = draft.seats
    for seat in CLOCKWISE[len(seats)][after]:
        own = seats[seat]
        if own.hand or own.up or own.blind:
            return seat
    raise AssertionError("nobody holds cards")


def end_deal(draft: Draft, facts: list[Note]) -> tuple[Shuffle, ...]:
    """Score a deal with one seat left; then start the next deal, or end the game.

    Rules: PHY-22, PHY-23, PHY-24, PHY-25, GEN-7.
    """
    result = deal_result(draft, is_stopped=False)
    _note_result(draft, facts, result)
    if len(stayers(draft)) == 1:
        _end_game(draft, facts, "last-seat")
    elif len(draft.course.results) == draft.setup.options["deals"]:
        _end_game(draft, facts, "finished")
    elif is_silent(draft):
        facts.append(Fact("stopped", None, {"cause": "silence"}))
        _end_game(draft, facts, "stopped")
    else:
        draft.course = draft.course._replace(
            dealer=next_dealer(draft, result), deal=draft.course.deal + 1
        )
        return (deal_cards(draft, facts),)
    return ()


def stop_game(draft: Draft, facts: list[Note], cause: str) -> None:
    """End the game during a deal: `silence` (GEN-7), `max_plies` or `agreed` (GEN-8, PHY-27)."""
    facts.append(Fact("stopped", None, {"cause": cause}))
    _note_result(draft, facts, deal_result(draft, is_stopped=True))
    _end_game(draft, facts, "stopped")


def _note_result(draft: Draft, facts: list[Note], result: DealResult) -> None:
    course = draft.course
    draft.course = course._replace(results=(*course.results, result))
    facts.append(
        Fact(
            "deal_over",
            result.loser,
            {"deal": course.deal, "places": list(result.places), "loser": result.loser},
        )
    )


def _end_game(draft: Draft, facts: list[Note], reason: str) -> None:
    shedding.end_game(draft, facts, reason, ranking(draft), scores(draft))


def is_silent(draft: Draft) -> bool:
    """True if nobody has decided anything for two turns each (GEN-7)."""
    return silence.is_silent(draft.turns, draft.turn, lambda seat: has_left(draft, seat))
