"""Course of the deals: from shuffle to first turn, turn to turn, deal to deal.

The functions here change a `Draft` and add to its list of facts; `turn.py` calls them.
"""

from __future__ import annotations

from engine.api import Fact, JsonValue, Seat, Setup, Shuffle
from engine.phase10.cards import PACK, SKIP, Cards, points, sort_cards
from engine.phase10.options import is_ten_hands, phase_list
from engine.phase10.scoring import contenders, is_decided, leaders, ranking, scores, stayers
from engine.phase10.state import DealResult, Draft, SeatState, State, plays
from engine.ranking import game_over
from engine.shuffle import shuffle
from engine.silence import NO_TURNS, is_silent

HAND_SIZE = 10
"""Cards dealt to each seat (P10-4)."""


def first_state(
    setup: Setup, *, is_family: bool
) -> tuple[State, tuple[Fact, ...], tuple[Shuffle, ...]]:
    """Shuffle and deal the first deal."""
    dealer = setup.options["dealer"]
    assert isinstance(dealer, int)  # noqa: S101  (the options have been checked)
    phases = phase_list(setup)
    nobody = State(
        setup=setup,
        is_family=is_family,
        deal=0,
        dealer=Seat(dealer),
        dealt_in=(),
        seats=(SeatState(phases[0]),) * setup.players,
        groups=((),) * setup.players,
        stock=(),
        pile=(),
        left_seen=(),
        left_unseen=(),
        to_act=None,
        has_drawn=False,
        ply=0,
        shuffles=0,
        turn=0,
        turns=(NO_TURNS,) * setup.players,
        resigned=(),
        tied=(),
        results=(),
    )
    draft = Draft(nobody)
    facts: list[Fact] = []
    shuffled = deal_cards(draft, facts)
    return draft.freeze(), tuple(facts), (shuffled,)


def deal_cards(draft: Draft, facts: list[Fact]) -> Shuffle:
    """Shuffle, deal, start the discard pile; the first seat begins (P10-4, P10-5)."""
    players = draft.setup.players
    draft.dealt_in = tuple(contenders(draft))
    opened, shuffled = _shuffled(draft, PACK)
    stock = list(shuffled)
    around = [seat for seat in _clockwise_from(draft, draft.dealer) if seat in draft.dealt_in]
    dealt = [(seat, stock.pop()) for _ in range(HAND_SIZE) for seat in around]
    for seat, own in enumerate(draft.seats):
        hand = sort_cards(card for owner, card in dealt if owner == seat)
        phase = _phase_to_make(draft, own)
        draft.seats[seat] = SeatState(phase, own.completed, own.score, hand)
    starter = stock.pop()
    draft.pile = (starter,)
    draft.stock = tuple(stock)
    draft.groups = [()] * players
    draft.left_seen = draft.left_unseen = ()
    begun: list[Fact] = []
    if starter == SKIP:
        skip(draft, draft.dealer, around[0])
    pass_on(draft, begun, draft.dealer)
    phases: list[JsonValue] = [
        own.phase if seat in draft.dealt_in else None for seat, own in enumerate(draft.seats)
    ]
    facts.append(
        Fact(
            "dealt",
            draft.to_act,
            {
                "deal": draft.deal,
                "dealer": draft.dealer,
                "phases": phases,
                "starter": starter,
                "stock_size": len(stock),
            },
        )
    )
    facts += [
        Fact("dealt", seat, {"deal": draft.deal, "hand": list(draft.seats[seat].hand)}, seat)
        for seat in draft.dealt_in
    ]
    facts += begun
    return opened


def _shuffled(draft: Draft, cards: Cards) -> tuple[Shuffle, Cards]:
    """Shuffle cards in documented order; takes the next number (GEN-2, GEN-13)."""
    number = draft.shuffles
    draft.shuffles += 1
    after = shuffle(cards, draft.setup.seed, number)
    return Shuffle(number, cards, after), after


def _phase_to_make(draft: Draft, own: SeatState) -> int:
    """Return the phase of a seat for the deal that begins (P10-24, P10-26, P10-V1)."""
    phases = phase_list(draft.setup)
    at = draft.deal if is_ten_hands(draft.setup) else own.completed
    return phases[min(at, len(phases) - 1)]


def _clockwise_from(draft: Draft, seat: Seat) -> list[Seat]:
    """Return all seats in order, from the left of one round to it."""
    players = draft.setup.players
    return [Seat((seat + step) % players) for step in range(1, players + 1)]


# --- turns ----------------------------------------------------------------------------------------


def skip(draft: Draft, by: Seat, named: Seat) -> None:
    """Let a seat lose its next turn, and mark it (P10-19, P10-20).

    Official: nobody may name it again until play passes the place of `by`. Family: until it has
    taken a turn.
    """
    mark = named if draft.is_family else by
    draft.seats[named] = draft.seats[named]._replace(skips=1, mark=mark)


