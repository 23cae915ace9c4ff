"""Inbox and outbox, questions to people, and the facts about mails that left.

Others call `UnitOfWork.inbox`, `.outbox`, `.questions`, `.mailed`, `.pauses` and `.reach`, and hand them the
rows of `pbem.store.rows.core`. `pruning` looks at settled mails.
"""
