"""A game of Cathedral as people read it, written from its log: for golden files."""

from engine.replay import GameLog, ResignEntry, replay, state_digest


def transcript(log: GameLog) -> str:
    """One paragraph per entry: who did what, who is told what, how the table stands."""
    setup = log.setup
    options = ", ".join(f"{name}={value}" for name, value in setup.options.items())
    lines = [
        f"{log.ruleset.title} (version {log.ruleset.id.version}), {setup.players} players, {options}",
        f"seed {setup.seed.hex()}",
        "",
    ]
    steps = replay(log.ruleset, setup, log.entries)
    last = next(steps)
    lines += [*_told(last), *_table(last.state)]
    for number, (entry, step) in enumerate(zip(log.entries, steps, strict=True), start=1):
        if isinstance(entry, ResignEntry):
            lines.append(f"\n{number}. seat {entry.seat} resigns")
        else:
            source = "" if entry.source.value == "chosen" else f"  ({entry.source.value})"
            lines.append(f"\n{number}. seat {entry.seat}: {entry.move}{source}")
        lines += [*_told(step), *_table(step.state)]
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


def _table(state):
    for seat, own in enumerate(state.seats):
        choice = f"  keeps {' '.join(own.choice)}" if own.choice else ""
        yield (
            f"   | seat {seat}  hand {' '.join(own.hand) or '-'}"
            f"  reserve {' '.join(own.reserve) or '-'}{choice}"
        )
    yield f"   | pile {' '.join(state.pile) or '-'}  stock {len(state.stock)}"
