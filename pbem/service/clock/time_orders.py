"""Players' orders about time: vacations in all their games, and gifts of time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeAlias
from zoneinfo import ZoneInfo

from engine.sentences import Sentence, all_of, joined, sentence
from pbem.domain.clock import clockwork, vacations
from pbem.domain.log.motion_events import MotionEnded
from pbem.domain.log.seat_events import SeatControllerChanged
from pbem.domain.play import handover
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.terms.dates import place_days, read_days
from pbem.domain.words.service_words import Word
from pbem.durations import duration_words, parse_duration
from pbem.errors import Refusal
from pbem.mail_out.times import day_text, past_time_text
from pbem.service.change import changing, lock
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork

_BACK = (SeatControllerChanged, MotionEnded)
"""Events that any message of a seat's player can cause, regardless of its orders."""

EVERYWHERE = (Word.VACATION, Word.BACK)
"""Orders that apply to all running games of their player."""

_DAY = 86_400
"""Seconds of a day."""

_EARLY_END_ADVICE = {
    False: sentence(
        'Move before then, or ask the others: any of them can write "extend 2d", and "pause" stops the'
        " clock if more than half agree."
    ),
    True: sentence('Move before then, or ask your opponent to write "extend 2d".'),
}
"""Advice about a turn that ends before a vacation does. The key is True for challenges."""

Effect: TypeAlias = Callable[[Decision, int], Sentence | None]
"""Apply an order to a seat's decision, or refuse. Returns a warning for the player, or None."""


@dataclass(slots=True)
class VacationReport:
    """Results of an order in all games of a player.

    Attributes:
        done: displayed names of the games in which it succeeded.
        warnings: warnings about single games.
        refused: pairs of a game's displayed name and the refusal.
    """

    done: list[str] = field(default_factory=list)
    warnings: list[Sentence] = field(default_factory=list)
    refused: list[tuple[str, Refusal]] = field(default_factory=list)

    def notes(self, word: Word) -> list[Sentence]:
        """Describe the results. Raises: Refusal if the order was carried out nowhere."""
        if not self.done:
            if self.refused:
                raise self.refused[0][1]
            raise Refusal("no-game", sentence("You have no running game at present."))
        refused = [
            sentence("Not in {game}: {why}", game=name, why=why.message)
            for name, why in self.refused
        ]
        return [
            sentence("This holds in {games}.", games=all_of(self.done)),
            *self.warnings,
            *(refused if word is not Word.BACK else ()),
        ]


def in_all_games(
    service: Service,
    uow: UnitOfWork,
    player_id: str,
    effect: Effect,
    *,
    cause: str,
    here: tuple[Decision, int] | None = None,
) -> VacationReport:
    """Carry out an order in every running game of a player, in one transaction.

    Args:
        effect: carries the order out in one game.
        here: the decision of the game of the message, which the caller records.

    Raises: VersionConflictError if another worker has one of the games: retry the whole message.
    """
    report = VacationReport()
    here_id = None if here is None else here[0].game_id
    if here is not None:
        _try(report, effect, here[0], here[1])
    for row in uow.projections.games_of(player_id):
        if row.status != "running" or row.id == here_id:
            continue
        lock(uow, row.id)
        game = games.load_if_sound(uow, row.id)
        if game is None:
            refusal = Refusal("broken", sentence("this game stands still; the admin looks at it."))
            report.refused.append((row.id, refusal))
            continue
        for seat in game.seats_of(player_id, ("joined",)):
            with changing(service, uow, row.id, actor=f"seat:{seat}", cause=cause) as change:
                _try(report, effect, change.decision, seat)
    return report


def _try(report: VacationReport, effect: Effect, decision: Decision, seat: int) -> None:
    game = decision.existing()
    name = games.called(game)
    try:
        warning = effect(decision, seat)
    except Refusal as refusal:
        report.refused.append((name, refusal))
        return
    report.done.append(name)
    if warning is not None:
        report.warnings.append(warning)


def effect_of(
    word: Word, argument: str | None, zone: str, service: Service
) -> tuple[Effect, Sentence]:
    """Return the effect of `vacation` or `back` and its confirmation. Raises: Refusal."""
    if word is Word.BACK:
        return _come_back, sentence("Welcome back.")
    first, last = read_vacation(argument, today(service, zone))

    def take(decision: Decision, seat: int) -> Sentence | None:
        vacations.take(decision, seat, first, last)
        return _warning(decision.existing(), seat, first, last, zone)

    if first == last:
        return take, sentence(
            "You are on vacation {day}; the others read it in their next mails.",
            day=day_text(first),
        )
    return take, sentence(
        "You are on vacation from {first} to {last}; the others read it in their next mails.",
        first=day_text(first),
        last=day_text(last),
    )


def _warning(game: Game, seat: int, first: date, last: date, zone: str) -> Sentence | None:
    """Warn the player if their running turn ends before the vacation does, else return None."""
    due_at = vacations.runs_out_at(game, seat, last, zone)
    if due_at is None:
        return None
    name, when = games.called(game), past_time_text(due_at, zone)
    if due_at.astimezone(ZoneInfo(zone)).date() < first:
        return sentence(
            "Your turn in {game} still runs out on {when}, before your vacation begins.",
            game=name,
            when=when,
        )
    moves = game.timing.vacation_moves
    if moves:
        why = sentence(
            "Your turn in {game} was running already, and in this game a vacation can move it by {days}"
            " at most: it runs out on {when}.",
            game=name,
            days=duration_words(moves * _DAY),
            when=when,
        )
    else:
        why = sentence(
            "Your turn in {game} was running already, and in this game a vacation does not move it: it"
            " runs out on {when}.",
            game=name,
            when=when,
        )
    return joined([why, _EARLY_END_ADVICE[game.is_challenge]])


def today(service: Service, zone: str) -> date:
    """Return the current date in a time zone."""
    return service.now().astimezone(ZoneInfo(zone)).date()


def _come_back(decision: Decision, seat: int) -> Sentence | None:
    """End a vacation. Taking the seat back from a bot, or keeping it, also counts as success."""
    took = handover.take_back(decision, seat)
    if took:
        clockwork.welcome_back(decision, seat)
    try:
        vacations.come_back(decision, seat)
    except Refusal:
        if not took and not any(isinstance(item.event, _BACK) for item in decision.events):
            raise
    return None


def read_vacation(argument: str | None, today: date) -> tuple[date, date]:
    """Return the first and the last day of a vacation. Raises: Refusal if they are unclear."""
    days = None if argument is None else read_days(argument)
    try:
        if days is not None:
            return place_days(days, today)
    except (ValueError, OverflowError):
        pass
    raise Refusal(
        "vacation",
        sentence("Please say from which day to which one."),
        suggestions=(
            sentence("vacation 20 Dec to 2 Jan"),
            sentence("vacation 5 days"),
            sentence("vacation until Friday"),
        ),
    )


def extend(decision: Decision, seat: int, argument: str | None, names: Sequence[str]) -> Sentence:
    """Grant more time to the players whose turn it is and return a confirmation. Raises: Refusal."""
    try:
        time = parse_duration(argument)
    except ValueError:
        raise Refusal(
            "time", sentence("Please say how much."), suggestions=(sentence("extend 2d"),)
        ) from None
    clockwork.give(decision, seat, time)
    others = all_of([names[number] for number in decision.existing().to_act])
    return sentence(
        "{others} got {time} more.", others=others, time=duration_words(int(time.total_seconds()))
    )
