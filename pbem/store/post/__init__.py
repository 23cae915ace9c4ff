"""Inbox and outbox, questions to players, delivery pauses, bounces, and reported log heads.

Use `UnitOfWork.inbox`, `.outbox`, `.questions`, `.mailed`, `.pauses` and `.reach`, which take rows
of `pbem.store.rows.core`. `pruning` deletes the contents of old messages.
"""
