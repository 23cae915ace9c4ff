"""Positions and standings, drawn in a terminal or on a page.

`terminal.draw` and `course.plot` draw in a terminal. `page.build` makes the page that steps through
a game, `standings_page.build` the page of the standings. Views go in, pictures come out; each game
lays out its own table (`pbem.games`).
"""
