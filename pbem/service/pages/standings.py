"""The page of the standings, with a chart of ratings over time."""

from __future__ import annotations

from collections.abc import Sequence

from pbem import resources
from pbem.mail_out.texts import name_text
from pbem.service.league.ratings import PlayerRating, RatingsReport
from pbem.show import standings_page
from pbem.show.course import MAX_LINES, Curve, Point


def page(report: RatingsReport, listed: Sequence[PlayerRating], home: str = "") -> str:
    """Build the page.

    Args:
        report: the ratings.
        listed: the people to show, best first.
        home: the page to link back to, or empty for no link.
    """
    rows = [
        standings_page.PageRow(
            rank,
            name_text(row.name),
            f"{row.rating.mu:.1f} ± {row.rating.sigma:.1f}",
            f"{row.rating.cautious:.1f}",
            f"{row.games} game" if row.games == 1 else f"{row.games} games",
            "no turn yet" if row.turns.percent is None else f"{row.turns.percent} % on time",
            f"{report.player} {met.ahead}, they {met.behind}, level {met.equal}"
            if (met := row.against)
            else "",
        )
        for rank, row in enumerate(listed, 1)
    ]
    lead = "Of games that ended with a ranking." if rows else "No game that counts is finished yet."
    folder = resources.templates_dir() / "standings"
    return standings_page.build(
        title(report), lead, rows, curves(report, listed), folder, home=home
    )


def curves(report: RatingsReport, listed: Sequence[PlayerRating]) -> list[Curve]:
    """Return the curves of the chart, for the first of the listed people with a rated game."""
    points: dict[str, list[Point]] = {}
    for step in report.course:
        point = Point(step.finished_at, step.rating.mu, step.rating.sigma)
        points.setdefault(step.player_id, []).append(point)
    return [
        Curve(rank, name_text(row.name), tuple(points[row.player_id]))
        for rank, row in enumerate(listed, 1)
        if row.player_id in points
    ][:MAX_LINES]


def title(report: RatingsReport) -> str:
    """Return the heading of the standings."""
    of = report.title or "all games"
    return f"Standings of {report.player}, {of}" if report.player else f"Standings, {of}"
