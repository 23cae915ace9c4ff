"""Decisions: the consequences of a move, a vote, a timeout or an act of an admin.

Each function adds events to a `Decision` or raises a `Refusal`. `decide` creates games, deals,
plays moves and settles decisions. `seating` and `handover` fill seats. `voting`, `timeouts`,
`standing`, `posting`, `disputes` and `acts` handle the topics in their names.
`log_validation.validate_log` detects logs that no server could have written.
"""
