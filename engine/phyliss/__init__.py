"""Implement Phyliss, for 2 to 5 players with one pack. Players try to get rid of their cards."""
