"""Projections: tables that can be rebuilt from the log.

Others call `UnitOfWork.projections` and its ratings; `projections.fold_apart` compares them with
the log.
"""
