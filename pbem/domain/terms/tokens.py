"""Reply addresses `local+TOKEN@domain`, where the token identifies a seat and a position.

A token is `kind-field-…-mac` in lower-case letters, digits and `-`, because some mail systems
change the case. The MAC is HMAC-SHA256 truncated to 80 bits, in base32. A token alone is not enough
to make a move: the sender must also be the seat's player.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from pbem.domain.log.chain import GameId

MAC_PREFIX = b"pbem-token-v1\n"
PAGE_PREFIX = b"pbem-seat-page-v1\n"
"""MAC context of seat pages, so that links and reply addresses cannot be derived from each other."""
_MAC_BYTES, _PAGE_MAC_BYTES = 10, 20
_MAIL = "m-"
"""MAC prefix of Message-IDs. Not a token kind."""
LOCAL_PART_LIMIT = 64
"""Maximum length of a local part (RFC 5321 §4.5.3.1.1)."""

_DAY_LENGTH = 6
"""Digits of the ordinal days from the year 274 to 2738. Game ids are longer."""
_MAX_READ = 20
"""Maximum number of token candidates examined in one text."""
_TOKEN = re.compile(
    r"(?<![a-z0-9])[sipqcbao](?:-[a-z0-9]{1,20}){1,6}-[a-z2-7]{16}(?![a-z0-9])", re.IGNORECASE
)
_PAGE = re.compile(r"t(?:-[a-z0-9]{1,20}){4}-[a-z2-7]{32}", re.IGNORECASE)
_OWN_FIELDS = re.compile(rb"^(?:PBEM-Token|Reply-To):[^\r\n]*(?:\r\n[ \t][^\r\n]*)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SeatToken:
    """Token of a seat.

    Attributes:
        generation: generation of the seat's player.
        decision: version of the event that required a decision of the seat, or 0 for none yet.
        listing: version of the position whose moves the mail lists. Move numbers refer to it.
        rotation: rotation of the player's reply addresses. Orders to an earlier one are refused.
    """

    game_id: GameId
    seat: int
    generation: int
    decision: int
    listing: int
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class PageToken:
    """Token in the link from a message to the page of a seat.

    Attributes:
        generation, rotation: as in `SeatToken`.
        version: game version that the message shows. The link alone opens nothing newer.
    """

    game_id: GameId
    seat: int
    generation: int
    version: int
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class PlayerToken:
    """Token of a person, outside any game. `rotation` as in `SeatToken`."""

    player_id: str
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class OfferToken:
    """Token of the answer to an offer to take over a seat."""

    game_id: GameId
    seat: int
    player_id: str


@dataclass(frozen=True, slots=True)
class QuestionToken:
    """Token of the answer to the question with this id.

    An id is `q-` followed by random characters. Ids from version 1.0 begin with `c-` or `a-` and
    contain their data: the message that was asked about, or the player, the day and a mark of a new
    address.
    """

    question_id: str


@dataclass(frozen=True, slots=True)
class AdminToken:
    """Token of the answer to a message to an admin.

    Attributes:
        mark: identifies the admin's address and its rotation.
        game_id: game of that message, or None if it was not about a game.
        day: ordinal day of that message, or None in messages of version 1.0.
    """

    mark: str
    game_id: GameId | None = None
    day: int | None = None


@dataclass(frozen=True, slots=True)
class BounceToken:
    """Token of the envelope sender of the outgoing mail `outbox_id` (VERP)."""

    outbox_id: int


Token = SeatToken | PlayerToken | OfferToken | QuestionToken | AdminToken | BounceToken


@dataclass(frozen=True, slots=True)
class TokenCodec:
    """Encodes and verifies tokens.

    Attributes:
        keys: secret keys, newest first. Older keys are still accepted.
        local, domain: parts of the service's address.
        is_plain: True if messages to `local+TOKEN@domain` do not arrive, so that headers and
            subjects carry the token.
    """

    keys: Sequence[bytes] = field(repr=False)
    local: str
    domain: str
    is_plain: bool = False

    def address(self, token: Token) -> str:
        """Return the reply address of a token. Raises: ValueError if it is too long."""
        local = f"{self.local}+{self.encode(token)}"
        if len(local) > LOCAL_PART_LIMIT:
            raise ValueError(
                f"the service's local part {self.local!r} is too long for reply addresses"
            )
        return f"{local}@{self.domain}"

    def encode(self, token: Token) -> str:
        """Encode a token with the newest key."""
        body = _body(token)
        return f"{body}-{_mac(self.keys[0], body)}"

    def encode_page(self, token: PageToken) -> str:
        """Encode the token of a seat page with the newest key."""
        body = _body(token)
        return f"{body}-{_mac(self.keys[0], body, PAGE_PREFIX, _PAGE_MAC_BYTES)}"

    def decode_page(self, text: str) -> PageToken | None:
        """Decode the token of a seat page, or None if it is malformed or its MAC is wrong."""
        body, _, mac = text.lower().rpartition("-")
        macs = (_mac(key, body, PAGE_PREFIX, _PAGE_MAC_BYTES) for key in self.keys)
        is_right = any(hmac.compare_digest(one.encode(), mac.encode()) for one in macs)
        token = _parse(body) if is_right else None
        return token if isinstance(token, PageToken) else None

    def message_id(self, stored: str) -> str:
        """Return the form of a stored Message-ID that messages show, with a MAC before the `@`."""
        local, _, domain = stored.partition("@")
        return f"{local}.{_mac(self.keys[0], _MAIL + stored)}@{domain}"

    def stored_ids(self, ids: Iterable[str]) -> list[str]:
        """Return the stored form of all Message-IDs that have a valid MAC."""
        result: list[str] = []
        for message_id in ids:
            marked, _, domain = message_id.partition("@")
            local, _, mac = marked.rpartition(".")
            if self._is_right(_MAIL + f"{local}@{domain}", mac):
                result.append(f"{local}@{domain}")
        return result

    def _is_right(self, body: str, mac: str) -> bool:
        return any(hmac.compare_digest(_mac(key, body).encode(), mac.encode()) for key in self.keys)

    def decode(self, text: str) -> Token | None:
        """Decode a token, or None if it is malformed or its MAC is wrong."""
        body, _, mac = text.lower().rpartition("-")
        token = _parse(body) if body and self._is_right(body, mac) else None
        return None if isinstance(token, PageToken) else token

    def is_ours(self, address: str) -> bool:
        """True if an address belongs to the service, with or without a token."""
        local, _, domain = address.lower().rpartition("@")
        return domain == self.domain and local.partition("+")[0] == self.local

    def shown(self, address: str) -> str:
        """Return a reply address for display, without its token if plus addresses do not work."""
        return f"{self.local}@{self.domain}" if self.is_plain else address

    def token_text(self, address: str) -> str | None:
        """Return the text after the plus in an address of the service, or None for other addresses."""
        if not self.is_ours(address):
            return None
        return address.lower().rpartition("@")[0].partition("+")[2] or None


def find_token_text(text: str) -> str | None:
    """Return the first text that looks like a token, or None. The token may be forged."""
    match = _TOKEN.search(text.lower())
    return None if match is None else match.group()


def token_written(raw: bytes) -> str | None:
    """Return the token text in the header of one of our messages, or None."""
    head = raw.partition(b"\r\n\r\n")[0]
    return find_token_text(b" ".join(_OWN_FIELDS.findall(head)).decode("ascii", "replace"))


def find_tokens(book: TokenCodec, text: str) -> list[Token]:
    """Return the valid tokens in a text, e.g. in a bounced message. The MACs are verified."""
    return list(dict.fromkeys(token for _, token in right_tokens(book, text)))


def right_tokens(book: TokenCodec, text: str) -> list[tuple[str, Token]]:
    """Return the tokens with a valid MAC in a text, each with its text form."""
    written = (match.group().lower() for match in islice(_TOKEN.finditer(text), _MAX_READ))
    return [(one, token) for one in written if (token := book.decode(one)) is not None]


def redact(text: str) -> str:
    """Replace every token by a placeholder, for logs and error texts."""
    return _TOKEN.sub("[token]", _PAGE.sub("[token]", text))


def find_token(
    book: TokenCodec, addresses: Iterable[str], subject: str
) -> tuple[str | None, Token | None]:
    """Return the token text in a message, and the token if its MAC is valid.

    Addresses are searched first (envelope, then headers), then the subject, for mail systems
    without plus addressing. A valid token takes precedence over an invalid one.
    """
    texts = [*map(book.token_text, addresses), find_token_text(subject)]
    seen = [text for text in texts if text is not None]
    for text in seen:
        token = book.decode(text)
        if token is not None:
            return text, token
    return next(iter(seen), None), None


def _mac(key: bytes, body: str, prefix: bytes = MAC_PREFIX, size: int = _MAC_BYTES) -> str:
    digest = hmac.new(key, prefix + body.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:size]).decode().lower()


def _body(token: Token | PageToken) -> str:
    match token:
        case SeatToken(game_id, seat, generation, decision, listing, rotation):
            return f"s-{game_id}-{seat}-{_occupant(generation, rotation)}-{decision}-{listing}"
        case PageToken(game_id, seat, generation, version, rotation):
            return f"t-{game_id}-{seat}-{_occupant(generation, rotation)}-{version}"
        case PlayerToken(player_id, rotation):
            return f"p-{player_id}-{rotation}" if rotation else f"p-{player_id}"
        case OfferToken(game_id, seat, player_id):
            return f"i-{game_id}-{seat}-{player_id}"
        case QuestionToken(question_id):
            return question_id
        case AdminToken(mark, about, day):
            return "-".join(["o", mark, *(str(part) for part in (day, about) if part is not None)])
        case BounceToken(outbox_id):
            return f"b-{outbox_id}"


def _occupant(generation: int, rotation: int) -> str:
    return f"{generation}r{rotation}" if rotation else f"{generation}"


def _parse(body: str) -> Token | PageToken | None:
    kind, *parts = body.split("-")
    try:
        match kind, parts:
            case "s", [game_id, seat, occupant, decision, listing]:
                generation, _, rotation = occupant.partition("r")
                return SeatToken(
                    GameId(game_id),
                    int(seat),
                    int(generation),
                    int(decision),
                    int(listing),
                    int(rotation or 0),
                )
            case "t", [game_id, seat, occupant, version]:
                generation, _, rotation = occupant.partition("r")
                return PageToken(
                    GameId(game_id), int(seat), int(generation), int(version), int(rotation or 0)
                )
            case "p", [player_id]:
                return PlayerToken(player_id)
            case "p", [player_id, rotation]:
                return PlayerToken(player_id, int(rotation))
            case "i", [game_id, seat, player_id]:
                return OfferToken(GameId(game_id), int(seat), player_id)
            case "q" | "c" | "a", [_, *_]:
                return QuestionToken(body)
            case "o", [mark]:
                return AdminToken(mark)
            case "o", [mark, day] if day.isdecimal() and len(day) == _DAY_LENGTH:
                return AdminToken(mark, day=int(day))
            case "o", [mark, game_id]:
                return AdminToken(mark, GameId(game_id))
            case "o", [mark, day, game_id]:
                return AdminToken(mark, GameId(game_id), int(day))
            case "b", [outbox_id]:
                return BounceToken(int(outbox_id))
            case _:
                return None
    except ValueError:
        return None
