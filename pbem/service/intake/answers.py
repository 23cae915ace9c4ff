"""Handle answers to questions (`notify.questions`): permission to answer, effects of yes and no.

A question can be answered once, only by the person who was asked, and only while it is valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engine import registry
from engine.api import JsonObject
from engine.sentences import Sentence, joined, sentence
from pbem.domain.log.chain import GameId, format_time
from pbem.domain.play import decide, handover
from pbem.domain.table.decision import running
from pbem.domain.terms.tokens import QuestionToken, find_token
from pbem.domain.words.orders import read_lines
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal, RowVerificationError
from pbem.mail_in.mime.addresses import normal_address
from pbem.mail_out.kinds import ANSWER, GameParams, QuestionParams
from pbem.service.admin import admin_mail
from pbem.service.change import changing
from pbem.service.core import limits, sender_identity
from pbem.service.core.context import Service
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.core.sender_identity import AuthLevel
from pbem.service.intake import page_acts, player_mail, strangers
from pbem.service.league import orders as leagues
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import never_invite
from pbem.service.notify import deliverability, mailings, questions, to_admins
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.service.notify.questions import GivenAnswer
from pbem.service.notify.refusing import note, refuse
from pbem.service.people import mail_acts, own_addresses, own_encryption
from pbem.service.votes import motion_orders, offers
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.questions import Question, What
from pbem.store.rows.core import INBOX, WAITING_STATUSES

_NOT_ASKED = Verdict("ignored", "a confirmation by somebody who was not asked")
_SETTLED = sentence("That mail is settled already.")
_TOO_OLD = sentence(
    "That question is too old, or your reply addresses were replaced since then, so nothing was done."
    " If you still want it, please write it once more."
)
_WHICH = sentence(
    "Please answer yes (do it) or no (it was not me); as long as you do neither, nothing is done."
)
_WHOSE = sentence("Please answer yes (the mail was mine) or no (drop it).")
_NEITHER = sentence(
    'Your answer was neither yes nor no. If you mean yes, reply to this mail with "yes"; otherwise do'
    " nothing, and nothing happens."
)
_CODE = sentence(
    "Your answer lacks the code from the question, so nothing was changed. Please reply to the question"
    ' with "yes", and with its code on a line of its own.'
)
_VOID = sentence(
    "Nothing of what you were asked about is done. All addresses to which you have answered so far are"
    " void from now on: please answer the newest mail of each game."
)


Handler = Callable[[GivenAnswer], Verdict]


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """Effects of the answers to a kind of question.

    Attributes:
        yes: carries out the answer yes.
        no: carries out the answer no. None if no has no effect.
        which: sentence to send if the message contains neither yes nor no. None repeats the
            question, once.
        stop: the answer given by the List-Unsubscribe link of the question.
        is_list: True if `yes` handles every answer, and the question can be answered again.
        releases: True if a yes queues the waiting message again.
        refuse: explains to the sender that an answer has no effect.
    """

    yes: Handler
    no: Handler | None = None
    which: Sentence | None = None
    stop: Word | None = None
    is_list: bool = False
    releases: bool = False
    refuse: Callable[..., Verdict] = refuse


def answer(incoming: Incoming) -> Verdict:
    """Carry out the answer to a question, or explain why it has no effect."""
    uow, now = incoming.uow, incoming.service.now()
    question = uow.questions.get(incoming.token_as(QuestionToken).question_id)
    asked = None if question is None else _reader(incoming, question)
    if question is None or asked is None:
        return _NOT_ASKED
    mail = uow.inbox.get(question.what.inbox_id) if question.what.inbox_id else None
    if mail is not None and not mail.fits:
        to_admins.alert_failed_verification(
            incoming.service, uow, RowVerificationError(INBOX.name, mail.id)
        )
        return Verdict("ignored", "a confirmation of a mail whose row failed verification")
    row = ANSWERS[question.kind]
    given = GivenAnswer(asked, question, mail, asked.own_words(registry.latest()))
    word = _word(row, given)
    why_not = _why_not(given, word)
    if why_not is not None:
        return row.refuse(asked, why_not)
    if row.is_list:
        return row.yes(given)
    if word is None and row.which is not None:
        which = asked.subject_order() or row.which
        return row.refuse(asked, which, [line.text for line in given.own.lines])
    if word is None:
        player_id = question.player_id
        return strangers.ask_again(given) if player_id is None else _ask_again(given, player_id)
    handler = row.yes if word is Word.YES else row.no if word is Word.NO else None
    if handler is None:
        return Verdict("ignored", "an answer without an effect")
    if not uow.questions.mark_answered(question.id, now):  # another process has answered it
        return row.refuse(asked, _SETTLED)
    is_yes = word is Word.YES
    if mail is not None and not (row.releases and is_yes):
        why = "done after a yes to a question" if is_yes else "not the own mail of who was asked"
        verdict: JsonObject = {"why": why, "triage": "human"}
        uow.inbox.mark(mail.id, "done" if is_yes else "dropped", verdict=verdict, handled_at=now)
    return handler(given)


def _reader(incoming: Incoming, question: Question) -> Incoming | None:
    """Return the message with the asked player as its writer.

    Return None if someone else was asked.
    """
    address = question.what.address.lower()
    if address:
        is_asked = incoming.sender.lower() == address
        if question.kind == questions.ADMIN:
            is_asked &= address in incoming.service.config.service.admins
        if not is_asked:
            return None
        if question.player_id is None:
            languages = [str(act.get("language", "")) for act in question.what.acts]
            return replace(incoming, asked_in="".join(languages[:1]))
        player = incoming.uow.players.get(question.player_id)
        return None if player is None else replace(incoming, writer=player)
    writer = incoming.writer
    return incoming if writer is not None and writer.id == question.player_id else None


def _why_not(given: GivenAnswer, word: Word | None) -> Sentence | None:
    """Return the reason why an answer does not count, or None if it counts."""
    asked, question, what = given.incoming, given.question, given.question.what
    is_waiting = given.mail is None or given.mail.status in WAITING_STATUSES
    if question.answered_at is not None or not is_waiting:
        return _SETTLED
    rotation = questions.rotation(asked.uow, question.player_id, what.address)
    is_void = what.rotation is not None and what.rotation != rotation
    if is_void or asked.service.now() > question.expires_at:
        return _TOO_OLD
    return None if word is not Word.YES or _has_code(given) else _CODE


def _word(row: AnswerRule, given: GivenAnswer) -> Word | None:
    if row.stop is not None and deliverability.asks_to_stop(given.incoming.mail):
        return row.stop
    if row.stop is Word.NO and Word.NEVER in given.own.words:
        return Word.NO
    return given.own.yes_or_no()


def _ask_again(given: GivenAnswer, player_id: str) -> Verdict:
    """Repeat a question to a player, once, at the address that it was sent to."""
    asked, question = given.incoming, given.question
    kind, address = questions.QUESTIONS[question.kind].mail, question.what.address or None
    params = QuestionParams(_NEITHER, question=question.id)
    mail = Mailing(kind, params, f"again:{question.id}", asked.mail.message_id)
    queue_to_player(asked.service, asked.uow, player_id, mail, rcpt_to=address)
    return Verdict("done", "asked again: an answer that is neither yes nor no")


def _has_code(given: GivenAnswer) -> bool:
    """True if a required code is present, either as text or as the question's own reply address."""
    asked, service = given.incoming, given.incoming.service
    if not questions.needs_code(given.question.what.acts):
        return True
    addresses = [asked.row.rcpt_to or "", *asked.mail.recipients]
    if find_token(service.tokens, addresses, asked.mail.subject)[1] == asked.token:
        return True
    return questions.code_of(service, given.question.id) in given.own.reply.text.lower().split()


