"""Test encrypted messages in both directions, and their errors."""

from __future__ import annotations

import base64
import email
import email.policy
import logging
import re
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime

import pytest

from pbem import openpgp
from pbem.domain.table.game import Game
from pbem.service.evidence import auditing
from pbem.service.people import data_export, erasure
from tests.gnupg import Gpg, pgp_mime
from tests.service.conftest import Sent, Table

OWN = "game@play.example.org"


def autocrypt(gpg: Gpg) -> str:
    key = base64.b64encode(gpg.key).decode()
    return f"Autocrypt: addr={gpg.address}; prefer-encrypt=mutual; keydata={key}\r\n"


def write(
    table: Table,
    gpg: Gpg,
    text: str,
    *,
    head: str = "",
    is_closed: bool = False,
    answers_inside: bool = False,
) -> None:
    """Let Anna answer her newest mail with her key in the header, encrypted or not.

    With `answers_inside` only the encrypted header names the mail, as Delta Chat has it.
    """
    table.counter += 1
    answered = table.last_to(0).message
    to = answered["Reply-To"] or OWN
    date = format_datetime(table.clock.now())
    answer = f"In-Reply-To: {answered['Message-ID']}\r\n"
    outside, inside = ("", answer) if answers_inside else (answer, "")
    head = f"From: anna@example.org\r\nTo: {to}\r\nSubject: ...\r\nDate: {date}\r\nMessage-ID: <c{table.counter}@x>\r\n{outside}{head}"
    body = f"{inside}Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n".encode()
    raw = pgp_mime(gpg.encrypted(body, OWN), head) if is_closed else head.encode() + body
    table.deliver(raw, to, mail_from="anna@example.org")


def open_mail(gpg: Gpg, mail: Sent) -> EmailMessage:
    """Return what Anna's program shows of an encrypted message, and let it take the key."""
    field = mail.message["Autocrypt"]
    assert field.startswith(f"addr={OWN}; prefer-encrypt=mutual; keydata=")
    gpg.take(base64.b64decode("".join(field.partition("keydata=")[2].split())))
    assert mail.message.get_content_type() == "multipart/encrypted"
    control, message = mail.message.iter_parts()
    assert control.get_content_type() == "application/pgp-encrypted"
    opened = gpg.run("--decrypt", data=message.get_payload(decode=True))  # type: ignore[arg-type]
    return email.message_from_bytes(opened, policy=email.policy.default)


def read_text(gpg: Gpg, mail: Sent) -> str:
    return " ".join(open_mail(gpg, mail).get_body(("plain",)).get_content().split())


def begin(table: Table, gpg: Gpg) -> None:
    """Let Anna ask for encrypted messages and confirm her key, and import the key of the service."""
    write(table, gpg, "encrypt on", head=autocrypt(gpg))
    table.answer(0, "yes", to=table.question(0).reply_to)
    open_mail(gpg, table.last_to(0))


@pytest.mark.usefixtures("trio")
def test_nobody_hides_her_mails_with_a_key_of_their_own(table: Table, gpg: Gpg) -> None:
    """A key in a forged message needs a yes from Anna."""
    other = make_other_key()
    write(table, gpg, "encrypt on", head=autocrypt(replace(gpg, key=other)))
    question = table.last_to(0)
    assert question.message.get_content_type() != "multipart/encrypted"
    assert openpgp.fingerprint(other) in question.words
    assert not is_keyed(table)
    table.answer(0, "no", to=question.reply_to)
    assert not is_keyed(table)


def end(table: Table, gpg: Gpg, order: str = "encrypt off") -> None:
    """Let Anna ask for messages without encryption, and confirm it."""
    write(table, gpg, order, is_closed=True)
    table.answer(0, "yes", to=table.question(0).reply_to)


def is_keyed(table: Table) -> bool:
    return table.read(lambda uow: bool(uow.players.keyed_ids()))


@pytest.mark.usefixtures("trio")
def test_nobody_ends_encryption_in_her_name(table: Table, gpg: Gpg) -> None:
    """A forged order needs a yes from Anna."""
    forwarded = table.last_to(0).reply_to
    begin(table, gpg)
    table.answer(0, "encrypt off", to=forwarded)
    assert is_keyed(table)
    asked = table.question(0)
    assert asked.message["Subject"].startswith("Please confirm")
    assert "Send your mails without encryption from now on?" in asked.words
    table.answer(0, "no", to=asked.reply_to)
    assert is_keyed(table)
    since = len(table.mails_to(0))
    table.answer(0, "encrypt off", to=forwarded)
    assert is_keyed(table)
    assert not [mail for mail in table.mails_to(0)[since:] if "+q-" in mail.reply_to]


