"""State of a game, and the functions that apply events to it.

`fold.fold`, `folded` and `rebuild` compute a `game.Game` from its log. `fold.ROWS` has a row for
each event type. `plies` folds most events, several at once. `decision.Decision` collects the events
of a decision together with the resulting game. `motions` counts votes, and `retraction` determines
to which versions a game may go back.
"""
