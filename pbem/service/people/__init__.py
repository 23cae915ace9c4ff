"""Players: addresses, settings, standings, what is stored of them, and forgetting them."""
