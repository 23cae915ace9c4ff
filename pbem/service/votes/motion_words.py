"""Texts of motions for voters. For an undo they list the hidden cards that were seen since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.api import Fact, Seat
from engine.sentences import Sentence, all_of, filled, joined, plural, sentence
from pbem.domain.log.events import ChoicesRevealed, MovePlayed
from pbem.domain.table.game import REVEALED, Game, OpenMotion
from pbem.domain.table.motion_kinds import MOTIONS
from pbem.domain.words.orders import names_in_orders
from pbem.domain.words.translate import shown_order
from pbem.mail_out.happened.scene import values_of
from pbem.mail_out.skins import STANDARD, standard_words
from pbem.mail_out.texts import shown_names, with_glyphs
from pbem.service.core import games
from pbem.service.core.names import teller
from pbem.service.notify.mailings import motions_to_vote_on
from pbem.store.db.uow import UnitOfWork

LISTED = 12
"""Maximum number of moves in a question, so that it remains readable."""

_SEEN_BY_ONE = frozenset({"drew", "took_reserve"})
"""Public facts which mean that one player has seen cards that the others cannot see."""
_TURNED_UP = frozenset({"god", "flipped", "revealed"})
"""Facts which mean that hidden cards were shown to everyone."""


@dataclass(frozen=True, slots=True)
class _Voter:
    """A voting player, with the names and the language for the text.

    Attributes:
        players: names by seat, as entered.
        names: names by seat, as shown.
    """

    seat: int
    players: Sequence[str]
    names: Sequence[str]
    language: str
    zone: str


def questions(
    uow: UnitOfWork, game: Game, seat: int, players: Sequence[str], language: str, zone: str
) -> list[Sentence]:
    """Return the questions that a seat has to vote on, except those about the clock."""
    reader = _Voter(seat, players, shown_names(players), language, zone)
    return [_question(uow, game, motion, reader) for motion in motions_to_vote_on(game, seat)]


def _question(uow: UnitOfWork, game: Game, motion: OpenMotion, reader: _Voter) -> Sentence:
    kind = MOTIONS[motion.kind]
    if motion.kind == "undo":
        question = _about_undo(uow, game, motion, reader)
    else:
        person = games.shown_names(uow, [str(motion.terms.get("player"))])[0]
        fact = Fact("motion_opened", Seat(motion.seat), {**motion.terms, "name": person})
        question = [
            filled(text, values_of(fact, reader.names, zone=reader.zone))
            for text in kind.texts.question
        ]
    reply = sentence('Reply with "yes" or "no".')
    if len(game.motions) > 1:
        yes, no = f"yes {motion.kind}", f"no {motion.kind}"
        reply = sentence('Reply with "{yes}" or "{no}".', yes=yes, no=no)
    return joined([*question, reply, _who_decides(game, motion)])


def _who_decides(game: Game, motion: OpenMotion) -> Sentence:
    if MOTIONS[motion.kind].needs_all(game, motion):
        return sentence("All who play have to agree.")
    return sentence("More than half decide.")


def _about_undo(uow: UnitOfWork, game: Game, motion: OpenMotion, reader: _Voter) -> list[Sentence]:
    """Describe the moves to be taken back, and the hidden cards seen since then."""
    names = reader.names
    back_to = motion.number("back_to")
    past = games.load(uow, game.id, up_to=back_to)
    called = names_in_orders(tuple(reader.players), (game.ruleset,), reader.language)
    view = past.ruleset.view(past.state, Seat(reader.seat))
    tell = teller(past, view, reader.players, called)
    moves: list[str] = []
    lookers: set[int] = set()
    kinds: set[str] = set()
    for step in games.walk(uow, game.id, back_to, motion.version):
        event = step.event
        if isinstance(event, MovePlayed):
            move = _shown(game, tell(event.move, event.seat), reader)
            moves.append(sentence('"{move}" ({name})', name=names[event.seat], move=move))
        if isinstance(event, ChoicesRevealed):
            moves.append(sentence("the secret choices"))
        public = [fact for fact in step.facts if fact.audience is None]
        kinds |= {fact.kind for fact in public}
        lookers |= {int(f.seat) for f in public if f.kind in _SEEN_BY_ONE and f.seat is not None}
    return [
        sentence("{name} asks to take moves back:", name=names[motion.seat]),
        _list_of(moves),
        sentence("The table would be as it was before."),
        sentence("The next move ends the question, like a no."),
        *_seen(lookers, reader, kinds),
    ]


def _shown(game: Game, move: str, reader: _Voter) -> str:
    """Format a move in the game's deck and the reader's language."""
    text = shown_order(move, reader.language)
    return with_glyphs(standard_words(text) if game.options.get("deck") == STANDARD else text)


def _list_of(moves: Sequence[str]) -> Sentence:
    if len(moves) <= LISTED:
        return sentence("{moves}.", moves=joined(moves, ", "))
    more = plural("{count} more move", "{count} more moves", len(moves) - LISTED)
    return sentence("{moves}, and {more}.", moves=joined(moves[:LISTED], ", "), more=more)


def _seen(lookers: set[int], reader: _Voter, kinds: set[str]) -> list[Sentence]:
    """Describe who has seen hidden cards since then.

    Args:
        lookers: seats that have seen cards which the others cannot see.
        kinds: the kinds of all public facts since then.
    """
    sentences: list[Sentence] = []
    if "dealt" in kinds:
        sentences.append(
            sentence("Since then cards were dealt, and everybody has seen their own hand.")
        )
    if kinds & _TURNED_UP:
        sentences.append(sentence("Since then hidden cards were turned up for all to see."))
    if REVEALED in kinds:
        sentences.append(sentence("Since then an admin has looked at hidden cards."))
    others = [reader.names[seat] for seat in sorted(lookers - {reader.seat})]
    if others and reader.seat in lookers:
        sentences.append(
            sentence(
                "Since then {others} and you have looked at cards that the others don't see.",
                others=joined(others, ", "),
            )
        )
    elif others:
        sentences.append(
            plural(
                "Since then {names} has looked at cards that the others don't see.",
                "Since then {names} have looked at cards that the others don't see.",
                len(others),
                names=all_of(others),
            )
        )
    elif reader.seat in lookers:
        sentences.append(sentence("Since then you have looked at cards that the others don't see."))
    if not sentences:
        return [sentence("Nobody has looked at a hidden card since.")]
    return [*sentences, sentence("Whoever has seen a card still knows it, wherever it goes.")]
