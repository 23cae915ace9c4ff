"""Test the reasons given when tests with servers are skipped."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.mail_servers.places import missing


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages that are not installed; somebody who may not start servers."""
    monkeypatch.setattr(shutil, "which", lambda name, path: None if name == "dovecot" else path)
    assert missing("dovecot", "mutt") == (
        "NOT TESTED: install dovecot-imapd, dovecot-lmtpd (.ci/run does)"
    )
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert missing("mutt") == "NOT TESTED: mail servers can be started by root only"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert missing("mutt") is None
