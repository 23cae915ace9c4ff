"""`pbem simulate`: bots against each other, many games, and what came of them."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine import registry
from engine.errors import SetupError
from pbem.bots.arena import ArenaScore, Estimate, Pairing, Played, play, standings
from pbem.bots.levels import find_level
from pbem.cli.common import (
    JsonOption,
    RulesetOptions,
    commands,
    counted,
    err,
    option_value,
    out,
    print_json,
    print_table,
    refusals,
)
from pbem.errors import Refusal
from pbem.games.face import knowledge_of

app = commands()


@app.command()
def simulate(
    ruleset: Annotated[str, typer.Argument(help="Name of a ruleset.")],
    players: Annotated[int, typer.Option(help="Number of seats.")] = 2,
    bots: Annotated[
        str,
        typer.Option(help="Levels, joined by commas; fewer than seats are repeated in turn."),
    ] = "hard,easy",
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100,
    seed: Annotated[str, typer.Option(help="Any text; the same games for the same text.")] = "0",
    option: RulesetOptions = None,
    workers: Annotated[
        int, typer.Option(min=0, help="Processes; 0 = one for each core. Changes no result.")
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Let bots play many games, and say which level does how well.

    Seats move on by one from game to game, so that each level plays from every seat: best a
    multiple of the number of seats. Results depend on the seed alone; the seconds of thought are
    those of this machine.

    Example: pbem simulate phyliss --players 4 --bots hard,easy --games 200
    """
    with refusals(as_json=as_json):
        pairing = _pairing(ruleset, players, bots, seed, option or [])
        played = _play_all(pairing, games, workers or os.cpu_count() or 1)
        rows = standings(played)
        if as_json:
            print_json(_json(pairing, played, rows))
            return
        _print(pairing, played, rows)


def _pairing(ruleset: str, players: int, bots: str, seed: str, options: list[str]) -> Pairing:
    """Check what was asked for. Raises: Refusal."""
    names = [name.strip() for name in bots.split(",")]
    for name in names:
        find_level(name)
    try:
        rules = registry.find(ruleset)
        checked = rules.check_options(players, dict(map(option_value, options)))
    except SetupError as error:
        raise Refusal("setup", error.message, rule=error.rule) from error
    knowledge_of(rules.id.name)
    if len(names) > players:
        raise Refusal("bots", f"{counted(len(names), 'bot')} for {counted(players, 'seat')}")
    seats = tuple(names[seat % len(names)] for seat in range(players))
    return Pairing(rules.id, checked, seats, seed)


def _play_all(pairing: Pairing, games: int, workers: int) -> list[Played]:
    """Play all games on several cores; the result is in the order of the games."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
    with bar:
        shown = bar.add_task(f"{pairing.ruleset.name}: games", total=games)
        if workers == 1:
            played = []
            for number in range(games):
                played.append(play(pairing, number))
                bar.advance(shown)
            return played
        fresh = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(workers, games), mp_context=fresh) as pool:
            waiting = [pool.submit(play, pairing, number) for number in range(games)]
            try:
                for done in as_completed(waiting):
                    done.result()
                    bar.advance(shown)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            return [done.result() for done in waiting]


def _print(pairing: Pairing, played: list[Played], rows: list[ArenaScore]) -> None:
    count = len(played)
    print_table(
        f"{pairing.ruleset.name}, {counted(len(pairing.bots), 'seat')}, {counted(count, 'game')},"
        f" seed {pairing.seed}",
        ("bot", "seats", "won (95 %)", "even", "place (95 %)", "thought", "longest"),
        [
            (
                row.bot,
                row.seats,
                _interval(row.wins),
                f"{row.even_wins:.2f}",
                _interval(row.share),
                f"{row.thought.mean:.2f} s",
                f"{row.thought.longest:.2f} s",
            )
            for row in rows
        ],
    )
    reasons = sorted({game.reason for game in played})
    told = ", ".join(f"{reason} {sum(g.reason == reason for g in played)}" for reason in reasons)
    out.print(
        f"A game has {_mean(played, 'plies'):.0f} plies in {_mean(played, 'turns'):.0f} turns."
        f" Ended: {told}.\n"
        "Place: 1 for the first, 0 for the last, equal ones share; even is 0.5. Thought: seconds of"
        " one core per decision on this machine.",
        highlight=False,
    )


def _interval(estimate: Estimate) -> str:
    return f"{estimate.mean:.2f} ({estimate.low:.2f}–{estimate.high:.2f})"


def _mean(played: list[Played], name: str) -> float:
    return sum(float(getattr(game, name)) for game in played) / len(played)


def _json(pairing: Pairing, played: list[Played], rows: list[ArenaScore]) -> dict[str, object]:
    def said(estimate: Estimate) -> dict[str, float]:
        return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}

    return {
        "ruleset": str(pairing.ruleset),
        "options": dict(pairing.options),
        "seats": list(pairing.bots),
        "seed": pairing.seed,
        "games": len(played),
        "plies_per_game": _mean(played, "plies"),
        "turns_per_game": _mean(played, "turns"),
        "reasons": {
            reason: sum(game.reason == reason for game in played)
            for reason in sorted({game.reason for game in played})
        },
        "bots": [
            {
                "bot": row.bot,
                "seats": row.seats,
                "wins": said(row.wins),
                "even_wins": row.even_wins,
                "place": said(row.share),
                "thought": {
                    "decisions": row.thought.count,
                    "mean_seconds": row.thought.mean,
                    "longest_seconds": row.thought.longest,
                },
            }
            for row in rows
        ],
    }
