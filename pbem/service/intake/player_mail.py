"""Handle messages to a player's address, which name no seat."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine import registry
from engine.sentences import Sentence, joined, sentence
from pbem.domain.table.game import Game
from pbem.domain.words.meanings import Meant, plain_answer
from pbem.domain.words.orders import LineKind, OrderLine
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.mail_out.kinds import NOTED, NoteParams
from pbem.service.core import games, limits, whose
from pbem.service.core.asking import CUT, Lookup, MailOrders
from pbem.service.core.incoming import Incoming, OwnWords, Verdict, not_read
from pbem.service.core.limits import Permit
from pbem.service.core.whose import AuthLevel
from pbem.service.intake import acts, bare_address, sentences, trial
from pbem.service.league import orders as leagues
from pbem.service.letters import information
from pbem.service.lobby import games_list
from pbem.service.notify.questions import ask_whether_meant
from pbem.service.notify.refusing import SILENCE, SUGGESTED, answer, named_orders, refuse
from pbem.service.people import own_encryption
from pbem.store.people.players import Player
from pbem.store.rows.core import InboxMail

BROKEN = sentence(
    "The address that you answered to is not valid (any more), so nothing was carried"
    ' out. Please answer the newest mail of that game; "games" lists them.'
)
ELSEWHERE = sentence(
    "What is meant for the table of a game was not carried out: please answer the newest mail of that"
    " game with it."
)
DOUBTFUL = sentence(
    "Nothing was carried out: I cannot tell whether some lines are yours or quoted from another mail."
    " Please send your lines once more, above everything else and without a quote."
)
MORE_ASKED = sentence(
    "Only the first of your questions was answered. To have all of them answered, send them again as a"
    " reply to this mail."
)
ASKED_BESIDE = sentence("A separate mail asks you about the rest.")
ASKED = Verdict("asked", "asked whether they mean it")


def with_broken_token(incoming: Incoming) -> Verdict:
    """Answer a player's message to an invalid reply address."""
    return refuse(incoming, BROKEN)


def handle_held(incoming: Incoming, held: InboxMail, player: Player) -> None:
    """Carry out an earlier message of a player that `incoming` has confirmed."""
    first = whose.read(incoming.service, held.raw, held.mail_from, uow=incoming.uow)
    verdict = handle(
        replace(incoming, row=held, mail=first, writer=player, auth_level=AuthLevel.CONFIRMED)
    )
    incoming.uow.inbox.mark(
        held.id,
        verdict.status,
        verdict=verdict.as_json(),
        handled_at=incoming.service.now(),
    )


def handle(incoming: Incoming, own: OwnWords | None = None) -> Verdict:
    """Carry out orders that need no game, line by line, up to a refusal (GEN-10).

    An unauthenticated message changes nothing, and only its first question is answered.

    Args:
        own: the reply text if it has already been parsed.
    """
    auth_level = incoming.auth_level
    if incoming.mail.unread is not None:
        return refuse(incoming, not_read(incoming.mail.unread))
    own = own or incoming.own_words(registry.latest())
    if own.is_trial:
        return trial.answer_it(incoming, own)
    if own.reply.doubts:
        return refuse(incoming, DOUBTFUL, own.reply.doubts[:10])
    around = sentences.around_person(incoming.uow, incoming.player)
    lines = sentences.with_questions(around, _with_joining(incoming, own.lines))
    if not auth_level.is_trusted and bare_address.needs_proof(lines):
        return bare_address.ask_whose(incoming, lines)
    wanted = incoming.orders()
    if own.is_cut:
        wanted.notes.append(CUT)
    if auth_level.is_trusted:
        wanted.notes.extend(own.left_out())
        own_encryption.ask_about_key(wanted)
    orders = [
        line for line in lines if acts.is_person_order(line) or line.word in bare_address.LOOKING
    ]
    done, refusal = _carry_out_in_turn(
        wanted, orders if auth_level.is_trusted else orders[:1], auth_level
    )
    if wanted.put_off:
        ask_whether_meant(wanted, incoming.row)
    if not orders or (refusal is not None and not wanted.has_acted and not wanted.put_off):
        in_subject = incoming.subject_order(registry.latest()) if refusal is None else None
        if in_subject is not None:
            return refuse(incoming, in_subject, [line.text for line in lines], suggestions=())
        verdict = _answer_nothing_done(incoming, wanted, around, lines, refusal)
        return ASKED if wanted.put_off else verdict
    if refusal is not None:
        wanted.notes.append(sentence("What came after that was not carried out:"))
        wanted.notes.append(joined([refusal.message]))
    elif auth_level.is_trusted and bare_address.for_a_table(
        [line for line in lines if line not in orders]
    ):
        wanted.notes.append(ELSEWHERE)
    if not auth_level.is_trusted:
        return _answer_claim(incoming, wanted, is_all=len(orders) == 1)
    return _answer(incoming, wanted, done)


