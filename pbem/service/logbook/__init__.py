"""A game's log from outside: exports, imports, checks, replays, reveals, keys.

Others call `exports.export_lines`, `verify.verify_game`, `looking.replay`, `looking.record_reveal`
and `keys.rotate`.
"""
