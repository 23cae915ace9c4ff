"""A game as the fold of its events."""
