"""The database: the log, mails in and out, people, and the projections of the log.

SQLModel classes (`rows`) declare the tables; everything reads and writes them with Core statements,
synchronously, on one connection per unit of work (`uow`). Nothing here knows rules or mail formats.
"""
