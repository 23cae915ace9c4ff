"""Events of who sits where: invitations, who decides for a seat, who leaves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.domain.log.chain import hidden


@dataclass(frozen=True, slots=True)
class PlayerInvited:
    """A person was asked to take a seat; the mail carries the commitment.

    It may be another person than the seat was made for, if that one has not joined.
    """

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """A person took the seat; an open one anybody, a vacant one a bot, too."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class PlayerDeclined:
    """A person does not want the seat."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class InvitationExpired:
    """A person did not answer an invitation in time, or nobody took an open seat."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class SeatControllerChanged:
    """Somebody else decides for a seat now; the seat stays its player's.

    Attributes:
        controller: `person` or `bot`.
        why: `misses`, `timeout` (the game's policy), `back` (the player wrote), `asleep`
            (nobody is left for whom bots could play), `admin`.
    """

    seat: int
    controller: str
    why: str


@dataclass(frozen=True, slots=True)
class PlayerUnreachable:
    """Mails do not reach the seat's player any more.

    Attributes:
        reason: `bounces`, `complaint` (a mail of ours was reported as spam) or `unsubscribed`.
    """

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class PlayerReachable:
    """The player of an unreachable seat wrote again."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatResigned:
    """A seat left the game by its own wish (GEN-7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatRemoved:
    """An admin took a seat out of the game (GEN-7)."""

    seat: int
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class SeatReplaced:
    """Another person sits there from now on; after the deal the first one's phrase stays in use."""

    seat: int
    player: str
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class ObserverLeft:
    """A person who watched the game watches it no more."""

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
