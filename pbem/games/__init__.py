"""What the house says of each game beside its rules: one face per game, in a file of its name.

No other module above the engine names a game or imports the rules of one.
"""
