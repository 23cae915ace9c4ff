"""Create random streams for decisions of players in tests. Deals never use them (GEN-2)."""

from random import Random  # noqa: TID251  (who plays what, not what is dealt)


def chance(seed: int | str) -> Random:
    """Return a random stream that depends only on the seed."""
    return Random(seed)  # noqa: S311  (a test is no secret)
