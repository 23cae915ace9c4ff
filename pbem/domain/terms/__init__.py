"""Small values with their own rules, one module each, e.g. clocks and tokens.

`conditions` and `next_order` hold the grammar of standing orders; the questions about a game are in
its face (`pbem.games`).
"""
