"""The sequence of battles: deal, openings, resolution, next battle or end, and the ranking.

The functions here modify a `Draft`. `turn.py` calls them after a ply.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from engine.api import JsonObject, Seat, Setup, Shuffle, Step
from engine.cards import PACK, Card, sort_cards
from engine.phalanx.betting import open_window
from engine.phalanx.record import report_battle
from engine.phalanx.resolving import ZoneResult, resolve, share_pot
from engine.phalanx.state import (
    BETTING,
    CENTER,
    CHOOSING,
    HAND_SIZE,
    OVER,
    Cards,
    Draft,
    Elimination,
    Reserve,
    SeatState,
    State,
    Table,
    active,
    cards_left,
    chips_of,
    columns,
    has_left,
    has_windows,
    is_gambling,
    own_zones,
    unordered,
    with_stake,
)
from engine.position import with_item
from engine.ruleset import BaseRuleset
from engine.shuffle import Shuffled
from engine.silence import NO_TURNS

NEW_PACK: Mapping[Card, int] = {card: place for place, card in enumerate(PACK)}
"""Index of each card in the documented order of a pack (PLX-2)."""

NO_WINDOW = HAND_SIZE + 1


def _shuffled(draft: Draft, cards: Collection[Card]) -> Shuffled[Card]:
    """Shuffle cards, starting from the order of a new pack (GEN-2).

    The shuffle uses the next free number.
    """
    number = draft.shuffles
    before = PACK if len(cards) == len(PACK) else tuple(sorted(cards, key=NEW_PACK.__getitem__))
    after = Shuffled(before, draft.setup.seed, number)
    draft.opened.append(lambda: Shuffle(number, before, tuple(after)))
    draft.shuffles += 1
    return after


def _deal_pack(draft: Draft) -> None:
    """Deal the pack evenly. Leftover cards become spoils (PLX-2)."""
    players = draft.setup.players
    pack = tuple(_shuffled(draft, PACK))
    each = len(PACK) // players
    dealer = draft.setup.number("dealer")
    for step in range(players):
        seat = (dealer + 1 + step) % players
        top = len(pack) - step * each
        # the first card dealt is at the bottom of the reserve
        draft.reserves[seat] = pack[top - each : top][::-1]
    draft.spoils_unseen = pack[: len(pack) - players * each]


def _drawn(reserve: Reserve, count: int) -> tuple[Cards, Reserve]:
    """Return the top cards of a reserve, the topmost last, and the rest of the reserve."""
    if isinstance(reserve, Shuffled):
        return reserve.draw(count)
    left = len(reserve) - count
    return reserve[left:], reserve[:left]


def _sizes_json(draft: Draft) -> JsonObject:
    return {
        "reserve_sizes": list(map(len, draft.reserves)),
        "spoils_size": len(draft.spoils_seen) + len(draft.spoils_unseen),
        "chips": list(draft.chips),
    }


def _lay_ante(draft: Draft, seat: Seat) -> None:
    """Move the top cards of a reserve to the spoils, face down (PLX-V4)."""
    reserve = draft.reserves[seat]
    count = min(draft.setup.number("ante"), len(reserve))
    if count:
        laid, draft.reserves[seat] = _drawn(reserve, count)
        draft.spoils_unseen += laid[::-1]
        draft.tell("anted", seat, {"cards": count})


def _pay_antes(draft: Draft) -> None:
    """Put each seat's ante into its own zones (PLX-V5)."""
    if not has_windows(draft):
        return
    ante = draft.setup.number("zone_ante")
    for seat in draft.ring:
        draft.chips[seat] -= 3 * ante
        for zone in own_zones(seat, draft.ring):
            draft.pots = with_stake(draft.pots, zone, seat, ante)
        draft.tell("anted", seat, {"chips": 3 * ante})


def _eliminate(draft: Draft, seat: Seat) -> None:
    """Eliminate a seat that cannot continue. Its reserve becomes spoils (PLX-24)."""
    reserve = draft.reserves[seat]
    out = Elimination(draft.battle, len(reserve))
    draft.outs = with_item(draft.outs, seat, out)
    if not is_gambling(draft):
        draft.reserves[seat] = ()
        # No player knows their order, although some were seen earlier (PLX-29).
        draft.spoils_unseen += tuple(reserve)
    draft.tell("eliminated", seat, {**out._asdict(), "chips": draft.chips[seat]})


