"""The types of motions, one class each. To add a motion, add a class and a row in `MOTIONS`.

`pbem.service.votes.motion_orders` contains the parts that only the service can do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from engine.api import JsonObject
from engine.sentences import sentence
from pbem.domain.log.chain import format_time, parse_time
from pbem.domain.log.events import Event, MovesRetracted
from pbem.domain.log.motion_events import MotionEnded, MotionOpened
from pbem.domain.log.seat_events import SeatRemoved
from pbem.domain.table import card_folds, retraction
from pbem.domain.table.game import Game, OpenMotion, OpenOffer, with_fact
from pbem.domain.table.motion import (
    NOTHING,
    ByReader,
    Motion,
    Texts,
    is_away,
    people_away,
    voters,
    without,
)
from pbem.domain.table.punctuality import missed_in_a_row
from pbem.domain.terms.seats import is_person
from pbem.domain.terms.timing import CHALLENGE, LONGEST_TIME, Timing, problems
from pbem.durations import duration_words
from pbem.errors import Refusal

if TYPE_CHECKING:
    from pbem.domain.table.decision import Decision

_CHOOSING = sentence("All are choosing just now. Ask again once the choices are turned up.")

# --- the clock ------------------------------------------------------------------------------------


class Pause(Motion):
    """Pause the clock. The first vote opens it. `pbem.domain.clock.clockwork` counts the votes."""

    name = "pause"
    texts = Texts(
        german=("pause",),
        title=ByReader(sentence("{name} asks for a pause"), own=NOTHING),
        voted_for=ByReader(
            sentence("{name} is for a pause."), own=sentence("You are for a pause.")
        ),
        voted_against=ByReader(
            sentence("{name} is against a pause."), own=sentence("You are against a pause.")
        ),
    )


class Resume(Motion):
    """Resume the clock. Opened and counted like `Pause`."""

    name = "resume"
    texts = Texts(
        german=("fortsetzen",),
        title=ByReader(sentence("{name} asks to go on"), own=NOTHING),
        voted_for=ByReader(
            sentence("{name} is for ending the pause."),
            own=sentence("You are for ending the pause."),
        ),
        voted_against=ByReader(
            sentence("{name} is against ending the pause."),
            own=sentence("You are against ending the pause."),
        ),
    )


# --- taking moves back ----------------------------------------------------------------------------


def check_undo(game: Game) -> None:
    """Check that moves can be taken back now. Raises: Refusal."""
    if game.is_choosing:
        raise Refusal(
            "undo",
            sentence("A secret choice needs no undo: until the last one is in, send another one."),
            rule="GEN-6",
        )
    is_open = any(motion.kind == "undo" for motion in game.motions)
    if game.undo_asked == game.position and not is_open:
        raise Refusal(
            "undo", sentence("That was asked already since the last move, and not granted.")
        )


class Undo(Motion):
    """Take moves back, to the state after event `back_to`."""

    name = "undo"
    must_be_unanimous = True
    on_recount = "wait"
    is_ended_when_carried = False
    costs_time = True
    texts = Texts(
        german=("zurücknehmen", "rückgängig"),
        noun=sentence("taking moves back"),
        put=ByReader(
            sentence("{name} asked to take back the moves {first} to {last}."),
            own=sentence("You asked the others to take back the moves {first} to {last}."),
        ),
        title=ByReader(
            sentence("{name} asks to take back moves {first} to {last}"),
            own=sentence("You asked to take moves back"),
        ),
        off={
            "moved": ByReader(
                sentence("The request to take moves back is off, because the game went on.")
            )
        },
        note=sentence("A no, or the next move of somebody, ends the question."),
        in_log="{who} asked the others to go back to event {back_to}.",
    )
    texts_of_one_move = texts._replace(
        put=ByReader(
            sentence("{name} asked to take back move {first}."),
            own=sentence("You asked the others to take back move {first}."),
        ),
        title=ByReader(
            sentence("{name} asks to take back move {first}"),
            own=sentence("You asked to take moves back"),
        ),
    )

    def objection(self, game: Game, motion: OpenMotion) -> str | None:
        if game.is_choosing:
            return "seats choose secretly just now"
        if motion.number("back_to") < game.position:
            return None
        return "no move was made since then"

    def check(self, decision: Decision, motion: OpenMotion) -> None:
        check_undo(decision.existing())
        past = decision.past[motion.number("back_to")]
        why_not = retraction.why_not(decision.existing(), past)
        if why_not is not None:
            raise Refusal(
                "undo", sentence("The game cannot go back there: {why_not}.", why_not=why_not)
            )

    def opened(self, game: Game, motion: OpenMotion) -> Game:
        return replace(super().opened(game, motion), undo_asked=game.position)

    def put_data(self, game: Game, motion: OpenMotion) -> JsonObject:
        first, last = motion.number("ply") + 1, game.ruleset.ply(game.state)
        return {"back_to": motion.number("back_to"), "first": first, "last": last}

    def texts_of(self, data: JsonObject) -> Texts:
        is_one = data.get("first") == data.get("last")
        return self.texts_of_one_move if is_one else self.texts

    def carry(self, decision: Decision, motion: OpenMotion) -> Sequence[Event]:
        past = decision.past[motion.number("back_to")]
        return [MovesRetracted(past.version, past.ruleset.ply(past.state), "")]


# --- ending the game ------------------------------------------------------------------------------


class End(Motion):
    """End the game now by its stopping score."""

    name = "end"
    must_be_unanimous = True
    on_recount = "refuse"
    texts = Texts(
        german=("ende",),
        noun=sentence("ending the game"),
        put=ByReader(
            sentence("{name} asked to end the game here."),
            own=sentence("You asked to end the game here."),
        ),
        title=ByReader(sentence("{name} asks to end the game here"), own=NOTHING),
        question=(
            sentence("{name} asks to end the game here."),
            sentence("It would be scored as it stands, and all hidden cards would be turned up."),
        ),
        note=sentence("Until then the game goes on."),
        in_log="{who} asked the others to end the game here.",
        ends_in_log={
            "carried": "All who play agreed to end the game here.",
            "league": "The round of the league is over, and with it the game.",
        },
    )

    def check_yes(self, decision: Decision, motion: OpenMotion) -> None:
        if decision.existing().is_choosing:
            raise Refusal("end", _CHOOSING, rule="GEN-6")

    def fold(self, game: Game, motion: OpenMotion, version: int) -> Game:
        return card_folds.stepped(game, game.ruleset.stop(game.state), version)


# --- going on without somebody --------------------------------------------------------------------


class Drop(Motion):
    """Continue without the player of the seat `of`, who missed too many consecutive turns."""

    name = "drop"
    on_recount = "refuse"
    texts = Texts(
        german=("ausschluss",),
        open_already=sentence("That is asked about a seat already; answer that first."),
        noun=sentence("going on without somebody"),
        put=ByReader(
            sentence("{name} asked to go on without {whom}."),
            own=sentence("You asked to go on without {whom}."),
            about=sentence(
                "{name} asked the others to go on without you, because you do not answer. Any answer to"
                " a mail of this game ends that vote."
            ),
        ),
        title=ByReader(
            sentence("Go on without {whom}?"), own=NOTHING, about=sentence("Are you still there?")
        ),
        off=dict.fromkeys(
            ("back", "moved"),
            ByReader(
                sentence("The vote to go on without {whom} is off."),
                about=sentence("The vote about your seat is off, and you play on."),
            ),
        ),
        question=(
            sentence("{name} asks to go on without {whom}, who does not answer."),
            sentence("{whom} would be out of the game, as after a resignation."),
        ),
        note=sentence("A mail of theirs ends the vote."),
        in_log="{who} asked the others to go on without seat {of}.",
        ends_in_log={"carried": "The others agreed to go on without a player who is gone."},
    )

    def objection(self, game: Game, motion: OpenMotion) -> str | None:
        is_own = motion.number("of") == motion.seat
        return super().objection(game, motion) or (
            "nobody votes about the own seat" if is_own else None
        )

    def check(self, decision: Decision, motion: OpenMotion) -> None:
        if motion.number("of") == motion.seat:
            raise Refusal("drop", sentence("To leave the game yourself, write resign confirm."))

    def check_yes(self, decision: Decision, motion: OpenMotion) -> None:
        """Reject the removal of a player who has missed too few consecutive turns. Raises: Refusal."""
        game, of = decision.existing(), motion.number("of")
        if game.seats[of].status != "joined":
            raise Refusal("drop", sentence("That seat has left the game already."), rule="GEN-7")
        if not game.timing.drop:
            raise Refusal("drop", sentence("In this game nobody can be voted out."))
        if not is_person(game.seats[of].player):
            raise Refusal(
                "drop", sentence("A bot plays there from the start, so nobody is missing.")
            )
        if game.paused_at is not None:
            raise Refusal("drop", sentence("The clock of this game is stopped, so nobody is late."))
        if game.is_choosing:
            raise Refusal("drop", _CHOOSING, rule="GEN-6")
        if missed_in_a_row(game, of, decision.now, decision.zones) < game.timing.drop:
            raise refuse_as_present(game)

    def carry(self, decision: Decision, motion: OpenMotion) -> Sequence[Event]:
        leaving = SeatRemoved(motion.number("of"), "dropped")
        return [*super().carry(decision, motion), leaving]

    def fold(self, game: Game, motion: OpenMotion, version: int) -> Game:
        return with_fact(game, version, "seat_dropped", motion.number("of"))

    def notifies(self, event: MotionOpened | MotionEnded, seat: int) -> bool:
        return isinstance(event, MotionOpened) and event.terms["of"] == seat


def refuse_as_present(game: Game) -> Refusal:
    """Create the refusal to remove a player who is slow but not absent."""
    return Refusal(
        "drop",
        sentence(
            "Nobody is removed for being slow. It takes at least {count} missed turns in a row, "
            "and no mail since.",
            count=game.timing.drop,
        ),
    )


# --- the pace -------------------------------------------------------------------------------------


class Tempo(Motion):
    """Change `time_per_move` (seconds)."""

    name = "tempo"
    texts = Texts(
        german=("tempo",),
        open_already=sentence("Another pace is voted on already; answer that first."),
        noun=sentence("another pace"),
        put=ByReader(
            sentence("{name} asked for another pace: {time} for each move."),
            own=sentence("You asked for another pace: {time} for each move."),
        ),
        title=ByReader(sentence("{name} asks for another pace"), own=NOTHING),
        carried=ByReader(
            sentence("From the next deadline on you have {time} for each move, instead of {was}.")
        ),
        carried_title=ByReader(sentence("From now on: {time} for each move")),
        question=(
            sentence(
                "{name} asks for another pace: {time} for each move, from the next deadline on."
            ),
        ),
        in_log="{who} asked for another pace: {time_per_move} per move.",
        ends_in_log={"carried": "The new pace holds from the next deadline on."},
    )

    def timing(self, game: Game, motion: OpenMotion) -> Timing:
        """Return the game's timing after the motion is carried."""
        seconds = motion.number("time_per_move")
        return replace(game.timing, time_per_move=seconds, fast=0, fast_until=0)

    def objection(self, game: Game, motion: OpenMotion) -> str | None:
        return next(iter(problems(self.timing(game, motion))), None)

    def check(self, decision: Decision, motion: OpenMotion) -> None:
        game, seconds = decision.existing(), motion.number("time_per_move")
        if seconds == game.time_per_move and not game.timing.is_fast(decision.now):
            raise Refusal("tempo", sentence("That is the time for a move already."))
        longest = CHALLENGE["time_per_move"] if game.is_challenge else LONGEST_TIME
        if seconds > longest or self.objection(game, motion) is not None:
            longest_words = duration_words(longest)
            raise Refusal(
                "tempo", sentence("There can be at most {most} for a move.", most=longest_words)
            )

    def put_data(self, game: Game, motion: OpenMotion) -> JsonObject:
        return {**motion.terms, "was": game.time_per_move}

    def needs_all(self, game: Game, motion: OpenMotion) -> bool:
        return motion.number("time_per_move") < game.time_per_move

    def deciders(self, game: Game, motion: OpenMotion) -> list[int]:
        """Return the voters. For a shorter time per move, people who are away are included.

        A motion for a shorter time therefore stays open until they return.
        """
        away = people_away(game) if self.needs_all(game, motion) else []
        return sorted([*super().deciders(game, motion), *away])

    def fold(self, game: Game, motion: OpenMotion, version: int) -> Game:
        return replace(super().fold(game, motion, version), timing=self.timing(game, motion))

    def notifies(self, event: MotionOpened | MotionEnded, seat: int) -> bool:
        return isinstance(event, MotionEnded) and event.why == "carried"


