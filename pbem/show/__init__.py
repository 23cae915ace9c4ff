"""Positions and standings drawn: in a terminal (`terminal.draw`, `course.plot`) and as pages.

`page.build` makes the page that steps through a game, `standings_page.build` that of the standings.
Views go in, pictures come out; how a table is laid out is each game's own business (`pbem.games`).
"""
