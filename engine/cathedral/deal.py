"""Course of the deals: from shuffle to first turn, from end to end of the game.

The functions here change a `Draft` and add to its list of facts; `turn.py` calls them.
"""

from __future__ import annotations

from engine import shedding, silence
from engine.api import Fact, Note, Seat, Setup, Shuffle, Step
from engine.cards import PACK, sort_cards
from engine.cathedral.scoring import deal_places, deal_result, ranking, scores, stayers
from engine.cathedral.state import NO_CARDS, Draft, SeatCards, State
from engine.shedding import CLOCKWISE, int_option

DEALT = 6
"""Cards that everybody gets (CAT-2)."""


def first_step(setup: Setup) -> Step[State]:
    """Shuffle and deal the first deal."""
    draft: Draft = shedding.Draft(shedding.undealt(setup, NO_CARDS))
    facts: list[Note] = []
    shuffled = deal_cards(draft, facts)
    return draft.finish(facts, (shuffled,))


def deal_cards(draft: Draft, facts: list[Note]) -> Shuffle:
    """Shuffle and deal to all who have not resigned, six cards at a time; then choose.

    Rules: CAT-2, CAT-3, GEN-2 (deal k uses shuffle k).
    """
    course, pack, stock = shedding.begin_deal(draft, NO_CARDS)
    for seat in CLOCKWISE[draft.setup.players][course.dealer]:
        if seat in course.dealt_in:
            hand = sort_cards(stock.pop() for _ in range(DEALT))
            draft.seats[seat] = SeatCards(hand, hand, ())
    draft.stock = tuple(stock)
    facts.append(
        Fact(
            "dealt",
            next_seat(draft, course.dealer),
            {"deal": course.deal, "dealer": course.dealer, "stock_size": len(stock)},
        )
    )
    facts += [
        Fact("dealt", seat, {"deal": course.deal, "hand": list(draft.seats[seat].hand)}, seat)
        for seat in course.dealt_in
    ]
    return Shuffle(course.deal, PACK, pack)


def next_seat(draft: Draft, after: Seat) -> Seat:
    """Return the next seat clockwise that is still in the game; there is one."""
    resigned = draft.course.resigned
    if not resigned:
        return Seat((after + 1) % len(draft.seats))
    for seat in CLOCKWISE[len(draft.seats)][after]:
        if seat not in resigned:
            return seat
    raise AssertionError("nobody is left in the game")


def end_deal(draft: Draft, facts: list[Note], winner: Seat) -> tuple[Shuffle, ...]:
    """Close a deal that a seat has won; then start the next deal, or end the game.

    Rules: CAT-4, CAT-15, CAT-16, CAT-17, GEN-7.
    """
    _close_deal(draft, facts, winner)
    if len(stayers(draft)) == 1:
        _end_game(draft, facts, "last-seat")
    elif len(draft.course.results) == draft.setup.options["deals"]:
        _end_game(draft, facts, "finished")
    elif is_silent(draft):
        facts.append(Fact("stopped", None, {"cause": "silence"}))
        _end_game(draft, facts, "stopped")
    else:
        draft.course = draft.course._replace(dealer=winner, deal=draft.course.deal + 1)
        return (deal_cards(draft, facts),)
    return ()


def stop_game(draft: Draft, facts: list[Note], cause: str) -> None:
    """End the game during a deal: `silence` (GEN-7), `max_plies` or `agreed` (GEN-8, CAT-19)."""
    facts.append(Fact("stopped", None, {"cause": cause}))
    _close_deal(draft, facts, None)
    _end_game(draft, facts, "stopped")


def stop_if_due(draft: Draft, facts: list[Note]) -> None:
    """Stop a game in which all are silent, or with a deal that has had its plies."""
    limit = int_option(draft.setup, "max_plies")
    if is_silent(draft):
        stop_game(draft, facts, "silence")
    elif limit and draft.ply - draft.course.first_ply >= limit:
        # Greater, too: choices made together may pass it (GEN-8).
        stop_game(draft, facts, "max_plies")


def _close_deal(draft: Draft, facts: list[Note], winner: Seat | None) -> None:
    result = deal_result(draft, winner)
    course = draft.course
    draft.course = course._replace(results=(*course.results, result))
    facts.append(
        Fact(
            "deal_over",
            winner,
            {
                "deal": course.deal,
                "winner": winner,
                "places": deal_places(draft, result),
                "cards_left": list(result.cards_left),
            },
        )
    )


def _end_game(draft: Draft, facts: list[Note], reason: str) -> None:
    shedding.end_game(draft, facts, reason, ranking(draft), scores(draft))


def is_silent(draft: Draft) -> bool:
    """True if nobody has decided anything for two turns each (GEN-7).

    A player's choice that is not carried out yet ends silence, like a chosen ply of a running turn.
    """
    running = draft.turn
    for own in draft.seats:
        running |= own.choice_mark
    return silence.is_silent(draft.turns, running, lambda seat: seat in draft.course.resigned)
