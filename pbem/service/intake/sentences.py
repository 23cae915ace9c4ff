"""Guess the meaning of lines that are not orders, and suggest orders.

Only plain answers to invitations and votes, and questions that change nothing are carried out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine import registry
from engine.sentences import Sentence, sentence
from pbem.domain.table.game import UNFINISHED, Game
from pbem.domain.words import meanings
from pbem.domain.words.around import is_chat
from pbem.domain.words.intents import INVITED, OVER, RUNNING, VOTING, WAITING
from pbem.domain.words.meanings import Meant
from pbem.domain.words.orders import LineKind, OrderLine, OrderReader
from pbem.domain.words.service_words import PARTS, Word
from pbem.games import glossary
from pbem.games.profile import profile_of
from pbem.language import SOURCE, languages, translate
from pbem.mail_out.content import LineResult
from pbem.service.core.mail_context import SHOWN_LINE, SeatContext, result
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

MAX_SUGGESTED_LINES = 3
"""Maximum number of lines that are answered with suggestions. Others count as talk."""

_OF_RULES = (None, Word.HELP, Word.RULES)
"""Order words whose answer is replaced by a single rule, if that rule answers the question."""

_ALL_RULES = re.compile(
    r"\b(?:rules?|(?:spiel)?regeln?)\b(?!.*\b(?:for|about|on|of|with|zum?|zur|für|fuer|über|ueber|mit|bei)\b)",
    re.IGNORECASE,
)
"""Matches requests for all rules rather than for a topic."""

IN_DOUBT = sentence(
    'Did you mean one of these? What you want to tell the others goes after the word "say".'
)
NOTHING_DONE = sentence("I understand none of your lines, so nothing was done.")


def stage_of(game: Game, seat: int) -> str:
    """Return the stage of a game for a seat, as in `Intent`."""
    status = game.seats[seat].status
    if game.status == "inviting" and status == "invited":
        return INVITED
    if status != "joined":
        return ""
    if game.status == "running" and any(
        given and seat not in given for given in game.votes.values()
    ):
        return VOTING
    stages = {"inviting": WAITING, "running": RUNNING, "paused": RUNNING, "finished": OVER}
    return stages.get(game.status, "")


@dataclass(frozen=True, slots=True)
class LineContext:
    """The context in which a line is interpreted.

    Attributes:
        language: the player's language, which is understood in addition to English.
        stage: as in `Intent`.
        rulesets: names of the games that the line may be about.
        names: the players at the table.
        takes_informal_vote: True if "ok" can only be the answer to one open vote.
    """

    language: str
    stage: str
    rulesets: tuple[str, ...]
    names: tuple[str, ...] = ()
    takes_informal_vote: bool = False

    def meant(self, line: OrderLine) -> Meant | None:
        """Return the apparent meaning of a line, or None for talk."""
        return meanings.likely_intent(line.text, self.language, self.stage, self.names)

    def topic(self, line: OrderLine) -> str | None:
        """Return a line if it is a question that contains a term explained in a game's rules."""
        terms = [term for name in self.rulesets for term in profile_of(name).terms]
        is_question = meanings.asks_about_the_game(line.text)
        if not is_question or _ALL_RULES.search(line.text):
            return None
        return line.text if glossary.find(line.text, terms) else None

    def as_question(self, line: OrderLine, *, is_alone: bool) -> OrderLine:
        """Convert a line with a question into the order that answers it.

        Args:
            is_alone: True if the message has no orders. Other questions are not answered.
        """
        if line.kind is not LineKind.PROSE or not is_alone:
            return line
        meaning = self.meant(line)
        asks = None if meaning is None else meaning.intent.asks
        topic = self.topic(line) if asks in _OF_RULES and not (meaning and asks is None) else None
        if topic is not None:
            return replace(line, kind=LineKind.SERVICE, word=Word.HELP, argument=topic)
        if meaning is None and self.stage and meanings.asks_for_the_rules(line.text):
            asks = Word.RULES
        is_specific = meanings.asks_about_the_game(line.text) and not _ALL_RULES.search(line.text)
        if asks is Word.RULES and is_specific:
            return replace(line, kind=LineKind.SERVICE, word=Word.HELP, argument=line.text)
        return line if asks is None else replace(line, kind=LineKind.SERVICE, word=asks)


