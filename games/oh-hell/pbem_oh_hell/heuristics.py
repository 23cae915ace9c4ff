"""Oh Hell by rule of thumb: bid what the hand should take, then take exactly that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.api import JsonObject, Seat, Setup
from engine.cards import PACK, RANK_OF, RANKS, SUIT_OF, Card
from pbem.games.knowledge import CHOSEN, Dice, Knowledge, View, lead_share, unseen
from pbem_oh_hell.play import MADE
from pbem_oh_hell.state import (
    Move,
    State,
    clockwise,
    is_bidding,
    playable,
    possible_bids,
    sort_hand,
    strength,
    winning,
)

_HIGHEST = len(RANKS) - 1
_NOT_TRUMPED = 0.8
"""The chance that nobody trumps a suit that was led."""
_SCALE = 10.0
"""A lead of one bid made gives about three chances in four."""
_HOPE = 0.6
"""The chance of a bid that can still be made."""


def choose(state: State, seat: Seat) -> Move:
    """Return the move of the rule of thumb for the seat to act."""
    if is_bidding(state):
        wish = expected(state, state.hands[seat])
        return min(possible_bids(state), key=lambda bid: abs(bid - wish))
    cards = playable(state, state.hands[seat])
    ranked = sorted(cards, key=lambda card: _power(state, card))
    winners, losers = _parted(state, ranked)
    if (state.bids[seat] or 0) <= state.tricks[seat]:
        return losers[-1] if losers else ranked[0]  # get rid of what could win later
    if not winners:
        return ranked[0]
    is_last = len(state.trick) == len(clockwise(state, seat)) - 1
    return winners[0] if is_last else winners[-1]


def expected(state: State, cards: Sequence[Card]) -> float:
    """Return about how many tricks these cards take."""
    others = len(clockwise(state, state.dealer)) - 1
    trump, tricks = SUIT_OF[state.trump], 0.0
    for card in cards:
        height = RANKS.index(RANK_OF[card]) / _HIGHEST
        if SUIT_OF[card] == trump:
            tricks += 0.35 + 0.6 * height
        else:
            tricks += _NOT_TRUMPED * height**others
    return tricks


def _power(state: State, card: Card) -> tuple[int, int]:
    """Return how high a card is in any trick: trumps above all others."""
    return strength(card, SUIT_OF[card], SUIT_OF[state.trump])


def _parted(state: State, ranked: Sequence[Card]) -> tuple[list[Card], list[Card]]:
    """Part cards into those that take the trick as it lies, and the others, each lowest first."""
    if not state.trick:
        middle = [card for card in ranked if _power(state, card)[0] > 1 or _is_high(card)]
        return middle, [card for card in ranked if card not in middle]
    led, trump = SUIT_OF[state.trick[0][1]], SUIT_OF[state.trump]
    best = strength(winning(state)[1], led, trump)
    takes = [card for card in ranked if strength(card, led, trump) > best]
    return takes, [card for card in ranked if card not in takes]


def _is_high(card: Card) -> bool:
    return RANKS.index(RANK_OF[card]) > _HIGHEST // 2


def why(state: State, seat: Seat, move: Move) -> str:
    """Return no reason: what a bot wants is seen by its bid."""
    return ""


def guess(view: View, setup: Setup, chance: Dice) -> JsonObject:
    """Make up the hands of others, the stock, and what seats left unseen (OHH-14)."""
    me = view["seat"]
    own = view["seats"][me]["hand"]
    trick = [[each["seat"], each["card"]] for each in view["trick"]]
    hidden = unseen(PACK, [*own, *view["played"], view["trump"], *(card for _, card in trick)])
    chance.shuffle(hidden)

    def take(count: int) -> list[str]:
        return [hidden.pop() for _ in range(count)]

    hands = [
        own if seat == me else [*sort_hand(map(Card, take(each["hand_size"])))]
        for seat, each in enumerate(view["seats"])
    ]
    return {
        "deal": view["deal"] - 1,
        "dealer": view["dealer"],
        "hands": [*hands],
        "stock": [*take(view["stock_size"])],
        "trump": view["trump"],
        "bids": [each["bid"] for each in view["seats"]],
        "trick": [*trick],
        "tricks": [each["tricks"] for each in view["seats"]],
        "played": view["played"],
        "gone": [*take(view["gone_hidden"])],
        "scores": [each["score"] for each in view["seats"]],
        "resigned": [seat for seat, each in enumerate(view["seats"]) if each["resigned"]],
        "to_act": view["to_act"],
        "ply": view["ply"],
        "turns": [[CHOSEN, CHOSEN] for _ in view["seats"]],
        "reason": "",
    }


def redeal(state: State, seat: Seat, dice: Dice) -> State:
    """Deal anew all that a seat cannot see, and the deals to come."""
    others = [hand for each, hand in enumerate(state.hands) if each != seat]
    hidden = [*state.stock, *state.gone, *(card for hand in others for card in hand)]
    dice.shuffle(hidden)

    def take(count: int) -> tuple[Card, ...]:
        return tuple(hidden.pop() for _ in range(count))

    hands = tuple(
        hand if each == seat else sort_hand(take(len(hand)))
        for each, hand in enumerate(state.hands)
    )
    setup = Setup(state.setup.players, dice.seed(), state.setup.options)
    stock, gone = take(len(state.stock)), take(len(state.gone))
    return replace(state, setup=setup, hands=hands, stock=stock, gone=gone)


def worth(state: State, *, has_ended: bool) -> Sequence[float]:
    """Return what each seat may expect, by its points and the bid that it can still make."""
    totals = [float(score) for score in state.scores]
    for seat, bid in enumerate(state.bids):
        open_tricks = len(state.hands[seat])
        if not has_ended and bid is not None and 0 <= bid - state.tricks[seat] <= open_tricks:
            totals[seat] += _HOPE * (MADE + bid)
    return [
        lead_share(
            mine, [other for seat_index, other in enumerate(totals) if seat_index != seat], _SCALE
        )
        for seat, mine in enumerate(totals)
    ]


BOT = Knowledge(
    rule=choose,
    why=why,
    guess=guess,
    redeal=redeal,
    worth=worth,
    ends=frozenset({"deal_over"}),
    rollout=choose,
)
