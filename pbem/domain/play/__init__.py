"""Decisions: what follows from a move, a vote, a timeout, an act of an admin.

Each function adds events to a `Decision` or raises a `Refusal`. `decide` creates, deals, plays and
settles; `seating` and `handover` fill seats; `voting`, `timeouts`, `standing`, `posting`, `disputes` and
`acts` do what their names say. `written.check_written` tells a log that no server wrote.
"""
