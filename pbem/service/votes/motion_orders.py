"""Orders for joint decisions: `undo`, `end game`, `drop player bob`, `tempo 2d`, `pause`, and the votes."""

from __future__ import annotations

from datetime import timedelta

from engine.sentences import Sentence, joined, sentence
from pbem.domain.log.clock_events import GamePaused, GameResumed
from pbem.domain.log.motion_events import CLOCK, VoteCast
from pbem.domain.play import voting
from pbem.domain.table import motions
from pbem.domain.table.game import Game
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.service_words import Word
from pbem.durations import parse_duration
from pbem.errors import Refusal
from pbem.service.core import games
from pbem.service.core.asking import SeatOrders
from pbem.service.notify.who_is_told import open_motion
from pbem.service.votes import offers
from pbem.store.log import codec


def undo(reading: SeatOrders, line: OrderLine) -> None:
    """Ask the others to take back the player's last move, or all moves since one."""
    uow, game = reading.mail_orders.uow, reading.game
    recorded = [codec.decode(event) for event in uow.events.read(game.id)]
    voting.check_undo(game)
    if recorded[-1].version < game.position:
        raise Refusal("undo", sentence("Please ask for that in a mail of its own."))
    ply = None if line.argument is None else int(line.argument)
    back_to = voting.place_before(recorded, game, reading.seat, ply)
    if back_to is None:
        raise Refusal("undo", sentence("There is no such move that could be taken back."))
    past = games.load(uow, game.id, up_to=back_to)
    if voting.ask_for_undo(reading.decision, reading.seat, past):
        return
    reading.notes.append(
        joined(
            [
                sentence("All others who play are asked; it is done once all have agreed."),
                sentence("A no, or the next move of somebody, ends the question."),
            ]
        )
    )


def end(reading: SeatOrders, _: OrderLine) -> None:
    """Ask the others to end the game as it stands. Raises: Refusal."""
    if not voting.ask_to_end(reading.decision, reading.seat):
        reading.notes.append(
            joined(
                [
                    sentence("All others who play are asked; it is done once all have agreed."),
                    sentence("Until then the game goes on."),
                ]
            )
        )


def drop(reading: SeatOrders, line: OrderLine) -> None:
    """Ask the others to go on without a player who is gone. Raises: Refusal."""
    of = offers.seat_called(reading, line.argument or "")
    if of is None:
        raise Refusal(
            "drop",
            sentence("Please say who is gone, by the name in your mails."),
            suggestions=tuple(
                f"drop player {name}" for n, name in enumerate(reading.names) if n != reading.seat
            ),
        )
    _check_unheard(reading, of)
    if not voting.ask_to_drop(reading.decision, reading.seat, of):
        reading.notes.append(
            joined([_standing(reading.game, "drop"), sentence("A mail of theirs ends the vote.")])
        )


def _check_unheard(reading: SeatOrders, of: int) -> None:
    """Refuse if a mail of that seat came in the time of so many turns, read or not. Raises: Refusal."""
    game, mail_orders = reading.game, reading.mail_orders
    since = reading.decision.now - game.timing.drop * timedelta(seconds=game.time_per_move)
    if mail_orders.uow.inbox.has_from_seat(game.id, of, since):
        raise voting.not_gone(game)


def tempo(reading: SeatOrders, line: OrderLine) -> None:
    """Ask for another time per move. Raises: Refusal."""
    try:
        seconds = int(parse_duration(line.argument).total_seconds())
    except ValueError:
        raise Refusal(
            "tempo",
            sentence("Please say how much time there shall be for a move."),
            suggestions=(sentence("tempo 2d"),),
        ) from None
    if not voting.propose_tempo(reading.decision, reading.seat, seconds):
        reading.notes.append(_standing(reading.game, "tempo"))


def pause_or_resume(reading: SeatOrders, line: OrderLine) -> None:
    """Ask whether the clock should stop, or run again. Raises: Refusal."""
    _vote(reading, "pause" if line.word is Word.PAUSE else "resume", is_for=True)


def answer(reading: SeatOrders, line: OrderLine) -> None:
    """Vote on the question in the answered mail. Raises: Refusal."""
    kind = line.argument or _meant(reading, line)
    motion = motions.open_motion(reading.game, kind)
    asked_at = 0 if motion is None else motion.version
    if line.argument is None and kind in CLOCK:  # named, it is as good as the word itself
        asked_at = _clock_asked_at(reading, kind)
    if reading.token.listing < asked_at:
        raise Refusal(
            "stale",
            sentence(
                "Your mail answers one that was sent before that was asked. Please read it below,"
                " and answer again."
            ),
        )
    if kind == "undo" and motion is not None:
        back_to = motion.number("back_to")
        past = games.load(reading.mail_orders.uow, reading.game.id, up_to=back_to)
        reading.decision.past[back_to] = past
    if kind == "drop" and motion is not None and line.word is Word.YES:
        _check_unheard(reading, motion.number("of"))
    _vote(reading, kind, is_for=line.word is Word.YES)


def _clock_asked_at(reading: SeatOrders, kind: str) -> int:
    """Return the event of the first pause or resume vote that still counts."""
    given: dict[int, bool] = {}
    asked_at = 0
    for stored in reading.mail_orders.uow.events.read(reading.game.id):
        event = codec.decode(stored).event
        if isinstance(event, GamePaused | GameResumed):
            given = {}
        if isinstance(event, VoteCast) and event.motion == kind:
            asked_at = asked_at if any(given.values()) else stored.version
            given[event.seat] = event.is_for
    return asked_at


def _meant(reading: SeatOrders, line: OrderLine) -> str:
    """Return the kind of motion that a bare `yes` or `no` answers. Raises: Refusal."""
    game, seat = reading.game, reading.seat
    about_clock = open_motion(game)
    kinds = [kind for kind in (about_clock,) if kind] + [one.kind for one in game.motions]
    if len(kinds) > 1:  # a motion that was voted on already is not the one that is meant
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


def _vote(reading: SeatOrders, kind: str, *, is_for: bool) -> None:
    is_carried = voting.vote(reading.decision, reading.seat, kind, is_for=is_for)
    if not is_carried and is_for:
        reading.notes.append(_standing(reading.game, kind))


def _standing(game: Game, kind: str) -> Sentence:
    """Say how a vote is going."""
    motion = motions.open_motion(game, kind)
    people = motions.voters(game) if motion is None else motions.electorate(game, motion)
    needs_all = motion is not None and motions.needs_all(game, motion)
    if motion is not None and needs_all:
        people = sorted(motions.deciders(game, motion))
    in_favour = sum(game.votes.get(kind, {}).get(number, False) for number in people)
    if needs_all:
        said = sentence(
            "{yes} of {all} are for it; it happens once all are.", yes=in_favour, all=len(people)
        )
    else:
        said = sentence(
            "{yes} of {all} are for it; it happens once more than half are.",
            yes=in_favour,
            all=len(people),
        )
    return joined([said, sentence("Who has not said anything yet is asked.")])
