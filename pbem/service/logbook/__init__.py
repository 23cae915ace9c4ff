"""The log from outside: exports, imports, verification, replays, looks at hidden cards, keys.

Others call `exports.export_lines`, `verify.verify_game`, `looking.record_reveal` and `keys.rotate`.
"""
