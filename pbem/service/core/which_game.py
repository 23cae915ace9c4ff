"""The game that a mail to a seat's address is about, where the mail itself may say another one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import SeatToken
from pbem.errors import LogError, UnknownStreamError, UpcastError
from pbem.mail_in.mime.lines import plain_lines
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes.html import html_lines
from pbem.mail_in.quotes.marks import words_of
from pbem.service.core import games
from pbem.service.core.incoming import MAILS_COMPARED, OwnWords
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Said

_GAME_ID = re.compile(r"\[([a-z0-9]{6,20})\]")
"""A game in the subject of our mails."""


def other_game(
    uow: UnitOfWork, mail: InboundMail, named: Sequence[Said], token: SeatToken, player: str
) -> Game | None:
    """Return another game of a player that a mail to a seat answers, or that its subject names.

    None if each of the two fits the seat's game, or names none.
    """
    answered = [sent.game_id for sent in named if sent.game_id]
    for meant in (answered, [GameId(one) for one in _GAME_ID.findall(mail.subject)]):
        if token.game_id in meant:
            continue
        for game_id in dict.fromkeys(meant[:MAILS_COMPARED]):
            try:
                game = games.load(uow, game_id)
            except (LogError, UnknownStreamError, UpcastError):
                continue
            if game.seats_of(player):
                return game
    return None


def quoted_lines(mail: InboundMail, own: OwnWords) -> Iterator[str]:
    """Yield the lines of a mail that are not its writer's own."""
    rich = mail.rich or (() if mail.html is None else html_lines(mail.html) or ())
    lines = rich if mail.plain is None else plain_lines(mail.plain)
    known = [*own.reply.text.splitlines(), *own.reply.doubts]
    left = Counter(tuple(words_of(line)) for line in known)
    for line in lines:
        words = tuple(words_of(line.text))
        if not words:
            continue
        if left[words]:
            left[words] -= 1
        else:
            yield line.text.strip()
