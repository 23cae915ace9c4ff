"""Orders about joint decisions: `undo`, `end game`, `drop player bob`, `tempo 2d`, `pause`, votes."""

from __future__ import annotations

from datetime import timedelta

from engine.api import JsonObject
from engine.sentences import Sentence, joined, plural, sentence
from pbem.domain.log.chain import format_time
from pbem.domain.log.clock_events import GamePaused, GameResumed
from pbem.domain.log.motion_events import CLOCK, MotionOpened, VoteCast
from pbem.domain.play import decide, voting
from pbem.domain.table import motions
from pbem.domain.table.decision import Decision, running
from pbem.domain.table.game import Game
from pbem.domain.table.motion import voters
from pbem.domain.table.motion_kinds import MOTIONS, check_undo, refuse_as_present
from pbem.domain.terms.timing import FAST, evening_end
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.service_words import Word
from pbem.durations import parse_duration
from pbem.errors import Refusal
from pbem.service.core import games
from pbem.service.core.mail_context import SeatContext
from pbem.service.notify import questions
from pbem.service.notify.mailings import clock_vote
from pbem.service.votes import offers
from pbem.store.db.uow import UnitOfWork

_ALL_ASKED = sentence("All others who play are asked; it is done once all have agreed.")


def ask(progress: SeatContext, line: OrderLine) -> None:
    """Open the motion of an order word. Raises: Refusal."""
    name, terms_of = ASKED[line.word or Word.UNDO]
    terms = terms_of(progress, line)
    uow = progress.mail_context.uow
    progress.notes.extend(_ask(uow, progress.decision, progress.seat, name, terms))


def _ask(
    uow: UnitOfWork, decision: Decision, seat: int, name: str, terms: JsonObject
) -> list[Sentence]:
    """Open a motion and return notes for its proposer. Raises: Refusal."""
    _check_changes(uow, decision, seat, name)
    if voting.ask(decision, name, seat, terms):
        return []
    kind = MOTIONS[name]
    state = _ALL_ASKED if kind.must_be_unanimous else _standing(decision.existing(), name)
    return [state if kind.texts.note is None else joined([state, kind.texts.note])]


def end(progress: SeatContext, _: OrderLine) -> None:
    """Ask the others to end the game in its current state. Raises: Refusal."""
    if not progress.mail_context.is_strong:
        _put_off_end(progress, None)
        return
    uow = progress.mail_context.uow
    progress.notes.extend(end_confirmed(uow, progress.decision, progress.seat, None))


def _undo_terms(progress: SeatContext, line: OrderLine) -> JsonObject:
    """Return the terms for an undo of the player's last move, or of the named ply.

    Raises: Refusal.
    """
    uow, game = progress.mail_context.uow, progress.game
    recorded = uow.events.recorded(game.id)
    check_undo(running(game))
    if recorded[-1].version < game.position:
        raise Refusal("undo", sentence("Please ask for that in a mail of its own."))
    ply = None if line.argument is None else int(line.argument)
    back_to = voting.place_before(recorded, game, progress.seat, ply)
    if back_to is None:
        raise Refusal("undo", sentence("There is no such move that could be taken back."))
    past = _load_past(progress, back_to)
    return {"back_to": back_to, "ply": past.ruleset.ply(past.state)}


def _load_past(progress: SeatContext, back_to: int) -> Game:
    """Load the game to which the table would return, and add it to the decision."""
    past = games.load(progress.mail_context.uow, progress.game.id, up_to=back_to)
    progress.decision.past[past.version] = past
    return past


def _drop_terms(progress: SeatContext, line: OrderLine) -> JsonObject:
    """Return the terms of a motion to drop a player. Raises: Refusal."""
    of = offers.seat_called(progress, line.argument or "")
    if of is None:
        raise Refusal(
            "drop",
            sentence("Please say who is gone, by the name in your mails."),
            suggestions=tuple(
                f"drop player {name}" for n, name in enumerate(progress.names) if n != progress.seat
            ),
        )
    _check_unheard(progress, of)
    return {"of": of}