@pytest.mark.usefixtures("trio")
def test_she_ends_it_although_she_lost_her_key(table: Table, gpg: Gpg) -> None:
    """The question is readable without the key."""
    begin(table, gpg)
    end(table, gpg)
    assert not is_keyed(table)
    assert "come without encryption" in table.last_to(0).words
    begin(table, gpg)
    table.answer(0, "encrypt off", to=OWN)
    assert is_keyed(table)
    assert 'Carry out "encrypt"?' in table.last_to(0).words
    table.answer(0, "yes")
    assert not is_keyed(table)


def test_a_whole_game_of_two_one_encrypted_one_in_the_clear(table: Table, gpg: Gpg) -> None:
    game = table.started(2, ruleset="phase10", phases=[1])
    begin(table, gpg)
    answer = table.last_to(0)
    assert "come encrypted, and bring my key" in read_text(gpg, answer)
    moves = 0
    while not (game := table.game(game.id)).is_over and moves < 300:
        seat, order = table.standby(game)
        if seat == 0:
            write(table, gpg, order, is_closed=True)
        else:
            table.answer(1, order)
        moves += 1
    assert game.is_over
    assert moves > 10
    assert "won" in table.last_to(0).message["Subject"]
    for mail in table.mails_to(1):
        assert mail.message.get_content_type() != "multipart/encrypted"
        assert "Autocrypt" not in mail.message
    began = table.mails_to(0).index(answer)
    for mail in table.mails_to(0)[began:]:
        assert mail.message.get_content_type() == "multipart/encrypted"


def test_an_audit_knows_the_quoted_mail_that_only_the_encrypted_header_names(
    table: Table, game: Game, gpg: Gpg
) -> None:
    """Tell a quote without marks from the player's own words by the message that it quotes."""
    begin(table, gpg)
    write(table, gpg, "board", is_closed=True)
    while 0 not in table.game(game.id).to_act:
        table.move(game)
    shown = open_mail(gpg, table.last_to(0)).get_body(("plain",)).get_content()
    quoted = shown[shown.index("Get rid of your cards") :].splitlines()[:2]
    game = table.game(game.id)
    _, order = table.standby(game)
    write(table, gpg, "\r\n".join([order, "", *quoted]), is_closed=True, answers_inside=True)
    assert table.game(game.id).version > game.version
    audit = auditing.audit(table.service, game.id, reveal=True, reason="to see")
    assert auditing.inquire(table.service, audit, f"@{game.version + 1}").source.text == order


