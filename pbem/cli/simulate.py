"""`pbem simulate`: many games between bots, and the results."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine import registry
from engine.errors import SetupError
from pbem.bots.arena import ArenaScore, Estimate, Pairing, Played, play, standings
from pbem.bots.choosing import LEVELS, find_level
from pbem.cli.common import RulesetOptions, counted, err, option_values
from pbem.cli.frame import ConfigOption, Row, Shown, commands, table
from pbem.cli.rules import RulesetArgument
from pbem.config import load_config
from pbem.errors import ConfigError, Refusal
from pbem.games.profile import knowledge_of

app = commands()


@dataclass(frozen=True, slots=True)
class Seating:
    """Options for the bots and their seats."""

    players: Annotated[int, typer.Option(help="Number of seats.")] = 2
    bots: Annotated[
        str,
        typer.Option(
            help="Comma-separated levels or configured bots. If there are fewer than seats, "
            "they are reused in order."
        ),
    ] = "medium,easy"
    seed: Annotated[
        str, typer.Option(help="Random seed (any text). The same seed gives the same games.")
    ] = "0"
    option: RulesetOptions = None
    config: ConfigOption = None

    def pairing(self, ruleset: str) -> Pairing:
        """Validate the options and return the pairing. Raises: Refusal, ConfigError."""
        names = [name.strip() for name in self.bots.split(",")]
        levels = {level.name for level in LEVELS}
        commands = {}
        if not levels.issuperset(names):
            commands = _commands(self.config)
        for name in names:
            if name not in commands:
                find_level(name, tuple(commands))
        try:
            rules = registry.find(ruleset)
            checked = rules.check_options(self.players, option_values(self.option))
        except SetupError as error:
            raise Refusal("setup", error.message, rule=error.rule) from error
        knowledge_of(rules.id.name)
        if len(names) > self.players:
            raise Refusal(
                "bots", f"{counted(len(names), 'bot')} for {counted(self.players, 'seat')}"
            )
        seats = tuple(names[seat % len(names)] for seat in range(self.players))
        its = {name: commands[name] for name in names if name in commands}
        return Pairing(rules.id, checked, seats, self.seed, its)


def _commands(config: Path | None) -> dict[str, tuple[tuple[str, ...], float]]:
    """Return the external bots of the configuration, if any. Raises: ConfigError."""
    try:
        bots = load_config(config, os.environ).bots
    except ConfigError:
        if config is not None:
            raise
        return {}
    return {name: (bot.command, bot.seconds) for name, bot in bots.items()}


@app.command()
def simulate(
    ruleset: RulesetArgument,
    seating: Seating,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100,
    workers: Annotated[
        int,
        typer.Option(
            min=0, help="Number of processes (0 = one per core). Results do not depend on it."
        ),
    ] = 0,
) -> Shown:
    """Let bots play many games, and compare the levels.

    The levels move by one seat from game to game, so choose a multiple of the number of seats.
    Results depend only on the seed, thinking times also on this machine.

    Example: pbem simulate phyliss --players 4 --bots hard,easy --games 200
    """
    pairing = seating.pairing(ruleset)
    played = _play_all(pairing, games, workers or os.cpu_count() or 1)
    rows = standings(played)
    ended = [game.reason for game in played]
    reasons = {reason: ended.count(reason) for reason in sorted(set(ended))}
    plies, turns = _mean([game.plies for game in played]), _mean([game.turns for game in played])
    return Shown(
        {
            "ruleset": str(pairing.ruleset),
            "options": dict(pairing.options),
            "seats": list(pairing.bots),
            "seed": pairing.seed,
            "games": len(played),
            "plies_per_game": plies,
            "turns_per_game": turns,
            "reasons": reasons,
            "bots": [_row(row) for row in rows],
        },
        table(
            f"{pairing.ruleset.name}, {counted(len(pairing.bots), 'seat')},"
            f" {counted(len(played), 'game')}, seed {pairing.seed}",
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
        ),
        f"A game has {plies:.0f} plies in {turns:.0f} turns."
        f" Ended: {', '.join(f'{reason} {count}' for reason, count in reasons.items())}.",
        "Place: 1 for the first, 0 for the last, equal ones share; even is 0.5. Thought: seconds of"
        " one core per decision on this machine.",
        *[
            f"{row.bot} gave no legal answer {counted(row.faults, 'time')}; a cautious move was made."
            for row in rows
            if row.faults
        ],
    )


def _row(row: ArenaScore) -> Row:
    return {
        "bot": row.bot,
        "seats": row.seats,
        "wins": _estimate(row.wins),
        "even_wins": row.even_wins,
        "place": _estimate(row.share),
        "faults": row.faults,
        "thought": {
            "decisions": row.thought.count,
            "mean_seconds": row.thought.mean,
            "longest_seconds": row.thought.longest,
        },
    }


def _estimate(estimate: Estimate) -> Row:
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}


def _interval(estimate: Estimate) -> str:
    return f"{estimate.mean:.2f} ({estimate.low:.2f}–{estimate.high:.2f})"


def _mean(counts: list[int]) -> float:
    return sum(counts) / len(counts)


def _play_all(pairing: Pairing, games: int, workers: int) -> list[Played]:
    """Play all games on several cores, and return the results in the order of the games."""
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
