"""Cathedral: 2 to 6 players, one pack; be the first who is rid of everything."""
