"""What is measured against what, and what we aim at."""

from __future__ import annotations

from bench.compiled import FOLDER, CompiledGames
from bench.deadlines import Deadlines
from bench.games import RandomGames, Replays, random_log
from bench.measure import Batch, Contest
from bench.peers import ChessReplays, RlcardGames

UNO, GIN = "RLCard UNO", "RLCard Gin Rummy"
LOG_LENGTH = 1_000


def playouts() -> Contest:
    """Random games, all legal moves listed at every step, beside RLCard's environments."""
    games = {
        "phyliss, 4 seats": ("phyliss", 4, {}),
        "phyliss, 2 seats": ("phyliss", 2, {}),
        "cathedral, 4 seats": ("cathedral", 4, {}),
        "cathedral, 2 seats": ("cathedral", 2, {}),
        "phalanx, 4 seats": ("phalanx", 4, {}),
        "phalanx, 2 seats": ("phalanx", 2, {}),
        "phalanx, 3, chips": ("phalanx", 3, {"stakes": "zones"}),
        "phase10, 4 seats": ("phase10", 4, {}),
        "phase10-family, 4 seats": ("phase10-family", 4, {}),
    }
    batches: dict[str, Batch] = {name: RandomGames(*game) for name, game in games.items()}
    if (FOLDER / "engine").exists():
        batches |= {f"{name}, compiled": CompiledGames(*game) for name, game in games.items()}
    return Contest(
        "random playouts",
        "steps",
        {UNO: RlcardGames("uno"), GIN: RlcardGames("gin-rummy"), **batches},
        [
            (name, GIN if name.startswith("phase10") else UNO, 3 if "phase10" in name else 5)
            for name in batches
        ],
    )


def replays() -> Contest:
    """A log of 1,000 moves, each read from its text, beside python-chess doing the same."""
    games = {
        "phyliss": ("phyliss", 4, {"deals": 50}),
        "cathedral": ("cathedral", 4, {"deals": 50}),
        "phalanx": ("phalanx", 4, {"max_battles": 0}),
        "phase10": ("phase10", 4, {}),
    }
    batches = {name: Replays(random_log(*game, LOG_LENGTH)) for name, game in games.items()}
    peer = "python-chess push_san"
    return Contest(
        f"replay of a log of {LOG_LENGTH:,} moves",
        "moves",
        {peer: ChessReplays(LOG_LENGTH), **batches},
        [(name, peer, None) for name in games],
    )


def deadlines() -> Contest:
    """A look at time that finds a hundred deadlines due, with 1,000 and with 100,000 open."""
    few, many = Deadlines(1_000), Deadlines(100_000)
    return Contest(
        "a tick that finds 100 deadlines due",
        "deadlines",
        {
            "fired, 1,000 open": few.tick,
            "fired, 100,000 open": many.tick,
            "found, 1,000 open": few.find,
            "found, 100,000 open": many.find,
        },
        [
            ("fired, 100,000 open", "fired, 1,000 open", 1 / 3),
            ("found, 100,000 open", "found, 1,000 open", 1 / 3),
        ],
    )


CONTESTS = {"playouts": playouts, "replays": replays, "deadlines": deadlines}
