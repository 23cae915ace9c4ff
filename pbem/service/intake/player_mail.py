"""Handle messages to a player's address or to the plain address, which name no seat.

Orders that need no game are carried out. A player with one running game can also view it. Moves are
refused, because only a reply address identifies the position that the player saw. Instead, the
game's message is sent again, so that the player can reply to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine import registry
from engine.sentences import Sentence, all_of, joined, one_of, sentence
from pbem.domain.play import handover
from pbem.domain.table.game import AT_TABLE, UNFINISHED, Game
from pbem.domain.terms.tokens import OfferToken
from pbem.domain.words.meanings import Meant, plain_answer
from pbem.domain.words.orders import LineKind, OrderLine
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.domain.words.translate import said_as
from pbem.errors import Refusal
from pbem.mail_out.content import LineResult
from pbem.mail_out.kinds import ANSWER, NOTED, GameParams, NoteParams, QuestionParams
from pbem.service.change import changing
from pbem.service.core import games, limits, sender_identity
from pbem.service.core.incoming import Incoming, OwnWords, Verdict, not_read
from pbem.service.core.limits import Permit
from pbem.service.core.mail_context import CUT, Lookup, MailContext, result
from pbem.service.core.sender_identity import AuthLevel
from pbem.service.intake import acts, sentences, trial
from pbem.service.league import orders as leagues
from pbem.service.letters import information
from pbem.service.lobby import games_list, join_links, new_game
from pbem.service.notify import mailings, questions
from pbem.service.notify.intentions import Mailing
from pbem.service.notify.refusing import SILENCE, SUGGESTED, answer, named_orders, note, refuse
from pbem.service.people import own_encryption
from pbem.service.votes import offers
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.post.questions import What
from pbem.store.rows.core import InboxMail

LOOKING = frozenset(word for word, row in ORDER_WORDS.items() if row.looks)
"""Orders that show a game and change nothing."""
_MAX_NAMED = 5
"""Maximum number of orders named in a question."""
_MAX_SENT = 10
"""Maximum number of turn messages that are sent again at once."""

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
_ANSWER = sentence('Reply "yes" if you wrote this, or "no" if you did not.')
_AT_A_TABLE = sentence(
    "Your mail answers none of this game, so nobody can tell what you saw of the table, and nothing"
    " was carried out. Please answer this mail instead: it shows the table as it is now."
)
ASKED = Verdict("asked", "asked whether they mean it")


def with_broken_token(incoming: Incoming) -> Verdict:
    """Answer a player's message to an invalid reply address."""
    return refuse(incoming, BROKEN)


def handle_held(incoming: Incoming, held: InboxMail, player: Player) -> None:
    """Carry out an earlier message of a player that `incoming` has confirmed."""
    first = sender_identity.read(incoming.service, held.raw, held.mail_from, uow=incoming.uow)
    verdict = handle(
        replace(incoming, row=held, mail=first, writer=player, auth_level=AuthLevel.CONFIRMED)
    )
    incoming.uow.inbox.mark(
        held.id,
        verdict.status,
        verdict=verdict.as_json(),
        handled_at=incoming.service.now(),
    )


def handle_offer(incoming: Incoming) -> Verdict:
    """Carry out `join` or `decline` for an offered seat, or else the orders that need no seat."""
    service, uow, token = incoming.service, incoming.uow, incoming.token_as(OfferToken)
    player, own = incoming.player, incoming.own_words(registry.latest())
    accepts, declines = own.words & {Word.JOIN, Word.YES}, own.words & {Word.DECLINE, Word.NO}
    if bool(accepts) is bool(declines) or own.reply.doubts:
        return handle(incoming, own)
    try:
        with changing(
            service, uow, token.game_id, actor=f"player:{player.id}", cause=incoming.row.cause
        ) as change:
            game = change.game
            if accepts:
                handover.accept(change.decision, token.seat, player.id)
            else:
                handover.decline(change.decision, token.seat, player.id)
    except Refusal as refused:
        return refuse(incoming, refused.message, [line.text for line in own.lines])
    beside = own.unused(accepts | declines)
    if accepts:
        if beside:
            note(incoming, joined(beside))
        offers.tell_former(service, uow, game, token.seat, sentence("The table had asked for it."))
    else:
        note(incoming, joined([sentence("You do not take over the seat."), *beside]))
    return Verdict("done", "a seat was taken over" if accepts else "a seat was declined")


