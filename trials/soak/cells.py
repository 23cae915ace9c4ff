"""List the rulesets with all interesting options, at every number of seats."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine import registry

SHEDDING = (
    {},
    {"deals": 3},
    {"max_plies": 60},
    {"auto_forced": "all"},
    {"auto_forced": "off", "deals": 2},
)
PHASES = (
    {},
    {"phases_to_win": 2},
    {"phases_to_win": 3, "even_only": True},
    {"ten_hands": True, "phases": [1, 7, 9]},
    {"phases": [1], "auto_forced": "all"},
    {"phases": [4, 8, 10], "deck": "standard"},
    {"phases": [2, 3], "ten_hands": True, "auto_forced": "off"},
    {"phases": [2, 9], "naturals": "phase"},
    {"max_plies": 150},
)
OPTION_SETS = {
    "phyliss": SHEDDING,
    "cathedral": SHEDDING,
    "phalanx": (
        {"max_battles": 5},
        {"max_battles": 0},
        {"max_battles": 3, "auto_forced": "all"},
        *({"max_battles": 3, "aces": aces} for aces in (2, 4, 10, "highest")),
        *({"max_battles": 3, "tie": tie} for tie in ("back", "spoils", "swap")),
        {"max_battles": 3, "ante": 1},
        {"stakes": "zones", "max_battles": 3, "bankroll": 30},
        {"stakes": "zones", "max_battles": 2, "bankroll": 3},
        {"stakes": "per_card", "max_battles": 3, "bankroll": 60},
        {"max_plies": 60},
    ),
    "phase10": PHASES,
    "phase10-family": PHASES,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A ruleset with a number of seats and options."""

    ruleset: str
    players: int
    options: tuple[tuple[str, object], ...]

    def __str__(self) -> str:
        words = " ".join(f"{name}={value}" for name, value in self.options) or "as it comes"
        return f"{self.ruleset}, {self.players} seats, {words}"


def cells(wanted: str | None = None) -> Iterator[Cell]:
    """Yield all cells, or those of one ruleset."""
    for name in registry.names():
        if wanted in (None, name):
            for players in registry.find(name).players:
                for options in OPTION_SETS[name]:
                    yield Cell(name, players, tuple(options.items()))
