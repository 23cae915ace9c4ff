"""Carry out each order of a seat. Refusals are raised for `seat_mail` to report."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from engine.api import Seat
from engine.orders import names_list_number, nearest_moves
from engine.sentences import sentence
from pbem.domain.play import decide
from pbem.domain.table.decision import NOT_BEGUN, running
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.words.around import is_chat
from pbem.domain.words.orders import LineKind, OrderLine
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.domain.words.suggest import Position, likely_moves
from pbem.errors import Refusal
from pbem.service.core.mail_context import SeatContext
from pbem.service.intake import acts, advice
from pbem.service.notify import talking


def carry_out(progress: SeatContext, line: OrderLine) -> str | None:
    """Carry out an order. Return the canonical text of a move, `join`, or None.

    Raises: Refusal if the order is not possible.
    """
    if line.kind is LineKind.NEAR:
        raise _near(progress, line)
    if line.kind is LineKind.TAKEN_BACK:
        raise Refusal(
            "taken-back",
            sentence(
                "A line below seems to take this back, so it was not carried out. Please write again"
                " what you want."
            ),
        )
    if line.kind is LineKind.UNREAD:
        raise _unread(progress, line)
    if line.kind is LineKind.DOUBT:
        raise talking.doubt(line)
    if line.word is None:
        return _play(progress, line)
    was_in = progress.game.seats[progress.seat].status == "joined"
    acts.carry_out(progress.mail_context, line, progress)
    is_in = progress.game.seats[progress.seat].status == "joined"
    return "join" if is_in and not was_in else None


def resign(progress: SeatContext, lines: Sequence[OrderLine]) -> None:
    """Resign a seat, if the sender was authenticated. Raises: Refusal.

    The message must contain only `resign` and `confirm`.
    """
    words = [line.word for line in lines]
    confirmed = words == [Word.RESIGN, Word.CONFIRM] or (
        words == [Word.RESIGN] and lines[0].argument is not None
    )
    if not confirmed:
        raise acts.unconfirmed(progress)
    decide.resign(progress.decision, progress.seat)


def _play(progress: SeatContext, line: OrderLine) -> str:
    game, token = progress.game, progress.token
    seat = progress.seat
    if game.status == "inviting" and game.seats[seat].status == "invited":
        raise Refusal("not-started", NOT_BEGUN, suggestions=(sentence("join"),))
    running(game)
    advice.check_turn(progress)
    if names_list_number(line.order, game.ruleset) and token.listing < game.position:
        raise Refusal(
            "old-number",
            sentence(
                "That number belongs to the list of an earlier mail. Use the list below, or name"
                " the cards."
            ),
        )
    return decide.play(progress.decision, seat, line.order, source="mail")


_MAX_MOVES = 500
"""Maximum number of legal moves that a sentence is compared with."""
_RING_WITH_SIDES = 3
"""Minimum number of Phalanx players for which each neighbour shares one zone."""
_AFTER_THE_END = frozenset(
    {
        Word.REMATCH,
        Word.BOARD,
        Word.HAND,
        Word.HISTORY,
        Word.SAY,
        Word.MUTE,
        Word.UNMUTE,
    }
)
"""Orders of a seat that are still carried out after the game has ended."""


def _suggestions(progress: SeatContext, line: OrderLine) -> tuple[str, ...]:
    """Return a few legal moves that a line may mean, of a seat to act."""
    game, seat, moves = progress.game, progress.seat, likely(progress, line)
    if game.status == "running" and seat in game.to_act:
        near = nearest_moves(game.ruleset, game.state, Seat(seat), line.text)
        moves = tuple(dict.fromkeys([*moves, *near]))
    return moves[:_FEW]


def likely(progress: SeatContext, line: OrderLine) -> tuple[str, ...]:
    """Return the legal moves that a sentence of a seat to act may mean, likeliest first."""
    game, seat = progress.game, progress.seat
    if game.status != "running" or not game.may_decide(seat):
        return ()
    rules, state = game.ruleset, game.state
    moves = islice(rules.legal_moves(state, Seat(seat)), _MAX_MOVES)
    texts = [rules.format_move(state, Seat(seat), move) for move in moves]
    view = rules.view(state, Seat(seat))
    pile, ring = view.get("pile"), view.get("ring")
    position = Position(
        game=rules.id.name,
        own=progress.names[seat],
        moves=[with_seat_names(text, progress.names) for text in texts],
        names=[name for index, name in enumerate(progress.names) if index != seat],
        zones=_zones(ring, seat, progress.names) if isinstance(ring, list) else None,
        top=str(pile[-1]) if isinstance(pile, list) and pile else "",
        is_numbered=progress.token.listing >= game.position,
    )
    return likely_moves(line.text, progress.mail_context.language, position)


_FEW: Final = 3


def few(progress: SeatContext, line: OrderLine) -> tuple[str, ...]:
    """Return all legal moves if there are only a few, unless the line is a courtesy."""
    game, seat = progress.game, progress.seat
    if game.status != "running" or not game.may_decide(seat) or is_chat(line.text):
        return ()
    rules, state = game.ruleset, game.state
    moves = tuple(islice(rules.legal_moves(state, Seat(seat)), _FEW + 1))
    texts = (rules.format_move(state, Seat(seat), move) for move in moves)
    return tuple(texts) if len(moves) <= _FEW else ()


def _zones(ring: Sequence[object], seat: int, names: Sequence[str]) -> dict[str, str]:
    """Return the zone that a seat shares with each neighbour, by the neighbour's name."""
    if seat not in ring or len(ring) < _RING_WITH_SIDES:
        return {}
    position = ring.index(seat)
    sides = {"left": ring[(position + 1) % len(ring)], "right": ring[position - 1]}
    return {names[other]: side for side, other in sides.items() if isinstance(other, int)}


def _unread(progress: SeatContext, line: OrderLine) -> Refusal:
    """Refuse a line that may be a move but cannot be parsed, so that the lines below wait."""
    message = sentence(
        "This seems to say what you play, but I cannot read it as a move. So that nothing happens"
        " in the wrong order, the lines below it wait."
    )
    return Refusal("unread", message, suggestions=_suggestions(progress, line))


def _near(progress: SeatContext, line: OrderLine) -> Refusal:
    words = [word for word in Word if f"{line.guess} ".startswith(f"{word.value} ")]
    works = any(word in _AFTER_THE_END or not ORDER_WORDS[word].needs_seat for word in words)
    if progress.game.is_over and not works:
        running(progress.game)
    suggestions: tuple[str, ...] = (line.guess,) if line.guess else _suggestions(progress, line)
    message = sentence("This looks like a typing mistake; nothing was guessed.")
    if line.guess is not None and line.guess.startswith("play "):
        message = sentence("This may be a card or just a word, so nothing was played.")
    return Refusal("near", message, suggestions=suggestions)
