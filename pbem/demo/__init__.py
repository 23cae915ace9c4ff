"""The demonstration: a whole game by mail on one machine, with nothing faked but the people."""
