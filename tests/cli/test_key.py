"""Test `pbem key …`: create, rotate, back up, restore and abandon keys."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
import structlog

from pbem import serving
from pbem.config import load_config
from pbem.service.logbook import keys
from pbem.service.logbook.verify import verify_file
from pbem.store.db.uow import Store
from pbem.store.seal import keybackup, keyring
from pbem.store.seal.keyring import Key, KeyRing
from tests.cli.conftest import KEY, Shell
from tests.databases import RING
from tests.store.old_rows import drop_data_keys

PASSPHRASE = "correct horse battery"
OLD = RING.keys[0].kid
"""Name of the only key in the file, which wraps a data key."""


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keybackup, "COST", 2**4)


def keys_file(shell: Shell) -> Path:
    return shell.folder / "pbem.keys"


def reread(shell: Shell) -> None:
    """Let the service that runs beside the command line see the key file, as `pbem serve` does."""
    shell.table.service.store.keys = keyring.KeyFile(keys_file(shell))


def with_passphrase(shell: Shell) -> tuple[str, str]:
    file = shell.folder / "passphrase"
    file.write_text(f"{PASSPHRASE}\n", encoding="utf-8")
    return "--passphrase-file", str(file)


def test_rotating_while_the_service_runs(shell: Shell) -> None:
    """A data key begins, a running game continues, and the old key can be removed from the file."""
    reread(shell)
    game = shell.table.started(2)
    before = shell.table.log(game)
    file, data = shell.json("key", "list")
    assert (file["key"], file["state"], file["envelopes"]) == (OLD, "wraps", 0)
    assert data["state"] == "seals"
    assert data["envelopes"] > 0
    said = shell.json("key", "rotate")
    assert (said["ok"], said["all"], said["unopened"]) == (True, True, [])
    assert said["resealed"] == 3, "both keys, and the new data key"
    old, new, same, begun = shell.json("key", "list")
    assert (old["key"], old["state"]) == (OLD, "opens")
    assert (new["key"], new["state"]) == (said["key"], "wraps")
    assert same == data | {"state": "opens"}
    assert (begun["state"], begun["envelopes"]) == ("seals", 0)
    seat, order = shell.table.standby(game)
    shell.table.answer(seat, order)
    assert shell.json("key", "list")[3]["envelopes"] > 0
    assert shell.table.log(game)[: len(before)] == before
    assert shell.table.game(game.id).version > len(before)
    assert shell.json("key", "retire")["retired"] == [OLD]
    assert shell.json("verify", game.id)["ok"] is True
    assert keys_file(shell).read_text().count("\nkey ") == 1
    assert "Every key is in use." in shell.done("key", "retire")


def test_two_who_rotate_at_once(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second waits for the first: a key that was overwritten would take its rows with it."""
    made, store, file = Key.made, shell.table.service.store, keys_file(shell)
    second = threading.Thread(target=keys.rotate, args=(store, file, date(2026, 11, 21)))

    def draw(made_on: date | None, secret: bytes | None = None) -> Key:
        if secret is None and second.ident is None:
            second.start()
            second.join(timeout=0.2)
        return made(made_on, secret)

    monkeypatch.setattr(Key, "made", draw)
    first = keys.rotate(store, file, date(2026, 11, 20))
    second.join()
    found = keyring.read(file).keys
    assert [key.made_on.day for key in found[-2:]] == [20, 21]
    assert [key.kid for key in found[:2]] == [OLD, first.kid]


def test_resealing_after_a_kill(shell: Shell) -> None:
    """After a kill of `rotate`, `reseal` wraps the keys, and a second run has nothing to do."""
    shell.table.started(2)
    keyring.write(keys_file(shell), RING.with_key(Key.made(date(2026, 11, 21))))
    done = shell.json("key", "reseal")
    assert (done["all"], done["resealed"]) == (True, 3)
    assert shell.json("key", "reseal")["resealed"] == 0
    assert "Encrypted: 0 values." in shell.done("key", "reseal")


@pytest.mark.parametrize("is_used", [True, False])
def test_giving_up_after_a_rotation(shell: Shell, is_used: bool) -> None:
    """Data keys that have encrypted nothing yet are given up too, so that the service starts again."""
    reread(shell)
    if is_used:
        shell.table.started(2)
        shell.done("key", "rotate")
    keys_file(shell).unlink()
    assert "is sealed with the key" in shell.refused("key", "rotate")
    shell.done("key", "give-up", "--really")
    with (
        closing(
            Store(
                shell.table.service.store.db_engine.url.render_as_string(),
                keys=keyring.KeyFile(keys_file(shell)),
            )
        ) as store,
        store.reading() as uow,
    ):
        keys.require_present(uow)
    assert shell.json("key", "rotate")["ok"] is True


