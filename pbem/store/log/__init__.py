"""The event store, payloads as stored, snapshots."""
