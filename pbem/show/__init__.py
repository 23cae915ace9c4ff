"""Positions drawn: for a terminal, and as a page that steps through a game. Views in, pictures out."""
