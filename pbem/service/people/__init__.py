"""Players: addresses, settings, export of personal data, erasure.

Entry points: `preferences.carry_out`, `own_addresses.bind`, `data_export.collect`, `mail_acts.rotate`
and `erasure.forget`.
"""