def _move_cards(draft: Draft, results: Iterable[ZoneResult]) -> None:
    """Move the cards of the zones to their new owners and shuffle (PLX-20 to 23, PLX-26)."""
    reserves = draft.reserves
    taken: dict[Seat | None, list[Card]] = {None: [], **{seat: [] for seat in draft.ring}}
    for result in results:
        takers, winner = result.takers, result.winner
        for owner, card, _ in result.cards:
            taken[takers[owner]].append(card)
        if result.zone == CENTER and winner is not None:
            taken[winner] += draft.spoils_seen + draft.spoils_unseen
            draft.spoils_seen = draft.spoils_unseen = ()
    # New spoils can only be won in a later battle (PLX-22).
    draft.spoils_seen += tuple(taken[None])
    for seat in draft.ring:
        if seat in draft.resigned:
            left = (*draft.hands[seat], *reserves[seat])
            draft.hands[seat] = reserves[seat] = ()
            draft.spoils_unseen += left
            draft.tell("left_behind", seat, {"cards": len(left)})
        else:
            cards = [*unordered(reserves[seat]), *taken[seat]]
            reserves[seat] = _shuffled(draft, cards)


def _return_cards(draft: Draft, results: Iterable[ZoneResult]) -> None:
    """Pay out the pots and return all cards to their owners (PLX-V5, PLX-V6)."""
    for result in results:
        for seat, share in enumerate(share_pot(draft.pots[result.zone], result.winner)):
            draft.chips[seat] += share
    draft.pots = ((0,) * len(draft.chips),) * len(draft.pots)
    draft.asides = ((),) * len(draft.asides)
    for seat in draft.ring:
        draft.hands[seat] = ()
        draft.reserves[seat] = PACK  # in this variant every seat owns a whole pack


