"""Pages: the games of the club for a browser, made from the log when they are asked for.

`club.page` makes one by its name; `building.build` writes them all as files. `drawn.draw` makes the page of
one game, as an observer sees it. A game that nobody may watch (`observers=off`) has none.
"""
