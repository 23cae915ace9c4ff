"""Invitation links: URLs of pages on which people can request a free seat of one game.

`make` and `end` are for the creator of the game and the admins. `find` looks up the code of a link,
`page` builds the content of its page, and `submit` stores a visitor's request as a message from the
address that was entered, with `join` and the code. Such a message is unauthenticated. As with any
message to the plain address, nothing happens before the owner of that address has confirmed it.
"""

from __future__ import annotations

import email
import email.policy
import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Final

from engine import registry
from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import seating
from pbem.domain.table.game import Game
from pbem.domain.words import naming
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.mail_out.content import InvitationMail
from pbem.mail_out.kinds import INVITATION, SeatingParams
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.limits import DAY
from pbem.service.lobby import creation, invitation_mail, never_invite
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.post.questions import Question, What
from pbem.store.rows.core import InboxMail, OutboxMail

LASTS: Final = timedelta(days=14)
PER_DAY: Final = 30
"""Maximum number of addresses that can be entered on a link's page within a day."""
PAGE: Final = "join-page"
"""Transport recorded for requests that were entered on a link's page."""
PREFIX: Final = "l-"
"""Prefix of link codes. No game ID starts with it."""
_CODE = re.compile(rf"{PREFIX}[a-z2-7]{{16}}")
_DOMAIN = "page.invalid"


@dataclass(frozen=True, slots=True)
class Link:
    """A valid invitation link, with a game that has a free seat."""

    code: str = field(repr=False)
    game: Game
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Guest:
    """The form values of a link's page except the address. Empty for emailed messages."""

    name: str = ""
    language: str = ""


def make(service: Service, uow: UnitOfWork, game: Game) -> Link:
    """Return the game's invitation link, creating it if necessary. Raises: Refusal."""
    if service.config.web is None:
        raise Refusal(
            "web",
            sentence(
                "This server has no web pages, so it has no invitation links. Invite people by their"
                ' addresses: "invite carol@example.org".'
            ),
        )
    if not free_seats(game):
        raise Refusal(
            "seat",
            sentence(
                "No seat is free: a link is for open seats, as in {order}, and for those of people who"
                " declined or did not answer.",
                order=f'"new {game.ruleset.id.name} open {len(game.seats)} players"',
            ),
        )
    now = service.now()
    question = uow.questions.newest(_kind(game.id), game.creator or None)
    if question is None or not _is_valid(question, now):
        question = Question(
            id=f"{PREFIX}{service.new_id(16)}",
            kind=_kind(game.id),
            player_id=game.creator or None,
            asked_at=now,
            expires_at=now + LASTS,
            what=What(acts=({"act": "link", "game": game.id},)),
        )
        uow.questions.add(question)
    return Link(question.id, game, question.expires_at)


def end(service: Service, uow: UnitOfWork, game: Game) -> None:
    """End the link of a game, if any."""
    question = uow.questions.newest(_kind(game.id), game.creator or None)
    if question is not None:
        uow.questions.mark_answered(question.id, service.now())


def make_of(service: Service, game_id: GameId) -> Link:
    """Return the link of a game for an admin, like `make`.

    Raises: Refusal, and the errors of `games.load`.
    """
    with service.store.unit_of_work() as uow:
        return make(service, uow, games.load(uow, game_id))


def end_of(service: Service, game_id: GameId) -> None:
    """End the link of a game for an admin, like `end`. Raises the errors of `games.load`."""
    with service.store.unit_of_work() as uow:
        end(service, uow, games.load(uow, game_id))


def find(service: Service, uow: UnitOfWork, code: str) -> Link | None:
    """Return the valid link with this code, or None if there is none or no seat is free."""
    question = uow.questions.get(code) if _CODE.fullmatch(code) else None
    if question is None or not _is_valid(question, service.now()):
        return None
    (act,) = question.what.acts
    game = games.load_if_sound(uow, GameId(str(act["game"])))
    if game is None or not free_seats(game):
        return None
    return Link(code, game, question.expires_at)


def find_in(service: Service, uow: UnitOfWork, lines: tuple[OrderLine, ...]) -> Link | None:
    """Return the valid link that a `join` line of a message names, or None."""
    asked = (line.argument or "" for line in lines if line.word is Word.TAKE)
    codes = (argument.partition(" ")[0].lower() for argument in asked)
    return next(filter(None, (find(service, uow, code) for code in codes)), None)