def pass_on(draft: Draft, facts: list[Fact], after: Seat) -> None:
    """Return the turn to the next playing seat without a skip to serve; there is one.

    Rules: P10-5, P10-18, P10-20, P10-21, P10-28.
    """
    players = draft.setup.players
    # Two rounds: on the first every seat may have a skip to serve.
    for step in range(1, 2 * players + 1):
        seat = Seat((after + step) % players)
        if not draft.is_family:
            _end_marks(draft, seat)
        if not plays(draft, seat):
            continue
        if draft.seats[seat].skips:
            draft.seats[seat] = draft.seats[seat]._replace(skips=0)
            facts.append(Fact("skipped", seat, {}))
            continue
        if draft.is_family:
            _end_marks(draft, seat)
        draft.to_act = seat
        draft.has_drawn = False
        return


def _end_marks(draft: Draft, place: Seat) -> None:
    for seat, own in enumerate(draft.seats):
        if own.mark == place:
            draft.seats[seat] = own._replace(mark=None)


def restock(draft: Draft, facts: list[Fact]) -> tuple[Shuffle, ...]:
    """Shuffle all discards but the top one into an empty stock (P10-11)."""
    if draft.stock or len(draft.pile) < 2:  # noqa: PLR2004  (the top one and one more)
        return ()
    opened, draft.stock = _shuffled(draft, sort_cards(draft.pile[:-1]))
    draft.pile = draft.pile[-1:]
    facts.append(Fact("restocked", None, {"stock_size": len(draft.stock)}))
    return (opened,)


# --- the end of a deal and of the game ------------------------------------------------------------


def end_deal(draft: Draft, facts: list[Fact], winner: Seat | None) -> tuple[Shuffle, ...]:
    """Score a deal that is won or in which all float; then the next deal, or the end.

    Rules: P10-17, P10-18, P10-23 to P10-26, P10-V1, GEN-7, GEN-8.
    """
    _score_deal(draft, facts, winner)
    if is_decided(draft):
        first = leaders(draft)
        if len(first) == 1:
            end_game(draft, facts, "finished")
            return ()
        if not draft.tied:
            draft.tied = first
            facts.append(Fact("tie_break", None, {"seats": list(first)}))
    if is_all_silent(draft):
        stop_game(draft, facts, "silence")
    elif draft.ply == draft.setup.options["max_plies"]:
        stop_game(draft, facts, "max_plies")
    else:
        next_in = contenders(draft)
        draft.dealer = next(s for s in _clockwise_from(draft, draft.dealer) if s in next_in)
        draft.deal += 1
        return (deal_cards(draft, facts),)
    return ()


def _score_deal(draft: Draft, facts: list[Fact], winner: Seat | None) -> None:
    """Record the deal and add its points (P10-23), except those of a tie-break."""
    in_deal = [seat in draft.dealt_in for seat in range(draft.setup.players)]
    owns = list(zip(draft.seats, in_deal, strict=True))
    left = tuple(
        points(own.hand) if is_in and seat not in draft.resigned and not draft.tied else None
        for seat, (own, is_in) in enumerate(owns)
    )
    result = DealResult(
        winner=winner,
        phases=tuple(own.phase if is_in else None for own, is_in in owns),
        laid=tuple(own.laid if is_in else None for own, is_in in owns),
        points=left,
        is_tie_break=bool(draft.tied),
    )
    draft.results = (*draft.results, result)
    for seat, own in enumerate(draft.seats):
        draft.seats[seat] = own._replace(score=own.score + (left[seat] or 0))
    facts.append(
        Fact(
            "deal_over",
            winner,
            {
                "deal": draft.deal,
                "winner": winner,
                "points": list(left),
                "scores": [own.score for own in draft.seats],
                "laid": list(result.laid),
            },
        )
    )


def is_all_silent(draft: Draft) -> bool:
    """True if all possible winners have been silent for two turns each (GEN-7)."""
    waited_for = contenders(draft)
    return is_silent(draft.turns, draft.turn, lambda seat: seat not in waited_for)


def stop_game(draft: Draft, facts: list[Fact], cause: str) -> None:
    """End the game before its time: `silence` (GEN-7), `max_plies` or `agreed` (GEN-8, P10-31)."""
    facts.append(Fact("stopped", None, {"cause": cause}))
    end_game(draft, facts, "stopped")


def end_game(draft: Draft, facts: list[Fact], reason: str) -> None:
    """Close the game; from here on everything may be turned up (GEN-15)."""
    draft.to_act = None
    draft.has_drawn = False
    draft.turn = 0
    draft.reason = reason
    facts.append(game_over(reason, ranking(draft), scores(draft)))


def end_if_alone(draft: Draft, facts: list[Fact]) -> bool:
    """End the game if one seat is left in it, or one of the tied (GEN-7, P10-26)."""
    if len(contenders(draft)) > 1:
        return False
    end_game(draft, facts, "last-seat" if len(stayers(draft)) == 1 else "finished")
    return True
