"""Re-evaluate a dispute bundle offline with today's parser and rules.

Only the file is needed. If the game is running, the file has no hidden cards. The rules then judge
an invented position that looks the same to the complainant, because the legality of a move depends
only on its player's view.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from engine import registry
from engine.api import AnyRuleset, Seat, Setup
from engine.canonical import canonical_json
from engine.errors import EngineError
from engine.orders import names_list_number, read_order
from pbem.bots.chance import Chance
from pbem.domain.words.around import is_courtesy
from pbem.domain.words.orders import (
    LineKind,
    OrderLine,
    OrderReader,
)
from pbem.domain.words.service_words import Word
from pbem.errors import LogError, MailError, Refusal
from pbem.games.profile import knowledge_of
from pbem.language import SOURCE, languages, translate
from pbem.mail_in.mime.parts import ENCRYPTED
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_in.sandbox.reader import MailReader
from pbem.service.core.incoming import OwnWords, forms_of, quoted
from pbem.service.core.mail_context import SHOWN_LINE
from pbem.service.evidence.bundles import FORMAT, FORMAT_VERSION
from pbem.service.intake import seat_mail
from pbem.service.logbook.exports import read_export
from pbem.service.logbook.verify import verify_export
from pbem.store.rows.core import MAIL


@dataclass(frozen=True, slots=True)
class Judged:
    """A line of a message, with its original result and today's.

    Attributes:
        event: the event after which it was judged.
        then, now: the results in words. `now` is None if the file is not sufficient.
    """

    line: str
    event: int | None
    then: str
    now: str | None

    @property
    def agrees(self) -> bool:
        """Return False if today's result differs."""
        return self.now is None or self.now == self.then


@dataclass(frozen=True, slots=True)
class JudgedMail:
    """A message of the complainant.

    Attributes:
        is_read_alike: True if the parser finds the same lines as before.
        lines: the lines as parsed today.
        is_sealed: True if it is encrypted with a key that is not in the file. The lines are as
            recorded.
    """

    sha256: str
    arrived_at: str
    status: str
    is_read_alike: bool
    lines: tuple[Judged, ...]
    is_sealed: bool = False

    @property
    def agrees(self) -> bool:
        """True if parser and rules give the same results, as far as these can be known."""
        return (self.is_read_alike or self.is_sealed) and all(line.agrees for line in self.lines)


@dataclass(frozen=True, slots=True)
class Reopened:
    """The contents of a bundle, and whether they are consistent.

    Attributes:
        document: the whole file.
        checks: the checks passed by log and messages, as sentences.
        unfounded: versions of events in the complainant's name that were caused by a message
            outside of the file.
        unchecked: the parts of the file that could not be verified, as sentences.
    """

    document: dict[str, Any]
    checks: tuple[str, ...]
    mails: tuple[JudgedMail, ...]
    unfounded: tuple[int, ...]
    unchecked: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """True if today's parser and rules give the results that were mailed."""
        return all(mail.agrees for mail in self.mails)

    @property
    def holds(self) -> bool:
        """True if the file contains no contradiction."""
        return self.agrees and not self.unfounded


class _Game(msgspec.Struct):
    """The `game` section of a bundle."""

    id: str
    ruleset: tuple[str, int]
    options: dict[str, Any]
    players: list[Annotated[str, msgspec.Meta(max_length=100)]]


class _Dispute(msgspec.Struct):
    """The `dispute` section of a bundle."""

    number: int
    seat: Annotated[int, msgspec.Meta(ge=0)]
    name: str
    event: Annotated[int, msgspec.Meta(ge=1)]
    opened_at: str
    text: str


class _Service(msgspec.Struct):
    """The `service` section of a bundle."""

    domain: str
    address: str


class _Bundle(msgspec.Struct):
    """The sections of a bundle with their types."""

    game: _Game
    dispute: _Dispute
    service: _Service
    mails: list[dict[str, Any]]
    strange: list[dict[str, Any]]
    sent: list[dict[str, Any]]
    pruned: list[dict[str, Any]]
    views: dict[str, Any]
    log: list[dict[str, Any]]


def open_bundle(data: bytes, reader: MailReader) -> Reopened:
    """Verify a bundle and re-evaluate its messages.

    Raises: Refusal if it is not a bundle, LogError if its contents contradict each other.
    """
    try:
        document = json.loads(data)
        if (document["format"], document["format_version"]) != (FORMAT, FORMAT_VERSION):
            raise Refusal("bundle", "The file is no dispute bundle that this program reads.")
        canonical_json(document)
        parts = msgspec.convert(document, _Bundle)
        checks = [*_check_log(document), *_check_mails(document)]
        _check_parts(parts)
        mails = tuple(_judged(document, mail, reader) for mail in document["mails"])
        unfounded = tuple(_unfounded(document))
    except (
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        RecursionError,
        binascii.Error,
    ) as error:
        raise Refusal(
            "bundle", f"The file is no whole dispute bundle ({type(error).__name__})."
        ) from None
    return Reopened(document, tuple(checks), mails, unfounded, tuple(_unchecked(parts)))


