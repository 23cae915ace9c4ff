"""One mail that is meant: who gets it, in which language its sentences are said, how it is named."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from engine.api import JsonObject, JsonValue
from pbem.domain.table.game import Game
from pbem.language import translate
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Intention

ANONYMOUS = "anonymous"
"""Kind of the mails that tell what was said without a name."""


def add_for_seat(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    kind: str,
    seat: int,
    now: datetime,
    params: JsonObject,
    *,
    key: str | None = None,
    answers: str | None = None,
    asks: bool = True,
) -> bool:
    """Add a mail that leaves from `now` on; one that does not ask for anything is no turn mail.

    Returns:
        False if there is one of this key: then nothing has changed.
    """
    state = game.seats[seat]
    player = uow.players.get(state.player)
    if player is None:
        return True  # forgotten: the seat is not played any more, or a bot plays it
    return uow.outbox.add(
        Intention(
            key=key or f"{game.id}:{game.version}:{kind}:{seat}",
            kind=kind,
            player_id=state.player,
            game_id=game.id,
            seat=seat,
            version=game.version,
            decision=state.decision if asks else None,
            params=in_language(params, player.language),
            answers=answers,
            message_id=message_id(service, service.new_id(26)),
            created_at=now,
        )
    )


def in_language(params: Mapping[str, JsonValue], language: str) -> JsonObject:
    """Say the sentences of a mail in its reader's language, the one that they have now."""
    return {name: _value_said(value, language) for name, value in params.items()}


def _value_said(value: JsonValue, language: str) -> JsonValue:
    match value:
        case str():
            return translate(value, language)
        case list():
            return [_value_said(item, language) for item in value]
        case dict():
            return in_language(value, language)
        case _:
            return value


def message_id(service: Service, local: str) -> str:
    """Return a Message-ID of ours."""
    return f"{local}@{service.message_domain}"
