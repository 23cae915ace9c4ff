"""From the shuffle to the first turn, and from the end of a deal to the end of the game.

The functions here change a `Draft` and add to its list of facts; `turn.py` calls them.
"""

from __future__ import annotations

from engine import silence
from engine.api import Fact, Seat, Setup, Shuffle
from engine.cards import PACK, sort_cards
from engine.cathedral.scoring import deal_places, deal_result, ranking, scores, stayers
from engine.cathedral.state import NO_CARDS, Draft, SeatCards, State
from engine.shuffle import shuffle

DEALT = 6
"""Cards that everybody gets (CAT-2)."""


def first_state(setup: Setup) -> tuple[State, tuple[Fact, ...], tuple[Shuffle, ...]]:
    """Shuffle and deal the first deal."""
    dealer = setup.options["dealer"]
    assert isinstance(dealer, int)  # noqa: S101  (check_options has seen to it)
    nobody = State(
        setup=setup,
        deal=0,
        dealer=Seat(dealer),
        dealt_in=(),
        seats=(NO_CARDS,) * setup.players,
        stock=(),
        pile=(),
        cleared=(),
        left_seen=(),
        left_unseen=(),
        is_choosing=True,
        to_act=None,
        ply=0,
        deal_ply=0,
        turn=0,
        turns=(silence.NO_TURNS,) * setup.players,
        resigned=(),
        results=(),
    )
    draft = Draft(nobody)
    facts: list[Fact] = []
    shuffled = deal_cards(draft, facts)
    return draft.freeze(), tuple(facts), (shuffled,)


def deal_cards(draft: Draft, facts: list[Fact]) -> Shuffle:
    """Shuffle and deal to everyone who has not resigned, six cards at a time; then all choose.

    Rules: CAT-2, CAT-3, GEN-2 (deal k uses shuffle k).
    """
    players = draft.setup.players
    draft.dealt_in = tuple(stayers(draft))
    pack = shuffle(PACK, draft.setup.seed, draft.deal)
    stock = list(pack)
    draft.seats = [NO_CARDS] * players
    for seat in sorted(draft.dealt_in, key=lambda seat: (seat - draft.dealer - 1) % players):
        draft.seats[seat] = SeatCards(sort_cards(stock.pop() for _ in range(DEALT)), (), ())
    draft.stock = tuple(stock)
    draft.pile = draft.cleared = draft.left_seen = draft.left_unseen = ()
    draft.deal_ply = draft.turn = 0
    draft.is_choosing = True
    draft.to_act = None
    facts.append(
        Fact(
            "dealt",
            next_seat(draft, draft.dealer),
            {"deal": draft.deal, "dealer": draft.dealer, "stock_size": len(stock)},
        )
    )
    facts += [
        Fact("dealt", seat, {"deal": draft.deal, "hand": list(draft.seats[seat].hand)}, seat)
        for seat in draft.dealt_in
    ]
    return Shuffle(draft.deal, PACK, pack)


def next_seat(draft: Draft, after: Seat) -> Seat:
    """Return the next seat clockwise that is still in the game; there is one."""
    seats = stayers(draft)
    return next((seat for seat in seats if seat > after), seats[0])


def end_deal(draft: Draft, facts: list[Fact], winner: Seat) -> tuple[Shuffle, ...]:
    """Close a deal that somebody has won; then the next deal, or the end of the game.

    Rules: CAT-4, CAT-15, CAT-16, CAT-17, GEN-7.
    """
    _close_deal(draft, facts, winner)
    if len(stayers(draft)) == 1:
        _end_game(draft, facts, "last-seat")
    elif len(draft.results) == draft.setup.options["deals"]:
        _end_game(draft, facts, "finished")
    elif is_silent(draft):
        facts.append(Fact("stopped", None, {"cause": "silence"}))
        _end_game(draft, facts, "stopped")
    else:
        draft.dealer = winner
        draft.deal += 1
        return (deal_cards(draft, facts),)
    return ()


def stop_game(draft: Draft, facts: list[Fact], cause: str) -> None:
    """End the game in the middle of a deal: `silence` (GEN-7) or `max_plies` (GEN-8, CAT-19)."""
    facts.append(Fact("stopped", None, {"cause": cause}))
    _close_deal(draft, facts, None)
    _end_game(draft, facts, "stopped")


def stop_if_due(draft: Draft, facts: list[Fact]) -> None:
    """Stop a game in which everybody is silent, or whose deal has had its plies."""
    limit = draft.setup.options["max_plies"]
    assert isinstance(limit, int)  # noqa: S101  (check_options has seen to it)
    if is_silent(draft):
        stop_game(draft, facts, "silence")
    elif limit and draft.deal_ply >= limit:  # choices made together may pass it (GEN-8)
        stop_game(draft, facts, "max_plies")


def _close_deal(draft: Draft, facts: list[Fact], winner: Seat | None) -> None:
    result = deal_result(draft, winner)
    draft.results = (*draft.results, result)
    facts.append(
        Fact(
            "deal_over",
            winner,
            {
                "deal": draft.deal,
                "winner": winner,
                "places": deal_places(draft, result),
                "cards_left": list(result.cards_left),
            },
        )
    )


def _end_game(draft: Draft, facts: list[Fact], reason: str) -> None:
    """Close the game; from here on everything may be turned up (GEN-15)."""
    draft.is_choosing = False
    draft.to_act = None
    draft.turn = 0
    draft.reason = reason
    facts.append(
        Fact(
            "game_over",
            None,
            {
                "reason": reason,
                "ranking": [list(place) for place in ranking(draft)],
                "scores": scores(draft),
            },
        )
    )


def is_silent(draft: Draft) -> bool:
    """Say whether nobody has decided anything for two turns each (GEN-7).

    A choice that somebody has made and that is not carried out yet ends silence like a chosen ply
    of a running turn.
    """
    running = draft.turn
    for own in draft.seats:
        running |= own.choice_mark
    return silence.is_silent(draft.turns, running, lambda seat: seat in draft.resigned)
