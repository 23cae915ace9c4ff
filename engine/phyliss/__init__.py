"""Phyliss: 2 to 5 players, one pack; be rid of all your cards."""
