"""Encryption of a player's messages: `encrypt on`, sent with a key, and `encrypt off`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from engine.api import JsonObject
from engine.sentences import Sentence, joined, sentence
from pbem import openpgp
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal
from pbem.openpgp import OpenPgpError
from pbem.service.core.context import Service
from pbem.service.core.incoming import Incoming
from pbem.service.core.mail_context import MailContext
from pbem.service.core.sender_identity import AuthLevel
from pbem.service.notify import questions, to_admins
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import EncryptionKey, Player, normal_address

_FOR_ADMINS = (
    "A player wrote `encrypt on`, and this server cannot encrypt: install the extra `openpgp` (docs/sending.md,"
    " Encrypted mails) and start `pbem serve` again. Until then players are told that it cannot."
)
_BOTH = (sentence("encrypt on"), sentence("encrypt off"))


def carry_out(mail_context: MailContext, line: OrderLine) -> None:
    """Carry out `encrypt on` or `encrypt off`. Raises: Refusal."""
    uow, player = mail_context.uow, mail_context.player
    if line.argument == "on":
        begun = _begin(mail_context, player)
        if begun is None:
            return
        message = begun
    elif line.argument == "off":
        if player.openpgp is not None and not mail_context.is_strong:
            message = sentence("Send your mails without encryption from now on?")
            act: JsonObject = {"act": questions.ENCRYPT, "words": "off"}
            questions.postpone(mail_context, act, message)
            return
        message = end(uow, player)
    elif player.openpgp is None:
        raise Refusal("encrypt", sentence("Your mails are not encrypted."), suggestions=_BOTH)
    else:
        message = joined(in_sentences(uow, player))
    mail_context.notes.append(message)


def end(uow: UnitOfWork, player: Player) -> Sentence:
    """Turn encryption of a player's messages off."""
    uow.players.set_keyed(player.id, None)
    return sentence("From now on your mails come without encryption.")


def in_sentences(uow: UnitOfWork, player: Player) -> list[Sentence]:
    """Describe the key that a player's messages are encrypted with, or nothing if they are not."""
    keyed = uow.players.keyed(player)
    if keyed is None:
        return []
    for address in uow.players.addresses(player.id)[:1]:
        if missing := lacks_key(uow, player, address):
            return missing
    try:
        key = openpgp.fingerprint(keyed.key)
    except OpenPgpError:
        return [sentence("Your mails are to be encrypted, but your key cannot be used.")]
    return [sentence("Your mails are encrypted with your key {key}.", key=key)]


def lacks_key(uow: UnitOfWork, player: Player, address: str) -> list[Sentence]:
    """Warn that messages to an address cannot be encrypted: the key is for another address."""
    keyed = uow.players.keyed(player)
    if keyed is None or keyed.address in ("", address):
        return []
    return [
        sentence(
            "Your mails are encrypted with the key of {other}, so those to {address} come without their"
            ' words until you write "encrypt on" from there, or "encrypt off".',
            other=keyed.address,
            address=address,
        )
    ]


def take_newer_key(incoming: Incoming) -> None:
    """Store a newer key from a message of a player who uses encryption.

    Without strong authentication only a renewed version of the known key is stored. `ask_about_key`
    asks about a different key. Keys of the player's other addresses are ignored, because their
    primary mailbox may not be able to decrypt with them.
    """
    writer, brought = incoming.writer, incoming.brought
    if (
        brought is None
        or writer is None
        or not incoming.auth_level.is_trusted
        or not _is_newer(incoming.uow, writer, brought)
    ):
        return
    if incoming.auth_level is AuthLevel.AUTHENTICATED or not _replaces(
        incoming.uow, writer, brought
    ):
        incoming.uow.players.set_keyed(writer.id, brought)


def ask_about_key(mail_context: MailContext) -> None:
    """Postpone a different key in a message until the player confirms it, at most once a day."""
    uow, player, brought = mail_context.uow, mail_context.player, mail_context.brought
    known = uow.players.keyed(player)
    if brought is None or known is None or not _is_newer(uow, player, brought):
        return
    today = mail_context.service.now().date().isoformat()
    if mail_context.is_authenticated or known.asked == today or not _replaces(uow, player, brought):
        return
    with suppress(Refusal):  # the daily limit of questions is reached
        _ask_about_key(mail_context, brought)
        uow.players.set_keyed(player.id, replace(known, asked=today))


