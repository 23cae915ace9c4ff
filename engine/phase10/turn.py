"""The course of a game: deals, turns, effects of moves and resignations, and the ranking.

A turn consists of a draw, an optional lay-down and hits, and a discard. It also ends with the
seat's last card, whose consequences `_after_cards_left` applies.
"""

from __future__ import annotations

from typing import ClassVar, assert_never

from engine.api import JsonObject, Seat, Setup, Shuffle, Source, Step, told_drawing
from engine.errors import illegal
from engine.phase10.cards import PACK, SKIP, Card, Cards, less, points, sort_cards, without
from engine.phase10.groups import arrange, group_json, grown
from engine.phase10.moves import (
    Discard,
    Draw,
    Hit,
    Lay,
    Move,
    Take,
    can_draw,
    check_discard,
    check_draw,
    check_take,
    find_end,
    goes_out_with_skip,
    need_drawn,
    need_laid,
    need_to_lay,
    not_held,
)
from engine.phase10.state import (
    DealResult,
    Draft,
    SeatState,
    State,
    Table,
    has_left,
    is_by_phase,
    is_ten_hands,
    phase_list,
    plays,
)
from engine.position import CLOCKWISE, with_item
from engine.ranking import rank_by
from engine.ruleset import BaseRuleset
from engine.sentences import sentence
from engine.shuffle import shuffle
from engine.silence import NO_TURNS, QUIET_TURNS, TURN_MARK

HAND_SIZE = 10
"""Number of cards dealt to each seat (P10-4)."""


def shuffled(draft: Draft, cards: Cards) -> Cards:
    """Shuffle cards given in documented order, using the next shuffle number (GEN-2, GEN-13)."""
    after = shuffle(cards, draft.setup.seed, draft.shuffles)
    draft.opened.append(Shuffle(draft.shuffles, cards, after))
    draft.shuffles += 1
    return after


def skip(draft: Draft, by: Seat, named: Seat) -> None:
    """Make a seat skip its next turn and protect it from other skips (P10-19, P10-20).

    The protection lasts until play passes the seat `by`, or in the family rules until the seat has
    taken a turn.
    """
    mark = named if draft.is_family else by
    draft.seats[named] = draft.seats[named]._replace(skips=1, mark=mark)


def _end_marks(draft: Draft, place: Seat) -> None:
    for seat, own in enumerate(draft.seats):
        if own.mark == place:
            draft.seats[seat] = own._replace(mark=None)


def restock(draft: Draft) -> None:
    """Shuffle all discards except the top one into an empty stock (P10-11)."""
    if not draft.stock and len(draft.pile) > 1:
        draft.stock = shuffled(draft, sort_cards(draft.pile[:-1]))
        draft.pile = draft.pile[-1:]
        draft.tell("restocked", None, {"stock_size": len(draft.stock)})


