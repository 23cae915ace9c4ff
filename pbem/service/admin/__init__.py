"""What an admin does to a game, by command or by mail; disputes."""
