"""`pbem stats`: who is how good and how punctual, with a plot of how it came about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem import resources
from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    commands,
    counted,
    out,
    print_json,
    print_table,
    refusals,
    service_of,
)
from pbem.domain.log.chain import format_time
from pbem.errors import Refusal
from pbem.service.people import ratings
from pbem.service.people.ratings import PlayerRating, RatingsReport
from pbem.show import course, standings_page
from pbem.show.course import MOST_LINES, Curve, Point
from pbem.store.tables.standings import Encounters

app = commands()


@app.command()
def stats(
    ruleset: Annotated[
        str | None, typer.Option("--ruleset", "-r", help="Of one game alone, such as phyliss.")
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(help="Name, address or id: this person, and those they finished games with."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write a page with the list and a drawing for a browser.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List ratings, punctuality and, for one player, head-to-head; draw ratings over time.

    Example: pbem stats --ruleset phyliss --html standings.html
    """
    with refusals(as_json=as_json), service_of(config) as service:
        found = ratings.report(service, ruleset, player)
    with refusals(as_json=as_json):
        if html is not None:
            _write_page(found, html)
        if as_json:
            print_json(_json(found) | ({} if html is None else {"file": str(html)}))
        elif html is not None:
            out.print(f"{html} is written.", markup=False, highlight=False, soft_wrap=True)
        else:
            _print(found)


def _print(found: RatingsReport) -> None:

    if not found.standings:
        out.print("No game that counts is finished yet.")
        return
    against = [f"{found.player} : they : level"] if found.player else []
    print_table(
        _title(found),
        ("", "name", "rating", "surely", "games", "on time", *against),
        [
            (
                f"{place}.",
                one.name,
                _rating(one),
                f"{one.rating.cautious:.1f}",
                one.games,
                _percent(one),
                *([_met(one.against)] if against else []),
            )
            for place, one in enumerate(found.standings, 1)
        ],
    )
    lines = _lines(found)
    out.print(course.plot(lines, min(out.width, 100)), no_wrap=True, overflow="crop")
    shown = ", ".join(f"{line.number}. {line.name}" for line in lines)
    out.print(f"\nRatings over time: {shown}", markup=False, highlight=False)


def _lines(found: RatingsReport) -> list[Curve]:
    """Return the lines to draw: of the best, or of the one person."""
    points: dict[str, list[Point]] = {}
    for step in found.course:
        at = Point(step.finished_at, step.rating.mu, step.rating.sigma)
        points.setdefault(step.player_id, []).append(at)
    return [
        Curve(place, one.name, tuple(points[one.player_id]))
        for place, one in enumerate(found.standings, 1)
        if one.player_id in points
    ][:MOST_LINES]


def _write_page(found: RatingsReport, file: Path) -> None:

    rows = [
        standings_page.PageRow(
            place,
            one.name,
            _rating(one),
            f"{one.rating.cautious:.1f}",
            counted(one.games, "game"),
            "no turn yet" if one.turns.percent is None else f"{_percent(one)} on time",
            f"{found.player} {met.ahead}, they {met.behind}, level {met.equal}"
            if (met := one.against)
            else "",
        )
        for place, one in enumerate(found.standings, 1)
    ]
    lead = "Of games that ended with a ranking." if rows else "No game that counts is finished yet."
    folder = resources.templates_dir() / "standings"
    try:
        page = standings_page.build(_title(found), lead, rows, _lines(found), folder)
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        raise Refusal("file", f"{file}: {error.strerror}") from None


def _title(found: RatingsReport) -> str:
    of = found.title or "all games"
    return f"Standings of {found.player}, {of}" if found.player else f"Standings, {of}"


def _rating(one: PlayerRating) -> str:
    return f"{one.rating.mu:.1f} ± {one.rating.sigma:.1f}"


def _percent(one: PlayerRating) -> str:
    return "" if one.turns.percent is None else f"{one.turns.percent} %"


def _met(against: Encounters | None) -> str:
    return "" if against is None else f"{against.ahead} : {against.behind} : {against.equal}"


def _json(found: RatingsReport) -> dict[str, Any]:

    return {
        "ok": True,
        "ruleset": found.ruleset or None,
        "player": found.player or None,
        "standings": [
            {
                "place": place,
                "player": one.player_id,
                "name": one.name,
                "rating": round(one.rating.mu, 3),
                "uncertainty": round(one.rating.sigma, 3),
                "surely": round(one.rating.cautious, 3),
                "games": one.games,
                "turns_on_time": one.turns.on_time,
                "turns_late": one.turns.late,
                "against": None
                if (met := one.against) is None
                else {"ahead": met.ahead, "behind": met.behind, "level": met.equal},
            }
            for place, one in enumerate(found.standings, 1)
        ],
        "course": [
            {
                "player": step.player_id,
                "game": step.game_id,
                "at": format_time(step.finished_at),
                "rating": round(step.rating.mu, 3),
                "uncertainty": round(step.rating.sigma, 3),
            }
            for step in found.course
        ],
    }