def around_seat(progress: SeatContext) -> LineContext:
    """Return the context of lines sent to a seat's address."""
    table = (progress.game, progress.seat)
    return around_game(table, progress.names, progress.mail_context.language)


def around_game(at: tuple[Game, int], names: tuple[str, ...], language: str) -> LineContext:
    """Return the context of lines about a game, for one of its seats."""
    game, seat = at
    return LineContext(
        language,
        stage_of(game, seat),
        (game.ruleset.id.name,),
        names,
        takes_informal_vote=_takes_informal_vote(game, seat),
    )


def _takes_informal_vote(game: Game, seat: int) -> bool:
    """True if exactly one vote awaits this seat, and not on ending a game or a seat."""
    open_votes = [kind for kind, given in game.votes.items() if given and seat not in given]
    return len(open_votes) == 1 and open_votes[0] not in _FINAL


def around_person(uow: UnitOfWork, player: Player) -> LineContext:
    """Return the context of lines sent to a player's address."""
    rows = [row for row in uow.projections.games_of(player.id) if row.status in UNFINISHED]
    stage = RUNNING if any(row.status == "running" for row in rows) else ""
    played = dict.fromkeys([*(row.ruleset for row in rows), *registry.names()])
    return LineContext(player.language, stage, tuple(played))


