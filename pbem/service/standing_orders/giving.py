"""The orders `next: …`, `drawing: …` and `try …` of a seat.

The dry run of a move (`try A`) is limited to what its player can know. The move is made in several
positions that are invented from the seat's view, as bots do. They differ in the cards that the player
cannot see. The answer reports only the facts common to all of them, and ends where the player would
see something new. So a dry run cannot reveal more than the view.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.api import Fact, JsonObject, Seat, Setup
from engine.errors import EngineError
from engine.orders import is_order, names_list_number, read_order
from engine.sentences import Sentence, all_of, joined, sentence
from pbem.bots import Chance
from pbem.domain.play import decide, standing
from pbem.domain.table.decision import running
from pbem.domain.table.game import Game
from pbem.domain.terms.conditions import TableVocabulary
from pbem.domain.terms.next_order import NOTHING, NextOrder, examples, read_drawing, read_next
from pbem.domain.terms.seats import with_seats
from pbem.domain.words.around import bare_words
from pbem.domain.words.orders import OrderLine, names_in_orders
from pbem.domain.words.translate import drawing_in_english, in_english, next_in_english, shown_order
from pbem.errors import Refusal
from pbem.games.profile import knowledge_of
from pbem.language import SOURCE
from pbem.mail_out.content import LineResult
from pbem.service.core.mail_context import SHOWN_LINE, SeatContext
from pbem.service.core.names import by_neighbours, teller
from pbem.service.standing_orders.standing_words import vocabulary_of


def order_next(progress: SeatContext, line: OrderLine) -> None:
    """Carry out `next: …`. Without an order, explain how to write it. Raises: Refusal."""
    game = progress.game
    vocabulary = vocabulary_of(game, progress.names)
    text = _bare(line)
    if not text:
        raise Refusal(
            "standing",
            sentence(
                "Behind “next:” comes what is to be done when your next turn begins, with or without"
                " a condition."
            ),
            suggestions=(*examples(vocabulary), "next: none"),
        )
    if text.casefold() in NOTHING:
        standing.cancel_next(progress.decision, progress.seat)
        return
    standing.order_next(progress.decision, progress.seat, _read_next(progress, text, vocabulary))


def _read_next(progress: SeatContext, text: str, vocabulary: TableVocabulary) -> NextOrder:
    rules, language = progress.game.ruleset, progress.mail_context.language

    def translations() -> Iterator[str | None]:
        yield next_in_english(text, language, rules, vocabulary)
        yield from in_english(text, language, [rules], progress.names)

    return _read(lambda said: read_next(said, vocabulary, rules), text, translations())


def _read(
    read: Callable[[str], NextOrder], text: str, translations: Iterable[str | None]
) -> NextOrder:
    """Parse a text as written, or else one of its translations. Raises: Refusal."""
    try:
        return read(text)
    except Refusal:
        for english in filter(None, translations):
            with contextlib.suppress(Refusal):
                return read(english)
        raise


def rule_drawing(progress: SeatContext, line: OrderLine) -> None:
    """Carry out `drawing: …`. Without a rule, explain how to write it. Raises: Refusal."""
    text = _bare(line)
    vocabulary = vocabulary_of(progress.game, progress.names)
    if not vocabulary.profile.drawing_examples:
        standing.rule_drawing(progress.decision, progress.seat, ())
        return
    if not text:
        raise Refusal(
            "standing",
            sentence("Behind “drawing:” comes how your turns shall begin, until you change it."),
            suggestions=vocabulary.profile.drawing_examples,
        )
    english = drawing_in_english(text, progress.mail_context.language)
    rule = _read(lambda said: read_drawing(said, vocabulary), text, [english])
    standing.rule_drawing(progress.decision, progress.seat, rule)


def _bare(line: OrderLine) -> str:
    return bare_words((line.argument or "").strip())[0].strip(" .")


def try_order(progress: SeatContext, line: OrderLine) -> None:
    """Carry out `try …`, which changes nothing. Raises: Refusal."""
    if not line.argument:
        raise Refusal("try", sentence("Behind “try” write the move that you want to try."))
    tried = dry_run(
        progress.game,
        progress.seat,
        _order_in_english(progress, bare_words(line.argument)[0]),
        progress.names,
        listing=progress.token.listing,
        language=progress.mail_context.language,
    )
    facts = tuple([fact.kind, fact.seat, fact.data] for fact in tried.facts)
    progress.tried = LineResult(line.text[:SHOWN_LINE], "tried", message=tried.message, facts=facts)


def _order_in_english(progress: SeatContext, text: str) -> str:
    rules = progress.game.ruleset
    candidates = [text, *in_english(text, progress.mail_context.language, [rules], progress.names)]
    orders = (
        candidate
        for candidate in candidates
        if is_order(rules, with_seats(candidate, [rules], progress.names))
    )
    return next(orders, text)


TABLES = 12
_SHOWS_SOMETHING_NEW = frozenset({"draw", "god", "flip"})
"""First words of moves that are made to see a card (GEN-10)."""
_NEW_DEAL = "dealt"


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of a dry run.

    Attributes:
        message: a sentence on whether the move is legal, and on omitted facts.
        facts: the facts that would result, as visible to everyone.
    """

    message: Sentence
    facts: tuple[Fact, ...] = ()


