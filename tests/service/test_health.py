"""What a monitor is told: how much waits, which games stand still, how much room there is."""

from __future__ import annotations

from datetime import timedelta

from pbem.service.health import look
from pbem.store.rows import INBOX, OUTBOX
from tests.service.conftest import Table


def test_figures_have_no_end(table: Table) -> None:
    """More than a thousand mails wait, and the old ones are not the newest."""
    long_ago, now = table.clock.now() - timedelta(days=1), table.clock.now()
    out = {"kind": "turn", "params": "{}", "status": "pending", "attempts": 0, "failures": 0}
    into = {"raw": "", "raw_sha256": "", "attempts": 0, "transport": "smtp", "status": "new"}
    with table.service.store.unit_of_work() as uow:
        for number in range(1200):
            at = long_ago if number < 100 else now
            times = {"not_before": at, "created_at": at}
            row = out | times | {"key": f"k{number}", "message_id": f"m{number}@x"}
            uow.connection.execute(OUTBOX.insert(), row)
            uow.connection.execute(INBOX.insert(), into | {"key": f"k{number}", "arrived_at": at})
    found = look(table.service)
    assert (found.unsent, found.stuck, found.unread) == (1200, 100, 1200)
    assert "100 mails came in and were not handled for minutes" in found.problems
