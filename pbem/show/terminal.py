"""A position for a terminal, drawn with rich: cards in colour, and readable without any.

Takes views as the engine gives them. Colour is never the only sign: suits are glyphs, and a card of
Phase 10 carries its letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from engine.api import JsonObject
from engine.cards import RANK_OF, SUIT_OF, card

GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
PAINT = {
    "R": "bold #ffffff on #b02626",
    "B": "bold #ffffff on #1f5fb8",
    "G": "bold #ffffff on #1e7d3c",
    "Y": "bold #1a1606 on #f2c531",
    "W": "bold #ffffff on #3a3440",
    "S": "bold #ffffff on #6d6d75",
}
PILE_SHOWN = 14

View = dict[str, Any]


class Flow:
    """Pieces in a line, broken only between them; `+` puts two behind each other."""

    def __init__(self, pieces: Iterable[Text | str] = ()) -> None:
        self.pieces = [Text(piece) if isinstance(piece, str) else piece for piece in pieces]

    def __add__(self, other: Flow) -> Flow:
        return Flow([*self.pieces, *other.pieces])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text()
        for piece in self.pieces:
            if line and line.cell_len + 1 + piece.cell_len > options.max_width:
                yield line
                line = Text()
            if line:
                line.append(" ")
            line.append_text(piece)
        yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [piece.cell_len for piece in self.pieces] or [0]
        return Measurement(max(widths), sum(widths) + len(widths) - 1).with_maximum(
            options.max_width
        )


Cell: TypeAlias = "Text | Flow | Group | str"


def draw(ruleset: str, view: JsonObject, names: Sequence[str]) -> RenderableType:
    """Draw the table as this view shows it; `names` by seat."""
    drawing = _TABLES.get(ruleset)
    return Text(str(view)) if drawing is None else drawing(view, names)


def card_text(face: str) -> Text:
    """Draw one card, face up."""
    if face[:1] in PAINT:
        return Text(f" {face} ", PAINT[face[0]])
    try:
        known = card(face)
    except ValueError:
        return Text(f" {face} ")
    colour = "#b3121d" if SUIT_OF[known] in "dh" else "#15181a"
    return Text(f" {RANK_OF[known]}{GLYPHS[SUIT_OF[known]]} ", f"bold {colour} on #f7f5ef")


def cards(faces: Iterable[str]) -> Flow:
    """Draw cards side by side, or say that there is none."""
    return Flow([card_text(face) for face in faces] or [Text("–", "dim")])


def hidden(count: int) -> Flow:
    """Draw so many cards face down."""
    return Flow([*[Text("▒▒", "blue")] * min(count, 5), f"{count} hidden"])


def _hand(seat: View) -> Flow:
    if seat["hand"] is not None:
        return cards(seat["hand"])
    known = seat.get("known") or []
    count = seat["hand_size"] - len(known)
    if not known:
        return hidden(count) if count else cards([])
    return cards(known) + Flow(["known"]) + (hidden(count) if count else Flow())


def _grid(titles: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Table:
    table = Table(title_justify="left", pad_edge=False, show_lines=True)
    for title in titles:
        table.add_column(title)
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return table


def _who(number: int, view: View, names: Sequence[str]) -> Text:
    name = Text(names[number], "bold")
    return name.append("\nto move", "yellow") if number in view["to_act"] else name


def _line(label: str, *what: Flow) -> Flow:
    return sum(what, Flow([f"{label}:"]))


def _heaps(view: View, pile: str) -> list[Flow]:
    """Say what lies in the middle."""
    top = view["pile"][::-1]
    lying = cards(top[:PILE_SHOWN])
    if len(top) > PILE_SHOWN:
        lying += Flow([f"and {len(top) - PILE_SHOWN} more"])
    lines = [_line(f"{pile}, top first" if len(top) > 1 else pile, lying)]
    if view["stock"]:
        lines.append(_line("Stock, top first", cards(view["stock"][::-1])))
    else:
        lines.append(_line("Stock", Flow([f"{view['stock_size']} left"])))
    if view["gone"] or view["gone_hidden"]:
        gone = cards(view["gone"]) if view["gone"] else Flow()
        if view["gone_hidden"]:
            gone += Flow([f"{view['gone_hidden']} unseen"])
        lines.append(_line("Out of the game", gone))
    return lines


# --- the games ------------------------------------------------------------------------------------


def _phyliss(view: View, names: Sequence[str]) -> RenderableType:
    rows = []
    for number, seat in enumerate(view["seats"]):
        blind = (
            cards(seat["blind_cards"])
            if seat["blind_cards"]
            else Flow(Text(f"▒{place}▒", "blue") for place in seat["blind"])
        )
        rows.append((_who(number, view, names), _place(seat), cards(seat["up"]), blind))
    return Group(*_heaps(view, "Pile"), _grid(("", "hand", "face up", "blind"), rows))


def _place(seat: View) -> Flow:
    if seat["resigned"]:
        return Flow(["left the game"])
    return Flow([f"out, place {seat['out']}"]) if seat.get("out") else _hand(seat)


def _cathedral(view: View, names: Sequence[str]) -> RenderableType:
    rows = []
    for number, seat in enumerate(view["seats"]):
        if view["choosing"]:
            chosen = Flow(["chosen" if seat["chosen"] else "not chosen yet"])
            reserve = cards(seat["choice"]) if seat["choice"] else chosen
        elif seat["reserve"] is None:
            reserve = hidden(seat["reserve_size"]) if seat["reserve_size"] else cards([])
        else:
            reserve = cards(seat["reserve"])
        rows.append((_who(number, view, names), _place(seat), reserve))
    return Group(*_heaps(view, "Pile"), _grid(("", "hand", "reserve"), rows))


def _phase10(view: View, names: Sequence[str]) -> RenderableType:
    rows: list[Sequence[Cell]] = []
    for number, seat in enumerate(view["seats"]):
        groups = Group(
            *(
                Flow([f"{number}.{place} {group['kind']}"]) + cards(group["cards"])
                for place, group in enumerate(view["groups"][number])
            )
        )
        states = [
            word
            for word, holds in (
                ("left the game", seat["resigned"]),
                ("floats", seat["floating"]),
                ("loses a turn", seat["skips"]),
            )
            if holds
        ]
        phase = f"{seat['phase']}: {seat['phase_words']}" + ", down" * seat["laid"]
        rows.append(
            (
                _who(number, view, names),
                "\n".join([phase, *states]),
                groups,
                _hand(seat),
                f"{seat['completed']}",
                f"{seat['score']}",
            )
        )
    titles = ("", "phase", "on the table", "hand", "done", "points")
    return Group(Text(f"Hand {view['deal']}"), *_heaps(view, "Discards"), _grid(titles, rows))


def _phalanx(view: View, names: Sequence[str]) -> RenderableType:
    plays_for_chips = view["pots"] is not None
    zones: list[Sequence[Cell]] = []
    for name, lying in view["zones"].items():
        shares = [
            seat for seat in view["ring"] if name in (view["seats"][seat]["zones"] or {}).values()
        ]
        where = (
            "middle" if name == "center" else "between " + " and ".join(names[s] for s in shares)
        )
        own = [_lying(lying, seat, names[seat]) for seat in shares]
        stakes = [f"{names[seat]} {view['pots'][name][seat]}" for seat in shares if plays_for_chips]
        zones.append((where, Group(*own), *(["\n".join(stakes)] * plays_for_chips)))
    rows: list[Sequence[Cell]] = []
    for number, seat in enumerate(view["seats"]):
        state = f"out since battle {seat['eliminated']}" if seat["eliminated"] else ""
        choosing = view["phase"] == "choosing" and number in view["ring"]
        choice = (
            card_text(seat["choice"])
            if seat["choice"]
            else Text("chosen" if seat["has_chosen"] else "–")
        )
        rows.append(
            (
                _who(number, view, names),
                Text(state) if state else _hand(seat),
                choice if choosing else "",
                f"{seat['reserve_size']}",
                f"{seat['aside_size']}",
                *([f"{seat['chips']}"] * plays_for_chips),
            )
        )
    chips = ("chips",) * plays_for_chips
    unseen = f"{view['spoils_unseen']} unseen" if view["spoils_unseen"] else ""
    spoils = (cards(view["spoils"]) if view["spoils"] else Flow()) + Flow([unseen] * bool(unseen))
    return Group(
        Text(f"Battle {view['battle']}"),
        _grid(("zone", "cards", *(("stakes",) * plays_for_chips)), zones),
        *([_line("Spoils", spoils)] if view["spoils"] or view["spoils_unseen"] else []),
        _grid(("", "hand", "opening", "reserve", "aside", *chips), rows),
    )


def _lying(lying: Iterable[View], seat: int, name: str) -> Flow:
    own = [one for one in lying if one["seat"] == seat]
    return Flow([name]) + Flow(
        card_text(one["card"]) if one["up"] else _face_down(one["card"]) for one in own
    )


def _face_down(face: str) -> Text:
    return Text(f"({card_text(face).plain.strip()})", "dim")


_TABLES: dict[str, Callable[[View, Sequence[str]], RenderableType]] = {
    "phyliss": _phyliss,
    "cathedral": _cathedral,
    "phalanx": _phalanx,
    "phase10": _phase10,
    "phase10-family": _phase10,
}
