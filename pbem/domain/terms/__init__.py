"""Small values with rules of their own: clocks, calendars, dates, tokens, seats, conditions."""