def handle(incoming: Incoming, own: OwnWords | None = None) -> Verdict:
    """Carry out orders that need no game, line by line, up to a refusal (GEN-10).

    An unauthenticated message changes nothing, and only its first question is answered.

    Args:
        own: the reply text if it has already been parsed.
    """
    is_trusted = incoming.auth_level.is_trusted
    if incoming.mail.unread is not None:
        return refuse(incoming, not_read(incoming.mail.unread))
    own = own or incoming.own_words(registry.latest())
    if own.is_trial:
        return trial.answer_it(incoming, own)
    if own.reply.doubts:
        return refuse(incoming, DOUBTFUL, own.reply.doubts[:10])
    around = sentences.around_person(incoming.uow, incoming.player)
    lines = sentences.with_questions(around, _with_joining(incoming, own.lines))
    wanted = incoming.orders()
    if not is_trusted and any(map(_needs_proof, lines)):
        try:
            _check_new_game(incoming, lines)
        except Refusal as wrong:
            return _answer_nothing_done(incoming, wanted, around, lines, wrong)
        return _ask_whose(incoming, lines)
    if own.is_cut:
        wanted.notes.append(CUT)
    if is_trusted:
        wanted.notes.extend(own.left_out())
        own_encryption.ask_about_key(wanted)
    orders = [line for line in lines if acts.is_person_order(line) or line.word in LOOKING]
    done, refusal = _carry_out_in_turn(wanted, orders if is_trusted else orders[:1], incoming)
    if wanted.put_off:
        questions.ask_for_confirmation(wanted, incoming.row)
    if not orders or (refusal is not None and not wanted.has_acted and not wanted.put_off):
        in_subject = incoming.subject_order(registry.latest()) if refusal is None else None
        if in_subject is not None:
            return refuse(incoming, in_subject, [line.text for line in lines], suggestions=())
        verdict = _answer_nothing_done(incoming, wanted, around, lines, refusal)
        return ASKED if wanted.put_off else verdict
    if not is_trusted:
        return _answer_claim(incoming, wanted, is_all=len(orders) == 1)
    if refusal is not None:
        wanted.notes.append(sentence("What came after that was not carried out:"))
        wanted.notes.append(joined([refusal.message]))
    elif _for_a_table([line for line in lines if line not in orders]):
        wanted.notes.append(ELSEWHERE)
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
    read = list(lines)
    read[given[0]] = replace(
        read[given[0]], kind=LineKind.SERVICE, word=Word.JOIN_LEAGUE, argument=name
    )
    return tuple(read)


def _carry_out_in_turn(
    wanted: MailContext, lines: Sequence[OrderLine], incoming: Incoming
) -> tuple[list[Word], Refusal | None]:
    """Carry out lines until a line is refused (GEN-10).

    Returns the order words of the lines that were carried out, and the refusal, or None.
    """
    done: list[Word] = []
    try:
        for line in lines:
            if not incoming.auth_level.is_trusted:
                _check_claim(wanted, line)
            if line.word in LOOKING:
                _running_table(wanted.uow, wanted.player_id)
                wanted.lookups.append((line.word.value, line.argument))
            else:
                acts.carry_out(wanted, line)
            if line.word is not None:
                done.append(line.word)
    except Refusal as refusal:
        return done, refusal
    return done, None


def _check_claim(wanted: MailContext, line: OrderLine) -> None:
    """Refuse an order that an unauthenticated message cannot give. Raises: Refusal."""
    if line.word in (Word.EXPORT, Word.REPLAY):
        raise Refusal(
            "proof",
            sentence(
                "The file of a game is sent in answer to a reply only. Please reply to this mail with:"
            ),
            suggestions=(line.text,),
        )
    if line.word is Word.RESEND and len(tables := _tables(wanted.uow, wanted.player_id)) > 1:
        raise Refusal(
            "game",
            sentence(
                'You play in {games}. Reply to this mail with "resend", and the newest mail of each of'
                " them is sent again.",
                games=all_of([games.called(game) for game, _ in tables]),
            ),
            suggestions=(sentence("resend"), sentence("games")),
        )


# --- a player's games -------------------------------------------------------------------------


def _tables(uow: UnitOfWork, player_id: str) -> list[tuple[Game, int]]:
    """Return the unfinished games in which a player has a seat or is invited, with the seat.

    Games whose log cannot be read are skipped.
    """
    return [
        (game, seat)
        for game in games.of_player(uow, player_id, UNFINISHED)
        for seat in game.seats_of(player_id, AT_TABLE)
    ]


def _running_table(uow: UnitOfWork, player_id: str) -> Game:
    """Return a player's only running game. Raises: Refusal if there is none, or several."""
    running = [game for game, _ in _tables(uow, player_id) if game.status == "running"]
    if len(running) == 1:
        return running[0]
    if not running:
        raise Refusal("game", sentence("You play in no game at this moment."))
    raise Refusal(
        "game",
        sentence(
            "Which game do you mean? You play in {games}. Answer any mail of that game with the same"
            ' words, or write "resend": then the newest mail of each of them comes.',
            games=all_of([games.called(game) for game in running]),
        ),
        suggestions=(sentence("resend"), sentence("games")),
    )


