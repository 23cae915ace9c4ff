"""Decisions: what follows from a move, a vote, a timeout, an act of an admin."""
