"""The base class of the motions in `motion_kinds`: what a motion is about, who decides, its texts."""

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
"""The seat of a person who asks and does not play."""


class ByReader(NamedTuple):
    """The words of a fact about a motion, for each of its readers.

    The templates may contain `{name}` (of the seat of the fact), `{whom}` (of the seat that the motion
    is about), `{person}` (the player in its terms), `{what}` (the noun of the motion), and the numbers
    in the data of the fact by their names; `{time}` and `{was}` are the times per move.

    Attributes:
        others: for everybody else.
        own: for the seat of the fact, if it reads something else.
        about: for the seat that the motion is about, if it reads something else.
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
    """The texts of a motion.

    Attributes:
        german: words for it in `ja …` and `nein …`.
        noun: what it is about, for "You voted for …".
        put, title: what was asked; the title may be empty.
        carried, carried_title: what the vote decided, unless another fact says that.
        voted_for, voted_against: how a player voted.
        off: how it ended without being carried, by the reason in `motion_ended`, where the usual
            words do not fit.
        question: what the voters are asked, with the same names in braces as in `ByReader`.
        note: tells the asker what happens next.
        open_already: refuses a second motion of the kind while one is open.
        in_log: what was asked, for readers of a log, with the terms as `{names}`.
        ends_in_log: how it ended, by `MotionEnded.why`.
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
    open_already: Sentence = sentence("That is asked already; all others are to answer.")
    in_log: str = ""
    ends_in_log: Mapping[str, str] = {}


class Motion:
    """A motion: its electorate, its outcome and its texts.

    A subclass sets what differs from the defaults below. The terms of a motion are a row of `TERMS`
    in `pbem.domain.log.motion_events`.

    Attributes:
        name: the word in the log, and in `yes undo`.
        must_be_unanimous: all voters must agree; otherwise more than half decide.
        on_recount: what happens if it is carried only because a voter left. `wait` leaves it open
            and `refuse` ends it.
        is_ended_when_carried: `MotionEnded` carries it out; another event carries out the rest.
        costs_time: if a vote does not carry it, the seats to act get their time anew.
    """

    name: ClassVar[str]
    texts: ClassVar[Texts]
    must_be_unanimous: ClassVar[bool] = False
    on_recount: ClassVar[Literal["carry", "wait", "refuse"]] = "carry"
    is_ended_when_carried: ClassVar[bool] = True
    costs_time: ClassVar[bool] = False

    # --- asking ---------------------------------------------------------------------------------------

    def objection(self, game: Game, motion: OpenMotion) -> str | None:
        """Return why a `MotionOpened` in a log is invalid, or return None if it can."""
        of = motion.terms.get("of")
        if isinstance(of, int) and (
            not 0 <= of < len(game.seats) or game.seats[of].status != "joined"
        ):
            return "there is no such seat"
        if motion.terms.get("player") in [seat.player for seat in game.seats]:
            return "that person knows the game already"
        return None

    def check(self, decision: Decision, motion: OpenMotion) -> None:
        """Refuse a motion that cannot be put now. Raises: Refusal."""

    def check_yes(self, decision: Decision, motion: OpenMotion) -> None:
        """Refuse to ask or vote for what cannot be carried out now. Raises: Refusal."""

    def opened(self, game: Game, motion: OpenMotion) -> Game:
        """Return the game in which the motion is open and its asker is for it."""
        seat = None if motion.seat == NOBODY else motion.seat
        votes = {} if seat is None else {self.name: {seat: True}}
        data: JsonObject = {"motion": self.name, **self.put_data(game, motion)}
        game = without(game, self.name)
        game = replace(game, motions=(*game.motions, motion), votes={**game.votes, **votes})
        if self.is_granted(game):
            return game
        return with_fact(game, motion.version, "motion_opened", seat, data)

    def put_data(self, game: Game, motion: OpenMotion) -> JsonObject:
        """Return the data of the facts that the motion was put or carried."""
        return {**motion.terms}

    def texts_of(self, data: JsonObject) -> Texts:
        """Return the texts that fit the data of the fact that the motion was put."""
        return self.texts

    # --- votes ----------------------------------------------------------------------------------------

    def is_granted(self, game: Game) -> bool:
        """True if the motion is carried without a vote."""
        return False

    def needs_all(self, game: Game, motion: OpenMotion) -> bool:
        """True if all voters must agree; otherwise more than half decide."""
        return self.must_be_unanimous

    def deciders(self, game: Game, motion: OpenMotion) -> list[int]:
        """Return the seats whose votes decide; the seat that a motion is `of` has none."""
        return electorate(game, motion)

    # --- what follows ---------------------------------------------------------------------------------

    def carry(self, decision: Decision, motion: OpenMotion) -> Sequence[Event]:
        """Return the events that carry out the motion."""
        return [MotionEnded(self.name, None, "carried")]

    def fold(self, game: Game, motion: OpenMotion, version: int) -> Game:
        """Return the game after the `MotionEnded` that carries out the motion."""
        data: JsonObject = {"motion": self.name, **self.put_data(game, motion)}
        return with_fact(game, version, "motion_carried", data=data)

    def notifies(self, event: MotionOpened | MotionEnded, seat: int) -> bool:
        """True if a seat that is not asked to vote gets a mail about an event at once."""
        return False


def without(game: Game, name: str) -> Game:
    """Return the game without a motion and its votes."""
    return replace(
        game,
        motions=tuple(motion for motion in game.motions if motion.kind != name),
        votes={kind: given for kind, given in game.votes.items() if kind != name},
    )


def electorate(game: Game, motion: OpenMotion) -> list[int]:
    """Return the seats that vote on a motion; the seat that it is `of` does not."""
    return [seat for seat in voters(game) if seat != motion.terms.get("of")]


def voters(game: Game) -> list[int]:
    """Return the seats of people who play; bots have no vote."""
    return [
        number
        for number, seat in enumerate(game.seats)
        if seat.status == "joined" and seat.controller == "person"
    ]


def is_away(game: Game, seat: int) -> bool:
    """True if a bot plays for a seat, its mails come back, or it missed a turn."""
    state = game.seats[seat]
    return state.controller == "bot" or state.is_unreachable or state.misses > 0


def people_away(game: Game) -> list[int]:
    """Return the seats of people for whom a bot sits in."""
    return [
        number
        for number, seat in enumerate(game.seats)
        if seat.status == "joined" and seat.controller == "bot" and is_person(seat.player)
    ]
