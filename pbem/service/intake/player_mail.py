"""A mail that speaks for a person and not for a seat."""

from __future__ import annotations

from engine import registry
from engine.sentences import Sentence, joined, sentence
from pbem.domain.words.orders import LineKind, OrderLine, is_cut, read_lines, reads_as_order
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_out.kinds import NOTED, NoteParams
from pbem.service.core import limits, same_message_id, unreadable
from pbem.service.core.asking import Question, Wishes
from pbem.service.core.context import Service
from pbem.service.core.seat_reading import CUT
from pbem.service.core.verdict import Verdict
from pbem.service.core.whose import Proof
from pbem.service.intake import bare_address, person_orders
from pbem.service.letters import information
from pbem.service.lobby import games_list
from pbem.service.notify import second_mail
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.service.notify.refusing import SILENCE, SUGGESTED, refuse
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.post.inbox import InboxMail

ELSEWHERE = sentence(
    "What is meant for the table of a game was not carried out: please answer the newest mail of that"
    " game with it."
)
DOUBTFUL = sentence(
    "Nothing was carried out: I cannot tell whether some lines are yours or quoted from another mail."
    " Please send your orders once more, above everything else and without a quote."
)
MORE_ASKED = sentence(
    "Only the first of your questions was answered. To have all of them answered, send them again as a"
    " reply to this mail."
)
ASKED_BESIDE = sentence("About the rest a mail of its own asks you.")
ASKED = Verdict("asked", "asked whether they mean it")
NO_ORDER = sentence("None of your lines is an order, so nothing was done.")


def without_token(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    proof: Proof,
    *,
    wrong_token: bool,
) -> Verdict:
    """Answer a registered person who wrote to the bare address; `player` is one."""
    if same_message_id.is_doubtful(row.key):
        return refuse(service, uow, row, mail, player, same_message_id.DOUBT, (), proof)
    if wrong_token:
        message = sentence(
            "The address that you answered to is not valid (any more), so nothing was carried"
            " out. Please answer the newest mail of that game; games lists them."
        )
        return refuse(service, uow, row, mail, player, message, (), proof)
    return handle(service, uow, row, mail, player, proof)


def handle(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    proof: Proof,
) -> Verdict:
    """Carry out what needs no game, line by line; a refusal ends it (GEN-10).

    A mail that proves nothing changes nothing: its first question is answered, and that is all.
    """
    if mail.unread is not None:
        message = unreadable.not_read(mail.unread)
        return refuse(service, uow, row, mail, player, message, (), proof)
    rulesets = registry.latest()
    reply = extract_reply(
        mail, is_order=lambda line: reads_as_order(line, rulesets, (), player.language)
    )
    if reply.doubts:
        doubts = tuple(OrderLine(text, LineKind.PROSE) for text in reply.doubts[:10])
        return refuse(service, uow, row, mail, player, DOUBTFUL, doubts, proof)
    lines = read_lines(reply.text, rulesets, (), player.language)
    if not proof.is_proven and bare_address.needs_proof(lines):
        return bare_address.ask_whose(service, uow, row, mail, player, proof)
    wanted = Wishes(service, uow, player.id, row.cause)
    wanted.message_id = mail.message_id
    wanted.is_sure = proof.is_sure
    if is_cut(reply.text, lines):
        wanted.notes.append(CUT)
    refusal: Refusal | None = None
    asked = [
        line for line in lines if person_orders.is_wish(line) or line.word in bare_address.LOOKING
    ]
    for line in asked if proof.is_proven else asked[:1]:
        try:
            _carry_out(wanted, line, proof)
        except Refusal as refused:
            refusal = refused
            break
    second_mail.ask_whether_meant(wanted, row)
    if refusal is not None and (wanted.has_acted or wanted.asked):
        wanted.notes.append(sentence("What came after that was not carried out:"))
        wanted.notes.append(joined([refusal.message]))
    elif refusal is not None or not asked:
        return _refuse(wanted, row, mail, player, lines, refusal, proof)
    elif proof.is_proven and bare_address.for_a_table(
        [line for line in lines if line not in asked]
    ):
        wanted.notes.append(ELSEWHERE)
    if not proof.is_proven:
        return _answer_claim(wanted, row, mail, proof, is_all=len(asked) == 1)
    return _answer(wanted, row, mail, proof)


