"""The demonstration and its window."""
