"""Outgoing messages: rendering, sending, recording and retrying.

Entry point: `send_due.send_due`.
"""
