"""Test that a resigned player is reported as having left, in every message (GEN-7)."""

from __future__ import annotations

import pytest

from engine import registry
from pbem.domain.log.seat_events import SeatResigned
from pbem.domain.table.game import Game
from pbem.service.evidence import auditing
from pbem.service.logbook import replays
from pbem.service.logbook.replay_page import page_data
from tests.service.conftest import NAMES, Table


def read_reports(table: Table, game: Game) -> tuple[list[str], list[str]]:
    """Return the texts of audit and replay page about the resignation."""
    (at,) = [item.version for item in table.log(game) if isinstance(item.event, SeatResigned)]
    inquiry = auditing.inquire(table.service, auditing.audit(table.service, game.id), f"@{at}")
    page = page_data(replays.replay(table.service, game.id))
    (step,) = [step for step in page["steps"] if step["event"] == at]
    return list(inquiry.told), step["say"]


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize("ruleset", registry.names())
def test_a_resignation_is_told(table: Table, ruleset: str) -> None:
    """Report it in messages, history, replay and audit of every game, in both languages."""
    game = table.started(3, ruleset=ruleset)
    table.answer(2, "language de")
    table.answer_twice(1, "resign confirm")
    left = {0: "Bob has left the game.", 1: "You have left the game.",
            2: "Bob hat die Partie verlassen."}  # fmt: skip
    for seat, sentence in left.items():
        assert sentence in table.ask(seat, "board").words
        assert sentence in table.ask(seat, "history").words
    audited, replayed = read_reports(table, game)
    assert left[0] in audited
    assert left[0] in replayed


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize(
    ("ruleset", "options", "place"),
    [("phyliss", {}, "out"), ("phalanx", {"ante": 3, "seed": 2}, "eliminated")],
)
def test_nobody_is_called_resigned_who_had_earned_a_place(
    table: Table, ruleset: str, options: dict[str, int], place: str
) -> None:
    """The place stays, and no message speaks of cards that leave the game."""

    def ranked(game: Game) -> list[int]:
        seats = game.ruleset.view(game.state, None)["seats"]
        return [seat for seat, own in enumerate(seats) if own[place] is not None]

    game = table.started(3, ruleset=ruleset, **options)
    game = table.skip(game, 400, until=lambda now: bool(ranked(now)))
    (seat,) = ranked(game)
    stays = [other for other in (0, 1, 2) if other != seat]
    before = table.last_to(stays[0]).words
    table.answer_twice(seat, "resign confirm")
    assert not table.game(game.id).is_over
    for reader in stays:
        words = table.ask(reader, "board").words
        assert f"{NAMES[seat]} has left the table; the place already won stays." in words
        assert f"{NAMES[seat]} has left the game" not in words
        assert "can no longer win" not in words
        assert words.count("out of the game now") == before.count("out of the game now")
    assert "the place that you have already won stays" in table.ask(seat, "history").words
    audited, _ = read_reports(table, game)
    assert audited == [f"{NAMES[seat]} has left the table; the place already won stays."]
