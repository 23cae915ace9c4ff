"""A position for a terminal, drawn with rich: cards in colour, and readable without any.

Takes views as the engine gives them. Colour is never the only sign: suits are glyphs, and a card of
Phase 10 carries its letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.api import JsonObject
from engine.cards import RANK_OF, SUIT_OF, card

GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
PAINT = {
    "R": "bold white on #b02626",
    "B": "bold white on #1f5fb8",
    "G": "bold white on #1e7d3c",
    "Y": "bold black on #f2c531",
    "W": "bold white on #3a3440",
    "S": "bold white on #6d6d75",
}
PILE_SHOWN = 14

View = dict[str, Any]


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


def cards_text(faces: Iterable[str]) -> Text:
    """Draw cards side by side, or say that there is none."""
    drawn = [card_text(face) for face in faces]
    return Text(" ").join(drawn) if drawn else Text("–", "dim")


def hidden_text(count: int) -> Text:
    """Draw so many cards face down."""
    return Text("▒▒ " * min(count, 5), "blue").append(f"{count} hidden", "default")


def _hand(seat: View) -> Text:
    if seat["hand"] is not None:
        return cards_text(seat["hand"])
    known = seat.get("known") or []
    hidden = seat["hand_size"] - len(known)
    if not known:
        return hidden_text(hidden) if hidden else Text("–", "dim")
    return (
        cards_text(known)
        .append(" known, " if hidden else " known")
        .append(hidden_text(hidden) if hidden else "")
    )


def _grid(titles: Sequence[str], rows: Iterable[Sequence[Text | str]]) -> Table:
    table = Table(title_justify="left", pad_edge=False, show_lines=True)
    for title in titles:
        table.add_column(title)
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return table


def _who(number: int, view: View, names: Sequence[str]) -> Text:
    name = Text(names[number], "bold")
    return name.append("\nto move", "yellow") if number in view["to_act"] else name


def _line(label: str, what: Text | str) -> Text:
    return Text(f"{label}: ").append(what)


def _heaps(view: View, pile: str) -> list[Text]:
    """Say what lies in the middle."""
    top = view["pile"][::-1]
    lying = cards_text(top[:PILE_SHOWN])
    if len(top) > PILE_SHOWN:
        lying.append(f" and {len(top) - PILE_SHOWN} more")
    lines = [_line(f"{pile}, top first" if len(top) > 1 else pile, lying)]
    if view["stock"]:
        lines.append(_line("Stock, top first", cards_text(view["stock"][::-1])))
    else:
        lines.append(_line("Stock", f"{view['stock_size']} left"))
    if view["gone"] or view["gone_hidden"]:
        gone = cards_text(view["gone"])
        if view["gone_hidden"]:
            gone.append(f" and {view['gone_hidden']} unseen")
        lines.append(_line("Out of the game", gone))
    return lines


# --- the games ------------------------------------------------------------------------------------


def _phyliss(view: View, names: Sequence[str]) -> RenderableType:
    rows = []
    for number, seat in enumerate(view["seats"]):
        blind = (
            cards_text(seat["blind_cards"])
            if seat["blind_cards"]
            else Text(" ".join(f"▒{place}▒" for place in seat["blind"]) or "–", "blue")
        )
        rows.append((_who(number, view, names), _place(seat), cards_text(seat["up"]), blind))
    return Group(*_heaps(view, "Pile"), _grid(("", "hand", "face up", "blind"), rows))


def _place(seat: View) -> Text:
    if seat["resigned"]:
        return Text("left the game", "dim")
    return Text(f"out, place {seat['out']}", "dim") if seat.get("out") else _hand(seat)


def _cathedral(view: View, names: Sequence[str]) -> RenderableType:
    rows = []
    for number, seat in enumerate(view["seats"]):
        if view["choosing"]:
            chosen = Text("chosen" if seat["chosen"] else "not chosen yet")
            reserve = cards_text(seat["choice"]) if seat["choice"] else chosen
        elif seat["reserve"] is None:
            reserve = hidden_text(seat["reserve_size"]) if seat["reserve_size"] else Text("–")
        else:
            reserve = cards_text(seat["reserve"])
        rows.append((_who(number, view, names), _place(seat), reserve))
    return Group(*_heaps(view, "Pile"), _grid(("", "hand", "reserve"), rows))


def _phase10(view: View, names: Sequence[str]) -> RenderableType:
    rows = []
    for number, seat in enumerate(view["seats"]):
        groups = Text("\n").join(
            Text(f"{number}.{place} {group['kind']} ").append_text(cards_text(group["cards"]))
            for place, group in enumerate(view["groups"][number])
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
                groups or Text("–", "dim"),
                _hand(seat),
                f"{seat['completed']}",
                f"{seat['score']}",
            )
        )
    titles = ("", "phase", "on the table", "hand", "done", "points")
    return Group(Text(f"Hand {view['deal']}"), *_heaps(view, "Discards"), _grid(titles, rows))


def _phalanx(view: View, names: Sequence[str]) -> RenderableType:
    plays_for_chips = view["pots"] is not None
    zones: list[Sequence[Text | str]] = []
    for name, lying in view["zones"].items():
        shares = [
            seat for seat in view["ring"] if name in (view["seats"][seat]["zones"] or {}).values()
        ]
        where = (
            "middle" if name == "center" else "between " + " and ".join(names[s] for s in shares)
        )
        own = [_lying(lying, seat, names[seat]) for seat in shares]
        stakes = [f"{names[seat]} {view['pots'][name][seat]}" for seat in shares if plays_for_chips]
        zones.append((where, Text("\n").join(own), *(["\n".join(stakes)] * plays_for_chips)))
    rows: list[Sequence[Text | str]] = []
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
    spoils = cards_text(view["spoils"]) if view["spoils"] else Text()
    spoils.append(" and " * bool(spoils and unseen) + unseen)
    return Group(
        Text(f"Battle {view['battle']}"),
        _grid(("zone", "cards", *(("stakes",) * plays_for_chips)), zones),
        *([_line("Spoils", spoils)] if view["spoils"] or view["spoils_unseen"] else []),
        _grid(("", "hand", "opening", "reserve", "aside", *chips), rows),
    )


def _lying(lying: Iterable[View], seat: int, name: str) -> Text:
    line = Text(f"{name} ")
    for one in lying:
        if one["seat"] == seat:
            shown = card_text(one["card"]) if one["up"] else Text(f"({one['card']})", "dim")
            line.append_text(shown).append(" ")
    return line


_TABLES: dict[str, Callable[[View, Sequence[str]], RenderableType]] = {
    "phyliss": _phyliss,
    "cathedral": _cathedral,
    "phalanx": _phalanx,
    "phase10": _phase10,
    "phase10-family": _phase10,
}
