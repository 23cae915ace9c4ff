"""Commands, events, decide and evolve: pure functions over values; no I/O, no clock, no chance."""
