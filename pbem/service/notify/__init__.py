"""Which mails are queued: those that follow from events, refusals, alerts, second questions.

Others call `mailings.queue`, `intentions.queue_to_player`, `refusing.refuse` and `to_admins.queue`.
"""