def test_a_wrong_or_empty_file_is_refused(shell: Shell) -> None:
    """Nothing is rotated and nothing is written without encryption."""
    shell.table.started(2)
    keyring.write(keys_file(shell), KeyRing((Key.made(date(2026, 11, 21)),)))
    for command in ("rotate", "reseal"):
        assert "sealed with the key" in shell.refused("key", command)
    keys_file(shell).write_text("", encoding="utf-8")
    for command in (("key", "rotate"), ("key", "reseal"), ("serve",)):
        assert "there is no key in it" in shell.refused(*command)


def test_serve_refuses_a_missing_key(shell: Shell) -> None:
    """It refuses before it accepts messages, so that none is lost."""
    shell.table.started(2)
    keyring.write(keys_file(shell), KeyRing((Key.made(date(2026, 11, 21)),)))
    assert f"is sealed with the key {OLD}" in shell.refused("serve")
    keys_file(shell).unlink()
    assert "pbem key restore BACKUP" in shell.refused("serve")


def test_serve_warns_of_keys_that_lie_open(shell: Shell) -> None:
    """Of a key file that others may read, and of a database that is not sealed at all."""

    def warnings() -> set[str]:
        with structlog.testing.capture_logs() as lines:
            serving.warn_of_open_keys(load_config(shell.config, {}))
        return {line.get("remedy", "").partition("/")[0] for line in lines}

    (shell.folder / "pbem.key").chmod(0o600)
    assert warnings() == set()
    keys_file(shell).chmod(0o640)
    assert warnings() == {"chmod 600 "}
    config = shell.config.read_text(encoding="utf-8")
    shell.config.write_text(config.replace('keys_file = "pbem.keys"\n', ""), encoding="utf-8")
    assert warnings() == {"set [database] keys_file, then run `pbem key rotate`"}


def test_the_doctor_looks_after_the_keys(shell: Shell) -> None:
    """Sealed, not all sealed, the wrong key, no key file, none in the configuration."""

    def finding() -> tuple[str, str]:
        checks = json.loads(shell.run("doctor", "--json").stdout)["checks"]
        found = next(check for check in checks if check["name"] == "keys")
        return found["status"], found["text"]

    shell.table.started(2)
    assert finding()[0] == "ok"
    keyring.write(keys_file(shell), replace(RING, sealed_only=False))
    assert finding() == ("warn", "not everything in the database is sealed")
    keyring.write(keys_file(shell), KeyRing((Key.made(date(2026, 11, 21)),)))
    assert finding()[0] == "fail"
    assert OLD in finding()[1]
    keys_file(shell).unlink()
    assert "key restore BACKUP" in shell.run("doctor", "--json").stdout
    config = shell.config.read_text(encoding="utf-8")
    shell.config.write_text(config.replace('keys_file = "pbem.keys"\n', ""), encoding="utf-8")
    assert finding() == ("warn", "nothing in the database is sealed, nor bound")


def test_a_database_that_was_never_sealed(shell: Shell) -> None:
    """Without the line in the configuration: how to begin. With it: `rotate` makes the first key."""
    shell.table.service.store.keys = KeyRing
    drop_data_keys(shell.table.service.store)
    game = shell.table.started(2)
    config = shell.config.read_text(encoding="utf-8")
    shell.config.write_text(config.replace('keys_file = "pbem.keys"\n', ""), encoding="utf-8")
    assert 'add the line keys_file = "pbem.keys"' in shell.refused("key", "rotate")
    assert shell.json("verify", game.id)["ok"] is True
    shell.config.write_text(config, encoding="utf-8")
    keys_file(shell).unlink()
    assert "pbem key rotate`" in shell.refused("verify", game.id)
    assert shell.json("key", "list")["state"] == "not sealed"
    assert shell.json("key", "rotate")["all"] is True
    assert keys_file(shell).stat().st_mode & 0o777 == 0o600
    assert "sealed-only" in keys_file(shell).read_text(encoding="utf-8")
    assert [line["state"] for line in shell.json("key", "list")] == ["wraps", "seals"]
    assert shell.json("verify", game.id)["ok"] is True


def test_a_lost_file_is_put_back(shell: Shell) -> None:
    """Every command says what to do until it is there; a wrong passphrase changes nothing."""
    game = shell.table.started(2)
    backup = shell.folder / "keys.json"
    assert "There is no terminal here" in shell.refused("key", "backup", str(backup))
    assert shell.json("key", "backup", str(backup), *with_passphrase(shell))["keys"] == [OLD]
    assert backup.stat().st_mode & 0o777 == 0o600
    assert RING.keys[0].secret.hex() not in backup.read_text(encoding="utf-8")
    shell.refused("key", "backup", str(backup), *with_passphrase(shell))
    keys_file(shell).unlink()
    assert "pbem key restore BACKUP" in shell.refused("game", "list")
    assert "is sealed with the key" in shell.refused("key", "rotate")
    assert shell.json("key", "list")["state"] == "missing"
    wrong = shell.folder / "wrong"
    wrong.write_text("something else", encoding="utf-8")
    said = shell.refused("key", "restore", str(backup), "--passphrase-file", str(wrong))
    assert "the passphrase is wrong" in said
    assert not keys_file(shell).exists()
    assert shell.json("key", "restore", str(backup), *with_passphrase(shell))["added"] == [OLD]
    assert keyring.read(keys_file(shell)) == RING
    assert shell.json("verify", game.id)["ok"] is True
    assert "already" in shell.done("key", "restore", str(backup), *with_passphrase(shell))
    assert "--passphrase-file" in shell.refused("key", "restore", str(backup))


