"""Define the contests: contenders, peers and the required ratios."""

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
from bench.measure import Aims, Batch, Contest
from bench.memory import Libraries, Serving
from bench.peers import ChessReplays, OpenSpielGames, RlcardGames
from bench.postgres import empty_database
from bench.sending import BareSending, Mails, Sending
from bench.sink import Sink
from bench.startup import BARE, Command
from bench.turns import Conventional, Intake, Replies

EIGHTS, RUMMY = "OpenSpiel crazy eights", "OpenSpiel gin rummy"
PEERS: dict[str, tuple[str, str, tuple[float, float]]] = {
    "phyliss": (EIGHTS, "RLCard UNO", (0.7, 1)),
    "cathedral": (EIGHTS, "RLCard UNO", (0.7, 1)),
    "phalanx": (RUMMY, "RLCard gin rummy", (3.5, 5)),
    "phase10": (RUMMY, "RLCard gin rummy", (2.5, 4)),
}
"""Game to its peers: similar games of OpenSpiel and RLCard, and the compiled rules' aims.

The aims are the required and the desired multiple of OpenSpiel's rate.
"""
LOG_LENGTH = 1_000
MANY_GAMES = 1_000_000
USED = 300


def playouts() -> Contest:
    """Compare random games that list all legal moves at every step with OpenSpiel and RLCard."""
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
    pairs: list[tuple[str, str, Aims]] = []
    for name in batches:
        quick, slow, aims = PEERS[name.partition(",")[0].partition("-")[0]]
        is_compiled = name.endswith("compiled")
        pairs += [(name, quick, aims if is_compiled else None), (name, slow, None)]
    peers: dict[str, Batch] = {
        EIGHTS: OpenSpielGames("crazy_eights", 4),
        RUMMY: OpenSpielGames("gin_rummy", 2),
        "RLCard UNO": RlcardGames("uno"),
        "RLCard gin rummy": RlcardGames("gin-rummy"),
    }
    return Contest("random playouts", "steps", {**peers, **batches}, pairs)


def replays() -> Contest:
    """Compare replaying a log of 1,000 moves from their texts with python-chess."""
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
    """Compare a clock tick with a hundred due deadlines among 100,000 open ones and among 1,000."""
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
            ("fired, 100,000 open", "fired, 1,000 open", (1 / 3, 1 / 1.2)),
            ("found, 100,000 open", "found, 1,000 open", (1 / 3, 1 / 1.2)),
        ],
    )


def turns() -> Contest:
    """Compare the handling of an answer, up to the queued messages, with a conventional program."""
    replies = Replies(House())
    peer = "conventional, SQLite"
    contenders: dict[str, Batch] = {
        "SQLite, under load": Intake(replies, one_by_one=False),
        "SQLite, one by one": Intake(replies, one_by_one=True),
        peer: Conventional(replies),
    }
    url = empty_database()
    if url is not None:
        contenders["PostgreSQL, under load"] = Intake(Replies(House(url)), one_by_one=False)
    pairs: list[tuple[str, str, Aims]] = [
        (name, peer, (0.7, 1.0) if name == "SQLite, under load" else None)
        for name in contenders
        if name != peer
    ]
    return Contest("replies handled", "replies", contenders, pairs)


def sending() -> Contest:
    """Compare rendering, storing, sending and marking messages with EmailMessage and aiosmtplib."""
    mails = Mails(House(), Sink())
    peer = "EmailMessage and aiosmtplib"
    return Contest(
        "messages sent over one connection to a server on this machine",
        "messages",
        {"send_due": Sending(mails), peer: BareSending(mails)},
        [("send_due", peer, (0.6, 0.75))],
    )


def logs() -> Contest:
    """Compare rebuilding a verified stream, and appending events, with `eventsourcing`."""
    house = House()
    places = {"SQLite": (house, on_sqlite(house.folder))}
    url, url_of_peer = empty_database(), empty_database()
    if url is not None and url_of_peer is not None:
        places["PostgreSQL"] = (House(url), on_postgres(url_of_peer))
    contenders: dict[str, Batch] = {}
    pairs: list[tuple[str, str, Aims]] = []
    for name, (ours, theirs) in places.items():
        peer = PeerLog(theirs)
        contenders[f"rebuild, {name}"] = Rebuild(ours)
        contenders[f"append, {name}"] = Append(ours)
        contenders[f"eventsourcing, rebuild, {name}"] = PeerRebuild(peer)
        contenders[f"eventsourcing, append, {name}"] = PeerAppend(peer)
        secret = f"eventsourcing with AES and zlib, rebuild, {name}"
        contenders[secret] = PeerRebuild(PeerLog({**theirs, **sealed()}))
        pairs += [
            (f"rebuild, {name}", f"eventsourcing, rebuild, {name}", (1.3, 2)),
            (f"rebuild, {name}", secret, (1.8, 3)),
            (f"append, {name}", f"eventsourcing, append, {name}", None),
        ]
    tables = "tables of `db rebuild`, SQLite"
    contenders[tables] = Tables(House())
    pairs.append((tables, "eventsourcing, rebuild, SQLite", None))
    return Contest(f"a stream of {LENGTH_OF_STREAM:,} events", "events", contenders, pairs)


def growth() -> Contest:
    """Compare a move with many and with few stored games, and in a long and in a short game."""
    few, many = filled_house(1_000), filled_house(MANY_GAMES)
    return Contest(
        "moves loaded, decided and recorded",
        "moves",
        {
            "1,000 games stored": Moves(few, 20),
            f"{MANY_GAMES:,} games stored": Moves(many, 20),
            "game of 20 events": Moves(few, 20),
            "game of 2,010 events": Moves(few, 2_010),
        },
        [
            (f"{MANY_GAMES:,} games stored", "1,000 games stored", (1 / 1.1, 1 / 1.05)),
            ("game of 2,010 events", "game of 20 events", (1 / 1.5, 1 / 1.2)),
        ],
    )


def startup() -> Contest:
    """Compare `pbem --help` and `pbem game list` with a Typer app with two commands."""
    house = House()
    file = str(house.folder / "bench.sqlite3")
    helps, opens = "a bare Typer app, --help", "a bare Typer app that opens the file"
    return Contest(
        "commands",
        "runs",
        {
            "pbem --help": Command("-m", "pbem", "--help"),
            helps: Command("-c", BARE, "--help"),
            "pbem game list": Command("-m", "pbem", "game", "list", house=house),
            opens: Command("-c", BARE, "one", file),
        },
        [("pbem --help", helps, (1 / 1.5, 1)), ("pbem game list", opens, (1 / 5, 1 / 4))],
    )


def machines() -> Contest:
    """Compare the processor time of a reply with two services on one PostgreSQL and with one."""
    url = empty_database()
    one, two = "one pbem serve", "two on one database"
    batches: dict[str, Batch] = {} if url is None else {one: Shared(url, 1), two: Shared(url, 2)}
    return Contest(
        "replies to services on PostgreSQL",
        "replies",
        batches,
        [(two, one, (1 / 1.15, 1))] if batches else [],
    )


def memory() -> Contest:
    """Compare the memory of `pbem serve` with its libraries alone, and before and after some work."""
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
    "sending": sending,
    "logs": logs,
    "growth": growth,
    "startup": startup,
    "memory": memory,
    "machines": machines,
}
