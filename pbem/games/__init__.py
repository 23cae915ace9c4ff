"""What the house says of each game beside its rules: one face per game, in a file of its name.

No other module above the engine names a game or imports the rules of one. They ask `face.face` for
the face of a ruleset, or `face.faces` for all of them.
"""

EXAMPLE = "phyliss"
"""The game of lessons and examples."""
EXAMPLE_WISH = "new phalanx with bob@example.org, 2 bots, max_battles 3, 2d per move"