def _check_log(document: dict[str, Any]) -> Iterator[str]:
    export = read_export([canonical_json(line) for line in document["log"]])
    report = verify_export(export)
    if report.game_id != document["game"]["id"]:
        raise LogError("the bundle holds the log of another game")
    yield from report.checks


def _check_parts(parts: _Bundle) -> None:
    """Check that game and dispute match the log, which was verified before."""
    created = parts.log[1]["public"]
    game, dispute = parts.game, parts.dispute
    ruleset = (created["ruleset"], created["ruleset_version"])
    if (game.ruleset, game.options) != (ruleset, created["options"]):
        raise LogError("the bundle names other rules than its log")
    if len(game.players) != len(created["seats"]):
        raise LogError("the bundle names more or fewer players than its log")
    opened = parts.log[dispute.event] if dispute.event < len(parts.log) else {}
    public = {"number": dispute.number, "seat": dispute.seat}
    if (opened.get("type"), opened.get("public")) != ("DisputeOpened", public):
        raise LogError("the log has no such dispute")


def _unchecked(parts: _Bundle) -> Iterator[str]:
    """Describe the parts of a bundle that a forger could have changed."""
    yield (
        "the words of the complaint, the names of the players, and when mails arrived: the log does not"
        " contain them"
    )
    if hashed := len(parts.strange) + len(parts.pruned):
        yield f"{hashed} mails to the seat: the file contains only their hashes"
    if bare := sum(not mail["lines"] for mail in parts.mails):
        yield f"what became of {bare} mails: the file has no results for their lines"


def _check_mails(document: dict[str, Any]) -> Iterator[str]:
    """Check that the messages match the log, and that the log heads they name are in it."""
    named = {line.get("cause") for line in document["log"]}
    heads = [line["hash"] for line in document["log"] if "hash" in line]
    caused = 0
    for mail in document["mails"]:
        sha256 = hashlib.sha256(_raw(mail)).hexdigest()
        if sha256 != mail["sha256"]:
            raise LogError("the bytes of a mail are not those that came in")
        caused += f"{MAIL}{sha256}" in named
    for sent in document["sent"]:
        text = _raw(sent).decode("ascii", "replace").replace("=\r\n", "")
        if heads[sent["event"] - 1] not in text:
            raise LogError(f"mail {sent['id']} does not name event {sent['event']} of this log")
    yield f"{len(document['mails'])} mails of the complainant are as they came"
    yield f"{caused} of them are named in the log by their hash"
    yield f"{len(document['sent'])} mails to the complainant name events of this log"


def _unfounded(document: dict[str, Any]) -> Iterator[int]:
    """Yield the complainant's events that a message outside of the file caused."""
    actor = f"seat:{document['dispute']['seat']}"
    listed = (document[name] for name in ("mails", "strange", "pruned"))
    known = {f"{MAIL}{mail['sha256']}" for mails in listed for mail in mails}
    for line in document["log"]:
        cause = line.get("cause") or ""
        if line.get("actor") == actor and cause.startswith(MAIL) and cause not in known:
            yield line["version"]


def _raw(mail: dict[str, Any]) -> bytes:
    return base64.b64decode(mail["raw"], validate=True)


# --- parsing and judging again
# ------------------------------------------------------------------------


def _judged(document: dict[str, Any], mail: dict[str, Any], reader: MailReader) -> JudgedMail:
    game = document["game"]
    rules = registry.find(*game["ruleset"])
    given = mail["lines"]
    recorded = [line["line"] for line in given]
    read, is_sealed = _read(document, mail, reader, rules)
    lines = _as_noted(read, recorded, game["players"])
    is_alike = not given or _texts(lines) == recorded
    if is_sealed and not is_alike:
        told = (Judged(entry["line"], entry.get("at"), _in_words(entry), None) for entry in given)
        return JudgedMail(
            mail["sha256"], mail["arrived_at"], mail["status"], False, tuple(told), is_sealed=True
        )
    # If all lines of a message are "not done", it was stopped as a whole for a reason in its notes.
    is_judged = is_alike and any(then["outcome"] != "not-done" for then in given)
    judged: list[Judged] = []
    for line, then in zip(lines, given, strict=False):
        now = _outcome(document, rules, line, then, judged) if is_judged else None
        judged.append(Judged(line.text, then.get("at"), _in_words(then), now))
    return JudgedMail(mail["sha256"], mail["arrived_at"], mail["status"], is_alike, tuple(judged))


