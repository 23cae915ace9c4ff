"""What people tell the service in private: kinds of `Hidden` whose secret never opens.

Nobody else learns that it happened, in the running game or after it, and it may be erased for a
person's sake: a log must mean the same without it. Each payload names its `seat`.
"""

from __future__ import annotations

from pbem.domain.log.chain import HIDDEN, StoredEvent
from pbem.domain.log.events import EVENT_TYPES, Event, Hidden, secret_fields

NEXT_ORDERED = "NextOrdered"
"""What a seat wants done at its next turn; `text` is empty where it takes that back."""
DRAWING_RULED = "DrawingRuled"
"""How a seat wants to draw in Phase 10; `text` is empty where it decides itself again."""

PRIVATE_MESSAGE = "PrivateMessage"
"""What somebody said to some of the players, or without a name: `seat`, `player` who wrote it, `to`
(ids of who may read it, empty = everybody), `is_anonymous`, `text`."""
MUTE_SET = "MuteSet"
"""Whether a seat reads what a `player` says (an id, or `anonymous`): `is_muted`."""

TALK = frozenset({PRIVATE_MESSAGE, MUTE_SET})
NEVER_OPENED = frozenset({NEXT_ORDERED, DRAWING_RULED}) | TALK


def opens(event: StoredEvent) -> str | None:
    """Return when the secret of an event opens, `game_end` or `never`; None if it has none.

    It follows from the type, and for `Hidden` from the `type` in the secret: it is written nowhere else.
    """
    payload = None if event.secret is None else event.secret.payload
    if event.type == HIDDEN and payload is not None and payload.get("type") in NEVER_OPENED:
        return "never"
    known = EVENT_TYPES.get(event.type)
    return None if known is None else next(iter(secret_fields(known).values()), None)


MAY_NEVER_OPEN = frozenset(
    name for name, known in EVENT_TYPES.items() if "never" in secret_fields(known).values()
) | {HIDDEN}
"""Types of events whose secret never opens, or may be of that sort where nobody can read it."""


def is_private(event: Event) -> bool:
    """True if it is something that nobody else may ever learn of, or is erased."""
    return isinstance(event, Hidden) and event.type in NEVER_OPENED | {""}


def is_talk(event: Event) -> bool:
    """True if it belongs to talk, or is erased: such events may stand at any time of a game."""
    return isinstance(event, Hidden) and event.type in TALK | {""}


def is_choice(event: Event) -> bool:
    """True if it is a secret choice (GEN-6), which opens with the game."""
    return isinstance(event, Hidden) and not is_private(event)
