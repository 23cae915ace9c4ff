"""Findings of a check-up: what was looked at, how it is, and what helps."""

from __future__ import annotations

from dataclasses import dataclass

OK, HINT, WARN, FAIL = "ok", "hint", "warn", "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a check-up.

    Attributes:
        name: what was looked at.
        status: `ok`, `hint` (cannot be checked from here), `warn` or `fail`.
        text: how it is; holds no password, key or player's address.
        remedy: what to do about it; empty where nothing is to be done.
    """

    name: str
    status: str
    text: str
    remedy: str = ""
