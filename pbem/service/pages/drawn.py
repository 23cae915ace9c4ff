"""The page and the feed of one game, and what the list of games says of it.

All of it comes from what an observer may see: a secret choice changes nothing here, not even that it was
made, and neither does talk. When a game is over its cards lie open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.api import JsonObject, JsonValue
from pbem import resources
from pbem.domain.log.chain import GameId, format_time, parse_time
from pbem.domain.log.events import ENDS, GameStarted
from pbem.domain.table.game import Game, has_page
from pbem.mail_out import texts
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.names import contest_page, page_address
from pbem.service.logbook import replay_page, replaying
from pbem.service.logbook.looking import Replay
from pbem.service.logbook.replaying import ReplayStep
from pbem.show import feed, site
from pbem.store.db.uow import UnitOfWork

MOST_ENTRIES = 30
"""Of a feed."""
_LEAST_STEPS = 20


@dataclass(frozen=True, slots=True)
class Drawn:
    """The files of a game, and what the list says of it (`line_of` reads that)."""

    page: bytes
    feed: bytes
    told: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Contest:
    """The page of a league or a ladder; `data` is None if it has none.

    Attributes:
        version: of the league, or of all challenges together.
        told: what the list says of it, or None.
    """

    id: GameId
    version: int
    name: str
    data: bytes | None = None
    told: Mapping[str, JsonValue] | None = None


def draw(service: Service, uow: UnitOfWork, game: Game) -> Drawn | None:
    """Draw a game as it is now; None if it has no page. Raises: LogError."""
    if not has_page(game):
        return None
    names = names_at(uow, [seat.player for seat in game.seats])
    found = Replay(
        game,
        names,
        tuple(range(len(names))) if game.is_over else (),
        replaying.walk(uow, game.id, names),
        service.renderer,
    )
    told = _told(found)
    data: Any = replay_page.page_data(found)
    # Version and head of the game itself would tell that somebody has chosen in secret.
    data |= {"version": data["steps"][-1]["event"], "head": ""}
    line = line_of(game.id, told, names)
    seen = replace(found.steps[-1], eyes=found.eyes)
    shown = site.GamePage(
        data,
        seen.view or {},
        service.config.service.name,
        line,
        f"{game.id}.xml",
        contest_page(uow, game),
    )
    return Drawn(_page(found, shown), _feed(service, found, data["steps"], line), told)


def names_at(uow: UnitOfWork, players: Sequence[str]) -> tuple[str, ...]:
    """Return the names of players as their mails show them."""
    return tuple(texts.shown_names(games.shown_names(uow, players)))


def line_of(game_id: GameId, told: Mapping[str, JsonValue], names: Sequence[str]) -> site.Line:
    """Return a game as the list shows it."""
    told_: Any = told

    def instant(name: str) -> datetime | None:
        return None if told_[name] is None else parse_time(told_[name])

    is_over = told_["ended"] is not None
    return site.Line(
        place=f"game/{game_id}.html",
        title=told_["title"],
        players=tuple(names),
        turn=tuple(names[seat] for seat in told_["turn"]),
        since=instant("ended") if is_over else instant("since"),
        due=instant("due"),
        paused=told_["paused"],
        result=_result(told_["ranking"], names) if is_over else "",
    )


def _result(ranking: list[list[int]], names: Sequence[str]) -> str:
    if not ranking:
        return "Ended without a result"
    winners = [names[seat] for seat in ranking[0]]
    return f"{' and '.join(winners)} won" if len(winners) < len(names) else "A draw"


def _told(found: Replay) -> Mapping[str, JsonValue]:
    """Return what the list says of a game, without names."""
    last = found.steps[-1]
    game = last.public
    steps = {step.version: step for step in found.steps}
    ended = next((step for step in found.steps if isinstance(step.event, ENDS)), None)
    began = next(step for step in found.steps if isinstance(step.event, GameStarted))
    moved = steps.get(game.position)
    deadline = game.deadline
    is_due = deadline is not None and not game.paused_at and not game.is_over
    ranking: list[JsonValue] = []
    if game.finished is not None:
        ranking = [[*place] for place in game.finished.ranking]
    return {
        "ruleset": game.ruleset.id.name,
        "title": str(game.ruleset.title),
        "turn": [] if game.is_over else [int(seat) for seat in game.to_decide],
        "began": _instant(began),
        "since": None if moved is None else _instant(moved),
        "due": format_time(deadline.due_at) if deadline is not None and is_due else None,
        "paused": game.paused_at is not None,
        "ended": None if ended is None else _instant(ended),
        "ranking": ranking,
    }


def _instant(step: ReplayStep) -> str:
    return format_time(step.recorded.recorded_at)


def _page(found: Replay, shown: site.GamePage) -> bytes:
    """Build the page; of a very long game with its later moves alone."""
    folder = resources.templates_dir()
    made = site.game_page(shown, folder)
    steps = found.steps
    while len(made) > site.MOST_BYTES and len(steps) > _LEAST_STEPS:
        steps = steps[len(steps) // 4 :]
        data = replay_page.page_data(replace(found, steps=steps))
        data = {**data, "version": shown.data["version"], "head": ""}
        made = site.game_page(replace(shown, data=data), folder)
    return made


def _feed(service: Service, found: Replay, frames: Sequence[JsonObject], line: site.Line) -> bytes:
    """Write the feed of a game: an entry for each step that is told."""
    game = found.game
    page = page_address(service, game.id)
    at = {step.version: step.recorded.recorded_at for step in found.steps}
    title = f"{line.title} with {', '.join(line.players)}"
    shown: Any = frames[-MOST_ENTRIES:]
    entries = [
        feed.Entry(
            id=f"{tag(service, at[1])}:{game.id}/{frame['event']}",
            title=frame["say"][0],
            at=at[frame["event"]],
            link=f"{page}#event={frame['event']}",
            text=" ".join(frame["say"]),
        )
        for frame in reversed(shown)
        if frame["say"] and frame["say"][0]
    ]
    return feed.feed_file(
        feed.Feed(
            id=f"{tag(service, at[1])}:{game.id}",
            title=title,
            own=page.replace(".html", ".xml"),
            link=page,
            author=service.config.service.name,
            updated=at[1],
            entries=entries,
        )
    )


def tag(service: Service, at: datetime) -> str:
    """Return the beginning of a tag URI (RFC 4151): our domain, on a day when it was ours."""
    return f"tag:{service.tokens.domain},{at:%Y-%m-%d}"
