"""Reading what players write: words and their meaning, rows of orders, and the matcher.

`tokens` splits a line into words. It knows no game and no language.
"""
