"""Sentences about moves made by the service, and about retracted moves."""

from __future__ import annotations

from engine.api import Fact
from engine.sentences import Sentence, joined, sentence
from pbem.domain.table.motion import ByReader
from pbem.mail_out.happened.scene import (
    Row,
    Scene,
    Teller,
    data_teller,
    fixed_teller,
    number_of,
    words_for,
)


def _timed_out_headline(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat) and scene.mail.kind == "timed_out":
        return sentence("You missed the deadline")
    return ""


def _miss_excused(fact: Fact) -> ByReader:
    if fact.data.get("left"):
        return ByReader(
            sentence(
                "A missed turn of yours was excused: {of} in any {moves} cost nothing, and you have"
                " {left} left."
            )
        )
    return ByReader(
        sentence(
            "A missed turn of yours was excused: {of} in any {moves} cost nothing, and this was the"
            " last."
        )
    )


BOT_REASONS = {
    "lowest": sentence("the lowest that fits"),
    "single": sentence("one only, so that you keep a way out"),
    "special": sentence("nothing else fits"),
    "nothing": sentence("nothing fits"),
    "pile": sentence("the pile is worth having"),
    "cards": sentence("it may win the most cards"),
    "draw": sentence("the discard does not help"),
    "helps": sentence("it helps with the phase"),
    "fits": sentence("it fits on the table"),
    "lay": sentence("the phase is complete"),
    "hit": sentence("one card less"),
    "spare": sentence("it helps least"),
    "skip": sentence("a skip is best played at once"),
    "search": sentence("it looked best some moves ahead"),
}
"""Reasons for a bot's move, by the code in the fact."""


def _bot_moved(fact: Fact, scene: Scene) -> str:
    reason = BOT_REASONS.get(str(fact.data.get("why")))
    if reason is None:
        return words_for(ByReader(sentence('The bot moved for you: "{move}".')), fact, scene)
    words = ByReader(sentence('The bot moved for you: "{move}" ({why}).'))
    return words_for(words, fact, scene, why=reason)


def _standing_move(fact: Fact) -> ByReader:
    if fact.data.get("which") == "drawing":
        return ByReader(sentence('Your rule for drawing did this: "{move}".'))
    return ByReader(sentence('Your standing order did this: "{move}".'))


def _by_moves(several: Sentence, one: Sentence, none: Sentence) -> Teller:
    """Create a teller with separate wordings for several moves, one move, or only secret choices."""

    def words(fact: Fact) -> ByReader:
        first, last = number_of(fact, "first"), number_of(fact, "last")
        return ByReader(several if last > first else one if last == first else none)

    return data_teller(words)


_TAKEN_BACK = _by_moves(
    sentence(
        "The admin ({admin}) took back the moves {first} to {last}. The reason given: {reason}"
    ),
    sentence("The admin ({admin}) took back move {first}. The reason given: {reason}"),
    sentence("The admin ({admin}) took back the secret choices. The reason given: {reason}"),
)
_UNDONE = sentence(
    "All who play agreed: move {first} was taken back, and the table is as it was before."
)
_WENT_BACK = sentence("Move {first} was taken back, and the table is as it was before.")
_TITLE = _by_moves(
    sentence("Moves {first} to {last} were taken back"),
    sentence("Move {first} was taken back"),
    sentence("The secret choices were taken back"),
)


def _moves_retracted(fact: Fact, scene: Scene) -> str:
    after = sentence(
        "The table is as it was before. What somebody has seen since cannot be unseen; move "
        "numbers in older mails are no longer valid."
    )
    return joined([_TAKEN_BACK(fact, scene), after])


ROWS = {
    "timed_out": Row(
        fixed_teller(
            sentence('{name} ran out of time, so a safe move was made: "{move}".'),
            sentence('Your time ran out, so a safe move was made for you: "{move}".'),
        ),
        _timed_out_headline,
    ),
    "miss_excused": Row(data_teller(_miss_excused)),
    "forced": Row(
        fixed_teller(
            sentence('{name} had only one legal move, so it was made at once: "{move}".'),
            sentence('You had only one legal move, so it was made at once: "{move}".'),
        )
    ),
    "bot_moved": Row(_bot_moved),
    "standing_move": Row(data_teller(_standing_move)),
    "next_cleared": Row(
        fixed_teller(
            sentence(
                "Your order for your next turn was cancelled, too, because moves were taken back."
                ' If you still want it, write "next:" once more.'
            )
        )
    ),
    "moves_retracted": Row(_moves_retracted, _TITLE),
    "moves_undone": Row(
        _by_moves(
            sentence(
                "All who play agreed: the moves {first} to {last} were taken back, and the table is as"
                " it was before."
            ),
            _UNDONE,
            _UNDONE,
        ),
        _TITLE,
    ),
    "went_back": Row(
        _by_moves(
            sentence(
                "The moves {first} to {last} were taken back, and the table is as it was before."
            ),
            _WENT_BACK,
            _WENT_BACK,
        ),
        _TITLE,
    ),
}
"""Sentences by kind of fact."""
