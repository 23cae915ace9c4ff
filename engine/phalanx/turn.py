"""What one ply, or a resignation, does to the table.

A secret choice is a ply only when the last one is in; then all are revealed at once (GEN-6). What
follows from a ply is in one place, `_go_on`, and whether the game must stop in another, `_settle`.
"""

from __future__ import annotations

from functools import partial
from typing import assert_never

from engine.api import Note, Seat, Source, Step
from engine.cards import PACK, RANK_OF, Card
from engine.errors import NotToActError
from engine.phalanx.battle import Log, end_battle, end_game, stop_game
from engine.phalanx.betting import Bets, after_bets, has_choice, next_bettor, open_window, payments
from engine.phalanx.moves import (
    HEIGHT,
    Move,
    Open,
    Pass,
    Play,
    check_move,
    check_play,
    lowest,
    may_act,
)
from engine.phalanx.report import told_bets, told_choice, told_openings, told_play
from engine.phalanx.state import (
    BETTING,
    CENTER,
    CHOOSING,
    LYING,
    LYING_DOWN,
    PLAYING,
    Cards,
    Draft,
    SeatState,
    State,
    Table,
    Window,
    Zone,
    active,
    has_windows,
    number_option,
    with_cards,
    with_chips,
    with_stake,
)
from engine.phalanx.view import pots_json
from engine.phalanx.zones import SEAT_PLACES, next_seat
from engine.silence import CHOSEN, TURN_MARK, is_silent, with_turn

_DESTROYERS = frozenset(card for card in PACK if RANK_OF[card] in "QK")


def make_move(state: State, seat: Seat, move: Move, source: Source = Source.CHOSEN) -> Step[State]:
    """Check a move and make it. Raises: NotToActError, IllegalMoveError."""
    if isinstance(move, Play) and seat == state.player and state.phase == PLAYING:
        check_play(state, seat, move)
        return _play(state, seat, move, source)
    if not may_act(state, seat):
        need_to_act(state, seat)
    check_move(state, seat, move)
    if isinstance(move, Open):
        return _choose(state, seat, move, source)
    draft = Draft(state)
    log = Log()
    match move:
        case Pass():
            _pass(draft, log, seat)
        case Bets():
            _bet(draft, log, seat, move)
        case Play():
            raise AssertionError("a card is only played when it is time to")
        case _:
            assert_never(move)
    draft.ply += 1
    draft.turns = with_turn(draft.turns, seat, TURN_MARK[source])
    _go_on(draft, log, seat)
    _settle(draft, log)
    return Step(draft.freeze(), log.facts, tuple(log.shuffles))


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


def _choose(state: State, seat: Seat, move: Open, source: Source) -> Step[State]:
    """Keep a secret choice; the last one in reveals them all (PLX-7, GEN-6)."""
    seats = list(state.seats)
    own = seats[seat]
    facts: list[Note] = [partial(told_choice, seat, move.card, own.choice is None)]
    # As SeatState(…) and State(…) do, at half the price; so below.
    chosen = (own.hand, own.reserve, move.card, TURN_MARK[source], *own[4:])
    seats[seat] = tuple.__new__(SeatState, chosen)
    state = tuple.__new__(State, (tuple(seats), *state[1:]))
    for other in active(state):
        if seats[other].choice is None:
            return Step(state, facts)
    draft = Draft(state)
    log = Log(facts)
    _reveal(draft, log)
    return Step(draft.freeze(), log.facts, tuple(log.shuffles))


def _reveal(draft: Draft, log: Log) -> None:
    """Turn up the openings, which all are in, and see who plays first (PLX-7, PLX-8)."""
    choosers = active(draft)
    opened: dict[Seat, Card] = {}
    for seat in choosers:
        own = draft.seats[seat]
        choice = own.choice
        assert choice is not None  # noqa: S101  (it is in)
        opened[seat] = choice
        draft.turns = with_turn(draft.turns, seat, own.choice_mark)
        left = (_less(own.hand, choice), own.reserve, None, 0, *own[4:])
        draft.seats[seat] = tuple.__new__(SeatState, left)
        draft.ply += 1
    draft.zones[CENTER] += tuple([LYING[seat][card] for seat, card in opened.items()])
    players = draft.setup.players
    dealer = number_option(draft, "dealer")
    # Identical cards exist with packs of their own only: nearest from the dealer's left (PLX-9).
    first = max(choosers, key=lambda seat: (HEIGHT[opened[seat]], -((seat - dealer - 1) % players)))
    draft.phase = PLAYING
    draft.first = draft.player = first
    log.facts.append(partial(told_openings, first, opened))
    _continue_battle(draft, log)
    _settle(draft, log)


# --- the other moves ------------------------------------------------------------------------------


