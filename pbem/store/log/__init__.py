"""The event store, payloads as stored, snapshots.

Others read and append through `UnitOfWork.events` and `.snapshots`, and turn what is stored into events
and back with `codec.decode` and `codec.encode`.
"""
