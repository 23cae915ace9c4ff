"""Figures for Prometheus: counts, durations, and what is waiting.

Needs the extra `metrics`. Figures name no player, game or address.
"""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pbem import logs
from pbem.service.core.context import Service
from pbem.service.upkeep import health

_WAITING = {
    "unread": "Mails that came in and are not handled.",
    "unsent": "Mails that are to leave.",
    "stuck": "Mails that could not be handed on for an hour or longer.",
    "shunted": "Mails that our code failed on.",
    "given_up": "Mails that were given up within a day.",
    "stopped": "Games that stand still because their log, or our code, is at fault.",
    "late": "Deadlines and reminders that nobody has looked at, though it is time.",
}


class _Figures(Collector):
    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        """Read the counts of this process and of the database."""
        done = CounterMetricFamily(
            "pbem_actions", "What this process did, as its log names it.", labels=["action"]
        )
        took = CounterMetricFamily(
            "pbem_seconds", "Seconds that this took in all.", labels=["action"]
        )
        for action, (count, seconds) in sorted(logs.counted().items()):
            done.add_metric([action], count)
            if seconds:
                took.add_metric([action], seconds)
        yield done
        yield took
        seen = health.look_or_say(self._service)
        for name, text in _WAITING.items():
            yield GaugeMetricFamily(f"pbem_{name}", text, value=getattr(seen, name))
        if seen.disk_free is not None:
            text = "Bytes that are free on the disk of the database."
            yield GaugeMetricFamily("pbem_disk_free_bytes", text, value=seen.disk_free)
        yield GaugeMetricFamily(
            "pbem_healthy", "1 if nothing is wrong, as `pbem health` sees it.", not seen.problems
        )


def registry(service: Service) -> CollectorRegistry:
    """Return a registry that collects the figures on request."""
    found = CollectorRegistry()
    found.register(_Figures(service))
    return found


def serve(service: Service, host: str, port: int) -> None:
    """Answer at http://HOST:PORT/metrics, from a thread. Raises: OSError."""
    start_http_server(port, addr=host, registry=registry(service))
