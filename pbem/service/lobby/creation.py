"""Create a game from players, a ruleset and options, and invite everyone by email."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from email_validator import EmailNotValidError, validate_email

from engine import registry
from engine.api import OptionValue
from engine.sentences import Sentence, sentence
from engine.shuffle import SECRET_LENGTH, shuffle
from pbem.domain.log.chain import GameId
from pbem.domain.log.seat_events import PlayerDeclined
from pbem.domain.play import decide, posting, seating
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.terms.seats import is_open, next_bot, open_id
from pbem.domain.terms.timing import Timing
from pbem.domain.words import naming
from pbem.domain.words.orders import is_taken_word
from pbem.errors import Refusal
from pbem.language import find_language, languages
from pbem.mail_out.kinds import CREATED, SeatingParams
from pbem.service.change import creating
from pbem.service.core import games, operators
from pbem.service.core.context import Service
from pbem.service.lobby import never_invite
from pbem.service.notify import addressing, mailings
from pbem.service.notify.intentions import Mailing, queue_for_seat
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player


@dataclass(frozen=True, slots=True)
class Person:
    """A person to invite. The address identifies them. Name and language are for new players.

    Attributes:
        language: code or name of a language, or empty for the service's default.
    """

    name: str
    address: str = field(repr=False)
    language: str = ""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that plays from the start, with the name of its level."""

    level: str


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat that anyone can take."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """A game to create.

    Attributes:
        ruleset: name. The latest version is used.
        players: IDs, by seat.
        timing: None uses the configured default.
        by_lot: True to draw the order of the seats from the server's secret
            (docs/dev/log-format.md).
        never_invite: players who want no invitations. Their seats stay empty and no one learns why.
        is_renewed: True if it replaces a game that had more seats.
        anonymous_talk: True if players can talk anonymously.
        invited_by: name of the inviter, if the creator is not a player.
        note: the inviter's text for the invitations.
        league: the league and round it belongs to, as in `GameCreated`.
        challenge: True if it counts on the ladder of its ruleset.
        game_id: ID of the game, or None to draw one.
        server_secret: 32 bytes, which are random unless a test sets them (GEN-4).
    """

    ruleset: str
    players: Sequence[str] = ()
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    timing: Timing | None = None
    by_lot: bool = False
    never_invite: Sequence[str] = ()
    is_renewed: bool = False
    anonymous_talk: bool = False
    invited_by: str = ""
    note: str = ""
    league: str = ""
    challenge: bool = False
    game_id: GameId | None = None
    server_secret: bytes | None = field(default=None, repr=False)


def create_game(service: Service, seats: Sequence[Person | Bot | OpenSeat], plan: GamePlan) -> Game:
    """Create a game and queue the invitations, in one transaction.

    If one of the people has the inviter's name, they become the creator.

    Args:
        seats: the people, bots and open seats in order. They replace the players of the plan.
        plan: all other properties of the game.

    Raises: Refusal if such a game cannot be played.
    """
    check_mailable(service, plan.ruleset)
    people = [seat for seat in seats if isinstance(seat, Person)]
    check_names([person.name for person in people], plan.ruleset)
    with service.store.unit_of_work() as uow:
        for person in people:
            never_invite.check(service, uow, checked_address(person.address))
        players = list[str]()
        for one in seats:
            if isinstance(one, Person):
                players.append(player_of(service, uow, one))
            elif isinstance(one, OpenSeat):
                players.append(open_id(len(players) + 1))
            else:
                players.append(next_bot(one.level, players))
        if len(set(players)) == len(players):
            seated = [player for player in players if not is_open(player)]
            check_names(games.shown_names(uow, seated), plan.ruleset)
        return make(
            service,
            uow,
            replace(plan, players=players),
            actor=_maker(plan, seats, players),
            cause=service.new_cause(),
        )


def _maker(plan: GamePlan, seats: Sequence[Person | Bot | OpenSeat], players: Sequence[str]) -> str:
    """Return the actor who creates the game: the inviting player, or else the local admin."""
    wanted = plan.invited_by.strip().casefold()
    for seat, player in zip(seats, players, strict=True):
        if isinstance(seat, Person) and seat.name.strip().casefold() == wanted:
            return f"player:{player}"
    return games.LOCAL_ADMIN


def make(
    service: Service,
    uow: UnitOfWork,
    plan: GamePlan,
    *,
    actor: str,
    cause: str | None,
    answers: str | None = None,
    notes: Callable[[Game], Sequence[Sentence]] = lambda _: (),
) -> Game:
    """Create a game and queue the invitations and the message to its creator.

    Args:
        answers: Message-ID of the message that requested the game.
        notes: returns sentences about the new game for its creator.

    Raises: Refusal.
    """
    uow.invitations.sign(plan.invited_by, plan.note)
    secret = plan.server_secret or service.random_bytes(SECRET_LENGTH)
    players = drawn(plan.players, secret) if plan.by_lot else list(plan.players)
    with creating(
        service, uow, plan.game_id or service.new_game_id(), actor=actor, cause=cause
    ) as change:
        decide.create_game(
            change.decision,
            ruleset=plan.ruleset,
            players=players,
            options=plan.options,
            operator_seats=[
                seat
                for seat, player in enumerate(players)
                if operators.is_operator(service, uow, player)
            ],
            timing=plan.timing or service.timing,
            server_secret=secret,
            league=plan.league,
            challenge=plan.challenge,
        )
        if plan.anonymous_talk:
            posting.allow_anonymous(change.decision, is_allowed=True)
        _decline_for(change.decision, plan.never_invite)
        game = change.record()
        if not game.is_over:
            _tell_maker(service, uow, game, answers, plan, notes(game))
    return game


def _tell_maker(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    answers: str | None,
    plan: GamePlan,
    notes: Sequence[Sentence],
) -> None:
    """Queue the message to the creator, whose replies can fill seats, add a phrase or cancel."""
    maker = next(iter(game.seats_of(game.creator)), None)
    if maker is not None:
        params = SeatingParams(renewed=plan.is_renewed, notes=tuple(notes))
        mail = Mailing(CREATED, params, mailings.created_key(game), answers)
        queue_for_seat(service, uow, game, maker, mail)


def _decline_for(decision: Decision, players: Sequence[str]) -> None:
    """Decline for players who want no invitations: leave seats vacant, or end a challenge."""
    for seat, state in enumerate(decision.existing().seats):
        if state.player in players and state.status != "joined":
            decision.emit(PlayerDeclined(seat, state.player), actor=f"seat:{seat}")
            if decision.existing().is_challenge:
                seating.call_off(decision, "declined")


def drawn(players: Sequence[str], secret: bytes) -> list[str]:
    """Draw the order of the seats. Anyone can verify it once the secret is revealed."""
    seed = hashlib.sha256(b"pbem-seats-v1" + secret).digest()
    return list(shuffle(sorted(players), seed, 0))


def check_mailable(service: Service, ruleset: str) -> None:
    """Check that a game has texts for messages. Raises: Refusal."""
    if ruleset in registry.names() and not service.renderer.knows(ruleset):
        raise Refusal(
            "setup",
            sentence("{game} cannot be played by mail yet, only through the engine.", game=ruleset),
        )


def check_names(names: Sequence[str], ruleset: str) -> None:
    """Check that names are valid, distinguishable, and neither orders nor cards of the game.

    Raises: Refusal.
    """
    rules = registry.find(ruleset) if ruleset in registry.names() else None
    for name in map(naming.checked_name, names):
        if rules is not None and is_taken_word(name, rules):
            raise Refusal(
                "setup",
                sentence(
                    "“{name}” would be read as a move or a card: give another name, for example"
                    " “{other}”.",
                    name=name,
                    other=naming.another(name),
                ),
            )
    naming.check_apart(names)


def player_of(service: Service, uow: UnitOfWork, person: Person) -> str:
    """Return the ID of the player with this address, registering unknown people. Raises: Refusal."""
    address = foreign_address(service, person.address)
    known = uow.players.by_address(address)
    return _register(service, uow, person, address).id if known is None else known.id


def add_player(service: Service, person: Person) -> Player:
    """Register a person before their first game.

    Raises: Refusal if the address is taken, the name invalid or the language unknown.
    """
    check_names([person.name], "")
    address = foreign_address(service, person.address)
    with service.store.unit_of_work() as uow:
        if uow.players.by_address(address) is not None:
            raise Refusal("known", "Somebody is registered with this address already.")
        return _register(service, uow, person, address)


def _register(service: Service, uow: UnitOfWork, person: Person, address: str) -> Player:
    """Register a person with a checked address. Raises: Refusal if the language is unknown."""
    language = find_language(person.language or service.config.service.language)
    if language is None:
        raise Refusal("language", f"There are texts in {', '.join(languages())}.")
    player = uow.players.add(
        naming.tidy(person.name),
        service.config.service.time_zone,
        created_at=service.now(),
        language=language,
    )
    addressing.add(service, uow, player.id, address)
    return player


def checked_address(text: str) -> str:
    """Validate an email address and return it in lower-case ASCII. Raises: Refusal."""
    try:
        result = validate_email(text, check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        why = _wrong_in(text)
        raise Refusal(
            "address", sentence("“{text}” is no mail address: {why}.", text=text, why=why)
        ) from None
    if result.ascii_email is None:
        raise Refusal(
            "address",
            sentence(
                "“{text}” has letters before the @ that mail servers do not all understand: an address"
                " in plain letters is needed.",
                text=text,
            ),
        )
    return result.ascii_email.lower()


def foreign_address(service: Service, text: str) -> str:
    """Validate an address that must not be one of ours. Raises: Refusal."""
    address = checked_address(text)
    if address == service.own_address or service.tokens.is_ours(address):
        raise Refusal("address", sentence("That is the address of this service itself."))
    return address


def _wrong_in(address: str) -> Sentence:
    """Describe what is wrong with an invalid email address."""
    before, _, domain = address.partition("@")
    if "@" not in address:
        return sentence("there is no @ in it")
    if "@" in domain:
        return sentence("there is more than one @ in it")
    if not before.strip():
        return sentence("there is nothing before the @")
    if "." not in domain.strip("."):
        return sentence("behind the @ stands a name with a dot in it, such as example.org")
    return sentence("look for blanks, commas, doubled dots and other slips in it")
