"""Layout of Phalanx's zones in mails: around the reader, in three columns.

The lower row contains the reader's own zones (left, middle, right). In the upper row, each
neighbour is above the zone that they share with the reader. Text and HTML have the same cells.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any, Final

from engine.api import Fact
from pbem.games.profile import profile_of
from pbem.mail_out.content import GameMail, ListedMove
from pbem.mail_out.texts import card_text, columns, padded

CENTER: Final = "center"
PLACES: Final = ("left", CENTER, "right")
_RING_OF_THREE: Final = 3
_MAX_LINES: Final = 11
"""Maximum number of lines of cards above the moves. With more, the moves come first."""
_LONGEST_NAME: Final = 8
_COLUMN: Final = 22
_GAP: Final = 2
_INDENT: Final = 2
_PIXELS, _PER_LETTER, _PER_CARD = 94, 8, 32
"""Width of a zone on a phone, and of a letter and a card, in pixels."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The cards of one seat in a zone, in order, each with `card` and `up`."""

    seat: int
    cards: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone with its cards by owner. Owners are in seat order with the reader last.

    Owners without cards are omitted.

    Attributes:
        name: name used by the engine, `center` or `side:S`.
        place: left, center or right for the reader's own zones, as in the log. Empty for other
            zones.
        seats: seats that share the zone, starting with the reader, then clockwise.
        stakes: chips of each of these seats, or empty in games without chips.
    """

    name: str
    place: str
    seats: tuple[int, ...]
    owners: tuple[Owner, ...]
    stakes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A listed move into a zone: its number and link, the card, and the card that a king takes."""

    move: ListedMove
    card: str
    place: str
    target: str
    owner: str


@dataclass(frozen=True, slots=True)
class Bets:
    """A listed move with one or more bets. `word` and `by` are empty if they differ."""

    move: ListedMove
    places: tuple[str, ...]
    word: str
    by: str


