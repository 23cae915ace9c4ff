"""The demonstration: a whole game by mail on one machine; real but for the people."""
