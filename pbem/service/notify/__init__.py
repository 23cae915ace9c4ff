"""The queue of mails: mails after events, refusals, alerts, second questions.

Others call `mailings.queue`, `intentions.queue_to_player`, `refusing.refuse` and `to_admins.queue`.
"""
