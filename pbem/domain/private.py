"""What people tell the service in private: kinds of `Hidden` whose secret never opens.

Nobody else learns that it happened, in the running game or after it, and it may be erased for a
person's sake: a log must mean the same without it. Each payload names its `seat`.
"""

from __future__ import annotations

from pbem.domain.events import EVENT_TYPES, Event, Hidden, secret_fields

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


def opens(type_name: str, kind: object) -> str | None:
    """Say when the secret of an event opens: `game_end` or `never`; None if it has none.

    Args:
        type_name: as it stands in the log.
        kind: for `Hidden` what it is: the `type` in its secret.
    """
    if type_name == Hidden.__name__ and kind in NEVER_OPENED:
        return "never"
    return next(iter(secret_fields(EVENT_TYPES[type_name]).values()), None)


def is_private(event: Event) -> bool:
    """Say whether it is something that nobody else may ever learn of, or is erased."""
    return isinstance(event, Hidden) and event.type in NEVER_OPENED | {""}


def is_talk(event: Event) -> bool:
    """Say whether it belongs to talk, or is erased: such events may stand at any time of a game."""
    return isinstance(event, Hidden) and event.type in TALK | {""}


def is_choice(event: Event) -> bool:
    """Say whether it is a secret choice (GEN-6), which opens with the game."""
    return isinstance(event, Hidden) and not is_private(event)
