"""`pbem ladder`: ranking of a game's players by finished challenges (docs/leagues.md)."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.common import minute
from pbem.cli.frame import Row, Shown, commands, table
from pbem.cli.opening import OpenService
from pbem.domain.league.ladder import Challenge
from pbem.domain.log.chain import format_time
from pbem.service.core import games
from pbem.service.league.ladder import standing
from pbem.service.league.ratings import known_ruleset, listed_on
from pbem.store.db.uow import UnitOfWork

app = commands()


@app.command()
def ladder(
    service: OpenService,
    ruleset: Annotated[str, typer.Argument(help="A game, such as phyliss.")],
) -> Shown:
    """Show the ladder of a game with the ratings, and the challenges that determined it.

    Example: pbem ladder phyliss
    """
    name = known_ruleset(ruleset)
    with service.store.reading() as uow:
        now = standing(uow, name, service.now())
        listed = listed_on(uow, now)
        rows: list[Row] = [
            {
                "place": rank,
                "player": one.player_id,
                "name": one.name,
                "rating": round(one.rating.mu, 4),
                "uncertainty": round(one.rating.sigma, 4),
                "games": one.games,
                "challenge": None
                if (open_ := now.challenge_of(one.player_id)) is None
                else open_.game,
            }
            for rank, one in enumerate(listed, 1)
        ]
        challenges = [_challenge(challenge) for challenge in now.challenges]
        lines = [_cells(uow, challenge) for challenge in now.challenges[-20:]]
    columns = ("place", "name", "rating", "games", "challenge")
    return Shown(
        {"ruleset": name, "ladder": rows, "challenges": challenges},
        table(f"ladder of {name}", columns, [[row[column] for column in columns] for row in rows]),
        table("the newest challenges", ("game", "seats", "places", "status", "made"), lines),
    )


def _challenge(challenge: Challenge) -> Row:
    return {
        "game": challenge.game,
        "status": challenge.status,
        "players": [*challenge.players],
        "places": [*challenge.places],
        "sat_out": [*challenge.sat_out],
        "challenger": challenge.challenger,
        "lost_unplayed": challenge.lost_unplayed,
        "created_at": format_time(challenge.created_at),
        "finished_at": None
        if challenge.finished_at is None
        else format_time(challenge.finished_at),
    }


def _cells(uow: UnitOfWork, one: Challenge) -> list[object]:
    names = ", ".join(games.shown_names(uow, one.players))
    places = " : ".join(map(str, one.places))
    return [one.game, names, places, one.status, minute(one.created_at)]
