"""Errors of the rules. The type shows who caused them.

Every message is written for the sender of the order. None contains a hidden card.
"""


class EngineError(Exception):
    """Base class of all errors of the engine.

    Attributes:
        rule: id of the broken rule, e.g. `PHY-8`, or None if there is no single rule.
    """

    def __init__(self, message: str, *, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule


class SetupError(EngineError, ValueError):
    """Raised if a game cannot start: invalid ruleset, number of seats or option (GEN-14)."""


class OrderError(EngineError, ValueError):
    """Raised if an order cannot be parsed as a move.

    Attributes:
        candidates: canonical texts of legal moves that may have been meant, most similar first.
    """

    def __init__(
        self, message: str, *, rule: str | None = None, candidates: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, rule=rule)
        self.candidates = candidates


class InvalidOrderError(OrderError):
    """Raised if a text is not an order of this game."""


class AmbiguousOrderError(OrderError):
    """Raised if an order matches several moves. `candidates` contains all of them."""


class IllegalMoveError(EngineError):
    """Raised if a rule forbids a move in this state."""


def illegal(message: str) -> IllegalMoveError:
    """Return the error for a sentence that begins with the rule id: `PHY-8: …`."""
    return IllegalMoveError(message, rule=message.partition(":")[0])


class NotToActError(EngineError):
    """Raised if a seat cannot act: it is not its turn, it dropped out, or the game has ended."""


class ReplayError(EngineError):
    """Raised if a log violates the rules, or if a digest differs.

    The game must be stopped, not the service.
    """
