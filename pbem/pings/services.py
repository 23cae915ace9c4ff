"""Registry of the services for pings: the format of their targets, and their requests.

A target such as `ntfy my-topic` consists of the service's word and its own address format. To add a
service, add a row. Text is always sent as plain text: no service interprets markup, links or
mentions in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from engine.api import JsonObject
from pbem.sections import Pings


@dataclass(frozen=True, slots=True)
class Note:
    """A notification: a line of text, and the name of our service as its title.

    Attributes:
        mark: unique ID, the same on every attempt.
    """

    title: str
    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a service, with a JSON body.

    Attributes:
        is_ours: True if the server is in the admin's settings and may be in a private network.
    """

    url: str = field(repr=False)
    body: JsonObject = field(repr=False)
    is_ours: bool = False
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class PingService:
    """A service for pings.

    Attributes:
        word: the name of the service in targets.
        place: pattern of the target that must follow `word`.
        example: an example target.
        requests: returns the requests for a notification, in order.
    """

    word: str
    place: re.Pattern[str]
    example: str
    requests: Callable[[Pings, str, Note], Sequence[Request]]


def _ntfy(settings: Pings, topic: str, note: Note) -> Sequence[Request]:
    """Publish as JSON (docs.ntfy.sh/publish)."""
    body: JsonObject = {"topic": topic, "title": note.title, "message": note.text}
    return [Request(f"{settings.ntfy}/", body, is_ours=True)]


def _matrix(settings: Pings, room: str, note: Note) -> Sequence[Request]:
    """Join the room that invited us, and send (Matrix client-server API v1.11 §10.4, §10.5)."""
    base, path = f"{settings.matrix}/_matrix/client/v3", quote(room, safe="")
    bearer = {"Authorization": f"Bearer {settings.matrix_token}"}
    send = f"{base}/rooms/{path}/send/m.room.message/{note.mark}"
    body: JsonObject = {"msgtype": "m.text", "body": f"{note.title}: {note.text}"}
    return [
        Request(f"{base}/join/{path}", {}, is_ours=True, headers=bearer),
        Request(send, body, is_ours=True, method="PUT", headers=bearer),
    ]


def _telegram(settings: Pings, chat: str, note: Note) -> Sequence[Request]:
    """Send a message as a bot that its reader has contacted (core.telegram.org/bots/api)."""
    url = f"{settings.telegram}/bot{settings.telegram_token}/sendMessage"
    body: JsonObject = {"chat_id": chat, "text": f"{note.title}: {note.text}"}
    return [Request(url, body, is_ours=True)]


def _signal(settings: Pings, number: str, note: Note) -> Sequence[Request]:
    """Send through the REST API of signal-cli, which the admin runs."""
    body: JsonObject = {
        "number": settings.signal_number,
        "recipients": [number],
        "message": f"{note.title}: {note.text}",
    }
    return [Request(f"{settings.signal}/v2/send", body, is_ours=True)]


def _discord(_settings: Pings, url: str, note: Note) -> Sequence[Request]:
    """Execute a webhook (discord.com/developers/docs/resources/webhook) without mentions."""
    nobody: JsonObject = {"parse": []}
    text = f"{note.title}: {note.text}"
    return [Request(url, {"content": text, "allowed_mentions": nobody})]


def _webhook(_settings: Pings, url: str, note: Note) -> Sequence[Request]:
    return [Request(url, {"title": note.title, "text": note.text})]


_PATH = r"(?:/[A-Za-z0-9._~!$&'()*+,;=:%/-]*)?(?:\?[A-Za-z0-9._~!$&'()*+,;=:%/?-]*)?"
_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]"
"""A host name with a dot that does not end in a digit, so it cannot be an IP address."""

SERVICES: Mapping[str, PingService] = {
    row.word: row
    for row in (
        PingService("ntfy", re.compile(r"[A-Za-z0-9_-]{6,64}"), "my-secret-topic", _ntfy),
        PingService(
            "matrix",
            re.compile(rf"![A-Za-z0-9._=/+-]{{1,200}}:{_HOST}"),
            "!room:example.org",
            _matrix,
        ),
        PingService("telegram", re.compile(r"-?[0-9]{4,20}"), "123456789", _telegram),
        PingService("signal", re.compile(r"\+[1-9][0-9]{6,14}"), "+491701234567", _signal),
        PingService(
            "discord",
            re.compile(r"https://discord\.com/api/webhooks/[0-9]{5,30}/[A-Za-z0-9_-]{20,200}"),
            "https://discord.com/api/webhooks/…",
            _discord,
        ),
        PingService(
            "webhook", re.compile(rf"https://{_HOST}{_PATH}"), "https://example.org/hook", _webhook
        ),
    )
}


def read_place(text: str) -> tuple[str, str] | None:
    """Split `ntfy my-topic` into the service and its target, or return None if it is invalid."""
    word, _, place = text.strip().partition(" ")
    row = SERVICES.get(word.lower().replace("web-hook", "webhook"))
    place = place.strip().removeprefix("<").removesuffix(">")
    if row is None or len(place) > LONGEST or not row.place.fullmatch(place):
        return None
    return row.word, place


LONGEST = 400
"""Maximum length of a target."""
