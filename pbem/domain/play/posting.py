"""Post messages, mute players, allow anonymous talk and object to a public page."""

from __future__ import annotations

from engine.api import JsonObject
from engine.sentences import sentence
from pbem.domain.log.events import (
    MUTE_SET,
    PRIVATE_MESSAGE,
    AnonymousTalkSet,
    MessagePosted,
    PageSet,
)
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import AT_TABLE, Game
from pbem.domain.terms.seats import is_person
from pbem.domain.words.talk import Said
from pbem.errors import Refusal

MIN_PLAYERS_FOR_ANONYMOUS = 3


def say(decision: Decision, seat: int, talk: Said) -> None:
    """Post a message of a seat. Raises: Refusal."""
    game = decision.existing()
    check_may_talk(game, seat)
    if talk.is_anonymous:
        _check_anonymous(decision, seat)
    gone = [other for other in talk.to if game.seats[other].status not in AT_TABLE]
    if gone:
        raise Refusal("talk", sentence("Somebody you named has left, so nothing was said."))
    player = game.seats[seat].player
    if not talk.to and not talk.is_anonymous:
        decision.emit(MessagePosted(seat, player, talk.text))
        return
    payload: JsonObject = {
        "seat": seat,
        "player": player,
        "to": [game.seats[other].player for other in talk.to],
        "is_anonymous": talk.is_anonymous,
        "text": talk.text,
    }
    decision.emit_hidden(PRIVATE_MESSAGE, payload)


def check_may_talk(game: Game, seat: int) -> None:
    """Reject messages from a player who has left the game. Raises: Refusal."""
    if game.seats[seat].status not in AT_TABLE:
        raise Refusal(
            "talk", sentence("You have left this game, so you say nothing at its table any more.")
        )


def _check_anonymous(decision: Decision, seat: int) -> None:
    """Reject an anonymous message if its author could be identified. Raises: Refusal.

    Anonymous messages are also rejected if they are disabled in the game.
    """
    game = decision.existing()
    if not game.anonymous_talk:
        raise Refusal(
            "talk", sentence("In this game nobody speaks without a name, so nothing was said.")
        )
    people = [seat for seat in game.seats if seat.status in AT_TABLE and is_person(seat.player)]
    if len(people) < MIN_PLAYERS_FOR_ANONYMOUS:
        raise Refusal(
            "talk",
            sentence("You are two at this table: everybody would know who wrote it."),
        )
    if game.seats[seat].is_unreachable:
        raise Refusal(
            "talk",
            sentence(
                "By this mail the others learn that mails reach you again, and at the same moment they"
                " could tell who wrote words without a name. Nothing was said; please send them once"
                " more."
            ),
        )
    if decision.events:
        raise Refusal(
            "talk",
            sentence(
                "Words without a name must be alone in their mail, or the others could tell by what"
                " else happened at that moment who wrote them. Nothing was said."
            ),
        )


def mute(decision: Decision, seat: int, player: str, *, is_muted: bool) -> bool:
    """Mute or unmute a player (or `anonymous`) for a seat. Raises: Refusal.

    Returns False if nothing changes.
    """
    game = decision.existing()
    check_may_talk(game, seat)
    if player == game.seats[seat].player:
        raise Refusal("talk", sentence("That is you; you would not miss your own words."))
    if (player in game.seats[seat].muted) is is_muted:
        return False
    payload: JsonObject = {"seat": seat, "player": player, "is_muted": is_muted}
    decision.emit_hidden(MUTE_SET, payload)
    return True


def allow_anonymous(decision: Decision, *, is_allowed: bool) -> None:
    """Allow or forbid anonymous messages and notify every player. Raises: Refusal."""
    game = decision.existing()
    if game.is_over:
        raise Refusal("over", "The game is over.")
    if game.anonymous_talk is not is_allowed:
        decision.emit(AnonymousTalkSet(is_allowed))


def set_page(decision: Decision, seat: int, *, is_allowed: bool) -> None:
    """Object to a public page of the game, or withdraw the objection. Raises: Refusal."""
    game = decision.existing()
    if game.is_over:
        raise Refusal("over", sentence("The game is over: its page stays as it is now."))
    check_may_talk(game, seat)
    if (seat in game.against_page) is is_allowed:
        decision.emit(PageSet(seat, is_allowed))