def _with_joining(incoming: Incoming, lines: tuple[OrderLine, ...]) -> tuple[OrderLine, ...]:
    """Return the lines of a message, with a plain yes to a league's announcement as its order.

    A yes to any other message, or besides an order, stays as it is.
    """
    orders = [line for line in lines if line.kind is not LineKind.PROSE]
    if orders:
        is_yes = len(orders) == 1 and orders[0].word in (Word.YES, Word.JOIN)
        given = (lines.index(orders[0]), Word.JOIN) if is_yes and not orders[0].argument else None
    else:
        given = plain_answer([line.text for line in lines], Word.JOIN, Word.DECLINE)
    if given is None or given[1] is not Word.JOIN:
        return lines
    ids = incoming.service.tokens.stored_ids(incoming.mail.answers)
    name = leagues.announced(incoming.uow, incoming.player.id, ids)
    if name is None:
        return lines
    found = list(lines)
    found[given[0]] = replace(
        found[given[0]], kind=LineKind.SERVICE, word=Word.JOIN_LEAGUE, argument=name
    )
    return tuple(found)


def _carry_out_in_turn(
    wanted: MailOrders, lines: Sequence[OrderLine], auth_level: AuthLevel
) -> tuple[list[Word], Refusal | None]:
    """Carry out lines until a line is refused (GEN-10).

    Returns the order words of the lines that were carried out, and the refusal, or None.
    """
    done: list[Word] = []
    try:
        for line in lines:
            _carry_out(wanted, line, auth_level)
            if line.word is not None:
                done.append(line.word)
    except Refusal as refusal:
        return done, refusal
    return done, None


def _answer_nothing_done(
    incoming: Incoming,
    wanted: MailOrders,
    around: sentences.LineContext,
    lines: tuple[OrderLine, ...],
    refusal: Refusal | None,
) -> Verdict:
    """Answer a message without any executed order, and suggest orders that it may mean.

    Args:
        refusal: the refusal of its first order, or None if it has no order.
    """
    meant = sentences.asked_for(around, lines).values()
    at = bare_address.only_table(incoming.uow, incoming.player.id)
    if refusal is None and at is not None and any(sense.intent.stage for sense in meant):
        return _say_at_table(incoming, at, lines, wanted.notes)
    perhaps = [order for line in lines for order in sentences.nearest(around, line)]
    return _refuse(
        incoming, wanted, lines, refusal or _meant(meant), perhaps[: sentences.MAX_SUGGESTED_LINES]
    )


def _carry_out(wanted: MailOrders, line: OrderLine, auth_level: AuthLevel) -> None:
    """Carry out a line. Raises: Refusal if the order is not possible or not permitted."""
    if not auth_level.is_trusted and line.word in (Word.EXPORT, Word.REPLAY):
        raise Refusal(
            "proof",
            sentence(
                "The file of a game is sent in answer to a reply only. Please reply to this mail with:"
            ),
            suggestions=(line.text,),
        )
    if not auth_level.is_trusted and line.word is Word.RESEND:
        bare_address.the_open_one(wanted.uow, wanted.player_id)
    if line.word is None or line.word not in bare_address.LOOKING:
        acts.carry_out(wanted, line)
        return
    bare_address.the_one(wanted.uow, wanted.player_id)
    wanted.lookups.append((line.word.value, line.argument))


def _meant(found: Collection[Meant]) -> Refusal | None:
    """Return a refusal that suggests the orders that sentences may mean, or None."""
    if not found:
        return None
    messages = [sentences.NOTHING_DONE, *(one.message for one in found)]
    if any(one.intent.stage for one in found):
        messages.append(sentence("Please reply to the newest mail of your game with it."))
    orders = dict.fromkeys(order for one in found for order in one.orders)
    return Refusal("meant", joined(messages), suggestions=tuple(orders))


