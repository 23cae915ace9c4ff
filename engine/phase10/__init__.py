"""Phase 10: 2 to 6 players, its own cards; players lay down ten phases in order."""
