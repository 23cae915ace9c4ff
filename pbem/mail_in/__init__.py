"""Conversion of incoming raw mails into validated values.

This package does not depend on games or on the database.
"""