class Fast(Tempo):
    """Change the time per move to `time_per_move` until `expires_at`."""

    name = "fast"
    texts = Texts(
        german=("schnell",),
        open_already=sentence("A fast evening is voted on already; answer that first."),
        noun=sentence("a fast evening"),
        put=ByReader(
            sentence("{name} asked for a fast evening: {time} for each move until {until}."),
            own=sentence("You asked for a fast evening: {time} for each move until {until}."),
        ),
        title=ByReader(sentence("{name} asks for a fast evening"), own=NOTHING),
        carried=ByReader(
            sentence(
                "The move that is due now keeps its deadline. After it you have {time} for each move, until"
                " {until}. Until then moves are not confirmed, and reminders come only as pings. Then it is"
                " {was} again."
            )
        ),
        carried_title=ByReader(sentence("A fast evening: {time} for each move")),
        question=(
            sentence(
                "{name} asks for a fast evening: {time} for each move until {until}. If you miss it, a"
                " safe move is played for you. Say no if you cannot look at your mails for so long."
            ),
        ),
        in_log="{who} asked for a fast evening: {time_per_move} per move until {expires_at}.",
        ends_in_log={"carried": "The fast pace holds from the next deadline on."},
    )

    def timing(self, game: Game, motion: OpenMotion) -> Timing:
        until = int(parse_time(str(motion.terms["expires_at"])).timestamp())
        return replace(game.timing, fast=motion.number("time_per_move"), fast_until=until)

    def check(self, decision: Decision, motion: OpenMotion) -> None:
        if decision.existing().timing.is_fast(decision.now):
            raise Refusal("fast", sentence("It is a fast evening already."))


