"""Build the data of a replay page: the first position, then the changes made by each event.

The page has a frame for every event after the deal that a viewer could notice. Each frame is a
document `{"table": …, "eyes": {…}}` with the observer's view and the additional data of each
permitted seat. The first frame is complete. Later frames are deltas (`pbem.show.delta`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.api import JsonObject, JsonValue
from engine.sentences import sentence
from pbem import resources
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import ChoicesRevealed, Hidden, MovePlayed
from pbem.domain.table.game import AT_TABLE
from pbem.errors import Refusal
from pbem.mail_out.texts import with_glyphs
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.logbook import replays
from pbem.service.logbook.event_words import HOW, is_opened
from pbem.service.logbook.replaying import CHOSEN, ReplayStep, mover
from pbem.service.logbook.replays import Replay
from pbem.show import page
from pbem.show.delta import changes
from pbem.store.db.uow import UnitOfWork

FORMAT = 1

MAX_BYTES = 4_000_000
"""Maximum size in bytes of a page that is sent on request."""
MAX_ATTACHED = 150_000
"""Maximum size in bytes of a page attached without a request. Larger pages are compressed."""


def page_data(replayed: Replay) -> JsonObject:
    """Build the data of a page from a replay. Raises: Refusal if nothing was dealt."""
    frames = list(_noticed(replayed))
    if not frames:
        raise Refusal("undealt", sentence("There is nothing to look at: no cards were dealt."))
    document: JsonObject = {}
    steps: list[Any] = []
    for step in frames:
        is_count = isinstance(step.event, ChoicesRevealed) and not step.public_facts
        if is_count and steps and step.moves:
            # The step of the last choice reports the revealed moves, and counts all of them.
            steps[-1].update(first=step.moves[0], move=step.ply)
            continue
        table = step.seen_by(None)
        beside = {str(seat): _beside(table, step.seen_by(seat)) for seat in replayed.eyes}
        after: JsonObject = {"table": table, "eyes": {**beside}}
        steps.append({**_describe(replayed, step), "change": [*changes(document, after)]})
        document = after
    game, eyes = replayed.game, frames[0].eyes
    return {
        "format": FORMAT,
        "game": game.id,
        "ruleset": game.ruleset.id.name,
        "title": game.ruleset.title,
        "names": list(replayed.names),
        "status": game.status,
        "head": game.head,
        "version": game.version,
        "eyes": list(replayed.eyes),
        "looks": eyes[0] if len(eyes) == 1 else None,  # the seat from whose view it is shown
        "result": _result(replayed),
        "steps": steps,
    }


def for_player(service: Service, uow: UnitOfWork, game_id: GameId, player_id: str) -> bytes:
    """Build the page of a game as a player may see it now.

    While the game is running, it shows the hidden cards of their seat. Afterwards it shows all
    cards.

    Raises: Refusal if nothing was dealt, or LogError.
    """
    game = games.load(uow, game_id)
    replay = replays.seen_by(service, uow, game, game.seats_of(player_id, AT_TABLE))
    title = f"{game.ruleset.title} with {', '.join(replay.names)}"
    data, folder = page_data(replay), resources.templates_dir() / "replay"
    content = page.build(data, title, folder).encode()
    return (
        content
        if len(content) <= MAX_ATTACHED
        else page.build(data, title, folder, packed=True).encode()
    )


def _noticed(replayed: Replay) -> Iterator[ReplayStep]:
    """Yield the steps that change the table or have a description."""
    seen: tuple[Any, Any] = (None, None)
    for step in replayed.steps:
        before, seen = seen, (step.public.state, step.game.state if replayed.eyes else None)
        if step.game.state is None:
            continue
        is_told = step.public_facts or any(step.facts_for(seat) for seat in replayed.eyes)
        if seen != before or is_told or isinstance(step.event, ChoicesRevealed):
            yield step


def _beside(table: JsonObject, own: JsonObject) -> JsonObject:
    """Return the differences of a seat's view from the observer's, as path -> value."""
    return {
        "/".join(map(str, path)): value
        for path, value in _leaves(table, own, ())
        if path != ("seat",)
    }


def _leaves(
    table: JsonValue, own: JsonValue, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], JsonValue]]:
    if isinstance(table, dict) and isinstance(own, dict):
        for key, value in own.items():
            yield from _leaves(table.get(key), value, (*path, key))
    elif isinstance(table, list) and isinstance(own, list) and len(table) == len(own):
        for index, value in enumerate(own):
            yield from _leaves(table[index], value, (*path, index))
    elif table != own:
        yield path, own


def _describe(replayed: Replay, step: ReplayStep) -> JsonObject:
    """Describe an event for everyone, and for each seat whose description differs."""
    event = step.event
    sentences = replayed.sentences(step, None)
    own = {str(seat): replayed.sentences(step, seat) for seat in replayed.eyes}
    entry: JsonObject = {
        "event": step.version,
        "move": step.ply,
        "at": step.recorded_at[:16],
        "say": [*sentences] if sentences else [step.text],
        "own": {seat: [*words] for seat, words in own.items() if words and words != sentences},
    }
    if step.moves:
        entry["first"] = step.moves[0]
    if step.is_retracted:
        entry["back"] = True
    if isinstance(event, MovePlayed):
        entry["seat"] = event.seat
        if event.source != "mail":
            entry["how"] = HOW[event.source]
        if step.is_retracted:
            entry["how"] = "taken back later"
    elif isinstance(event, Hidden):
        if is_opened(event, is_open=replayed.game.is_over):
            choice: Any = event.payload
            entry["seat"] = choice["seat"]
            entry["say"] = [
                with_glyphs(step.text),
                *replayed.sentences(step, None, without=frozenset({CHOSEN})),
            ]
    elif mover(event) is not None:
        entry["seat"] = mover(event)
    return entry


def _result(replayed: Replay) -> JsonValue:
    finished = replayed.game.finished
    if (
        finished is None
        or not replayed.steps
        or replayed.steps[-1].version != replayed.game.version
    ):
        return None
    scores = replayed.scores()
    return {
        "ranking": [[*standing] for standing in finished.ranking],
        "reason": finished.reason,
        "scores": [*scores],
    }