def _play(state: State, seat: Seat, move: Play, source: Source) -> Step[State]:
    """Play a card. Nearly every ply is one, so this makes the next state without a draft."""
    card, place, _ = move
    seats, zones, turns, pots = list(state.seats), list(state.zones), state.turns, state.pots
    options = state.setup.options
    own = seats[seat]
    around = SEAT_PLACES[state.ring][seat]
    zone = around.zones[place]
    before = zones[zone]
    lying = (*before, LYING[seat][card])
    if card in _DESTROYERS:
        lying = _turned_down(lying, seat, move)
    zones[zone] = lying
    fee = None
    if options["stakes"] == "per_card":
        fee = _fee(state, seat)
        own = with_chips(own, own.chips - fee)
        pots = with_stake(pots, zone, seat, fee)
    facts: list[Note] = [partial(told_play, seat, move, zone, fee, before, lying)]
    hand = _less(own.hand, card)
    seats[seat] = with_cards(own, hand, own.reserve)
    following = next_seat(active(state), seat) if state.resigned else around.following
    mark = TURN_MARK[source]
    if turns[seat] != (mark, mark):  # most turns are chosen like the two before
        turns = with_turn(turns, seat, mark)
    ply = state.ply + 1
    fields = (tuple(seats), tuple(zones), following, turns, ply, pots, *state[6:])
    after: State = tuple.__new__(State, fields)
    # Whoever is next holds the most cards, and what somebody chose makes no table silent.
    longest = seats[following].hand
    goes_on = longest and (options["stakes"] != "zones" or len(longest) > len(hand))
    if goes_on and mark == CHOSEN and ply != options["max_plies"]:
        return Step(after, facts)
    draft = Draft(after)
    log = Log(facts)
    _continue_battle(draft, log)
    _settle(draft, log)
    return Step(draft.freeze(), log.facts, tuple(log.shuffles))


def _less(hand: Cards, card: Card) -> Cards:
    """Return a hand without one of its cards."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def _fee(table: Table, seat: Seat) -> int:
    """Return what playing a card costs this seat: who cannot pay plays free (PLX-V6)."""
    fee = number_option(table, "fee")
    return fee if table.seats[seat].chips >= fee else 0


def _turned_down(zone: Zone, seat: Seat, move: Play) -> Zone:
    """Turn face down what a queen or king destroys, itself included (PLX-12, PLX-13, PLX-14)."""
    is_queen = RANK_OF[move.card] == "Q"
    falling = ((seat, move.card), move.target)
    return tuple(
        [
            LYING_DOWN[lying] if lying.up and (is_queen or lying[:2] in falling) else lying
            for lying in zone
        ]
    )


def _pass(draft: Draft, log: Log, seat: Seat) -> None:
    """Lay the lowest card aside face down (PLX-V5)."""
    own = draft.seats[seat]
    card = lowest(own.hand)
    draft.seats[seat] = own._replace(hand=_less(own.hand, card), aside=(*own.aside, card))
    log.tell("passed", seat, {})
    log.tell("passed", seat, {"card": card}, seat)


def _bet(draft: Draft, log: Log, seat: Seat, move: Bets) -> None:
    """Put the bets into the pots, if they are possible (PLX-V5). Raises: IllegalMoveError."""
    window = draft.window
    assert window is not None  # noqa: S101  (check_move has seen to it)
    paid = payments(draft, window, seat, move.bets)
    own = draft.seats[seat]
    chips = own.chips - sum(paid)
    draft.window = after_bets(draft, window, seat, move.bets)
    zones = SEAT_PLACES[draft.ring][seat].zones
    for bet, cost in zip(move.bets, paid, strict=True):
        draft.pots = with_stake(draft.pots, zones[bet.place], seat, cost)
    if paid:
        draft.seats[seat] = with_chips(own, chips)
    log.facts.append(partial(told_bets, seat, move.bets, paid, draft.ring, draft.pots, chips))


# --- what follows ---------------------------------------------------------------------------------


def _go_on(draft: Draft, log: Log, seat: Seat) -> None:
    """Go on after a ply of this seat."""
    if draft.phase == BETTING:
        _ask_next(draft, log, seat + 1)
        return
    draft.player = next_seat(active(draft), seat)
    _continue_battle(draft, log)


def _continue_battle(draft: Draft, log: Log) -> None:
    """End the battle when all hands are empty; open a window when they are equal (PLX-11, V5)."""
    hands = [draft.seats[seat].hand for seat in active(draft)]
    if not any(hands):
        end_battle(draft, log)
        return
    if not has_windows(draft):
        return
    sizes = set(map(len, hands))
    if len(sizes) == 1 and max(sizes) < draft.window_size:
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
        draft.window = Window(bettor, *window[1:])
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
    elif _is_too_long(draft):
        stop_game(draft, log, "max_plies")


def _is_too_long(table: Table) -> bool:
    return 0 < number_option(table, "max_plies") <= table.ply


def _is_silent(draft: Draft) -> bool:
    """Say whether nobody has decided anything for two turns; an open choice is a running turn."""
    staying = active(draft)
    if CHOSEN in [draft.turns[seat][1] for seat in staying]:  # nearly always
        return False
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
    draft.seats[seat] = own._replace(choice=None, choice_mark=0)
    log.tell("resigned", seat, {})
    if own.out is None:
        _after_resignation(draft, log, seat)
    return Step(draft.freeze(), log.facts, tuple(log.shuffles))


def _after_resignation(draft: Draft, log: Log, seat: Seat) -> None:
    """Check the end of the game, of the window and of the battle anew (GEN-7)."""
    staying = active(draft)
    if len(staying) == 1:
        end_game(draft, log, "last-seat")
        return
    if draft.phase == CHOOSING:
        if all(draft.seats[other].choice is not None for other in staying):
            _reveal(draft, log)
    else:
        if draft.player == seat:
            draft.player = next_seat(staying, seat)
        window = draft.window
        if window is None:
            _continue_battle(draft, log)
        elif window.bettor == seat or not has_choice(draft, window, window.bettor):
            _ask_next(draft, log, window.bettor + 1)
    if draft.reason is None and _is_silent(draft):
        stop_game(draft, log, "silence")
