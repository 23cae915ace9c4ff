"""`pbem stats`: ratings and punctuality of the players, with a plot over time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType

from pbem.cli.common import out, write
from pbem.cli.frame import Row, Shown, commands, table
from pbem.cli.opening import OpenService
from pbem.domain.log.chain import format_time
from pbem.service.league import ratings
from pbem.service.league.ratings import PlayerRating, RatingsReport
from pbem.service.pages import standings
from pbem.show import course
from pbem.store.tables.standings import Encounters

app = commands()


@app.command()
def stats(
    service: OpenService,
    ruleset: Annotated[
        str | None, typer.Option("--ruleset", "-r", help="Limit to one game, such as phyliss.")
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(help="Name, address or id of a person, to list them and their opponents."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write an HTML page with the list and a plot.")
    ] = None,
) -> Shown:
    """List ratings and punctuality, and for one player head-to-head results.

    It also plots the ratings over time.

    Example: pbem stats --ruleset phyliss --html standings.html
    """
    figures = ratings.report(service, ruleset, player)
    if html is None:
        return Shown(_row(figures), *_words(figures))
    write(html, standings.page(figures, figures.standings).encode())
    return Shown(_row(figures) | {"file": html}, f"{html} is written.")


def _words(report: RatingsReport) -> Iterator[RenderableType]:
    if not report.standings:
        yield "No game that counts is finished yet."
        return
    against = [f"{report.player} : they : level"] if report.player else []
    yield table(
        standings.title(report),
        ("", "name", "rating", "surely", "games", "on time", *against),
        [
            (
                f"{rank}.",
                standing.name,
                _rating(standing),
                f"{standing.rating.cautious:.1f}",
                standing.games,
                _percent(standing),
                *([_met(standing.against)] if against else []),
            )
            for rank, standing in enumerate(report.standings, 1)
        ],
    )
    lines = standings.curves(report, report.standings)
    yield course.plot(lines, min(out.width, 100))
    yield ""
    shown = ", ".join(f"{line.number}. {line.name}" for line in lines)
    yield f"Ratings over time: {shown}"


def _rating(rating: PlayerRating) -> str:
    return f"{rating.rating.mu:.1f} ± {rating.rating.sigma:.1f}"


def _percent(rating: PlayerRating) -> str:
    return "" if rating.turns.percent is None else f"{rating.turns.percent} %"


def _met(against: Encounters | None) -> str:
    return "" if against is None else f"{against.ahead} : {against.behind} : {against.equal}"


def _row(report: RatingsReport) -> Row:

    return {
        "ok": True,
        "ruleset": report.ruleset or None,
        "player": report.player or None,
        "standings": [
            {
                "place": rank,
                "player": standing.player_id,
                "name": standing.name,
                "rating": round(standing.rating.mu, 3),
                "uncertainty": round(standing.rating.sigma, 3),
                "surely": round(standing.rating.cautious, 3),
                "games": standing.games,
                "turns_on_time": standing.turns.on_time,
                "turns_late": standing.turns.late,
                "against": None
                if (met := standing.against) is None
                else {"ahead": met.ahead, "behind": met.behind, "level": met.equal},
            }
            for rank, standing in enumerate(report.standings, 1)
        ],
        "course": [
            {
                "player": step.player_id,
                "game": step.game_id,
                "at": format_time(step.finished_at),
                "rating": round(step.rating.mu, 3),
                "uncertainty": round(step.rating.sigma, 3),
            }
            for step in report.course
        ],
    }
