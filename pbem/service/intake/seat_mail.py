"""Handle messages to a seat's address: carry out the orders in turn (GEN-10), and answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from engine.sentences import Sentence, joined, sentence
from pbem.domain.clock import clockwork
from pbem.domain.play import decide, handover, standing
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import SeatToken
from pbem.domain.words.around import is_courtesy
from pbem.domain.words.meanings import has_question_word, is_question
from pbem.domain.words.orders import LineKind, OrderLine
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.domain.words.suggest import names_a_card
from pbem.errors import Refusal
from pbem.mail_out.content import LineResult
from pbem.mail_out.kinds import ANSWER, NOTED, REFUSAL, GameParams, NoteParams
from pbem.service.change import Change, changing
from pbem.service.core import games, limits
from pbem.service.core.incoming import (
    Incoming,
    OwnWords,
    Verdict,
    answered_mails,
    not_read,
    quoted,
)
from pbem.service.core.mail_context import CUT, SHOWN_LINE, Lookup, SeatContext, result
from pbem.service.core.names import by_neighbours
from pbem.service.core.sender_identity import PAGE
from pbem.service.core.which_game import other_game
from pbem.service.intake import seat_orders, sentences, trial
from pbem.service.intake.player_mail import ASKED
from pbem.service.letters import information
from pbem.service.notify import mailings, refusing
from pbem.service.notify.intentions import Mailing
from pbem.service.notify.questions import ask_for_confirmation
from pbem.service.notify.refusing import SILENCE
from pbem.service.people import own_encryption

LEFT_OUT = sentence(
    "It stands below or between quoted lines, so it may not be yours. If it is, please send it"
    " again, above the quote."
)
_ONLY_QUOTED = sentence(
    "All that I can read in your mail is quoted or in a signature, so nothing was done. If you wrote"
    " a move, please send it again above that, or without it."
)
_RECEIPT = "answer:"
"""Prefix of the keys of answers to messages that changed something."""
MAX_DOUBTS = 10
"""Maximum number of possibly quoted lines that are listed."""

VOID = sentence(
    "The reply address that you used was replaced by a new one and moves nothing any"
    " more, so nothing was carried out. Please answer this mail instead, or a newer"
    " one of this game."
)


def handle(incoming: Incoming) -> Verdict:
    """Carry out the orders of a message and queue its answer."""
    service, uow, token = incoming.service, incoming.uow, incoming.token_as(SeatToken)
    cause = incoming.row.cause
    # `listing` is the version that the message answers
    if uow.events.has_cause(token.game_id, cause, token.listing):
        return Verdict("ignored", "the log tells that it was carried out before")
    with changing(service, uow, token.game_id, actor=f"seat:{token.seat}", cause=cause) as change:
        return _handle(incoming, change, token)


def _handle(incoming: Incoming, change: Change, token: SeatToken) -> Verdict:
    uow, game, decision = change.uow, change.game, change.decision
    names = games.table_names(uow, game)
    named = uow.outbox.texts_with_ids(incoming.service.tokens.stored_ids(incoming.mail.answers))
    sent = answered_mails(uow, named, token)
    quoting = quoted(mail.forms for mail in sent if mail.forms)
    own = incoming.own_words([game.ruleset], names, quoting=quoting)
    if own.is_trial:
        return trial.answer_it(incoming, own)
    progress = SeatContext(
        incoming.orders((decision, token.seat)),
        decision,
        token,
        names,
        quoted=quoting[0] or "",
        witness=own.reply.witness,
    )
    if incoming.auth_level.is_trusted:
        own_encryption.ask_about_key(progress.mail_context)
    is_back = False
    other = other_game(incoming, named, token, own, quoting[0])
    valid = (game.seats[token.seat].generation, incoming.player.rotation)
    if (token.generation, token.rotation) != valid:
        progress.stopped = True
        progress.notes.append(VOID)
    elif other is not None:
        _ask_which_game(progress, own, other)
    else:
        if game.seats[token.seat].controller != "person" or game.motions or game.offers:
            is_back = handover.take_back(decision, token.seat)
        _carry_out(progress, own, incoming)
        if not progress.stopped:
            standing.carry_out(decision, decide.play)
    if decision.events:
        if progress.game.status == "running" and progress.game.position > game.position:
            decide.settle(decision)
        elif is_back:
            clockwork.welcome_back(decision, token.seat)
        change.record()
    return _answer(incoming, change, progress, own)


@dataclass(frozen=True, slots=True)
class _Permitted:
    """The part of an answer that the rate limits permit.

    Attributes:
        lookups: the requests for information that are answered.
        key: the key of the answer about the lines.
        last: a note that no more answers will follow for now, or empty.
    """

    lookups: Sequence[Lookup]
    key: str
    last: Sequence[Sentence]


def _answer(incoming: Incoming, change: Change, progress: SeatContext, own: OwnWords) -> Verdict:
    """Answer the player, and queue the information they requested."""
    orders = progress.mail_context
    if orders.put_off:
        ask_for_confirmation(orders, incoming.row)
    outcomes = Counter(result.outcome for result in progress.results)
    done, elsewhere = outcomes["done"], len(orders.lookups) + orders.answers
    is_information = done == elsewhere > 0 and not progress.stopped and not outcomes["tried"]
    kind = limits.kind_of(orders.lookups) if is_information else "refusal"
    permitted = _permitted(incoming, change, progress, own, kind)
    if permitted is None:
        return ASKED if orders.put_off else SILENCE
    for lookup in permitted.lookups:
        counted = limits.idle_key(change.service, change.uow, incoming.row, orders.player_id, kind)
        key = f"{counted}:{lookup[0]}:{lookup[1] or ''}"
        is_last = is_information and lookup is permitted.lookups[-1]
        last = permitted.last if is_last else ()
        information.send(orders, lookup, change.game, key=key, notes=last)
    if not is_information and not progress.is_only_asked:
        _answer_lines(incoming, change, progress, own, permitted)
    if orders.put_off:
        return ASKED
    refused = outcomes["refused"]
    return Verdict("done", f"{done} done, {refused} refused, {len(change.events)} events")


def _answer_lines(
    incoming: Incoming,
    change: Change,
    progress: SeatContext,
    own: OwnWords,
    permitted: _Permitted,
) -> None:
    """Answer with the results of all lines, unless the player wants no receipt of a move."""
    is_receipt = _is_receipt(change, progress, own)
    is_fast = change.game.timing.is_fast(change.decision.now)
    if _is_about_nothing_here(change, own):
        _answer_apart(incoming, progress, own, permitted)
    elif incoming.row.transport == PAGE:
        change.answer = _answer_about_lines(change, progress, permitted, is_sent=False)
    elif not is_receipt:
        offered = tuple(sentences.offered_languages(progress, own.lines))
        change.answer = _answer_about_lines(change, progress, permitted, offered)
    elif not is_fast and progress.mail_context.player.receipts is not False:
        offered = _offer_of_quiet(change, progress)
        change.answer = _answer_about_lines(change, progress, permitted, offered)


def _permitted(
    incoming: Incoming, change: Change, progress: SeatContext, own: OwnWords, kind: str
) -> _Permitted | None:
    """Return the permitted part of an answer, or None if too many idle messages were answered before.

    Args:
        kind: the kind of answer used by the limits, or `refusal` if it is about the lines.
    """
    row, orders = incoming.row, progress.mail_context
    if change.events or orders.has_acted or progress.is_only_asked:
        return _Permitted(orders.lookups, f"{_RECEIPT}{row.id}", ())
    permit = incoming.permit(kind)
    lookups = orders.lookups[: 0 if permit is None else permit.most]
    answers = len(lookups) + (kind == "refusal")
    words = _refused_words(progress, own) if change.game.may_decide(progress.seat) else None
    if incoming.auth_level.is_trusted and words is not None:
        service, uow, player_id = change.service, change.uow, orders.player_id
        permit, answers = limits.permit_refusal(service, uow, row.id, player_id, words), 1
    return None if permit is None else _Permitted(lookups, permit.key, permit.notes(answers))


def _answer_about_lines(
    change: Change,
    progress: SeatContext,
    permitted: _Permitted,
    offered: Sequence[Sentence] = (),
    *,
    is_sent: bool = True,
) -> mailings.Answer:
    """Build the answer with the results of all lines. `offered` is appended to the notes."""
    game = change.before or change.game
    seen = game.seats[progress.seat].seen
    params = GameParams(
        facts_after=seen if progress.catches_up else game.version,
        announced_after=seen,
        lines=_reported_results(progress),
        notes=(*progress.notes, *permitted.last, *offered),
        is_look=progress.catches_up,
    )
    message_id = progress.mail_context.message_id
    mail = Mailing(ANSWER, params, permitted.key, message_id, is_sent=is_sent)
    return mailings.Answer(progress.seat, mail)


def _is_about_nothing_here(change: Change, own: OwnWords) -> bool:
    """True if a message to a finished game has only orders about other things, like a rematch."""
    words = {line.word for line in own.lines if line.kind is not LineKind.PROSE}
    return (
        change.game.is_over
        and not change.events
        and bool(words)
        and all(
            word is Word.REMATCH or (word is not None and not ORDER_WORDS[word].needs_seat)
            for word in words
        )
    )


def _answer_apart(
    incoming: Incoming, progress: SeatContext, own: OwnWords, permitted: _Permitted
) -> None:
    """Answer without showing the finished game."""
    done = [
        line.word
        for line, told in zip(own.lines, progress.results, strict=False)
        if line.word is not None and told.outcome == "done"
    ]
    lines = tuple(line for line in _reported_results(progress) if line.outcome != "done")
    title = refusing.named_orders(done, progress.mail_context.language)
    params = NoteParams(joined(progress.notes), tuple(permitted.last), lines, title=title)
    refusing.answer(incoming, NOTED if done else REFUSAL, params, permitted.key)


_QUIETLY = frozenset({None, Word.SAY})
"""Order words for which a message gets only a receipt: moves and talk."""
RECEIPTS_BEFORE_OFFER = 2
"""Number of receipts per day after which a receipt explains how to turn receipts off."""
_LESS = sentence(
    'Too many mails? Write "receipts off": then a move that goes well brings no mail, and your next'
    ' turn mail says what came of it. With "receipts on" everything stays, and I don\'t ask again.'
)


def _is_receipt(change: Change, progress: SeatContext, own: OwnWords) -> bool:
    """True if an answer would only confirm that moves succeeded.

    That is, there is nothing else to report, and it is another player's turn.
    """
    before, after, seat = change.before, change.game, progress.seat
    results = _reported_results(progress)
    return (
        before is not None
        and after.status == "running"
        and seat not in after.to_act
        and before.seats[seat].controller == "person"
        and own.words <= _QUIETLY
        and bool(change.events)
        and any(line.move is not None for line in results)
        and all(line.outcome == "done" for line in results)
        and not (progress.stopped or progress.notes or progress.mail_context.put_off)
        and not mailings.must_vote(after, seat)
    )


def _offer_of_quiet(change: Change, progress: SeatContext) -> tuple[Sentence, ...]:
    """Return the offer to turn receipts off, unless the player has decided about them or gets few."""
    player = progress.mail_context.player
    if player.receipts is not None:
        return ()
    since = change.decision.now - limits.DAY
    count = change.uow.outbox.count_to(player.id, since, prefix=_RECEIPT)
    return (_LESS,) if count == RECEIPTS_BEFORE_OFFER else ()


def _refused_words(progress: SeatContext, own: OwnWords) -> str | None:
    """Return the text of orders that were not carried out, or None."""
    is_undone = any(result.outcome in ("refused", "not-done") for result in progress.results)
    if not is_undone and own.reply.unread is None:
        return None
    return "\n".join([own.reply.text, *own.reply.doubts, *own.reply.left_out])


def _ask_which_game(progress: SeatContext, own: OwnWords, other: Game) -> None:
    progress.stopped = True
    progress.notes.append(
        sentence(
            "Your mail came to the address of {here}, but it answers or quotes a mail of {other}, or its"
            " subject names that game. I do not know which you mean, so nothing was carried out. For {here}"
            " please answer this mail; for {other}, the newest mail of that game.",
            here=games.called(progress.game),
            other=games.called(other),
        )
    )
    left_out = own.reply.left_out[:MAX_DOUBTS]
    lines = doubtful(own) if own.reply.doubts else [*(line.text for line in own.lines), *left_out]
    progress.results.extend(result(line, "not-done") for line in lines)


def _carry_out(progress: SeatContext, own: OwnWords, incoming: Incoming) -> None:
    """Carry out the lines in order up to a refusal (GEN-10), or report why none can be carried out."""
    why_not = _why_unread(progress, own, incoming)
    if why_not is not None:
        progress.stopped = True
        progress.notes.append(why_not)
        if own.reply.doubts:
            progress.results.extend(result(line, "not-done") for line in doubtful(own))
        return
    if own.is_cut:
        progress.notes.append(CUT)
    lines = sentences.with_answer(sentences.around_seat(progress), own.lines)
    progress.is_single_order = sum(line.kind is not LineKind.PROSE for line in lines) == 1
    orders = tuple(takewhile(lambda line: line.word is not Word.DISPUTE, lines))
    complaint = lines[len(orders) :]
    is_resigning = any(line.word in (Word.RESIGN, Word.CONFIRM) for line in orders)
    if is_resigning and progress.mail_context.is_strong:
        _carry_out_resigning(progress, orders)
    else:
        _carry_out_orders(progress, orders)
    progress.results.extend(
        result(line, "not-done", why=LEFT_OUT) for line in own.reply.left_out[:MAX_DOUBTS]
    )
    if complaint:
        _complain(progress, complaint)
    if _has_no_order(progress):
        _explain_no_order(progress, orders, incoming)


def _why_unread(progress: SeatContext, own: OwnWords, incoming: Incoming) -> Sentence | None:
    """Return the reason why no line of a message can be carried out, or None."""
    if own.reply.doubts:
        return sentence(
            "Nothing was carried out: I cannot tell whether some lines are yours or quoted"
            " from my mail. Please answer again and delete the quoted text below your lines."
        )
    if own.reply.unread is not None:
        return not_read(own.reply.unread)
    if own.lines:
        return None
    in_subject = incoming.subject_order([progress.game.ruleset], progress.names)
    empty = sentence("Your mail had no text of its own, so nothing was done.")
    return in_subject or (_ONLY_QUOTED if own.reply.is_cleared else empty)


def _carry_out_orders(progress: SeatContext, lines: Sequence[OrderLine]) -> None:
    """Carry out lines in order. A line that reads like a question may still be a move."""
    questions = sentences.with_questions(sentences.around_seat(progress), lines)
    for number, (line, question) in enumerate(zip(lines, questions, strict=True)):
        is_move = (
            question is not line
            and number < sentences.MAX_SUGGESTED_LINES
            and (question.word is Word.RESEND or not has_question_word(line.text))
            and bool(seat_orders.likely(progress, line))
        )
        _carry_out_line(progress, line if is_move else question)


def _complain(progress: SeatContext, lines: Sequence[OrderLine]) -> None:
    """Open a dispute, even after a refusal. The lines below the order word are part of its text."""
    progress.stopped = False
    text = "\n".join([lines[0].argument or "", *(line.text for line in lines[1:])])
    _carry_out_line(progress, replace(lines[0], argument=text))


def _has_no_order(progress: SeatContext) -> bool:
    """True if the message contained neither an order nor a request for information."""
    orders = progress.mail_context
    outcomes = {result.outcome for result in progress.results}
    return outcomes <= {"unused", "meant"} and not orders.lookups and not orders.answers


def _explain_no_order(
    progress: SeatContext, lines: Sequence[OrderLine], incoming: Incoming
) -> None:
    """Suggest orders that the lines may mean, or report that none was recognised."""
    in_subject = incoming.subject_order([progress.game.ruleset], progress.names)
    if in_subject is None and _offer(progress, lines):
        return
    progress.stopped = True
    progress.notes.extend([in_subject] if in_subject else sentences.no_order(progress))


def doubtful(own: OwnWords) -> list[str]:
    """Return the lines to report as not carried out because some of them may be quoted."""
    reply = own.reply
    orders = [line.text for line in own.lines if line.kind is not LineKind.PROSE]
    named = [*reply.doubts[:MAX_DOUBTS], *orders, *reply.left_out[:MAX_DOUBTS]]
    return list(dict.fromkeys(named))


def _reported_results(progress: SeatContext) -> tuple[LineResult, ...]:
    """Return the results of the lines to report, without greetings and signatures."""
    return tuple(
        one
        for one in progress.results
        if one.outcome != "unused" or not is_courtesy(one.line, progress.names)
    )


def _offer(progress: SeatContext, lines: Sequence[OrderLine]) -> bool:
    """Suggest what one unrecognised line may mean. True if something is suggested.

    This is the first line with suggestions, or the first line if none has any. Nothing is carried
    out: the player has to send one of the suggested orders.
    """
    is_offered = any(one.outcome == "meant" for one in progress.results)
    likely = [
        seat_orders.likely(progress, line) if line.kind is LineKind.PROSE else ()
        for line in lines[: sentences.MAX_SUGGESTED_LINES]
    ]
    rows = list(zip(lines, progress.results, likely, strict=False))
    hints = [bool(moves or told.suggestions) for _, told, moves in rows]
    for index in sorted(range(len(rows)), key=lambda row: not hints[row]):
        line, told, moves = rows[index]
        near, orders = told.suggestions, (*moves, *told.suggestions[:1])
        message: str = _ABOUT_A_MOVE if moves else sentences.IN_DOUBT
        is_move = names_a_card(line.text, progress.mail_context.language)
        if near and (is_question(line.text) or not is_move):
            orders, message = (*near, *moves[:1]), told.message
        elif not moves and not is_offered:
            orders = (*seat_orders.few(progress, line), *sentences.nearest_here(progress, line))
        if moves or (orders and not is_offered):
            shown, orders = line.text[:SHOWN_LINE], tuple(dict.fromkeys(orders))
            progress.results[index] = LineResult(
                shown, "meant", message=message, suggestions=orders
            )
            progress.stopped = True
            return True
    return is_offered


_ABOUT_A_MOVE = sentence("It may be about your next move.")


def _carry_out_line(progress: SeatContext, line: OrderLine) -> None:
    if line.kind is LineKind.PROSE:
        sentences.read(progress, line)
        return
    if progress.stopped:
        progress.results.append(result(line.text, "not-done"))
        return
    asked = len(progress.mail_context.put_off)
    try:
        move = seat_orders.carry_out(progress, line)
    except Refusal as refusal:
        _refuse_line(progress, line, refusal)
    else:
        outcome = "asked" if len(progress.mail_context.put_off) > asked else "done"
        progress.results.append(progress.tried or result(line.text, outcome, move))
        progress.tried = None


def _carry_out_resigning(progress: SeatContext, lines: Sequence[OrderLine]) -> None:
    try:
        seat_orders.resign(progress, lines)
    except Refusal as refusal:
        _refuse_line(progress, lines[0], refusal)
        progress.results.extend(result(line.text, "not-done") for line in lines[1:])
    else:
        progress.results.extend(result(line.text, "done") for line in lines)


def _refuse_line(progress: SeatContext, line: OrderLine, refusal: Refusal) -> None:
    progress.stopped = True
    better = refusal.suggestions
    if better and line.kind is LineKind.GAME:
        likeliest = seat_orders.likely(progress, line)[:1]
        better = tuple(dict.fromkeys([*likeliest, *better]))[: len(better)]
    context = (progress.game, progress.seat, progress.names, progress.mail_context.language)
    why = by_neighbours(refusal.message, *context)
    shown = line.text[:SHOWN_LINE]
    progress.results.append(
        LineResult(shown, "refused", message=why, rule=refusal.rule, suggestions=better)
    )
