"""Orders for a game in a message to the plain address, which names no game.

A player with one running game can view it. Moves are refused, because only a reply address
identifies the position that the player saw. Instead, the game's message is sent again, so that the
player can reply to it.
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
from pbem.service.lobby import join_links
from pbem.service.notify import mailings, questions
from pbem.service.notify.refusing import refuse
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.questions import What

LOOKING = frozenset(word for word, row in ORDER_WORDS.items() if row.looks)
"""Orders that show a game and change nothing."""

_ANSWER = sentence('Reply "yes" if you wrote this, or "no" if you did not.')
_SHOWN = {Word.TAKE: Word.JOIN}
"""Order words that are shown to players as another word."""
_MAX_NAMED = 5
"""Maximum number of orders named in a question."""
_MAX_SENT = 10
"""Maximum number of turn messages that are sent again at once."""


def the_one(uow: UnitOfWork, player_id: str) -> Game:
    """Return a player's only running game. Raises: Refusal if there is none, or several."""
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
    """Check that a player has at most one unfinished game. Raises: Refusal, which lists the games."""
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
    """Return the lines that need a particular game: moves, talk, votes, `join`."""
    return [
        line
        for line in lines
        if line.kind in (LineKind.GAME, LineKind.SERVICE)
        or (line.kind is LineKind.NEAR and line.guess is None)
    ]


def send_again(incoming: Incoming, lines: Sequence[OrderLine], permit: Permit) -> Sentence | None:
    """Send again the messages that these lines probably answer, so that the player can reply.

    Returns:
        A text to send in addition, or None if a single message was sent, which explains everything.
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
    if len(found) > min(_MAX_SENT, permit.most - 1):
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
    """Send a seat its game message, with the results of these lines."""
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
    """Return a player's running game and seat, or None if the player has no or several games."""
    found = at_table(uow, player_id)
    return found[0] if len(found) == 1 and found[0][0].status == "running" else None


def near_in(lines: Sequence[OrderLine]) -> Refusal | None:
    """Return a refusal that suggests corrections of misspelt order words, or None."""
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
        LineResult(line.text[:SHOWN_LINE], "not-done" if index else "refused", message=said)
        for index, line in enumerate(lines)
        for said in ["" if index else message]
    ]


def at_table(uow: UnitOfWork, player_id: str) -> list[tuple[Game, int]]:
    """Return the unfinished games in which a player has a seat or is invited, with the seat.

    Games whose log cannot be read are skipped.
    """
    return [
        (game, seat)
        for game in games.of_player(uow, player_id, UNFINISHED)
        for seat in game.seats_of(player_id, AT_TABLE)
    ]


def needs_proof(lines: Sequence[OrderLine]) -> bool:
    """True if any of these lines changes something, which requires an authenticated sender."""
    rows = ((ORDER_WORDS[line.word], line.argument) for line in lines if line.word is not None)
    return any(row.needs_proof or (row.is_setting and words is not None) for row, words in rows)


def ask_whose(incoming: Incoming, lines: Sequence[OrderLine]) -> Verdict:
    """Hold an unauthenticated message, and ask the From address whether the player wrote it.

    The question contains only the order words. Their arguments may come from anyone who knows the
    player's address, so they are neither repeated nor parsed before the answer.
    """
    service, uow, row, player = incoming.service, incoming.uow, incoming.row, incoming.player
    permit = limits.permit(service, uow, row, player.id, incoming.auth_level, limits.ASK)
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
    orders = [said_as(order, incoming.language) for order in shown[:_MAX_NAMED]]
    asked = [sentence('Carry out "{order}"?', order=order) for order in orders]
    link = (
        join_links.find_in(service, uow, tuple(lines)) if row.transport == join_links.PAGE else None
    )
    if link is not None:
        asked = [join_links.invited(service, uow, link), sentence("Take a free seat there?")]
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
