"""Handles orders for a table in a mail that names no game.

A player with one running game can look at it. A move is refused, because only a reply address knows
the position that its writer saw. The mail to answer is sent instead, so that the next reply works.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.sentences import Sentence, all_of, joined, one_of, sentence
from pbem.domain.table.game import AT_TABLE, UNFINISHED, Game
from pbem.domain.words.orders import LineKind, OrderLine
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.domain.words.translate import said_as
from pbem.errors import Refusal
from pbem.mail_out.content import LineResult
from pbem.mail_out.kinds import QuestionParams
from pbem.service.core import games, limits
from pbem.service.core.asking import SHOWN_LINE
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.core.limits import Permit
from pbem.service.notify import mailings, questions
from pbem.service.notify.refusing import refuse
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.questions import What

LOOKING = frozenset(word for word, row in ORDER_WORDS.items() if row.looks)
"""Orders that show one game and change nothing."""

_ANSWER = sentence('Reply "yes" if you wrote this, or "no" if you did not.')
_SHOWN = {Word.TAKE: Word.JOIN}
"""Orders that players write in the words of another one."""
_MOST_NAMED = 5
"""Orders that a question names."""
_MOST_SENT = 10
"""Most turn mails that are sent again at once."""


def the_one(uow: UnitOfWork, player_id: str) -> Game:
    """Return a person's one running game. Raises: Refusal, which names several games."""
    running = [(game, seat) for game, seat in at_table(uow, player_id) if game.status == "running"]
    if len(running) == 1:
        return running[0][0]
    if not running:
        raise Refusal("game", sentence("You play in no game at this moment."))
    raise Refusal(
        "game",
        sentence(
            "Which game do you mean? You play in {games}. Answer any mail of that game with the same"
            ' words, or write "resend": then the newest mail of each of them comes.',
            games=all_of([games.called(game) for game, _ in running]),
        ),
        suggestions=(sentence("resend"), sentence("games")),
    )


def the_open_one(uow: UnitOfWork, player_id: str) -> None:
    """Check that a person has at most one open game. Raises: Refusal with their names."""
    found = at_table(uow, player_id)
    if len(found) > 1:
        raise Refusal(
            "game",
            sentence(
                'You play in {games}. Reply to this mail with "resend", and the newest mail of each of'
                " them is sent again.",
                games=all_of([games.called(game) for game, _ in found]),
            ),
            suggestions=(sentence("resend"), sentence("games")),
        )


def for_a_table(lines: Sequence[OrderLine]) -> list[OrderLine]:
    """Return the lines that need a certain table: moves, talk, votes, `join`."""
    return [
        line
        for line in lines
        if line.kind in (LineKind.GAME, LineKind.SERVICE)
        or (line.kind is LineKind.NEAR and line.guess is None)
    ]


def send_again(incoming: Incoming, lines: Sequence[OrderLine], permit: Permit) -> Sentence | None:
    """Send the mails that these lines probably answer, to be answered instead.

    Returns:
        What to say beside them; None if a single mail was sent, which says everything.
    """
    service, uow = incoming.service, incoming.uow
    found = at_table(uow, incoming.player.id)
    is_move = all(line.word is None for line in lines)
    if is_move:
        found = [(game, seat) for game, seat in found if game.may_decide(seat)]
    if not found and is_move:
        return sentence(
            "It is your turn in no game, so nothing was carried out. When it is, a mail tells you;"
            " answer that one."
        )
    if not found:
        return sentence("That is said at the table of a game, and you are in none now.")
    if len(found) == 1 and found[0][0].status == "running":
        send_with(incoming, found[0], _refused(lines), permit)
        return None
    if len(found) > min(_MOST_SENT, permit.most - 1):
        return sentence(
            "Your mail does not tell which game it is about, so nothing was carried out. Please answer"
            ' the newest mail of {games} in the same words. With "resend" you get those mails once more.',
            games=one_of([games.called(game) for game, _ in found]),
        )
    for game, seat in found:
        key = permit.named(f"resend:{game.id}")
        mailings.queue_resent(service, uow, game, seat, key=key, answers=None)
    return sentence(
        "Your mail does not tell which game it is about, so nothing was carried out. The newest mail"
        " of {games} comes once more: please answer that one, in the same words.",
        games=one_of([games.called(game) for game, _ in found]),
    )


