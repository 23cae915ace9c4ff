"""Subjects of messages: the sentence from the type's row with names, followed by the game ID.

Mail programs group messages with the same subject into a conversation, so all turn messages have
the same subject. The subject of an answer names the order or question, and contains "Your turn"
only if it is the reader's turn. If a subject depends on more than names, its row refers to one of
the functions below.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.sentences import Sentence, all_of, filled, joined, plural, sentence
from pbem.language import translate
from pbem.mail_out import texts
from pbem.mail_out.content import Content, DigestMail, GameMail, InvitationMail, ServiceMail
from pbem.plain import clean

Subject = Sentence | Callable[[Any], Sentence]
"""A sentence, or a function that returns one for a content.

Placeholders are `{game}` (`Phyliss with Bob, Carol`), `{title}`, `{thread}` and, before the deal,
`{inviter}`.
"""

YOUR_TURN = sentence("Your turn: {game}")
"""Subject of the conversation about a game, regardless of its news.

Mail programs begin a new conversation when the subject changes.
"""


def subject_of(content: Content, subject: Subject | None) -> str:
    """Return a subject in the reader's language. None names the game and its players."""
    title = subject(content) if callable(subject) else subject
    if not isinstance(content, GameMail | InvitationMail):
        return clean("" if title is None else translate(title, content.language))
    about = texts.game_name(content.title, content.players, content.reader, open_seats(content))
    values: dict[str, Any] = {"game": about, "title": content.title}
    values["thread"] = filled(YOUR_TURN, {"game": about})
    if isinstance(content, InvitationMail):
        values["inviter"] = clean(content.inviter, texts.NAME_LIMIT)
    full = about if title is None else filled(title.template, title.values | values)
    return clean(translate(joined((full, f"[{clean(content.game_id)}]")), content.language))


def open_seats(content: GameMail | InvitationMail) -> list[int]:
    """Return the seats of a game that nobody was invited to and nobody took yet."""
    if isinstance(content, GameMail):
        return list(content.open_seats)
    return [number for number, seat in enumerate(content.seats) if seat.status == "open"]


def of_its_game(content: GameMail | InvitationMail) -> str:
    """Return the subject of the conversation about a game, which the reply continues."""
    return subject_of(content, YOUR_TURN)


def table_name(content: GameMail | InvitationMail) -> str:
    """Return the name of a table, e.g. `Phyliss with Bob, Carol [k7q2m3x9ab]`."""
    return subject_of(content, None)


def is_readers_turn(mail: GameMail) -> bool:
    """True if the reader must decide something and no bot does it instead."""
    return mail.reader in mail.to_act and mail.reader not in mail.bots


def is_refused(mail: GameMail) -> bool:
    """True if nothing in the reader's message was executed because of an error in it."""
    outcomes = {line.outcome for line in mail.lines}
    return "refused" in outcomes and "done" not in outcomes


def waiting(mail: DigestMail) -> int:
    """Return the number of games in which it is the reader's turn."""
    return sum(map(is_readers_turn, mail.games))


def of_answer(mail: GameMail) -> Sentence:
    """Return the subject of an answer. On the reader's turn, it is that of the conversation."""
    if is_refused(mail):
        return sentence("Refused: {game}")
    if is_readers_turn(mail):
        return Sentence("Re: {thread}")
    moves = [line.move for line in mail.lines if line.outcome == "done" and line.move]
    if "join" in moves:
        return sentence("You joined {game}")
    return sentence("You moved: {game}") if moves else Sentence("Re: {game}")


def of_start(mail: GameMail) -> Sentence:
    """Return the subject of the first message, which starts the conversation."""
    return YOUR_TURN if is_readers_turn(mail) else Sentence("{game}")


def of_end(mail: GameMail) -> Sentence:
    """Return the subject of the last message, with the winner."""
    title, names = mail.title, texts.shown_names(mail.players)
    first = mail.result.ranking[0] if mail.result and mail.result.ranking else ()
    others = all_of([names[seat] for seat in first if seat != mail.reader])
    if not first:
        return sentence("{title}: the game is over", title=title)
    if mail.reader not in first and not first[1:]:
        return sentence("{name} won at {title}", name=others, title=title)
    if mail.reader not in first:
        return sentence("{others} share first place at {title}", others=others, title=title)
    if not first[1:]:
        return sentence("You won at {title}", title=title)
    return sentence("You and {others} share first place at {title}", others=others, title=title)


def of_own_game(mail: InvitationMail) -> Sentence:
    """Return the subject of the message that confirms a new game to its creator."""
    return sentence("Your lesson: {title}") if mail.lesson else sentence("Your game: {game}")


def of_invitation(mail: InvitationMail) -> Sentence:
    """Return the subject of an invitation or challenge."""
    if mail.challenge:
        return sentence("{inviter} challenges you at {title}")
    return sentence("{inviter} invites you to {title}")


def of_digest(mail: DigestMail) -> Sentence:
    """Return the subject of a digest: how many games wait for the reader."""
    if not (games := waiting(mail)):
        return sentence("No game waits for you")
    return plural("One game waits for you", "{count} games wait for you", games)


def of_rules(mail: ServiceMail) -> Sentence:
    """Return the subject of a message with rules: their game."""
    if not mail.title:
        return sentence("The rules")
    return sentence("The rules of {title}", title=mail.title)


def of_standings(mail: ServiceMail) -> Sentence:
    """Return the subject of the standings of one or all games."""
    if not mail.title:
        return sentence("Your standings")
    return sentence("Your standings in {game}", game=mail.title)


def of_round(mail: InvitationMail) -> Sentence:
    """Return the subject of the first message of a league round."""
    if mail.round is None:
        return sentence("Your game: {game}")
    league, number = mail.round.league, mail.round.number
    return sentence("{league}, round {number}: your table", league=league, number=number)


def of_league(mail: ServiceMail) -> Sentence:
    """Return the subject of a message about one or all leagues."""
    if not mail.cross.league:
        return sentence("The leagues here")
    return sentence("The league {league}", league=mail.cross.league)


def of_open_league(mail: ServiceMail) -> Sentence:
    """Return the subject of the mail that asks whether a player joins a league."""
    return sentence("A league of {game}: will you join?", game=mail.cross.title)


def of_league_round(mail: ServiceMail) -> Sentence:
    """Return the subject of the message after a league round."""
    cross = mail.cross
    return sentence(
        "{league}: how it stands after round {number}", league=cross.league, number=cross.rounds
    )


def of_league_end(mail: ServiceMail) -> Sentence:
    """Return the subject of the message after a league, with the winner."""
    if not mail.cross.winner:
        return sentence("{league}: the league is over", league=mail.cross.league)
    return sentence(
        "{name} won the league {league}", name=mail.cross.winner, league=mail.cross.league
    )


def of_ladder(mail: ServiceMail) -> Sentence:
    """Return the subject of a message about one or all ladders."""
    if not mail.title:
        return sentence("The ladders here")
    return sentence("The ladder of {game}", game=mail.title)


def of_note(mail: ServiceMail) -> Sentence:
    """Return the subject of a message that confirms orders."""
    if not mail.title:
        return sentence("Your settings are saved")
    return sentence("Done: {orders}", orders=mail.title)


def of_alert(mail: ServiceMail) -> Sentence:
    """Return the title of an alert."""
    return joined((mail.title or "Your game server needs a look",))
