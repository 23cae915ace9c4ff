"""Parse the words of players: lexicons, phrases for orders, and the matcher.

`tokens` splits a line into words, regardless of game and language.
"""
