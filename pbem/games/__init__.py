"""Game profiles: everything that the service knows about each game besides its rules.

Each profile is in a module with the name of its game. No other module above the engine contains a
game's name or imports its rules. Other modules get the profile of a ruleset by `profile.profile_of`,
or all profiles by `profile.all_profiles`.
"""

EXAMPLE = "phyliss"
"""The game of tutorials and examples."""
EXAMPLE_ORDER = "new phalanx with bob@example.org, 2 bots, max_battles 3, 2d per move"