def confirm_key(
    service: Service,
    uow: UnitOfWork,
    player: Player,
    brought: EncryptionKey | None,
    digits: str,
    *,
    begins: bool,
) -> Sentence:
    """Start to use a key after the player has confirmed it.

    Args:
        brought: the key in the message that the question was about.
        digits: fingerprint of the key in the question.
        begins: True if the player's messages were not encrypted when the question was asked.

    Raises: Refusal.
    """
    if brought is None or openpgp.fingerprint(brought.key) != digits:
        raise Refusal("encrypt", sentence("That key is no longer here; nothing was changed."))
    if begins and player.openpgp is not None:
        raise Refusal(
            "encrypt", sentence("Your mails are encrypted already, so nothing was changed.")
        )
    if (player.openpgp is None and not begins) or not _is_read_at(uow, player, brought.address):
        raise Refusal(
            "encrypt",
            sentence(
                "Your mails are no longer encrypted, or go to another address than the key is for, so"
                " nothing was changed."
            ),
        )
    if begins:
        return _turn_on(service, uow, player, brought)
    uow.players.set_keyed(player.id, brought)
    return sentence("From now on your mails are encrypted with the key {key}.", key=digits)


def _ask_about_key(mail_context: MailContext, brought: EncryptionKey) -> None:
    """Ask whether to use a key.

    If it replaces another key, the question is encrypted with the old key.

    Raises: Refusal.
    """
    digits = openpgp.fingerprint(brought.key)
    begins = mail_context.uow.players.keyed(mail_context.player) is None
    act: JsonObject = {"act": questions.ENCRYPT_ON if begins else questions.KEY, "key": digits}
    said = (
        sentence("Encrypt your mails from now on? Your mail brought the key {key}.", key=digits)
        if begins
        else sentence(
            "Encrypt your mails with another key from now on? It is {key}. If your mail program has not"
            " made a new key, somebody else sent it.",
            key=digits,
        )
    )
    questions.postpone(mail_context, act, said)


def _is_newer(uow: UnitOfWork, player: Player, brought: EncryptionKey) -> bool:
    """True if a key came from the player's primary address and after the known key."""
    known = uow.players.keyed(player)
    if known is None or not _is_read_at(uow, player, brought.address):
        return False
    return known.address != brought.address or known.at < brought.at


def _replaces(uow: UnitOfWork, player: Player, brought: EncryptionKey) -> bool:
    """True if a key would replace a different, usable key.

    A renewed key has the same fingerprint. If the known key is unusable, messages are sent without
    their content, so replacing it loses nothing.
    """
    known = uow.players.keyed(player)
    if known is None or not _is_read_at(uow, player, known.address):
        return False
    try:
        usable = openpgp.checked(known.key)
    except OpenPgpError:
        return False
    return openpgp.fingerprint(usable) != openpgp.fingerprint(brought.key)


def _begin(mail_context: MailContext, player: Player) -> Sentence | None:
    """Turn encryption on. Return None if the player must first confirm the key.

    Raises: Refusal.
    """
    service, uow, brought = mail_context.service, mail_context.uow, mail_context.brought
    if not openpgp.is_there():
        to_admins.queue(service, uow, key="openpgp", message=_FOR_ADMINS)
        raise Refusal(
            "encrypt",
            sentence("This server cannot encrypt mails yet. The people who run it were told."),
        )
    if brought is None:
        raise Refusal(
            "encrypt",
            sentence(
                "Your mail brought no key that I can use, so nothing was changed. Please write it in a mail"
                " program that sends one (Autocrypt), such as Delta Chat, Thunderbird with a key of yours,"
                " Thunderbird for Android or Mutt."
            ),
            suggestions=_BOTH[:1],
        )
    if not _is_read_at(uow, player, mail_context.sender):
        raise Refusal(
            "encrypt",
            sentence(
                "Your mails go to another address of yours than the one you wrote from, and the key is for"
                " this one; so nothing was changed. Please write from the other address, or first have your"
                " mails sent to this one."
            ),
            suggestions=(
                sentence("encrypt on"),
                sentence("address primary {address}", address=mail_context.sender),
            ),
        )
    # With a forged sender, an attacker's key would make messages unreadable for the player.
    is_first = uow.players.keyed(player) is None
    if not mail_context.is_authenticated and (is_first or _replaces(uow, player, brought)):
        _ask_about_key(mail_context, brought)
        return None
    return _turn_on(service, uow, player, brought)


def _turn_on(service: Service, uow: UnitOfWork, player: Player, brought: EncryptionKey) -> Sentence:
    own = service.own_address
    if uow.players.own_secret(player.id, own) is None:
        uow.players.keep_own_secret(player.id, own, openpgp.new_secret(own))
    uow.players.set_keyed(player.id, brought)
    return sentence(
        "From now on your mails come encrypted, and bring my key, so that you can encrypt your answers. On"
        " their way one can still read the addresses, the subject and when you write; this server reads"
        ' everything. Your key is {key}. "encrypt off" ends it.',
        key=openpgp.fingerprint(brought.key),
    )


def _is_read_at(uow: UnitOfWork, player: Player, address: str) -> bool:
    """True if an address is the player's primary address."""
    return uow.players.addresses(player.id)[:1] == [normal_address(address)]
