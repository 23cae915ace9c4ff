"""A game as people read it, written from its log: for golden files."""

from engine.replay import GameLog, ResignEntry, replay, state_digest


def transcript(log: GameLog) -> str:
    """One paragraph per entry: who did what, what everybody saw, how the table stands."""
    setup = log.setup
    options = ", ".join(f"{name}={value}" for name, value in setup.options.items())
    lines = [
        f"{log.ruleset.title} (version {log.ruleset.id.version}), {setup.players} players, {options}",
        f"seed {setup.seed.hex()}",
        "",
    ]
    steps = replay(log.ruleset, setup, log.entries)
    first = next(steps)
    lines += [*_told(first), *_table(first.state)]
    for number, (entry, step) in enumerate(zip(log.entries, steps, strict=True), start=1):
        if isinstance(entry, ResignEntry):
            lines.append(f"\n{number}. seat {entry.seat} resigns")
        else:
            source = "" if entry.source.value == "chosen" else f"  ({entry.source.value})"
            lines.append(f"\n{number}. seat {entry.seat}: {entry.move}{source}")
        lines += [*_told(step), *_table(step.state)]
        last = step.state
    lines += ["", f"digest of the last state {state_digest(log.ruleset, last)}"]
    return "\n".join(lines) + "\n"


def _told(step):
    for fact in step.facts:
        to = "" if fact.audience is None else f" [only to seat {fact.audience}]"
        who = "" if fact.seat is None else f" seat {fact.seat}"
        data = ", ".join(f"{key}={_plain(value)}" for key, value in fact.data.items())
        yield f"   {fact.kind}{who}{to}" + (f": {data}" if data else "")


def _plain(value):
    if isinstance(value, list):
        return "[" + " ".join(_plain(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + " ".join(f"{key}={_plain(item)}" for key, item in value.items()) + "}"
    return (
        {None: "-", True: "yes", False: "no"}.get(value, value) if _is_word(value) else str(value)
    )


def _is_word(value):
    return value is None or isinstance(value, bool)


def _table(state):
    for seat, own in enumerate(state.seats):
        blind = (f"{n}:{c}" for n, c in zip(own.blind_numbers, own.blind, strict=True))
        yield (
            f"   | seat {seat}  hand {' '.join(own.hand) or '-'}"
            f"  up {' '.join(own.up) or '-'}  blind {' '.join(blind) or '-'}"
        )
    yield f"   | pile {' '.join(state.pile) or '-'}  stock {len(state.stock)}"
