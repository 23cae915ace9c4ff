"""Resources of commands: the service, opened for one command, and ids of rows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pbem import logs
from pbem.bootstrap import build_service
from pbem.cli.common import warn
from pbem.cli.frame import Completes, Opens
from pbem.config import Config, load_config
from pbem.domain.log.chain import GameId
from pbem.errors import Refusal
from pbem.service.core.context import Service


def read_config(path: Path | None, *, quiet: bool = True, may_lack_secrets: bool = False) -> Config:
    """Load the configuration and set up logging; `quiet` means warnings only."""
    config = load_config(path, os.environ, may_lack_secrets=may_lack_secrets)
    level = config.log.level
    logs.configure("warning" if quiet and level == "info" else level, as_json=config.log.as_json)
    return config


@contextmanager
def service_of(path: Path | None) -> Iterator[Service]:
    """Build the service and close its database at the end."""
    service = replace(build_service(read_config(path)), notice=warn)
    service.store.announces = True
    try:
        yield service
    finally:
        service.store.close()


_ID_LENGTH, _MOST_SHOWN = 10, 5

OpenService = Annotated[Service, Opens(service_of)]


def _whole_id(service: Service, given: str) -> GameId:
    """Return the id of the one game that begins so; as it was given, if none does. Raises: Refusal."""
    if len(given) >= _ID_LENGTH or not given:
        return GameId(given)
    with service.store.reading() as uow:
        found = uow.projections.games_like(given.lower(), _MOST_SHOWN + 1)
    if len(found) > 1:
        more = ["…"] if len(found) > _MOST_SHOWN else []
        raise Refusal(
            "game", f"Several games begin with {given}: {', '.join([*found[:_MOST_SHOWN], *more])}."
        )
    return found[0] if found else GameId(given)


GameArgument = Annotated[
    GameId,
    typer.Argument(help="Id of the game, or its beginning."),
    Completes(_whole_id),
]
"""The commands that take one open the service, too."""
