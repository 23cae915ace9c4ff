"""The face of each game: everything the service knows of it besides its rules.

Each face is in a file with the name of its game. No other module above the engine names a game or
imports its rules. Other modules ask `face.face` for the face of a ruleset, or `face.faces` for all
faces.
"""

EXAMPLE = "phyliss"
"""The game of lessons and examples."""
EXAMPLE_ORDER = "new phalanx with bob@example.org, 2 bots, max_battles 3, 2d per move"
