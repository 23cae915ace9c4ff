"""Acts of a player on the seat page, stored like messages and carried out by the same handler.

`find_visit` decodes the token of a link, `look` builds the content of its page, and `send` stores a
submission. GET requests call only the first two, which change nothing.
"""

from __future__ import annotations

import email.policy
import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from enum import Enum
from typing import Final, NamedTuple

from engine.sentences import sentence
from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game, SeatState
from pbem.mail_out import texts
from pbem.mail_out.content import GameMail
from pbem.mail_out.kinds import ANSWER, BROWSER, FINISHED, STARTED, NoteParams, QuestionParams
from pbem.service.core import games, limits
from pbem.service.core.context import Service
from pbem.service.core.names import seat_address, seat_page_address
from pbem.service.core.sender_identity import PAGE
from pbem.service.letters import seat_page
from pbem.service.notify import questions
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player, normal_address
from pbem.store.post.inbox import PendingWork
from pbem.store.post.questions import Question, What
from pbem.store.rows.core import InboxMail

MAX_COOKIES: Final = 20
"""Maximum number of cookies of a browser that are checked."""
WRONG_PAGE: Final = "wrong-page"
"""Transport of attempts with a wrong address."""
WRONG_ADDRESSES: Final = 5
"""Number of wrong addresses per day after which a seat's links accept no address until the next day."""
LINK_LASTS: Final = timedelta(days=7)
"""Time after the seat's next turn mail after which a link shows nothing to an unknown browser."""
CONFIRMED_LASTS: Final = timedelta(days=7)
"""Time after the question during which a browser can be confirmed and then get its lasting cookie."""
KNOWN_FROM_NOW: Final = sentence(
    "Your browser is known from now on: open its page again. It shows your tables, and moves for you."
)
LOOK: Final = "board"
"""Submitted text of a browser that gives the player's address only to see the table."""
LONGEST: Final = 4000
"""Maximum number of characters in a submission."""
_ONCE = re.compile(r"[a-z2-7]{16}")
_DOMAIN = "page.invalid"
_ANSWERS = frozenset({ANSWER.name, FINISHED.name, STARTED.name})


class Holder(NamedTuple):
    """A seat and who has it: what a link must match to be valid."""

    seat: int
    generation: int
    rotation: int

    @classmethod
    def of(cls, seat: int, state: SeatState, player: Player) -> Holder:
        """Return the present holder of a seat."""
        return cls(seat, state.generation, player.rotation)


@dataclass(frozen=True, slots=True)
class Visit:
    """A seat page that was opened.

    Attributes:
        version: version of the game in the message with the link.
        is_known: True if the browser has the player's cookie, or the player has confirmed it by mail.
        number: the number in the question whether the browser is the player's, while it waits for an answer.
    """

    game: Game
    seat: int
    player: Player
    version: int
    is_known: bool
    number: str = ""

    @property
    def holder(self) -> Holder:
        """Return the holder of its link."""
        return Holder.of(self.seat, self.game.seats[self.seat], self.player)


@dataclass(frozen=True, slots=True)
class Look:
    """The content of a page.

    Attributes:
        mail: the content, or None if the link alone no longer gives access to the game.
        digest: digest of the seat's view (`seat_page.view_digest`).
        outcome: the outcome of the submission, or None if there was none or it is unknown.
    """

    mail: GameMail | None = field(repr=False)
    digest: str
    outcome: Outcome | None = None


class Outcome(Enum):
    """The outcome of a submission."""

    SHOWN = "shown"
    """The page shows the answer."""
    WAITING = "waiting"
    """The submission is stored but not handled yet."""
    MAILED = "mailed"
    """The answer was mailed."""
    ASKED = "asked"
    """A message asks the player for confirmation."""
    FAILED = "failed"
    """The submission was quarantined, and the admins were notified."""
    UNANSWERED = "unanswered"
    """Nothing was done. There is no answer, because too many were sent."""