# --- people who have no seat ----------------------------------------------------------------------

OPEN_FOR = timedelta(days=7)
"""How long a person has to accept an offered seat."""


class Observer(Motion):
    """Let a `player` without a seat watch the game."""

    name = "observer"
    texts = Texts(
        open_already=sentence("The players are asked about that already."),
        noun=sentence("an observer"),
        put=ByReader(sentence("{person} asked to watch the game.")),
        title=ByReader(sentence("May {person} watch the game?")),
        carried=ByReader(
            sentence(
                "{person} watches the game from now on, and sees what everybody may know but no hand."
            )
        ),
        carried_title=ByReader(sentence("{person} watches from now on")),
        off={"refused": ByReader(sentence("The players did not agree to let somebody watch."))},
        question=(
            sentence("{person} asks to watch this game."),
            sentence("An observer sees the open cards and what everybody may know, but no hands."),
        ),
        in_log="The player {player} asked to watch.",
        ends_in_log={"carried": "The player who asked to watch does so from here."},
    )

    def objection(self, game: Game, motion: OpenMotion) -> str | None:
        if motion.terms["player"] in game.observers:
            return "that person knows the game already"
        return super().objection(game, motion)

    def check(self, decision: Decision, motion: OpenMotion) -> None:
        game, player = decision.existing(), str(motion.terms["player"])
        if player in game.observers:
            raise Refusal("observer", sentence("You are watching already."))
        if game.seats_of(player):
            raise Refusal("observer", sentence("You have a seat in this game."))
        if game.timing.observers == "off":
            raise Refusal("observer", sentence("Nobody may watch this game."))

    def is_granted(self, game: Game) -> bool:
        return game.timing.observers != "ask" or not voters(game)

    def fold(self, game: Game, motion: OpenMotion, version: int) -> Game:
        player = str(motion.terms["player"])
        game = replace(game, observers=(*game.observers, player))
        return super().fold(game, motion, version)


