"""Incoming mails, from their bytes to their effects.

Other packages call `accepting.receive` and `handle_mail.handle_all`.
"""
