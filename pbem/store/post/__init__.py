"""Inbox and outbox, questions to players, delivery pauses, bounces, and reported log heads.

Use `UnitOfWork.inbox`, `.outbox`, `.questions`, `.reported_heads`, `.pauses` and `.deliverability`.
They return rows of `pbem.store.rows.core`. `pruning` deletes the contents of old messages.
"""
