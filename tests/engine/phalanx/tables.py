"""Positions of Phalanx made by hand.

`table(seat("7c 8c"), seat("8h"), center="0:9c 1:10d", side0="0:Ks-")` is a whole state in the middle
of a battle: zones hold owner and card, a minus sign means face down. Cards that are not named lie in
the reserves (`stakes=cards`: seat by seat, as evenly as they come; else in the owner's own).
"""

from dataclasses import dataclass, field

from engine.api import Seat, Setup, Source, Step
from engine.cards import PACK, card, sort_cards
from engine.phalanx.betting import open_window
from engine.phalanx.rules import Phalanx
from engine.phalanx.state import (
    BETTING,
    CHOOSING,
    PLAYING,
    Cards,
    SeatState,
    State,
    TableCard,
    Zone,
    columns,
)
from engine.silence import NO_TURNS

RULES = Phalanx()
SEED = bytes(range(32))
ZONES = {"stakes": "zones"}


def cards(text: str) -> Cards:
    return tuple(card(word) for word in text.split())


def zone(text: str) -> Zone:
    """`0:9c 1:Ks-`: the nine of seat 0 face up, the king of seat 1 face down."""
    lying = []
    for word in text.split():
        owner, name = word.split(":")
        lying.append(TableCard(Seat(int(owner)), card(name.rstrip("-")), not name.endswith("-")))
    return tuple(lying)


def seat(hand: str = "", *, reserve: str | None = None, chips: int = 0, **more) -> SeatState:
    """`reserve` None stands for all cards that no other seat has."""
    own = SeatState(hand=sort_cards(cards(hand)), chips=chips, **more)
    return own if reserve is None else own._replace(reserve=cards(reserve))


def setup(players: int, **options) -> Setup:
    return Setup(players, SEED, RULES.check_options(players, options))


def table(
    *seats: SeatState,
    center: str = "",
    to_act: int | None = 0,
    first: int | None = None,
    options: dict | None = None,
    spoils: str = "",
    spoils_seen: str = "",
    pots: dict[str, tuple[int, ...]] | None = None,
    ring: tuple[int, ...] | None = None,
    resigned: tuple[int, ...] = (),
    keep: tuple[int, ...] = (),
    **fields,
) -> State:
    """Create a position in which `to_act` plays, or with None the openings are being chosen.

    `side0="…"` fills a side zone; `keep` names seats whose reserve stays as given.
    """
    players = len(seats)
    given = setup(players, **(options or {}))
    zones = [zone(center), *(zone(fields.pop(f"side{n}", "")) for n in range(players))]
    stakes = [[0] * players for _ in range(players + 1)]
    for name, by_seat in (pots or {}).items():
        stakes[0 if name == "center" else int(name[-1]) + 1] = list(by_seat)
    state = State(
        setup=given,
        battle=0,
        ring=tuple(map(Seat, range(players) if ring is None else ring)),
        **columns(seats),
        zones=tuple(zones),
        pots=tuple(map(tuple, stakes)),
        spoils_seen=cards(spoils_seen),
        spoils_unseen=cards(spoils),
        phase=CHOOSING if to_act is None else PLAYING,
        first=None if to_act is None else Seat(to_act if first is None else first),
        player=None if to_act is None else Seat(to_act),
        window=None,
        window_size=8,
        ply=0,
        shuffles=0,
        turns=(NO_TURNS,) * players,
        resigned=tuple(map(Seat, resigned)),
    )
    return _filled(state, keep)._replace(**fields)


def _filled(state: State, keep: tuple[int, ...]) -> State:
    """Put the cards that are nowhere into the reserves."""
    seats = list(state.seats)
    everybody = [n for n in state.ring if n not in keep and not seats[n].reserve]
    if state.setup.options["stakes"] == "cards":
        used = [*state.spoils_seen, *state.spoils_unseen]
        used += [lying.card for pile in state.zones for lying in pile]
        for own in seats:
            used += [*own.hand, *own.reserve, *own.aside]
        assert len(used) == len(set(used)), "a card lies in two places"
        rest = [one for one in PACK if one not in used]
        for at, n in enumerate(everybody):
            seats[n] = seats[n]._replace(reserve=tuple(rest[at :: len(everybody)]))
    else:
        for n in everybody:
            used = [*seats[n].hand, *seats[n].aside]
            used += [lying.card for pile in state.zones for lying in pile if lying.seat == n]
            seats[n] = seats[n]._replace(reserve=tuple(one for one in PACK if one not in used))
    return state._replace(**columns(seats))


