"""The tables as classes, and texts as columns hold them.

`core`, `game_rows`, `lobby_rows` and the rows of ratings name the tables (`EVENT`, `PLAYER`); `texts` has
`storable`, `dump`, `load` and `insert_for`.
"""
