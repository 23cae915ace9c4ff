"""Players: addresses, settings, what is stored of them, forgetting them.

Others call `preferences.carry_out`, `own_addresses.bind`, `stored.collect`,
`mail_acts.rotate` and `forgetting.forget`.
"""
