"""Test an admin's templates: a broken template delays messages without losing any."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from pbem import resources
from pbem.mail_out.render import Renderer
from tests.service.conftest import Table, configured

ADMIN = "root@example.org"


def override(table: Table, folder: Path, name: str, text: str) -> Path:
    """Put a template over ours."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    renderer = Renderer([folder, resources.templates_dir() / "email"])
    table.service = replace(configured(table.service, admins=(ADMIN,)), renderer=renderer)
    return file


def test_a_broken_template_loses_no_mail(table: Table, tmp_path: Path) -> None:
    """The message is kept, and admins are notified once with built-in templates. It is sent after the repair."""
    file = override(table, tmp_path, "lobby/invitation/body.txt", "{% if %}")
    table.new_game(2)
    table.run()
    (alert,) = table.delivery.mails
    assert alert.rcpt_to == ADMIN
    assert "could not be written" in alert.text
    assert "pbem doctor" in alert.text
    assert {row.status for row in table.outbox() if row.kind == "invitation"} == {"pending"}
    file.write_text("Welcome to our table.\n")
    table.run_at(table.clock.now() + timedelta(minutes=2))
    assert [mail.text.strip() for mail in table.delivery.mails[1:]] == ["Welcome to our table."] * 2


def test_a_fault_in_what_all_mails_share_still_alerts(table: Table, tmp_path: Path) -> None:
    """The alert does not use the broken template."""
    override(table, tmp_path, "_base/mail.html", "{{ nothing_of_that_name }}")
    table.new_game(2)
    table.run()
    assert [mail.rcpt_to for mail in table.delivery.mails] == [ADMIN]
