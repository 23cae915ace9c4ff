"""The order `test`: report how a message would be interpreted, without carrying it out.

The word must be on the first line and applies to the whole message. Only the sender gets the
answer.
"""

from __future__ import annotations

from engine.sentences import Sentence, plural, sentence
from pbem.domain.words.orders import LineKind, OrderLine
from pbem.domain.words.translate import said_as
from pbem.mail_out.content import LineResult
from pbem.mail_out.kinds import TRIAL, NoteParams
from pbem.service.core import limits
from pbem.service.core.incoming import Incoming, OwnWords, Verdict, not_read
from pbem.service.core.mail_context import CUT, SHOWN_LINE
from pbem.service.core.which_game import quoted_lines
from pbem.service.notify.refusing import SILENCE, answer

MAX_PER_DAY = 5
"""Maximum number of dry runs of a player that are answered per day."""
_MAX_OWN, _MAX_QUOTED = 40, 6
_SHOWN_QUOTED = 60
"""Maximum number of characters of a quoted line that are shown."""

_NOTHING_DONE = sentence(
    "This was a test: below you see how your mail is read, and nothing in it was carried out. Without"
    " the first line the others count, from top to bottom, until one of them fails."
)
_LAST = sentence("This was the last test that is answered today.")
_DOUBT = sentence(
    "This may be yours or quoted from my mail. Nothing is carried out while that is open."
)
_QUOTED = sentence("Taken as quoted or as your signature, so it is never carried out.")


def answer_it(incoming: Incoming, own: OwnWords) -> Verdict:
    """Answer a dry run. Nothing is changed."""
    service, uow, player = incoming.service, incoming.uow, incoming.player
    today = uow.outbox.count_to(player.id, service.now() - limits.DAY, prefix=f"{limits.IDLE}test:")
    permit = incoming.permit("test")
    if permit is None or today >= MAX_PER_DAY:
        return SILENCE
    lines = [
        *(
            LineResult(line.text[:SHOWN_LINE], "read", message=meaning(line, incoming.language))
            for line in own.lines[1 : _MAX_OWN + 1]
        ),
        *(LineResult(line[:SHOWN_LINE], "read", message=_DOUBT) for line in own.reply.doubts),
    ]
    quoted = list(quoted_lines(incoming.mail, own))
    lines += [
        LineResult(line[:_SHOWN_QUOTED], "quoted", message=_QUOTED) for line in quoted[:_MAX_QUOTED]
    ]
    notes = permit.notes(1)
    if own.reply.unread is not None:
        notes.insert(0, not_read(own.reply.unread))
    if own.is_cut:
        notes.insert(0, CUT)
    if len(quoted) > _MAX_QUOTED:
        more = len(quoted) - _MAX_QUOTED
        notes.insert(
            0, plural("{count} more line was taken so.", "{count} more lines were taken so.", more)
        )
    if today + 1 == MAX_PER_DAY:
        notes.append(_LAST)
    params = NoteParams(_NOTHING_DONE, tuple(notes), tuple(lines))
    answer(incoming, TRIAL, params, permit.key)
    return Verdict("done", "a test: nothing carried out")


def meaning(line: OrderLine, language: str) -> Sentence:
    """Describe how a line would be interpreted."""
    match line.kind:
        case LineKind.SERVICE if line.word is not None:
            word = said_as(line.word.value, language)
            if line.argument is None:
                return sentence('Read as "{word}".', word=word)
            return sentence(
                'Read as "{word}" with "{argument}".', word=word, argument=line.argument
            )
        case LineKind.GAME:
            return sentence("Read as a move.")
        case LineKind.NEAR if line.guess is not None:
            return sentence('Did you mean "{guess}"? It is not carried out.', guess=line.guess)
        case LineKind.NEAR:
            return sentence("I understand only part of this, so I would do nothing with it.")
        case LineKind.UNREAD:
            return sentence(
                "It speaks of a move that I cannot read, so the lines below it are not carried out."
            )
        case LineKind.TAKEN_BACK:
            return sentence("A line below seems to take this back, so it is not carried out.")
        case LineKind.DOUBT:
            return sentence("It is unclear where your message ends, so nothing is said.")
        case _:
            return sentence("No move: it changes nothing.")
