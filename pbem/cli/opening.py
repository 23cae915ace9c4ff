"""Resources of commands: the opened service, and completion of IDs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from pbem import logs
from pbem.bootstrap import build_service
from pbem.cli.common import warn
from pbem.cli.frame import Completes, Opens
from pbem.config import Config, load_config
from pbem.domain.log.chain import GameId
from pbem.errors import Refusal
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork


def read_config(path: Path | None, *, quiet: bool = True, may_lack_secrets: bool = False) -> Config:
    """Load the configuration and set up logging. `quiet` changes level `info` to `warning`."""
    config = load_config(path, os.environ, may_lack_secrets=may_lack_secrets)
    level = config.log.level
    logs.configure("warning" if quiet and level == "info" else level, as_json=config.log.as_json)
    return config


@contextmanager
def service_of(path: Path | None) -> Iterator[Service]:
    """Build the service, and close its database at the end of the context."""
    service = replace(build_service(read_config(path)), notice=warn)
    service.store.announces = True
    try:
        yield service
    finally:
        service.store.close()


_ID_LENGTH, _MAX_SHOWN = 10, 5

OpenService = Annotated[Service, Opens(service_of)]


def complete_game_id(service: Service, given: str) -> GameId:
    """Return the ID of the only game with this prefix, or the text itself if no ID matches.

    Raises: Refusal if there are several.
    """
    if len(given) >= _ID_LENGTH or not given:
        return GameId(given)
    with service.store.reading() as uow:
        found = uow.projections.games_like(given.lower(), _MAX_SHOWN + 1)
    return GameId(_only("game", given, found))


def _complete_player_id(service: Service, given: str) -> str:
    """Return the ID of the only player with this prefix, or the text itself if no ID matches.

    A player's name is returned unchanged.

    Raises: Refusal if there are several.
    """
    if len(given) >= _ID_LENGTH or not given:
        return given
    with service.store.reading() as uow:
        known = uow.players.list()
    if any(one.name.casefold() == given.strip().casefold() for one in known):
        return given
    return _only("player", given, [one.id for one in known if one.id.startswith(given.lower())])


def _only(kind: str, given: str, matches: Sequence[str]) -> str:
    if len(matches) > 1:
        more = ["…"] if len(matches) > _MAX_SHOWN else []
        listed = ", ".join([*matches[:_MAX_SHOWN], *more])
        raise Refusal(kind, f"Several {kind}s begin with {given}: {listed}.")
    return matches[0] if matches else given


# --- completions for the shell
# ----------------------------------------------------------------------

Offers: TypeAlias = list[tuple[str, str]]
"""Completions for a shell, each with a description."""


def _offered(list_them: Callable[[UnitOfWork, Mapping[str, Any]], Offers]) -> Any:  # noqa: ANN401  (as typer takes it)
    """Return a completion function for a listing. Without a database there are no completions."""

    def complete(context: typer.Context, incomplete: str) -> Offers:
        with suppress(Exception), service_of(context.params.get("config")) as service:
            with service.store.reading() as uow:
                offers = list_them(uow, context.params)
            return [offer for offer in offers if offer[0].lower().startswith(incomplete.lower())]
        return []

    return complete


def _games(uow: UnitOfWork, _given: Mapping[str, Any]) -> Offers:
    return [(row.id, f"{row.ruleset}, {row.status}") for row in uow.projections.games()]


def _players(uow: UnitOfWork, _given: Mapping[str, Any]) -> Offers:
    return [(player.id, player.name) for player in uow.players.list()]


def _seats(uow: UnitOfWork, given: Mapping[str, Any]) -> Offers:
    seated = uow.projections.seats(GameId(given["game"]))
    names = {player.id: player.name for player in uow.players.list()}
    return [(f"{seat.seat}", names.get(seat.player_id, seat.player_id)) for seat in seated]


GameArgument = Annotated[
    GameId,
    typer.Argument(help="Id of the game, or its beginning.", autocompletion=_offered(_games)),
    Completes(complete_game_id),
]
"""Commands with this argument also need an `OpenService`."""
WhoArgument = Annotated[
    str,
    typer.Argument(
        help="Name, address or id of the player, or the beginning of the id.",
        autocompletion=_offered(_players),
    ),
    Completes(_complete_player_id),
]
SeatArgument = Annotated[
    str,
    typer.Argument(
        help="Seat (0 is the first) or name of the player.", autocompletion=_offered(_seats)
    ),
]