def _say_at_table(
    incoming: Incoming, at: tuple[Game, int], lines: Sequence[OrderLine], notes: list[Sentence]
) -> Verdict:
    """Explain what a player's lines may mean in their only game, in a message about that game."""
    permit = _permit(incoming, "refusal")
    if permit is None:
        return SILENCE
    names = games.table_names(incoming.uow, at[0])
    around = sentences.around_game(at, names, incoming.player.language)
    told = sentences.told(around, lines)
    bare_address.send_with(incoming, at, told, permit, [sentences.NOTHING_DONE, *notes])
    return Verdict("done", "no order: what it may mean came with the mail of the one game")


def _refuse(
    incoming: Incoming,
    wanted: MailOrders,
    lines: tuple[OrderLine, ...],
    refusal: Refusal | None,
    perhaps: Sequence[Sentence],
) -> Verdict:
    """Answer a message whose orders were all refused.

    Args:
        perhaps: the closest orders to its sentences.
    """
    refusal = refusal or bare_address.near_in(lines)
    said: str = sentences.NOTHING_DONE if refusal is None else refusal.message
    near = () if refusal is None else refusal.suggestions
    elsewhere = bare_address.for_a_table(lines)
    if refusal is None and elsewhere:
        permit = _permit(incoming, "refusal")
        if permit is None:
            return SILENCE
        beside = bare_address.send_again(incoming, elsewhere, permit)
        if beside is None:
            return Verdict("done", "refused: the mail to answer was sent once more")
        said = beside
    elif refusal is None:
        said = joined([said, games_list.situation(incoming.uow, incoming.player)])
    message = joined([*wanted.notes, said])
    return refuse(incoming, message, [line.text for line in lines], near or (*perhaps, *SUGGESTED))


def _permit(incoming: Incoming, kind: str) -> Permit | None:
    return limits.permit(
        incoming.service,
        incoming.uow,
        incoming.row,
        incoming.player.id,
        incoming.auth_level,
        kind,
    )


def _answer(incoming: Incoming, wanted: MailOrders, done: Sequence[Word]) -> Verdict:
    """Answer a message whose orders `done` were carried out."""
    row, kind = incoming.row, limits.kind_of([] if wanted.notes else wanted.lookups)
    permit = _permit(incoming, kind)
    counted = limits.idle_key(incoming.service, incoming.uow, row, wanted.player_id, kind)
    if permit is None and not wanted.has_acted:
        return ASKED if wanted.put_off else SILENCE
    lookups = wanted.lookups
    last: list[Sentence] = []
    if permit is not None and not wanted.has_acted:
        lookups = lookups[: permit.most]
        counts = (information.count(incoming.uow, wanted.player_id, one) for one in lookups)
        last = permit.notes(sum(counts) + bool(wanted.notes))
    for lookup in lookups:
        is_last = lookup is lookups[-1] and not wanted.notes
        key = f"{counted}:{lookup[0]}:{lookup[1] or ''}"
        _tell(incoming, lookup, key, last if is_last else [])
    if wanted.notes:
        wanted.notes += [ASKED_BESIDE] if wanted.put_off else []
        key = f"noted:{row.id}" if wanted.has_acted else counted
        others = [word for word in done if word.value not in {name for name, _ in lookups}]
        title = named_orders(others, wanted.language)
        params = NoteParams(joined(wanted.notes), tuple(last), title=title)
        answer(incoming, NOTED, params, key)
    if wanted.put_off:
        return ASKED
    return Verdict("done", f"{len(wanted.notes)} notes, {len(lookups)} questions")


def _answer_claim(incoming: Incoming, wanted: MailOrders, *, is_all: bool) -> Verdict:
    """Answer only the first question of an unauthenticated message, in a single reply."""
    kind = wanted.lookups[0][0] if wanted.lookups else "noted"
    permit = _permit(incoming, kind)
    if permit is None:
        return SILENCE
    notes = [*([] if is_all else [MORE_ASKED]), *permit.notes(1)]
    if wanted.lookups:
        _tell(incoming, wanted.lookups[0], permit.key, notes)
    else:
        params = NoteParams(joined(wanted.notes), tuple(notes))
        answer(incoming, NOTED, params, permit.key)
    return Verdict("done", f"proves nothing: answered its first question, {kind}")


def _tell(incoming: Incoming, lookup: Lookup, key: str, notes: list[Sentence]) -> None:
    service, uow, player_id = incoming.service, incoming.uow, incoming.player.id
    is_looking = Word(lookup[0]) in bare_address.LOOKING
    game = bare_address.the_one(uow, player_id) if is_looking else None
    information.send(service, uow, incoming.mail, player_id, lookup, game, key=key, notes=notes)
