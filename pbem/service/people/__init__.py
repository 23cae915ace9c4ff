"""Players: addresses, settings, export of personal data, erasure.

Entry points: `preferences.carry_out`, `own_addresses.bind`, `stored.collect`, `mail_acts.rotate`
and `forgetting.forget`.
"""