# --- orders that a player's message requests --------------------------------------------------


def _disown(given: GivenAnswer) -> Verdict:
    """Drop orders requested by another person, and revoke the reply addresses that they know."""
    incoming = given.incoming
    service, uow, player = incoming.service, incoming.uow, incoming.player
    uow.players.rotate(player.id)
    note(incoming, joined([_VOID, *given.beside]))
    mail_acts.mail_again(service, uow, player, why=f"rotation{player.rotation + 1}")
    return Verdict("done", "what a mail asks for was disowned")


def _stop(given: GivenAnswer) -> Verdict:
    return leagues.stop_all(given.incoming, cause=given.first.cause, notes=given.beside)


def _carry_out(given: GivenAnswer) -> Verdict:
    """Carry out each act that is still possible, and report the others."""
    done: list[str] = []
    refused: list[str] = [*given.beside]
    is_answered = False
    for act in given.question.what.acts:
        try:
            result = _ACTS[str(act["act"])](given, act)
        except Refusal as refusal:
            refused.append(refusal.message)
            continue
        is_answered |= result is None
        done += [result] if result else []
    if done or (refused and is_answered):
        note(given.incoming, joined([*done, *refused]))
    elif refused:
        return refuse(replace(given.incoming, auth_level=AuthLevel.CONFIRMED), joined(refused))
    return Verdict("done", "what a mail asks for was confirmed")


