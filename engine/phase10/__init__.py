"""Phase 10: 2 to 6 players, cards of its own; ten phases, laid down one after the other."""
