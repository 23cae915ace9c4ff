"""The page of a ladder: its ranking, players' results, and running and recent challenges.

It names only the players whom the pages of its challenges name, and counts only those challenges.
Other players have a line with a rank and no name. A ladder without a challenge that has a page has
no page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from engine import registry
from pbem import resources
from pbem.domain.league.ladder import AWAY, REACH, Challenge
from pbem.domain.log.chain import GameId
from pbem.service.core.names import ladder_page_name
from pbem.service.league.ladder import Standing, standing
from pbem.service.pages.drawn import Listed, line_of, names_at
from pbem.show import site
from pbem.store.db.uow import UnitOfWork

MAX_LINES = 300
"""Players on the page."""
MAX_RUNNING, NEWEST = 40, 12
"""Maximum numbers of running and finished challenges on the page."""


def titles(rulesets: Iterable[str]) -> list[tuple[str, str]]:
    """Return the file names and titles of the pages of ladders, sorted by title."""
    shown = [(ladder_page_name(name), f"Ladder of {registry.title_of(name)}") for name in rulesets]
    return sorted(shown, key=lambda page: page[1])


def page(
    uow: UnitOfWork, ruleset: str, games: Mapping[GameId, Listed], at: datetime
) -> bytes | None:
    """Generate the page of a ladder as it is now, or return None if no challenge has a page.

    Args:
        games: the games that have pages.
    """
    now = standing(uow, ruleset, at)
    shown = [challenge for challenge in now.challenges if GameId(challenge.game) in games]
    if not shown:
        return None
    running = [one for one in shown if one.status == "running"]
    over = [one for one in reversed(shown) if one.finished_at is not None]
    parts = [
        site.Part(title, _lines(uow, found[:most], games), count=len(found))
        for title, found, most in (
            ("Running challenges", running, MAX_RUNNING),
            ("Finished", over, NEWEST),
        )
        if found
    ]
    how = (
        "Only challenges change the order: whoever wins against somebody above takes that place. People"
        f" challenge somebody up to {REACH} places above, in a mail: “challenge NAME at {now.ruleset}”."
    )
    facts = [how]
    if not now.players:
        facts.append("Nobody stands on it yet.")
    page = site.ListPage(
        f"Ladder of {now.title}",
        ladder_page_name(now.ruleset),
        parts,
        (),
        facts=facts,
        home="../",
        cross=_cross(uow, now, shown) if now.players else None,
    )
    return site.list_page(page, resources.templates_dir())


def _lines(
    uow: UnitOfWork, found: Sequence[Challenge], games: Mapping[GameId, Listed]
) -> list[site.Line]:
    shown = [games[GameId(challenge.game)] for challenge in found]
    return [line_of(game, names_at(uow, game.players)) for game in shown]


def _cross(uow: UnitOfWork, now: Standing, shown: Sequence[Challenge]) -> site.Cross:
    """Build the ranking, with figures for the players that it names."""
    seen = {player for one in shown for player in one.players}
    first = now.players[:MAX_LINES]
    players = [who for who in first if who in seen]
    named = dict(zip(players, names_at(uow, players), strict=True))
    played: dict[str, list[Challenge]] = {}
    for one in shown:
        if one.places:
            for player in one.players:
                played.setdefault(player, []).append(one)
    lines = [
        site.CrossLine(place, named.get(who, ""), *_figures(who, played.get(who, ())))
        for place, who in enumerate(first, 1)
    ]
    means = (
        "Counted are challenges that have a page here. Who finishes none for"
        f" {AWAY.days} days leaves the ladder."
    )
    more = len(now.players) - len(first)
    return site.Cross(("Last", "Played"), lines, "Won", means, more)


def _figures(player: str, played: Sequence[Challenge]) -> tuple[Sequence[site.Cell], str]:
    """Return the cells for a player's last game and number of games, and the number of wins."""
    if not played:
        return (site.Cell("–"), site.Cell("–")), "–"
    last = played[-1]
    ended = last.finished_at or last.created_at
    won = sum(one.winner == player for one in played)
    when = site.Cell(f"{ended.day} {ended:%b %Y}", f"game/{last.game}.html")
    return (when, site.Cell(str(len(played)))), str(won)