class Refused(Enum):
    """Why a submission was not stored."""

    EMPTY = "empty"
    STALE = "stale"
    ADDRESS = "address"
    TOO_OFTEN = "too-often"
    CLOSED = "closed"
    """The browser is unknown, and the player confirms it by mail, because a trusted server authenticates senders."""


@dataclass(frozen=True, slots=True)
class Form:
    """A submission. `once` identifies it, and `digest` identifies the page on which it was made."""

    once: str
    digest: str
    words: str = field(repr=False)
    address: str = field(default="", repr=False)


def find_visit(
    service: Service, uow: UnitOfWork, text: str, cookies: Mapping[str, str]
) -> Visit | None:
    """Decode the token of a link. Return None if the link is not valid."""
    token = service.tokens.decode_page(text)
    if token is None:
        return None
    game = games.load_if_sound(uow, token.game_id)
    if game is None or token.seat >= len(game.seats) or token.version > game.version:
        return None
    state = game.seats[token.seat]
    player = uow.players.get(state.player)
    holder = Holder(token.seat, token.generation, token.rotation)
    if player is None or holder != Holder.of(token.seat, state, player):
        return None
    name, value = browser_cookie(service, uow, player)
    is_known = hmac.compare_digest(value.encode(), cookies.get(name, "").encode())
    question = None if is_known else _asked_about(service, uow, player, cookies)
    is_known |= question is not None and question.answered_at is not None
    number = "" if is_known or question is None else _number(question.id)
    old = service.now() - LINK_LASTS
    if not is_known and uow.outbox.has_turn_after(game.id, token.seat, token.version, old):
        return None
    return Visit(game, token.seat, player, token.version, is_known, number)


def browser_cookie(service: Service, uow: UnitOfWork, player: Player) -> tuple[str, str]:
    """Return name and value of the cookie that identifies a player's browsers.

    It becomes invalid when the player's reply addresses are revoked, when their addresses change,
    or when `[authentication]` is set, because an address is not sufficient in that case.
    """
    kind = "pbem-browser-v1" if service.trusted is None else "pbem-confirmed-browser-v1"
    text = "\n".join([kind, player.id, str(player.rotation), *uow.players.addresses(player.id)])
    return f"pbem-{_mark(player)}", f"{player.id}.{_keyed(service, text)}"


def _mark(player: Player) -> str:
    return hashlib.sha256(player.id.encode()).hexdigest()[:12]


def _keyed(service: Service, text: str) -> str:
    return hmac.new(service.tokens.keys[0], text.encode(), hashlib.sha256).hexdigest()


def _waiting_cookie(service: Service, player: Player, question_id: str) -> tuple[str, str]:
    """Return name and value of the cookie of a browser that a question is about.

    The question's mail does not contain the value.
    """
    value = _keyed(service, f"pbem-waiting-browser-v1\n{question_id}")
    return f"pbem-ask-{_mark(player)}", f"{question_id}.{value}"


def _asked_about(
    service: Service, uow: UnitOfWork, player: Player, cookies: Mapping[str, str]
) -> Question | None:
    """Return the valid question about a browser, answered with yes or not yet, or None."""
    given = cookies.get(f"pbem-ask-{_mark(player)}", "")
    _, value = _waiting_cookie(service, player, given.partition(".")[0])
    if service.trusted is None or not hmac.compare_digest(value.encode(), given.encode()):
        return None
    question = uow.questions.get(given.partition(".")[0])
    if question is None or question.player_id != player.id:
        return None
    is_current = question.what.rotation == player.rotation  # a no revokes the addresses
    return question if is_current and service.now() < question.asked_at + CONFIRMED_LASTS else None


def _number(question_id: str) -> str:
    """Return the number by which a player recognizes the question about their own browser."""
    digest = hashlib.sha256(f"pbem-browser-number-v1\n{question_id}".encode()).digest()
    return f"{int.from_bytes(digest[:4], 'big') % 9000 + 1000}"


