"""Errors of the rules; the type says whose fault it is.

Every message is written for the person who sent the order; none contains a hidden card.
"""


class EngineError(Exception):
    """Base of all errors of the engine.

    Attributes:
        rule: the rule-book id that was broken, e.g. `PHY-8`, or None without a single rule.
    """

    def __init__(self, message: str, *, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule


class SetupError(EngineError, ValueError):
    """A game cannot start: wrong ruleset, number of seats or option (GEN-14)."""


class OrderError(EngineError, ValueError):
    """The words of an order cannot be turned into a move.

    Attributes:
        candidates: canonical texts of legal moves that may have been meant, nearest first.
    """

    def __init__(
        self, message: str, *, rule: str | None = None, candidates: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, rule=rule)
        self.candidates = candidates


class InvalidOrderError(OrderError):
    """The words are not an order of this game."""


class AmbiguousOrderError(OrderError):
    """The words fit more than one move; `candidates` has them all."""


class IllegalMoveError(EngineError):
    """The move is understood, and a rule forbids it in this state."""


def illegal(message: str) -> IllegalMoveError:
    """Return the refusal with this sentence, which begins with the id of the rule: `PHY-8: …`."""
    return IllegalMoveError(message, rule=message.partition(":")[0])


class NotToActError(EngineError):
    """The seat cannot act: not its turn, dropped out, or the game is over."""


class ReplayError(EngineError):
    """A log does not fit the rules, or its digest differs.

    The game must stop, not the service.
    """
