"""The demonstration: a whole game by mail on one machine, with simulated players."""
