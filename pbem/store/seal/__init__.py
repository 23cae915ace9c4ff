"""Sealed and bound data in the database, and the keys.

The store seals through `envelope.Envelopes` and binds rows with `bound.bind` and `bound.fits`.
Others call `keyring.read`, `keybackup.sealed` and `.opened`, and `sealed.reseal`.
"""