def _in_game(given: GivenAnswer, act: JsonObject) -> None:
    """Carry out an act in a game and answer, if the same person still has the seat.

    Raises:
        Refusal: the act is not possible.
        VersionConflictError: another worker has locked the game. Retry the whole message.
    """
    incoming = given.incoming
    service, uow = incoming.service, incoming.uow
    game_id, seat = GameId(str(act["game"])), int(str(act["seat"]))
    cause = given.first.cause
    with changing(service, uow, game_id, actor=f"seat:{seat}", cause=cause) as change:
        game, decision = change.game, change.decision
        if game.seats[seat].generation != act["generation"]:
            raise Refusal(
                "replaced",
                sentence("Somebody else plays in that seat now, so nothing was carried out."),
            )
        running(game)
        handover.take_back(decision, seat)
        notes: list[Sentence] = []
        if act["act"] == "resign":
            decide.resign(decision, seat)
            decide.settle(decision)
        elif act["act"] == "end":
            asked_at = None if act["asked_at"] is None else int(str(act["asked_at"]))
            notes += motion_orders.end_confirmed(uow, decision, seat, asked_at)
            decide.settle(decision)
        else:
            person = lobby.Person(str(act["name"]), str(act["address"]))
            notes.append(offers.ask_for(service, uow, decision, seat, seat, person))
        params = GameParams(game.version, game.seats[seat].seen, notes=tuple(notes))
        key = f"answer:{incoming.row.id}:{act['act']}"
        mail = Mailing(ANSWER, params, key, incoming.mail.message_id)
        change.answer = mailings.Answer(seat, mail)


def _use_key(given: GivenAnswer, act: JsonObject) -> str:
    incoming, asked = given.incoming, given.first
    first = sender_identity.read(incoming.service, asked.raw, asked.mail_from, uow=incoming.uow)
    brought = replace(incoming, row=asked, mail=first).brought
    return own_encryption.confirm_key(
        incoming.service,
        incoming.uow,
        incoming.player,
        brought,
        str(act["key"]),
        begins=act["act"] == questions.ENCRYPT_ON,
    )


_ACTS: Mapping[str, Callable[[GivenAnswer, JsonObject], str | None]] = {
    "resign": _in_game,
    "end": _in_game,
    "replace": _in_game,
    "never": lambda given, _act: never_invite.shut_out(
        given.incoming.service,
        given.incoming.uow,
        given.incoming.player.id,
        cause=given.first.cause,
    ),
    "address": lambda given, act: own_addresses.carry_out(
        given.incoming.service, given.incoming.uow, given.incoming.player, str(act["words"])
    ),
    questions.ENCRYPT: lambda given, _act: own_encryption.end(
        given.incoming.uow, given.incoming.player
    ),
    "browser": lambda _given, _act: page_acts.KNOWN_FROM_NOW,
    questions.ENCRYPT_ON: _use_key,
    questions.KEY: _use_key,
}
"""The handler of each act. It returns a confirmation, or None if it has queued the answer."""


# --- messages from unknown addresses -----------------------------------------------------------

_MAX_HELD = 200
"""Maximum number of unknown addresses waiting for one player. Further addresses are ignored."""


def hold(incoming: Incoming) -> Verdict:
    """Hold a message with a valid token from another address, and ask the registered address.

    One question covers all messages from that address. An attacker with a reply address can cause
    only a few questions, and cannot prevent the question about the player's own new address: later
    addresses wait for a question that lists them all.
    """
    service, uow, row, sender = incoming.service, incoming.uow, incoming.row, incoming.sender
    token = incoming.token
    found = (
        sender_identity.owner_of(uow, token) if isinstance(token, sender_identity.OWNED) else None
    )
    owner = "" if found is None else found.id
    if not uow.players.addresses(owner):
        if incoming.writer is None:
            return Verdict("ignored", "right token, of a player who has no address any more")
        return player_mail.with_broken_token(replace(incoming, auth_level=AuthLevel.CLAIM))
    if uow.inbox.held_from(owner, sender):
        return Verdict("held", "right token, sender is not the seat's player: asked before")
    if questions.may_ask(service, uow, questions.SENDER, owner):
        questions.ask(
            service, uow, questions.SENDER, owner, QuestionParams(), What(inbox_id=row.id)
        )
        return Verdict("held", "right token, sender is not the seat's player: asked")
    now = service.now()
    if len(questions.strange_addresses(uow, owner, now)) >= _MAX_HELD:
        return Verdict("ignored", "right token, a stranger's address, and too many wait")
    last = uow.questions.newest(questions.SENDERS, owner)
    if last is None or last.asked_at <= now:
        asked_at = _next_list(service, last)
        params = QuestionParams(until=format_time(asked_at))
        questions.ask(service, uow, questions.SENDERS, owner, params, What(), asked_at=asked_at)
    return Verdict("held", "right token, sender is not the seat's player: to be asked with others")


