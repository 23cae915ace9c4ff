"""Display of positions and standings in a terminal or on a web page.

`terminal.draw` and `course.plot` draw in a terminal. `page.build` builds the replay page of a game,
`site` the public pages, and `standings_page.build` the page of the standings. Each game lays out
its own table (`pbem.games`).
"""
