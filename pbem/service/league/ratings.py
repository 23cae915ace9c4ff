"""Ratings and punctuality, by email for players and in `pbem stats` for admins.

Players see only people with whom they have finished a game. Erased and unregistered players are
left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from engine import registry
from engine.errors import SetupError
from engine.sentences import all_of, sentence
from pbem.bots import plays_like
from pbem.domain.league.ladder import rank_of, within_reach
from pbem.domain.terms.ratings import Rating
from pbem.domain.terms.seats import BOT_LEVELS
from pbem.errors import Refusal
from pbem.mail_out.content import OwnRating, StandingLine, StandingTable
from pbem.mail_out.kinds import AnswerParams
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.names import find_player, ladder_page_name
from pbem.service.league import ladder
from pbem.store.db.uow import UnitOfWork
from pbem.store.tables.standings import OVERALL, Encounters, Rated, RatingStep, TurnCounts

MAX_LINES = 40
"""Maximum number of players listed in a message, besides the reader."""


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player in a list of ratings.

    Attributes:
        games: number of rated games.
        against: results of the list's reader against this player. None without a reader, or for the
            reader.
    """

    player_id: str
    name: str
    rating: Rating
    games: int
    turns: TurnCounts
    against: Encounters | None = None


@dataclass(frozen=True, slots=True)
class RatingsReport:
    """The content of `pbem stats`.

    Attributes:
        ruleset, title: name and title of the ruleset, empty for all rulesets.
        player: name of the player it is about, or empty for everyone.
        standings: best player first.
        course: ratings after each game, in the order in which the games ended.
    """

    ruleset: str
    title: str
    player: str
    standings: tuple[PlayerRating, ...]
    course: tuple[RatingStep, ...]


def report(
    service: Service, ruleset: str | None = None, player: str | None = None
) -> RatingsReport:
    """Return everyone's ratings, or those of a player and their opponents.

    Args:
        ruleset: its name, or None for all games.
        player: ID, address or name. In this case, `course` is limited to this player.

    Raises: Refusal.
    """
    of = known_ruleset(ruleset)
    name = ""
    with service.store.reading() as uow:
        if player is None:
            listed = _listed(uow, uow.standings.rated(None, of), of, {})
            course = uow.standings.course(None, of)
        else:
            player_ = find_player(uow, player)
            name = player_.name
            listed = around(uow, player_.id, of)
            course = uow.standings.course([player_.id], of)
    known = {standing.player_id for standing in listed}
    steps = tuple(step for step in course if step.player_id in known)
    return RatingsReport(of, registry.title_of(of) if of else "", name, tuple(listed), steps)


def around(uow: UnitOfWork, player_id: str, ruleset: str) -> list[PlayerRating]:
    """List a player and all their opponents in finished games, best player first."""
    met = uow.standings.encounters(player_id, ruleset)
    rated = uow.standings.rated([player_id, *met], ruleset)
    return _listed(uow, rated, ruleset, met)


def standings_answer(uow: UnitOfWork, player_id: str, ruleset: str | None) -> AnswerParams:
    """Build the content of a message with a player's standings."""
    of = ruleset or OVERALL
    listed = [
        _line(place, standing, player_id)
        for place, standing in enumerate(around(uow, player_id, of), 1)
    ]
    shown = [line for line in listed if line.place <= MAX_LINES or line.is_reader]
    own = [
        OwnRating(registry.title_of(one.ruleset), one.ruleset, *_tenths(one.rating), one.games)
        for one in uow.standings.rated([player_id], None)
        if of == OVERALL != one.ruleset
    ]
    bots = [(level, plays_like(of, level) if of else None) for level in BOT_LEVELS]
    said = tuple((level, rating) for level, rating in bots if rating is not None)
    table = StandingTable(tuple(shown), tuple(own), len(listed) - len(shown), said)
    return AnswerParams(title=registry.title_of(of) if of else "", standings=table)


