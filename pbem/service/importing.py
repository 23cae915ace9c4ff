"""A game of another installation, taken in as it is: ids, hashes and instants stay.

What comes from a file is believed in nothing: an export is verified from its bytes, and again as it
was read back from this database, in the transaction that appends it. People are known by their ids
only; whoever this installation does not know is shown as `somebody`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pbem.domain.log import GameId
from pbem.errors import Refusal
from pbem.service import games
from pbem.service.context import Service
from pbem.service.exports import read_file
from pbem.service.verify import Report, verify_export, verify_game
from pbem.store import codec


@dataclass(frozen=True, slots=True)
class Imported:
    """What was taken in; `is_new` is False where the same game was here already."""

    report: Report
    is_new: bool


def take_in(service: Service, data: bytes) -> Imported:
    """Take in the export of a finished game, in one transaction; a second time changes nothing.

    Raises:
        LogError: the export does not verify.
        Refusal: it is that of a running game, or another log of this game is here.
    """
    export = read_file(data)
    report = verify_export(export, now=service.now())
    if not report.complete:
        raise Refusal(
            "running",
            "The game of this file still runs: its secrets are not in it, so it could not be played"
            " on from it. Nothing was imported; take it in when it is over.",
        )
    game_id = GameId(report.game_id)
    with service.store.unit_of_work() as uow:
        games.lock(uow, game_id)
        head = uow.events.head(game_id)
        if head == (report.events, report.head):
            return Imported(report, is_new=False)
        if head is not None:
            raise other_log(report, head)
        uow.events.adopt(export.events)
        stored = uow.events.read(game_id)
        uow.projections.apply(game_id, [codec.decode(event) for event in stored])
        return Imported(replace(verify_game(uow, game_id), checks=report.checks), is_new=True)


def other_log(report: Report, head: tuple[int, str]) -> Refusal:
    """Refuse what would fork a game; `head` is version and hash of the last event here."""
    return Refusal(
        "exists",
        f"Game {report.game_id} is here with another log: {head[0]} events, head {head[1]}; that of"
        f" the file has {report.events} events, head {report.head}. Nothing was imported.",
    )
