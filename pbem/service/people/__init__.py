"""Players: their addresses, settings and ratings, what is stored of them, and forgetting them.

Others call `preferences.carry_out`, `own_addresses.confirm_address`, `ratings.report`, `stored.find`,
`mail_acts.rotate` and `forgetting.forget`.
"""
