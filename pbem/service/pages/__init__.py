"""Pages: the games of the club as static files, a projection of the log.

`building.catch_up` writes what changed since the last time, `building.build` everything; both leave the
same bytes. `drawn.draw` makes the page of one game, as an observer sees it. A game that nobody may watch
(`observers=off`) has none.
"""