def _check_unheard(progress: SeatContext, of: int) -> None:
    """Refuse if a message from that seat arrived during the required number of turns.

    Unhandled messages count as well.

    Raises: Refusal.
    """
    game, mail_context = progress.game, progress.mail_context
    since = progress.decision.now - game.timing.drop * timedelta(seconds=game.time_per_move)
    if mail_context.uow.inbox.has_from_seat(game.id, of, since):
        raise refuse_as_present(game)


def _tempo_terms(_: SeatContext, line: OrderLine) -> JsonObject:
    """Parse the time per move. Raises: Refusal."""
    try:
        return {"time_per_move": int(parse_duration(line.argument).total_seconds())}
    except ValueError:
        raise Refusal(
            "tempo",
            sentence("Please say how much time there shall be for a move."),
            suggestions=(sentence("tempo 2d"),),
        ) from None


def _fast_terms(progress: SeatContext, line: OrderLine) -> JsonObject:
    """Return the time per move in a fast evening, and its end. Raises: Refusal."""
    now = progress.decision.now
    until = evening_end(line.argument, now, progress.mail_context.player.zone)
    return {"time_per_move": FAST, "expires_at": format_time(until)}


ASKED = {
    Word.UNDO: ("undo", _undo_terms),
    Word.DROP: ("drop", _drop_terms),
    Word.TEMPO: ("tempo", _tempo_terms),
    Word.FAST: ("fast", _fast_terms),
}
"""Order words with the motion's name and a function that parses its terms or raises Refusal."""


def pause_or_resume(progress: SeatContext, line: OrderLine) -> None:
    """Vote to pause or resume the clock. Raises: Refusal."""
    _vote(progress, "pause" if line.word is Word.PAUSE else "resume", is_for=True)


def answer(progress: SeatContext, line: OrderLine) -> None:
    """Vote on the question in the answered message. Raises: Refusal."""
    kind = line.argument or _motion_answered(progress, line)
    motion = motions.open_motion(progress.game, kind)
    asked_at = 0 if motion is None else motion.version
    if line.argument is None and kind in CLOCK:  # a named vote needs no question
        asked_at = _clock_asked_at(progress, kind)
    if progress.token.listing < asked_at:
        raise Refusal(
            "stale",
            sentence(
                "Your mail answers one that was sent before that was asked. Please read it below,"
                " and answer again."
            ),
        )
    is_yes = line.word is Word.YES
    if kind == "end" and motion is not None and is_yes and not progress.mail_context.is_strong:
        _put_off_end(progress, motion.version)
        return
    if kind == "undo" and motion is not None:
        _load_past(progress, motion.number("back_to"))
    if kind == "drop" and motion is not None and is_yes:
        _check_unheard(progress, motion.number("of"))
    _vote(progress, kind, is_for=is_yes)


def _clock_asked_at(progress: SeatContext, kind: str) -> int:
    """Return the version of the first vote of the pending question on pausing or resuming, or 0."""
    given: dict[int, bool] = {}
    asked_at = 0
    for item in progress.mail_context.uow.events.recorded(progress.game.id):
        event = item.event
        if isinstance(event, GamePaused | GameResumed):
            given = {}
        if isinstance(event, VoteCast) and event.motion == kind:
            asked_at = asked_at if any(given.values()) else item.version
            given[event.seat] = event.is_for
    return asked_at


def _motion_answered(progress: SeatContext, line: OrderLine) -> str:
    """Return the motion that a plain `yes` or `no` is about. Raises: Refusal."""
    game, seat = progress.game, progress.seat
    about_clock = clock_vote(game)
    kinds = [kind for kind in (about_clock,) if kind] + [motion.kind for motion in game.motions]
    if len(kinds) > 1:  # motions that the seat has voted on are less likely meant
        kinds = [kind for kind in kinds if seat not in game.votes.get(kind, {})] or kinds
    if not kinds:
        raise Refusal("not-asked", sentence("No question is waiting for your answer."))
    if len(kinds) > 1:
        word = "yes" if line.word is Word.YES else "no"
        raise Refusal(
            "ambiguous",
            sentence("Several things are asked; please say which one you mean."),
            suggestions=tuple(f"{word} {kind}" for kind in kinds),
        )
    return kinds[0]