@dataclass(frozen=True)
class Table:
    """Values for the templates of Phalanx's table."""

    mail: GameMail
    names: Sequence[str]

    @cached_property
    def me(self) -> int:
        """Return the reader's seat."""
        return self.mail.reader

    @cached_property
    def ring(self) -> list[int]:
        """Return the seats of the battle clockwise from the reader's left, with the reader last."""
        view: Any = self.mail.view
        ring: list[int] = [*view["ring"]]
        index = ring.index(self.me) + 1 if self.me in ring else 0
        return ring[index:] + ring[:index]

    @cached_property
    def zones(self) -> dict[str, Zone]:
        """Return all zones by name."""
        view: Any = self.mail.view
        own = view["seats"][self.me]["zones"] if self.me in self.ring else {}
        mine = {name: place for place, name in own.items()}
        result = {}
        for name, lying in view["zones"].items():
            seats = [
                one for one in self.ring if name in (view["seats"][one]["zones"] or {}).values()
            ]
            seats.sort(key=lambda seat: seat != self.me)
            rows = sorted(range(len(view["seats"])), key=lambda one: (one == self.me, one))
            owners = [
                Owner(seat, cards)
                for seat in rows
                if (cards := [one for one in lying if one["seat"] == seat])
            ]
            pot = view["pots"][name] if view["pots"] is not None else None
            stakes = () if pot is None else tuple(pot[seat] for seat in rows if seat in seats)
            result[name] = Zone(name, mine.get(name, ""), tuple(seats), tuple(owners), stakes)
        return result

    @cached_property
    def own(self) -> list[Zone]:
        """Return the reader's zones: left, center, right. Empty if the reader is out of the game."""
        by_place = {zone.place: zone for zone in self.zones.values()}
        return [by_place[place] for place in PLACES if place in by_place]

    @cached_property
    def others(self) -> list[Zone]:
        """Return the zones of other players, clockwise from the reader's left."""
        order = [f"side:{seat}" for seat in self.ring]
        rest = [zone for zone in self.zones.values() if not zone.place]
        return sorted(rest, key=lambda zone: order.index(zone.name) if zone.name in order else -1)

    @cached_property
    def is_triangle(self) -> bool:
        """True if the three zones of a table of three have fixed positions on the page."""
        return len(self.ring) == _RING_OF_THREE and bool(self.own)

    @cached_property
    def is_crowded(self) -> bool:
        """True if the table would push the moves off the first screen of a phone."""
        rows = [self.own, self.others if self.is_triangle else []]
        lines = sum(max((self._lines(zone) for zone in row), default=0) for row in rows)
        return lines > _MAX_LINES

    def _lines(self, zone: Zone) -> int:
        """Estimate how many lines the cards of a zone take up on a phone."""
        return sum(
            -(
                -(_PER_LETTER * columns(self.short(owner.seat)) + _PER_CARD * len(owner.cards))
                // _PIXELS
            )
            for owner in zone.owners
        ) + bool(zone.stakes)

    @cached_property
    def has_down(self) -> bool:
        """True if any card is face down."""
        return any(
            not card["up"]
            for zone in self.zones.values()
            for own in zone.owners
            for card in own.cards
        )

    def shorts(self, zone: Zone) -> list[str]:
        """Return the names of the players who share a zone, in seat order."""
        return [self.short(seat) for seat in sorted(zone.seats)]

    def counted(self, key: str, smallest: int) -> list[int]:
        """Return the active seats with at least `smallest` of something, the reader last.

        The reader's own hand and reserve are not counted, because they are shown.
        """
        seats: Any = self.mail.view["seats"]
        return [
            seat
            for seat in sorted(range(len(seats)), key=lambda one: (one == self.me, one))
            if not seats[seat]["eliminated"]
            and (seats[seat][key] or 0) >= smallest
            and (seat, key) not in ((self.me, "hand_size"), (self.me, "aside_size"))
        ]

    def short(self, seat: int) -> str:
        """Return a player's name for a zone, cut at eight characters."""
        return self.short_of(self.names[seat])

    @cached_property
    def neighbours(self) -> Mapping[str, int]:
        """Map places to the neighbours whose names refer to side zones in orders."""
        sides = profile_of(self.mail.ruleset).sides
        return {} if sides is None else sides(self.mail.view, self.mail.called)

    def partner(self, zone: str, fact: Fact) -> int | None:
        """Return the seat that shared a side zone with the seat of a fact at that time."""
        others = [seat for seat in self._sharers(zone, fact) if seat != fact.seat]
        return others[0] if others and zone != CENTER else None

    def players(self, fact: Fact) -> int:
        """Return the number of players in the battle of a fact. Two players share both sides."""
        return len(self._sharers(CENTER, fact))

    def _sharers(self, zone: str, fact: Fact) -> list[int]:
        """Return the seats that shared a zone in the battle of a fact, which may have ended."""
        happened = self.mail.happened
        index = happened.index(fact) if fact in happened else len(happened)
        ends = [fact_.kind == "battle_over" for fact_ in happened]
        first = max((end + 1 for end in range(index) if ends[end]), default=0)
        facts: Any = [
            fact_.data
            for number, fact_ in enumerate(happened)
            if fact_.kind == "resolved" and number >= first and not any(ends[index:number])
        ]
        for fact_ in facts:
            if fact_["zone"] == zone:
                return [owner["seat"] for owner in fact_["owners"]]
        return [*self.zones[zone].seats] if zone in self.zones else []

    def short_of(self, name: str) -> str:
        """Return a name in a move, cut like `short`."""
        return name if columns(name) <= _LONGEST_NAME else padded(name, _LONGEST_NAME).rstrip()

    # --- moves ------------------------------------------------------------------------------------

    @cached_property
    def plays(self) -> list[Play]:
        """Return the listed moves that put a card into a zone."""
        return [play for move in self.mail.moves if (play := _play(move)) is not None]

    @cached_property
    def rest(self) -> list[ListedMove]:
        """Return the listed moves that put no card into a zone."""
        played = {play.move.number for play in self.plays}
        return [move for move in self.mail.moves if move.number not in played]

    @cached_property
    def rows(self) -> list[tuple[str, list[Play | None]]]:
        """Return the plays in rows by card: a cell per zone, and more rows for a king's targets."""
        under = {
            card: [
                [one for one in self.plays if (one.card, one.place) == (card, at)] for at in PLACES
            ]
            for card in dict.fromkeys(play.card for play in self.plays)
        }
        return [
            (card, [*cells]) for card, columns in under.items() for cells in zip_longest(*columns)
        ]

    @cached_property
    def examples(self) -> list[ListedMove]:
        """Return moves of one card without a target, as examples of the syntax."""
        plain = [play for play in self.plays if not play.target]
        return [play.move for play in plain if play.card == plain[0].card]

    @cached_property
    def openings(self) -> list[ListedMove]:
        """Return the opening cards to choose from."""
        return [move for move in self.rest if move.text.startswith("open ")]

    def opened(self, move: ListedMove) -> str:
        """Return the card of an opening move."""
        return order_of(move).removeprefix("open ")

    @cached_property
    def bets(self) -> list[Bets]:
        """Return the listed bets."""
        return [bets for move in self.rest if (bets := _bets(move)) is not None]

    @cached_property
    def single(self) -> list[ListedMove]:
        """Return the moves with neither card nor zone: check, pass."""
        others = {id(move) for move in (*self.openings, *(bets.move for bets in self.bets))}
        return [move for move in self.rest if id(move) not in others]

    @cached_property
    def bets_of_one(self) -> list[list[Bets]]:
        """Return the bets on one zone, grouped by verb and amount."""
        single = [bets for bets in self.bets if len(bets.places) == 1]
        kinds = sorted({(bets.word, bets.by) for bets in single})
        return [[bets for bets in single if (bets.word, bets.by) == kind] for kind in kinds]

    @cached_property
    def bets_of_several(self) -> list[list[Bets]]:
        """Return the bets on several zones, grouped by verb and amount if these are equal."""
        several = [bets for bets in self.bets if len(bets.places) > 1]
        several.sort(key=lambda bets: [PLACES.index(place) for place in bets.places])
        several.sort(key=lambda bets: len(bets.places))
        kinds = sorted(
            {(bets.word, bets.by) for bets in several}, key=lambda kind: (not kind[0], kind)
        )
        return [[bets for bets in several if (bets.word, bets.by) == kind] for kind in kinds]

    def by_place(self, bets: Sequence[Bets]) -> list[Bets | None]:
        """Return bets on one zone in the three columns of the table."""
        bets_by_place = {bet.places[0]: bet for bet in bets}
        return [bets_by_place.get(place) for place in PLACES]

    # --- text -------------------------------------------------------------------------------------

    @cached_property
    def is_grid(self) -> bool:
        """True if the moves are listed under their zones, because all of them play a card."""
        return bool(self.plays) and not self.rest

    def titles(self, say: Callable[..., str]) -> list[str]:
        """Return the titles of the reader's zones."""
        return [say("zone_title", zone) for zone in self.own]

    def moves_grid(self, titles: Sequence[str]) -> str:
        """Return the plays as lines, each card under its zone."""
        stacks = [
            [title, *(_cell(cells[index]) for _, cells in self.rows)]
            for index, title in enumerate(titles)
        ]
        return side_by_side(stacks)

    def grid(self, cells: Sequence[Sequence[str]]) -> str:
        """Return zones side by side."""
        return side_by_side(cells)

    def drawn(self, zone: Zone, title: str, you: str, also: str, foot: str = "") -> list[str]:
        """Return a zone as lines of one column: title, owners with cards, foot."""
        names = {
            owner.seat: you if owner.seat == self.me else self.short(owner.seat)
            for owner in zone.owners
        }
        width = max(map(columns, names.values()), default=0)
        lines = [title]
        for one in zone.owners:
            line = padded(names[one.seat], width)
            for text in _bracketed(one.cards):
                if columns(f"{line} {text}") > _COLUMN:
                    lines.append(line)
                    line = padded(also, width)
                line += f" {text}"
            lines.append(line)
        return [*lines, *textwrap.wrap(foot, _COLUMN)]


