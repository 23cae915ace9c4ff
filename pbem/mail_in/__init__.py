"""Conversion of incoming raw messages into validated values.

This package does not depend on games or on the database.
"""
