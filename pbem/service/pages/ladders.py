"""The page of a ladder: its order, what each has won, challenges that run, the newest that ended.

It names whom the pages of its challenges name, and nobody else, and its figures count those challenges
alone; the others are lines with a place and nothing more. A ladder without such a page has none itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from engine import registry
from engine.api import JsonValue
from pbem import resources
from pbem.domain.league.ladder import AWAY, REACH, Challenge
from pbem.domain.log.chain import GameId, format_time
from pbem.service.core.names import ladder_page_name
from pbem.service.league.ladder import Standing, standing
from pbem.service.pages.drawn import Contest, line_of, names_at
from pbem.show import site
from pbem.store.db.uow import UnitOfWork
from pbem.store.tables.pages import LADDER, Written

MOST_LINES = 300
"""Players on the page."""
MOST_RUNNING, NEWEST = 40, 12
"""Challenges on it."""


def draw(
    uow: UnitOfWork, rulesets: Collection[str], listed: Sequence[Written], at: datetime
) -> list[Contest]:
    """Draw ladders as they are now; what is told of each says when somebody leaves it next.

    Args:
        listed: the games that have pages.
    """
    games = {one.game_id: one for one in listed}
    versions = uow.pages.of_challenges() if rulesets else {}
    return [_drawn(uow, one, versions.get(one, 0), games, at) for one in rulesets]


def titles(told: Mapping[GameId, Mapping[str, Any] | None]) -> list[tuple[str, str]]:
    """Return the pages of ladders as the list names them."""
    found = [one["ladder"] for one in told.values() if one is not None and one.get("has_page")]
    shown = [(ladder_page_name(one), f"Ladder of {registry.title_of(one)}") for one in found]
    return sorted(shown, key=lambda one: one[1])


def _drawn(
    uow: UnitOfWork, ruleset: str, version: int, games: Mapping[GameId, Written], at: datetime
) -> Contest:
    now = standing(uow, ruleset, at)
    shown = [one for one in now.challenges if GameId(one.game) in games]
    told: dict[str, JsonValue] = {
        "ladder": ruleset,
        "has_page": bool(shown),
        "until": _until(now, at),
    }
    data = _page(uow, now, shown, games) if shown else None
    return Contest(GameId(f"{LADDER}{ruleset}"), version, ladder_page_name(ruleset), data, told)


def _until(now: Standing, at: datetime) -> str | None:
    """Return until when the order stays as it is if no challenge ends."""
    ends: dict[str, datetime] = {}
    for one in now.challenges:
        if one.finished_at is not None and one.places:
            ends |= dict.fromkeys(one.players, one.finished_at + AWAY)
        elif one.lost_unplayed is not None and one.finished_at is not None:
            winner = next(player for player in one.players if player != one.lost_unplayed)
            ends[winner] = one.finished_at + AWAY
        elif one.status == "running":
            for player in one.players:
                ends[player] = max(ends.get(player, at), one.created_at + AWAY)
    found = min(
        (end for who, end in ends.items() if who in now.players and end >= at), default=None
    )
    return None if found is None else format_time(found)


def _page(
    uow: UnitOfWork,
    now: Standing,
    shown: Sequence[Challenge],
    games: Mapping[GameId, Written],
) -> bytes:
    running = [one for one in shown if one.status == "running"]
    over = [one for one in reversed(shown) if one.finished_at is not None]
    parts = [
        site.Part(title, _lines(uow, found[:most], games), count=len(found))
        for title, found, most in (
            ("Running challenges", running, MOST_RUNNING),
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
    uow: UnitOfWork, found: Sequence[Challenge], games: Mapping[GameId, Written]
) -> list[site.Line]:
    written = [games[GameId(one.game)] for one in found]
    return [line_of(one.game_id, one.told, names_at(uow, one.players)) for one in written]


def _cross(uow: UnitOfWork, now: Standing, shown: Sequence[Challenge]) -> site.Cross:
    """Return the order, with figures for those whom it names."""
    seen = {player for one in shown for player in one.players}
    first = now.players[:MOST_LINES]
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
    """Return when somebody played last, how often, and how often they won."""
    if not played:
        return (site.Cell("–"), site.Cell("–")), "–"
    last = played[-1]
    ended = last.finished_at or last.created_at
    won = sum(one.winner == player for one in played)
    when = site.Cell(f"{ended.day} {ended:%b %Y}", f"game/{last.game}.html")
    return (when, site.Cell(str(len(played)))), str(won)