def order_of(move: ListedMove) -> str:
    """Return a listed move as written in the log."""
    return move.order or move.text


def _play(move: ListedMove) -> Play | None:
    played, _, taken = order_of(move).partition(" x ")
    words = played.split()
    if len(words) != len(("play", "card", "place")) or words[0] != "play":
        return None
    target, _, owner = taken.partition("@")
    return Play(move, words[1], words[2], target, owner)


def _bets(move: ListedMove) -> Bets | None:
    parts = [bet.split() for bet in order_of(move).split(", ")]
    if not all(bet[0] in ("raise", "match") for bet in parts):
        return None
    kinds = {(bet[0], "".join(bet[2:])) for bet in parts}
    word, by = kinds.pop() if len(kinds) == 1 else ("", "")
    return Bets(move, tuple(bet[1] for bet in parts), word, by)


def _bracketed(cards: Sequence[Mapping[str, Any]]) -> list[str]:
    """Format cards as text. Face-down cards come last, in brackets."""
    up = [card_text(card["card"]) for card in cards if card["up"]]
    down = [card_text(card["card"]) for card in cards if not card["up"]]
    if down:
        down[0] = f"({down[0]}"
        down[-1] = f"{down[-1]})"
    return up + down


def _cell(play: Play | None) -> str:
    if play is None:
        return ""
    owner = f"@{play.owner}" if play.owner else ""
    target = f" x {card_text(play.target)}{owner}" if play.target else ""
    return f"{play.move.number}  {card_text(play.card)}{target}"


def side_by_side(cells: Sequence[Sequence[str]]) -> str:
    """Join up to three columns of lines side by side, aligned with spaces."""
    lines = []
    for index in range(max(map(len, cells), default=0)):
        line = " " * _INDENT
        for number, cell in enumerate(cells):
            start = _INDENT + number * (_COLUMN + _GAP)
            line = padded(line, start) if columns(line) < start else line
            line += cell[index] if index < len(cell) else ""
        lines.append(line.rstrip())
    return "\n".join(lines)
