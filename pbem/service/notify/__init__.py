"""Who is told what: mails that follow from events, refusals, alerts, the second mail that asks.

Others call `mailings.queue`, `intentions.queue_to_player`, `refusing.refuse` and `to_admins.queue`.
"""
