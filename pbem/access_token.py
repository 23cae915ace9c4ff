"""Run an admin's command that prints access tokens (XOAUTH2), for servers without passwords."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

PATIENCE_SECONDS = 60


class TokenCommandError(OSError):
    """Raised if a command prints no access token. The message never contains its output."""


def printed_token(command: Sequence[str]) -> str:
    """Run a command without a shell and return its first line. Raises: TokenCommandError.

    Tokens are valid for about an hour. The command caches and renews them, and runs at each login.
    Its child processes may keep its standard output open, so the end of the output is not awaited.
    """
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with os.fdopen(reading, "rb", buffering=0) as output, os.fdopen(writing, "wb") as stdout:
        try:
            done = subprocess.run(  # noqa: S603  (a command from the admin's configuration)
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise TokenCommandError(
                f"token_command did not end within {PATIENCE_SECONDS} seconds"
            ) from None
        except OSError as error:
            raise TokenCommandError(f"token_command cannot be run: {error.strerror}") from None
        text = output.read(1 << 16) or b""  # everything that fits into a pipe
    if done.returncode != 0:
        raise TokenCommandError(f"token_command failed with exit code {done.returncode}")
    token = next(iter(text.decode("ascii", "replace").splitlines()), "").strip()
    if not token.isascii() or not token.isprintable() or not token or " " in token:
        raise TokenCommandError("token_command must print one access token, and nothing before it")
    return token
