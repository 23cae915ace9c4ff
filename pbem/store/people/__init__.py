"""Players, their addresses, invitations, and the erasure of personal data.

Use `UnitOfWork.players` and `UnitOfWork.invitations`. `traces.Traces` finds and erases all data
that is stored about a person.
"""