def test_the_keys_of_the_reply_addresses_are_in_the_backup(shell: Shell) -> None:
    """Lost with everything else, they are put back; answers to old mails arrive again."""
    (shell.folder / "old.key").write_text("cd" * 32, encoding="utf-8")
    text = shell.config.read_text(encoding="utf-8")
    shell.config.write_text(
        text.replace("[service]", '[service]\nold_key_files = ["old.key"]'), encoding="utf-8"
    )
    backup = shell.folder / "keys.json"
    said = shell.json("key", "backup", str(backup), *with_passphrase(shell))
    assert said["reply_keys"] == 2
    assert KEY not in backup.read_text(encoding="utf-8")
    names = ("pbem.keys", "pbem.key", "old.key")
    before = {name: (shell.folder / name).read_text(encoding="utf-8").strip() for name in names}
    for name in names:
        (shell.folder / name).unlink()
    said = shell.refused("game", "list")
    assert "pbem.key: No such file or directory; if it was lost, put it back with `pbem key" in said
    said = shell.json("key", "restore", str(backup), *with_passphrase(shell))
    assert said["added"] == [OLD]
    assert said["files"] == [str(shell.folder / name) for name in names[1:]]
    assert (said["unnamed"], said["signing"]) == ([], True)
    for name in names:
        assert (shell.folder / name).read_text(encoding="utf-8").strip() == before[name]
        assert (shell.folder / name).stat().st_mode & 0o777 == 0o600
    assert "are here already" in shell.done("key", "restore", str(backup), *with_passphrase(shell))


def test_a_backup_put_back_where_there_is_a_new_key(shell: Shell) -> None:
    """The new key stays. The old key is written to a separate file, and the command names it."""
    backup = shell.folder / "keys.json"
    shell.done("key", "backup", str(backup), *with_passphrase(shell))
    (shell.folder / "pbem.key").write_text("cd" * 32, encoding="utf-8")
    text = shell.done("key", "restore", str(backup), *with_passphrase(shell))
    (file,) = shell.folder.glob("pbem.*.key")
    assert file.read_text(encoding="utf-8").strip() == KEY
    assert f'old_key_files = ["{file}"] under [service]' in text
    assert (shell.folder / "pbem.key").read_text(encoding="utf-8") == "cd" * 32
    again = shell.json("key", "restore", str(backup), *with_passphrase(shell))
    assert (again["files"], again["unnamed"]) == ([], [str(file)])


def test_a_key_that_is_lost_for_good(shell: Shell) -> None:
    """The command lists the losses first. Then new games are possible, and old logs verify as redacted."""
    game = shell.table.started(2)
    keys_file(shell).unlink()
    with shell.table.service.store.reading() as uow:
        (lost,) = (key.kid for key in uow.envelopes.ring.data)
    said = shell.json("key", "give-up")
    assert (said["done"], said["keys"], said["games"]) == (False, [lost], [game.id])
    assert not keys_file(shell).exists()
    seat, order = shell.table.standby(game)
    shell.table.answer(seat, order, run=False)  # it waits, sealed with the key that is lost
    assert "games that cannot go on" in shell.done("key", "give-up", "--really")
    new = keyring.read(keys_file(shell))
    assert new.lost == {lost}
    reread(shell)
    shell.table.run()
    (shunted,) = (shell.json("mail", "shunted"),)
    assert shunted["reason"] == "sealed with a key that is lost"
    assert shell.json("mail", "inbox")
    assert shell.json("mail", "outbox", "list")
    said = shell.refused("verify", game.id)
    assert f"'{lost}', which is not in the key file" in said
    assert shell.json("verify", game.id, "--redacted")["head"] == game.head
    file = shell.folder / "public.jsonl"
    shell.done("export", game.id, "--out", str(file))
    assert verify_file(file.read_bytes(), heads=[game.head]).complete is False
    other = shell.table.started(2, seed=2)
    assert shell.json("verify", other.id)["ok"] is True
    said = shell.json("key", "rotate")
    assert (said["ok"], said["all"], said["unopened"]) == (True, True, [])
    reread(shell)
    assert shell.json("db", "check")["problems"] == []
    assert shell.json("db", "backup", str(shell.folder / "backup.sqlite3"))["games"] == 2
    new = keyring.read(keys_file(shell))
    keyring.write(keys_file(shell), new.joined(RING))
    assert shell.json("verify", game.id)["ok"] is True, "the key turned up"
    assert shell.json("key", "give-up")["keys"] == []
