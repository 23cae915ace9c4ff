"""Queue questions that must be answered with yes before an act is carried out.

Anyone with a forwarded message knows a reply address, and From can be forged. If a message requests
an act in a player's name without sufficient authentication, a question is sent to an address that
the player had before. The question describes the act in our words and stores it as data.
`intake.answers` carries out exactly this act once the right person answers yes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from engine.api import JsonObject
from engine.sentences import Sentence, joined, sentence
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import QuestionToken
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.language import SOURCE
from pbem.mail_out import kinds
from pbem.mail_out.kinds import AlertParams, MailKind, NewcomerParams, PingParams, QuestionParams
from pbem.service.core.context import Service
from pbem.service.core.incoming import Incoming, OwnWords, Verdict
from pbem.service.core.limits import DAY
from pbem.service.core.mail_context import MailContext
from pbem.service.notify import to_admins
from pbem.service.notify.intentions import Mailing, queue_to_address, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.questions import Question, What
from pbem.store.rows.core import InboxMail

P = TypeVar("P", AlertParams, NewcomerParams, PingParams, QuestionParams)

_WEEK, _LONG = timedelta(days=7), timedelta(days=90)
_CODE_LENGTH = 6
ENCRYPT_ON, ENCRYPT, KEY = "encrypt-on", "encrypt", "key"
"""Acts: turn encryption on, turn it off, replace the key of a player's messages."""


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """A kind of question.

    Attributes:
        mail: the kind of message that asks it.
        lives: how long it can be answered.
        share: maps `questions_per_day` to the number of these questions per person and day.
        is_voided: True if revoking the reader's reply addresses invalidates it.
    """

    mail: MailKind[Any]
    lives: timedelta = _WEEK
    share: Callable[[int], int] = lambda most: most
    is_voided: bool = False


