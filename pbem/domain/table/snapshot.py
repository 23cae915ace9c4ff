"""A folded game as bytes and back: a cache that saves reading a long log, never the truth."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, cast

from engine import registry
from engine.api import Fact, JsonObject, JsonValue
from pbem.domain.log.chain import GameId, format_time, parse_time
from pbem.domain.table.game import (
    Game,
    News,
    OpenDeadline,
    OpenDispute,
    OpenMotion,
    OpenOffer,
    SeatState,
    Standing,
)
from pbem.domain.terms import timing

FORMAT = 19

_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))


def pack(game: Game) -> bytes:
    """Write a running game as JSON; one that is over is cheap to ask and is not worth a snapshot."""
    return _ENCODER.encode(_data(game)).encode("utf-8", "surrogatepass")


def _data(game: Game) -> JsonObject:
    return {
        "format": FORMAT,
        "id": game.id,
        "version": game.version,
        "head": game.head,
        "status": game.status,
        "ruleset": [game.ruleset.id.name, game.ruleset.id.version],
        "options": cast("JsonObject", game.options),
        "seats": [
            {
                **asdict(seat),
                "vacations": [list(days) for days in seat.vacations],
                "muted": list(seat.muted),
            }
            for seat in game.seats
        ],
        "operator_seats": list(game.operator_seats),
        "timing": timing.to_json(game.timing),
        "commitment": game.commitment,
        "server_secret": game.server_secret,
        "state": None if game.state is None else game.ruleset.state_json(game.state),
        "position": game.position,
        "deadline": _deadline_json(game.deadline),
        "paused_at": _time_json(game.paused_at),
        "paused_by": game.paused_by,
        "vacations_then": [[list(days) for days in seat] for seat in game.vacations_then],
        "votes": {
            motion: {str(seat): is_for for seat, is_for in given.items()}
            for motion, given in game.votes.items()
        },
        "motions": [[one.kind, one.version, one.seat, one.terms] for one in game.motions],
        "undo_asked": game.undo_asked,
        "observers": list(game.observers),
        "offers": [
            [one.seat, one.player, format_time(one.expires_at), one.version, one.while_away]
            for one in game.offers
        ],
        "asked": list(game.asked),
        "anonymous_talk": game.anonymous_talk,
        "compensated": _time_json(game.compensated),
        "retracted": [list(branch) for branch in game.retracted],
        "disputes": [[one.number, one.seat, one.version] for one in game.disputes],
        "disputed": game.disputed,
        "creator": game.creator,
        "news": cast("JsonValue", game.news),  # named tuples: lists in JSON
    }


def unpack(packed: bytes) -> Game | None:
    """Read what `pack` wrote; None if it is of another format.

    Whoever keeps it answers for its being what was written: anything else fails as it may.
    """
    data: Any = json.loads(packed.decode("utf-8", "surrogatepass"))
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return None
    rules = registry.find(*data["ruleset"])
    game = Game(
        id=GameId(data["id"]),
        version=data["version"],
        head=data["head"],
        status=data["status"],
        ruleset=rules,
        options=data["options"],
        seats=tuple(_seat_from(seat) for seat in data["seats"]),
        operator_seats=tuple(data["operator_seats"]),
        timing=timing.from_json(data["timing"]),
        commitment=data["commitment"],
        server_secret=data["server_secret"],
        position=data["position"],
        deadline=_deadline_from(data["deadline"]),
        paused_at=_time_from(data["paused_at"]),
        paused_by=data["paused_by"],
        vacations_then=tuple(
            tuple((first, last) for first, last in seat) for seat in data["vacations_then"]
        ),
        votes={
            motion: {int(seat): is_for for seat, is_for in given.items()}
            for motion, given in data["votes"].items()
        },
        motions=tuple(OpenMotion(*motion) for motion in data["motions"]),
        undo_asked=data["undo_asked"],
        observers=tuple(data["observers"]),
        offers=tuple(
            OpenOffer(seat, player, parse_time(at), version, while_away)
            for seat, player, at, version, while_away in data["offers"]
        ),
        asked=tuple(data["asked"]),
        anonymous_talk=data["anonymous_talk"],
        compensated=_time_from(data["compensated"]),
        retracted=tuple((first, last) for first, last in data["retracted"]),
        disputes=tuple(OpenDispute(*dispute) for dispute in data["disputes"]),
        disputed=data["disputed"],
        creator=data["creator"],
        news=tuple([News(version, Fact(*fact)) for version, fact in data["news"]]),
    )
    if data["state"] is None:
        return game
    return replace(game, state=rules.state_from_json(game.setup, data["state"]))


def _deadline_json(deadline: OpenDeadline | None) -> JsonObject | None:
    if deadline is None:
        return None
    return {
        "version": deadline.version,
        "seats": list(deadline.seats),
        "starts_at": format_time(deadline.starts_at),
        "base_at": format_time(deadline.base_at),
        "due_at": format_time(deadline.due_at),
        "fires_at": format_time(deadline.fires_at),
        "reminders": [format_time(moment) for moment in deadline.reminders],
        "vacation_moved": deadline.vacation_moved,
    }


def _deadline_from(data: Any) -> OpenDeadline | None:  # noqa: ANN401
    if data is None:
        return None
    return OpenDeadline(
        version=data["version"],
        seats=tuple(data["seats"]),
        starts_at=parse_time(data["starts_at"]),
        base_at=parse_time(data["base_at"]),
        due_at=parse_time(data["due_at"]),
        fires_at=parse_time(data["fires_at"]),
        reminders=tuple(parse_time(text) for text in data["reminders"]),
        vacation_moved=data["vacation_moved"],
    )


def _seat_from(data: Any) -> SeatState:  # noqa: ANN401
    vacations = tuple((first, last) for first, last in data["vacations"])
    read = {"standing": Standing(**data["standing"]), "muted": tuple(data["muted"])}
    return SeatState(**{**data, "vacations": vacations, **read})


def _time_json(moment: datetime | None) -> str | None:
    return None if moment is None else format_time(moment)


def _time_from(text: str | None) -> datetime | None:
    return None if text is None else parse_time(text)
