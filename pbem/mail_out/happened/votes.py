"""Sentences about motions: requests, votes and results.

The words of a motion are in its class in `pbem.domain.table.motion_kinds`.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.api import Fact
from engine.sentences import sentence
from pbem.domain.table.motion import ByReader, Texts
from pbem.domain.table.motion_kinds import MOTIONS
from pbem.mail_out.happened.scene import Row, Scene, Teller, data_teller, fixed_teller, words_for


def _by_motion(words: Callable[[Texts, Fact], ByReader]) -> Teller:
    """Create a teller that uses a text of the motion which the fact is about."""
    return data_teller(lambda fact: words(_texts(fact), fact))


def _texts(fact: Fact) -> Texts:
    return MOTIONS[str(fact.data["motion"])].texts_of(fact.data)


def _vote(texts: Texts, fact: Fact) -> ByReader:
    return texts.voted_for if fact.data.get("for") else texts.voted_against


def _vote_title(fact: Fact, scene: Scene) -> str:
    """Return the headline for a vote on the clock that the reader should answer."""
    is_asked = scene.mail.asked and scene.mail.motion == fact.data.get("motion")
    return words_for(_texts(fact).title, fact, scene) if is_asked and fact.data["for"] else ""


def _end(texts: Texts, fact: Fact) -> ByReader:
    usual = _WITHDRAWN if fact.data.get("why") == "withdrawn" else _NOT_AGREED
    return texts.off.get(str(fact.data.get("why")), usual)


_WITHDRAWN = ByReader(
    sentence("{name} has withdrawn what was asked for."),
    own=sentence("You have withdrawn what you asked for."),
)
_NOT_AGREED = ByReader(
    sentence("What {name} asked for was not agreed on; everything stays as it is."),
    own=sentence("What you asked for was not agreed on; everything stays as it is."),
)


ROWS = {
    "motion_opened": Row(
        _by_motion(lambda texts, _: texts.put), _by_motion(lambda texts, _: texts.title)
    ),
    "motion_voted": Row(_by_motion(_vote), _vote_title),
    "motion_carried": Row(
        _by_motion(lambda texts, _: texts.carried),
        _by_motion(lambda texts, _: texts.carried_title),
    ),
    "motion_ended": Row(
        _by_motion(_end), fixed_teller(sentence("Not agreed: everything stays as it is"))
    ),
    "observer_left": Row(fixed_teller(sentence("{person} has stopped watching."))),
    "replacement_offered": Row(
        fixed_teller(
            sentence(
                "{person} was asked to take over the seat of {name}, who can come back until the"
                " answer comes."
            ),
            sentence(
                "{person} was asked to take over your seat. Until the answer comes it is yours."
            ),
        )
    ),
    "replacement_expired": Row(
        fixed_teller(
            sentence(
                "{person} did not answer in time, and does not take over the seat of {name}."
                " Somebody else can be asked."
            ),
            sentence(
                "{person} did not answer in time, and does not take over your seat. Somebody"
                " else can be asked."
            ),
        )
    ),
    "replacement_declined": Row(
        fixed_teller(sentence("{person} does not take over the seat of {name}."))
    ),
    "replacement_over": Row(
        fixed_teller(sentence("The seat is not offered to somebody else any more."))
    ),
}
"""Sentences by kind of fact."""