class Battles(BaseRuleset):
    """The sequence of battles and the ranking of the game."""

    # --- ranking ----------------------------------------------------------------------------------

    draft = staticmethod(Draft)

    def has_left(self, table: Table, seat: Seat) -> bool:
        """True if a seat counts as resigned. An eliminated seat keeps its rank."""
        return has_left(table, seat)

    def waited_for(self, table: Table) -> Sequence[Seat]:
        """Return the seats that can still win."""
        return active(table)

    def running_mark(self, draft: Draft) -> int:
        """Return the marks of the open choices. Every other ply is a separate turn (GEN-7)."""
        running = 0
        for mark in draft.choice_marks:
            running |= mark
        return running

    def rank_key(self, table: Table, seat: Seat) -> tuple[int, ...]:
        """Return a seat's ranking key: seats that stayed longest first, then more cards.

        In games with chips, chips are compared first. The last remaining seat always ranks first
        (GEN-7).

        Rules: PLX-24, PLX-28, PLX-V5, PLX-V7.
        """
        out = table.outs[seat]
        is_alone = table.reason == "last-seat" and out is None
        battle = table.battle + 1 if out is None else out.battle
        if is_gambling(table):
            return not is_alone, -chips_of(table, seat), -battle
        return not is_alone, -battle, -cards_left(table, seat)

    def seat_score(self, table: Table, seat: Seat) -> JsonObject:
        """Return the numbers that determine a seat's rank."""
        out = table.outs[seat]
        return {
            "cards": cards_left(table, seat),
            "chips": chips_of(table, seat),
            "eliminated": None if out is None else out.battle,
        }

    def end_game(self, draft: Draft, reason: str) -> None:
        """End the game. All cards may be revealed from now on (GEN-15)."""
        draft.phase = OVER
        draft.player = draft.window = None
        super().end_game(draft, reason)

    # --- battles ----------------------------------------------------------------------------------

    def start(self, setup: Setup) -> Step[State]:
        """Shuffle and deal, or distribute the chips, and begin the first battle."""
        players = setup.players
        chips = 0 if setup.options["stakes"] == "cards" else setup.number("bankroll")
        draft = Draft(
            State(
                setup=setup,
                battle=0,
                ring=tuple(map(Seat, range(players))),
                **columns([SeatState(chips=chips)] * players),
                zones=((),) * (players + 1),
                pots=((0,) * players,) * (players + 1),
                spoils_seen=(),
                spoils_unseen=(),
                phase=CHOOSING,
                first=None,
                player=None,
                window=None,
                window_size=NO_WINDOW,
                ply=0,
                shuffles=0,
                turns=(NO_TURNS,) * players,
                resigned=(),
            )
        )
        if is_gambling(draft):
            draft.reserves = [PACK] * players
        else:
            _deal_pack(draft)
        self.begin_battle(draft)
        return draft.finish()

    def begin_battle(self, draft: Draft) -> None:
        """Close the ring, collect antes, eliminate seats that cannot continue, and draw the hands.

        In games with betting, bets may then be made before the openings are chosen.

        Rules: PLX-6, PLX-24, PLX-V4, PLX-V5, PLX-V6.
        """
        draft.phase = CHOOSING
        draft.first = draft.player = draft.window = None
        draft.window_size = NO_WINDOW
        hands, reserves, outs = draft.hands, draft.reserves, draft.outs
        candidates = [seat for seat in active(draft) if outs[seat] is None]
        is_with_chips = is_gambling(draft)
        if is_with_chips:
            fee, ante = draft.setup.number("fee"), draft.setup.number("zone_ante")
            entrance = 3 * ante if has_windows(draft) else fee
            ring = [seat for seat in candidates if draft.chips[seat] >= entrance]
        else:
            if draft.setup.number("ante"):
                for seat in candidates:
                    _lay_ante(draft, seat)
            ring = [seat for seat in candidates if len(reserves[seat]) >= HAND_SIZE]
        if len(ring) != len(candidates):
            for seat in candidates:
                if seat not in ring:
                    _eliminate(draft, seat)
        draft.ring = tuple(ring)
        if len(ring) <= 1:
            self.end_game(draft, "finished")
            return
        if is_with_chips:
            _pay_antes(draft)
            for seat in ring:
                reserves[seat] = _shuffled(draft, unordered(reserves[seat]))
        for seat in ring:
            hand, reserves[seat] = _drawn(reserves[seat], HAND_SIZE)
            hands[seat] = sort_cards(hand)
        draft.tell(
            "dealt",
            None,
            {
                "battle": draft.battle,
                "ring": list(ring),
                "hand_size": HAND_SIZE,
                **_sizes_json(draft),
            },
        )
        for seat in ring:
            draft.tell("dealt", seat, {"battle": draft.battle, "hand": list(hands[seat])}, seat)
        if has_windows(draft) and draft.setup.options["first_window"] == "deal":
            self.begin_window(draft, HAND_SIZE)

    def begin_window(self, draft: Draft, hand_size: int) -> None:
        """Open the betting window for this hand size if any seat can bet (PLX-V5)."""
        draft.window_size = hand_size
        draft.window = open_window(draft.freeze())
        if draft.window is not None:
            draft.phase = BETTING
            draft.tell("window_opened", draft.window.bettor, {"hand_size": hand_size})

    def end_battle(self, draft: Draft) -> None:
        """Resolve the battle, then begin the next one or end the game (PLX-20 to PLX-24, PLX-V7)."""
        options = draft.setup.options
        pots = draft.pots if is_gambling(draft) else None
        results = resolve(
            draft.zones,
            draft.ring,
            active(draft),
            tie=options["tie"],
            aces=options["aces"],
            is_gambling=pots is not None,
        )
        spoils = (draft.spoils_seen, draft.spoils_unseen)
        draft.facts.append(partial(report_battle, results, options["aces"], spoils, pots))
        if pots is None:
            _move_cards(draft, results)
        else:
            _return_cards(draft, results)
        draft.zones = [()] * len(draft.zones)
        draft.tell("battle_over", None, {"battle": draft.battle, **_sizes_json(draft)})
        draft.battle += 1
        if draft.battle == options["max_battles"]:
            draft.battle -= 1
            self.end_game(draft, "finished")
        else:
            self.begin_battle(draft)