def _score_deal(draft: Draft, winner: Seat | None) -> None:
    """Record the result of the deal and add its points (P10-23). A tie-break has no points."""
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
    draft.tell(
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


def _draw(draft: Draft, seat: Seat) -> None:
    """Draw from the stock, or continue without a card if none is available (P10-6, P10-11)."""
    check_draw(draft)
    draft.has_drawn = True
    if can_draw(draft):
        _draw_one(draft, seat)
    else:
        draft.tell("no_draw", seat, {})


def _draw_one(draft: Draft, seat: Seat) -> None:
    restock(draft)
    card = draft.stock[-1]
    draft.stock = draft.stock[:-1]
    own = draft.seats[seat]
    draft.seats[seat] = own._replace(hand=sort_cards((*own.hand, card)))
    draft.facts.append(told_drawing(seat, (card,)))


def _take(draft: Draft, seat: Seat) -> None:
    """Take the top discard, which everyone sees (P10-6, P10-7, P10-32)."""
    check_take(draft)
    card = draft.pile[-1]
    draft.pile = draft.pile[:-1]
    draft.has_drawn = True
    own = draft.seats[seat]
    hand, known = sort_cards((*own.hand, card)), sort_cards((*own.known, card))
    draft.seats[seat] = own._replace(hand=hand, known=known)
    draft.tell("took", seat, {"card": card})


def _leave_hand(draft: Draft, seat: Seat, cards: Cards) -> None:
    """Remove cards from a hand. Among equal cards, known ones are removed first (P10-32)."""
    own = draft.seats[seat]
    draft.seats[seat] = own._replace(hand=without(own.hand, cards), known=less(own.known, cards))


class Turns(BaseRuleset):
    """Deals, turns, and the ranking of the game."""

    is_family: ClassVar[bool]
    """True for the family rules (F), False for the official rules."""

    # --- ranking (P10-25, P10-26, P10-27, P10-31, GEN-17) -----------------------------------------

    draft = staticmethod(Draft)

    def has_left(self, table: Table, seat: Seat) -> bool:
        """True if a seat counts as resigned. See `state.has_left`."""
        return has_left(table, seat)

    def waited_for(self, table: Table) -> list[Seat]:
        """Return the seats that can still win, in ascending order. In a tie-break: the tied seats."""
        return [seat for seat in self.stayers(table) if not table.tied or seat in table.tied]

    def rank_key(self, table: Table, seat: Seat) -> tuple[int, ...]:
        """Return a seat's ranking key, lowest first (P10-27, P10-V1)."""
        own = table.seats[seat]
        last = table.results[-1] if table.results else None
        # The first tied seat to go out wins a tie-break (P10-26).
        is_winner = last is not None and last.is_tie_break and seat == last.winner
        if is_ten_hands(table.setup):
            return own.score, not is_winner
        return -own.completed, own.score, not is_winner

    def seat_score(self, table: Table, seat: Seat) -> JsonObject:
        """Return the numbers that determine a seat's rank."""
        own = table.seats[seat]
        return {"completed": own.completed, "score": own.score, "tied": seat in table.tied}

    def end_game(self, draft: Draft, reason: str) -> None:
        """End the game. All cards may be revealed from now on (GEN-15)."""
        draft.to_act = None
        draft.has_drawn = False
        draft.turn = 0
        super().end_game(draft, reason)

    # --- deals ------------------------------------------------------------------------------------

    def start(self, setup: Setup) -> Step[State]:
        """Shuffle and deal the first deal."""
        players = setup.players
        draft = Draft(
            State(
                setup=setup,
                is_family=self.is_family,
                deal=0,
                dealer=Seat(setup.number("dealer")),
                dealt_in=(),
                seats=(SeatState(phase_list(setup.options)[0]),) * players,
                groups=((),) * players,
                stock=(),
                pile=(),
                left_seen=(),
                left_unseen=(),
                to_act=None,
                has_drawn=False,
                ply=0,
                shuffles=0,
                turn=0,
                turns=(NO_TURNS,) * players,
                resigned=(),
                tied=(),
                results=(),
            )
        )
        self.deal_cards(draft)
        return draft.finish()

    def deal_cards(self, draft: Draft) -> None:
        """Shuffle, deal, turn up the starter, and pass the turn to the first seat (P10-4, P10-5)."""
        players = draft.setup.players
        draft.dealt_in = tuple(self.waited_for(draft))
        stock = list(shuffled(draft, PACK))
        around = [
            seat for seat in CLOCKWISE[draft.setup.players][draft.dealer] if seat in draft.dealt_in
        ]
        dealt = [(seat, stock.pop()) for _ in range(HAND_SIZE) for seat in around]
        phases = phase_list(draft.setup.options)
        for seat, own in enumerate(draft.seats):
            hand = sort_cards(card for owner, card in dealt if owner == seat)
            # the phase that the seat must lay down in this deal (P10-24, P10-26, P10-V1)
            index = draft.deal if is_ten_hands(draft.setup) else own.completed
            phase = phases[min(index, len(phases) - 1)]
            draft.seats[seat] = SeatState(phase, own.completed, own.score, hand)
        starter = stock.pop()
        draft.pile = (starter,)
        draft.stock = tuple(stock)
        draft.groups = [()] * players
        draft.left_seen = draft.left_unseen = ()
        # The starter must be on the pile before a seat is skipped because of it.
        told_before = len(draft.facts)
        if starter == SKIP:
            skip(draft, draft.dealer, around[0])
        self.pass_on(draft, draft.dealer)
        skipped = draft.facts[told_before:]
        del draft.facts[told_before:]
        draft.tell(
            "dealt",
            draft.to_act,
            {
                "deal": draft.deal,
                "dealer": draft.dealer,
                "phases": [
                    own.phase if seat in draft.dealt_in else None
                    for seat, own in enumerate(draft.seats)
                ],
                "starter": starter,
                "stock_size": len(stock),
            },
        )
        for seat in draft.dealt_in:
            hand = draft.seats[seat].hand
            draft.tell("dealt", seat, {"deal": draft.deal, "hand": list(hand)}, seat)
        draft.facts += skipped

    def pass_on(self, draft: Draft, after: Seat) -> None:
        """Pass the turn to the next seat that plays and need not skip. At least one must exist.

        Rules: P10-5, P10-18, P10-20, P10-21, P10-28.
        """
        players = draft.setup.players
        # Two rounds are enough, even if every seat must skip a turn in the first one.
        for step in range(1, 2 * players + 1):
            seat = Seat((after + step) % players)
            if not draft.is_family:
                _end_marks(draft, seat)
            if not plays(draft, seat):
                continue
            if draft.seats[seat].skips:
                draft.seats[seat] = draft.seats[seat]._replace(skips=0)
                draft.tell("skipped", seat, {})
                continue
            if draft.is_family:
                _end_marks(draft, seat)
            draft.to_act = seat
            draft.has_drawn = False
            return

    def end_deal(self, draft: Draft, winner: Seat | None) -> None:
        """Score a deal that was won or in which all seats float, then continue or end the game.

        Rules: P10-17, P10-18, P10-23 to P10-26, P10-V1, GEN-7, GEN-8.
        """
        _score_deal(draft, winner)
        if self.is_decided(draft):
            first = self.leaders(draft)
            if len(first) == 1:
                self.end_game(draft, "finished")
                return
            if not draft.tied:
                draft.tied = first
                draft.tell("tie_break", None, {"seats": list(first)})
        self.stop_if_due(draft)
        if draft.reason is None:
            next_in = self.waited_for(draft)
            draft.dealer = next(
                s for s in CLOCKWISE[draft.setup.players][draft.dealer] if s in next_in
            )
            draft.deal += 1
            self.deal_cards(draft)

    def leaders(self, table: Table) -> tuple[Seat, ...]:
        """Return the remaining seats that currently share first place."""
        return rank_by(self.stayers(table), lambda seat: self.rank_key(table, seat))[0]

    def is_decided(self, table: Table) -> bool:
        """True after all deals that count. The leaders then win or play a tie-break.

        Rules: P10-25, P10-V1.
        """
        phases = phase_list(table.setup.options)
        if is_ten_hands(table.setup):
            return len(table.results) >= len(phases)
        return any(table.seats[seat].completed == len(phases) for seat in self.stayers(table))

    # --- turns ------------------------------------------------------------------------------------

    def apply(
        self, state: State, seat: Seat, move: Move, source: Source = Source.CHOSEN
    ) -> Step[State]:
        """Validate and make a move. Raises: NotToActError, IllegalMoveError."""
        self.need_to_act(state, seat)
        draft = Draft(state)
        draft.ply += 1
        draft.turn |= TURN_MARK[source]
        match move:
            case Discard(card, named):
                self._discard(draft, seat, card, named)
            case Draw():
                _draw(draft, seat)
            case Take():
                _take(draft, seat)
            case Hit():
                self._hit(draft, seat, move)
            case Lay():
                self._lay(draft, seat, move)
            case _:
                assert_never(move)
        if draft.reason is None and draft.ply == draft.setup.options["max_plies"]:
            self.stop_game(draft, "max_plies")
        return draft.finish()

    def _lay(self, draft: Draft, seat: Seat, move: Lay) -> None:
        """Lay down the seat's phase and credit it (P10-12 to P10-14, P10-V4)."""
        need_to_lay(draft, seat)
        own = draft.seats[seat]
        cards = tuple(card for group in move.groups for card in group)
        for card in cards:
            if cards.count(card) > own.hand.count(card):
                raise not_held(card, "P10-12")
        is_free = is_by_phase(draft.setup.options)
        groups = arrange(own.phase, move.groups, move.numbers, by_phase=is_free)
        draft.groups[seat] = groups
        # A tie-break repeats the last phase, which is already credited (P10-26).
        completed = own.completed + (not draft.tied)
        _leave_hand(draft, seat, cards)
        draft.seats[seat] = draft.seats[seat]._replace(laid=True, completed=completed)
        draft.tell("laid", seat, {"phase": own.phase, "groups": [*map(group_json, groups)]})
        self._after_cards_left(draft, seat)

    def _hit(self, draft: Draft, seat: Seat, move: Hit) -> None:
        """Add one card to a group (P10-15, P10-16)."""
        need_drawn(draft)
        own = draft.seats[seat]
        need_laid(draft, seat)
        if move.card not in own.hand:
            raise not_held(move.card, "P10-15")
        if not 0 <= move.owner < len(draft.groups) or not (
            0 <= move.number < len(draft.groups[move.owner])
        ):
            raise illegal(sentence("P10-15: there is no such group on the table"))
        groups = draft.groups[move.owner]
        end = find_end(groups[move.number], move.card, move.end)
        after = grown(groups[move.number], move.card, end)
        draft.groups[move.owner] = with_item(groups, move.number, after)
        _leave_hand(draft, seat, (move.card,))
        data: JsonObject = {
            "card": move.card,
            "owner": move.owner,
            "group": move.number,
            "end": None if end is None else end.value,
            "cards": list(after.cards),
        }
        if after.number is not None:
            data["as"] = after.number
        draft.tell("hit", seat, data)
        self._after_cards_left(draft, seat)

    def _discard(self, draft: Draft, seat: Seat, card: Card, named: Seat | None) -> None:
        """Discard and end the turn. A skip makes the named seat skip a turn (P10-6, P10-19)."""
        need_drawn(draft)
        if card not in draft.seats[seat].hand:
            raise not_held(card, "P10-6")
        if card == SKIP and goes_out_with_skip(draft, seat):
            named = None  # P10-22: the skip names no seat, even if the order does
        else:
            check_discard(draft, seat, card, named)
        _leave_hand(draft, seat, (card,))
        draft.pile = (*draft.pile, card)
        draft.tell("discarded", seat, {"card": card, "named": named})
        if named is not None:
            skip(draft, seat, named)
        if draft.seats[seat].hand:
            self._end_turn(draft, seat)
        elif draft.is_family and card == SKIP:
            self._replace_skip(draft, seat)
        else:
            self._go_out(draft, seat)

    def _after_cards_left(self, draft: Draft, seat: Seat) -> None:
        """Continue the turn. After its last card the seat goes out, or floats in the family rules.

        Rules: P10-17, P10-18.
        """
        if draft.seats[seat].hand:
            return
        if draft.is_family:
            self._float(draft, seat)
        else:
            self._go_out(draft, seat)

    def _replace_skip(self, draft: Draft, seat: Seat) -> None:
        """Draw a card after discarding a skip as the last card, and end the turn (P10-22)."""
        if can_draw(draft):
            _draw_one(draft, seat)
            self._end_turn(draft, seat)
        else:
            self._float(draft, seat)

    def _float(self, draft: Draft, seat: Seat) -> None:
        """Let a seat sit out the rest of the deal. If all seats float, the deal ends (P10-18)."""
        draft.seats[seat] = draft.seats[seat]._replace(is_floating=True)
        draft.tell("floated", seat, {})
        self._end_turn(draft, seat)

    def _go_out(self, draft: Draft, seat: Seat) -> None:
        """Win the deal, which ends immediately (P10-17)."""
        draft.tell("went_out", seat, {})
        draft.end_turn(seat)
        self.end_deal(draft, seat)

    def _end_turn(self, draft: Draft, seat: Seat) -> None:
        """Pass the turn, or end a deal without a winner. Stop a silent game."""
        draft.end_turn(seat)
        if not any(plays(draft, other) for other in draft.dealt_in):
            self.end_deal(draft, None)
            return
        self.pass_on(draft, seat)
        # Only a quiet turn can complete a silence.
        if draft.turns[seat][1] in QUIET_TURNS and self.is_silent(draft):
            self.stop_game(draft, "silence")

    def leave(self, draft: Draft, seat: Seat) -> None:
        """Remove a resigned seat from the hand (GEN-7, P10-28)."""
        own = draft.seats[seat]
        # Cards that everyone has seen stay public, the others stay secret (GEN-16).
        unseen = without(own.hand, own.known)
        draft.left_seen += own.known
        draft.left_unseen += unseen
        draft.seats[seat] = own._replace(hand=(), known=(), skips=0, mark=None)
        draft.tell("resigned", seat, {"seen": list(own.known), "unseen_count": len(unseen)})
        if len(self.waited_for(draft)) <= 1:  # in the game or in the tie-break (GEN-7, P10-26)
            self.end_game(draft, "last-seat" if len(self.stayers(draft)) == 1 else "finished")
        else:
            if draft.to_act == seat:
                draft.turn = 0  # the turn is discarded with its seat
                if any(plays(draft, other) for other in draft.dealt_in):
                    self.pass_on(draft, seat)
                else:
                    self.end_deal(draft, None)
            self.stop_if_due(draft)
