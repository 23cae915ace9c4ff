"""Value types with their own rules, one module each, such as clocks and tokens.

`conditions` and `next_order` contain the grammar of standing orders. Each game defines the subjects
of its conditions (`pbem.games`).
"""