def dry_run(
    game: Game, seat: int, order: str, names: Sequence[str], *, listing: int, language: str = SOURCE
) -> Tried:
    """Try an order without changing anything.

    Args:
        order: the player's text.
        names: the players' names, by seat.
        listing: version of the answered message, to whose list of moves numbers refer.
        language: language of the answer.

    Raises: Refusal, with the rule and the legal moves.
    """
    running(game)
    rules = game.ruleset
    text = with_seats(order, [rules], names)
    if game.seats[seat].status != "joined":
        raise Refusal("resigned", sentence("You have left this game already."), rule="GEN-7")
    is_number = names_list_number(text, rules)
    if is_number and (listing < game.position or not game.may_decide(seat)):
        raise Refusal(
            "old-number",
            sentence("That number belongs to another list of moves. Please name the cards."),
        )
    if not game.may_decide(seat):
        return _before_the_turn(game, seat, text, names, language)
    now = rules.view(game.state, Seat(seat))
    tables = _tables(game, now)
    try:
        move = read_order(rules, tables[0], Seat(seat), text)
        canonical = rules.format_move(tables[0], Seat(seat), move)
        steps = [rules.apply(table, Seat(seat), move) for table in tables]
    except EngineError as error:
        raise decide.refusal_of(game, seat, text, error) from error
    sentences = [
        sentence(
            "Only tried, nothing was carried out: “{move}” would be legal.",
            move=in_words(game, canonical, now, names, language),
        )
    ]
    if canonical.split()[0] in _SHOWS_SOMETHING_NEW:
        sentences.append(sentence("Which card you would see is not told."))
        return Tried(joined(sentences))
    if any(fact.audience == seat and "cards" in fact.data for fact in steps[0].facts):
        sentences.append(sentence("What you would draw is not told."))
    if game.is_choosing:
        return Tried(joined(sentences))
    return Tried(joined(sentences), _alike([step.facts for step in steps]))


def _before_the_turn(
    game: Game, seat: int, text: str, names: Sequence[str], language: str
) -> Tried:
    """Try an order in the current position as if it were this seat's turn.

    The answer only reports whether the order would be legal.
    """
    others = all_of([names[number] for number in game.to_act])
    sentences = [
        sentence(
            "Only tried, and it is not your turn yet: {others} must move first.", others=others
        )
    ]
    rules = game.ruleset
    view: JsonObject = {**rules.view(game.state, Seat(seat)), "to_act": [seat]}
    if "has_drawn" in view:
        view["has_drawn"] = False
    if game.is_choosing or "zones" in view:
        return Tried(joined(sentences))
    try:
        (table,) = _tables(game, view, count=1)
        move = read_order(rules, table, Seat(seat), text)
        rules.apply(table, Seat(seat), move)
    except EngineError as error:
        message = by_neighbours(error.message, game, seat, names, language)
        why = sentence("As the table is now, it would be refused: {message}", message=message)
        return Tried(joined([*sentences, why]))
    return Tried(
        joined(
            [
                *sentences,
                sentence(
                    "As the table is now, “{move}” would be legal.",
                    move=in_words(
                        game, rules.format_move(table, Seat(seat), move), view, names, language
                    ),
                ),
            ]
        )
    )


def in_words(game: Game, move: str, view: JsonObject, names: Sequence[str], language: str) -> str:
    """Format a canonical move as the reader of a view would write it."""
    called = names_in_orders(tuple(names), (game.ruleset,), language)
    seat = view.get("seat")
    told = teller(game, view, names, called)(move, seat if isinstance(seat, int) else None)
    return shown_order(told, language)


def _tables(game: Game, view: JsonObject, count: int = TABLES) -> list[Any]:
    """Invent `count` positions that agree with a view. The same view gives the same positions."""
    known = knowledge_of(game.ruleset.id.name)
    tables = []
    for number in range(count):
        chance = Chance("pbem try", number)
        setup = Setup(len(game.seats), chance.seed(), game.options)
        tables.append(game.ruleset.state_from_json(setup, known.guess(view, setup, chance)))
    return tables


def _alike(fact_lists: Sequence[Sequence[Fact]]) -> tuple[Fact, ...]:
    """Return the public facts common to all runs, up to the first difference or new deal."""
    public = [[fact for fact in facts if fact.audience is None] for facts in fact_lists]
    similar = []
    for facts in zip(*public, strict=False):
        if any(fact != facts[0] for fact in facts) or facts[0].kind == _NEW_DEAL:
            break
        similar.append(facts[0])
    return tuple(similar)
