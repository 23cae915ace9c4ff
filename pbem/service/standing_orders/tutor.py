"""The tutor's advice in the messages of a tutorial game, one topic at a time."""

from __future__ import annotations

from collections.abc import Sequence

from engine.api import Seat
from engine.sentences import Sentence, sentence
from pbem.domain.table.game import Game
from pbem.domain.terms.seats import is_tutor
from pbem.domain.words.orders import read_line
from pbem.domain.words.service_words import ORDER_WORDS
from pbem.games import EXAMPLE
from pbem.mail_out.content import LineResult
from pbem.mail_out.kinds import ANSWER, STARTED

_STEPS = (
    sentence(
        "Your tutor: this mail is all you need. At the top it says how long you have, what lies on the"
        " pile and what you hold; your moves come next, and then the table. Answer it with the number"
        ' of a move, such as "21", on a line of its own above everything else, and send it.'
    ),
    sentence(
        "Your tutor: well done, that is how it goes. What happened since your last move stands below"
        " your moves. Instead of a number you can always name the cards themselves, as in"
        ' "play 7", or "play 7 7" for two sevens.'
    ),
    sentence(
        'Your tutor: whenever you want to look without moving, reply with "board". You get the table'
        ' and what happened since your last move, and nothing changes. With "rules" you get the rules'
        " with pictures of the cards."
    ),
    sentence(
        "Your tutor: several moves go on several lines and are made one after the other. With"
        ' "play 9 or pickup" the first of the two that is allowed is made. What is not allowed'
        " is refused and costs you nothing: the answer says why, and what would be allowed."
    ),
    sentence(
        "Your tutor: a word about time. Each move has a deadline, which every mail names; before it"
        " you are reminded. If you miss it, a cautious move is made for you. If you are away, say so with"
        ' "vacation 20 Dec to 2 Jan": those days do not count, in all your games.'
    ),
    sentence(
        'Your tutor: "games" sends you a list of all your games, "help" everything that you can write,'
        ' and "dispute" with your complaint behind it calls the admin, should something go wrong.'
    ),
    sentence(
        'Your tutor: to leave a game for good, send "resign confirm" and nothing else, and answer "yes" if'
        ' you are asked whether you mean it. This lesson you can end whenever you like, with "skip tutorial"; otherwise just play on, it won\'t take much longer.'
    ),
)
_REFUSED = sentence(
    "Your tutor: that was a refusal, and nothing has changed. It names what was wrong, the number of"
    " the rule, and what would be allowed. Simply answer once more."
)
_LOOKED = sentence(
    "Your tutor: looking is free. It changes nothing, and you may do it at any time."
)
_WAITS = sentence(
    "Your tutor: the bot begins. It plays at once, and a mail tells you when it is your turn; answer"
    " that one."
)
_CANNOT = sentence(
    'Your tutor: none of your cards can be played this time. Take the pile with "pickup", or try your'
    ' luck with "god".'
)
_END = sentence(
    "Your tutor: that was the lesson. It is cut off early; a real game goes on until its end. Write"
    ' "new {game} with bot" for a whole game against a bot, or "new {game} with bob@example.org" for'
    ' one with a friend. If somebody has invited you, "games" tells what waits for your answer.',
    game=EXAMPLE,
)


def says(
    game: Game, seat: int, kind: str, lines: Sequence[LineResult], language: str
) -> tuple[Sentence, ...]:
    """Return the advice for a message to the learner, or nothing in other games.

    Args:
        game: the game at the version of the message.
        seat: the learner's seat.
        kind: kind of the message.
        lines: results of the learner's message, if this is an answer.
        language: the language in which the learner writes.
    """
    if game.state is None or not any(is_tutor(seat_.player) for seat_ in game.seats):
        return ()
    if game.is_over:
        return (_END,)
    if any(line.outcome == "refused" for line in lines):
        return (_REFUSED,)
    if seat not in game.to_act:
        return (_WAITS,) if kind == STARTED.name else ()
    if kind == ANSWER.name and lines and all(line.move is None for line in lines):
        has_looked = all(_is_lookup(line, game, language) for line in lines)
        return (_LOOKED,) if has_looked else ()
    turn = game.ruleset.ply(game.state) // 2
    return (*_STEPS[turn : turn + 1], *((_CANNOT,) if _cannot_play(game, seat) else ()))


def _is_lookup(line: LineResult, game: Game, language: str) -> bool:
    """True if a line only requested information or tried a move."""
    word = read_line(line.line, (game.ruleset,), (), language).word
    is_question = word is not None and ORDER_WORDS[word].asks
    return line.outcome == "tried" or (line.outcome == "done" and is_question)


def _cannot_play(game: Game, seat: int) -> bool:
    moves = game.ruleset.legal_moves(game.state, Seat(seat))
    texts = [game.ruleset.format_move(game.state, Seat(seat), move) for move in moves]
    return "pickup" in texts and not any(text.startswith("play") for text in texts)
