"""Fixtures for tests of public pages and replays."""

from tests.service.conftest import table

__all__ = ["table"]
