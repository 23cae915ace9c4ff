"""Which game a mail to a seat's address is about; the mail itself may name another one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice

from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.domain.terms import spoken_hash
from pbem.domain.terms.tokens import SeatToken
from pbem.errors import LogError, UnknownStreamError, UpcastError
from pbem.mail_in.mime.lines import BodyLine, plain_lines
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes.html import html_lines
from pbem.mail_in.quotes.marks import words_of
from pbem.service.core import games
from pbem.service.core.incoming import MAILS_COMPARED, Incoming, OwnWords
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Said

_GAME_ID = re.compile(r"\[([a-z0-9]{6,20})\]")
"""A game in the subject of our mails."""
_OF_TOKEN = re.compile(r"s-([a-z0-9]{6,20})-[0-9]")
"""A game in a reply address, as attributions and links quote it."""
_OF_PROOF = re.compile(r"\(\w{1,20}[\s>]{1,9}([1-9][0-9]{0,5})\)")
"""The number of an event behind its fingerprint in words."""
_LENGTH_OF_PROOF = 120
_MOST = 20


def other_game(
    incoming: Incoming, named: Sequence[Said], token: SeatToken, own: OwnWords, ours: str | None
) -> Game | None:
    """Return another game of the player that a mail to a seat answers, or that its subject or quote names.

    Return None if header, subject and quote fit the seat's game or name no other game of the player.

    Args:
        incoming: the mail.
        named: our mails that its header names.
        token: the seat.
        own: its writer's own words; all others are quoted.
        ours: the text of the seat's mails that it may quote, if known.
    """
    answered = [sent.game_id for sent in named if sent.game_id]
    in_subject = [GameId(game_id) for game_id in _GAME_ID.findall(incoming.mail.subject)]
    for game_ids in (answered, in_subject):
        if token.game_id not in game_ids:
            game = _first_with_seat(incoming, game_ids[:MAILS_COMPARED])
            if game is not None:
                return game
    # If header or subject name the seat's game, an id in brackets in the quote does not count.
    is_named = token.game_id in (*answered, *in_subject)
    patterns = [_OF_TOKEN] if is_named else [_OF_TOKEN, _GAME_ID]
    return _quoted_game(incoming, token, own, patterns, proofs_of(ours or ""))


def _quoted_game(
    incoming: Incoming,
    token: SeatToken,
    own: OwnWords,
    patterns: Sequence[re.Pattern[str]],
    known: Set[tuple[str, int]],
) -> Game | None:
    """Return the game whose mail is quoted, if it is another one and the seat's is not quoted as well.

    Args:
        incoming, token, own: as in `other_game`.
        patterns: how a quote names a game, apart from fingerprints.
        known: fingerprints of the seat's own game.
    """
    uow, mail = incoming.uow, incoming.mail
    rich = (line.text for line in mail.rich or ())
    everything = "\n".join([mail.plain or "", mail.html or "", *rich]).lower()
    if token.game_id in everything or proofs_of(everything) & known:
        return None  # as nearly every answer does
    if not any(pattern.search(everything) for pattern in (*patterns, _OF_PROOF)):
        return None
    quote = "\n".join(line for form in _forms(mail) for line in _without(form, own)).lower()
    proofs = proofs_of(quote)
    if any(_is_in(uow, token.game_id, proof) for proof in proofs):
        return None
    named = [GameId(game_id) for pattern in patterns for game_id in pattern.findall(quote)]
    game = _first_with_seat(incoming, list(dict.fromkeys(named))[:_MOST])
    if game is not None or not proofs:
        return game
    newest = [row.id for row in uow.projections.games_of(incoming.player.id)[: -_MOST - 1 : -1]]
    proven = (game_id for game_id in newest if any(_is_in(uow, game_id, proof) for proof in proofs))
    return _first_with_seat(incoming, proven)


def _first_with_seat(incoming: Incoming, ids: Iterable[GameId]) -> Game | None:
    """Return the first of these games in which the player has a seat."""
    for game_id in dict.fromkeys(ids):
        try:
            game = games.load(incoming.uow, game_id)
        except (LogError, UnknownStreamError, UpcastError):
            continue
        if game.seats_of(incoming.player.id):
            return game
    return None


def proofs_of(text: str) -> frozenset[tuple[str, int]]:
    """Return the fingerprints in a text, each in words and with the number of its event."""
    found = set[tuple[str, int]]()
    for end in islice(_OF_PROOF.finditer(text), _MOST):
        before = text[max(0, end.start() - _LENGTH_OF_PROOF) : end.start()]
        words = before.replace(">", " ").split()[-spoken_hash.COUNT :]
        if all(word in spoken_hash.WORDS for word in words):
            found.add((" ".join(words), int(end[1])))
    return frozenset(found)


def _is_in(uow: UnitOfWork, game_id: GameId, proof: tuple[str, int]) -> bool:
    """True if a game's log has the event with this fingerprint."""
    words, version = proof
    head = uow.events.head(game_id)
    if head is None or head[0] < version:
        return False
    return spoken_hash.hash_words(uow.events.public_head(game_id, version)[1]) == words


def quoted_lines(mail: InboundMail, own: OwnWords) -> Iterator[str]:
    """Yield the lines of a mail that are not its writer's own, of its text if it has both forms."""
    for lines in _forms(mail)[:1]:
        yield from _without(lines, own)


def _forms(mail: InboundMail) -> list[Sequence[BodyLine]]:
    """Return the lines of the text and of the page of a mail, as far as it has them."""
    plain = None if mail.plain is None else plain_lines(mail.plain)
    rich = mail.rich or (None if mail.html is None else html_lines(mail.html))
    return [lines for lines in (plain, rich) if lines is not None]


def _without(lines: Sequence[BodyLine], own: OwnWords) -> Iterator[str]:
    known = [*own.reply.text.splitlines(), *own.reply.doubts]
    left = Counter(map(words_of, known))
    for line in lines:
        words = words_of(line.text)
        if not words:
            continue
        if left[words]:
            left[words] -= 1
        else:
            yield line.text.strip()
