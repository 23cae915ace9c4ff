"""Words of players: orders, suggestions, names, German, orders for a new game."""
