"""Implement Phase 10, for 2 to 6 players with its own cards.

Players lay down ten phases in order.
"""
