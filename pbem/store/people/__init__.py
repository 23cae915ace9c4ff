"""Players, addresses, invitations, and traces of them.

Others call `UnitOfWork.players` and `.invitations`; forgetting a person is done with `traces.Traces`.
"""
