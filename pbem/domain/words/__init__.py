"""Words of players: orders, politeness, names, German, orders for a new game."""
