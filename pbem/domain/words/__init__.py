"""Words of players: orders, politeness, names, German, wishes for a new game."""
