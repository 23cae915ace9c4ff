"""`pbem game …`: create games, inspect them and intervene.

Every player reads the reason for an admin's intervention.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import segno
import typer

from engine import rulebook
from pbem.bots import find_level
from pbem.cli.common import (
    ReasonOption,
    RulesetOptions,
    counted,
    duration,
    minute,
    option_values,
    pair,
)
from pbem.cli.frame import Shown, commands, table
from pbem.cli.listing import games as list_games
from pbem.cli.opening import GameArgument, OpenService, SeatArgument
from pbem.cli.rules import RulesetArgument, rules_shown
from pbem.domain.clock import deadlines as deadlines_of
from pbem.domain.log.chain import format_time
from pbem.domain.table.game import Game, OpenDeadline
from pbem.domain.terms.seats import BOT_LEVELS
from pbem.domain.terms.timing import Timing, to_json, with_words
from pbem.durations import duration_words
from pbem.games.options import option_sentences
from pbem.sections import OnTimeout
from pbem.service.admin import acts, clock_acts
from pbem.service.core import games, live_database
from pbem.service.core.context import Service
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import join_links, new_game
from pbem.service.logbook import replays
from pbem.service.logbook.event_words import bank_words

LOOK, TABLE, CLOCK = "Make and look", "Change the table (everybody reads why)", "Clock"
app = commands()


@dataclass(frozen=True, slots=True)
class ClockOptions:
    """Clock options of a new game. Missing values are taken from the configuration."""

    time_per_move: Annotated[
        str | None, typer.Option(help="Time per move: 3d, 36h, 90m, 45s (default: config).")
    ] = None
    clock: Annotated[
        list[str] | None,
        typer.Option(
            "--clock", help="Clock option as NAME=VALUE, e.g. bank=2d, falls_at=20; repeatable."
        ),
    ] = None

    def words(self) -> dict[str, str]:
        """Return the given values by name. Raises: Refusal."""
        given = dict(pair(text, "--clock NAME=VALUE") for text in self.clock or [])
        if self.time_per_move is not None:
            duration(self.time_per_move, "--time-per-move")
            given["time_per_move"] = self.time_per_move
        return given


@app.command(rich_help_panel=LOOK)
def new(
    service: OpenService,
    ruleset: RulesetArgument,
    player: Annotated[
        list[str],
        typer.Option(
            "--player",
            "-p",
            help="NAME=ADDRESS, bot, “hard bot” or open, once for each seat in order. A language can"
            " follow the address of a new player: “Klaus=klaus@example.org de”.",
        ),
    ],
    clock: ClockOptions,
    option: RulesetOptions = None,
    anonymous_talk: Annotated[
        bool, typer.Option("--anonymous-talk", help="Allow anonymous talk.")
    ] = False,
    sender: Annotated[
        str,
        typer.Option(
            "--from",
            help="Name of the inviting person. A player with this name becomes the creator.",
            metavar="NAME",
        ),
    ] = "",
    note: Annotated[
        str, typer.Option("--note", help="Personal note in the invitations.", metavar="TEXT")
    ] = "",
) -> Shown:
    """Create a game and invite its players by mail.

    Example: pbem game new phyliss -p Anna=anna@example.org -p Bob=bob@example.org --from Anna
    """
    created = lobby.create_game(
        service,
        [_seat(service, text) for text in player],
        lobby.GamePlan(
            ruleset,
            options=option_values(option),
            timing=with_words(service.timing, clock.words()),
            anonymous_talk=anonymous_talk,
            invited_by=_inviter(service, sender),
            note=note.strip(),
        ),
    )
    mails, proposal = new_game.expected_mails(created), new_game.shorter(created)
    invited = sum(seat.status == "invited" for seat in created.seats)
    words = [
        f"Game {created.id} is created. Invitations queued: {invited}.",
        f"Commitment to the shuffles: {created.commitment}",
    ]
    with service.store.reading() as uow:
        outdated = live_database.outdated(uow, service.now())
    if outdated:
        words.append(
            f"Restart `pbem serve` (process {', '.join(outdated)}): it started before this program was"
            " installed, so the invitations may not leave."
        )
    if mails is not None:
        words.append(f"A game like this takes about {mails} mails, all players together.")
    if proposal is not None:
        words.append(
            f"That is long. With -o {proposal.option}={proposal.value} a game takes about"
            f" {proposal.mails} mails."
        )
    return Shown(
        {
            "ok": True,
            "game": created.id,
            "commitment": created.commitment,
            "expected_mails": mails,
            "outdated_serve": outdated,
        },
        *words,
    )


def _seat(service: Service, text: str) -> lobby.Person | lobby.Bot | lobby.OpenSeat:
    """Parse a `--player` option as a person, a bot or an open seat. Raises: Refusal."""
    if text.strip().lower() == "open":
        return lobby.OpenSeat()
    level, _, word = text.strip().lower().rpartition(" ")
    if word != "bot":
        name, address = pair(text, "--player NAME=ADDRESS, bot or open")
        return lobby.Person(name, *address.split(maxsplit=1))
    return lobby.Bot(find_level(level, (*service.config.bots,)).name if level else BOT_LEVELS[0])


def _inviter(service: Service, given: str) -> str:
    """Return the name of the inviting person, prompting for it at a terminal."""
    if not given.strip() and sys.stdin.isatty():
        given = typer.prompt("Who invites? The players read this name", default="", err=True)
    return given.strip() or f"The admin of {service.config.service.name}"


app.command("list", rich_help_panel=LOOK)(list_games)


@app.command(rich_help_panel=LOOK)
def show(service: OpenService, game: GameArgument) -> Shown:
    """Show the seats, the players to move and their deadlines, but no hidden cards.

    Example: pbem game show k7q2m3x9ab
    """
    with service.store.reading() as uow:
        shown = games.load(uow, game)
        names = games.seat_names(uow, shown.seats)
    due = _due(shown)
    banks = [deadlines_of.bank_left(shown, number) for number in range(len(names))]
    # all seats of a secret choice: a seat that has chosen is not shown here (GEN-6)
    asked = [number for number in range(len(names)) if shown.may_decide(number)]
    seats = list(enumerate(zip(names, shown.seats, strict=True)))
    return Shown(
        {
            "game": shown.id,
            "ruleset": str(shown.ruleset.id),
            "status": shown.status,
            "options": shown.options,
            "seats": [
                {
                    "seat": number,
                    "name": name,
                    "status": seat.status,
                    "controller": seat.controller,
                    "bank_left": banks[number],
                }
                for number, (name, seat) in seats
            ],
            "to_act": asked,
            "base_at": None if due is None else due.base_at,
            "due_at": None if due is None else due.due_at,
            "counts_until": None if due is None else due.fires_at,
            "paused": shown.paused_at is not None,
            "clock": to_json(shown.timing),
            "version": shown.version,
            "head": shown.head,
        },
        table(
            f"{shown.ruleset.title} {shown.id}: {shown.status}",
            ("seat", "name", "status", "to act", "until (UTC)", "time bank"),
            [
                (
                    number,
                    name,
                    seat.status if seat.controller == "person" else "bot",
                    "yes" if number in asked else "",
                    minute(due.base_at) if number in asked and due is not None else "",
                    bank_words(banks[number]),
                )
                for number, (name, seat) in seats
            ],
        ),
        *([] if due is None else [_until(shown, due)]),
        *clock_words(shown.timing),
        *option_sentences(shown.ruleset, shown.options, names),
        *([] if shown.paused_at is None else ["The clock is stopped."]),
        f"event {shown.version}, head {shown.head}",
    )


@app.command(rich_help_panel=LOOK)
def rules(service: OpenService, game: GameArgument) -> Shown:
    """Print the rules of a game with the options that its players agreed on.

    Example: pbem game rules k7q2m3x9ab
    """
    with service.store.reading() as uow:
        shown = games.load(uow, game)
    its = rulebook.terms(shown.ruleset, len(shown.seats), shown.options)
    return rules_shown(shown.ruleset, its)


# --- what changes the table -----------------------------------------------------------------------


@app.command(rich_help_panel=LOOK)
def link(
    service: OpenService,
    game: GameArgument,
    is_off: Annotated[bool, typer.Option("--off", help="End the link.")] = False,
) -> Shown:
    """Make an invitation link to the free seats of a game, with a QR code.

    A visitor enters a name and an address on its page, and gets a seat after answering a message.

    Example: pbem game link k7q2m3x9ab
    """
    if is_off:
        join_links.end_of(service, game)
        return Shown({"ok": True, "url": ""}, "The invitation link of this game has ended.")
    new_link = join_links.make_of(service, game)
    url = join_links.address(service, new_link)
    picture = io.StringIO()
    segno.make(url, error="m").terminal(picture, border=2, compact=True)
    return Shown(
        {"ok": True, "url": url, "expires_at": format_time(new_link.expires_at)},
        picture.getvalue(),
        url,
        f"It ends when all seats are taken, or on {minute(new_link.expires_at)}, or with --off.",
    )


@app.command(rich_help_panel=TABLE)
def stop(service: OpenService, game: GameArgument, reason: ReasonOption) -> Shown:
    """End a game without a result and open its secret.

    Example: pbem game stop k7q2m3x9ab --reason "All of us agreed to."
    """
    after = acts.stop(service, game, reason)
    return _changed(after, "The game is stopped, and its secret is public.")


@app.command(rich_help_panel=TABLE)
def remove(
    service: OpenService, game: GameArgument, who: SeatArgument, reason: ReasonOption
) -> Shown:
    """Remove a player from a running game permanently, as if they had resigned (GEN-7).

    Example: pbem game remove k7q2m3x9ab Bob --reason "He asked me to."
    """
    return _changed(acts.remove(service, game, who, reason), f"{who} has left the game.")


@app.command(rich_help_panel=TABLE)
def undo(
    service: OpenService,
    game: GameArgument,
    to: Annotated[
        str,
        typer.Option(help="Position to return to: 17 (before move 17) or @41 (after event 41)."),
    ],
    reason: ReasonOption,
) -> Shown:
    """Take moves back.

    The table goes back, but the log keeps everything, and players remember the cards they saw.

    Example: pbem game undo k7q2m3x9ab --to 17 --reason "Move 17 was read wrongly."
    """
    after = acts.undo(service, game, to, reason)
    text = f"{after.ruleset.ply(after.state)} moves are made now"
    return _changed(after, f"Taken back: {text}. Everybody is mailed the table.")


@app.command(rich_help_panel=TABLE)
def replace(
    service: OpenService,
    game: GameArgument,
    who: SeatArgument,
    by: Annotated[str, typer.Argument(help="NAME=ADDRESS of the new player.")],
    reason: ReasonOption,
    agreed: Annotated[
        bool,
        typer.Option(
            "--agreed", help="The new player has already agreed, and takes the seat at once."
        ),
    ] = False,
) -> Shown:
    """Offer a seat to another person, who takes it with `join`.

    Until then its player can come back.

    Example: pbem game replace k7q2m3x9ab Bob Dora=dora@example.org --reason "Bob is ill."
    """
    person = lobby.Person(*pair(by, "NAME=ADDRESS"))
    seat = replays.seat_of(service, game, who)
    after = acts.replace(service, game, who, person, reason, agreed=agreed)
    asked = next((offer.player for offer in after.offers if offer.seat == seat), None)
    with service.store.reading() as uow:
        (name,) = games.shown_names(uow, [asked or after.seats[seat].player])
    text = f"{name} plays on for {who}."
    if asked is not None:
        text = f"{name} is asked to play on for {who}."
    elif after.status == "inviting":
        text = f"{name} is invited in place of {who}."
    return _changed(after, text)


@app.command(rich_help_panel=TABLE)
def adjudicate(
    service: OpenService,
    game: GameArgument,
    ranking: Annotated[str, typer.Argument(help='Ranking of all players: "Anna, Bob = Carol".')],
    reason: ReasonOption,
    judge: Annotated[
        str | None, typer.Option(help="Address of an admin who does not play in the game.")
    ] = None,
) -> Shown:
    """End a game with a ranking and open its secret.

    An admin who plays in it needs another judge.

    Example: pbem game adjudicate k7q2m3x9ab "Anna, Bob = Carol" --reason "Bob moved away."
    """
    after = acts.adjudicate(service, game, ranking, reason, judge=judge)
    return _changed(after, "The game has ended with that ranking, and its secret is public.")


def _changed(after: Game, words: str) -> Shown:
    return Shown(
        {
            "ok": True,
            "game": after.id,
            "status": after.status,
            "version": after.version,
            "head": after.head,
        },
        words,
        f"event {after.version}, head {after.head}",
    )


# --- what changes the clock -----------------------------------------------------------------------

_STATES = {
    "running": "",
    "mail": "stuck: a mail of the player is not handled",
    "unsent": "stuck: the turn mail has not left",
    "given_up": "stuck: the turn mail was given up; it is written anew twice a day",
    "asked": "the admins are asked",
    "waiting": "waits",
}


@app.command(rich_help_panel=CLOCK)
def deadlines(service: OpenService) -> Shown:
    """List deadlines, including late and stuck ones, seats of bots and stopped clocks.

    Example: pbem game deadlines
    """
    rows = clock_acts.deadlines(service)
    return Shown(
        [
            {
                "game": due.game_id,
                "seat": due.seat,
                "name": due.name,
                "due_at": due.due_at,
                "state": due.state,
            }
            for due in rows
        ],
        table(
            counted(len(rows), "deadline"),
            ("game", "seat", "name", "until (UTC)", ""),
            [
                (
                    due.game_id,
                    due.seat,
                    due.name,
                    minute(due.due_at),
                    _STATES.get(due.state, due.state),
                )
                for due in rows
            ],
        ),
    )


@app.command(rich_help_panel=CLOCK)
def pause(service: OpenService, game: GameArgument, reason: ReasonOption) -> Shown:
    """Stop the clock of a game. The players can still move.

    Example: pbem game pause k7q2m3x9ab --reason "Bob is in hospital"
    """
    after = acts.carry_out(service, game, clock_acts.pause, reason)
    return _timed(after, "The clock is stopped. The players are notified by mail.")


@app.command(rich_help_panel=CLOCK)
def resume(service: OpenService, game: GameArgument, reason: ReasonOption) -> Shown:
    """Restart the clock of a game with the time that was left.

    Example: pbem game resume k7q2m3x9ab --reason "Bob is back"
    """
    after = acts.carry_out(service, game, clock_acts.resume, reason)
    return _timed(after, "The clock is running again. The players are notified by mail.")


@app.command(rich_help_panel=CLOCK)
def extend(
    service: OpenService,
    game: GameArgument,
    time: Annotated[str, typer.Argument(help="Additional time: 2d, 36h.")],
    reason: ReasonOption,
) -> Shown:
    """Grant more time to the players whose turn it is.

    Example: pbem game extend k7q2m3x9ab 2d --reason "the mail server was down"
    """
    after = acts.carry_out(service, game, clock_acts.extend, duration(time), reason)
    return _timed(after, "The players are notified by mail.")


@app.command(rich_help_panel=CLOCK)
def bot(
    service: OpenService, game: GameArgument, seat: SeatArgument, reason: ReasonOption
) -> Shown:
    """Let a bot play for a seat until its player writes.

    Example: pbem game bot k7q2m3x9ab Bob --reason "He is at sea"
    """
    number = replays.seat_of(service, game, seat)
    after = acts.carry_out(service, game, clock_acts.hand_to_bot, number, reason)
    return _timed(after, "A bot plays for that seat. The players are notified by mail.")


@app.command(rich_help_panel=CLOCK)
def standby(
    service: OpenService, game: GameArgument, seat: SeatArgument, reason: ReasonOption
) -> Shown:
    """Play a safe move for a seat that is out of time.

    Example: pbem game standby k7q2m3x9ab Bob --reason "He has not answered for a week"
    """
    number = replays.seat_of(service, game, seat)
    after = acts.carry_out(service, game, clock_acts.stand_by, number, reason)
    return _timed(after, "A safe move was made for that seat. The players are notified by mail.")


def _timed(after: Game, words: str) -> Shown:
    due = _due(after)
    return Shown(
        {
            "ok": True,
            "game": after.id,
            "version": after.version,
            "paused": after.paused_at is not None,
            "due_at": None if due is None else due.due_at,
        },
        words,
        *([] if due is None else [_until(after, due)]),
    )


def _due(game: Game) -> OpenDeadline | None:
    """Return the deadline, or None if the clock is paused or the game has ended."""
    return None if game.paused_at or game.is_over else game.deadline


def _until(game: Game, due: OpenDeadline) -> str:
    """Describe when the time for a move, the time bank and the grace period end."""
    text = f"The deadline is {minute(due.base_at)} UTC"
    if due.due_at > due.base_at:
        text += f"; then the time bank runs, until {minute(due.due_at)} UTC at the latest"
    if game.timing.grace:
        text += f"; an answer counts until {minute(due.fires_at)} UTC"
    return f"{text}."


WHEN_TIME_IS_UP: Mapping[OnTimeout, str] = {
    "standby": "the service plays a safe move for them",
    "bot": "a bot plays for them until they write",
    "ask": "the admins are asked what happens",
    "forfeit": "they lose their seat for good",
    "wait": "they are reminded, and the others wait",
}


def clock_words(timing: Timing) -> Iterator[str]:
    """Yield sentences about a game's clock, addressed to an admin."""
    yield f"Each move has {duration_words(timing.time_per_move)}."
    if timing.fast:
        evening = f"{timing.evening_ends:%Y-%m-%d %H:%M} UTC"
        yield f"During a fast evening, until {evening}, it has {duration_words(timing.fast)}."
    if timing.choosing:
        yield f"A secret choice has {duration_words(timing.choosing)}."
    if timing.bank:
        more = f"; each move adds {duration_words(timing.increment)}" if timing.increment else ""
        yield f"Each player has a time bank of {duration_words(timing.bank)} for the whole game{more}."
    if timing.grace:
        yield f"An answer up to {duration_words(timing.grace)} after the deadline still counts."
    if timing.weekends_off:
        yield "Saturdays and Sundays do not count."
    if timing.falls_at >= 0:
        yield f"Deadlines fall at {timing.falls_at:02d}:00 of each player's own day."
    elif timing.quiet:
        begin, end = timing.quiet
        yield f"No deadline falls between {begin:02d}:00 and {end:02d}:00 of a player's own day."
    if timing.max_vacation:
        yield f"Each player can take {counted(timing.max_vacation, 'day')} of vacation."
    yield f"If players miss the deadline, {WHEN_TIME_IS_UP[timing.on_timeout]}."
    if timing.on_timeout == "standby" and timing.misses:
        yield f"After {counted(timing.misses, 'such turn')} in a row a bot plays until they write."
    if timing.excused and timing.counts_misses:
        of, moves = timing.excused
        yield f"Excused: {counted(of, 'missed turn')} in any {counted(moves, 'turn')} of a player."
    if timing.drop:
        yield f"After {counted(timing.drop, 'missed turn')} in a row the others can vote a player out."
    if not timing.hints:
        yield "No player can ask a bot for advice."
    if timing.unreachable == "wait":
        yield "The clock stands still for players whom mails do not reach."
