"""The tables as SQLModel classes, and helpers for texts stored in columns.

`core`, `game_rows`, `lobby_rows` and `standing_rows` declare the tables (`EVENT`, `PLAYER`, ...).
`texts` has `storable`, `dump`, `load` and `insert_for`.
"""
