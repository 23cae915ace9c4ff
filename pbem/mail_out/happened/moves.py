"""Sentences about moves that the service made, and about moves that were taken back."""

from __future__ import annotations

from typing import Any

from engine.api import Fact
from engine.sentences import joined, sentence
from pbem.mail_out.happened.scene import Row, Scene, admin_of, moves_of, reason_of


def _timed_out(fact: Fact, scene: Scene) -> str:
    move = scene.order(fact.data.get("move", ""))
    if scene.is_reader(fact.seat):
        return sentence('Your time ran out, so a safe move was made for you: "{move}".', move=move)
    return sentence(
        '{name} ran out of time, so a safe move was made: "{move}".',
        name=scene.name(fact.seat),
        move=move,
    )


def _timed_out_headline(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat) and scene.mail.kind == "timed_out":
        return sentence("You missed the deadline")
    return ""


def _miss_excused(fact: Fact, _scene: Scene) -> str:
    allowed: dict[str, Any] = {"of": fact.data.get("of", 0), "moves": fact.data.get("moves", 0)}
    if fact.data.get("left"):
        return sentence(
            "A missed turn of yours was excused: {of} in any {moves} cost nothing, and you have"
            " {left} left.",
            left=fact.data.get("left"),
            **allowed,
        )
    return sentence(
        "A missed turn of yours was excused: {of} in any {moves} cost nothing, and this was the"
        " last.",
        **allowed,
    )


def _forced(fact: Fact, scene: Scene) -> str:
    move = scene.order(fact.data.get("move", ""))
    if scene.is_reader(fact.seat):
        return sentence('You had only one legal move, so it was made at once: "{move}".', move=move)
    return sentence(
        '{name} had only one legal move, so it was made at once: "{move}".',
        name=scene.name(fact.seat),
        move=move,
    )


_BOT_REASONS = {
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
"""Why a bot chose its move, by the code in the fact."""


def _bot_moved(fact: Fact, scene: Scene) -> str:
    move, reason = scene.order(fact.data.get("move", "")), fact.data.get("why")
    if reason in _BOT_REASONS:
        return sentence(
            'The bot moved for you: "{move}" ({why}).', move=move, why=_BOT_REASONS[reason]
        )
    return sentence('The bot moved for you: "{move}".', move=move)


def _standing_move(fact: Fact, scene: Scene) -> str:
    move = scene.order(fact.data.get("move", ""))
    if fact.data.get("which") == "drawing":
        return sentence('Your rule for drawing did this: "{move}".', move=move)
    return sentence('Your standing order did this: "{move}".', move=move)


def _next_cleared(_fact: Fact, _scene: Scene) -> str:
    return sentence(
        "What you had ordered for your next turn is over, too: moves were taken back. If you still"
        ' want it, write "next:" once more.'
    )


def _moves_retracted(fact: Fact, _scene: Scene) -> str:
    first, last = moves_of(fact)
    if last > first:
        what = sentence(
            "The admin ({admin}) took back the moves {first} to {last}. The reason given: {reason}",
            admin=admin_of(fact),
            first=first,
            last=last,
            reason=reason_of(fact),
        )
    elif first == last:
        what = sentence(
            "The admin ({admin}) took back move {first}. The reason given: {reason}",
            admin=admin_of(fact),
            first=first,
            reason=reason_of(fact),
        )
    else:
        what = sentence(
            "The admin ({admin}) took back the secret choices. The reason given: {reason}",
            admin=admin_of(fact),
            reason=reason_of(fact),
        )
    after = sentence(
        "The table is as it was before. What somebody saw meanwhile cannot be unseen; lists of"
        " moves in older mails hold no more."
    )
    return joined([what, after])


def _moves_undone(fact: Fact, _scene: Scene) -> str:
    first, last = moves_of(fact)
    if first < last:
        return sentence(
            "All who play agreed: the moves {first} to {last} were taken back, and the table is as"
            " it was before.",
            first=first,
            last=last,
        )
    return sentence(
        "All who play agreed: move {first} was taken back, and the table is as it was before.",
        first=first,
    )


def _went_back(fact: Fact, _scene: Scene) -> str:
    first, last = moves_of(fact)
    if first < last:
        return sentence(
            "The moves {first} to {last} were taken back, and the table is as it was before.",
            first=first,
            last=last,
        )
    return sentence("Move {first} was taken back, and the table is as it was before.", first=first)


def _moves_undone_headline(fact: Fact, _scene: Scene) -> str:
    first, last = moves_of(fact)
    if first < last:
        return sentence("Moves {first} to {last} were taken back", first=first, last=last)
    if first == last:
        return sentence("Move {first} was taken back", first=first)
    return sentence("The secret choices were taken back")


ROWS = {
    "timed_out": Row(_timed_out, _timed_out_headline),
    "miss_excused": Row(_miss_excused),
    "forced": Row(_forced),
    "bot_moved": Row(_bot_moved),
    "standing_move": Row(_standing_move),
    "next_cleared": Row(_next_cleared),
    "moves_retracted": Row(_moves_retracted, _moves_undone_headline),
    "moves_undone": Row(_moves_undone, _moves_undone_headline),
    "went_back": Row(_went_back, _moves_undone_headline),
}
"""By the kind of the fact."""