def send_with(
    incoming: Incoming,
    at: tuple[Game, int],
    lines: Sequence[LineResult],
    permit: Permit,
    notes: Sequence[Sentence] = (),
) -> None:
    """Send the mail of a game to a seat of it, with what became of some lines."""
    game, seat = at
    answer = mailings.Answer(
        seat=seat,
        message_id=incoming.mail.message_id,
        lines=lines,
        notes=(*notes, *permit.notes(1)),
        key=permit.key,
        since=game.seats[seat].seen,
        unread_since=game.seats[seat].seen,
    )
    service, uow = incoming.service, incoming.uow
    mailings.queue(service, uow, game, (), position_before=game.position, answer=answer)


def only_table(uow: UnitOfWork, player_id: str) -> tuple[Game, int] | None:
    """Return the running game at whose table alone a person sits, and the seat; None without one."""
    found = at_table(uow, player_id)
    return found[0] if len(found) == 1 and found[0][0].status == "running" else None


def near_in(lines: Sequence[OrderLine]) -> Refusal | None:
    """Return the refusal of order words with a typing mistake; None without one."""
    guesses = tuple(dict.fromkeys(line.guess for line in lines if line.guess is not None))
    if not guesses:
        return None
    said = sentence("This looks like a typing mistake; nothing was guessed.")
    return Refusal("near", said, suggestions=guesses)


def _refused(lines: Sequence[OrderLine]) -> list[LineResult]:
    message = sentence(
        "Your mail answers none of this game, so nobody can tell what you saw of the table, and nothing"
        " was carried out. Please answer this mail instead: it shows the table as it is now."
    )
    return [
        LineResult(line.text[:SHOWN_LINE], "not-done" if at else "refused", message=said)
        for at, line in enumerate(lines)
        for said in ["" if at else message]
    ]


def at_table(uow: UnitOfWork, player_id: str) -> list[tuple[Game, int]]:
    """Return the unfinished games at whose table a person sits or is asked to sit.

    Each comes with its seat. A game whose log cannot be read is left out, so it does not block the
    others.
    """
    return [
        (game, seat)
        for game in games.of_player(uow, player_id, UNFINISHED)
        for seat in game.seats_of(player_id, AT_TABLE)
    ]


def needs_proof(lines: Sequence[OrderLine]) -> bool:
    """True if one of these lines changes anything: unproven mails can only ask."""
    rows = ((ORDER_WORDS[line.word], line.argument) for line in lines if line.word is not None)
    return any(row.needs_proof or (row.is_setting and words is not None) for row, words in rows)


def ask_whose(incoming: Incoming, lines: Sequence[OrderLine]) -> Verdict:
    """Hold a mail without proof, and ask at its own address if it is the player's.

    The question names the orders in our own words. What stands behind them may be written by anybody who
    has the player's address, so it is neither repeated nor looked at before the answer.
    """
    service, uow, row, player = incoming.service, incoming.uow, incoming.row, incoming.player
    permit = limits.permit(service, uow, row, player.id, incoming.proof, limits.ASK)
    if permit is None or not questions.may_ask(service, uow, questions.MAIL, player.id):
        message = sentence(
            "You were asked about another mail a short time ago, so you are not asked about this one,"
            " and nothing in it was carried out. Please send it again as a reply to this mail: then it"
            " counts as yours."
        )
        return refuse(incoming, message)
    uow.inbox.attribute(row.id, incoming.sender, player.id)
    words = dict.fromkeys(line.word for line in lines if needs_proof([line]))
    shown = [_SHOWN.get(word, word).value for word in words if word is not None]
    orders = [said_as(order, incoming.language) for order in shown[:_MOST_NAMED]]
    asked = [sentence('Carry out "{order}"?', order=order) for order in orders]
    question, is_clear = joined([*asked, _ANSWER]), [*words] == [Word.ENCRYPT]
    params = QuestionParams(question, notes=tuple(permit.notes(1)), is_clear=is_clear)
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
