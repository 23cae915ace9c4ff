"""Resolve the people, bots and open seats that a player names for a game.

The writer does not learn whether an address is registered. Names match only people with whom the
writer has played. A person invited by address keeps the name given by the writer until they answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from engine import registry
from engine.sentences import sentence
from pbem.domain.terms.seats import is_person, next_bot, open_id
from pbem.domain.words import game_order, naming
from pbem.domain.words.game_order import Guest
from pbem.errors import Refusal
from pbem.service.core.context import Service
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import never_invite
from pbem.service.notify import addressing
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SeatOccupant:
    """A person, bot or open seat for a new game.

    Attributes:
        player: ID, or a placeholder for an unknown address until it is registered.
        label: the writer's name for them, or empty for bots, open seats and the writer.
        address: address of a person who must be registered first.
        never_invite: True if they want no invitations. The seat stays empty and no one learns why.
        is_named: True if the writer gave a name with the address.
    """

    player: str
    label: str = ""
    address: str = field(default="", repr=False)
    never_invite: bool = False
    is_named: bool = False


def find(
    service: Service,
    uow: UnitOfWork,
    writer: Player,
    guests: Sequence[Guest],
    *,
    ruleset: str,
    taken: Sequence[str] = (),
) -> list[SeatOccupant]:
    """Resolve the named people to occupants of seats, in order, without storing anything.

    Args:
        writer: the player who names them.
        ruleset: ruleset of the game. Names must not be cards of it.
        taken: IDs of players who are at the table already, including the writer.

    Raises: Refusal, in which case no one is invited.
    """
    occupants: list[SeatOccupant] = []
    friends = friends_of(uow, writer.id)
    for guest in guests:
        seated = [*taken, *(occupant.player for occupant in occupants)]
        if guest.level:
            occupants.append(SeatOccupant(next_bot(guest.level, seated)))
        elif guest.is_writer:
            occupants.append(SeatOccupant(writer.id))
        elif guest.address:
            occupants.append(_by_address(service, uow, writer, guest, friends, occupants))
        else:
            occupants.append(_by_name(guest.name, friends, ruleset))
    ids = [occupant.player for occupant in occupants]
    twice = next(
        (
            occupant
            for occupant in occupants
            if ids.count(occupant.player) > 1 or occupant.player in taken
        ),
        None,
    )
    if twice is not None and (taken or twice.player != writer.id or ids.count(writer.id) > 1):
        name = twice.label or writer.name
        raise Refusal(
            "setup",
            sentence("{name} is named twice, or sits at the table already.", name=name),
        )
    written = [occupant.label for occupant in occupants if occupant.is_named]
    naming.check_apart([writer.name, *written])
    return occupants


def open_places(count: int) -> list[SeatOccupant]:
    """Create placeholders for `count` open seats, which anyone can take."""
    return [SeatOccupant(open_id(number)) for number in range(1, count + 1)]


def register(
    service: Service, uow: UnitOfWork, writer: Player, occupants: Sequence[SeatOccupant]
) -> list[str]:
    """Register new people, store the names that the writer gave, and return all IDs in order.

    New players get the language of the player who invites them.
    """
    ids: list[str] = []
    for occupant in occupants:
        player = occupant.player
        if occupant.address and not occupant.never_invite:
            added = uow.players.add(
                occupant.label,
                service.config.service.time_zone,
                created_at=service.now(),
                language=writer.language,
            )
            addressing.add(service, uow, added.id, occupant.address)
            player = added.id
        if occupant.label:
            uow.invitations.call(player, occupant.label)
        ids.append(player)
    return ids


def check_caps(
    service: Service, uow: UnitOfWork, writer: Player, occupants: Sequence[SeatOccupant]
) -> None:
    """Check a player's limits on open and daily invitations. Raises: Refusal."""
    wanted_now = sum(bool(occupant.label) for occupant in occupants)
    limits = service.config.limits
    if wanted_now and uow.invitations.count_open(writer.id) + wanted_now > limits.open_invitations:
        raise Refusal(
            "limit",
            sentence(
                "You can have {limit} invitations out that nobody has answered yet; please wait for"
                " some answers first.",
                limit=limits.open_invitations,
            ),
        )
    since = service.now() - DAY
    if (
        wanted_now
        and uow.invitations.count_since(writer.id, since) + wanted_now > limits.invitations_per_day
    ):
        raise Refusal(
            "limit",
            sentence(
                "You can invite {limit} people within a day; please go on tomorrow.",
                limit=limits.invitations_per_day,
            ),
        )


def friends_of(uow: UnitOfWork, player_id: str) -> dict[str, Player]:
    """Return the people with whom a player has shared a table, by ID.

    Both must have joined that game. People without a stored address are left out.
    """
    friends: dict[str, Player] = {}
    for game in uow.projections.games_of(player_id):
        seats = [
            seat
            for seat in uow.projections.seats(game.id)
            if seat.status not in ("invited", "declined", "expired", "open")
        ]
        if not any(seat.player_id == player_id for seat in seats):
            continue
        for seat in seats:
            if seat.player_id != player_id and is_person(seat.player_id):
                player = uow.players.get(seat.player_id)
                if player is not None and uow.players.addresses(player.id):
                    friends[player.id] = player
    return friends


def _by_name(name: str, friends: dict[str, Player], ruleset: str) -> SeatOccupant:
    asked_for = naming.lookalike_key(name)
    named = [
        player for player in friends.values() if naming.lookalike_key(player.name) == asked_for
    ]
    if not named:
        raise Refusal(
            "unknown-player",
            game_order.not_understood(
                name,
                registry.find(ruleset),
                friends=sorted(player.name for player in friends.values()),
            ),
        )
    if len(named) > 1:
        raise Refusal(
            "unknown-player",
            sentence(
                "You have played with {count} people called {name}: write the address.",
                count=len(named),
                name=f'"{name[:40]}"',
            ),
        )
    return SeatOccupant(named[0].id, named[0].name)


def _by_address(
    service: Service,
    uow: UnitOfWork,
    writer: Player,
    guest: Guest,
    friends: dict[str, Player],
    before: Sequence[SeatOccupant],
) -> SeatOccupant:
    address = lobby.foreign_address(service, guest.address)
    known = uow.players.by_address(address)
    if known is not None and known.id == writer.id:
        return SeatOccupant(writer.id)
    if service.config.service.registration == "admin" and (
        known is None or known.id not in friends
    ):
        raise Refusal(
            "registration",
            sentence(
                "On this server only the admin adds people: name somebody with whom you have played,"
                " leave a place open, or ask the admin."
            ),
        )
    if any(occupant.address == address for occupant in before):
        raise Refusal("setup", sentence("{name} is named twice.", name=address))
    friend = None if known is None else friends.get(known.id)
    written = naming.clean_name(guest.name)
    label = (
        friend.name
        if friend
        else naming.playable(written or naming.name_of_address(address), registry.latest())
    )
    is_named = bool(written) and friend is None
    is_never = never_invite.is_listed(service, uow, address)
    if known is not None:
        return SeatOccupant(known.id, label, never_invite=is_never, is_named=is_named)
    return SeatOccupant(open_id(100 + len(before)), label, address, is_never, is_named)
