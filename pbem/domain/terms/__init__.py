"""Value types with their own rules, one module each, e.g. clocks and tokens.

`conditions` and `next_order` contain the grammar of standing orders. The subjects of conditions are
defined by each game (`pbem.games`).
"""
