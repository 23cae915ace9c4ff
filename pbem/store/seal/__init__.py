"""Sealed and bound data in the database, and the keys.

The store seals through `envelope.Envelopes` and binds rows with `binding.bind` and `.fits`.
Others call `keyring.read`, `keybackup.sealed` and `.opened`, and `sealed.reseal`.
"""