def _put_off_end(progress: SeatContext, asked_at: int | None) -> None:
    """Postpone a request or a yes to end the game until its player confirms it.

    Args:
        asked_at: version of the request that the yes answers, or None for the player's own request.

    Raises: Refusal if it is not possible now.
    """
    game, seat, mail_context = progress.game, progress.seat, progress.mail_context
    trial = decide.decision_on(game, actor=f"seat:{seat}", cause=None, now=progress.decision.now)
    end_confirmed(mail_context.uow, trial, seat, asked_at)
    act: JsonObject = {**questions.act_in(game, seat, "end"), "asked_at": asked_at}
    message = sentence(
        "End the game of {title} [{game}] here? It would be scored as it stands, and all hidden cards"
        " would be turned up.",
        title=game.ruleset.title,
        game=game.id,
    )
    questions.postpone(mail_context, act, message)


def end_confirmed(
    uow: UnitOfWork, decision: Decision, seat: int, asked_at: int | None
) -> list[Sentence]:
    """Carry out a confirmed request, or a confirmed yes, to end the game, and return notes.

    `asked_at` as in `_put_off_end`. Raises: Refusal.
    """
    if asked_at is None:
        return _ask(uow, decision, seat, "end", {})
    motion = motions.open_motion(decision.existing(), "end")
    if motion is None or motion.version != asked_at:
        raise Refusal("not-asked", sentence("That question has been decided, or was asked anew."))
    notes = _check_changes(uow, decision, seat, "end")
    is_carried = voting.vote(decision, seat, "end", is_for=True)
    return notes if is_carried else [_standing(decision.existing(), "end"), *notes]


MAX_CHANGES = 3
"""Maximum number of times a seat may change its vote or repeat a motion within a day."""


def _check_changes(uow: UnitOfWork, decision: Decision, seat: int, kind: str) -> list[Sentence]:
    """Return a note on how often a vote can still be changed, or an empty list for a first vote.

    Raises: Refusal if it was changed too often, because the other players are notified of each
    change.
    """
    game = decision.existing()
    since, after = decision.now - timedelta(days=1), 0
    motion = motions.open_motion(game, kind)
    if kind == "undo":  # each move can be the subject of a new motion
        after = game.version if motion is None else motion.version - 1
    events = [
        *(
            item.event
            for item in uow.events.recorded(game.id)
            if item.recorded_at > since and item.version > after
        ),
        *(item.event for item in decision.events),
    ]
    cast = sum(
        isinstance(event, VoteCast | MotionOpened) and (event.seat, event.motion) == (seat, kind)
        for event in events
    )
    if cast > MAX_CHANGES:
        raise Refusal(
            "voted",
            sentence(
                "You have asked or changed your vote on this {limit} times within a day, so this was not"
                " counted, and what you said before holds. Try again tomorrow.",
                limit=MAX_CHANGES,
            ),
        )
    if not cast:
        return []
    left = MAX_CHANGES - cast
    if not left:
        return [sentence("This was your last change of this vote for today.")]
    return [
        plural(
            "You can change this vote {count} more time today.",
            "You can change this vote {count} more times today.",
            left,
        )
    ]


def _vote(progress: SeatContext, kind: str, *, is_for: bool) -> None:
    uow = progress.mail_context.uow
    progress.notes.extend(_check_changes(uow, progress.decision, progress.seat, kind))
    is_carried = voting.vote(progress.decision, progress.seat, kind, is_for=is_for)
    if not is_carried and is_for:
        progress.notes.append(_standing(progress.game, kind))


def _standing(game: Game, kind: str) -> Sentence:
    """Describe how many voters are in favour and how many are needed."""
    motion = motions.open_motion(game, kind)
    people = voters(game) if motion is None else MOTIONS[kind].deciders(game, motion)
    needs_all = motion is not None and MOTIONS[kind].needs_all(game, motion)
    in_favour = sum(game.votes.get(kind, {}).get(number, False) for number in people)
    if needs_all:
        message = sentence(
            "Votes in favour: {yes} of {all}. All have to agree.", yes=in_favour, all=len(people)
        )
    else:
        message = sentence(
            "Votes in favour: {yes} of {all}. More than half are needed.",
            yes=in_favour,
            all=len(people),
        )
    return joined([message, sentence("The others are asked.")])
