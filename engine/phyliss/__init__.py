"""Phyliss: 2 to 5 players, one pack; players try to get rid of all their cards."""
