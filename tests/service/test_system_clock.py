"""Test parts of the service that use the system clock."""

from __future__ import annotations

import asyncio
import email
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory, real_datetime

from pbem.clock import SystemClock
from pbem.domain.log.clock_events import TurnTimedOut
from pbem.domain.terms.timing import Timing
from pbem.service.runner import Runner
from tests.service.conftest import Table, configured

BEGIN = datetime(2026, 3, 27, 12, tzinfo=UTC)
"""The clocks of Berlin change on the second night of this week."""
TICK = timedelta(hours=6)
ROUND = timedelta(days=2)


OTHERS = [
    "pbem.domain",
    "pbem.mail_in",
    "pbem.mail_out",
    "pbem.service",
    "pbem.store",
    "sqlalchemy",
]
"""What is given the time, and must not meet freezegun's own class of instants."""


class FrozenClock(SystemClock):
    """The machine's clock; freezegun's own class of instants cannot be written into a log."""

    def now(self) -> datetime:
        frozen = super().now()
        return real_datetime.combine(frozen.date(), frozen.time(), UTC)


def test_a_week_of_the_service(table: Table) -> None:
    """Reminders, cautious moves and the bot come at their hours, and mails are dated by the clock."""
    with freeze_time(BEGIN, real_asyncio=True, ignore=OTHERS) as frozen:
        assert isinstance(frozen, FrozenDateTimeFactory)
        clock = replace(table.service, clock=FrozenClock())
        table.service = configured(clock, outage_after=timedelta(days=1))
        table.clock = FrozenClock()  # type: ignore[assignment]
        game = table.started(2, timing=Timing(int(ROUND.total_seconds())))
        seat = int(game.to_act[0])
        runner = Runner(table.service, table.delivery, lambda _at: None)
        told: dict[datetime, int] = {}
        for _ in range(28):
            frozen.tick(TICK)
            told[FrozenClock().now()] = asyncio.run(runner.run_once())
        assert SystemClock().now() == BEGIN + timedelta(days=7)
        missed = [one for one in table.log(game) if isinstance(one.event, TurnTimedOut)]
    assert missed[0].event.seat == seat  # type: ignore[union-attr]
    assert [one.recorded_at - BEGIN for one in missed[:2]] == [ROUND + TICK, 2 * (ROUND + TICK)]
    reminders = [mail for mail in table.mails_to(seat) if "Still your turn" in mail.words]
    assert reminders
    assert BEGIN + ROUND / 2 in told
    assert told[BEGIN + ROUND / 2] == 1
    for mail in table.delivery.mails:
        date = parsedate_to_datetime(str(email.message_from_bytes(mail.raw)["Date"]))
        assert (date - BEGIN) % TICK == timedelta()
        assert BEGIN <= date <= BEGIN + timedelta(days=7)
