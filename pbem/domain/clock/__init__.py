"""When a move is due: deadlines, banks, vacations."""