@pytest.mark.usefixtures("trio")
def test_without_the_extra_the_admin_is_told_once(
    table: Table,
    gpg: Gpg,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(openpgp, "is_there", lambda: False)
    for _ in range(2):
        write(table, gpg, "encrypt on", head=autocrypt(gpg))
        assert "cannot encrypt mails yet" in table.last_to(0).words
    (alert,) = table.sent_to("root@example.org")
    assert "install the extra" in alert.words


def find_key(table: Table) -> bytes:
    with table.service.store.reading() as uow:
        (anna,) = [player for player in uow.players.list() if player.name == "Anna"]
        keyed = uow.players.keyed(anna)
    assert keyed.at <= table.clock.now().isoformat()
    return keyed.key


def make_other_key() -> bytes:
    return openpgp.public(openpgp.new_secret("anna@example.org"))


@pytest.mark.parametrize("text", ["board", "hello there", "encrypt on", "games"])
@pytest.mark.usefixtures("trio")
def test_another_key_is_asked_about_with_the_old_one(table: Table, gpg: Gpg, text: str) -> None:
    """The encrypted question shows the new fingerprint and a code."""
    begin(table, gpg)
    other = make_other_key()
    since = len(table.mails_to(0))
    table.clock.forward(hours=1)
    write(table, gpg, text, head=autocrypt(replace(gpg, key=other)))
    assert find_key(table) == openpgp.checked(gpg.key)
    asked = [
        m for m in table.mails_to(0)[since:] if openpgp.fingerprint(other) in read_text(gpg, m)
    ]
    assert len(asked) == 1
    assert "another key" in read_text(gpg, asked[0])
    answer_question(table, asked[0], "yes")
    assert find_key(table) == openpgp.checked(gpg.key), "its Message-ID is in the clear"
    code = re.findall(r"Write the code ([a-z2-7]+) on", read_text(gpg, asked[0]))[0]
    answer_question(table, asked[0], f"yes\r\n{code}")
    assert find_key(table) == openpgp.checked(other)


def answer_question(table: Table, question: Sent, text: str) -> None:
    """Answer at the bare address, where only the Message-ID identifies the question."""
    write_at(table, question, "", format_datetime(table.clock.now()), text)


@pytest.mark.usefixtures("trio")
def test_a_yes_in_the_clear_replaces_no_key(table: Table, gpg: Gpg) -> None:
    """The yes leads to the encrypted question."""
    begin(table, gpg)
    other = make_other_key()
    table.clock.forward(hours=1)
    raw = f"From: anna@example.org\r\nMessage-ID: <n@x>\r\n{autocrypt(replace(gpg, key=other))}\r\n"
    table.deliver(f"{raw}encrypt on\r\n".encode(), OWN, mail_from="anna@example.org")
    asked = table.last_to(0)
    assert 'Carry out "encrypt"?' in asked.words
    table.answer(0, "yes", to=asked.reply_to)
    assert find_key(table) == openpgp.checked(gpg.key)
    assert openpgp.fingerprint(other) in read_text(gpg, table.last_to(0))


@pytest.mark.usefixtures("trio")
def test_mails_to_another_address_than_the_keys_leave_without_words(table: Table, gpg: Gpg) -> None:
    """The program at that address may not have the key."""
    hand = next(line for line in table.last_to(0).text.splitlines() if "hand" in line.lower())
    begin(table, gpg)
    with table.service.store.unit_of_work() as uow:
        (anna,) = [one for one in uow.players.list() if one.name == "Anna"]
        uow.players.add_address(anna.id, "anna@work.example")
    write(table, gpg, "address primary anna@work.example", is_closed=True)
    what = "those to anna@work.example come without their words until you write"
    assert what in read_text(gpg, table.last_to(0))
    write(table, gpg, "yes", is_closed=True)

    def at_work() -> Sent:
        return [one for one in table.delivery.mails if one.rcpt_to == "anna@work.example"][-1]

    left = at_work()
    assert "it is for another address of yours" in left.words
    write_at(table, left, "", "", "board", "anna@work.example")
    assert hand not in at_work().text
    other = openpgp.new_secret("anna@work.example")
    new = replace(gpg, address="anna@work.example", key=openpgp.public(other))
    long_ago = format_datetime(table.clock.now() - timedelta(days=30))
    write_at(table, left, autocrypt(new), long_ago, "settings", "anna@work.example")
    armoured = list(at_work().message.iter_parts())[1].get_payload(decode=True)
    opened = openpgp.decrypted(armoured, other).decode()
    assert openpgp.fingerprint(new.key) in " ".join(opened.split())


def write_at(
    table: Table,
    answered: Sent,
    head: str,
    date: str,
    text: str = "board",
    sender: str = "anna@example.org",
) -> None:
    table.counter += 1
    answer = f"In-Reply-To: {answered.message['Message-ID']}\r\nDate: {date}\r\nMessage-ID: <d{table.counter}@x>"
    raw = f"From: {sender}\r\nTo: {OWN}\r\n{answer}\r\n{head}\r\n{text}\r\n"
    table.deliver(raw.encode(), OWN, mail_from=sender)


def test_off_settings_export_and_forgetting(table: Table, trio: Game, gpg: Gpg) -> None:
    begin(table, gpg)
    write(table, gpg, "settings", is_closed=True)
    shown = read_text(gpg, table.last_to(0))
    assert f"encrypted with your key {openpgp.fingerprint(gpg.key)}" in shown
    assert data_export.collect(table.service, "Anna")["encrypted_with"]
    end(table, gpg)
    assert "come without encryption" in table.last_to(0).words
    assert data_export.collect(table.service, "Anna")["encrypted_with"] is None
    begin(table, gpg)
    table.answer_twice(1, "resign confirm")
    table.answer_twice(2, "resign confirm")
    assert table.game(trio.id).is_over
    erasure.forget(table.service, "Anna", "they asked for it")
    with table.service.store.reading() as uow:
        assert not uow.players.keyed_ids()
        assert not uow.players.has_own_secret()


def test_logs_hold_no_secret(
    table: Table,
    gpg: Gpg,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    table.started(2)
    begin(table, gpg)
    write(table, gpg, "board", is_closed=True)
    with table.service.store.reading() as uow:
        (anna,) = uow.players.keyed_ids()
        secret = uow.players.own_secret(anna, OWN)
    assert secret is not None
    said = caplog.text + "".join(capsys.readouterr())
    for data in (secret, gpg.key):
        assert base64.b64encode(data).decode()[:40] not in said
        assert data.hex()[:40] not in said
    assert "board" not in said.replace("dashboard", "")
