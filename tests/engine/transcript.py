"""Write a game from its log as readable text for golden files.

Each entry has a paragraph with the move, the facts with their audiences, and the table.
"""

from collections.abc import Iterator
from typing import Any

from engine.phalanx.state import all_zones, zone_name
from engine.replay import GameLog, ResignEntry, replay, state_digest


def transcript(log: GameLog) -> str:
    """Return the transcript of a whole game, with the digest of its last state."""
    setup, tables = log.setup, TABLES[log.ruleset.id.name.partition("-")[0]]
    options = ", ".join(f"{name}={_plain(value)}" for name, value in setup.options.items())
    before_options = "\n" if tables is _phalanx else ", "
    title = f"{log.ruleset.title} (version {log.ruleset.id.version})"
    lines = [
        f"{title}, {setup.players} players{before_options}{options}",
        f"seed {setup.seed.hex()}",
        "",
    ]
    steps = replay(log.ruleset, setup, log.entries)
    step = next(steps)
    lines += [*_facts(step), *tables(log, None, None, step.state)]
    for number, entry in enumerate(log.entries, start=1):
        before, step = step, next(steps)
        if isinstance(entry, ResignEntry):
            lines.append(f"\n{number}. seat {entry.seat} resigns")
        else:
            source = "" if entry.source.value == "chosen" else f"  ({entry.source.value})"
            lines.append(f"\n{number}. seat {entry.seat}: {entry.move}{source}")
        lines += [*_facts(step), *tables(log, entry, before.state, step.state)]
    lines += ["", f"digest of the last state {state_digest(log.ruleset, step.state)}"]
    return "\n".join(lines) + "\n"


def _facts(step: Any) -> Iterator[str]:
    for fact in step.facts:
        if fact.kind == "resolved":
            yield from _resolved(fact.data)
            continue
        to = "" if fact.audience is None else f" [only to seat {fact.audience}]"
        who = "" if fact.seat is None else f" seat {fact.seat}"
        data = ", ".join(f"{key}={_plain(value)}" for key, value in fact.data.items())
        yield f"   {fact.kind}{who}{to}" + (f": {data}" if data else "")


def _plain(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list():
            return "[" + " ".join(map(_plain, value)) + "]"
        case dict():
            return "{" + " ".join(f"{key}={_plain(item)}" for key, item in value.items()) + "}"
        case _:
            return str(value)


def _pile(state: Any) -> str:
    return f"   | pile {' '.join(state.pile) or '-'}  stock {len(state.stock)}"


def _cathedral(log: GameLog, entry: Any, before: Any, state: Any) -> Iterator[str]:
    for seat, own in enumerate(state.seats):
        choice = f"  keeps {' '.join(own.choice)}" if own.choice else ""
        yield (
            f"   | seat {seat}  hand {' '.join(own.hand) or '-'}"
            f"  reserve {' '.join(own.reserve) or '-'}{choice}"
        )
    yield _pile(state)


def _phyliss(log: GameLog, entry: Any, before: Any, state: Any) -> Iterator[str]:
    for seat, own in enumerate(state.seats):
        blind = (f"{n}:{c}" for n, c in zip(own.blind_numbers, own.blind, strict=True))
        yield (
            f"   | seat {seat}  hand {' '.join(own.hand) or '-'}"
            f"  up {' '.join(own.up) or '-'}  blind {' '.join(blind) or '-'}"
        )
    yield _pile(state)


def _phase10(log: GameLog, entry: Any, before: Any, state: Any) -> Iterator[str]:
    """Yield lines with all seats at the beginning of a hand, otherwise with the seat that moved."""
    whole = before is None or state.deal != before.deal
    for seat in range(log.setup.players) if whole else (entry.seat,):
        own = state.seats[seat]
        groups = " / ".join(" ".join(group.cards) for group in state.groups[seat])
        signs = [
            f"phase {own.phase}",
            f"{own.score} points",
            *(["floats"] if own.is_floating else []),
            *([f"skips {own.skips}"] if own.skips else []),
            *([] if own.mark is None else [f"marked until seat {own.mark}"]),
            *([f"known {' '.join(own.known)}"] if own.known else []),
            *([f"groups {groups}"] if groups else []),
        ]
        yield f"   | seat {seat}  hand {' '.join(own.hand) or '-'}  ({', '.join(signs)})"
    if entry is not None:
        yield _pile(state)


def _phalanx(log: GameLog, entry: Any, before: Any, state: Any) -> Iterator[str]:
    """Yield lines with all seats at the beginning of a battle, then with the zones and pots.

    A minus sign means face down.
    """
    if before is None or state.battle != before.battle or log.ruleset.is_choosing(state):
        for seat, own in enumerate(state.seats):
            chips = f"  chips {own.chips}" if state.setup.options["stakes"] != "cards" else ""
            chosen = f"  chosen {own.choice}" if own.choice else ""
            yield (
                f"   | seat {seat}  hand {' '.join(own.hand) or '-'}"
                f"  reserve {len(own.reserve)}{chips}{chosen}"
            )
        yield f"   | spoils {len(state.spoils_seen) + len(state.spoils_unseen)}"
    else:
        for zone in all_zones(state.ring):
            cards = " ".join(
                f"{lying.seat}:{lying.card}{'' if lying.up else '-'}" for lying in state.zones[zone]
            )
            pot = f"  pot {_plain(list(state.pots[zone]))}" if any(state.pots[zone]) else ""
            if cards or pot:
                yield f"   | {zone_name(zone)}  {cards or '-'}{pot}"


def _resolved(data: dict[str, Any]) -> Iterator[str]:
    """Yield lines with the total of a zone of Phalanx, card by card."""
    yield f"   {data['zone']}:"
    for owner in data["owners"]:
        parts = [_counted(card) for card in owner["cards"]]
        parts += [f"{flank['amount']} from {flank['zone']}" for flank in owner["received"]]
        flanks = "  (flanks)" if owner["flanks"] else ""
        yield f"      seat {owner['seat']}: {' + '.join(parts) or '-'} = {owner['total']}{flanks}"
    if data["winner"] is not None:
        verdict = f"seat {data['winner']} takes it"
    else:
        verdict = f"tie of {_plain(data['tied'])}" if data["tied"] else "nobody is left"
    moved = [
        f"{card['card']}{'' if card['up'] else '-'} of {card['seat']} {card['what']}"
        + ("" if card["to"] is None else f" {card['to']}")
        for card in data["cards"]
    ]
    yield f"      {verdict}" + (f": {', '.join(moved)}" if moved else "")
    if data["spoils_taken"] or data["spoils_taken_unseen"]:
        yield f"      spoils {_plain(data['spoils_taken'])} + {data['spoils_taken_unseen']} unseen"
    if "pot" in data:
        yield f"      pot {_plain(data['pot']['stakes'])} pays {_plain(data['pot']['paid'])}"


def _counted(card: dict[str, Any]) -> str:
    if card["counted"] == card["printed"]:
        return f"{card['card']} {card['counted']}"
    return f"{card['card']} {card['counted']} ({' '.join(card['why'])})"


TABLES = {
    "cathedral": _cathedral,
    "phalanx": _phalanx,
    "phase10": _phase10,
    "phyliss": _phyliss,
}
