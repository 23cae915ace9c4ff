"""Messages with a valid token from another sender: ask the registered address."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from engine.sentences import Sentence, joined, sentence
from pbem.domain.log.chain import format_time
from pbem.domain.words.orders import read_lines
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.mail_in.mime.addresses import normal_address
from pbem.mail_out.kinds import QuestionParams
from pbem.service.core import limits, whose
from pbem.service.core.context import Service
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.core.whose import AuthLevel
from pbem.service.intake import player_mail
from pbem.service.notify import questions
from pbem.service.notify.questions import GivenAnswer
from pbem.service.notify.refusing import note, refuse
from pbem.service.people import own_addresses
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.questions import Question, What

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
    found = whose.owner_of(uow, token) if isinstance(token, whose.OWNED) else None
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


def release(given: GivenAnswer) -> Verdict:
    """Queue the held messages of an address, and ask that address whether it belongs to the player."""
    return _release(given.incoming, given.first.sender or "", given.beside)


def drop(given: GivenAnswer) -> Verdict:
    """Drop a message that the player did not write, or all held messages of an unknown address."""
    uow, player = given.incoming.uow, given.incoming.player
    if given.beside:
        note(given.incoming, joined(given.beside))
    is_of_address = given.question.kind == questions.SENDER
    return _drop(
        uow, uow.inbox.held_from(player.id, given.first.sender or "") if is_of_address else ()
    )


def carry_out(given: GivenAnswer) -> Verdict:
    """Carry out an unauthenticated message from the player's address after its confirmation."""
    if given.beside:
        note(given.incoming, joined(given.beside))
    player_mail.handle_held(given.incoming, given.first, given.incoming.player)
    return Verdict("done", "a mail to the bare address was confirmed")


def choose(given: GivenAnswer) -> Verdict:
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
