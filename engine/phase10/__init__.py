"""Phase 10: 2 to 6 players, its own cards. Players lay down ten phases in order."""
