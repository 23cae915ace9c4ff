"""The demonstration: a whole game by email on one machine, with simulated players."""
