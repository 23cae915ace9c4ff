"""`pbem key …`: the keys that encrypt the database, and a backup of all keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pbem.bootstrap import build_store
from pbem.cli.common import ask_passphrase, counted, progress, say
from pbem.cli.frame import REFUSED, ConfigOption, JsonOption, Opens, Shown, commands, table
from pbem.cli.opening import read_config
from pbem.clock import SystemClock
from pbem.service.logbook import keys
from pbem.store.db.uow import Store
from pbem.store.seal.envelope import PLAIN

app = commands()

PassphraseOption = Annotated[
    Path | None,
    typer.Option("--passphrase-file", help="File with the passphrase (default: prompt)."),
]


@contextmanager
def _opened(config: Path | None) -> Iterator[tuple[Store, Path]]:
    """Open the database and yield it with the path of the key file, which may be missing."""
    settings = read_config(config)
    file = keys.configured(settings.database.keys_file)
    store = build_store(settings, may_lack_keys=True)
    try:
        yield store, file
    finally:
        store.close()


OpenKeys = Annotated[tuple[Store, Path], Opens(_opened)]


@app.command("list")
def list_keys(opened: OpenKeys) -> Shown:
    """List the keys, oldest first, with the number of envelopes that each seals.

    The keys of the file come first, then the data keys of the database, which the newest key of the
    file wraps. It does not show the keys themselves.

    Example: pbem key list
    """
    store, file = opened
    usage = keys.usage(store)
    ring = usage.ring
    states = {key.kid: "opens" for key in (*ring.keys, *ring.data)}
    states |= {key.kid: "wraps" for key in ring.keys[-1:]}
    states |= {ring.current.kid: "seals"} if ring.current is not None else {}
    made = {key.kid: str(key.made_on) for key in ring.keys}
    rows = [(kid, made.get(kid, ""), state) for kid, state in states.items()]
    rows += [
        (kid, "", "given up" if kid in usage.ring.lost else "MISSING") for kid in usage.missing
    ]
    if usage.counts.get(PLAIN) or not rows:
        rows.append((PLAIN, "", "not sealed"))
    return Shown(
        [
            {
                "key": kid or None,
                "made_on": made_on or None,
                "state": state.lower(),
                "envelopes": usage.counts.get(kid, 0),
            }
            for kid, made_on, state in rows
        ],
        table(
            str(file),
            ("key", "made on", "state", "envelopes"),
            [(*row, usage.counts.get(row[0], 0)) for row in rows],
        ),
    )


@app.command()
def rotate(opened: OpenKeys, as_json: JsonOption = False) -> Shown:
    """Create a new key, wrap the data keys with it, and begin a data key. The service can keep running.

    If it is interrupted, `pbem key reseal` continues it. An unencrypted database is encrypted. Reply
    addresses do not change, because they have a separate key.

    Example: pbem key rotate
    """
    key = keys.rotate(*opened, SystemClock().now().date())
    if not as_json:
        say(f"The key {key.kid} is in {opened[1]} and wraps the data keys from now on.")
    return _resealed(
        keys.reseal(*opened, progress("sealing", "rows")),
        "Make a new backup now: pbem key backup FILE",
        key=key.kid,
    )


@app.command()
def reseal(opened: OpenKeys) -> Shown:
    """Wrap the data keys with the newest key and encrypt what is unencrypted.

    It continues an interrupted `pbem key rotate`.

    Example: pbem key reseal
    """
    return _resealed(keys.reseal(*opened, progress("sealing", "rows")))


def _resealed(done: keys.Resealed, *advice: str, **also: str) -> Shown:
    words = [f"Encrypted: {counted(done.envelopes, 'value')}."]
    if not done.is_all and not done.unopened:
        words.append("Something was written meanwhile; run `pbem key reseal` once more.")
    if not done.is_clean:
        words.append(
            "The database is in use, so traces of old texts may be left in the file: stop the"
            " service and run `pbem db vacuum`."
        )
    return Shown(
        {
            "ok": not done.unopened,
            **also,
            "resealed": done.envelopes,
            "all": done.is_all,
            "clean": done.is_clean,
            "unopened": done.unopened,
        },
        *words,
        *(() if done.unopened else advice),
        problems=done.unopened,
        code=REFUSED if done.unopened else 0,
    )


@app.command()
def retire(opened: OpenKeys) -> Shown:
    """Remove the keys that nothing needs any more from the key file.

    Older backups of the database still need them: keep the backup of the keys from that time.

    Example: pbem key retire
    """
    gone = keys.retire(*opened)
    return Shown(
        {"ok": True, "retired": gone},
        f"Taken out: {', '.join(gone)}. Older backups of the database need them."
        if gone
        else "Every key is in use.",
    )


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(help="File to write.")],
    passphrase_file: PassphraseOption = None,
    config: ConfigOption = None,
) -> Shown:
    """Write all keys into a file protected by a passphrase.

    Keep the file and the passphrase separate from the database. The file contains the keys of the
    database and of the reply addresses, but no passwords.

    Example: pbem key backup keys-2026-11.json
    """
    settings = read_config(config)
    kept = keys.backup(settings, to, ask_passphrase(passphrase_file, is_new=True))
    kids = [key.kid for key in kept.ring.keys]
    return Shown(
        {"ok": True, "file": to, "keys": kids, "reply_keys": len(kept.signing)},
        f"Wrote {counted(len(kids), 'key')} of the database and"
        f" {counted(len(kept.signing), 'key')} of the reply addresses into {to}.",
    )


@app.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="File written by `pbem key backup`.")],
    passphrase_file: PassphraseOption = None,
    config: ConfigOption = None,
) -> Shown:
    """Restore the keys of a backup to their files. Existing keys are kept.

    Example: pbem key restore keys-2026-11.json
    """
    settings = read_config(config, may_lack_secrets=True)
    passphrase = ask_passphrase(passphrase_file, is_new=False)
    done = keys.restore(settings, backup, passphrase)
    words = [f"Put back: {file}, a key of the reply addresses." for file in done.files]
    if done.kids:
        words.insert(0, f"Put back: {', '.join(done.kids)}.")
    if not words:
        words.append("All keys of the backup are here already.")
    if done.unnamed:
        named = ", ".join(f'"{file}"' for file in done.unnamed)
        words.append(f"For answers to older mails: old_key_files = [{named}] under [service].")
    if not done.is_signing:
        words.append(f"Still missing, and not in the backup: {settings.service.key_file}.")
    return Shown(
        {
            "ok": True,
            "added": done.kids,
            "files": done.files,
            "unnamed": done.unnamed,
            "signing": done.is_signing,
        },
        *words,
    )


@app.command("give-up")
def give_up(
    opened: OpenKeys,
    really: Annotated[
        bool,
        typer.Option("--really", help="Abandon the keys (default: only list what would be lost)."),
    ] = False,
) -> Shown:
    """Continue without lost keys that have no backup.

    It reports what is lost, then creates a new key. It deletes nothing: if a backup turns up, `pbem key
    restore` opens everything again.

    Example: pbem key give-up --really
    """
    lost = keys.give_up(*opened, SystemClock().now(), really=really)
    words = ["No key is missing."]
    if lost.kids:
        words = [
            f"Without {', '.join(lost.kids)} these are lost:",
            f"- games that cannot go on: {', '.join(lost.games) or 'none'}",
            f"- mails that came in and wait: {lost.mails_in}, to be shunted",
            f"- mails that were to leave: {lost.mails_out}, to be marked as failed",
            (
                "- the proof of the addresses of these players, which are believed as they stand:"
                f" {', '.join(lost.players) or 'none'}"
            ),
            "The moves of these games can still be exported and verified.",
            "Done. New games are sealed with another key: make a backup of it."
            if really
            else "Nothing was changed. Look for a backup first; then: --really",
        ]
    return Shown(
        {
            "ok": True,
            "done": really and bool(lost.kids),
            "keys": lost.kids,
            "games": lost.games,
            "mails_in": lost.mails_in,
            "mails_out": lost.mails_out,
            "players": lost.players,
        },
        *words,
    )