def _next_list(service: Service, last: Question | None) -> datetime:
    """Return when to ask about all unknown addresses whose messages are held.

    Questions about single addresses use half of a day's limit (`questions.QUESTIONS`), and lists
    use the other half.
    """
    most = service.config.limits.questions_per_day
    soon = service.now() + limits.HOUR
    return soon if last is None else max(soon, last.asked_at + limits.DAY / (most - most // 2))


def _drop_held(given: GivenAnswer) -> Verdict:
    """Drop a message that the player did not write, or all held messages of an unknown address."""
    uow, player = given.incoming.uow, given.incoming.player
    if given.beside:
        note(given.incoming, joined(given.beside))
    is_of_address = given.question.kind == questions.SENDER
    return _drop(
        uow, uow.inbox.held_from(player.id, given.first.sender or "") if is_of_address else ()
    )


def _carry_out_held(given: GivenAnswer) -> Verdict:
    """Carry out an unauthenticated message from the player's address after its confirmation."""
    if given.beside:
        note(given.incoming, joined(given.beside))
    player_mail.handle_held(given.incoming, given.first, given.incoming.player)
    return Verdict("done", "a mail to the bare address was confirmed")


def _choose(given: GivenAnswer) -> Verdict:
    """Apply an answer about several addresses: `yes` with an address, or `no`."""
    incoming = given.incoming
    uow, player = incoming.uow, incoming.player
    listed = questions.strange_addresses(uow, player.id, given.question.asked_at)
    for line in given.own.reply.text.splitlines():
        begin, _, rest = line.strip().partition(" ")
        words = {one.word for one in read_lines(begin.strip(":,"), (), (), player.language)}
        if Word.NO in words and not rest:
            return _drop(uow, [mail_id for ids in listed.values() for mail_id in ids])
        only = next(iter(listed), "") if len(listed) == 1 and not rest else ""
        address = normal_address(rest.strip(" <>.:,")) or only
        if Word.YES in words and address in listed:
            return _release(incoming, address)
    message = sentence(
        "Please answer with yes and the address that is yours, or with no if none of them is."
    )
    shown = questions.suggested_answers(listed)
    return refuse(incoming, message, suggestions=shown)


def _drop(uow: UnitOfWork, mail_ids: Iterable[int]) -> Verdict:
    for mail_id in mail_ids:
        uow.inbox.mark(mail_id, "dropped", verdict={"why": "not the player's own"})
    return Verdict("done", "a held mail was disowned")


def _release_sender(given: GivenAnswer) -> Verdict:
    return _release(given.incoming, given.first.sender or "", given.beside)


def _release(incoming: Incoming, sender: str, beside: Sequence[Sentence] = ()) -> Verdict:
    """Queue a player's held messages, and ask the address that sent them whether it is theirs.

    The player's yes covers only these messages (`Incoming.of`). The address is added when it
    confirms the question itself (`own_addresses`).
    """
    for mail_id in incoming.uow.inbox.held_from(incoming.player.id, sender):
        incoming.uow.inbox.mark(mail_id, "new")
    try:
        message = own_addresses.ask(incoming.service, incoming.uow, incoming.player, sender)
    except Refusal as refusal:
        message = joined([refusal.message])
    note(incoming, joined([*beside, message]))
    return Verdict("done", "a held mail was confirmed")


def _silence(*_: object) -> Verdict:
    return _NOT_ASKED


ANSWERS: Mapping[str, AnswerRule] = {
    questions.ORDER: AnswerRule(_carry_out, _disown, _WHICH),
    questions.STOP: AnswerRule(_stop, _disown, _WHICH, stop=Word.YES),
    questions.ADMIN: AnswerRule(
        admin_mail.confirm, admin_mail.disown, admin_mail.WHICH, refuse=admin_mail.refuse
    ),
    questions.SENDER: AnswerRule(_release_sender, _drop_held, _WHOSE, releases=True),
    questions.SENDERS: AnswerRule(_choose, is_list=True),
    questions.MAIL: AnswerRule(_carry_out_held, _drop_held, _WHOSE),
    questions.NEWCOMER: AnswerRule(
        strangers.register, strangers.decline, stop=Word.NO, refuse=_silence
    ),
    questions.BROWSER: AnswerRule(_carry_out, _disown, _WHICH),
    questions.ADDRESS: AnswerRule(own_addresses.bind, refuse=_silence),
}
"""The rule for each kind of question. The code of a ping is handled by `people.own_pings`."""
