"""Create positions of Phalanx for tests.

`table(seat("7c 8c"), seat("8h"), center="0:9c 1:10d", side0="0:Ks-")` is a complete state in the
middle of a battle. Zones contain owner and card, and a minus sign means face down. All other cards
are in the reserves: distributed evenly with `stakes=cards`, otherwise each in its owner's reserve.
"""

from engine.api import Seat, Setup
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
from tests.engine import playing
from tests.engine.playing import Position

RULES = Phalanx()
SEED = bytes(range(32))
ZONES = {"stakes": "zones"}


def cards(text: str) -> Cards:
    return tuple(card(word) for word in text.split())


def zone(text: str) -> Zone:
    """Parse a zone such as `0:9c 1:Ks-`: seat 0's nine face up, seat 1's king face down."""
    lying = []
    for word in text.split():
        owner, name = word.split(":")
        lying.append(TableCard(Seat(int(owner)), card(name.rstrip("-")), not name.endswith("-")))
    return tuple(lying)


def seat(hand: str = "", *, reserve: str | None = None, chips: int = 0, **more) -> SeatState:
    """Create a seat. If `reserve` is None, `table` fills it with the remaining cards."""
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
    """Create a position in which seat `to_act` plays. With None, seats are choosing their openings.

    Args:
        keep: seats whose reserve is not filled.
        fields: side zones such as `side0="…"`, and other fields of the state.
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
    """Put all cards that are not on the table yet into the reserves."""
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


class Game(Position):
    """A position of Phalanx in which tests play orders."""

    rules = RULES

    def zone(self, name: str) -> dict:
        """Return the data of the fact `resolved` of a zone in the last step."""
        (data,) = (data for data in self.facts("resolved") if data["zone"] == name)
        return data

    def lies(self, name: str) -> str:
        """Return the cards of a zone in the notation of `table`."""
        number = 0 if name == "center" else int(name[-1]) + 1
        return " ".join(
            f"{lying.seat}:{lying.card}{'' if lying.up else '-'}"
            for lying in self.state.zones[number]
        )


def betting(*chips: int, pots: dict | None = None, hand: int = 2, first: int = 0, **more) -> Game:
    """Create a betting window that has just opened.

    Args:
        chips: chips of each seat.
        hand: number of cards of each seat.
    """
    hands = [["2c", "3c", "4c", "5c", "6c", "7c"][:hand] for _ in chips]
    seats = [seat(" ".join(own), chips=count) for own, count in zip(hands, chips, strict=True)]
    state = table(*seats, to_act=first, options=ZONES | more.pop("options", {}),
                  pots=pots or {}, **more)  # fmt: skip
    return Game(state._replace(window_size=hand, phase=BETTING, window=open_window(state)))


def new(players: int, **options) -> Game:
    """Start a new game."""
    step = RULES.start(setup(players, **options))
    return Game(step.state, [step])


def texts(state: State, who: int) -> list[str]:
    return playing.orders_of(RULES, state, who)


def resolved(last: str, *, who: int = 0, players: int = 2, chips: int = 0, **more) -> Game:
    """Resolve a battle by letting seat `who` play the last card, as in `resolved("7s left", …)`."""
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
    """Return the totals of a fact `resolved`, by ascending seat."""
    return [owner["total"] for owner in data["owners"]]
