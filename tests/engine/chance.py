"""Random decisions of players in tests. Deals never use it (GEN-2)."""

from random import Random  # noqa: TID251  (who plays what, not what is dealt)


def chance(seed: int | str) -> Random:
    """Return a separate random stream that is the same on every run."""
    return Random(seed)  # noqa: S311  (a test is no secret)
