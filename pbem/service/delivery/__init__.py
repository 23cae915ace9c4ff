"""Outgoing mails: made ready, sent, noted, tried again.

Others call `send_due.send_due`.
"""
