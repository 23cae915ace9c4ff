"""Sentences about motions: what was asked, how players voted and how it ended."""

from __future__ import annotations

from engine.api import Fact
from engine.sentences import sentence
from pbem.durations import in_words
from pbem.mail_out.happened.scene import Row, Scene, moves_of, number_of, person_of


def _voted(fact: Fact, scene: Scene) -> str:
    is_own, is_for, name = scene.is_reader(fact.seat), fact.data.get("for"), scene.name(fact.seat)
    if fact.data.get("motion") == "pause":
        if is_own:
            return (
                sentence("You are for a pause.") if is_for else sentence("You are against a pause.")
            )
        return (
            sentence("{name} is for a pause.", name=name)
            if is_for
            else sentence("{name} is against a pause.", name=name)
        )
    if is_own:
        return (
            sentence("You are for ending the pause.")
            if is_for
            else sentence("You are against ending the pause.")
        )
    return (
        sentence("{name} is for ending the pause.", name=name)
        if is_for
        else sentence("{name} is against ending the pause.", name=name)
    )


def _voted_headline(fact: Fact, scene: Scene) -> str:
    if not scene.mail.asked or not fact.data.get("for") or scene.is_reader(fact.seat):
        return ""
    if scene.mail.motion == "pause":
        return sentence("{name} asks for a pause", name=scene.name(fact.seat))
    return sentence("{name} asks to go on", name=scene.name(fact.seat))


_MOTIONS = {
    "undo": sentence("taking moves back"),
    "end": sentence("ending the game"),
    "drop": sentence("going on without somebody"),
    "tempo": sentence("another pace"),
    "observer": sentence("an observer"),
    "replace": sentence("somebody who takes over a seat"),
}


def _motion_voted(fact: Fact, scene: Scene) -> str:
    what, name = _MOTIONS.get(str(fact.data.get("motion")), ""), scene.name(fact.seat)
    if scene.is_reader(fact.seat):
        return (
            sentence("You voted for {what}.", what=what)
            if fact.data.get("for")
            else sentence("You voted against {what}.", what=what)
        )
    return (
        sentence("{name} voted for {what}.", name=name, what=what)
        if fact.data.get("for")
        else sentence("{name} voted against {what}.", name=name, what=what)
    )


def _motion_ended(fact: Fact, scene: Scene) -> str:
    motion, reason, about = (fact.data.get(key) for key in ("motion", "why", "of"))
    went_on = reason in ("back", "moved")
    if motion == "observer":
        return sentence("The players did not agree to let somebody watch.")
    if motion == "undo" and reason == "moved":
        return sentence("The request to take moves back is off, because the game went on.")
    if motion == "replace" and went_on:
        if scene.is_reader(about):
            return sentence("Nobody is asked to take over your seat any more.")
        return sentence(
            "Nobody is asked to take over the seat of {whom} any more.", whom=scene.name(about)
        )
    if motion == "drop" and went_on:
        if scene.is_reader(about):
            return sentence("The vote about your seat is off, and you play on.")
        return sentence("The vote to go on without {whom} is off.", whom=scene.name(about))
    is_own, name = scene.is_reader(fact.seat), scene.name(fact.seat)
    if reason == "withdrawn":
        if is_own:
            return sentence("You have withdrawn what you asked for.")
        return sentence("{name} has withdrawn what was asked for.", name=name)
    if is_own:
        return sentence("What you asked for was not agreed on; everything stays as it is.")
    return sentence(
        "What {name} asked for was not agreed on; everything stays as it is.", name=name
    )


def _motion_ended_headline(_fact: Fact, _scene: Scene) -> str:
    return sentence("Not agreed: everything stays as it is")


def _undo_requested(fact: Fact, scene: Scene) -> str:
    first, last = moves_of(fact)
    is_own, name = scene.is_reader(fact.seat), scene.name(fact.seat)
    if is_own and first == last:
        return sentence("You asked the others to take back move {first}.", first=first)
    if is_own:
        return sentence(
            "You asked the others to take back the moves {first} to {last}.", first=first, last=last
        )
    if first == last:
        return sentence("{name} asked to take back move {first}.", name=name, first=first)
    return sentence(
        "{name} asked to take back the moves {first} to {last}.", name=name, first=first, last=last
    )


def _undo_requested_headline(fact: Fact, scene: Scene) -> str:
    first, last = moves_of(fact)
    if scene.is_reader(fact.seat):
        return sentence("You asked to take moves back")
    name = scene.name(fact.seat)
    if first == last:
        return sentence("{name} asks to take back move {first}", name=name, first=first)
    return sentence(
        "{name} asks to take back moves {first} to {last}", name=name, first=first, last=last
    )


def _replacement_proposed(fact: Fact, scene: Scene) -> str:
    name, whom = person_of(fact), scene.name(fact.data.get("of"))
    if scene.is_reader(fact.seat):
        return sentence(
            "You asked that {name} takes over the seat of {whom}.", name=name, whom=whom
        )
    return sentence(
        "{who} asked that {name} takes over the seat of {whom}.",
        who=scene.name(fact.seat),
        name=name,
        whom=whom,
    )