def free_seats(game: Game) -> list[int]:
    """Return the seats that a link can fill. Games of ladders and leagues have none."""
    is_closed = game.status != "inviting" or game.is_challenge or bool(game.league)
    return [] if is_closed else seating.vacant(game)


def address(service: Service, link: Link) -> str:
    """Return the URL of a link's page, or empty if the service has no web pages any more."""
    web = service.config.web
    return "" if web is None else f"{web.url}/join/{link.code}"


def invited(service: Service, uow: UnitOfWork, link: Link) -> Sentence:
    """Introduce the game in the question sent to an address that was entered on a link's page."""
    return sentence(
        "Somebody, most likely you, entered this address on a page where {inviter} invites people to {title}, a"
        " card game by e-mail [{game}].",
        inviter=_inviter(service, uow, link.game),
        title=link.game.ruleset.title,
        game=link.game.id,
    )


def _inviter(service: Service, uow: UnitOfWork, game: Game) -> str:
    seat = next(iter(game.seats_of(game.creator)), None)
    return service.config.service.name if seat is None else games.table_names(uow, game)[seat]


def page(service: Service, uow: UnitOfWork, link: Link, language: str) -> InvitationMail:
    """Build the content of a link's page: that of an invitation to its first free seat."""
    game, seat, now = link.game, free_seats(link.game)[0], service.now()
    zone = service.config.service.time_zone
    visitor = Player(id="", name="", created_at=now, zone=zone, language=language)
    row = OutboxMail(
        key="",
        kind=INVITATION.name,
        game_id=game.id,
        seat=seat,
        version=game.version,
        params={},
        message_id="",
        created_at=now,
        not_before=now,
    )
    mail = invitation_mail.build(service, uow, row, SeatingParams(), game, visitor)
    seats = tuple(replace(shown, is_maker=False) for shown in mail.seats)
    return replace(mail, seats=seats, runs_out=link.expires_at)


def submit(service: Service, link: Link, name: str, written: str, language: str) -> None:
    """Store a visitor's request for a seat, at most one per address and day.

    The result does not reveal whether the address is registered or has opted out.

    Args:
        written: the address as it was entered.
        language: language of the page, which a new player gets.

    Raises: Refusal, and the errors of `Store.unit_of_work`.
    """
    name = naming.playable(naming.checked_name(name), registry.latest())
    sender = creation.foreign_address(service, written.strip())
    now = service.now()
    arrival = InboxMail(
        raw=_as_mail(service, link, Guest(name, language), sender),
        key=f"{PAGE}:{link.code}:{now:%Y-%m-%d}:{never_invite.hashes(service, sender)[0][:32]}",
        mail_from=sender,
        rcpt_to=service.own_address,
        transport=PAGE,
        arrived_at=now,
        game_id=link.game.id,
    )
    with service.store.reading() as uow:
        is_known = uow.inbox.with_key(arrival.key) is not None
        count = uow.inbox.count_by(PAGE, link.game.id, None, now - DAY)
    if not is_known and count >= PER_DAY:
        raise Refusal(
            "limit",
            sentence("So many people used this link today that it takes no more until tomorrow."),
        )
    service.store.run_grouped(lambda uow: uow.inbox.add(arrival))


def guest_of(row: InboxMail) -> Guest:
    """Return what the sender entered on a link's page, or an empty `Guest` for other messages."""
    if row.transport != PAGE:
        return Guest()
    mail = email.message_from_bytes(row.raw, policy=email.policy.SMTP)
    return Guest(mail["From"].addresses[0].display_name, str(mail["Content-Language"]))


def _as_mail(service: Service, link: Link, guest: Guest, sender: str) -> bytes:
    """Build the message that represents a visitor's request in the inbox."""
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"] = Address(guest.name, addr_spec=sender)
    message["To"] = service.own_address
    message["Message-ID"] = f"<{service.new_id(16)}@{_DOMAIN}>"
    message.set_content(f"join {link.code}")  # deletes fields that begin with Content-
    message["Content-Language"] = guest.language
    return message.as_bytes()


def _kind(game_id: GameId) -> str:
    return f"link-{game_id}"


def _is_valid(question: Question, now: datetime) -> bool:
    return question.answered_at is None and now <= question.expires_at
