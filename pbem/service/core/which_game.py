"""Find out whether a message to a seat's address is about another game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice

from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.domain.terms import spoken_hash
from pbem.domain.terms.tokens import SeatToken
from pbem.mail_in.mime.lines import BodyLine, plain_lines
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes.html import html_lines
from pbem.mail_in.quotes.marks import words_of
from pbem.service.core import games
from pbem.service.core.incoming import MAILS_COMPARED, Incoming, OwnWords
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outbox_queries import Said

_GAME_ID = re.compile(r"\[([a-z0-9]{6,20})\]")
"""Game ID in the subject of a message that we sent."""
_OF_TOKEN = re.compile(r"s-([a-z0-9]{6,20})-[0-9]")
"""Game ID in a reply address, as quoted by attribution lines and links."""
_FINGERPRINT_VERSION = re.compile(r"\(\w{1,20}[\s>]{1,9}([1-9][0-9]{0,5})\)")
"""Version number after a log fingerprint in words."""
_FINGERPRINT_LENGTH = 120
_MAX = 20


def other_game(
    incoming: Incoming, named: Sequence[Said], token: SeatToken, own: OwnWords, ours: str | None
) -> Game | None:
    """Return another game of the player that a message to a seat answers or quotes.

    Returns None if header, subject and quote match the seat's game, or name no other game of the
    player.

    Args:
        incoming: the message.
        named: our messages that its References header names.
        token: the seat.
        own: the sender's own text. All other text is quoted.
        ours: the text of the seat's messages that it may quote, if known.
    """
    answered = [sent.game_id for sent in named if sent.game_id]
    in_subject = [GameId(game_id) for game_id in _GAME_ID.findall(incoming.mail.subject)]
    for game_ids in (answered, in_subject):
        if token.game_id not in game_ids:
            game = _first_with_seat(incoming, game_ids[:MAILS_COMPARED])
            if game is not None:
                return game
    # If header or subject name the seat's game, a bracketed ID in the quote does not count.
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
    """Return the game whose message is quoted, unless the seat's game is quoted too.

    Args:
        incoming, token, own: as in `other_game`.
        patterns: patterns of game IDs in a quote.
        known: fingerprints of the seat's game.
    """
    uow, mail = incoming.uow, incoming.mail
    rich = (line.text for line in mail.rich or ())
    everything = "\n".join([mail.plain or "", mail.html or "", *rich]).lower()
    if token.game_id in everything or proofs_of(everything) & known:
        return None  # the usual case
    if not any(pattern.search(everything) for pattern in (*patterns, _FINGERPRINT_VERSION)):
        return None
    quote = "\n".join(line for form in _forms(mail) for line in _without(form, own)).lower()
    proofs = proofs_of(quote)
    if any(_is_in(uow, token.game_id, proof) for proof in proofs):
        return None
    named = [GameId(game_id) for pattern in patterns for game_id in pattern.findall(quote)]
    game = _first_with_seat(incoming, list(dict.fromkeys(named))[:_MAX])
    if game is not None or not proofs:
        return game
    newest = [row.id for row in uow.projections.games_of(incoming.player.id)[: -_MAX - 1 : -1]]
    proven = (game_id for game_id in newest if any(_is_in(uow, game_id, proof) for proof in proofs))
    return _first_with_seat(incoming, proven)


def _first_with_seat(incoming: Incoming, ids: Iterable[GameId]) -> Game | None:
    """Return the first of these games in which the player has a seat."""
    for game_id in dict.fromkeys(ids):
        game = games.load_if_sound(incoming.uow, game_id)
        if game is not None and game.seats_of(incoming.player.id):
            return game
    return None


def proofs_of(text: str) -> frozenset[tuple[str, int]]:
    """Return the fingerprints in a text, each as words and version."""
    proofs = set[tuple[str, int]]()
    for end in islice(_FINGERPRINT_VERSION.finditer(text), _MAX):
        before = text[max(0, end.start() - _FINGERPRINT_LENGTH) : end.start()]
        words = before.replace(">", " ").split()[-spoken_hash.COUNT :]
        if all(word in spoken_hash.WORDS for word in words):
            proofs.add((" ".join(words), int(end[1])))
    return frozenset(proofs)


def _is_in(uow: UnitOfWork, game_id: GameId, proof: tuple[str, int]) -> bool:
    """True if a game's log contains the event with this fingerprint."""
    words, version = proof
    head = uow.events.head(game_id)
    if head is None or head[0] < version:
        return False
    return spoken_hash.hash_words(uow.events.public_head(game_id, version)[1]) == words


def quoted_lines(mail: InboundMail, own: OwnWords) -> Iterator[str]:
    """Yield the lines of a message that its sender did not write.

    If the message has plain text and HTML, the plain text is used.
    """
    for lines in _forms(mail)[:1]:
        yield from _without(lines, own)


def _forms(mail: InboundMail) -> list[Sequence[BodyLine]]:
    """Return the lines of the message's plain text and of its HTML form, as far as they exist."""
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
