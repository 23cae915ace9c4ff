"""What a bot works out about a position in no time, one module per game.

`choose` is the rule of thumb: a good move at once. It looks only at what the view of the seat shows, so
the same view gives the same move whatever the hidden cards are. `redeal` deals anew all that a seat
cannot see; `worth` is what each seat may expect of a game that is not over.
"""
