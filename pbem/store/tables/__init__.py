"""Projections, which can be rebuilt from the log, and standings computed from them.

Use `UnitOfWork.projections` and `UnitOfWork.standings`. `game_state` computes the rows of a game.
"""
