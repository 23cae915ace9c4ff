"""Fixtures with mail servers that are started once. Each test uses new mailboxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mail_servers import places
from tests.mail_servers.dovecot import PLAIN, Dovecot, dovecot
from tests.mail_servers.postfix import Postfix, postfix
from tests.service.conftest import table

__all__ = ["table"]


def need(*programs: str, servers: bool = True) -> None:
    """Skip the test with a reason if these programs are not installed."""
    reason = places.missing(*programs, servers=servers)
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    with places.folder() as path:
        yield path


@pytest.fixture(scope="session")
def imap_server(folder: Path) -> Iterator[Dovecot]:
    """Run an IMAP server with IDLE, MOVE and UIDPLUS."""
    need("dovecot")
    server = dovecot(folder / "d")
    with server.running():
        yield server


@pytest.fixture(scope="session")
def plain_server(folder: Path) -> Iterator[Dovecot]:
    """Run an IMAP server without IDLE, MOVE and UIDPLUS."""
    need("dovecot")
    server = dovecot(folder / "p", capability=PLAIN)
    with server.running():
        yield server


@pytest.fixture(scope="session")
def smtp_server(folder: Path, imap_server: Dovecot) -> Iterator[Postfix]:
    need("postfix")
    with postfix(folder / "m", dovecot=imap_server.lmtp) as server:
        yield server
