"""Sentences about deadlines, time banks, vacations and pauses."""

from __future__ import annotations

from engine.api import Fact
from engine.sentences import sentence
from pbem.domain.table.motion import NOTHING, ByReader
from pbem.mail_out import times
from pbem.mail_out.happened.scene import Row, Scene, data_teller, fixed_teller, number_of, words_for

_MORE_TIME = {
    "undo": sentence("The time to answer starts again, because of the request to take moves back."),
    "delivery": sentence("The time to answer was extended, because a mail left late."),
    "vacation": sentence("The time to answer was extended because of the vacation."),
    "courtesy": sentence("An opponent gave more time to answer."),
    "admin": sentence("The admin gave more time to answer."),
}
"""Sentences about granted time, by the reason for it."""


def _deadline_extended(fact: Fact) -> ByReader:
    reason = str(fact.data.get("reason"))
    return ByReader(_MORE_TIME.get(reason, sentence("The time to answer was extended.")))


def _compensated(fact: Fact, _scene: Scene) -> str:
    return sentence(
        "This service was down for {minutes}; running deadlines are later by that time.",
        minutes=times.about_text(number_of(fact, "minutes") * 60),
    )


_USED = ByReader(
    sentence("{name} used {used} of the time bank and has {left} left."),
    sentence("You used {used} of your time bank and have {left} left."),
)
_USED_UP = ByReader(
    sentence("{name} used {used} of the time bank; it is used up now."),
    sentence("You used {used} of your time bank; it is used up now."),
)
_GAINED = ByReader(
    sentence("{name} gained {gained} for the time bank; it holds {left} now."),
    sentence("You gained {gained} for your time bank; it holds {left} now."),
)


def _bank_changed(fact: Fact, scene: Scene) -> str:
    """Return a sentence about time taken from a bank. Only the history mentions added time."""
    used, left = number_of(fact, "used"), number_of(fact, "left")
    if used <= 0 and scene.mail.kind != "history":
        return ""
    words = _GAINED if used <= 0 else _USED if left else _USED_UP
    amounts = {"used": used, "gained": -used, "left": left}
    texts = {name: times.left_text(amount) for name, amount in amounts.items()}
    return words_for(words, fact, scene, **texts)


def _vacation(fact: Fact, scene: Scene) -> str:
    words = ByReader(
        sentence("{name} is on vacation from {first} to {last}."),
        sentence("You are on vacation from {first} to {last}."),
    )
    days = {name: times.day_text(fact.data.get(name)) for name in ("first", "last")}
    return words_for(words, fact, scene, **days)


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


def _paused(fact: Fact, scene: Scene) -> str:
    words = sentence("The clock of the game was stopped by {by}.")
    if fact.data.get("reason"):
        words = sentence("The clock of the game was stopped by {by}. The reason given: {reason}")
    return words_for(ByReader(words), fact, scene, by=_by_whom(fact))


def _resumed(fact: Fact, scene: Scene) -> str:
    words = sentence("The clock of the game runs again, by {by}.")
    if fact.data.get("by") == "dispute":
        words = sentence("The clock of the game runs again.")
    return words_for(ByReader(words), fact, scene, by=_by_whom(fact))


def _by_whom(fact: Fact) -> str:
    return _STOPPED_BY.get(str(fact.data.get("by")), sentence("the admin"))


ROWS = {
    "deadline_extended": Row(data_teller(_deadline_extended)),
    "compensated": Row(_compensated),
    "bank_changed": Row(_bank_changed),
    "vacation": Row(_vacation, fixed_teller(sentence("{name} is on vacation"), NOTHING)),
    "vacation_ended": Row(
        fixed_teller(sentence("{name} is back from vacation."), sentence("Your vacation is over."))
    ),
    "admin_asked": Row(_admin_asked),
    "paused": Row(_paused, fixed_teller(sentence("The clock stands still"))),
    "resumed": Row(_resumed, fixed_teller(sentence("The clock runs again"))),
}
"""Sentences by kind of fact."""