def ask_by_mail(service: Service, visit: Visit, once: str) -> tuple[str, str] | None:
    """Ask a player by mail whether a browser is theirs.

    Return its cookie, or None if asked too often.

    Args:
        once: as in `Form`. Asking again with the same value sends no further message.
    """
    player = visit.player
    question_id = f"q-{_keyed(service, f'pbem-ask-browser-v1{_key(visit, once)}')[:12]}"
    with service.store.unit_of_work() as uow:
        if uow.questions.get(question_id) is None:
            if not questions.may_ask(service, uow, questions.BROWSER, player.id):
                return None
            question = sentence(
                "A browser opened the page of your table in {game} and wants to play there as you. It shows the"
                " number {number}. Reply with yes only if your own browser shows this number.",
                game=games.called(visit.game),
                number=_number(question_id),
            )
            what, params = (
                What(acts=({"act": "browser"},)),
                QuestionParams(question, question=question_id),
            )
            questions.ask(service, uow, questions.BROWSER, player.id, params, what)
    return _waiting_cookie(service, player, question_id)


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A running game of a player: its title, the address of their page, and whether it is their turn."""

    title: str
    url: str
    is_turn: bool


def own_tables(
    service: Service, uow: UnitOfWork, cookies: Mapping[str, str]
) -> tuple[str, list[OwnTable]]:
    """List the running games of the players whose cookies a browser has.

    Also returns the language of the first of these players, or an empty text if there is none.
    """
    language, tables = "", []
    for name, value in list(cookies.items())[:MAX_COOKIES]:
        player = uow.players.get(value.partition(".")[0]) if name.startswith("pbem-") else None
        if player is None or not hmac.compare_digest(
            browser_cookie(service, uow, player)[1].encode(), value.encode()
        ):
            continue
        language = language or player.language
        for game in games.of_player(uow, player.id, ("running",)):
            for seat in game.seats_of(player.id, ("joined",)):
                title = texts.game_name(
                    str(game.ruleset.title), games.seat_names(uow, game.seats), seat
                )
                url = seat_page_address(service, game, seat, player)
                if url:
                    tables.append(OwnTable(title, url, seat in game.to_act))
    return language, sorted(tables, key=lambda table: not table.is_turn)


def page_content(service: Service, uow: UnitOfWork, visit: Visit, after: str = "") -> Look:
    """Build the content of a page.

    An unknown browser sees nothing that the message with the link did not show.

    Args:
        after: `Form.once` of an earlier submission whose answer is shown.
    """
    game, seat, player = visit.game, visit.seat, visit.player
    mail = seat_page.content(service, uow, game, seat, player)
    digest = seat_page.view_digest(service, mail)
    if not visit.is_known:
        is_same = visit.version == game.version
        if not is_same:
            past = games.load(uow, game.id, up_to=visit.version)
            shown = seat_page.content(service, uow, past, seat, player)
            is_same = past.seats[seat].generation == game.seats[seat].generation
            is_same &= seat_page.view_digest(service, shown) == digest
        return Look(seat_page.without_news(mail) if is_same else None, digest)
    if not _ONCE.fullmatch(after):
        return Look(mail, digest)
    row = uow.inbox.with_key(_key(visit, after))
    if row is None:
        return Look(mail, digest)
    answers = [
        answer
        for answer in uow.outbox.answering(game.id, seat, _message_id(after))
        if answer.kind in _ANSWERS and answer.player_id == player.id
    ]
    if answers:
        mail = seat_page.content(service, uow, game, seat, player, answers[0])
        return Look(mail, digest, Outcome.SHOWN)
    return Look(mail, digest, _OUTCOMES.get(row.status, Outcome.UNANSWERED))


_OUTCOMES = {
    "new": Outcome.WAITING,
    "asked": Outcome.ASKED,
    "done": Outcome.MAILED,
    "shunted": Outcome.FAILED,
    "dropped": Outcome.FAILED,
}
"""The outcome of a submission without an answer on the page, by its status in the inbox."""


def send(service: Service, visit: Visit, form: Form) -> Refused | None:
    """Store a submission durably and once. Return the reason if it is not accepted.

    Raises the same errors as `Store.unit_of_work`.
    """
    game, seat = visit.game, visit.seat
    if not _ONCE.fullmatch(form.once):
        return Refused.STALE
    if service.trusted is not None and not visit.is_known:
        return Refused.CLOSED
    with service.store.reading() as uow:
        is_stored = uow.inbox.with_key(_key(visit, form.once)) is not None
        addresses = uow.players.addresses(visit.player.id)
        since = service.now() - limits.DAY
        wrong = uow.inbox.count_by(WRONG_PAGE, game.id, seat, since)
        digest = page_content(service, uow, replace(visit, is_known=True)).digest
    sender = addresses[0] if addresses else ""
    if not visit.is_known:
        if wrong >= WRONG_ADDRESSES:
            return Refused.TOO_OFTEN
        sender = normal_address(form.address)
        if sender not in addresses:
            _note_wrong(service, game.id, seat, sender)
            return Refused.ADDRESS
    if is_stored:
        return None
    if not form.words.strip():
        return Refused.EMPTY
    is_shown = hmac.compare_digest(form.digest.encode(), digest.encode())
    if not is_shown and form.words != LOOK:
        return Refused.STALE
    reply_to = seat_address(service, game, seat, visit.player)
    arrival = InboxMail(
        raw=_as_mail(sender, reply_to, form),
        key=_key(visit, form.once),
        mail_from=sender,
        rcpt_to=reply_to,
        transport=PAGE,
        arrived_at=service.now(),
        game_id=game.id,
        seat=seat,
    )

    def keep(uow: UnitOfWork) -> None:
        stored = uow.inbox.add(arrival)
        if stored is not None and not visit.is_known:
            note = sentence(
                "A browser gave your e-mail address on the page of your table in {game}. From now on it shows your"
                " tables as you see them, and can move for you. If that was not you, tell the people who run this"
                " service: they can make your links and reply addresses void.",
                game=games.called(game),
            )
            mail = Mailing(BROWSER, NoteParams(note), f"browser:{arrival.key}")
            queue_to_player(service, uow, visit.player.id, mail)

    service.store.run_grouped(keep)
    return None


def pending_work(service: Service, visit: Visit, once: str) -> PendingWork | None:
    """Return a stored submission as work to be handled, or None if it has been handled."""
    with service.store.reading() as uow:
        row = uow.inbox.with_key(_key(visit, once))
    if row is None or row.status != "new":
        return None
    return PendingWork(visit.game.id, row.id)


def _note_wrong(service: Service, game_id: GameId, seat: int, address: str) -> None:
    """Record an attempt with a wrong address, as evidence and to limit the number of attempts."""
    now = service.now()
    with service.store.unit_of_work() as uow:
        attempt = InboxMail(
            raw=b"",
            key=f"{WRONG_PAGE}:{service.new_id(20)}",
            mail_from=address,
            transport=WRONG_PAGE,
            arrived_at=now,
            game_id=game_id,
            seat=seat,
        )
        row = uow.inbox.add(attempt)
        if row is not None:
            uow.inbox.mark(row, "ignored", handled_at=now)


def _key(visit: Visit, once: str) -> str:
    return f"{PAGE}:{visit.game.id}:{visit.seat}:{visit.game.seats[visit.seat].generation}:{once}"


def _message_id(once: str) -> str:
    return f"{once}@{_DOMAIN}"


def _as_mail(sender: str, reply_to: str, form: Form) -> bytes:
    """Build the message that represents a submission."""
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"] = sender
    message["To"] = reply_to
    message["Message-ID"] = f"<{_message_id(form.once)}>"
    message.set_content(form.words[:LONGEST])
    return message.as_bytes()
