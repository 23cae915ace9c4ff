"""Chance for players in tests. What is dealt never comes from here (GEN-2)."""

from random import Random  # noqa: TID251  (who plays what, not what is dealt)


def chance(seed: int | str) -> Random:
    """A stream of chance of its own, the same on every run."""
    return Random(seed)  # noqa: S311  (a test is no secret)
