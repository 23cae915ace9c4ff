"""Encryption of values, signatures of rows, and the keys for both.

The store encrypts with `envelope.Envelopes` and signs rows with `binding.sign_row` and `binding.is_authentic`.
Other entry points: `keyring.read`, `data_keys.renew`, `keybackup.sealed`, `keybackup.opened` and
`sealed.seal_plain`.
"""
