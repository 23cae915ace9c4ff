"""Projections: tables that can be rebuilt from the log, and standings computed from them.

Others call `UnitOfWork.projections` and `.standings`. `game_state` computes the rows of a game.
"""
