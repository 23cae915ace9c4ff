"""What is measured against what, and what we aim at."""

from __future__ import annotations

from bench.compiled import FOLDER, CompiledGames
from bench.deadlines import Deadlines
from bench.games import RandomGames, Replays, random_log
from bench.growth import Moves, filled_house
from bench.house import House
from bench.logs import LENGTH as LENGTH_OF_STREAM
from bench.logs import (
    Append,
    PeerAppend,
    PeerLog,
    PeerRebuild,
    Rebuild,
    Tables,
    on_postgres,
    on_sqlite,
    sealed,
)
from bench.machines import Shared
from bench.measure import Batch, Contest, OnProcessor
from bench.memory import Libraries, Serving
from bench.peers import ChessReplays, RlcardGames
from bench.postgres import empty_database
from bench.sending import BareSending, Mails, Sending
from bench.sink import Sink
from bench.startup import BARE, Command
from bench.turns import BareIntake, Intake, Replies
from bench.whole import BareTurns, WholeTurns

UNO, GIN = "RLCard UNO", "RLCard Gin Rummy"
LOG_LENGTH = 1_000
MANY_GAMES = 1_000_000
USED = 300


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


def turns() -> Contest:
    """An answer from its bytes to the queued next mails, beside a bare parse and two bare commits."""
    contenders: dict[str, Batch] = {}
    pairs: list[tuple[str, str, float | None]] = []
    for name, is_full in (("SQLite, FULL", True), ("SQLite, NORMAL", False)):
        replies = Replies(House(is_full=is_full))
        floor = f"bare parse and commits, {name}"
        contenders[f"{name}, under load"] = Intake(replies, one_by_one=False)
        contenders[f"{name}, one by one"] = Intake(replies, one_by_one=True)
        contenders[floor] = BareIntake(replies, is_full=is_full)
        pairs += [(f"{name}, {how}", floor, 0.5) for how in ("under load", "one by one")]
    url = empty_database()
    if url is not None:
        name = "PostgreSQL, under load"
        contenders[name] = Intake(Replies(House(url)), one_by_one=False)
        pairs.append((name, "bare parse and commits, SQLite, FULL", None))
    return Contest("answers taken in", "mails", contenders, pairs)


def whole() -> Contest:
    """Moves from the bytes of the answer to the last mail that follows, beside the bare parts of it."""
    sink = Sink()
    full = WholeTurns(House(), sink)
    bare = BareTurns(full, sink)
    floor = "bare parse, commits, templates and sending, SQLite, FULL"
    contenders: dict[str, Batch] = {
        "SQLite, FULL": full,
        "SQLite, NORMAL": WholeTurns(House(is_full=False), sink),
    }
    url = empty_database()
    if url is not None:
        contenders["PostgreSQL"] = WholeTurns(House(url), sink)
    pairs = [(name, floor, None) for name in contenders]
    return Contest(
        "moves, from the answer to the last mail that follows",
        "moves",
        {**contenders, floor: bare, **bare.parts()},
        pairs,
    )


def sending() -> Contest:
    """Mails rendered, kept, sent and marked, beside bare EmailMessage and aiosmtplib."""
    mails = Mails(House(), Sink())
    floor = "EmailMessage and aiosmtplib"
    return Contest(
        "mails sent to a server on this machine, one connection",
        "mails",
        {"send_due": Sending(mails), floor: BareSending(mails)},
        [("send_due", floor, 0.5)],
    )


def logs() -> Contest:
    """A stream rebuilt with every check and rule, and events appended, beside `eventsourcing`."""
    house = House()
    places = {"SQLite": (house, on_sqlite(house.folder))}
    url, url_of_peer = empty_database(), empty_database()
    if url is not None and url_of_peer is not None:
        places["PostgreSQL"] = (House(url), on_postgres(url_of_peer))
    contenders: dict[str, Batch] = {}
    pairs: list[tuple[str, str, float | None]] = []
    for name, (ours, theirs) in places.items():
        peer = PeerLog(theirs)
        contenders[f"rebuild, {name}"] = OnProcessor(Rebuild(ours))
        contenders[f"append, {name}"] = Append(ours)
        contenders[f"eventsourcing, rebuild, {name}"] = OnProcessor(PeerRebuild(peer))
        contenders[f"eventsourcing, append, {name}"] = PeerAppend(peer)
        secret = f"eventsourcing with AES and zlib, rebuild, {name}"
        contenders[secret] = OnProcessor(PeerRebuild(PeerLog({**theirs, **sealed()})))
        pairs += [
            (f"rebuild, {name}", f"eventsourcing, rebuild, {name}", 1.3),
            (f"rebuild, {name}", secret, 1.8),
            (f"append, {name}", f"eventsourcing, append, {name}", None),
        ]
    tables = "tables of `db rebuild`, SQLite"
    contenders[tables] = OnProcessor(Tables(House()))
    pairs.append((tables, "eventsourcing, rebuild, SQLite", None))
    return Contest(f"a stream of {LENGTH_OF_STREAM:,} events", "events", contenders, pairs)


def growth() -> Contest:
    """A move with many games stored beside one with few; one in a long game beside a short one."""
    few, many = filled_house(1_000), filled_house(MANY_GAMES)
    return Contest(
        "a move, loaded, decided and recorded",
        "moves",
        {
            "1,000 games stored": Moves(few, 20),
            f"{MANY_GAMES:,} games stored": Moves(many, 20),
            "game of 20 events": Moves(few, 20),
            "game of 2,010 events": Moves(few, 2_010),
        },
        [
            (f"{MANY_GAMES:,} games stored", "1,000 games stored", 1 / 1.2),
            ("game of 2,010 events", "game of 20 events", 1 / 1.5),
        ],
    )


def startup() -> Contest:
    """`pbem --help` and `pbem game list` beside those of a Typer app with two commands."""
    house = House()
    file = str(house.folder / "bench.sqlite3")
    helps, opens = "a bare Typer app, --help", "a bare Typer app that opens the file"
    return Contest(
        "commands, by second of processor time",
        "runs",
        {
            "pbem --help": Command("-m", "pbem", "--help"),
            helps: Command("-c", BARE, "--help"),
            "pbem game list": Command("-m", "pbem", "game", "list", house=house),
            opens: Command("-c", BARE, "one", file),
        },
        [("pbem --help", helps, 1 / 1.5), ("pbem game list", opens, 1 / 4)],
    )


def machines() -> Contest:
    """Replies to two services on one PostgreSQL, beside one: what each costs of the processor."""
    url = empty_database()
    one, two = "one pbem serve", "two on one database"
    batches: dict[str, Batch] = {} if url is None else {one: Shared(url, 1), two: Shared(url, 2)}
    return Contest(
        "replies to services on PostgreSQL, by second of processor time",
        "mails",
        batches,
        [(two, one, 1 / 1.15)] if batches else [],
    )


def memory() -> Contest:
    """Memory of `pbem serve`, beside its libraries alone; and after some work, beside its beginning."""
    fresh, used, peer = "pbem serve", f"after {USED:,} replies", "its libraries alone"
    return Contest(
        "memory",
        "processes",
        {fresh: Serving(0), used: Serving(USED), peer: Libraries()},
        [(fresh, peer, None), (used, fresh, None)],
        per="GB",
    )


CONTESTS = {
    "playouts": playouts,
    "replays": replays,
    "deadlines": deadlines,
    "turns": turns,
    "whole": whole,
    "sending": sending,
    "logs": logs,
    "growth": growth,
    "startup": startup,
    "memory": memory,
    "machines": machines,
}
