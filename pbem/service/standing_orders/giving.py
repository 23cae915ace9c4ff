"""The orders `next: …`, `drawing: …` and `try …` of a seat."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator

from engine.orders import is_order
from engine.sentences import sentence
from pbem.domain.play import standing
from pbem.domain.terms.conditions import TableVocabulary
from pbem.domain.terms.next_order import NOTHING, NextOrder, examples, read_drawing, read_next
from pbem.domain.terms.seats import with_seats
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.politeness import bare_words
from pbem.domain.words.translate import drawing_in_english, in_english, next_in_english
from pbem.errors import Refusal
from pbem.mail_out.content import LineResult
from pbem.service.core.asking import SHOWN_LINE, SeatProgress
from pbem.service.standing_orders.dry_run import dry_run
from pbem.service.standing_orders.standing_words import vocabulary_of


def order_next(progress: SeatProgress, line: OrderLine) -> None:
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


def _read_next(progress: SeatProgress, text: str, vocabulary: TableVocabulary) -> NextOrder:
    rules, language = progress.game.ruleset, progress.mail_orders.language

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


def rule_drawing(progress: SeatProgress, line: OrderLine) -> None:
    """Carry out `drawing: …`. Without a rule, explain how to write it. Raises: Refusal."""
    text = _bare(line)
    vocabulary = vocabulary_of(progress.game, progress.names)
    if not vocabulary.face.drawing_examples:
        standing.rule_drawing(progress.decision, progress.seat, ())
        return
    if not text:
        raise Refusal(
            "standing",
            sentence("Behind “drawing:” comes how your turns shall begin, until you change it."),
            suggestions=vocabulary.face.drawing_examples,
        )
    english = drawing_in_english(text, progress.mail_orders.language)
    rule = _read(lambda said: read_drawing(said, vocabulary), text, [english])
    standing.rule_drawing(progress.decision, progress.seat, rule)


def _bare(line: OrderLine) -> str:
    return bare_words((line.argument or "").strip())[0].strip(" .")


def try_order(progress: SeatProgress, line: OrderLine) -> None:
    """Carry out `try …`, which changes nothing. Raises: Refusal."""
    if not line.argument:
        raise Refusal("try", sentence("Behind “try” write the move that you want to try."))
    tried = dry_run(
        progress.game,
        progress.seat,
        _order_in_english(progress, bare_words(line.argument)[0]),
        progress.names,
        listing=progress.token.listing,
        language=progress.mail_orders.language,
    )
    facts = tuple([fact.kind, fact.seat, fact.data] for fact in tried.facts)
    progress.tried = LineResult(line.text[:SHOWN_LINE], "tried", message=tried.message, facts=facts)


def _order_in_english(progress: SeatProgress, text: str) -> str:
    rules = progress.game.ruleset
    said = [text, *in_english(text, progress.mail_orders.language, [rules], progress.names)]
    orders = (one for one in said if is_order(rules, with_seats(one, [rules], progress.names)))
    return next(orders, text)
