"""Test that an intercepted and resent encrypted answer reveals nothing to others."""

from __future__ import annotations

import email
import email.policy

import pytest

from pbem import openpgp
from tests.gnupg import Gpg, pgp_mime
from tests.service.conftest import Sent, Table
from tests.service.people.test_own_encryption import OWN, autocrypt, begin, end, write

BOBS = openpgp.new_secret("bob@example.org")
SECRET = "sesame42"
TEXTS = (
    f"what is {SECRET}",
    f"play {SECRET}",
    f"say {SECRET}",
    f"say to Carol: {SECRET}",
    f"test\r\nplay {SECRET}",
    f"note {SECRET}",
    f"next: {SECRET}",
    f"resign {SECRET}",
    f"new phyliss with {SECRET} <{SECRET}@example.org>",
    f"replace me with {SECRET} <{SECRET}@example.org>",
    f"dispute {SECRET}",
    f"address add {SECRET}@example.org",
    f"yes {SECRET}",
)
"""Lines that an answer, a question or a mail to others could quote."""


def encrypt_answer(gpg: Gpg, text: str) -> bytes:
    """Return a message that Anna's program encrypts for the service."""
    body = f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    return gpg.encrypted(body.encode(), OWN)


def send_on(table: Table, message: bytes, sender: str, to: str, answered: str = "") -> None:
    """Send an intercepted message, possibly in the name of another sender."""
    table.counter += 1
    head = f"From: {sender}\r\nTo: {to}\r\nSubject: Re: it\r\nMessage-ID: <f{table.counter}@x>\r\n"
    if answered:
        head += f"In-Reply-To: {answered}\r\n"
    table.deliver(pgp_mime(message, head), to, mail_from=sender)


def read_all_words(mail: Sent) -> str:
    """Return all text of a message, decrypted if it is for Bob."""
    raw = mail.raw
    if mail.message.get_content_type() == "multipart/encrypted":
        message = list(mail.message.iter_parts())[1].get_payload(decode=True)
        raw = openpgp.decrypted(message, BOBS)
    found = email.message_from_bytes(raw, policy=email.policy.default)
    texts = [part.get_content() for part in found.walk() if part.get_content_maintype() == "text"]
    return " ".join([mail.message["Subject"], *texts]).casefold()


def read_others(table: Table, since: int) -> str:
    """Return the text of all messages since then to other players than Anna."""
    mails = table.delivery.mails[since:]
    return "\n".join(read_all_words(mail) for mail in mails if mail.rcpt_to != "anna@example.org")


@pytest.mark.parametrize("key", ["none", "own", "hers"])
@pytest.mark.usefixtures("trio")
def test_another_player_reads_nothing_of_it(table: Table, gpg: Gpg, key: str) -> None:
    """This holds in the clear, with an own key, and with Anna's key."""
    begin(table, gpg)
    bob = Gpg(gpg.home, "bob@example.org", openpgp.public(BOBS) if key == "own" else gpg.key)
    to = table.mails_to(1)[-1].reply_to
    if key != "none":
        head = f"From: bob@example.org\r\nTo: {to}\r\nMessage-ID: <b@x>\r\n{autocrypt(bob)}"
        table.deliver(f"{head}\r\nencrypt on\r\n".encode(), to, mail_from="bob@example.org")
        table.answer(1, "yes", to=table.question(1).reply_to)
    if key == "hers":  # an answer that waits would leave with whatever key he has by then
        table.answer_twice(1, "encrypt off", to=to)
    for text in TEXTS:
        since = len(table.delivery.mails)
        message = encrypt_answer(gpg, text)
        send_on(table, message, "bob@example.org", to)
        send_on(table, message, "bob@example.org", OWN)
        table.wait(hours=2)
        assert len(table.delivery.mails) > since, text
        assert SECRET not in read_others(table, since), text


@pytest.mark.usefixtures("trio")
def test_a_stranger_reads_nothing_of_it(table: Table, gpg: Gpg) -> None:
    """The player whose reply address the stranger uses does not read it either."""
    begin(table, gpg)
    to = table.mails_to(1)[-1].reply_to
    for text in TEXTS:
        since = len(table.delivery.mails)
        message = encrypt_answer(gpg, text)
        for address in (to, OWN):
            send_on(table, message, "eve@example.org", address)
        table.wait(hours=2)
        assert SECRET not in read_others(table, since), text


@pytest.mark.usefixtures("trio")
def test_once_she_has_ended_encryption_a_caught_answer_is_not_opened(
    table: Table, gpg: Gpg
) -> None:
    """It would be quoted in a message without encryption."""
    begin(table, gpg)
    write(table, gpg, "settings", is_closed=True)
    end(table, gpg)
    newest = table.last_to(0)
    assert newest.message.get_content_type() != "multipart/encrypted"
    for text in TEXTS:
        since = len(table.delivery.mails)
        send_on(table, encrypt_answer(gpg, text), "anna@example.org", newest.reply_to)
        table.wait(hours=2)
        words = "".join(read_all_words(mail) for mail in table.delivery.mails[since:])
        assert SECRET not in words, text
