"""Events about seats: invitations, control by person or bot, departures and spectators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pbem.domain.log.chain import OneOf, hidden


@dataclass(frozen=True, slots=True)
class PlayerInvited:
    """A person was invited to a seat. The message contains the commitment.

    Until the person has joined, the seat can be offered to someone else.
    """

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """A person took the seat. Anyone may take an open seat, and a bot a vacant seat."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class PlayerDeclined:
    """A person declined the seat."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class InvitationExpired:
    """An invitation was not answered in time, or an open seat was not taken."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class SeatControllerChanged:
    """A bot or its player decides for a seat from now on. The seat's player does not change.

    Attributes:
        controller: `person` or `bot`.
        why: `misses`, `timeout` (the game's policy), `back` (the player wrote), `asleep` (no human
            player is active), `admin`.
    """

    seat: int
    controller: Annotated[str, OneOf(("person", "bot"))]
    why: Annotated[str, OneOf(("misses", "timeout", "back", "asleep", "admin"))]


@dataclass(frozen=True, slots=True)
class PlayerUnreachable:
    """Messages no longer reach the seat's player.

    Attributes:
        reason: `bounces`, `complaint` (one of our messages was reported as spam) or `unsubscribed`.
    """

    seat: int
    reason: Annotated[str, OneOf(("bounces", "complaint", "unsubscribed"))]


@dataclass(frozen=True, slots=True)
class PlayerReachable:
    """The player of an unreachable seat wrote again."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatResigned:
    """A player left the game (GEN-7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatRemoved:
    """A seat was removed from the game by an admin, a missed deadline or a vote (GEN-7)."""

    seat: int
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class SeatReplaced:
    """Another person has the seat from now on.

    After the deal the first player's phrase stays in use.
    """

    seat: int
    player: str
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class ObserverLeft:
    """An observer stopped watching."""

    player: str


SeatEvent: TypeAlias = (
    PlayerInvited
    | PlayerJoined
    | PlayerDeclined
    | InvitationExpired
    | SeatControllerChanged
    | PlayerUnreachable
    | PlayerReachable
    | SeatResigned
    | SeatRemoved
    | SeatReplaced
    | ObserverLeft
)

SEATING = ("GameCreated", "PlayerInvited", "PlayerJoined", "SeatReplaced")
"""Types of events that name a player who has, had or was offered a seat."""