class Replace(Motion):
    """Let a `player` take over the seat `of`, whose player has no vote."""

    name = "replace"
    is_ended_when_carried = False
    texts = Texts(
        open_already=sentence("That is voted on for a seat already; answer that first."),
        noun=sentence("somebody who takes over a seat"),
        put=ByReader(
            sentence("{name} asked that {person} takes over the seat of {whom}."),
            own=sentence("You asked that {person} takes over the seat of {whom}."),
        ),
        title=ByReader(sentence("Who plays on for {whom}?")),
        off=dict.fromkeys(
            ("back", "moved"),
            ByReader(
                sentence("Nobody is asked to take over the seat of {whom} any more."),
                about=sentence("Nobody is asked to take over your seat any more."),
            ),
        ),
        question=(
            sentence("{name} asks that {person} takes over the seat of {whom}, cards and all."),
        ),
        in_log="{who} asked that the player {player} takes over seat {of}.",
    )

    def check(self, decision: Decision, motion: OpenMotion) -> None:
        game, of = decision.existing(), motion.number("of")
        _check_free(decision, of, motion.terms["player"])
        if of != motion.seat and not is_away(game, of):
            raise Refusal(
                "replace",
                sentence(
                    "The player of that seat is not away: only they, or an admin, can hand it over."
                ),
            )

    def carry(self, decision: Decision, motion: OpenMotion) -> Sequence[Event]:
        return [offer_of(decision, motion.number("of"), str(motion.terms["player"]))]


