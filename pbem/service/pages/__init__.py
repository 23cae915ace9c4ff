"""Web pages about the club's games, generated from the log on request.

`club.page` generates a page by its name, and `building.build` writes all of them as files.
`drawn.draw` generates the page of a game as an observer sees it. Games with `observers=off` have no
page.
"""
