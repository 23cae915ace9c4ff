"""Mails that come in, from their bytes to what they did.

Others call `accepting.receive` and `handle_mail.handle_all`.
"""
