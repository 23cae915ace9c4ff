"""Acts of admins on games, by command or by mail, and the disputes of all games.

Others call the acts in `acts` and `clock_acts`, `clock_acts.deadlines`, `disputes.all_disputes` and
`admin_mail.handle`.
"""
