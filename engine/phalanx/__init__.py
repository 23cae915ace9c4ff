"""Implement Phalanx, for 2 to 6 players with one pack or one pack each.

Players win zones and keep a hand of seven cards.
"""
