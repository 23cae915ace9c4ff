"""The page and the feed of a game, and its entry in lists.

They contain only what an observer may see: neither a secret choice nor talk changes them. The page
of a finished game shows all cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.api import JsonObject
from pbem import resources
from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game, has_page
from pbem.mail_out import texts
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.names import contest_page, page_address
from pbem.service.logbook import replay_page, replays
from pbem.service.logbook.replays import Replay
from pbem.show import feed, site
from pbem.store.db.uow import UnitOfWork

MAX_ENTRIES = 30
"""Of a feed."""
_MIN_STEPS = 20


@dataclass(frozen=True, slots=True)
class Listed:
    """The entry of a game in lists, limited to what an observer may see.

    Attributes:
        players: IDs, by seat.
        turn: seats whose turn it is.
        since: time of the last change of the table, or None before the first change.
        due: the deadline, or None.
        ranking: seats, best first, or empty without a result.
    """

    game_id: GameId
    ruleset: str
    title: str
    players: tuple[str, ...]
    turn: tuple[int, ...]
    began: datetime
    since: datetime | None
    due: datetime | None
    is_paused: bool
    ended: datetime | None
    ranking: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The page and the feed of a game."""

    page: bytes
    feed: bytes


def listed(uow: UnitOfWork, game: Game) -> Listed | None:
    """Return the entry of a game in lists, or None if the game has no page."""
    if not has_page(game):
        return None
    began, since = uow.pages.moments(game.id, game.position)
    deadline = game.deadline
    is_due = deadline is not None and not game.paused_at and not game.is_over
    return Listed(
        game_id=game.id,
        ruleset=game.ruleset.id.name,
        title=str(game.ruleset.title),
        players=tuple(seat.player for seat in game.seats),
        turn=() if game.is_over else game.to_decide,
        began=began,
        since=since,
        due=deadline.due_at if deadline is not None and is_due else None,
        is_paused=game.paused_at is not None,
        ended=game.ended_at,
        ranking=() if game.finished is None else game.finished.ranking,
    )


def draw(service: Service, uow: UnitOfWork, game: Game) -> Drawn | None:
    """Generate page and feed of a game as it is now, or return None if it has no page.

    Raises: LogError.
    """
    shown = listed(uow, game)
    if shown is None:
        return None
    replay = replays.seen_by(service, uow, game, ())
    names = replay.names
    data: Any = replay_page.page_data(replay)
    # The version and head of the game itself would reveal that a player has made a secret choice.
    data |= {"version": data["steps"][-1]["event"], "head": ""}
    line = line_of(shown, names)
    seen = replace(replay.steps[-1], eyes=replay.eyes)
    page = site.GamePage(
        data,
        seen.view or {},
        service.config.service.name,
        line,
        f"{game.id}.xml",
        contest_page(uow, game),
    )
    return Drawn(_page(replay, page), _feed(service, replay, data["steps"], line))


def names_at(uow: UnitOfWork, players: Sequence[str]) -> tuple[str, ...]:
    """Return the names of players as messages show them, by position in `players`."""
    return tuple(texts.shown_names(games.shown_names(uow, players)))


def line_of(shown: Listed, names: Sequence[str]) -> site.Line:
    """Return the line of a game in lists."""
    return site.Line(
        place=f"game/{shown.game_id}.html",
        title=shown.title,
        players=tuple(names),
        turn=tuple(names[seat] for seat in shown.turn),
        since=shown.ended or shown.since,
        due=shown.due,
        paused=shown.is_paused,
        result=_result(shown.ranking, names) if shown.ended is not None else "",
    )


def _result(ranking: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    if not ranking:
        return "Ended without a result"
    winners = [names[seat] for seat in ranking[0]]
    return f"{' and '.join(winners)} won" if len(winners) < len(names) else "A draw"


def _page(replayed: Replay, shown: site.GamePage) -> bytes:
    """Build the page. If it would be too large, leave out the earliest moves."""
    folder = resources.templates_dir()
    html = site.game_page(shown, folder)
    steps = replayed.steps
    while len(html) > site.MAX_BYTES and len(steps) > _MIN_STEPS:
        steps = steps[len(steps) // 4 :]
        data = replay_page.page_data(replace(replayed, steps=steps))
        data = {**data, "version": shown.data["version"], "head": ""}
        html = site.game_page(replace(shown, data=data), folder)
    return html


def _feed(
    service: Service, replayed: Replay, frames: Sequence[JsonObject], line: site.Line
) -> bytes:
    """Build the feed of a game, with an entry for each visible step."""
    game = replayed.game
    page = page_address(service, game.id)
    times = {step.version: step.recorded.recorded_at for step in replayed.steps}
    title = f"{line.title} with {', '.join(line.players)}"
    shown: Any = frames[-MAX_ENTRIES:]
    entries = [
        feed.Entry(
            id=f"{tag(service, times[1])}:{game.id}/{frame['event']}",
            title=frame["say"][0],
            at=times[frame["event"]],
            link=f"{page}#event={frame['event']}",
            text=" ".join(frame["say"]),
        )
        for frame in reversed(shown)
        if frame["say"] and frame["say"][0]
    ]
    return feed.feed_file(
        feed.Feed(
            id=f"{tag(service, times[1])}:{game.id}",
            title=title,
            own=page.replace(".html", ".xml"),
            link=page,
            author=service.config.service.name,
            updated=times[1],
            entries=entries,
        )
    )


def tag(service: Service, at: datetime) -> str:
    """Return the start of a tag URI (RFC 4151): our domain, and a day on which we used it."""
    return f"tag:{service.tokens.domain},{at:%Y-%m-%d}"
