"""The event store, payloads as stored, the cache of replayed games.

Others read and append through `UnitOfWork.events`, read the cache through `UnitOfWork.games`, and convert
stored events with `codec.decode` and `codec.encode`.
"""
