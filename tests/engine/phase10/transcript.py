"""A game as people read it, written from its log: for golden files."""

from engine.replay import GameLog, ResignEntry, replay, state_digest


def transcript(log: GameLog) -> str:
    """One paragraph per entry: who did what, what everybody saw, how the mover stands then."""
    setup = log.setup
    options = ", ".join(f"{name}={_plain(value)}" for name, value in setup.options.items())
    lines = [
        f"{log.ruleset.title} (version {log.ruleset.id.version}), {setup.players} players, {options}",
        f"seed {setup.seed.hex()}",
        "",
    ]
    steps = replay(log.ruleset, setup, log.entries)
    last = next(steps)
    lines += _told(last)
    lines += (_seat(last.state, seat) for seat in range(setup.players))
    for number, (entry, step) in enumerate(zip(log.entries, steps, strict=True), start=1):
        if isinstance(entry, ResignEntry):
            lines.append(f"\n{number}. seat {entry.seat} resigns")
        else:
            source = "" if entry.source.value == "chosen" else f"  ({entry.source.value})"
            lines.append(f"\n{number}. seat {entry.seat}: {entry.move}{source}")
        lines += _told(step)
        if step.state.deal != last.state.deal:
            lines += (_seat(step.state, seat) for seat in range(setup.players))
        else:
            lines.append(_seat(step.state, entry.seat))
        lines.append(f"   | pile {' '.join(step.state.pile) or '-'}  stock {len(step.state.stock)}")
        last = step
    lines += ["", f"digest of the last state {state_digest(log.ruleset, last.state)}"]
    return "\n".join(lines) + "\n"


def _told(step):
    for fact in step.facts:
        to = "" if fact.audience is None else f" [only to seat {fact.audience}]"
        who = "" if fact.seat is None else f" seat {fact.seat}"
        data = ", ".join(f"{key}={_plain(value)}" for key, value in fact.data.items())
        yield f"   {fact.kind}{who}{to}" + (f": {data}" if data else "")


def _plain(value):
    match value:
        case list():
            return "[" + " ".join(map(_plain, value)) + "]"
        case dict():
            return "{" + " ".join(f"{key}={_plain(item)}" for key, item in value.items()) + "}"
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)


def _seat(state, seat):
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
    return f"   | seat {seat}  hand {' '.join(own.hand) or '-'}  ({', '.join(signs)})"
