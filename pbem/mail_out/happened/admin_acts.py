"""Sentences about what an admin did, and the end of a game before its time."""

from __future__ import annotations

from engine.api import Fact
from engine.sentences import sentence
from pbem.mail_out.happened.scene import Row, Scene, admin_of, reason_of


def _dispute_opened(fact: Fact, scene: Scene) -> str:
    number = fact.data.get("number")
    if scene.is_reader(fact.seat):
        return sentence(
            "You have opened a dispute (its number is {number}): something went wrong, it says. The"
            " admin was told and will answer it.",
            number=number,
        )
    return sentence(
        "{name} has opened a dispute (its number is {number}): something went wrong, it says. The"
        " admin was told and will answer it.",
        name=scene.name(fact.seat),
        number=number,
    )


def _dispute_resolved(fact: Fact, _scene: Scene) -> str:
    return sentence(
        "The admin answered dispute number {number}: {reason}",
        number=fact.data.get("number"),
        reason=reason_of(fact, ""),
    )


def _adjudicated(fact: Fact, _scene: Scene) -> str:
    if fact.data.get("with_judge"):
        return sentence(
            "The admin ({admin}) ended the game and decided the places, with a judge who does not"
            " play in it. The reason given: {reason}",
            admin=admin_of(fact),
            reason=reason_of(fact),
        )
    return sentence(
        "The admin ({admin}) ended the game and decided the places. The reason given: {reason}",
        admin=admin_of(fact),
        reason=reason_of(fact),
    )


def _anonymous_talk(fact: Fact, _scene: Scene) -> str:
    if fact.data.get("is_allowed"):
        return sentence("From now on the players may say something without a name in this game.")
    return sentence("From now on nobody says anything without a name in this game.")


def _hands_revealed(fact: Fact, _scene: Scene) -> str:
    return sentence(
        "The admin ({admin}) looked at hidden cards. The reason given: {reason}",
        admin=admin_of(fact),
        reason=reason_of(fact),
    )


def _reason_given(fact: Fact, _scene: Scene) -> str:
    return sentence(
        "The reason given by the admin ({admin}): {reason}",
        admin=admin_of(fact),
        reason=reason_of(fact),
    )


def _game_stopped(fact: Fact, _scene: Scene) -> str:
    if fact.data.get("reason"):
        return sentence("The game was stopped. The reason given: {reason}", reason=reason_of(fact))
    match fact.data.get("code"):
        case "declined":
            return sentence(
                "Somebody does not want to play, so the game was given up before it began."
            )
        case "called-off":
            return sentence("The player who made the game has called it off.")
        case "expired":
            return sentence(
                "A seat stayed empty for too long, so the game was given up before it began."
            )
        case "renewed":
            return sentence("The game was made anew with fewer players.")
        case _:
            return sentence("The game was stopped.")


ROWS = {
    "dispute_opened": Row(_dispute_opened),
    "dispute_resolved": Row(_dispute_resolved),
    "adjudicated": Row(_adjudicated),
    "anonymous_talk": Row(_anonymous_talk),
    "hands_revealed": Row(_hands_revealed),
    "reason_given": Row(_reason_given),
    "game_stopped": Row(_game_stopped),
}
"""By the kind of the fact."""
