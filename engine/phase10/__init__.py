"""Phase 10: 2 to 6 players, its own cards; ten phases, laid down in order."""
