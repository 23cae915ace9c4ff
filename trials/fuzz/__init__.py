"""Damaged mails without end: `make fuzz`."""
