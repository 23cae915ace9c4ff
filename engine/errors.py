"""Errors raised by the rules. The type of an error shows who caused it.

Messages are written for the sender of the order and never contain a hidden card.
"""


class EngineError(Exception):
    """Base class of all errors of the engine.

    Attributes:
        rule: id of the violated rule, e.g. `PHY-8`, or None if there is no single rule.
    """

    def __init__(self, message: str, *, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule


class SetupError(EngineError, ValueError):
    """Raised if a game cannot start: invalid ruleset, number of seats or option (GEN-14)."""


class OrderError(EngineError, ValueError):
    """Raised if an order cannot be parsed into a move.

    Attributes:
        candidates: canonical texts of similar legal moves, most similar first.
    """

    def __init__(
        self, message: str, *, rule: str | None = None, candidates: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, rule=rule)
        self.candidates = candidates


class InvalidOrderError(OrderError):
    """Raised if a text is not an order of this game."""


class AmbiguousOrderError(OrderError):
    """Raised if an order matches several moves, which are listed in `candidates`."""


class IllegalMoveError(EngineError):
    """Raised if a rule forbids a move in this state."""


def illegal(message: str) -> IllegalMoveError:
    """Create an error from a message that starts with the rule id, e.g. `PHY-8: …`."""
    return IllegalMoveError(message, rule=message.partition(":")[0])


class NotToActError(EngineError):
    """Raised if a seat cannot act: it is not its turn, it dropped out, or the game has ended."""


class ReplayError(EngineError):
    """Raised if a log violates the rules or a digest does not match.

    Callers must stop that game and continue to serve others.
    """
