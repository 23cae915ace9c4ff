"""Cathedral: 2 to 6 players, one pack. The first player without cards wins."""
