"""The rules of the games: pure functions over immutable values, stdlib only.

Nothing here knows a clock, a message, a database or a player's name. `python -m engine` speaks the
engine protocol (docs/dev/engine-protocol.md).
"""
