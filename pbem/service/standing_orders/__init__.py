"""Orders for later turns, dry runs and lessons: `next:`, `drawing:`, `try`, `tutorial`."""
