"""Fixtures of the tests of pictures."""

from tests.service.conftest import table

__all__ = ["table"]
