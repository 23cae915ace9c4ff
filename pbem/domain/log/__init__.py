"""Events, and the chain that they form.

`events.Event` is the closed union of all that can happen; its members also stand in `seat_events`,
`clock_events` and `motion_events`. `chain.chain` numbers and hashes new events, `chain.check_chain`
checks those that are there. `events.opens` says when the secret of an event opens.
"""
