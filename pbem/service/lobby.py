"""Making a game: people by name and address, a ruleset, options; everybody is invited by mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from email_validator import EmailNotValidError, validate_email

from engine import registry
from engine.api import OptionValue
from pbem.domain import decide, posting
from pbem.domain.decision import Decision
from pbem.domain.game import Game
from pbem.domain.orders import is_taken_word
from pbem.domain.timing import Timing
from pbem.errors import Refusal, StoreError
from pbem.language import find_language, languages
from pbem.service import games, mailings
from pbem.service.context import Service
from pbem.store.players import Player
from pbem.store.uow import UnitOfWork

NAME_LIMIT = 40


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody to be invited; the address decides who it is, the name is for a first time."""

    name: str
    address: str = field(repr=False)


def create_game(
    service: Service,
    *,
    ruleset: str,
    people: Sequence[Person],
    options: Mapping[str, OptionValue],
    timing: Timing | None = None,
    admin: str = "local",
    server_secret: bytes | None = None,
    anonymous_talk: bool = False,
) -> Game:
    """Create a game and queue the invitations, in one transaction.

    Args:
        ruleset: name; the latest version is used.
        people: in seat order.
        timing: the configured one if None.
        server_secret: 32 bytes; drawn afresh unless a test gives it (GEN-4).
        anonymous_talk: the players may say something without a name.

    Raises: Refusal for what cannot be played.
    """
    if ruleset in registry.names() and not service.renderer.knows(ruleset):
        raise Refusal("setup", f"{ruleset} cannot be played by mail yet, only through the engine.")
    check_names([person.name for person in people], ruleset)
    with service.store.unit_of_work() as uow:
        players = [player_of(service, uow, person) for person in people]
        if len(set(players)) == len(players):
            check_names(games.shown_names(uow, players), ruleset)
        decision = Decision(
            service.new_game_id(), service.now(), f"admin:{admin}", f"command:{service.new_id(16)}"
        )
        decide.create_game(
            decision,
            ruleset=ruleset,
            players=players,
            options=options,
            operator_seats=[
                seat for seat, player in enumerate(players) if is_operator(service, uow, player)
            ],
            timing=timing or service.settings.timing,
            server_secret=server_secret or service.random_bytes(32),
        )
        if anonymous_talk:
            posting.allow_anonymous(decision, is_allowed=True)
        game, recorded = games.record(uow, decision)
        mailings.queue(uow, service, game, recorded, position_before=0)
    return game


def check_names(names: Sequence[str], ruleset: str) -> None:
    """Names are unique in a game, and none of them reads as an order, a card or a number."""
    if len({name.casefold() for name in names}) != len(names):
        raise Refusal("setup", "Two players have the same name: names are unique in a game.")
    rules = registry.find(ruleset) if ruleset in registry.names() else None
    for name in names:
        if not name.strip() or len(name) > NAME_LIMIT or not name.isprintable():
            raise Refusal("setup", f"A name has 1 to {NAME_LIMIT} printable characters.")
        if rules is not None and is_taken_word(name, rules):
            raise Refusal(
                "setup",
                f"{name!r} would be read as an order or a card: give another name, e.g."
                f" {name + ' B'!r}.",
            )


def is_operator(service: Service, uow: UnitOfWork, player_id: str) -> bool:
    """Say whether a player is one of those who run this server: they add no phrase (GEN-4)."""
    return bool(service.settings.admins.intersection(uow.players.addresses(player_id)))


def player_of(service: Service, uow: UnitOfWork, person: Person) -> str:
    """Give the id of the player with this address, a new one if nobody has it."""
    address = checked_address(person.address)
    known = uow.players.by_address(address)
    if known is not None:
        return known.id
    player = uow.players.add(
        person.name.strip(),
        service.settings.zone,
        created_at=service.now(),
        language=service.settings.language,
    )
    uow.players.add_address(player.id, address, is_primary=True)
    return player.id


def add_player(service: Service, person: Person, *, language: str | None = None) -> Player:
    """Register somebody before their first game, with the language of their mails.

    Args:
        language: a code or a name; None = as configured.

    Raises: Refusal: somebody has the address already, the name is none, or there are no such texts.
    """
    check_names([person.name], "")
    code = None if language is None else find_language(language)
    if language is not None and code is None:
        raise Refusal("language", f"There are texts in {', '.join(languages())}.")
    with service.store.unit_of_work() as uow:
        if uow.players.by_address(checked_address(person.address)) is not None:
            raise Refusal("known", "Somebody is registered with this address already.")
        player_id = player_of(service, uow, person)
        if code is not None:
            uow.players.set_language(player_id, code)
        player = uow.players.get(player_id)
    if player is None:
        raise StoreError("a player is gone at once")
    return player


def checked_address(text: str) -> str:
    """Give a mail address in the form that is stored. Raises: Refusal."""
    try:
        found = validate_email(text, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise Refusal("address", f"{text!r} is no mail address: {error}") from None
    if found.ascii_email is None:
        raise Refusal(
            "address",
            f"{text!r} has letters before the @ that mail servers do not all understand: an address in"
            " plain letters is needed.",
        )
    return found.ascii_email.lower()