@dataclass
class Game:
    """A position that orders are played on, for tests that read like a game."""

    state: State
    steps: list[Step] = field(default_factory=list)

    def play(self, *orders: str, source: Source = Source.CHOSEN) -> "Game":
        """Play the orders in turn, each by the seat to act (the lowest of several)."""
        for order in orders:
            self.by(self.state.to_act[0], order, source=source)
        return self

    def by(self, who: int, order: str, *, source: Source = Source.CHOSEN) -> "Game":
        """Let one seat play an order."""
        move = RULES.parse_order(self.state, Seat(who), order)
        return self._take(RULES.apply(self.state, Seat(who), move, source))

    def resign(self, who: int) -> "Game":
        return self._take(RULES.resign(self.state, Seat(who)))

    def _take(self, step: Step) -> "Game":
        self.steps.append(step)
        self.state = step.state
        return self

    @property
    def kinds(self) -> list[str]:
        """Kinds of the public facts of the last step."""
        return [fact.kind for fact in self.steps[-1].facts if fact.audience is None]

    def facts(self, kind: str) -> list[dict]:
        """Data of the public facts of this kind in the last step."""
        facts = self.steps[-1].facts
        return [fact.data for fact in facts if fact.kind == kind and fact.audience is None]

    def zone(self, name: str) -> dict:
        """The fact `resolved` of one zone in the last step."""
        (data,) = (data for data in self.facts("resolved") if data["zone"] == name)
        return data

    def lies(self, name: str) -> str:
        """The cards of a zone as `table` reads them."""
        number = 0 if name == "center" else int(name[-1]) + 1
        return " ".join(
            f"{lying.seat}:{lying.card}{'' if lying.up else '-'}"
            for lying in self.state.zones[number]
        )

    @property
    def result(self):
        return RULES.outcome(self.state)


def betting(*chips: int, pots: dict | None = None, hand: int = 2, first: int = 0, **more) -> Game:
    """A window that has just opened: seats with so many chips and hands of equal size."""
    hands = [["2c", "3c", "4c", "5c", "6c", "7c"][:hand] for _ in chips]
    seats = [seat(" ".join(own), chips=count) for own, count in zip(hands, chips, strict=True)]
    state = table(*seats, to_act=first, options=ZONES | more.pop("options", {}),
                  pots=pots or {}, **more)  # fmt: skip
    return Game(state._replace(window_size=hand, phase=BETTING, window=open_window(state)))


def new(players: int, **options) -> Game:
    """A game from its first deal."""
    step = RULES.start(setup(players, **options))
    return Game(step.state, [step])


def texts(state: State, who: int) -> list[str]:
    """The legal moves of a seat, as texts."""
    moves = RULES.legal_moves(state, Seat(who))
    return [RULES.format_move(state, Seat(who), move) for move in moves]


def resolved(last: str, *, who: int = 0, players: int = 2, chips: int = 0, **more) -> Game:
    """Resolve a battle: seat `who` plays the last card of all, as in `resolved("7s left", …)`."""
    seats = more.pop("seats", None)
    if seats is None:
        hand = last.split(maxsplit=1)[0]
        seats = [seat(hand if n == who else "", chips=chips) for n in range(players)]
    return Game(table(*seats, to_act=who, **more)).by(who, last)


def fates(data: dict) -> dict[str, str]:
    """Return the fate of each card from a fact `resolved`: `back 0`, `taken 1`, `spoils`."""
    return {
        one["card"]: "spoils" if one["to"] is None else f"{one['what']} {one['to']}"
        for one in data["cards"]
    }


def totals(data: dict) -> list[int]:
    """The totals of a fact `resolved`, by ascending seat."""
    return [owner["total"] for owner in data["owners"]]
