"""Implement the rules of the games as pure functions over immutable values.

The engine uses only the standard library. It has no access to clocks, messages, databases or player
names. `python -m engine` runs a server for the engine protocol (docs/dev/engine-protocol.md).
"""