def on_ladder(uow: UnitOfWork, player_id: str, ruleset: str, at: datetime) -> AnswerParams:
    """Build the content of a message with a ladder.

    A player who is not on it sees only the people they can challenge.
    """
    now = ladder.standing(uow, ruleset, at)
    near = within_reach(now.players, player_id)
    lines = [
        _line(rank_of(now.players, standing.player_id), standing, player_id)
        for standing in listed_on(uow, now, player_id)
    ]
    names = dict(zip(now.players, games.shown_names(uow, now.players), strict=True))
    shown = [
        line
        for line, who in zip(lines, now.players, strict=True)
        if who in near or (player_id in names and (line.place <= MAX_LINES or line.is_reader))
    ]
    notes = []
    busy = [names[who] for who in near if now.challenge_of(who) is not None]
    if not lines:
        notes.append(sentence("Nobody stands on the ladder of {game} yet.", game=now.title))
    elif player_id not in names:
        notes.append(
            sentence(
                "You don’t stand on the ladder of {game} yet. Players: {count}",
                game=now.title,
                count=len(lines),
            )
        )
    if busy:
        notes.append(sentence("In a challenge just now: {names}", names=all_of(busy)))
    return AnswerParams(
        title=now.title,
        notes=tuple(notes),
        suggestions=tuple(
            sentence("challenge {name} at {game}", name=names[who], game=ruleset)
            for who in near
            if now.made_by(player_id, at) is None
        ),
        standings=StandingTable(tuple(shown), left_out=len(lines) - len(shown)),
        contest=ladder_page_name(ruleset) if games.has_ladder_page(uow, ruleset) else "",
    )


def listed_on(uow: UnitOfWork, now: ladder.Standing, player_id: str = "") -> list[PlayerRating]:
    """List the players on a ladder, highest rank first.

    People with the same name are numbered as in `challenge`. Players without a rated game have the
    initial rating.
    """
    names = dict(zip(now.players, games.shown_names(uow, now.players), strict=True))
    met = uow.standings.encounters(player_id, now.ruleset)
    rated = uow.standings.rated(now.players, now.ruleset)
    unrated = sorted({*now.players} - {one.player_id for one in rated})
    rated += [Rated(player, now.ruleset, Rating(), 0) for player in unrated]
    result = _listed(uow, rated, now.ruleset, met)
    called = [replace(one, name=names[one.player_id]) for one in result]
    return sorted(called, key=lambda one: now.players.index(one.player_id))


def _line(rank: int, standing: PlayerRating, reader: str) -> StandingLine:
    met = standing.against
    rating, uncertainty = _tenths(standing.rating)
    return StandingLine(
        place=rank,
        name=standing.name,
        is_reader=standing.player_id == reader,
        rating=rating,
        uncertainty=uncertainty,
        surely=round(10 * standing.rating.cautious),
        games=standing.games,
        on_time=standing.turns.percent,
        against=None if met is None else (met.ahead, met.behind, met.equal),
    )


def _tenths(rating: Rating) -> tuple[int, int]:
    return round(10 * rating.mu), round(10 * rating.sigma)


def _listed(
    uow: UnitOfWork, rated: list[Rated], ruleset: str, met: dict[str, Encounters]
) -> list[PlayerRating]:
    turns = uow.standings.turns([one.player_id for one in rated], ruleset)
    result = []
    for one in rated:
        player = uow.players.get(one.player_id)
        if player is not None:
            result.append(
                PlayerRating(
                    player.id,
                    player.name,
                    one.rating,
                    one.games,
                    turns.get(player.id, TurnCounts()),
                    met.get(player.id),
                )
            )
    return sorted(result, key=lambda one: (-one.rating.cautious, one.name, one.player_id))


def known_ruleset(ruleset: str | None) -> str:
    """Return the name of a ruleset as stored, or `OVERALL` for None. Raises: Refusal."""
    if ruleset is None:
        return OVERALL
    try:
        return registry.find(ruleset).id.name
    except SetupError as error:
        raise Refusal("ruleset", error.message, rule=error.rule) from None
