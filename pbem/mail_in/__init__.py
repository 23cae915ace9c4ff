"""Mails that come in: raw bytes become values that the service can trust.

This room does not know games or the database.
"""
