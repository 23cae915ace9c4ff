"""`next: …`, `drawing: …` and `try …` in the mail of a seat, and how mails tell what stands."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from engine.orders import is_order
from engine.sentences import Sentence, joined, sentence
from pbem.domain import standing
from pbem.domain.conditions import Tongue
from pbem.domain.drawing import EXAMPLES, is_none, read_drawing
from pbem.domain.foreign import in_english
from pbem.domain.game import Game
from pbem.domain.next_order import NextOrder, examples, read_next, text_of
from pbem.domain.orders import Line, with_seats
from pbem.domain.politeness import bare_words
from pbem.domain.standing_fold import wanted_by
from pbem.errors import Refusal
from pbem.mail_out.content import LineResult
from pbem.mail_out.skins import STANDARD, standard_words
from pbem.service.dry_run import dry_run
from pbem.service.seat_reading import SHOWN_LINE, Reading

_NOTHING = ("none", "off", "nothing", "no", "cancel")


def tongue_of(game: Game, names: Sequence[str]) -> Tongue:
    """Give how the players of a game talk about it."""
    return Tongue(game.ruleset.id.name, tuple(names), str(game.options.get("deck", "")))


def order_next(reading: Reading, line: Line) -> None:
    """Carry out `next: …`; `next` alone says how it is written. Raises: Refusal."""
    game = reading.game
    tongue = tongue_of(game, reading.names)
    text = _bare(line)
    if not text:
        raise Refusal(
            "standing",
            sentence(
                "Behind “next:” comes what is to be done when your next turn begins, with or without"
                " a condition."
            ),
            suggestions=(*examples(tongue), "next: none"),
        )
    if text.casefold() in _NOTHING:
        standing.cancel_next(reading.decision, reading.seat)
        return
    standing.order_next(reading.decision, reading.seat, _read_next(reading, text, tongue))


def _read_next(reading: Reading, text: str, tongue: Tongue) -> NextOrder:
    """Read it as it stands, or its orders in the player's language. Raises: Refusal."""
    rules = reading.game.ruleset
    try:
        return read_next(text, tongue, rules)
    except Refusal:
        for english in in_english(text, reading.wishes.language, [rules]):
            with contextlib.suppress(Refusal):
                return read_next(english, tongue, rules)
        raise


def rule_drawing(reading: Reading, line: Line) -> None:
    """Carry out `drawing: …`; `drawing` alone says how it is written. Raises: Refusal."""
    text = _bare(line)
    tongue = tongue_of(reading.game, reading.names)
    if not tongue.is_phase10 or is_none(text):
        standing.rule_drawing(reading.decision, reading.seat, None)
        return
    if not text:
        raise Refusal(
            "standing",
            sentence("Behind “drawing:” comes how your turns shall begin, until you change it."),
            suggestions=EXAMPLES,
        )
    standing.rule_drawing(reading.decision, reading.seat, read_drawing(text, tongue))


def _bare(line: Line) -> str:
    return bare_words((line.argument or "").strip())[0].strip(" .")


def try_order(reading: Reading, line: Line) -> None:
    """Carry out `try …`, which changes nothing. Raises: Refusal."""
    if not line.argument:
        raise Refusal("try", sentence("Behind “try” comes the order that is to be tried."))
    tried = dry_run(
        reading.game,
        reading.seat,
        _order_in_english(reading, bare_words(line.argument)[0]),
        reading.names,
        listing=reading.token.listing,
    )
    facts = tuple([fact.kind, fact.seat, fact.data] for fact in tried.facts)
    reading.tried = LineResult(line.text[:SHOWN_LINE], "tried", message=tried.message, facts=facts)


def _order_in_english(reading: Reading, text: str) -> str:
    rules = reading.game.ruleset
    said = [text, *in_english(text, reading.wishes.language, [rules])]
    orders = (one for one in said if is_order(rules, with_seats(one, [rules], reading.names)))
    return next(orders, text)


# --- what mails tell ------------------------------------------------------------------------------


def what_stands(game: Game, seat: int, names: Sequence[str]) -> tuple[Sentence, ...]:
    """Say which standing orders a seat has, and why one could not be carried out."""
    if game.status != "running" or game.seats[seat].status != "joined":
        return ()
    mine = game.seats[seat].standing
    is_standard = game.options.get("deck") == STANDARD
    said = []
    if mine.wanted:
        wanted = wanted_by(game, seat)
        text = mine.wanted if wanted is None else text_of(wanted, names)
        text = standard_words(text) if is_standard else text
        said.append(_about_next(game, seat, text, tuple(names)))
    if mine.drawing:
        rule = standard_words(mine.drawing) if is_standard else mine.drawing
        said.append(
            sentence(
                "Your rule for drawing is “{rule}”; it holds until you change it, and “drawing: none”"
                " ends it.",
                rule=rule,
            )
        )
        if game.seats[seat].misses:
            said.append(sentence("It rests until you have made a move yourself again."))
    return tuple(said)


def hint(game: Game, seat: int) -> tuple[Sentence, ...]:
    """Say at the beginning of a game what saves the most mails."""
    if not tongue_of(game, ()).is_phase10 or game.seats[seat].status != "joined":
        return ()
    return (
        sentence(
            "Every turn begins with drawing a card, which would be a mail of its own. With a rule such"
            " as “{example}” it is done for you, and each turn takes one mail.",
            example=EXAMPLES[0],
        ),
    )


def _about_next(game: Game, seat: int, text: str, names: tuple[str, ...]) -> Sentence:
    found = standing.fitting_now(game, seat, names)
    if found is None and game.seats[seat].standing.is_void:
        found = standing.VOID
    if found is None:
        return sentence(
            "Your standing order for your next turn is “{order}”; “next: none” takes it back.",
            order=text,
        )
    if found.order is not None:
        return sentence(
            "Your standing order was “{order}”. It was not carried out, because the table is another"
            " one than it was meant for; please decide yourself.",
            order=text,
        )
    return sentence(
        "Your standing order was “{order}”. It does not fit, so you decide now. The reason: {reasons}.",
        order=text,
        reasons=joined(found.reasons, "; "),
    )
