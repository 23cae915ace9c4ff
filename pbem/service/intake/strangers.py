"""Handle messages from unregistered senders, with as few answers as possible.

If anyone can register, a sender with an order for newcomers gets at most one question a day, to the
From address, and the order is carried out after their yes. An answer that is neither yes nor no
brings the question once more. If players come by invitation, this holds
for an order to join by an invitation link (`lobby.join_links`), and a sender
who wants to play gets one answer on how to be invited. The number of answers per day is limited in all
and per domain. Senders blocked by the configuration get none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from functools import cache

from publicsuffixlist import PublicSuffixList

from engine import registry
from engine.api import JsonObject
from engine.sentences import joined, sentence
from pbem.domain.words import meanings, naming
from pbem.domain.words.orders import LineKind, OrderLine
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.errors import Refusal
from pbem.language import SOURCE
from pbem.mail_in.mime.authentication import is_vouched_for
from pbem.mail_in.quotes.marks import words_of
from pbem.mail_out.kinds import BY_INVITATION, NOTHING_SAID, WELCOME, NewcomerParams
from pbem.service.core import sender_identity
from pbem.service.core.context import Service
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.core.limits import STRANGER, strangers_for_all
from pbem.service.intake import player_mail
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import join_links, never_invite
from pbem.service.notify import addressing, questions
from pbem.service.notify.intentions import Mailing, queue_to_address
from pbem.service.notify.questions import GivenAnswer
from pbem.service.notify.refusing import note
from pbem.store.post.questions import What

DAY = timedelta(days=1)
FOREVER = timedelta(days=3650)
_SEAT = sentence(
    'If it was you and you\'d like to play, reply to this mail with "yes": then you have a seat, and a mail'
    " shows you your cards when all seats are taken."
)
_NEITHER = sentence(
    'Your answer was neither yes nor no. If you\'d like to play here, reply to this mail with "yes".'
)
_WELCOME = frozenset(word for word, row in ORDER_WORDS.items() if row.welcomes)
_JOIN_WORDS = frozenset({Word.JOIN, Word.TAKE, Word.JOIN_LEAGUE})
_JOINING = frozenset({"join", "mitspielen", "mitmachen"})
_SPEAKING = frozenset({"i", "me", "we", "ich", "wir"})
_PERSONAL = re.compile(r"[a-z0-9_][a-z0-9._+=~&'-]*")
"""Local part of a personal address. `|id` would be a command for some mail servers."""
_INTERNAL = frozenset({"internal", "lan", "home", "corp", "intranet", "localdomain"})
"""Top-level domains of private networks that the address checker does not know."""


def answer(incoming: Incoming) -> Verdict:
    """Answer an unregistered sender who wants to play, unless an answer could do harm."""
    service, uow, row, sender = incoming.service, incoming.uow, incoming.row, incoming.sender
    if not _is_welcome(incoming):
        return Verdict("ignored", "a stranger who cannot or does not want to get mails")
    own = incoming.own_words(registry.latest())
    if not (own.words & _WELCOME or any(map(_wants_to_play, own.lines))):
        return Verdict("ignored", "a stranger, and no order of a newcomer")
    link = join_links.find_in(service, uow, own.lines)
    mode = service.config.service.registration
    may_register = mode == "open" or (mode == "invited" and link is not None)
    since = service.now() - (DAY if may_register else FOREVER)
    is_asked = bool(uow.outbox.count_to_strangers(since, prefix=_prefix(service, sender)))
    is_answered = not is_asked and _is_within_limits(incoming)
    if mode == "admin" or not is_answered:
        return _keep_waiting(incoming, own.words, is_answered=is_answered)
    if not may_register:
        return _tell_how_to_be_invited(incoming)
    uow.inbox.attribute(row.id, sender, None)
    guest = join_links.guest_of(row)
    act: JsonObject = {"act": "link", "name": guest.name, "language": guest.language}
    params = NewcomerParams(
        guest.name or naming.name_of_address(sender),
        language=guest.language,
        message=NOTHING_SAID
        if link is None
        else joined([join_links.invited(service, uow, link), _SEAT]),
    )
    questions.ask(
        service,
        uow,
        questions.NEWCOMER,
        None,
        params,
        What(address=sender, inbox_id=row.id, acts=() if link is None else (act,)),
        key=_prefix(service, sender),
        answers=incoming.mail.message_id,
        language=guest.language or service.config.service.language,
    )
    return Verdict("held", "a stranger: asked whether they want to play here")


def _wants_to_play(line: OrderLine) -> bool:
    """True if a sentence asks for a game or a league, as "I would like to play" does."""
    if line.kind is not LineKind.PROSE:
        return False
    words = set(words_of(line.text))
    is_asking = bool(words & _JOINING) and bool(words & _SPEAKING)
    return is_asking or meanings.likely_intent(line.text, SOURCE) is not None


def _keep_waiting(incoming: Incoming, words: set[Word | None], *, is_answered: bool) -> Verdict:
    """Hold one message of each sender who asks to join, so that the admin can list it."""
    uow, row, sender = incoming.uow, incoming.row, incoming.sender
    if not words & _JOIN_WORDS or uow.inbox.held_from(None, sender):
        return Verdict("ignored", "a stranger; enough were answered, or only the admin adds people")
    uow.inbox.attribute(row.id, sender, None)
    if is_answered:
        _tell_how_to_be_invited(incoming, is_waiting=True)
    return Verdict("held", "a stranger who wants to join: the admin sees it")


def _tell_how_to_be_invited(incoming: Incoming, *, is_waiting: bool = False) -> Verdict:
    service, uow, sender = incoming.service, incoming.uow, incoming.sender
    key = f"{_prefix(service, sender)}{service.now():%Y%m%dT%H%M%S}"
    params = NewcomerParams(naming.name_of_address(sender), is_waiting=is_waiting)
    mail = Mailing(BY_INVITATION, params, key, incoming.mail.message_id)
    queue_to_address(service, uow, sender, mail)
    return Verdict("done", "a stranger: told how to be invited")


def register(given: GivenAnswer) -> Verdict:
    """Register a sender who answered yes, and carry out their first message."""
    incoming, first = given.incoming, given.first
    service, uow, sender = incoming.service, incoming.uow, incoming.sender
    mode, act = service.config.service.registration, next(iter(given.question.what.acts), None)
    may_register = mode == "open" or (mode == "invited" and act is not None)
    if not may_register or _is_blocked(service, sender):
        return Verdict("ignored", "a confirmation by somebody who was not asked")
    player = incoming.writer
    if player is None:
        defaults = service.config.service
        entered = {} if act is None else act
        name = str(entered.get("name") or "") or naming.name_of_address(sender)
        player = uow.players.add(
            naming.playable(name, registry.latest()),
            defaults.time_zone,
            created_at=service.now(),
            language=str(entered.get("language") or "") or defaults.language,
        )
        addressing.add(service, uow, player.id, sender)
    uow.inbox.attribute(first.id, sender, player.id)
    player_mail.handle_held(incoming, first, player)
    if given.beside:
        note(replace(incoming, writer=player), joined(given.beside))
    return Verdict("done", "a stranger became a player")


def ask_again(given: GivenAnswer) -> Verdict:
    """Repeat the question to a sender whose answer was neither yes nor no, once, within the limits."""
    incoming, question = given.incoming, given.question
    service, sender = incoming.service, incoming.sender
    if not _is_welcome(incoming) or not _is_within_limits(incoming):
        return Verdict("ignored", "a stranger whose answer was neither yes nor no")
    language = incoming.asked_in or service.config.service.language
    params = NewcomerParams(
        naming.name_of_address(sender), question=question.id, language=language, message=_NEITHER
    )
    key = f"{_prefix(service, sender)}again:{question.id}"
    mail = Mailing(WELCOME, params, key, incoming.mail.message_id)
    queue_to_address(service, incoming.uow, sender, mail, language)
    return Verdict("done", "a stranger asked again: an answer that is neither yes nor no")


def decline(given: GivenAnswer) -> Verdict:
    """Record that a sender declined. Any answer except `no` also prevents future invitations."""
    service, uow, sender = given.incoming.service, given.incoming.uow, given.incoming.sender
    if given.own.yes_or_no() is not Word.NO:
        uow.invitations.never(never_invite.hashes(service, sender)[0], service.now())
    return Verdict("done", "a stranger wants nothing of us")


def _is_welcome(incoming: Incoming) -> bool:
    """True if it is safe to answer an unregistered sender."""
    service, uow, sender = incoming.service, incoming.uow, incoming.sender
    if not _is_deliverable(sender) or sender_identity.has_foreign_envelope(
        incoming.row.mail_from, sender
    ):
        return False
    if _is_blocked(service, sender):
        return False
    if never_invite.is_listed(service, uow, sender) or service.tokens.is_ours(sender):
        return False
    # If an address row failed verification, the sender may be registered. The admins are notified.
    return not uow.players.unfit


def _is_deliverable(sender: str) -> bool:
    """True if an address can belong to a person: no local name, IP address or command."""
    local, _, domain = sender.rpartition("@")
    top = domain.rpartition(".")[2]
    if _PERSONAL.fullmatch(local) is None or "." not in domain or top in _INTERNAL:
        return False
    try:
        lobby.checked_address(sender)
    except Refusal:
        return False
    return True


def _is_within_limits(incoming: Incoming) -> bool:
    """True if the limits of a day, in all and per domain, permit another answer to a stranger.

    A fifth of the day's answers is reserved for authenticated senders.
    """
    service, uow, sender = incoming.service, incoming.uow, incoming.sender
    since = service.now() - DAY
    limits = service.config.limits
    if uow.outbox.count_to_strangers(since, prefix=_domain_key_prefix(service, sender)) >= (
        limits.strangers_per_domain
    ):
        return False
    answered = uow.outbox.count_to_strangers(since, prefix=STRANGER)
    if answered < strangers_for_all(service):
        return True
    is_strong = incoming.auth_level.is_strong or is_vouched_for(incoming.row.raw, sender)
    return is_strong and answered < limits.strangers_per_day


def _is_blocked(service: Service, sender: str) -> bool:
    """True if the configuration blocks an address, its domain, or a parent domain."""
    local, _, domain = sender.lower().rpartition("@")
    blocked = {entry.strip().lower() for entry in service.config.service.blocked}
    labels = domain.split(".")
    domains = {".".join(labels[start:]) for start in range(len(labels))}
    return not blocked.isdisjoint({f"{local.partition('+')[0]}@{domain}", *domains})


def _domain_key_prefix(service: Service, sender: str) -> str:
    """Return the key prefix of messages to unregistered senders of a domain and its subdomains.

    Domains below one public suffix (co.uk, github.io) count as different owners.
    """
    full = sender.lower().rpartition("@")[2]
    domain = _suffixes().privatesuffix(full) or full
    return f"{STRANGER}{never_invite.hashes(service, f'@{domain}')[0][:16]}:"


@cache
def _suffixes() -> PublicSuffixList:
    """Return the public suffixes known to the installed package. Loading them takes a moment."""
    return PublicSuffixList()


def _prefix(service: Service, sender: str) -> str:
    return f"{_domain_key_prefix(service, sender)}{never_invite.hashes(service, sender)[0][:32]}:"
