"""Upgrade an older installation in the middle of its games: `python -m trials.upgrade`.

The program of the older commit is installed in a separate environment and serves games of every kind
over real mail. It is killed while it sends a message. Then it is upgraded to the current program as
in docs/install.md ("Upgrading"), and the players continue by answering messages of the old program.
Exit codes: 0 all checks passed, 1 a check failed, 2 usage.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.databases import postgres_server
from tests.mail_servers.dovecot import dovecot
from trials.upgrade.programs import UpgradeError, install, install_games
from trials.upgrade.run import IMAP_USER, ROOT, Plan, play

NEW = Path(sys.executable).parent


def main() -> None:
    """Run the upgrade on each database that the arguments select."""
    options = argparse.ArgumentParser(prog="make upgrade", description="Upgrade during games.")
    options.add_argument("--commit", default=":/^Version 1.0.0", help="the older program's commit")
    options.add_argument("--database", choices=("sqlite", "postgres"), help="only this one")
    options.add_argument("--new", type=Path, default=NEW, help="folder with the present `pbem`")
    given = options.parse_args()
    build = ROOT / "build" / "upgrade"
    old = install(ROOT, given.commit, build)
    games = install_games(old, ROOT, build / "games")
    for database in [given.database] if given.database else ("sqlite", "postgres"):
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="pbem-upgrade-") as name, ExitStack() as stack:
            folder = Path(name)
            folder.chmod(0o755)  # Dovecot reads its files as another user
            plan = Plan(folder, old, given.new, games)
            if database == "postgres":  # with a listener, as behind Postfix
                server = stack.enter_context(postgres_server())
                plan.url = stack.enter_context(server.database("template0"))
                plan.spare_url = stack.enter_context(server.database("template0"))
            else:  # with an ordinary mailbox
                plan.mailbox = dovecot(folder / "dovecot")
                stack.enter_context(plan.mailbox.running())
                plan.mailbox.count = IMAP_USER
            report = asyncio.run(play(plan))
        print(f"ok  {database}: {report}, {time.monotonic() - began:.0f} s", flush=True)  # noqa: T201


if __name__ == "__main__":
    try:
        main()
    except UpgradeError as error:
        sys.exit(str(error))