def with_questions(around: LineContext, lines: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """Return the lines of a message, with questions converted to the orders that answer them."""
    is_alone = all(line.kind is LineKind.PROSE for line in lines)
    return tuple(around.as_question(line, is_alone=is_alone) for line in lines)


_FINAL = frozenset({"end", "drop"})
"""Motions that end a game or take away a seat. They need a plain "yes"."""
_VOTES: Mapping[tuple[Word | None, str | None], Word] = {
    (Word.JOIN, None): Word.YES,
    (Word.DECLINE, None): Word.NO,
}
"""The votes that correspond to the answers to an invitation."""


def with_answer(around: LineContext, lines: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """Return the lines of a message, with an informal "Sure!" as the answer to an invitation or a vote.

    It does not count besides a doubtful line or orders other than settings. In a vote, "decline" means no, because
    players who have joined cannot decline any more.
    """
    found = list(lines)
    if around.stage == VOTING:
        votes = (_VOTES.get((line.word, line.argument), line.word) for line in lines)
        found = [replace(line, word=word) for line, word in zip(lines, votes, strict=True)]
    answers = (Word.JOIN, Word.DECLINE) if around.stage == INVITED else ()
    if around.stage == VOTING and around.takes_informal_vote:
        answers = (Word.YES, Word.NO)
    if all(line.kind is LineKind.PROSE or line.word in PARTS["mails"] for line in lines):
        prose = [line.text if line.kind is LineKind.PROSE else "" for line in lines]
        answer = meanings.plain_answer(prose, *answers)
        if answer is not None:
            index, word = answer
            found[index] = replace(found[index], kind=LineKind.SERVICE, word=word)
    return tuple(found)


def intents_of(around: LineContext, lines: Sequence[OrderLine]) -> dict[Sentence, Meant]:
    """Return the intents of these lines, except questions, by message and without duplicates."""
    found = (around.meant(line) for line in lines if line.kind is LineKind.PROSE)
    wanted = [one for one in found if one is not None and one.intent.asks is None]
    return dict(list({one.message: one for one in wanted}.items())[:MAX_SUGGESTED_LINES])


def explained(around: LineContext, lines: Sequence[OrderLine]) -> tuple[LineResult, ...]:
    """Return the apparent meanings of the lines, in order, as results that report nothing as done."""
    left, results = intents_of(around, lines), list[LineResult]()
    for line in lines:
        found = around.meant(line) if line.kind is LineKind.PROSE else None
        meant = None if found is None else left.pop(found.message, None)
        plain = result(line.text, "unused")
        results.append(
            plain
            if meant is None
            else replace(plain, outcome="meant", message=meant.message, suggestions=meant.orders)
        )
    return tuple(results)


def read(progress: SeatContext, line: OrderLine) -> None:
    """Record the apparent meaning of a line that is not an order, and the orders to suggest."""
    found = around_seat(progress).meant(line)
    answers = [one.message for one in progress.results if one.outcome == "meant"]
    if (
        found is None
        or found.intent.asks
        or found.message in answers
        or len(answers) >= MAX_SUGGESTED_LINES
    ):
        progress.results.append(result(line.text, "unused"))
        return
    shown = line.text[:SHOWN_LINE]
    is_rule = meanings.asks_for_the_rules(line.text)
    orders = (*found.orders, sentence("rules")) if is_rule else found.orders
    meaning = LineResult(shown, "meant", message=found.message, suggestions=orders)
    progress.results.append(meaning)


def nearest(around: LineContext, line: OrderLine) -> tuple[Sentence, ...]:
    """Return the orders closest to the apparent meaning of a line, or none for courtesies."""
    if line.kind is not LineKind.PROSE or is_chat(line.text):
        return ()
    intents = meanings.nearest(line.text, around.language, around.stage, around.names)
    return tuple(dict.fromkeys(intent.orders[0] for intent in intents))


def nearest_here(progress: SeatContext, line: OrderLine) -> tuple[Sentence, ...]:
    """Return the orders to suggest for a line to a table, including one that posts it as talk."""
    around = around_seat(progress)
    if around.stage == INVITED:
        return (*nearest(around, line), sentence("join"), sentence("decline"))
    if not around.stage or is_chat(line.text):
        return nearest(around, line)
    own = progress.game.seats[progress.seat]
    usual = [sentence("rematch")] if around.stage == OVER else []
    if around.stage == RUNNING and own.seen and own.decision is None:
        usual.append(sentence("undo"))
    bare = re.sub(r"^(?:say|sag(?:en?)?)\b[\s:,]*(?=\S)", "", line.text, flags=re.IGNORECASE)
    suggestion = sentence("say {said}", said=bare[:SHOWN_LINE])
    name = next(
        (
            name
            for name in progress.names
            if re.match(rf"{re.escape(name)}\s*:", line.text, re.IGNORECASE)
        ),
        None,
    )
    if name is not None:
        suggestion = sentence(
            "say to {name}: {said}", name=name, said=line.text.partition(":")[2].strip()
        )
    return tuple(dict.fromkeys([*nearest(around, line), *usual, suggestion, sentence("help")]))


def no_order(progress: SeatContext) -> list[Sentence]:
    """Explain that a message contained no order, and list what the player can do."""
    stage = stage_of(progress.game, progress.seat)
    if stage == INVITED:
        return [
            NOTHING_DONE,
            sentence(
                "To play, write join on a line of its own; if you would rather not, write decline."
            ),
        ]
    if stage in (RUNNING, VOTING):
        return [
            NOTHING_DONE,
            sentence(
                'What you want to tell the others goes after the word "say". With "board" you get the'
                ' table, with "help" everything that you can write.'
            ),
        ]
    return [NOTHING_DONE]


# Each translation of this sentence names the language into which it is translated.
_OFFER = sentence('With "language en" I write to you in English.')
_ORDERS = (LineKind.SERVICE, LineKind.GAME)


def offered_languages(progress: SeatContext, lines: tuple[OrderLine, ...]) -> Iterator[Sentence]:
    """Yield an offer of each language in which unrecognised lines would be orders.

    Each player gets the offer of a language once. Calling this records it.
    Only players with English messages get it, because English is always understood.
    """
    if progress.mail_context.language != SOURCE:
        return
    texts = [line.text for line in lines if line.kind not in _ORDERS]
    for code in languages():
        reader = OrderReader((progress.game.ruleset,), tuple(progress.names), code)
        is_read = any(line.kind in _ORDERS for text in texts for line in reader.read(text))
        orders = progress.mail_context
        if code != SOURCE and is_read and orders.uow.players.mark_offered(orders.player_id, code):
            yield Sentence(translate(_OFFER, code))
