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
from pbem.cli.common import complain
from pbem.cli.frame import Opens
from pbem.config import Config, load_config
from pbem.domain.log.chain import GameId
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
    service = replace(build_service(read_config(path)), notice=complain)
    service.store.announces = True
    try:
        yield service
    finally:
        service.store.close()


OpenService = Annotated[Service, Opens(service_of)]
GameArgument = Annotated[GameId, typer.Argument(help="Id of the game.")]