def _replacement_proposed_headline(fact: Fact, scene: Scene) -> str:
    return sentence("Who plays on for {name}?", name=scene.name(fact.data.get("of")))


def _replacement_offered(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence(
            "{name} was asked to take over your seat. Until the answer comes it is yours.",
            name=person_of(fact),
        )
    return sentence(
        "{name} was asked to take over the seat of {whom}, who can come back until the answer"
        " comes.",
        name=person_of(fact),
        whom=scene.name(fact.seat),
    )


def _replacement_expired(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence(
            "{name} did not answer in time, and does not take over your seat. Somebody else can be"
            " asked.",
            name=person_of(fact),
        )
    return sentence(
        "{name} did not answer in time, and does not take over the seat of {whom}. Somebody else"
        " can be asked.",
        name=person_of(fact),
        whom=scene.name(fact.seat),
    )


def _replacement_declined(fact: Fact, scene: Scene) -> str:
    return sentence(
        "{name} does not take over the seat of {whom}.",
        name=person_of(fact),
        whom=scene.name(fact.seat),
    )


def _replacement_over(_fact: Fact, _scene: Scene) -> str:
    return sentence("The seat is not offered to somebody else any more.")


def _observer_proposed(fact: Fact, _scene: Scene) -> str:
    return sentence("{name} asked to watch the game.", name=person_of(fact))


def _observer_proposed_headline(fact: Fact, _scene: Scene) -> str:
    return sentence("May {name} watch the game?", name=person_of(fact))


def _observer_admitted(fact: Fact, _scene: Scene) -> str:
    return sentence(
        "{name} watches the game from now on, and sees what everybody may know but no hand.",
        name=person_of(fact),
    )


def _observer_admitted_headline(fact: Fact, _scene: Scene) -> str:
    return sentence("{name} watches from now on", name=person_of(fact))


def _observer_left(fact: Fact, _scene: Scene) -> str:
    return sentence("{name} has stopped watching.", name=person_of(fact))


def _drop_proposed(fact: Fact, scene: Scene) -> str:
    name, about = scene.name(fact.seat), fact.data.get("of")
    if scene.is_reader(fact.seat):
        return sentence("You asked to go on without {whom}.", whom=scene.name(about))
    if scene.is_reader(about):
        return sentence(
            "{name} asked the others to go on without you, because you do not answer. Any answer to"
            " a mail of this game ends that vote.",
            name=name,
        )
    return sentence("{name} asked to go on without {whom}.", name=name, whom=scene.name(about))


def _drop_proposed_headline(fact: Fact, scene: Scene) -> str:
    about = fact.data.get("of")
    if scene.is_reader(about):
        return sentence("Are you still there?")
    if scene.is_reader(fact.seat):
        return ""
    return sentence("Go on without {whom}?", whom=scene.name(about))


def _end_proposed(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence("You asked to end the game here.")
    return sentence("{name} asked to end the game here.", name=scene.name(fact.seat))


def _end_proposed_headline(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return ""
    return sentence("{name} asks to end the game here", name=scene.name(fact.seat))


def _tempo_proposed(fact: Fact, scene: Scene) -> str:
    time = in_words(number_of(fact, "seconds"))
    if scene.is_reader(fact.seat):
        return sentence("You asked for another pace: {time} for each move.", time=time)
    return sentence(
        "{name} asked for another pace: {time} for each move.",
        name=scene.name(fact.seat),
        time=time,
    )


def _tempo_proposed_headline(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return ""
    return sentence("{name} asks for another pace", name=scene.name(fact.seat))


def _tempo_changed(fact: Fact, _scene: Scene) -> str:
    return sentence(
        "From the next deadline on you have {time} for each move, instead of {was}.",
        time=in_words(number_of(fact, "seconds")),
        was=in_words(number_of(fact, "was")),
    )


def _tempo_changed_headline(fact: Fact, _scene: Scene) -> str:
    return sentence("From now on: {time} for each move", time=in_words(number_of(fact, "seconds")))


ROWS = {
    "voted": Row(_voted, _voted_headline),
    "motion_voted": Row(_motion_voted),
    "motion_ended": Row(_motion_ended, _motion_ended_headline),
    "undo_requested": Row(_undo_requested, _undo_requested_headline),
    "replacement_proposed": Row(_replacement_proposed, _replacement_proposed_headline),
    "replacement_offered": Row(_replacement_offered),
    "replacement_expired": Row(_replacement_expired),
    "replacement_declined": Row(_replacement_declined),
    "replacement_over": Row(_replacement_over),
    "observer_proposed": Row(_observer_proposed, _observer_proposed_headline),
    "observer_admitted": Row(_observer_admitted, _observer_admitted_headline),
    "observer_left": Row(_observer_left),
    "drop_proposed": Row(_drop_proposed, _drop_proposed_headline),
    "end_proposed": Row(_end_proposed, _end_proposed_headline),
    "tempo_proposed": Row(_tempo_proposed, _tempo_proposed_headline),
    "tempo_changed": Row(_tempo_changed, _tempo_changed_headline),
}
"""By the kind of the fact."""
