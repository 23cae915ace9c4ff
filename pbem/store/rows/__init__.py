"""The tables as classes, and texts as columns hold them."""