ORDER, STOP, ADMIN, SENDER, SENDERS = "order", "stop", "admin", "sender", "senders"
MAIL, NEWCOMER, ADDRESS, PLACE, BROWSER = "mail", "newcomer", "address", "place", "browser"
QUESTIONS: Mapping[str, QuestionKind] = {
    ORDER: QuestionKind(kinds.ASK_ORDER, is_voided=True),
    STOP: QuestionKind(kinds.ASK_STOP, share=lambda _most: 1, is_voided=True),
    ADMIN: QuestionKind(kinds.ALERT, is_voided=True),
    SENDER: QuestionKind(kinds.ASK_SENDER, _LONG, share=lambda most: most // 2),
    SENDERS: QuestionKind(kinds.ASK_SENDERS, _LONG),
    MAIL: QuestionKind(kinds.ASK_NEW, _LONG),
    NEWCOMER: QuestionKind(kinds.WELCOME, timedelta(days=14)),
    ADDRESS: QuestionKind(kinds.CONFIRM_ADDRESS, is_voided=True),
    PLACE: QuestionKind(kinds.PING, DAY),
    BROWSER: QuestionKind(kinds.ASK_ORDER, DAY, share=lambda most: (most + 1) // 2, is_voided=True),
}
"""All kinds of questions. `ANSWERS` in `intake.answers` has the effects of the answers."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer to a question while it is being processed.

    Attributes:
        incoming: its message. The writer is the player whom the question concerns, if any.
        mail: the message that waits for the answer, or None.
        own: the text of the answer.
    """

    incoming: Incoming
    question: Question
    mail: InboxMail | None
    own: OwnWords

    @property
    def beside(self) -> list[Sentence]:
        """Return sentences about orders in the answer that are not carried out."""
        return self.own.unused({Word.YES, Word.NO})

    @property
    def first(self) -> InboxMail:
        """Return the waiting message. Raises: ValueError if no message waits."""
        if self.mail is None:
            raise ValueError(f"no mail waits for question {self.question.id}")
        return self.mail


def may_ask(service: Service, uow: UnitOfWork, kind: str, player_id: str | None) -> bool:
    """True if a person may be asked another question of a kind today.

    None stands for all admins together.
    """
    limit = QUESTIONS[kind].share(service.config.limits.questions_per_day)
    if player_id is None:
        limit *= len(service.config.service.admins)
    return uow.questions.count(kind, service.now() - DAY, player_id) < limit


def ask(
    service: Service,
    uow: UnitOfWork,
    kind: str,
    player_id: str | None,
    params: P,
    what: What,
    *,
    asked_at: datetime | None = None,
    key: str = "question:",
    answers: str | None = None,
    language: str = SOURCE,
) -> None:
    """Store a question and queue the message that asks it.

    Args:
        player_id: the player it concerns, or None for an unregistered person or an admin.
        params: the text of the message. A question ID is added if it is missing.
        what: the act as data. Its `address`, if present, replaces the player's address as the
            recipient.
        asked_at: when to send it, or None to send it at once.
        key: prefix of the message's key.
        answers: Message-ID of the message that it answers.
        language: of the message if it is not to a player.
    """
    row, sent_at = QUESTIONS[kind], asked_at or service.now()
    question_id = params.question or new_id(service)
    if row.is_voided:
        what = replace(what, rotation=rotation(uow, player_id, what.address))
    uow.questions.add(
        Question(
            id=question_id,
            kind=kind,
            player_id=player_id,
            asked_at=sent_at,
            expires_at=sent_at + row.lives,
            what=what,
        )
    )
    named = replace(params, question=question_id)
    mail = Mailing(row.mail, named, f"{key}{question_id}", answers, asked_at)
    if player_id is None:
        queue_to_address(service, uow, what.address, mail, language)
    else:
        queue_to_player(service, uow, player_id, mail, rcpt_to=what.address or None)


def rotation(uow: UnitOfWork, player_id: str | None, address: str) -> int:
    """Return the rotation of the reply addresses of a player, or of an admin if that is None."""
    if player_id is None:
        return to_admins.rotation(uow, address)
    player = uow.players.get(player_id)
    return 0 if player is None else player.rotation


def new_id(service: Service) -> str:
    """Create a question ID."""
    return f"q-{service.new_id(12)}"


def strange_addresses(uow: UnitOfWork, player_id: str, until: datetime) -> dict[str, list[int]]:
    """Map a player's unknown sender addresses to the IDs of their held messages, newest first.

    Only messages of the week before `until` count.
    """
    own = uow.players.addresses(player_id)
    listed: dict[str, list[int]] = {}
    for mail_id, arrived_at, sender in reversed(uow.inbox.held_of(player_id)):
        if sender not in own and until - _WEEK < arrived_at <= until:
            listed.setdefault(sender, []).append(mail_id)
    return listed


def suggested_answers(addresses: Iterable[str]) -> tuple[Sentence, ...]:
    """Return the answers to suggest: yes with each address, and no."""
    answers = [sentence("yes {address}", address=address) for address in addresses]
    return (*answers, sentence("no"))


def postpone(mail_context: MailContext, act: JsonObject, words: str) -> None:
    """Postpone an order until its player confirms it.

    Args:
        mail_orders: context of the message. `ask_whether_meant` asks about its orders later.
        act: the order as data for `intake.answers`.
        words: the order as a sentence.

    Raises: Refusal after too many questions on one day.
    """
    if not mail_context.put_off and not may_ask(
        mail_context.service, mail_context.uow, ORDER, mail_context.player_id
    ):
        raise Refusal(
            "asked-enough",
            sentence(
                "You were asked about so many of your mails today that this one was not. Please answer"
                " one of those questions with yes, or try again tomorrow."
            ),
        )
    mail_context.put_off.append((act, words))


def act_in(game: Game, seat: int, act: str) -> JsonObject:
    """Return the data of an act in a seat. A new player in the seat invalidates it."""
    generation = game.seats[seat].generation
    return {"act": act, "game": game.id, "seat": seat, "generation": generation}


def ask_for_confirmation(mail_context: MailContext, row: InboxMail) -> None:
    """Ask about all postponed orders in one message to the player's primary address."""
    acts: list[JsonObject] = []
    for act, _ in mail_context.put_off:
        if act not in acts:
            acts.append(act)
    words = dict.fromkeys(text for _, text in mail_context.put_off)
    _ask_writer(mail_context, row, ORDER, words, acts)


def ask_to_stop(mail_context: MailContext, row: InboxMail, *, is_invited: bool) -> Verdict:
    """Ask a player, at most once a day, whether to stop all messages.

    Args:
        is_invited: True if the player has only invitations, which then end as well.
    """
    if not may_ask(mail_context.service, mail_context.uow, STOP, mail_context.player_id):
        return Verdict("ignored", "wants no more mails, and was asked about it today")
    words = [sentence("You will get no more mails once you answer yes.")]
    if is_invited:
        words.append(sentence("Nobody can invite you from here any more then."))
    _ask_writer(mail_context, row, STOP, words, [])
    return Verdict("asked", "asked whether they want no more mails")


def needs_code(acts: Iterable[JsonObject]) -> bool:
    """True if a yes needs the code from the encrypted question.

    The question's Message-ID is not encrypted, so a reply that refers to it would otherwise
    suffice.
    """
    return any(act["act"] == KEY for act in acts)


def code_of(service: Service, question_id: str) -> str:
    """Return the code of a question for which `needs_code` is true: the end of its token."""
    return service.tokens.encode(QuestionToken(question_id))[-_CODE_LENGTH:]


def _ask_writer(
    mail_context: MailContext,
    row: InboxMail,
    kind: str,
    words: Iterable[str],
    acts: list[JsonObject],
) -> None:
    service, uow, player_id = mail_context.service, mail_context.uow, mail_context.player_id
    question_id = new_id(service)
    if needs_code(acts):
        what_to_add = sentence(
            'Write the code {code} on a line of its own below "yes": it shows that you can read this mail.',
            code=code_of(service, question_id),
        )
        words = [*words, what_to_add]
    params = QuestionParams(
        joined(list(words)),
        question=question_id,
        is_clear=bool(acts) and all(act["act"] == ENCRYPT for act in acts),
    )
    what = What(inbox_id=row.id, acts=tuple(acts))
    ask(service, uow, kind, player_id, params, what, answers=mail_context.message_id)
