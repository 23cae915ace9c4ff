"""Logging: structlog on top of the standard logging, to stderr, without secrets.

Tokens are removed from every line. Local variables of a traceback are never logged, because they
contain hands, seeds and addresses.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, MutableMapping
from typing import Any

import structlog
from structlog.processors import ExceptionRenderer
from structlog.tracebacks import ExceptionDictTransformer

from pbem.domain.terms.tokens import redact
from pbem.plain import printable

QUIET = ("mail.log", "apscheduler", "asyncio", "alembic")
"""Loggers of libraries that log addresses or too many details below level `warning`."""


def configure(level: str, *, as_json: bool) -> None:
    """Set up logging for the whole process."""
    shared: list[Callable[..., Any]] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
        _redact,
    ]
    renderer = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            _count,
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


_counts: dict[str, tuple[int, float]] = {}
_counting = threading.Lock()


def counted() -> dict[str, tuple[int, float]]:
    """Return how often each action was logged in this process, and its total seconds."""
    with _counting:
        return dict(_counts)


def _count(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    action = event.get("action")
    if isinstance(action, str):
        with _counting:
            count, seconds = _counts.get(action, (0, 0.0))
            _counts[action] = count + 1, seconds + event.get("seconds", 0.0)
    return event


def _redact(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    for key, value in event.items():
        event[key] = _redacted(value)
    return event


def _redacted(value: Any) -> Any:  # noqa: ANN401  (any logged value)
    """Remove tokens and control characters at any depth. Tracebacks are dictionaries in lists."""
    match value:
        case str():
            return printable(redact(value))
        case dict():
            return {key: _redacted(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_redacted(inner) for inner in value]
        case _:
            return value
