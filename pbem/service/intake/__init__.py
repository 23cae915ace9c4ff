"""Incoming messages, from accepting their bytes to carrying them out.

Entry points: `accepting.receive` and `handle_mail.handle_all`.
"""