def _texts(lines: Sequence[OrderLine]) -> list[str]:
    return [line.text[:SHOWN_LINE] for line in lines]


def _as_noted(lines: Sequence[OrderLine], recorded: list[str], names: list[str]) -> list[OrderLine]:
    """Remove greetings and signatures, except those that the bundle lists as lines in `recorded`."""
    kept: list[OrderLine] = []
    for line, shown in zip(lines, _texts(lines), strict=True):
        is_polite = line.kind is LineKind.PROSE and is_courtesy(shown, names)
        if not is_polite or recorded[len(kept) : len(kept) + 1] == [shown]:
            kept.append(line)
    return kept


def _read(
    document: dict[str, Any], mail: dict[str, Any], reader: MailReader, rules: AnyRuleset
) -> tuple[list[OrderLine], bool]:
    """Parse a message as on its arrival. Return its lines, and whether it is encrypted.

    Lines that may be quoted are returned as `DOUBT`, which the rules do not judge.
    """
    names = document["game"]["players"]
    ours = {sent["id"]: sent for sent in document["sent"]}
    raws = [_raw(ours[sent]) for sent in mail["quotes"] if sent in ours]
    try:
        parsed = reader.read(
            _raw(mail),
            own_domains=[document["service"]["domain"]],
            own_addresses=[document["service"]["address"]],
            mail_from=mail["mail_from"],
        )
    except MailError:
        return [], False
    is_sealed = ENCRYPTED in parsed.problems
    text, page = quoted(map(forms_of, raws))
    orders = OrderReader([rules], names, _language(document))
    reply = extract_reply(parsed, answered=text, answered_page=page, recogniser=orders)
    own = OwnWords(reply, orders.read(reply.text))
    if reply.doubts:
        return _doubts(seat_mail.doubtful(own)), is_sealed
    if reply.unread is not None:
        return [], is_sealed
    words = [line.word for line in own.lines]
    index = words.index(Word.DISPUTE) if Word.DISPUTE in words else len(words)
    left_out = _doubts(reply.left_out[: seat_mail.MAX_DOUBTS])
    read = [
        *own.lines[:index],
        *left_out,
        *own.lines[index : index + 1],
    ]  # the text below `dispute` is the complaint
    return read, is_sealed


def _doubts(texts: Sequence[str]) -> list[OrderLine]:
    return [OrderLine(text, LineKind.DOUBT) for text in texts]


def _outcome(
    document: dict[str, Any],
    rules: AnyRuleset,
    line: OrderLine,
    then: dict[str, Any],
    before: Sequence[Judged],
) -> str | None:
    """Return today's outcome of a line, or None if the file is not sufficient."""
    if line.kind is LineKind.PROSE:
        # The answer to a question, or an offer for a sentence, depends on the stage of the game.
        is_talk = then["outcome"] in ("meant", "done") and not then["move"]
        return None if is_talk else "unused"
    if any((judged.now or judged.then).startswith("refused") for judged in before):
        return None if line.word is Word.DISPUTE else "not done"
    if line.kind is not LineKind.GAME or then["at"] is None:
        return None
    if not then["may_decide"] or not then["current"]:
        return None if then["outcome"] == "refused" else "refused"
    if names_list_number(line.order, rules) and not then["listed"]:
        return None if then["outcome"] == "refused" else "refused"
    state = _table(document, rules, then["at"])
    if state is None:
        return None
    seat = Seat(document["dispute"]["seat"])
    try:
        move = read_order(rules, state, seat, line.order)
        canonical = rules.format_move(state, seat, move)
        rules.apply(state, seat, move)
    except EngineError as error:
        return f"refused: {translate(error.message, _language(document))}"
    return f"done as {canonical}"


def _language(document: dict[str, Any]) -> str:
    """Return the language of the complainant's messages, which older files do not contain."""
    language = document["dispute"].get("language")
    return str(language) if language in languages() else SOURCE


def _table(document: dict[str, Any], rules: AnyRuleset, version: int) -> Any:  # noqa: ANN401
    """Invent a position that looks like the complainant's, or return None if that is impossible."""
    view = document["views"].get(str(version))
    game, seat = document["game"], document["dispute"]["seat"]
    if not view:
        return None
    setup = Setup(len(game["players"]), bytes(32), game["options"])
    try:
        guess = knowledge_of(game["ruleset"][0]).guess(view, setup, Chance("dispute", version))
        state = rules.state_from_json(setup, guess)
    except (EngineError, Refusal, ValueError, KeyError, IndexError):
        return None
    return state if rules.view(state, Seat(seat)) == view else None


def _in_words(then: dict[str, Any]) -> str:
    if then["outcome"] == "done":
        return f"done as {then['move']}" if then["move"] else "done"
    if then["outcome"] == "refused":
        return f"refused: {then['message']}"
    return str(then["outcome"]).replace("-", " ")
