"""The course of Oh Hell: deals, bids, tricks, points, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.api import Fact, JsonObject, OptionValue, Outcome, Seat, Setup, Shuffle, Source, Step
from engine.cards import PACK, POSITION, SUIT_OF
from engine.errors import IllegalMoveError, NotToActError
from engine.ranking import rank_by
from engine.sentences import sentence
from engine.shuffle import shuffle
from engine.silence import NO_TURNS, TURN_MARK, is_silent, with_turn
from pbem_oh_hell.state import (
    Move,
    State,
    changed,
    clockwise,
    forbidden_bid,
    is_bidding,
    playable,
    possible_bids,
    size,
    sizes,
    sort_hand,
    winning,
)

MADE = 10
"""Points for a bid that was made exactly, beside one for each trick (OHH-10)."""


def start(setup: Setup) -> Step[State]:
    """Deal for the first time."""
    players, dealer = setup.players, Seat(int(str(setup.options["dealer"])))
    nothing = State(
        *(setup, 0, dealer, ((),) * players, (), PACK[0], (None,) * players, (), (0,) * players),
        *((), (), (0,) * players, (), None, 0, (NO_TURNS,) * players),
    )
    return _deal(nothing, 0, dealer, [])


def _deal(state: State, number: int, dealer: Seat, facts: list[Fact]) -> Step[State]:
    """Shuffle and deal to everybody who is still there, a whole hand at once (OHH-3, OHH-4)."""
    setup, players = state.setup, state.setup.players
    pack = shuffle(PACK, setup.seed, number)
    stock, count = list(pack), sizes(setup.options)[number]
    order = clockwise(state, dealer)
    dealt = {seat: sort_hand(stock.pop() for _ in range(count)) for seat in order}
    trump = stock.pop()
    state = replace(
        state,
        deal=number,
        dealer=dealer,
        hands=tuple(dealt.get(Seat(seat), ()) for seat in range(players)),
        stock=tuple(stock),
        trump=trump,
        bids=(None,) * players,
        trick=(),
        tricks=(0,) * players,
        played=(),
        gone=(),
        turn=order[0],
    )
    data: JsonObject = {"deal": number, "dealer": dealer, "cards": count, "trump": trump}
    facts = [*facts, Fact("dealt", order[0], data)]
    facts += [
        Fact("dealt", seat, {"deal": number, "hand": list(hand)}, seat)
        for seat, hand in sorted(dealt.items())
    ]
    return Step(state, facts, [Shuffle(number, PACK, pack)])


def need_seat(state: State, seat: Seat) -> None:
    """Refuse a seat that is not in the game. Raises: NotToActError."""
    if state.turn is None:
        raise NotToActError(sentence("the game is over"))
    if not 0 <= seat < state.setup.players:
        raise NotToActError(sentence("there is no seat {seat} at this table", seat=seat))


def need_turn(state: State, seat: Seat) -> None:
    """Refuse a seat that is not to act. Raises: NotToActError."""
    need_seat(state, seat)
    if seat in state.resigned:
        raise NotToActError(sentence("this seat has resigned"))
    if state.turn != seat:
        raise NotToActError(sentence("it is not your turn"))


def legal_moves(state: State, seat: Seat) -> Iterator[Move]:
    """Return the bids from low to high, or the cards in the order of the hand."""
    if state.turn != seat:
        return iter(())
    return iter(possible_bids(state) if is_bidding(state) else playable(state, state.hands[seat]))


def apply(state: State, seat: Seat, move: Move, source: Source = Source.CHOSEN) -> Step[State]:
    """Bid, or play a card. Raises: NotToActError, IllegalMoveError."""
    need_turn(state, seat)
    check(state, seat, move)
    turns = with_turn(state.turns, seat, TURN_MARK[source])
    state = replace(state, ply=state.ply + 1, turns=turns)
    if isinstance(move, int):
        after = replace(state, bids=changed(state.bids, seat, move))
        return _go_on(after, seat, [Fact("bid", seat, {"tricks": move})])
    hand = tuple(card for card in state.hands[seat] if card != move)
    after = replace(
        state, hands=changed(state.hands, seat, hand), trick=(*state.trick, (seat, move))
    )
    return _go_on(after, seat, [Fact("played", seat, {"card": move})])


def check(state: State, seat: Seat, move: Move) -> None:
    """Refuse a move that the rules forbid. Raises: IllegalMoveError."""
    if isinstance(move, int):
        _check_bid(state, move)
        return
    if is_bidding(state):
        raise IllegalMoveError(
            sentence("OHH-5: everybody bids first; say how many tricks you will take"),
            rule="OHH-5",
        )
    if move not in state.hands[seat]:
        raise IllegalMoveError(sentence("OHH-7: you do not hold {card}", card=move), rule="OHH-7")
    if move not in playable(state, state.hands[seat]):
        led = SUIT_OF[state.trick[0][1]]
        asked = {
            "c": sentence("OHH-8: clubs were led and you hold some, so you play one of them"),
            "d": sentence("OHH-8: diamonds were led and you hold some, so you play one of them"),
            "h": sentence("OHH-8: hearts were led and you hold some, so you play one of them"),
            "s": sentence("OHH-8: spades were led and you hold some, so you play one of them"),
        }
        raise IllegalMoveError(asked[led], rule="OHH-8")


def _check_bid(state: State, bid: int) -> None:
    if not is_bidding(state):
        raise IllegalMoveError(
            sentence("OHH-5: the bids are made; play a card of your hand"), rule="OHH-5"
        )
    if not 0 <= bid <= size(state):
        raise IllegalMoveError(
            sentence("OHH-5: a bid is from 0 to {most} in this deal", most=size(state)),
            rule="OHH-5",
        )
    if bid == forbidden_bid(state):
        raise IllegalMoveError(
            sentence(
                "OHH-6: you bid last, and with {bid} the bids would add up to the {most} tricks of"
                " this deal; bid another number",
                bid=bid,
                most=size(state),
            ),
            rule="OHH-6",
        )


def resign(state: State, seat: Seat) -> Step[State]:
    """Take a seat out: its hand goes unseen, a card on the table stays (OHH-12)."""
    need_seat(state, seat)
    if seat in state.resigned:
        raise NotToActError(sentence("this seat has already resigned"))
    after = replace(
        state,
        hands=changed(state.hands, seat, ()),
        gone=state.gone + state.hands[seat],
        bids=changed(state.bids, seat, None),
        resigned=(*state.resigned, seat),
    )
    facts = [Fact("resigned", seat, {"unseen_count": len(state.hands[seat])})]
    if len(after.resigned) == state.setup.players - 1:
        return _over(after, facts, "last-seat")
    return _go_on(after, seat, facts) if state.turn == seat else _unless_silent(after, facts)


def stop(state: State) -> Step[State]:
    """End the game as it stands, since all players agreed to that (GEN-8). Raises: NotToActError."""
    if state.reason:
        raise NotToActError(sentence("the game is over"))
    return _over(state, [Fact("stopped", None, {"cause": "agreed"})], "stopped")


def _go_on(state: State, seat: Seat, facts: list[Fact]) -> Step[State]:
    """Pass the turn on from a seat that has acted, or has left."""
    order = clockwise(state, seat)
    if is_bidding(state):
        return _to(state, next(seat_ for seat_ in order if state.bids[seat_] is None), facts)
    if not state.trick:
        bid_just_now = not state.played
        leader = clockwise(state, state.dealer)[0] if bid_just_now else order[0]
        return _to(state, leader, facts)
    have_played = {who for who, _ in state.trick}
    waiting = [seat_ for seat_ in order if seat_ not in have_played]
    if waiting:
        return _to(state, waiting[0], facts)
    taker, best = winning(state)
    facts = [*facts, Fact("trick", taker, {"card": best})]
    state = replace(
        state,
        trick=(),
        tricks=changed(state.tricks, taker, state.tricks[taker] + 1),
        played=state.played + tuple(card for _, card in state.trick),
    )
    leader = taker if taker not in state.resigned else clockwise(state, taker)[0]
    return _to(state, leader, facts) if state.hands[leader] else _end_deal(state, facts)


def _to(state: State, seat: Seat, facts: list[Fact]) -> Step[State]:
    return _unless_silent(replace(state, turn=seat), facts)


def _unless_silent(state: State, facts: list[Fact]) -> Step[State]:
    """Go on, unless nobody has decided anything for two turns each (GEN-7)."""
    if not is_silent(state.turns, 0, lambda seat: seat in state.resigned):
        return Step(state, facts)
    return _over(state, [*facts, Fact("stopped", None, {"cause": "silence"})], "stopped")


def _end_deal(state: State, facts: list[Fact]) -> Step[State]:
    """Score a deal; deal again, or end the game (OHH-10, OHH-11)."""
    points = tuple(
        MADE + taken if bid == taken else 0
        for bid, taken in zip(state.bids, state.tricks, strict=True)
    )
    totals = tuple(old + new for old, new in zip(state.scores, points, strict=True))
    data: JsonObject = {
        "deal": state.deal,
        "bids": list(state.bids),
        "tricks": list(state.tricks),
        "points": list(points),
        "scores": list(totals),
    }
    facts = [*facts, Fact("deal_over", None, data)]
    state = replace(state, scores=totals)
    if state.deal + 1 == len(sizes(state.setup.options)):
        return _over(state, facts, "finished")
    if is_silent(state.turns, 0, lambda seat: seat in state.resigned):
        return _unless_silent(state, facts)
    return _deal(state, state.deal + 1, clockwise(state, state.dealer)[0], facts)


def _over(state: State, facts: list[Fact], reason: str) -> Step[State]:
    over = replace(state, turn=None, reason=reason)
    result = outcome(over)
    assert result is not None  # noqa: S101  (it is over)
    data: JsonObject = {
        "reason": reason,
        "ranking": [list(group) for group in result.ranking],
        "scores": result.scores,
    }
    return Step(over, [*facts, Fact("game_over", None, data)])


def outcome(state: State) -> Outcome | None:
    """Rank by points; who left is last, and the later the better (OHH-11, OHH-12)."""
    if state.turn is not None:
        return None

    def score(seat: Seat) -> tuple[int, int]:
        is_gone = seat in state.resigned
        return (1, -state.resigned.index(seat)) if is_gone else (0, -state.scores[seat])

    seats = [Seat(seat) for seat in range(state.setup.players)]
    return Outcome(rank_by(seats, score), state.reason, list(state.scores))


def standby_move(state: State, seat: Seat) -> Move:
    """Return the lowest bid, or the weakest card (OHH-13). Raises: NotToActError."""
    need_turn(state, seat)
    if is_bidding(state):
        return possible_bids(state)[0]
    trump = SUIT_OF[state.trump]
    return min(
        playable(state, state.hands[seat]),
        key=lambda card: (SUIT_OF[card] == trump, POSITION[card]),
    )


def forced_move(state: State) -> tuple[Seat, Move] | None:
    """Return the move that option `auto_forced` makes the seat play at once, if any (GEN-11)."""
    policy = state.setup.options["auto_forced"]
    return None if policy == "off" else only_move(state, policy)


def only_move(state: State, policy: OptionValue) -> tuple[Seat, Move] | None:
    """Return the only legal move of the seat on turn, if any.

    With the policy `public` it is a bid or the last card of a hand, so that everyone can tell.
    """
    seat = state.turn
    if seat is None:
        return None
    moves = list(legal_moves(state, seat))
    is_public = is_bidding(state) or len(state.hands[seat]) == 1
    return (seat, moves[0]) if len(moves) == 1 and (is_public or policy == "all") else None
