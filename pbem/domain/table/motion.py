"""Base class of the motions in `motion_kinds`: subject, electorate and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from engine.api import JsonObject
from engine.sentences import Sentence, sentence
from pbem.domain.log.events import Event
from pbem.domain.log.motion_events import MotionEnded, MotionOpened
from pbem.domain.table.game import Game, OpenMotion, with_fact
from pbem.domain.terms.seats import is_person

if TYPE_CHECKING:
    from pbem.domain.table.decision import Decision

NOBODY = -1
"""Seat number of a proposer who does not play."""


class ByReader(NamedTuple):
    """Wordings of a fact about a motion for different readers.

    The templates may contain `{name}` (player of the fact's seat), `{whom}` (player of the seat
    that the motion is about), `{person}` (the player in its terms), `{what}` (the motion's noun),
    and the numbers in the fact's data by their names. `{time}` and `{was}` are the times per move.

    Attributes:
        others: for everyone else.
        own: for the fact's seat, if its wording differs.
        about: for the seat that the motion is about, if its wording differs.
    """

    others: Sentence
    own: Sentence | None = None
    about: Sentence | None = None


NOTHING = Sentence("")
_FOR = ByReader(sentence("{name} voted for {what}."), own=sentence("You voted for {what}."))
_AGAINST = ByReader(
    sentence("{name} voted against {what}."), own=sentence("You voted against {what}.")
)


class Texts(NamedTuple):
    """Texts of a motion.

    Attributes:
        german: German words for the motion in `ja …` and `nein …`.
        noun: name of the motion, for "You voted for …".
        put, title: text and title of the request. The title may be empty.
        carried, carried_title: text and title of a successful vote, unless another fact states it.
        voted_for, voted_against: texts about a player's vote.
        off: texts about a motion that ended without being carried, by the reason in `motion_ended`,
            if the default wording is not suitable.
        question: question to the voters, with the same placeholders as in `ByReader`.
        note: explains the next step to the proposer.
        open_already: refusal of a second motion of the kind while one is open.
        in_log: text of the request in a displayed log, with the terms as `{names}`.
        ends_in_log: text of the end in a displayed log, by `MotionEnded.why`.
    """

    german: tuple[str, ...] = ()
    noun: Sentence = NOTHING
    put: ByReader = ByReader(NOTHING)
    title: ByReader = ByReader(NOTHING)
    carried: ByReader = ByReader(NOTHING)
    carried_title: ByReader = ByReader(NOTHING)
    voted_for: ByReader = _FOR
    voted_against: ByReader = _AGAINST
    off: Mapping[str, ByReader] = {}
    question: tuple[Sentence, ...] = ()
    note: Sentence | None = None
    open_already: Sentence = sentence("That is being asked already; the others have yet to answer.")
    in_log: str = ""
    ends_in_log: Mapping[str, str] = {}


class Motion:
    """A kind of motion: electorate, effect and texts.

    A subclass overrides the defaults below. The terms of a motion are a row of `TERMS` in
    `pbem.domain.log.motion_events`.

    Attributes:
        name: name in the log, and in `yes undo`.
        must_be_unanimous: True if all voters must agree, otherwise a majority decides.
        on_recount: effect if it is carried only because a voter left. `wait` leaves it open and
            `refuse` ends it.
        is_ended_when_carried: True if `MotionEnded` carries it out, otherwise another event does.
        costs_time: True if the seats to act get their full time again when the motion fails.
    """

    name: ClassVar[str]
    texts: ClassVar[Texts]
    must_be_unanimous: ClassVar[bool] = False
    on_recount: ClassVar[Literal["carry", "wait", "refuse"]] = "carry"
    is_ended_when_carried: ClassVar[bool] = True
    costs_time: ClassVar[bool] = False

    # --- asking ---------------------------------------------------------------------------------------

    def objection(self, game: Game, motion: OpenMotion) -> str | None:
        """Return why a logged `MotionOpened` is invalid, or None if it is valid."""
        of = motion.terms.get("of")
        if isinstance(of, int) and (
            not 0 <= of < len(game.seats) or game.seats[of].status != "joined"
        ):
            return "there is no such seat"
        if motion.terms.get("player") in [seat.player for seat in game.seats]:
            return "that person knows the game already"
        return None

    def check(self, decision: Decision, motion: OpenMotion) -> None:
        """Check whether a motion can be proposed now. Raises: Refusal."""

    def check_yes(self, decision: Decision, motion: OpenMotion) -> None:
        """Check whether a motion could be carried out now. Raises: Refusal.

        Called before a motion is proposed or approved.
        """

    def opened(self, game: Game, motion: OpenMotion) -> Game:
        """Return the game after the motion was opened, including the vote of its proposer."""
        seat = None if motion.seat == NOBODY else motion.seat
        votes = {} if seat is None else {self.name: {seat: True}}
        data: JsonObject = {"motion": self.name, **self.put_data(game, motion)}
        game = without(game, self.name)
        game = replace(game, motions=(*game.motions, motion), votes={**game.votes, **votes})
        if self.is_granted(game):
            return game
        return with_fact(game, motion.version, "motion_opened", seat, data)

    def put_data(self, game: Game, motion: OpenMotion) -> JsonObject:
        """Return the data of the facts that report the motion's proposal and result."""
        return {**motion.terms}

    def texts_of(self, data: JsonObject) -> Texts:
        """Return the texts of a motion that was opened with this data."""
        return self.texts

    # --- votes ----------------------------------------------------------------------------------------

    def is_granted(self, game: Game) -> bool:
        """True if the motion is carried without a vote."""
        return False

    def needs_all(self, game: Game, motion: OpenMotion) -> bool:
        """True if all voters must agree. Otherwise a majority decides."""
        return self.must_be_unanimous

    def deciders(self, game: Game, motion: OpenMotion) -> list[int]:
        """Return the seats whose votes count, excluding the seat that the motion concerns."""
        return electorate(game, motion)

    # --- what follows ---------------------------------------------------------------------------------

    def carry(self, decision: Decision, motion: OpenMotion) -> Sequence[Event]:
        """Return the events that carry out a motion."""
        return [MotionEnded(self.name, None, "carried")]

    def fold(self, game: Game, motion: OpenMotion, version: int) -> Game:
        """Return the game after a `MotionEnded` event that carries out the motion."""
        data: JsonObject = {"motion": self.name, **self.put_data(game, motion)}
        return with_fact(game, version, "motion_carried", data=data)

    def notifies(self, event: MotionOpened | MotionEnded, seat: int) -> bool:
        """True if a seat that cannot vote is notified about an event immediately."""
        return False


def without(game: Game, name: str) -> Game:
    """Return a copy of the game without a motion and its votes."""
    return replace(
        game,
        motions=tuple(motion for motion in game.motions if motion.kind != name),
        votes={kind: given for kind, given in game.votes.items() if kind != name},
    )


def electorate(game: Game, motion: OpenMotion) -> list[int]:
    """Return the seats that may vote on a motion, excluding the seat that it concerns."""
    return [seat for seat in voters(game) if seat != motion.terms.get("of")]


def voters(game: Game) -> list[int]:
    """Return the seats played by people. Bots cannot vote."""
    return [
        number
        for number, seat in enumerate(game.seats)
        if seat.status == "joined" and seat.controller == "person"
    ]


def is_away(game: Game, seat: int) -> bool:
    """True if a seat is played by a bot, its player is unreachable, or it missed its last turn."""
    state = game.seats[seat]
    return state.controller == "bot" or state.is_unreachable or state.misses > 0


def people_away(game: Game) -> list[int]:
    """Return the seats of people that bots currently play."""
    return [
        number
        for number, seat in enumerate(game.seats)
        if seat.status == "joined" and seat.controller == "bot" and is_person(seat.player)
    ]
