"""The answer to whether a person means what their mail asks for: yes does it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from engine import registry
from engine.api import JsonObject
from engine.sentences import Sentence, joined, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide, handover
from pbem.domain.table.decision import running
from pbem.domain.terms.tokens import ConfirmToken, find_token
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.mail_out.kinds import ALERT, ASK_STOP, KINDS
from pbem.service.admin import admin_mail
from pbem.service.change import changing
from pbem.service.core import whose
from pbem.service.core.incoming import Incoming, OwnWords, Verdict
from pbem.service.core.whose import Proof
from pbem.service.league import orders as leagues
from pbem.service.lobby import making as lobby
from pbem.service.lobby import never_invite
from pbem.service.notify import mailings, reach, second_mail, to_admins
from pbem.service.notify.refusing import note, refuse
from pbem.service.people import mail_acts, own_addresses, own_encryption
from pbem.service.votes import motion_orders, offers
from pbem.store.post.inbox import InboxMail
from pbem.store.post.outgoing import Outgoing

VALID = timedelta(days=7)
"""Time in which a question can be answered."""

_SETTLED = sentence("That mail is settled already.")
_TOO_OLD = sentence(
    "That question is too old, or your reply addresses were replaced since then, so nothing was done."
    " If you still want it, please write it once more."
)
_WHICH = sentence(
    "Please answer yes (do it) or no (it was not me); as long as you do neither, nothing is done."
)
_CODE = sentence(
    "Your answer lacks the code from the question, so nothing was changed. Please reply to the question"
    ' with "yes", and with its code on a line of its own.'
)
_ANSWERS = frozenset({Word.YES, Word.NO})
_VOID = sentence(
    "Nothing of what you were asked about is done. All addresses to which you have answered so far are"
    " void from now on: please answer the newest mail of each game."
)


def confirm(incoming: Incoming) -> Verdict:
    """Carry out a mail if its player says yes; `no` makes their reply addresses void."""
    service, uow, token = incoming.service, incoming.uow, incoming.token_as(ConfirmToken)
    player = incoming.writer
    asked = uow.inbox.get(token.inbox_id)
    question = second_mail.question_about(uow, token.inbox_id)
    if asked is not None and question is not None and question.kind == ALERT.name:
        return _confirm_admin(incoming, asked, question)
    if player is None or asked is None or question is None or asked.player_id != player.id:
        return Verdict("ignored", "a confirmation by somebody who was not asked")
    if asked.status != "asked":
        return refuse(incoming, _SETTLED)
    if service.now() - question.created_at > VALID or token.rotation != player.rotation:
        return refuse(incoming, _TOO_OLD)
    is_stop = question.kind == ASK_STOP.name
    word = Word.YES if is_stop and reach.asks_to_stop(incoming.mail) else None
    own = incoming.own_words(registry.latest())
    word = word or own.yes_or_no()
    if word is None:
        which = incoming.subject_order() or _WHICH
        return refuse(incoming, which, [line.text for line in own.lines])
    acts = KINDS[question.kind].read(question.params).acts
    if word is Word.YES and second_mail.needs_code(acts) and not _has_code(incoming, own):
        return refuse(incoming, _CODE)
    beside = own.unused(_ANSWERS)
    if uow.inbox.claim(asked.id, "asked") is None:  # another process is carrying out a yes
        return refuse(incoming, _SETTLED)
    if word is Word.NO:
        return _disown(incoming, asked, beside)
    verdict = {"why": "done after its player said yes", "triage": "human"}
    uow.inbox.mark(asked.id, "done", verdict={**verdict}, handled_at=service.now())
    if is_stop:
        return leagues.stop_all(incoming, cause=asked.cause, notes=beside)
    return _carry_out(incoming, asked, acts, beside)


def _has_code(incoming: Incoming, own: OwnWords) -> bool:
    """True if the answer shows that its writer can read the question: by its address or its code."""
    service, token = incoming.service, incoming.token_as(ConfirmToken)
    addresses = [incoming.row.rcpt_to or "", *incoming.mail.recipients]
    if find_token(service.tokens, addresses, incoming.mail.subject)[1] == token:
        return True
    return second_mail.code_of(service, token) in own.reply.text.lower().split()


def _confirm_admin(incoming: Incoming, asked: InboxMail, question: Outgoing) -> Verdict:
    """Carry out an admin's mail, if the admin who was asked says yes."""
    service, uow, token = incoming.service, incoming.uow, incoming.token_as(ConfirmToken)
    address = incoming.sender.lower()
    if address != question.rcpt_to or address not in service.config.service.admins:
        return Verdict("ignored", "a confirmation by somebody who was not asked")
    is_void = token.rotation != to_admins.rotation(uow, address)
    if asked.status != "asked" or is_void or service.now() - question.created_at > VALID:
        return admin_mail.refuse(incoming, _SETTLED if asked.status != "asked" else _TOO_OLD)
    return admin_mail.confirm(
        incoming, asked, question, incoming.own_words(registry.latest()).yes_or_no()
    )


