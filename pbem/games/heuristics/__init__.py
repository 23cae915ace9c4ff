"""Fast heuristics about positions for bots, one module per game.

`choose` returns a good move at once. It uses only the view of the seat, so that the same view
always results in the same move. `redeal` deals the cards that a seat cannot see again at random.
`worth` returns the expected result of each seat in an unfinished game.
"""
