"""`pbem key …`: the keys that seal what is secret in the database, and a copy of all keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pbem.bootstrap import build_store
from pbem.cli.common import (
    REFUSED,
    ConfigOption,
    JsonOption,
    PassphraseOption,
    ask_passphrase,
    commands,
    complain,
    counted,
    out,
    print_json,
    print_table,
    progress,
    read_config,
    refusals,
)
from pbem.clock import SystemClock
from pbem.service.logbook import keys
from pbem.service.logbook.keys import Resealed
from pbem.store.db.uow import Store
from pbem.store.seal.envelope import PLAIN

app = commands()


@app.command("list")
def list_keys(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the keys, oldest first, and how many envelopes each of them seals; shows no key.

    Example: pbem key list
    """
    with refusals(as_json=as_json), _opened(config) as (store, file):
        found = keys.usage(store, keys.ring_of(file))
        current = found.ring.current
        rows = [
            (key.kid, key.made_on.isoformat(), "seals" if key is current else "opens")
            for key in found.ring.keys
        ]
        rows += [
            (kid, "", "given up" if kid in found.ring.lost else "MISSING") for kid in found.missing
        ]
        if found.counts.get(PLAIN) or not rows:
            rows.append((PLAIN, "", "not sealed"))
        if as_json:
            for kid, made_on, state in rows:
                print_json(
                    {
                        "key": kid or None,
                        "made_on": made_on or None,
                        "state": state.lower(),
                        "envelopes": found.counts.get(kid, 0),
                    }
                )
            return
        print_table(
            str(file),
            ("key", "made on", "state", "envelopes"),
            [(*row, found.counts.get(row[0], 0)) for row in rows],
        )


