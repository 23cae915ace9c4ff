"""Projections: tables that can be made again from the log.

Others call `UnitOfWork.projections` and the ratings beside it; `refolding.fold_apart` compares them with
the log.
"""
