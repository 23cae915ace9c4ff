"""Damaged messages without end: `make fuzz`."""
