"""Small values with rules of their own, each a module: clocks, calendars, tokens, seats, conditions.

`conditions` and `next_order` hold the grammar of standing orders; what can be asked about a game is
in its face (`pbem.games`).
"""
