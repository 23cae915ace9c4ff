"""Events, and the hash chain that they form.

`events.Event` is the closed union of all events of a game. Some members are in `seat_events`,
`clock_events` and `motion_events`. `chain.chain` numbers and hashes new events, and
`chain.check_chain` verifies existing ones. `events.opens` returns when the secret of an event is
revealed.
"""
