"""The event store, the serialization of events, and the cache of replayed games.

Use `UnitOfWork.events` to read and append events and `UnitOfWork.games` for the cache.
`codec.decode` and `codec.encode` convert between stored and typed events.
"""
