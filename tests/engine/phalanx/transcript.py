"""A game as people read it, written from its log: for golden files."""

from engine.phalanx.state import all_zones, zone_name
from engine.replay import GameLog, ResignEntry, replay, state_digest


def transcript(log: GameLog) -> str:
    """One paragraph per entry: who did what, what everybody saw, how the table stands."""
    setup = log.setup
    options = ", ".join(f"{name}={value}" for name, value in setup.options.items())
    lines = [
        f"{log.ruleset.title} (version {log.ruleset.id.version}), {setup.players} players",
        options,
        f"seed {setup.seed.hex()}",
        "",
    ]
    steps = replay(log.ruleset, setup, log.entries)
    first = next(steps)
    last = first.state
    lines += [line for fact in first.facts for line in _fact(fact)]
    lines += _seats(last)
    for number, (entry, step) in enumerate(zip(log.entries, steps, strict=True), start=1):
        if isinstance(entry, ResignEntry):
            lines.append(f"\n{number}. seat {entry.seat} resigns")
        else:
            source = "" if entry.source.value == "chosen" else f"  ({entry.source.value})"
            lines.append(f"\n{number}. seat {entry.seat}: {entry.move}{source}")
        lines += [line for fact in step.facts for line in _fact(fact)]
        if step.state.battle != last.battle or log.ruleset.is_choosing(step.state):
            lines += _seats(step.state)
        else:
            lines += _zones(step.state)
        last = step.state
    lines += ["", f"digest of the last state {state_digest(log.ruleset, last)}"]
    return "\n".join(lines) + "\n"


def _fact(fact):
    to = "" if fact.audience is None else f" [only to seat {fact.audience}]"
    who = "" if fact.seat is None else f" seat {fact.seat}"
    if fact.kind == "resolved":
        yield from _resolved(fact.data)
        return
    data = ", ".join(f"{key}={_plain(value)}" for key, value in fact.data.items())
    yield f"   {fact.kind}{who}{to}" + (f": {data}" if data else "")


def _resolved(data):
    """The sum of a zone, card by card."""
    yield f"   {data['zone']}:"
    for owner in data["owners"]:
        parts = [f"{_card(one)}" for one in owner["cards"]]
        parts += [f"{one['amount']} from {one['zone']}" for one in owner["received"]]
        flanks = "  (flanks)" if owner["flanks"] else ""
        yield f"      seat {owner['seat']}: {' + '.join(parts) or '-'} = {owner['total']}{flanks}"
    if data["winner"] is not None:
        verdict = f"seat {data['winner']} takes it"
    else:
        verdict = f"tie of {_plain(data['tied'])}" if data["tied"] else "nobody is left"
    moved = [
        f"{one['card']}{'' if one['up'] else '-'} of {one['seat']} {one['what']}"
        + ("" if one["to"] is None else f" {one['to']}")
        for one in data["cards"]
    ]
    yield f"      {verdict}" + (f": {', '.join(moved)}" if moved else "")
    if data["spoils_taken"] or data["spoils_taken_unseen"]:
        yield f"      spoils {_plain(data['spoils_taken'])} + {data['spoils_taken_unseen']} unseen"
    if "pot" in data:
        yield f"      pot {_plain(data['pot']['stakes'])} pays {_plain(data['pot']['paid'])}"


def _card(one):
    if one["counted"] == one["printed"]:
        return f"{one['card']} {one['counted']}"
    return f"{one['card']} {one['counted']} ({' '.join(one['why'])})"


def _plain(value):
    if isinstance(value, list):
        return "[" + " ".join(_plain(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + " ".join(f"{key}={_plain(item)}" for key, item in value.items()) + "}"
    if value is None:
        return "-"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _seats(state):
    for seat, own in enumerate(state.seats):
        chips = f"  chips {own.chips}" if state.setup.options["stakes"] != "cards" else ""
        chosen = f"  chosen {own.choice}" if own.choice else ""
        yield (
            f"   | seat {seat}  hand {' '.join(own.hand) or '-'}"
            f"  reserve {len(own.reserve)}{chips}{chosen}"
        )
    spoils = len(state.spoils_seen) + len(state.spoils_unseen)
    yield f"   | spoils {spoils}"


def _zones(state):
    """Zones with their cards (a minus sign: face down) and pots."""
    for zone in all_zones(state.ring):
        cards = " ".join(
            f"{lying.seat}:{lying.card}{'' if lying.up else '-'}" for lying in state.zones[zone]
        )
        pot = f"  pot {_plain(list(state.pots[zone]))}" if any(state.pots[zone]) else ""
        if cards or pot:
            yield f"   | {zone_name(zone)}  {cards or '-'}{pot}"
