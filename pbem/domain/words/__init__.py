"""What players write: order words, politeness, names, German, wishes for a new game."""
