"""Sentences about admin actions, and about games that were stopped."""

from __future__ import annotations

from engine.api import Fact
from engine.sentences import sentence
from pbem.domain.table.motion import ByReader
from pbem.mail_out.happened.scene import Row, data_teller, fixed_teller


def _adjudicated(fact: Fact) -> ByReader:
    if fact.data.get("with_judge"):
        return ByReader(
            sentence(
                "The admin ({admin}) ended the game and decided the places, with a judge who does not"
                " play in it. The reason given: {reason}"
            )
        )
    return ByReader(
        sentence(
            "The admin ({admin}) ended the game and decided the places. The reason given: {reason}"
        )
    )


def _anonymous_talk(fact: Fact) -> ByReader:
    if fact.data.get("is_allowed"):
        return ByReader(
            sentence("From now on the players may say something without a name in this game.")
        )
    return ByReader(sentence("From now on nobody says anything without a name in this game."))


_STOPPED = {
    "declined": sentence(
        "Somebody does not want to play, so the game was given up before it began."
    ),
    "called-off": sentence("The player who made the game has called it off."),
    "expired": sentence(
        "A seat stayed empty for too long, so the game was given up before it began."
    ),
    "renewed": sentence("The game was created again with fewer players."),
}
"""Sentences about a stopped game, by the code in `GameStopped`."""


def _game_stopped(fact: Fact) -> ByReader:
    if fact.data.get("reason"):
        return ByReader(sentence("The game was stopped. The reason given: {reason}"))
    return ByReader(_STOPPED.get(str(fact.data.get("code")), sentence("The game was stopped.")))


ROWS = {
    "dispute_opened": Row(
        fixed_teller(
            sentence(
                "{name} has opened a dispute (its number is {number}): something went wrong, it says. The"
                " admin was told and will answer it."
            ),
            sentence(
                "You have opened a dispute (its number is {number}): something went wrong, it says. The"
                " admin was told and will answer it."
            ),
        )
    ),
    "dispute_resolved": Row(
        fixed_teller(sentence("The admin answered dispute number {number}: {reason}"))
    ),
    "adjudicated": Row(data_teller(_adjudicated)),
    "anonymous_talk": Row(data_teller(_anonymous_talk)),
    "hands_revealed": Row(
        fixed_teller(
            sentence("The admin ({admin}) looked at hidden cards. The reason given: {reason}")
        )
    ),
    "reason_given": Row(
        fixed_teller(sentence("The reason given by the admin ({admin}): {reason}"))
    ),
    "game_stopped": Row(data_teller(_game_stopped)),
}
"""Sentences by kind of fact."""
