"""What all tests share: Hypothesis profiles, and the flag that rewrites golden files."""

import gc
import logging
import os
import signal
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.gnupg import gpg  # noqa: F401  (a fixture)
from tests.patience import patience

if TYPE_CHECKING:
    from tests.databases import PostgresServer

settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile(
    "ci", max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(  # a failure is all that is asked for: no smaller example is looked for
    "mutation",
    max_examples=15,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell does that to what it puts behind it
    signal.signal(signal.SIGINT, signal.default_int_handler)  # or no child of a test hears it
gc.disable()  # until all tests are collected: they stay, and so does what they import


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests come first: one that begins last keeps all but one core waiting."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


LONGEST = 300
"""Seconds of a test on a quiet machine, as pyproject.toml has it for all."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write the golden files anew from what the code does now; read the difference!",
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Give a long test the time that this machine needs; the others have it many times over."""
    if item.get_closest_marker("slow"):
        item.add_marker(pytest.mark.timeout(patience(LONGEST)))
    return (yield)


@pytest.fixture(scope="session")
def server() -> "Iterator[PostgresServer]":
    """A running PostgreSQL server."""
    from tests.databases import postgres_server  # noqa: PLC0415  (SQLAlchemy takes a second)

    with postgres_server() as running:
        yield running


@pytest.fixture
def rewrite_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--rewrite-golden"))


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """Commands set up logging for their process: here that is everybody's, and writes to what one test captured."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    if structlog := sys.modules.get("structlog"):  # importing it takes longer than most tests
        structlog.reset_defaults()
