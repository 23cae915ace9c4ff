"""Database access: the event log, inbox and outbox, players, and projections of the log.

SQLModel classes in `rows` declare the tables. All reads and writes are synchronous Core statements
on the one connection of a unit of work (`db.uow`). This package knows no game rules and no message
formats.
"""
