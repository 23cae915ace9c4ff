"""Projections: tables that can be made again from the log."""