def offer_of(decision: Decision, seat: int, player: str) -> MotionOpened:
    """Create the event that offers a seat to a person. Raises: Refusal."""
    _check_free(decision, seat, player)
    until = format_time(decision.now + OPEN_FOR)
    return MotionOpened("offer", seat, {"player": player, "expires_at": until})


def _check_free(decision: Decision, seat: int, player: object) -> None:
    """Reject a seat that cannot be offered, or a person who has a seat. Raises: Refusal."""
    game = decision.existing()
    if game.seats[seat].status != "joined":
        raise Refusal("replace", sentence("That seat has left the game."), rule="GEN-7")
    if any(state.player == player for state in game.seats):
        raise Refusal("replace", sentence("That person has a seat in the game already."))
    if any(offer.seat == seat and decision.now < offer.expires_at for offer in game.offers):
        raise Refusal("replace", sentence("Somebody is asked for that seat already."))


class Offer(Motion):
    """Offer a seat to one `player` until `expires_at`. On acceptance `SeatReplaced` follows."""

    name = "offer"
    texts = Texts(
        in_log="The player {player} was asked to take over the seat of {who}.",
        ends_in_log={
            "declined": "The player who was asked does not take over the seat of {who}.",
            "expired": "The player who was asked about the seat of {who} did not answer in time.",
            "back": "The seat of {who} is not offered any more.",
        },
    )

    def opened(self, game: Game, motion: OpenMotion) -> Game:
        """Offer a seat to a person and close the vote on replacing its player."""
        is_own = any(
            asked.kind == "replace" and asked.seat == asked.terms["of"] == motion.seat
            for asked in game.motions
        )
        player, until = str(motion.terms["player"]), parse_time(str(motion.terms["expires_at"]))
        while_away = is_away(game, motion.seat) and not is_own
        offer = OpenOffer(motion.seat, player, until, motion.version, while_away)
        offers = (*(other for other in game.offers if other.seat != motion.seat), offer)
        game = replace(without(game, "replace"), offers=offers)
        data: JsonObject = {"player": player}
        return with_fact(game, motion.version, "replacement_offered", motion.seat, data)

    def notifies(self, event: MotionOpened | MotionEnded, seat: int) -> bool:
        return True


MOTIONS: Final[Mapping[str, Motion]] = {
    motion.name: motion()
    for motion in (Pause, Resume, Undo, End, Drop, Tempo, Fast, Observer, Replace, Offer)
}
"""All kinds of motions by their name in the log."""
GERMAN_MOTIONS: Final[Mapping[str, str]] = {
    german: motion.name for motion in MOTIONS.values() for german in motion.texts.german
}
"""Names of motions by their German words."""
