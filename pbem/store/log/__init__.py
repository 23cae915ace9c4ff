"""The event store, payloads as stored, snapshots.

Others read and append through `UnitOfWork.events` and `.snapshots`, and convert stored
events with `codec.decode` and `codec.encode`.
"""