@app.command()
def rotate(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Make a new key and seal everything with it; the service may run meanwhile.

    Killed in the middle: `pbem key reseal` goes on. Also makes the first key of a database that
    was not sealed. Reply addresses do not change: another key makes them. Example: pbem key rotate
    """
    with refusals(as_json=as_json), _opened(config) as (store, file):
        key = keys.rotate(store, file, SystemClock().now().date())
        if not as_json:
            out.print(f"The key {key.kid} is in {file} and seals from now on.", soft_wrap=True)
        _print_resealed(
            keys.reseal(store, file, progress("sealing", "rows")), key.kid, as_json=as_json
        )
        if not as_json:
            out.print("Make a new backup now: pbem key backup FILE")


@app.command()
def reseal(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Seal with the current key what another one seals, or none; goes on where it was killed.

    Example: pbem key reseal
    """
    with refusals(as_json=as_json), _opened(config) as (store, file):
        _print_resealed(
            keys.reseal(store, file, progress("sealing", "rows")), None, as_json=as_json
        )


@app.command()
def retire(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Take keys that seal nothing any more out of the key file.

    Older backups of the database still need them: keep the backup of the keys of that time.
    Example: pbem key retire
    """
    with refusals(as_json=as_json), _opened(config) as (store, file):
        gone = keys.retire(store, file)
        if as_json:
            print_json({"ok": True, "retired": gone})
        elif gone:
            out.print(f"Taken out: {', '.join(gone)}. Older backups of the database need them.")
        else:
            out.print("Every key is in use.")


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(help="File to write.")],
    passphrase_file: PassphraseOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all keys into a file that a passphrase protects; keep both apart from the database.

    Those that seal the database, and those of the reply addresses; no passwords.

    Example: pbem key backup keys-2026-11.json
    """
    with refusals(as_json=as_json):
        settings = read_config(config)
        kept = keys.backup(settings, to, ask_passphrase(passphrase_file, is_new=True))
        kids = [key.kid for key in kept.ring.keys]
        if as_json:
            print_json({"ok": True, "file": str(to), "keys": kids, "reply_keys": len(kept.signing)})
        else:
            out.print(
                f"Wrote {counted(len(kids), 'key')} of the database and"
                f" {counted(len(kept.signing), 'key')} of the reply addresses into {to}.",
                soft_wrap=True,
            )


@app.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="File that `pbem key backup` wrote.")],
    passphrase_file: PassphraseOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put the keys of a backup into their files; keys that are there stay.

    Example: pbem key restore keys-2026-11.json
    """
    with refusals(as_json=as_json):
        settings = read_config(config, may_lack_secrets=True)
        passphrase = ask_passphrase(passphrase_file, is_new=False)
        done = keys.restore(settings, backup, passphrase)
        if as_json:
            print_json(
                {
                    "ok": True,
                    "added": done.kids,
                    "files": [str(file) for file in done.files],
                    "unnamed": [str(file) for file in done.unnamed],
                    "signing": done.is_signing,
                }
            )
            return
        if done.kids:
            out.print(f"Put back: {', '.join(done.kids)}.")
        for file in done.files:
            out.print(f"Put back: {file}, a key of the reply addresses.", soft_wrap=True)
        if not (done.kids or done.files):
            out.print("All keys of the backup are here already.")
        if done.unnamed:
            named = ", ".join(f'"{file}"' for file in done.unnamed)
            out.print(
                f"For answers to older mails: old_key_files = [{named}] under [service].",
                soft_wrap=True,
            )
        if not done.is_signing:
            out.print(
                f"Still missing, and not in the backup: {settings.service.key_file}.",
                soft_wrap=True,
            )


@app.command("give-up")
def give_up(
    really: Annotated[
        bool, typer.Option("--really", help="Do it; without it you are only told what is lost.")
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on without keys that are lost and have no backup: says what is lost, then makes a new key.

    Nothing sealed is deleted: should a backup turn up, `pbem key restore` opens it again.
    Example: pbem key give-up --really
    """
    with refusals(as_json=as_json), _opened(config) as (store, file):
        lost = keys.give_up(store, file, SystemClock().now(), really=really)
        if as_json:
            print_json(
                {
                    "ok": True,
                    "done": really and bool(lost.kids),
                    "keys": lost.kids,
                    "games": lost.games,
                    "mails_in": lost.mails_in,
                    "mails_out": lost.mails_out,
                    "players": lost.players,
                }
            )
            return
        if not lost.kids:
            out.print("No key is missing.")
            return
        out.print(f"Without {', '.join(lost.kids)} these are lost:")
        out.print(f"- games that cannot go on: {', '.join(lost.games) or 'none'}", soft_wrap=True)
        out.print(f"- mails that came in and wait: {lost.mails_in}, to be shunted")
        out.print(f"- mails that were to leave: {lost.mails_out}, to be marked as failed")
        out.print(
            "- proof whose the addresses of these players are, which are believed as they stand:"
            f" {', '.join(lost.players) or 'none'}",
            soft_wrap=True,
        )
        out.print("The moves of these games can still be exported and verified.")
        if really:
            out.print("Done. New games are sealed with another key: make a backup of it.")
        else:
            out.print("Nothing was changed. Look for a backup first; then: --really")


@contextmanager
def _opened(config: Path | None) -> Iterator[tuple[Store, Path]]:
    """Return the database and the path of the key file, which may be missing."""
    settings = read_config(config)
    file = keys.configured(settings.database.keys_file)
    store = build_store(settings, may_lack_keys=True)
    try:
        yield store, file
    finally:
        store.close()


def _print_resealed(done: Resealed, kid: str | None, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "ok": not done.unopened,
                **({} if kid is None else {"key": kid}),
                "resealed": done.envelopes,
                "all": done.is_all,
                "clean": done.is_clean,
                "unopened": done.unopened,
            }
        )
    else:
        out.print(f"Sealed anew: {counted(done.envelopes, 'envelope')}.")
        if not done.is_all and not done.unopened:
            out.print("Something was written meanwhile; run `pbem key reseal` once more.")
        if not done.is_clean:
            out.print(
                "The database is in use, so traces of old texts may be left in the file: stop the"
                " service and run `pbem db vacuum`."
            )
        for text in done.unopened:
            complain(text)
    if done.unopened:
        raise typer.Exit(REFUSED)
