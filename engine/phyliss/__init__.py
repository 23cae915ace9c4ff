"""Phyliss: 2 to 5 players, one pack. Players try to get rid of all their cards."""
