"""Sentences about a player's standing orders, for messages to that player only."""

from __future__ import annotations

from collections.abc import Sequence

from engine.sentences import Sentence, filled, joined, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import standing
from pbem.domain.table.game import Game
from pbem.domain.table.standing_fold import drawing_of, wanted_by
from pbem.domain.terms.conditions import TableVocabulary
from pbem.domain.terms.next_order import drawing_text, text_of
from pbem.domain.words.translate import shown_standing
from pbem.mail_out.skins import STANDARD, standard_words
from pbem.service.core import games
from pbem.store.db.uow import UnitOfWork


def vocabulary_of(game: Game, names: Sequence[str]) -> TableVocabulary:
    """Return the vocabulary that players use for a game."""
    return TableVocabulary(game.ruleset.id.name, tuple(names), str(game.options.get("deck", "")))


def describe_standing(
    game: Game, seat: int, names: Sequence[str], language: str
) -> tuple[Sentence, ...]:
    """Describe a seat's standing orders, and why one of them was not carried out."""
    if game.status != "running" or game.seats[seat].status != "joined":
        return ()
    mine = game.seats[seat].standing
    is_standard = game.options.get("deck") == STANDARD
    said = []
    if mine.wanted:
        wanted = wanted_by(game, seat)
        text = mine.wanted if wanted is None else text_of(wanted, names)
        text = standard_words(text) if is_standard else text
        said.append(_about_next(game, seat, shown_standing(text, language), tuple(names), language))
    if mine.drawing:
        rule = drawing_text(drawing_of(game, seat), names) or mine.drawing
        rule = standard_words(rule) if is_standard else rule
        said.append(
            sentence(
                "Your rule for drawing is “{rule}”; it holds until you change it, and “drawing: none”"
                " ends it.",
                rule=shown_standing(rule, language),
            )
        )
        if game.seats[seat].misses:
            said.append(sentence("It rests until you have made a move yourself again."))
    return tuple(said)


def in_other_games(
    uow: UnitOfWork, player_id: str, here: GameId | None, language: str
) -> list[Sentence]:
    """List a player's standing orders in their other running games, skipping unreadable games."""
    sentences = []
    for game in games.of_player(uow, player_id, ("running",)):
        if game.id == here:
            continue
        names = games.seat_names(uow, game.seats)
        sentences += [
            sentence("{game}: {said}", game=games.called(game), said=stand)
            for seat in game.seats_of(player_id)
            for stand in describe_standing(game, seat, names, language)
        ]
    return sentences


def hint(game: Game, seat: int) -> tuple[Sentence, ...]:
    """Explain at the start of a game how to need fewer messages."""
    examples = vocabulary_of(game, ()).profile.drawing_examples
    if not examples or game.seats[seat].status != "joined":
        return ()
    return (
        sentence(
            "Save a mail each turn: reply “{example}”, and I draw for you.",
            example=examples[0],
        ),
    )


def _about_next(
    game: Game, seat: int, text: str, names: tuple[str, ...], language: str
) -> Sentence:
    fitting = standing.fitting_now(game, seat, names)
    if fitting is None and game.seats[seat].standing.is_void:
        fitting = standing.VOID
    if fitting is None:
        return sentence(
            "Your standing order for your next turn is “{order}”; “next: none” takes it back.",
            order=text,
        )
    if fitting.order is not None:
        return sentence(
            "Your standing order was “{order}”. It was not carried out, because the table is another"
            " one than it was meant for; please decide yourself.",
            order=text,
        )
    return sentence(
        "Your standing order was “{order}”. It does not fit, so you decide now. The reason: {reasons}.",
        order=text,
        reasons=joined([_shown(reason, language) for reason in fitting.reasons], "; "),
    )


def _shown(reason: Sentence, language: str) -> Sentence:
    """Translate the condition in a reason into a language."""
    condition = reason.values.get("condition")
    if condition is None:
        return reason
    return filled(
        reason.template, {**reason.values, "condition": shown_standing(condition, language)}
    )
