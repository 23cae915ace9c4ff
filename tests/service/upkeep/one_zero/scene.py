"""Create games of every kind, in mid-game, for the stored database of version 1.0.0.

`make` runs this with the program of 1.0.0, so it uses only functions of that program.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

from engine import registry
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.domain.terms.tokens import PlayerToken
from pbem.service.admin import acts
from pbem.service.lobby import creation as lobby
from pbem.service.upkeep import pruning
from pbem.store.db import migrating
from pbem.store.db.uow import Store
from pbem.store.post.pruning import Pruning
from pbem.store.seal import keyring
from tests.databases import RING
from tests.service.conftest import Table, make_table
from tests.service.league.club import Club

DAY = 86400
FILES = ("database.sqlite3", "pbem.keys", "mails.json")


class Scene:
    """The games by name, at one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.games: dict[str, str] = {}

    def begin(self, name: str, players: int = 2, plies: int = 0, **options: object) -> Game:
        """Begin a game under a name, and let the seats play some plies."""
        self.games[name] = self.table._new_game(players, len(self.games) + 1, **options).id
        for seat in range(players):
            self.write(name, seat, "join")
        return self.table.skip(self.table.game(self.games[name]), plies)

    def write(self, name: str, seat: int, text: str) -> None:
        """Answer a seat's newest message about a game."""
        game = self.table.game(self.games[name])
        mails = self.table.mails_to(seat)
        to = next(mail.reply_to for mail in reversed(mails) if game.id in mail.reply_to)
        self.table.answer(seat, text, to=to)


def play(scene: Scene) -> None:
    """Begin a game of every kind, and stop in the middle of each."""
    table = scene.table
    for ruleset in registry.names():
        scene.begin(ruleset, 3, plies=25, ruleset=ruleset)
    for ruleset in ("cathedral", "phalanx"):  # secret choices, of which one is made
        game = scene.begin(f"choices in {ruleset}", 3, ruleset=ruleset)
        seat, order = table.standby(game)
        scene.write(f"choices in {ruleset}", seat, order)
    scene.games["invited"] = table._new_game(3, 20).id
    scene.write("invited", 0, "join phrase: green tea")
    _votes(scene)
    _time(scene)
    scene.begin("finished", 2, plies=400, deals=1)
    scene.begin("stopped", 2, plies=5)
    acts.stop(table.service, scene.games["stopped"], "Nobody has time.")
    _people(scene)


def _votes(scene: Scene) -> None:
    game = scene.begin("undo", 2, plies=4)
    seat, order = scene.table.standby(game)
    scene.write("undo", seat, order)
    scene.write("undo", seat, "undo")
    scene.write("undo", 1 - seat, "yes")
    scene.begin("pause asked", 3, plies=2)
    scene.write("pause asked", 0, "pause")
    scene.begin("paused", 2, plies=2)
    scene.write("paused", 0, "pause")
    scene.write("paused", 1, "yes")


def _time(scene: Scene) -> None:
    table = scene.table
    for policy in ("bot", "ask", "wait", "standby"):
        timing = Timing(DAY, on_timeout=policy, bank=DAY // 2)  # type: ignore[arg-type]
        scene.begin(policy, 2, plies=2, timing=timing)
    table.clock.forward(days=2)
    table.run()
    game = scene.begin("orders", 2, plies=2, ruleset="phyliss")
    waiting = 1 - table.standby(game)[0]
    scene.write("orders", waiting, "next: pickup\nsay hello to all of you")
    scene.begin("away", 3, plies=2, timing=Timing(DAY, max_vacation=20))
    day = f"{table.clock.now():%Y-%m-}"
    scene.write("away", 0, f"vacation {day}25 to {day}27")


def _people(scene: Scene) -> None:
    table = scene.table
    scene.begin("dispute", 2, plies=3)
    scene.write("dispute", 0, "dispute I never made that move")
    lobby.add_player(table.service, lobby.Person("Wendy", "wendy@example.org"))
    game = scene.begin("watched", 2, plies=3)
    with table.service.store.reading() as uow:
        wendy = uow.players.by_address("wendy@example.org")
    assert wendy is not None
    to = table.service.tokens.address(PlayerToken(wendy.id, wendy.rotation))
    table.answer(0, f"observe {game.id}", to=to, sender="wendy@example.org")
    for seat in (0, 1):
        if table.game(game.id).motions:
            scene.write("watched", seat, "yes")
    scene.write("watched", 1, "language de\nreminders 24h 4h")
    club = Club(table, ("Anna", "Bob"))
    club.write("Anna", "challenge bob at phyliss", to="game@play.example.org")
    (challenge,) = (one for one in club.running() if one.is_challenge)
    scene.games["challenge"] = challenge.id
    scene.write("challenge", 1, "join")
    table.skip(table.game(challenge.id), 10)


def prune(table: Table) -> None:
    """Delete the bytes of handled messages like `pbem mail prune`, to keep the file small."""
    table.clock.forward(seconds=1)
    now = table.clock.now()
    with table.service.store.reading() as uow:
        old = Pruning(uow.connection, uow.envelopes)
        mails_in, mails_out = (
            find((None, now), of_all_games=True) for find in (old.mails_in, old.mails_out)
        )
    found = pruning.Found(
        now, tuple(mail.id for mail in mails_in), tuple(mail.id for mail in mails_out), 0
    )
    pruning.prune(table.service, found, lambda _: None)


def mails(scene: Scene) -> dict[str, list[dict[str, str]]]:
    """Return recipient and reply address of the newest message about each game to each player."""
    found: dict[str, list[dict[str, str]]] = {}
    for name, game_id in scene.games.items():
        newest = {
            mail.rcpt_to: mail.reply_to
            for mail in scene.table.delivery.mails
            if f"+s-{game_id}" in mail.reply_to
        }
        found[name] = [{"to": to, "reply_to": reply_to} for to, reply_to in newest.items()]
    return found


def write(folder: Path) -> None:
    """Play the games, and write the database, its keys and the messages to answer."""
    keyring.write(folder / FILES[1], RING)
    store = Store(f"sqlite:///{folder / FILES[0]}", keys=lambda: RING, mac_keys=[b"k" * 32])  # type: ignore[call-arg]  # of 1.0.0
    migrating.upgrade(store)
    table = make_table(store)
    scene = Scene(table)
    play(scene)
    prune(table)
    state = {
        "now": table.clock.now().isoformat(),
        "games": scene.games,
        "mails": mails(scene),
    }
    (folder / FILES[2]).write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
    store.close()
    with sqlite3.connect(folder / FILES[0], isolation_level=None) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("VACUUM")
    connection.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
