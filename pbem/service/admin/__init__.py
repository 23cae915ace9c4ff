"""Acts of admins on games, by command or by email, and the disputes of all games.

Entry points: the acts in `acts` and `clock_acts`, `clock_acts.deadlines`, `disputes.all_disputes`
and `admin_mail.handle`.
"""
