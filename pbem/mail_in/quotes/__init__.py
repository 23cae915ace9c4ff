"""Separation of the player's own text from quotes, signatures and footers."""
