"""Sentences about deadlines, time banks, vacations and pauses."""

from __future__ import annotations

from engine.api import Fact
from engine.sentences import Sentence, sentence
from pbem.mail_out import times
from pbem.mail_out.happened.scene import Row, Scene, number_of, reason_of


def _deadline_extended(fact: Fact, _scene: Scene) -> str:
    match fact.data.get("reason"):
        case "undo":
            return sentence(
                "The time to answer begins anew, because of the request to take moves back."
            )
        case "delivery":
            return sentence("The time to answer was extended, because a mail left late.")
        case "vacation":
            return sentence("The time to answer was extended because of the vacation.")
        case "courtesy":
            return sentence("An opponent gave more time to answer.")
        case "admin":
            return sentence("The admin gave more time to answer.")
        case _:
            return sentence("The time to answer was extended.")


def _compensated(fact: Fact, _scene: Scene) -> str:
    return sentence(
        "This service was down for {minutes}; running deadlines are later by that time.",
        minutes=times.about_text(number_of(fact, "minutes") * 60),
    )


def _bank_changed(fact: Fact, scene: Scene) -> str:
    """Say what a move took from a time bank; only the history says what it gained."""
    used, left = number_of(fact, "used"), number_of(fact, "left")
    is_own, name = scene.is_reader(fact.seat), scene.name(fact.seat)
    if used > 0:
        spent, rest = times.left_text(used), times.left_text(left)
        if is_own and left:
            return sentence(
                "You used {used} of your time bank and have {left} left.", used=spent, left=rest
            )
        if is_own:
            return sentence("You used {used} of your time bank; it is used up now.", used=spent)
        if left:
            return sentence(
                "{name} used {used} of the time bank and has {left} left.",
                name=name,
                used=spent,
                left=rest,
            )
        return sentence(
            "{name} used {used} of the time bank; it is used up now.", name=name, used=spent
        )
    if scene.mail.kind != "history":
        return ""
    gained, rest = times.left_text(-used), times.left_text(left)
    if is_own:
        return sentence(
            "You gained {gained} for your time bank; it holds {left} now.", gained=gained, left=rest
        )
    return sentence(
        "{name} gained {gained} for the time bank; it holds {left} now.",
        name=name,
        gained=gained,
        left=rest,
    )


def _vacation(fact: Fact, scene: Scene) -> str:
    days = {name: times.day_text(fact.data.get(name)) for name in ("first", "last")}
    if scene.is_reader(fact.seat):
        return sentence("You are on vacation from {first} to {last}.", **days)
    return sentence(
        "{name} is on vacation from {first} to {last}.", name=scene.name(fact.seat), **days
    )


def _vacation_headline(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return ""
    return sentence("{name} is on vacation", name=scene.name(fact.seat))


def _vacation_ended(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence("Your vacation is over.")
    return sentence("{name} is back from vacation.", name=scene.name(fact.seat))


def _admin_asked(fact: Fact, scene: Scene) -> str:
    mail = scene.mail
    if not scene.is_reader(fact.seat):
        return sentence(
            "The time of {name} is over; the admin was asked what happens now.",
            name=scene.name(fact.seat),
        )
    if mail.reader not in mail.to_act or mail.result is not None:
        return sentence("Your time was over, and the admin was asked what happens then.")
    return sentence(
        "Your time is over; the admin was asked what happens now. You can still answer."
    )


_STOPPED_BY = {"vote": sentence("a vote"), "dispute": sentence("the dispute")}


def _by_whom(fact: Fact) -> Sentence:
    return _STOPPED_BY.get(str(fact.data.get("by")), sentence("the admin"))


def _paused(fact: Fact, _scene: Scene) -> str:
    if fact.data.get("reason"):
        return sentence(
            "The clock of the game was stopped by {by}. The reason given: {reason}",
            by=_by_whom(fact),
            reason=reason_of(fact),
        )
    return sentence("The clock of the game was stopped by {by}.", by=_by_whom(fact))


def _paused_headline(_fact: Fact, _scene: Scene) -> str:
    return sentence("The clock stands still")


def _resumed(fact: Fact, _scene: Scene) -> str:
    if fact.data.get("by") == "dispute":
        return sentence("The clock of the game runs again.")
    return sentence("The clock of the game runs again, by {by}.", by=_by_whom(fact))


def _resumed_headline(_fact: Fact, _scene: Scene) -> str:
    return sentence("The clock runs again")


ROWS = {
    "deadline_extended": Row(_deadline_extended),
    "compensated": Row(_compensated),
    "bank_changed": Row(_bank_changed),
    "vacation": Row(_vacation, _vacation_headline),
    "vacation_ended": Row(_vacation_ended),
    "admin_asked": Row(_admin_asked),
    "paused": Row(_paused, _paused_headline),
    "resumed": Row(_resumed, _resumed_headline),
}
"""By the kind of the fact."""