def _for_a_table(lines: Sequence[OrderLine]) -> list[OrderLine]:
    """Return the lines that need a particular game: moves, talk, votes, `join`."""
    return [
        line
        for line in lines
        if line.kind in (LineKind.GAME, LineKind.SERVICE)
        or (line.kind is LineKind.NEAR and line.guess is None)
    ]


def _send_again(incoming: Incoming, lines: Sequence[OrderLine], permit: Permit) -> Sentence | None:
    """Send again the messages that these lines probably answer, so that the player can reply.

    Returns:
        A text to send in addition, or None if a single message was sent, which explains everything.
    """
    service, uow = incoming.service, incoming.uow
    tables = _tables(uow, incoming.player.id)
    if all(line.word is None for line in lines):
        tables = [(game, seat) for game, seat in tables if game.may_decide(seat)]
        if not tables:
            return sentence(
                "It is your turn in no game, so nothing was carried out. When it is, a mail tells you;"
                " answer that one."
            )
    if not tables:
        return sentence("That is said at the table of a game, and you are in none now.")
    if len(tables) == 1 and tables[0][0].status == "running":
        first = result(lines[0].text, "refused", why=_AT_A_TABLE)
        others = [result(line.text, "not-done") for line in lines[1:]]
        _send_table(incoming, tables[0], [first, *others], permit)
        return None
    named = one_of([games.called(game) for game, _ in tables])
    if len(tables) > min(_MAX_SENT, permit.most - 1):
        return sentence(
            "Your mail does not tell which game it is about, so nothing was carried out. Please answer"
            ' the newest mail of {games} in the same words. With "resend" you get those mails once more.',
            games=named,
        )
    for game, seat in tables:
        key = permit.named(f"resend:{game.id}")
        mailings.queue_resent(service, uow, game, seat, key=key, answers=None)
    return sentence(
        "Your mail does not tell which game it is about, so nothing was carried out. The newest mail"
        " of {games} comes once more: please answer that one, in the same words.",
        games=named,
    )


def _send_table(
    incoming: Incoming,
    at: tuple[Game, int],
    lines: Sequence[LineResult],
    permit: Permit,
    notes: Sequence[Sentence] = (),
) -> None:
    """Send a seat its game message, with the results of these lines."""
    game, seat = at
    params = GameParams(game.seats[seat].seen, lines=tuple(lines), notes=(*notes, *permit.notes(1)))
    mail = Mailing(ANSWER, params, permit.key, incoming.mail.message_id)
    answer = mailings.Answer(seat, mail)
    service, uow = incoming.service, incoming.uow
    mailings.queue(service, uow, game, (), position_before=game.position, answer=answer)


# --- unauthenticated messages -----------------------------------------------------------------


def _needs_proof(line: OrderLine) -> bool:
    """True if a line changes something, which requires an authenticated sender."""
    row = None if line.word is None else ORDER_WORDS[line.word]
    return row is not None and (row.needs_proof or (row.is_setting and line.argument is not None))


def _check_new_game(incoming: Incoming, lines: Sequence[OrderLine]) -> None:
    """Check the game that a message requests first, before its player is asked to confirm it.

    Whom it names is not looked up, because anybody can send a message in a player's name.

    Raises: Refusal.
    """
    first = next((line for line in lines if line.word is not None), None)
    if first is not None and first.word is Word.NEW:
        new_game.check(incoming.service, first, incoming.player.zone)


def _ask_whose(incoming: Incoming, lines: Sequence[OrderLine]) -> Verdict:
    """Hold an unauthenticated message, and ask the From address whether the player wrote it.

    The question contains only the order words. Their arguments may come from anyone who knows the
    player's address, so they are not repeated.
    """
    service, uow, row, player = incoming.service, incoming.uow, incoming.row, incoming.player
    permit = incoming.permit(limits.ASK)
    if permit is None or not questions.may_ask(service, uow, questions.MAIL, player.id):
        message = sentence(
            "You were asked about another mail a short time ago, so you are not asked about this one,"
            " and nothing in it was carried out. Please send it again as a reply to this mail: then it"
            " counts as yours."
        )
        return refuse(incoming, message)
    uow.inbox.attribute(row.id, incoming.sender, player.id)
    words = list(dict.fromkeys(line.word for line in lines if line.word and _needs_proof(line)))
    shown = [Word.JOIN if word is Word.TAKE else word for word in words[:_MAX_NAMED]]
    orders = [said_as(word.value, incoming.language) for word in shown]
    asked = [sentence('Carry out "{order}"?', order=order) for order in orders]
    if row.transport == join_links.PAGE and (
        link := join_links.find_in(service, uow, tuple(lines))
    ):
        asked = [join_links.invited(service, uow, link), sentence("Take a free seat there?")]
    params = QuestionParams(
        joined([*asked, _ANSWER]),
        notes=tuple(permit.notes(1)),
        is_clear=words == [Word.ENCRYPT],
    )
    questions.ask(
        service,
        uow,
        questions.MAIL,
        player.id,
        params,
        What(inbox_id=row.id),
        key=f"{permit.key}:",
        answers=incoming.mail.message_id,
    )
    return Verdict("held", "to the bare address: asked whether it is theirs")


