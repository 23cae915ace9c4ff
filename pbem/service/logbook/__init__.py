"""Access to a game's log: export, import, verification, replay, reveals, keys.

Entry points: `exports.export_lines`, `verify.verify_game`, `replays.replay`,
`replays.record_reveal` and `keys.rotate`.
"""
