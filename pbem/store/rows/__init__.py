"""The tables as classes, and texts in the form that columns have.

`core`, `game_rows`, `lobby_rows` and the rows of ratings name the tables (`EVENT`, `PLAYER`);
`texts` has `storable`, `dump`, `load` and `insert_for`.
"""
