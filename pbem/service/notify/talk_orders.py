"""Process orders about talk, such as `say`. `seat_mail` reports the refusals."""

from __future__ import annotations

from datetime import timedelta

from engine.sentences import Sentence, all_of, sentence
from pbem.domain.play import posting
from pbem.domain.words import talk
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.mail_in.quotes.marks import words_of
from pbem.service.core.asking import SeatProgress
from pbem.service.notify import talking

AFTER_THE_END = timedelta(days=7)
"""How long players may talk about a finished game."""
MESSAGES_PER_HOUR = 20
"""Maximum number of messages per player and game in an hour."""
_TELLING_WORDS = 3
"""Minimum number of words for a line that also occurs in our message to count as quoted."""


def doubt(line: OrderLine) -> Refusal:
    """Return a refusal that asks where the talk in a message ends."""
    if line.guess is not None:
        return Refusal(
            "talk",
            sentence(
                'Is "{line}" a part of what you want to say, or a move? I cannot tell, so nothing'
                " was said. A blank line ends what you say: write moves below one, or above.",
                line=line.guess,
            ),
        )
    return Refusal(
        "talk",
        sentence(
            "Your mail program may have broken your line in two, and I cannot tell whether the second"
            ' one belongs to it, so nothing was said. Write "say:" on a line of its own and your words'
            " below it; a blank line ends them."
        ),
    )


def say(progress: SeatProgress, line: OrderLine) -> None:
    """Post a message to all or some players. Raises: Refusal."""
    words = line.argument or ""
    said = talk.read_said(words, progress.names, progress.seat)
    _refuse_quoted(progress, said.text)
    _refuse_late_and_loud(progress)
    if said.is_anonymous and not progress.is_single_order:
        raise Refusal(
            "talk",
            sentence(
                "Words without a name must be alone in their mail, or the others could tell by what"
                " else happened at that moment who wrote them. Nothing was said."
            ),
        )
    posting.say(progress.decision, progress.seat, said)
    if said.is_anonymous:
        progress.notes.append(
            sentence(
                "The others read your words in a few hours, and nobody is told whose they are. The log"
                " keeps it under lock and key: only who runs this server could find out."
            )
        )
    elif said.to:
        names = [progress.names[other] for other in said.to]
        progress.notes.append(sentence("Nobody but {names} reads that.", names=all_of(names)))


def mute(progress: SeatProgress, line: OrderLine) -> None:
    """Mute or unmute a player in this game. Raises: Refusal."""
    is_muted = line.word is Word.MUTE
    name = (line.argument or "").strip(" .!")
    if not name:
        raise Refusal(
            "talk",
            sentence("Say behind the word whom you mean."),
            suggestions=tuple(
                f"{line.text.strip()} {other}"
                for seat, other in enumerate(progress.names)
                if seat != progress.seat
            ),
        )
    if name.casefold() in (talk.ANONYMOUS, "anonymously"):
        player, shown = talk.ANONYMOUS, ""
    else:
        seat = talk.seat_called(name, progress.names)
        player, shown = progress.game.seats[seat].player, progress.names[seat]
    posting.mute(progress.decision, progress.seat, player, is_muted=is_muted)
    progress.notes.append(_muted(shown, is_muted=is_muted))


def _muted(name: str, *, is_muted: bool) -> Sentence:
    if not name and is_muted:
        return sentence("You read nothing that is said without a name in this game any more.")
    if not name:
        return sentence("You read again what is said without a name in this game.")
    if is_muted:
        return sentence(
            "You read nothing that {name} says in this game any more, and nobody is told so.",
            name=name,
        )
    return sentence("You read again what {name} says in this game.", name=name)


def pages(progress: SeatProgress, line: OrderLine) -> None:
    """Object to a public page of this game, or withdraw the objection. Raises: Refusal."""
    is_allowed = (line.argument or "").strip(" .").casefold() == "on"
    posting.set_page(progress.decision, progress.seat, is_allowed=is_allowed)
    others = [n for n in progress.decision.existing().against_page if n != progress.seat]
    if not is_allowed:
        said = sentence(
            "This game has no page that others could read, as long as you don't want one."
        )
    elif others:
        said = sentence("You no longer object to a page of this game, but somebody else does.")
    else:
        said = sentence("You no longer object to a page of this game.")
    progress.notes.append(said)


def history(progress: SeatProgress, line: OrderLine) -> None:
    """Request recent events or talk, which is sent in a separate message."""
    progress.mail_orders.lookups.append((Word.HISTORY.value, line.argument))


def _refuse_quoted(progress: SeatProgress, text: str) -> None:
    """Refuse talk that may quote our message, or that only one form (text or HTML) contains."""
    lines = text.split("\n")
    words = [words_of(line) for line in lines]
    ours = set(map(words_of, progress.quoted.splitlines() if len(lines) > 1 else ()))
    is_ours = any(len(one) >= _TELLING_WORDS and one in ours for one in words)
    if is_ours or not progress.is_witnessed([word for one in words for word in one]):
        raise Refusal(
            "talk",
            sentence(
                "I cannot tell whether all of these words are yours or some of them quoted, so nothing"
                " was said. Please write again and delete what you quote."
            ),
        )


def _refuse_late_and_loud(progress: SeatProgress) -> None:
    service, uow, game = progress.mail_orders.service, progress.mail_orders.uow, progress.game
    now = service.now()
    row = uow.projections.game(game.id)
    ended_at = None if row is None else row.finished_at
    if game.is_over and ended_at is not None and now - ended_at > AFTER_THE_END:
        raise Refusal(
            "over", sentence("The game has been over for so long that nobody talks about it here.")
        )
    said = talking.count_since(
        uow, game, game.seats[progress.seat].player, now - timedelta(hours=1), progress.decision
    )
    if said >= MESSAGES_PER_HOUR:
        raise Refusal(
            "talk",
            sentence(
                "You have said {count} things within an hour; please let the others have a word, and"
                " write again later.",
                count=said,
            ),
        )