def _disown(incoming: Incoming, asked: InboxMail, beside: list[Sentence]) -> Verdict:
    """Drop what another person asked for, and make the address that they know void."""
    uow, player = incoming.uow, incoming.player
    uow.inbox.mark(asked.id, "dropped", verdict={"why": "not the player's own"})
    uow.players.rotate(player.id)
    note(incoming, joined([_VOID, *beside]))
    mail_acts.mail_again(incoming.service, uow, player, why=f"rotation{player.rotation + 1}")
    return Verdict("done", "what a mail asks for was disowned")


def _carry_out(
    incoming: Incoming, asked: InboxMail, acts: list[JsonObject], beside: list[Sentence]
) -> Verdict:
    """Carry out everything that is still possible, and say what is not.

    `beside` names the orders in the answer that are not carried out.
    """
    service, uow, player = incoming.service, incoming.uow, incoming.player
    done: list[str] = []
    refused: list[str] = [*beside]
    is_answered = False
    for act in acts:
        try:
            match act["act"]:
                case "resign" | "replace" | "end":
                    _in_game(incoming, asked, act)
                    is_answered = True
                case "never":
                    never_invite.shut_out(service, uow, player.id, cause=asked.cause)
                    done.append(never_invite.SHUT_OUT)
                case second_mail.ENCRYPT:
                    done.append(own_encryption.end(uow, player))
                case second_mail.KEY:
                    first = whose.read(service, asked.raw, asked.mail_from, uow=uow)
                    brought = replace(incoming, row=asked, mail=first).brought
                    digits = str(act["key"])
                    done.append(own_encryption.confirm_key(uow, player, brought, digits))
                case _:
                    words = str(act["words"])
                    done.append(own_addresses.carry_out(service, uow, player, words))
        except Refusal as refusal:
            refused.append(refusal.message)
    if done or (refused and is_answered):
        note(incoming, joined([*done, *refused]))
    elif refused:
        return refuse(replace(incoming, proof=Proof.CONFIRMED), joined(refused))
    return Verdict("done", "what a mail asks for was confirmed")


def _in_game(incoming: Incoming, asked: InboxMail, act: JsonObject) -> None:
    """Do what a seat asks for and answer, if the same person still has the seat.

    Raises: Refusal; VersionConflictError if another worker has the game: retry the whole mail.
    """
    service, uow = incoming.service, incoming.uow
    game_id, seat = GameId(str(act["game"])), int(str(act["seat"]))
    with changing(service, uow, game_id, actor=f"seat:{seat}", cause=asked.cause) as change:
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
        change.answer = mailings.Answer(
            seat=seat,
            message_id=incoming.mail.message_id,
            notes=notes,
            key=f"answer:{incoming.row.id}:{act['act']}",
            since=game.version,
            unread_since=game.seats[seat].seen,
        )
