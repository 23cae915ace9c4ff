"""What one ply, or a resignation, does to the table.

A secret choice is a ply only when the last one is in; then all are revealed at once (GEN-6). What
follows from a ply is in one place, `_go_on`, and whether the game must stop in another, `_settle`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.api import JsonObject, JsonValue, Seat, Source, Step
from engine.cards import RANK_OF
from engine.errors import NotToActError
from engine.phalanx.battle import Log, end_battle, end_game, stop_game
from engine.phalanx.betting import after_bets, has_choice, next_bettor, open_window, payments
from engine.phalanx.moves import HEIGHT, Bets, Move, Open, Pass, Play, Target, check_move, lowest
from engine.phalanx.state import (
    BETTING,
    CENTER,
    CHOOSING,
    PLAYING,
    Draft,
    Lying,
    State,
    active,
    has_windows,
    number_option,
)
from engine.phalanx.view import pots_json
from engine.phalanx.zones import clockwise_from, zone_name, zone_number
from engine.silence import TURN_MARK, is_silent, with_turn


def make_move(state: State, seat: Seat, move: Move, source: Source) -> Step[State]:
    """Check a move and make it. Raises: NotToActError, IllegalMoveError."""
    need_to_act(state, seat)
    check_move(state, seat, move)
    draft = Draft(state)
    log = Log()
    match move:
        case Open():
            _choose(draft, log, seat, move, source)
            return Step(draft.freeze(), tuple(log.facts), tuple(log.shuffles))
        case Play():
            _play(draft, log, seat, move)
        case Pass():
            _pass(draft, log, seat)
        case Bets():
            _bet(draft, log, seat, move)
        case _:
            assert_never(move)
    draft.ply += 1
    draft.turns = with_turn(draft.turns, seat, TURN_MARK[source])
    _go_on(draft, log, seat)
    _settle(draft, log)
    return Step(draft.freeze(), tuple(log.facts), tuple(log.shuffles))


def need_to_act(state: State, seat: Seat, *, may_replace: bool = True) -> None:
    """Refuse a seat that has nothing to decide; who has chosen may choose again (GEN-6).

    Raises: NotToActError.
    """
    if state.reason is not None:
        raise NotToActError("the game is over")
    if not 0 <= seat < state.setup.players:
        raise NotToActError(f"there is no seat {seat} at this table")
    if seat in state.to_act or (may_replace and has_chosen(state, seat)):
        return
    if state.seats[seat].out is not None:
        raise NotToActError("PLX-24: this seat is out of the game", rule="PLX-24")
    if seat in state.resigned:
        raise NotToActError("this seat has resigned")
    if has_chosen(state, seat):
        raise NotToActError("this seat has chosen its opening card")
    waiting = " and ".join(f"seat {other}" for other in state.to_act)
    raise NotToActError(f"it is the turn of {waiting}")


def has_chosen(state: State, seat: Seat) -> bool:
    """Say whether a secret choice of the seat waits for the others (GEN-6)."""
    return state.phase == CHOOSING and state.seats[seat].choice is not None


# --- the secret opening ---------------------------------------------------------------------------


def _choose(draft: Draft, log: Log, seat: Seat, move: Open, source: Source) -> None:
    """Keep a secret choice; the last one in reveals them all (PLX-7, GEN-6)."""
    own = draft.seats[seat]
    draft.seats[seat] = replace(own, choice=move.card, choice_mark=TURN_MARK[source])
    if own.choice is None:
        log.tell("chosen", seat, {})
    log.tell("chosen", seat, {"card": move.card}, seat)
    _reveal_if_complete(draft, log)


def _reveal_if_complete(draft: Draft, log: Log) -> None:
    """Turn up the openings when every seat has chosen, and see who plays first (PLX-7, PLX-8)."""
    choosers = active(draft)
    cards: list[JsonValue] = []
    for seat in choosers:
        choice = draft.seats[seat].choice
        if choice is None:
            return
        cards.append({"seat": seat, "card": choice})
    opened = {}
    for seat in choosers:
        own = draft.seats[seat]
        choice = own.choice
        assert choice is not None  # noqa: S101  (looked at above)
        opened[seat] = choice
        draft.zones[CENTER] += (Lying(seat, choice),)
        hand = tuple(card for card in own.hand if card != choice)
        draft.turns = with_turn(draft.turns, seat, own.choice_mark)
        draft.seats[seat] = replace(own, hand=hand, choice=None, choice_mark=0)
        draft.ply += 1
    players = draft.setup.players
    dealer = number_option(draft, "dealer")
    # Identical cards exist with packs of their own only: nearest from the dealer's left (PLX-9).
    first = max(choosers, key=lambda seat: (HEIGHT[opened[seat]], -((seat - dealer - 1) % players)))
    draft.phase = PLAYING
    draft.first = draft.player = first
    log.tell("revealed", first, {"cards": cards, "first": first})
    _continue_battle(draft, log)
    _settle(draft, log)


# --- the other moves ------------------------------------------------------------------------------


def _play(draft: Draft, log: Log, seat: Seat, move: Play) -> None:
    own = draft.seats[seat]
    zone = zone_number(move.place, seat, draft.ring)
    data: JsonObject = {
        "card": move.card,
        "zone": zone_name(zone),
        "place": move.place,
        "target": None,
    }
    if move.target is not None:
        data["target"] = {"seat": move.target.seat, "card": move.target.card}
    fee = _fee(draft, seat)
    if fee:
        draft.pots[zone][seat] += fee
    if draft.setup.options["stakes"] == "per_card":
        data["fee"] = fee
    hand = tuple(card for card in own.hand if card != move.card)
    draft.seats[seat] = replace(own, hand=hand, chips=own.chips - fee)
    draft.zones[zone] += (Lying(seat, move.card),)
    log.tell("played", seat, data)
    rank = RANK_OF[move.card]
    if rank in ("Q", "K"):
        _turn_down(draft, log, seat, zone, move)


def _fee(draft: Draft, seat: Seat) -> int:
    """Return what playing a card costs this seat: who cannot pay plays free (PLX-V6)."""
    if draft.setup.options["stakes"] != "per_card":
        return 0
    fee = number_option(draft, "fee")
    return fee if draft.seats[seat].chips >= fee else 0


def _turn_down(draft: Draft, log: Log, seat: Seat, zone: int, move: Play) -> None:
    """Turn face down what a queen or king destroys, itself included (PLX-12, PLX-13, PLX-14)."""
    everything = RANK_OF[move.card] == "Q"
    own = Target(seat, move.card)

    def falls(lying: Lying) -> bool:
        this = Target(lying.seat, lying.card)
        return lying.up and (everything or this in (own, move.target))

    before = draft.zones[zone]
    down: list[JsonValue] = [
        {"seat": lying.seat, "card": lying.card} for lying in before if falls(lying)
    ]
    draft.zones[zone] = tuple(
        replace(lying, up=False) if falls(lying) else lying for lying in before
    )
    log.tell("turned_down", seat, {"zone": zone_name(zone), "cards": down})


def _pass(draft: Draft, log: Log, seat: Seat) -> None:
    """Lay the lowest card aside face down (PLX-V5)."""
    own = draft.seats[seat]
    card = lowest(own.hand)
    hand = tuple(other for other in own.hand if other != card)
    draft.seats[seat] = replace(own, hand=hand, aside=(*own.aside, card))
    log.tell("passed", seat, {})
    log.tell("passed", seat, {"card": card}, seat)


def _bet(draft: Draft, log: Log, seat: Seat, move: Bets) -> None:
    """Put the bets into the pots (PLX-V5)."""
    window = draft.window
    assert window is not None  # noqa: S101  (check_move has seen to it)
    paid = payments(draft, window, seat, move.bets)
    own = draft.seats[seat]
    chips = own.chips - sum(paid)
    draft.window = after_bets(draft, window, seat, move.bets)
    told: list[JsonValue] = []
    for bet, cost in zip(move.bets, paid, strict=True):
        zone = zone_number(bet.place, seat, draft.ring)
        draft.pots[zone][seat] += cost
        told.append(
            {
                "zone": zone_name(zone),
                "place": bet.place,
                "raise": bet.raise_by,
                "paid": cost,
                "stake": draft.pots[zone][seat],
            }
        )
    draft.seats[seat] = replace(own, chips=chips)
    log.tell("bet" if told else "checked", seat, {"bets": told, "chips": chips} if told else {})


# --- what follows ---------------------------------------------------------------------------------


def _go_on(draft: Draft, log: Log, seat: Seat) -> None:
    """Go on after a ply of this seat."""
    if draft.phase == BETTING:
        _ask_next(draft, log, seat + 1)
        return
    draft.player = clockwise_from(active(draft), seat + 1)[0]
    _continue_battle(draft, log)


def _continue_battle(draft: Draft, log: Log) -> None:
    """End the battle when all hands are empty; open a window when they are equal (PLX-11, V5)."""
    sizes = {len(draft.seats[seat].hand) for seat in active(draft)}
    if sizes == {0}:
        end_battle(draft, log)
    elif has_windows(draft) and len(sizes) == 1 and max(sizes) < draft.window_size:
        (draft.window_size,) = sizes
        draft.window = open_window(draft)
        if draft.window is not None:
            draft.phase = BETTING
            log.tell("window_opened", draft.window.bettor, {"hand_size": draft.window_size})


def _ask_next(draft: Draft, log: Log, start: int) -> None:
    """Ask the next seat that has a choice, or close the window (PLX-V5)."""
    window = draft.window
    assert window is not None  # noqa: S101  (that is what betting means)
    bettor = next_bettor(draft, window, start)
    if bettor is not None:
        draft.window = replace(window, bettor=bettor)
        return
    draft.window = None
    draft.phase = PLAYING
    log.tell("window_closed", None, {"pots": pots_json(draft)})


def _settle(draft: Draft, log: Log) -> None:
    """Stop a game in which all are silent (GEN-7) or that has lasted too long (GEN-8, PLX-28)."""
    if draft.reason is not None:
        return
    if _is_silent(draft):
        stop_game(draft, log, "silence")
    elif 0 < number_option(draft, "max_plies") <= draft.ply:
        stop_game(draft, log, "max_plies")


def _is_silent(draft: Draft) -> bool:
    """Say whether nobody has decided anything for two turns; an open choice is a running turn."""
    staying = active(draft)
    running = 0
    for seat in staying:
        running |= draft.seats[seat].choice_mark
    return is_silent(draft.turns, running, lambda seat: seat not in staying)


# --- resigning ------------------------------------------------------------------------------------


def resign(state: State, seat: Seat) -> Step[State]:
    """Take a seat out of the game (GEN-7, PLX-26). Raises: NotToActError."""
    if state.reason is not None:
        raise NotToActError("the game is over")
    if not 0 <= seat < state.setup.players:
        raise NotToActError(f"there is no seat {seat} at this table")
    if seat in state.resigned:
        raise NotToActError("this seat has already resigned")
    draft = Draft(state)
    log = Log()
    draft.resigned = (*draft.resigned, seat)
    own = draft.seats[seat]
    draft.seats[seat] = replace(own, choice=None, choice_mark=0)
    log.tell("resigned", seat, {})
    if own.out is None:
        _after_resignation(draft, log, seat)
    return Step(draft.freeze(), tuple(log.facts), tuple(log.shuffles))


def _after_resignation(draft: Draft, log: Log, seat: Seat) -> None:
    """Check the end of the game, of the window and of the battle anew (GEN-7)."""
    staying = active(draft)
    if len(staying) == 1:
        end_game(draft, log, "last-seat")
        return
    if draft.phase == CHOOSING:
        _reveal_if_complete(draft, log)
    else:
        if draft.player == seat:
            draft.player = clockwise_from(staying, seat + 1)[0]
        window = draft.window
        if window is None:
            _continue_battle(draft, log)
        elif window.bettor == seat or not has_choice(draft, window, window.bettor):
            _ask_next(draft, log, window.bettor + 1)
    if draft.reason is None and _is_silent(draft):
        stop_game(draft, log, "silence")
