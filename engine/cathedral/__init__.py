"""Implement Cathedral, for 2 to 6 players with one pack. The first player without cards wins."""
