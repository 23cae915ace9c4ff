"""Test that the faults of chaos runs happen as described, and that the service recognises them."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from pbem.clock import SystemClock
from pbem.errors import TransientDeliveryError
from pbem.mail_out.deliver import SmtpDelivery
from pbem.sections import Smtp
from trials.chaos.clocked import set_wrong
from trials.chaos.office import OfficeTrouble, open_troubled_office
from trials.chaos.processes import ServiceError, ServiceProcess
from trials.chaos.troubles import write_whole
from trials.chaos.wire import Moments

READER, RAW = "anna@friends.example", b"Subject: x\r\n\r\n" + b"words\r\n" * 50
SCOPES = {"later": "recipient", "full": "mail", "421": "server", "stall": "server"}


@pytest.mark.parametrize("trouble", get_args(OfficeTrouble))
async def test_trouble_of_the_mail_server_passes(trouble: OfficeTrouble) -> None:
    """The sender retries after every fault. Messages accepted before the fault arrive twice."""
    async with open_troubled_office([READER]) as office:
        server = Smtp(host="127.0.0.1", port=office.port, security="none", timeout=0.3)
        delivery = SmtpDelivery(server, final_patience=0.3)
        office.begin(trouble)
        with pytest.raises(TransientDeliveryError) as caught:
            await delivery.send(RAW, "", READER)
        assert caught.value.scope == SCOPES.get(trouble, "unanswered")
        assert office.met == 1
        assert len(office.delivered) == trouble.endswith("kept")
        office.end()
        await delivery.send(RAW, "", READER)
        assert {raw for _, raw in office.delivered} == {RAW}


async def test_a_mail_server_that_is_gone_comes_back_at_its_port() -> None:
    async with open_troubled_office([READER]) as office:
        port = office.port
        office.close()
        delivery = SmtpDelivery(Smtp(host="127.0.0.1", port=port, security="none", timeout=0.3))
        with pytest.raises(TransientDeliveryError):
            await delivery.send(RAW, "", READER)
        await office.open()
        assert office.port == port
        await delivery.send(RAW, "", READER)


def test_a_clock_is_wrong_by_what_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock file is read at each call."""
    right = SystemClock.now
    monkeypatch.setattr(SystemClock, "now", right)  # restored at the end
    file = tmp_path / "clock"
    set_wrong(file)
    for seconds in (0, 86400, -86400):
        write_whole(file, str(seconds))
        wrong_by = SystemClock().now() - right(SystemClock())
        assert abs(wrong_by - timedelta(seconds=seconds)) < timedelta(minutes=1)


NOBODY_IS_THERE = """
[service]
address = "game@play.example.org"
[smtp]
host = "127.0.0.1"
[database]
url = "postgresql://nobody@127.0.0.1:1/none"
"""


@pytest.mark.parametrize("is_excused", [True, False])
async def test_a_service_may_fail_to_start_only_while_the_database_is_away(
    tmp_path: Path, *, is_excused: bool
) -> None:
    """The line with a startup error is not mistaken for the line of a listening service."""
    config, clock = tmp_path / "pbem.toml", tmp_path / "clock"
    config.write_text(NOBODY_IS_THERE, encoding="utf-8")
    write_whole(clock, "0")
    env = {"PBEM_SERVICE__KEY": "0" * 64, "PBEM_DATABASE__KEYS_FILE": str(tmp_path / "none")}
    process = ServiceProcess(
        config, 0, env, Moments(), tmp_path / "log", clock, is_excused=lambda _: is_excused
    )
    watcher = asyncio.create_task(process.supervise())
    while not process.failed and not watcher.done():  # noqa: ASYNC110  (nobody is told)
        await asyncio.sleep(0.05)
    assert process.failed == is_excused
    if not is_excused:
        with pytest.raises(ServiceError, match="ended by itself with 1"):
            await watcher
    watcher.cancel()
    await asyncio.gather(watcher, return_exceptions=True)
