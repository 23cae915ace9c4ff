"""Metrics for Prometheus: counts, durations and queue lengths.

They need the extra `metrics`. No metric names a player, game or address.
"""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pbem import logs
from pbem.service.core.context import Service
from pbem.service.upkeep import health


class _Figures(Collector):
    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        """Yield the counters of this process and the figures of the database."""
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
        seen = health.check_safely(self._service)
        for name, figure in health.FIGURES.items():
            value = seen.figures[name]
            if figure.metric and value is not None:
                yield GaugeMetricFamily(f"pbem_{name}", figure.metric, value, unit=figure.unit)
        yield GaugeMetricFamily(
            "pbem_healthy", "1 if nothing is wrong, as `pbem health` sees it.", not seen.problems
        )


def registry(service: Service) -> CollectorRegistry:
    """Create a registry that computes the metrics on request."""
    collectors = CollectorRegistry()
    collectors.register(_Figures(service))
    return collectors


def serve(service: Service, host: str, port: int) -> None:
    """Serve http://HOST:PORT/metrics from a thread. Raises: OSError."""
    start_http_server(port, addr=host, registry=registry(service))
