"""The state of a game, and how events change it.

`fold.fold`, `folded` and `rebuild` make a `game.Game` from its log; `fold.ROWS` has a row for each
type of event, and `plies` folds most of them, several at once. `decision.Decision` collects events that are being decided, with the
game that follows from them. `motions` says what votes mean, `retraction` where a game may go back to.
"""
