"""Effects of a ply, or of a resignation, on the table.

Secret choices become plies only when the last one is made. Then all are revealed together (GEN-6).
`_continue_battle` applies the consequences of a card, and `stop_if_due` ends the game if required.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.api import JsonValue, Note, Seat, Source, Step
from engine.cards import PACK, RANK_OF, Card
from engine.errors import NotToActError
from engine.phalanx.battle import Battles
from engine.phalanx.betting import Bet, Bets, after_bets, asking, has_choice, next_bettor, payments
from engine.phalanx.moves import (
    HEIGHT,
    Move,
    Open,
    Play,
    check_pass,
    check_play,
    lowest,
    may_act,
    need_card,
    need_phase,
)
from engine.phalanx.record import pots_json, told_bets, told_play
from engine.phalanx.state import (
    BETTING,
    CENTER,
    CHOOSING,
    LYING,
    LYING_DOWN,
    PLAYING,
    SEAT_PLACES,
    Draft,
    State,
    Window,
    Zone,
    active,
    clockwise_from,
    has_windows,
    next_seat,
    with_first,
    with_stake,
)
from engine.plays import after_play
from engine.position import with_item
from engine.sentences import sentence
from engine.silence import TURN_MARK, with_turn

_DESTROYERS: Final = frozenset(card for card in PACK if RANK_OF[card] in "QK")


def _may_stop(state: State, source: Source) -> bool:
    """True if the game may have to stop after this ply. A chosen ply never starts a silence."""
    return source is not Source.CHOSEN or state.ply == state.setup.options["max_plies"]


def zone_after(zone: Zone, seat: Seat, move: Play) -> Zone:
    """Return a zone after a play. Queens and kings turn face down like the cards they destroy.

    Rules: PLX-12, PLX-13, PLX-14.
    """
    card, _, target = move
    if card not in _DESTROYERS:
        return (*zone, LYING[seat][card])
    played = LYING_DOWN[seat][card]
    if RANK_OF[card] == "Q":
        return (*[LYING_DOWN[owner][fallen] for owner, fallen, _ in zone], played)
    if target is None:
        return (*zone, played)
    index = zone.index(LYING[target.seat][target.card])
    return (*zone[:index], LYING_DOWN[target.seat][target.card], *zone[index + 1 :], played)


def _ask(draft: Draft, window: Window, bettor: Seat | None) -> None:
    """Let a seat bet in a window, or close the window if `bettor` is None (PLX-V5)."""
    if bettor is not None:
        draft.window = asking(window, bettor)
        return
    draft.window = None
    draft.phase = CHOOSING if draft.first is None else PLAYING
    draft.tell("window_closed", None, {"pots": pots_json(draft)})


class Turns(Battles):
    """Effects of a ply, or of a resignation, on the table."""

    choice_made = sentence("this seat has chosen its opening card")

    def has_chosen(self, state: State, seat: Seat) -> bool:
        """True if the seat's opening card is stored but not yet revealed (PLX-7, GEN-6)."""
        return state.phase == CHOOSING and seat in state.ring and state.choices[seat] is not None

    def refuse_turn(self, state: State, seat: Seat) -> None:
        """Reject a seat that was eliminated. Raises: NotToActError."""
        if state.outs[seat] is not None:
            raise NotToActError(sentence("PLX-24: this seat is out of the game"), rule="PLX-24")

    def apply(
        self, state: State, seat: Seat, move: Move, source: Source = Source.CHOSEN
    ) -> Step[State]:
        """Validate and make a move. Raises: NotToActError, IllegalMoveError."""
        if not may_act(state, seat):
            self.need_to_act(state, seat)
        # `match` takes ten times as long here.
        if isinstance(move, Play):
            return self._play(state, seat, move, source)
        if isinstance(move, Bets):
            return self._bet(state, seat, move.bets, source)
        if isinstance(move, Open):
            return self._choose(state, seat, move.card, source)
        return self._pass(state, seat, source)

    def _choose(self, state: State, seat: Seat, card: Card, source: Source) -> Step[State]:
        """Store a secret choice. The last choice reveals all of them (PLX-7, GEN-6)."""
        need_phase(state, CHOOSING)
        need_card(state, seat, card)
        draft = Draft(state)
        if state.choices[seat] is None:
            draft.tell("chosen", seat, {})
        draft.tell("chosen", seat, {"card": card}, seat)
        draft.choices = with_item(draft.choices, seat, card)
        draft.choice_marks = with_item(draft.choice_marks, seat, TURN_MARK[source])
        if all(draft.choices[other] is not None for other in active(draft)):
            self._reveal(draft)
        return draft.finish()

    def _reveal(self, draft: Draft) -> None:
        """Reveal the openings and determine the first player (PLX-7, PLX-8).

        All seats must have chosen.
        """
        choosers = active(draft)
        opened: dict[Seat, Card] = {}
        for seat in choosers:
            choice = draft.choices[seat]
            assert choice is not None  # noqa: S101  (called after all seats have chosen)
            opened[seat] = choice
            draft.hands[seat] = after_play(draft.hands[seat], (choice,))
            draft.turns = with_turn(draft.turns, seat, draft.choice_marks[seat])
        draft.choices = (None,) * len(draft.choices)
        draft.choice_marks = (0,) * len(draft.choices)
        draft.ply += len(opened)
        draft.zones[CENTER] += tuple([LYING[seat][card] for seat, card in opened.items()])
        # Equal cards need several packs. Then the seat nearest to the dealer's left plays first
        # (PLX-9).
        from_dealer = clockwise_from(choosers, draft.setup.number("dealer") + 1)
        # `max` returns the first of equal items
        first = max(from_dealer, key=lambda seat: HEIGHT[opened[seat]])
        draft.phase = PLAYING
        draft.first = draft.player = first
        cards: list[JsonValue] = [{"seat": seat, "card": card} for seat, card in opened.items()]
        draft.tell("revealed", first, {"cards": cards, "first": first})
        self._continue_battle(draft)
        self.stop_if_due(draft)

    def _play(self, state: State, seat: Seat, move: Play, source: Source) -> Step[State]:
        """Play a card into a zone, pay the fee and pass the turn.

        Rules: PLX-11 to PLX-15, PLX-V6.
        """
        check_play(state, seat, move)
        place = SEAT_PLACES[state.ring][seat]
        zone = place.zones[move.place]
        hands = with_item(state.hands, seat, after_play(state.hands[seat], (move.card,)))
        zones = with_item(state.zones, zone, zone_after(state.zones[zone], seat, move))
        chips, pots, fee = state.chips, state.pots, None
        stakes = state.setup.options["stakes"]
        if stakes == "per_card":
            # A seat that cannot pay plays for free.
            fee = state.setup.number("fee") if chips[seat] >= state.setup.number("fee") else 0
            chips = with_item(chips, seat, chips[seat] - fee)
            pots = with_stake(pots, zone, seat, fee)
        player = next_seat(active(state), seat) if state.resigned else place.following
        turns = with_turn(state.turns, seat, TURN_MARK[source])
        after = with_first(state, (hands, zones, player, turns, state.ply + 1, chips, pots))
        facts: list[Note] = [
            partial(told_play, seat, move, zone, fee, state.zones[zone], zones[zone])
        ]
        # At the end of a round the next seat has played as many cards as this seat.
        is_round_over = len(hands[player]) == (len(hands[seat]) if stakes == "zones" else 0)
        if is_round_over or _may_stop(after, source):
            return self._followed_up(Draft(after, facts))
        return Step(after, facts)

    def _followed_up(self, draft: Draft) -> Step[State]:
        """Apply the consequences of a played or set-aside card and return the step."""
        self._continue_battle(draft)
        self.stop_if_due(draft)
        return draft.finish()

    def _pass(self, state: State, seat: Seat, source: Source) -> Step[State]:
        """Set the lowest card aside face down (PLX-V5)."""
        check_pass(state, seat)
        draft = Draft(state)
        card = lowest(draft.hands[seat])
        draft.hands[seat] = after_play(draft.hands[seat], (card,))
        draft.asides = with_item(draft.asides, seat, (*draft.asides[seat], card))
        draft.tell("passed", seat, {})
        draft.tell("passed", seat, {"card": card}, seat)
        draft.ply += 1
        draft.turns = with_turn(draft.turns, seat, TURN_MARK[source])
        draft.player = next_seat(active(draft), seat)
        return self._followed_up(draft)

    def _bet(self, state: State, seat: Seat, bets: tuple[Bet, ...], source: Source) -> Step[State]:
        """Put bets into the pots, then pass the turn (PLX-V5). Raises: IllegalMoveError."""
        need_phase(state, BETTING)
        window, pots = state.window, state.pots
        assert window is not None  # noqa: S101  (there is a window during betting)
        paid = payments(state, window, seat, bets)
        zones = SEAT_PLACES[state.ring][seat].zones
        for bet, cost in zip(bets, paid, strict=True):
            pots = with_stake(pots, zones[bet.place], seat, cost)
        chips = with_item(state.chips, seat, state.chips[seat] - sum(paid))
        window = after_bets(state, window, seat, bets)
        turns = with_turn(state.turns, seat, TURN_MARK[source])
        played = (state.hands, state.zones, state.player, turns, state.ply + 1, chips, pots)
        after = with_first(state, (*played, window))
        facts: list[Note] = [partial(told_bets, seat, bets, paid, state.ring, pots, chips[seat])]
        bettor = next_bettor(after, window, seat + 1)
        if bettor is None or _may_stop(after, source):
            draft = Draft(after, facts)
            _ask(draft, window, bettor)
            self.stop_if_due(draft)
            return draft.finish()
        return Step(with_first(after, (*played, asking(window, bettor))), facts)

    def _continue_battle(self, draft: Draft) -> None:
        """End the battle if all hands are empty, or open a betting window if due (PLX-11, PLX-V5)."""
        hands = [draft.hands[seat] for seat in active(draft)]
        if not any(hands):
            self.end_battle(draft)
            return
        if not has_windows(draft):
            return
        sizes = set(map(len, hands))
        if len(sizes) == 1 and max(sizes) < draft.window_size:
            self.begin_window(draft, max(sizes))

    def leave(self, draft: Draft, seat: Seat) -> None:
        """Remove a resigned seat from the battle (GEN-7, PLX-26)."""
        draft.choices = with_item(draft.choices, seat, None)
        draft.choice_marks = with_item(draft.choice_marks, seat, 0)
        keeps_place = draft.outs[seat] is not None
        draft.tell("resigned", seat, {"keeps_place": True} if keeps_place else {})
        if not keeps_place:
            self._after_resignation(draft, seat)

    def _after_resignation(self, draft: Draft, seat: Seat) -> None:
        """Check whether the game, the opening, the window or the battle has ended (GEN-7)."""
        staying = active(draft)
        if len(staying) == 1:
            self.end_game(draft, "last-seat")
            return
        if draft.phase == CHOOSING:
            if all(draft.choices[other] is not None for other in staying):
                self._reveal(draft)
        else:
            if draft.player == seat:
                draft.player = next_seat(staying, seat)
            window = draft.window
            state = draft.freeze()
            if window is None:
                self._continue_battle(draft)
            elif window.bettor == seat or not has_choice(state, window, window.bettor):
                _ask(draft, window, next_bettor(state, window, window.bettor + 1))
        self.stop_if_due(draft)
