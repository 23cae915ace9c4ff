"""Switch on public pages for a table of tests, and read the files in their folder."""

from __future__ import annotations

import base64
import re
import zlib
from datetime import timedelta
from pathlib import Path

from pbem.domain.league import decide
from pbem.domain.league.decide import LeagueDecision
from pbem.domain.league.order import LeagueOrder
from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.domain.words.game_order import GameOrder
from pbem.sections import Pages
from pbem.service.league.changing import record
from pbem.service.pages import building
from pbem.store.rows.game_rows import GAME, SEAT
from pbem.store.rows.standing_rows import RESULT
from tests.service.conftest import Table, configured

URL = "https://cards.example.org/club"
_PACKED = re.compile(r'id="data">([^{]*?)</script>')


def with_pages(table: Table, folder: Path) -> Table:
    """Switch on public pages in a folder and return the table."""
    table.service = configured(table.service, pages=Pages(folder=folder, url=URL))
    return table


def with_league(table: Table, game: Game, name: str = "winter") -> None:
    """Create a league whose first round has this game as its only table."""
    service, most, week = table.service, len(game.seats), timedelta(days=7)
    decision = LeagueDecision(GameId(f"league:{name}"), service.now(), "system", None)
    order = LeagueOrder(
        GameOrder(game.ruleset.id.name), rounds=2, table_size=most, round_time=week, sign_up=week
    )
    decide.create(decision, order, name, Timing(3 * 86400), bytes(32))
    for seat in game.seats:
        decide.join(decision, seat.player)
    decide.draw_round(decision, decide.next_draw(decision.existing()), lambda: game.id, week)
    with service.store.unit_of_work() as uow:
        record(uow, decision)


def with_ladder(table: Table, game: Game) -> None:
    """Make a game a challenge on its ladder.

    Two of its players are already on the ladder because of an older game without a page.
    """
    ended = {"ruleset": game.ruleset.id.name, "finished_at": table.service.now()}
    over = {"id": "elder", "status": "inviting", "version": 1, "is_challenge": True, **ended}
    with table.service.store.unit_of_work() as uow:
        row = uow.connection.execute(GAME.select().where(GAME.c.id == game.id)).one()._asdict()
        uow.connection.execute(GAME.insert().values(row | over))
        uow.connection.execute(GAME.update().values(is_challenge=True))
        for number, seat in enumerate(game.seats[:2]):
            of = {"game_id": "elder", "seat": number, "player_id": seat.player}
            uow.connection.execute(SEAT.insert().values(**of, status="joined"))
            result = {**of, **ended, "place": number + 1, "sat_out": False}
            uow.connection.execute(RESULT.insert().values(result))


def text_of(folder: Path, name: str) -> str:
    """Return the text of a file."""
    return (folder / name).read_text(encoding="utf-8")


def files(folder: Path) -> dict[str, bytes]:
    """Return the content of every file in a folder by its path, except the lock."""
    found = (file for file in folder.rglob("*") if file.is_file() and file.name != ".lock")
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}


def opened(data: bytes) -> str:
    """Return the text of a page with its packed data decoded.

    A search in the base64 text itself could find a name by chance.
    """
    text = data.decode()
    packed = _PACKED.search(text)
    if packed is None:
        return text
    inside = zlib.decompress(base64.b64decode(packed[1])).decode()
    return f"{text.replace(packed[1], 'DATA')}\n{inside}"


def build_anew(table: Table, folder: Path) -> dict[str, bytes]:
    """Return the files of a build into an empty folder. The table's own folder does not change."""
    section = table.service.config.pages
    assert section is not None
    with_pages(table, folder)
    building.build(table.service)
    assert section.folder is not None
    with_pages(table, section.folder)
    return files(folder)