# --- answers ----------------------------------------------------------------------------------


def _answer_nothing_done(
    incoming: Incoming,
    wanted: MailContext,
    around: sentences.LineContext,
    lines: tuple[OrderLine, ...],
    refusal: Refusal | None,
) -> Verdict:
    """Answer a message without any executed order, and suggest orders that it may mean.

    Args:
        refusal: the refusal of its first order, or None if it has no order.
    """
    meant = sentences.intents_of(around, lines).values()
    if refusal is None and any(sense.intent.stage for sense in meant):
        tables = _tables(incoming.uow, incoming.player.id)
        if len(tables) == 1 and tables[0][0].status == "running":
            return _say_at_table(incoming, tables[0], lines, wanted.notes)
    refusal = refusal or _refuse_with_suggestions(meant) or _near(lines)
    elsewhere = _for_a_table(lines)
    if refusal is not None:
        said: str = refusal.message
    elif elsewhere:
        permit = incoming.permit("refusal")
        if permit is None:
            return SILENCE
        beside = _send_again(incoming, elsewhere, permit)
        if beside is None:
            return Verdict("done", "refused: the mail to answer was sent once more")
        said = beside
    else:
        situation = games_list.situation(incoming.uow, incoming.player)
        said = joined([sentences.NOTHING_DONE, situation])
    perhaps = [order for line in lines for order in sentences.nearest(around, line)]
    usual = (*perhaps[: sentences.MAX_SUGGESTED_LINES], *SUGGESTED)
    suggestions = (refusal.suggestions if refusal is not None else ()) or usual
    message = joined([*wanted.notes, said])
    return refuse(incoming, message, [line.text for line in lines], suggestions)


def _near(lines: Sequence[OrderLine]) -> Refusal | None:
    """Return a refusal that suggests corrections of misspelt order words, or None."""
    guesses = tuple(dict.fromkeys(line.guess for line in lines if line.guess is not None))
    said = sentence("This looks like a typing mistake; nothing was guessed.")
    return Refusal("near", said, suggestions=guesses) if guesses else None


def _refuse_with_suggestions(found: Collection[Meant]) -> Refusal | None:
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
    permit = incoming.permit("refusal")
    if permit is None:
        return SILENCE
    names = games.table_names(incoming.uow, at[0])
    around = sentences.around_game(at, names, incoming.player.language)
    answers = sentences.explained(around, lines)
    _send_table(incoming, at, answers, permit, [sentences.NOTHING_DONE, *notes])
    return Verdict("done", "no order: what it may mean came with the mail of the one game")


def _answer(incoming: Incoming, wanted: MailContext, done: Sequence[Word]) -> Verdict:
    """Answer a message whose orders `done` were carried out."""
    row, kind = incoming.row, limits.kind_of([] if wanted.notes else wanted.lookups)
    permit = incoming.permit(kind)
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
        _tell(wanted, lookup, key, last if is_last else [])
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


def _answer_claim(incoming: Incoming, wanted: MailContext, *, is_all: bool) -> Verdict:
    """Answer only the first question of an unauthenticated message, in a single reply."""
    kind = wanted.lookups[0][0] if wanted.lookups else "noted"
    permit = incoming.permit(kind)
    if permit is None:
        return SILENCE
    notes = [*([] if is_all else [MORE_ASKED]), *permit.notes(1)]
    if wanted.lookups:
        _tell(wanted, wanted.lookups[0], permit.key, notes)
    else:
        params = NoteParams(joined(wanted.notes), tuple(notes))
        answer(incoming, NOTED, params, permit.key)
    return Verdict("done", f"proves nothing: answered its first question, {kind}")


def _tell(wanted: MailContext, lookup: Lookup, key: str, notes: list[Sentence]) -> None:
    is_looking = Word(lookup[0]) in LOOKING
    game = _running_table(wanted.uow, wanted.player_id) if is_looking else None
    information.send(wanted, lookup, game, key=key, notes=notes)