def _carry_out(wanted: Wishes, line: OrderLine, proof: Proof) -> None:
    """Carry out one line. Raises: Refusal."""
    if not proof.is_proven and line.word is Word.EXPORT:
        raise Refusal(
            "proof",
            sentence(
                "The log of a game is sent in answer to a reply only. Please reply to this mail with:"
            ),
            suggestions=(line.text,),
        )
    if not proof.is_proven and line.word is Word.RESEND:
        bare_address.the_open_one(wanted.uow, wanted.player_id)
    if line.word is None or line.word not in bare_address.LOOKING:
        person_orders.carry_out(wanted, line)
        return
    bare_address.the_one(wanted.uow, wanted.player_id)
    wanted.questions.append((line.word.value, line.argument))


def _refuse(
    wanted: Wishes,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    lines: tuple[OrderLine, ...],
    refusal: Refusal | None,
    proof: Proof,
) -> Verdict:
    """Answer a mail of which nothing was carried out."""
    service, uow = wanted.service, wanted.uow
    refusal = refusal or bare_address.near_in(lines)
    said: str = NO_ORDER if refusal is None else refusal.message
    near = () if refusal is None else refusal.suggestions
    elsewhere = bare_address.for_a_table(lines)
    if refusal is None and elsewhere:
        permit = limits.permit(service, uow, row.id, player.id, proof, "refusal")
        if permit is None:
            return SILENCE
        beside = bare_address.send_again(service, uow, mail, player.id, elsewhere, permit)
        if beside is None:
            return Verdict("done", "refused: the mail to answer was sent once more")
        said = beside
    elif refusal is None:
        said = joined([said, games_list.situation(uow, player)])
    message = joined([*wanted.notes, said])
    return refuse(service, uow, row, mail, player, message, lines, proof, near or SUGGESTED)


def _answer(wanted: Wishes, row: InboxMail, mail: InboundMail, proof: Proof) -> Verdict:
    service, uow, player_id = wanted.service, wanted.uow, wanted.player_id
    permit = limits.permit(service, uow, row.id, player_id, proof, "noted")
    if permit is None and not wanted.has_acted:
        return ASKED if wanted.asked else SILENCE
    questions = wanted.questions
    last: list[Sentence] = []
    if permit is not None and not wanted.has_acted:
        questions = questions[: permit.most]
        mails = sum(information.count(uow, player_id, question) for question in questions)
        last = permit.notes(mails + bool(wanted.notes))
    for question in questions:
        is_last = question is questions[-1] and not wanted.notes
        key = f"{limits.IDLE}{row.id}:{question[0]}:{question[1] or ''}"
        _tell(wanted, mail, question, key, last if is_last else [])
    if wanted.notes:
        wanted.notes += [ASKED_BESIDE] if wanted.asked else []
        key = f"noted:{row.id}" if wanted.has_acted else f"{limits.IDLE}{row.id}"
        params = NoteParams(joined(wanted.notes), tuple(last))
        queue_to_player(service, uow, player_id, Mailing(NOTED, params, key, mail.message_id))
    if wanted.asked:
        return ASKED
    return Verdict("done", f"{len(wanted.notes)} notes, {len(questions)} questions")


def _answer_claim(
    wanted: Wishes, row: InboxMail, mail: InboundMail, proof: Proof, *, is_all: bool
) -> Verdict:
    """Answer the one question of a mail that proves nothing, in one mail."""
    service, uow, player_id = wanted.service, wanted.uow, wanted.player_id
    kind = wanted.questions[0][0] if wanted.questions else "noted"
    permit = limits.permit(service, uow, row.id, player_id, proof, kind)
    if permit is None:
        return SILENCE
    notes = [*([] if is_all else [MORE_ASKED]), *permit.notes(1)]
    if wanted.questions:
        _tell(wanted, mail, wanted.questions[0], permit.key, notes)
    else:
        params = NoteParams(joined(wanted.notes), tuple(notes))
        note = Mailing(NOTED, params, permit.key, mail.message_id)
        queue_to_player(service, uow, player_id, note)
    return Verdict("done", f"proves nothing: answered its first question, {kind}")


def _tell(
    wanted: Wishes, mail: InboundMail, question: Question, key: str, notes: list[Sentence]
) -> None:
    service, uow, player_id = wanted.service, wanted.uow, wanted.player_id
    is_looking = Word(question[0]) in bare_address.LOOKING
    game = bare_address.the_one(uow, player_id) if is_looking else None
    information.send(service, uow, mail, player_id, question, game, key=key, notes=notes)
