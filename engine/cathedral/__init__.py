"""Cathedral: 2 to 6 players, one pack; the first player without cards wins."""
