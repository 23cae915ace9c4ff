"""Split a message into parts and select its text parts.

Containers are split at their boundary lines and counted iteratively, with limited depth. Each level
takes time linear in the size of the message. Attachments are never read. The text of an attached
message (`message/rfc822`) is never treated as the sender's own text.
"""

from __future__ import annotations

import binascii
import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import Message
from functools import lru_cache
from typing import Final

from pbem import openpgp
from pbem.errors import MalformedMailError
from pbem.mail_in.mime.charsets import clean_text, decode_text
from pbem.mail_in.mime.headers import Headers
from pbem.mail_in.mime.limits import ParseLimits, split_head, unfold
from pbem.mail_in.mime.notices import REACTION_TYPE, rough_text
from pbem.openpgp import OpenPgpError
from pbem.plain import words_in

ENCRYPTED: Final = "an encrypted mail or a digest is not read"
LOCKED: Final = "it is encrypted, but not with my key, or it was damaged on the way"
UNBOUNDED: Final = "a container without boundary"
WRAPPED: Final = "what is wrapped in S/MIME or in winmail.dat is not read"
PROTECTED: Final = "it is protected, and only a web page shows its text"
SEALS: Final = frozenset([ENCRYPTED, LOCKED, UNBOUNDED, WRAPPED])
"""Reasons why no text was found in a message although its sender sees one."""
SKIPPED: Final = "all I found in it is of a type that is not read: "
"""Reason why a message without any text was not read. The type follows."""
_WRAPPED: Final = frozenset(
    ["application/pkcs7-mime", "application/x-pkcs7-mime", "application/ms-tnef"]
)
_NOT_WORDS: Final = frozenset(
    words_in("""
text/enriched text/richtext text/rtf text/calendar text/x-vcalendar text/vcard text/x-vcard text/directory
text/css text/csv text/javascript text/xml text/x-amp-html text/rfc822-headers
""")
)
"""Text types that mail programs do not display as lines of text."""
_SIGNATURES: Final = frozenset(
    words_in("""
application/pgp-signature application/pgp-keys application/pkcs7-signature
application/x-pkcs7-signature application/pgp-encrypted
""")
)
_UNREAD_TYPE: Final = re.compile(r"(?:text|application)/[a-z0-9.+_-]{1,60}")
_RIGHTS_MANAGED: Final = "application/x-microsoft-rpmsg-message"
_CONTENT_TYPE_LENGTH: Final = 2048
_TYPE: Final = re.compile(r"\s*([\w.+!#$&^-]+)\s*/\s*([\w.+!#$&^-]+)\s*", re.ASCII)
_BOUNDARY_LENGTH: Final = 200
_BOUNDARY_END: Final = re.compile(rb"(--)?[ \t]*(?=\n|\Z)")


@dataclass(frozen=True, slots=True)
class ContentType:
    """A Content-Type field, e.g. `text/plain; charset=utf-8`.

    Everything except the values of parameters is in lower case.

    Attributes:
        name: type and subtype. `text/plain` if there is no field, `x-damaged/x-damaged` if it is
            invalid. A missing semicolon, or a comma instead, is tolerated.
        params: parameters, names in lower case.
    """

    name: str
    params: dict[str, str]

    @property
    def main(self) -> str:
        """Return the main type, without the subtype."""
        return self.name.partition("/")[0]


@dataclass(slots=True)
class Texts:
    """The readable texts of a part, in order.

    Attributes:
        plain: the texts of the plain parts, or None if some text exists only as HTML.
        html: the texts of the HTML parts, or None if some text exists only as plain text.
        rich: True if there is a real HTML part.
    """

    plain: list[str] | None = field(default_factory=list)
    html: list[str] | None = field(default_factory=list)
    rich: bool = False


def content_type_of(headers: Headers) -> ContentType:
    """Parse the Content-Type with the library's tolerant parser, on bounded input."""
    return _content_type(headers.first("content-type"))


@lru_cache(128)  # messages use few different values
def _content_type(value: str) -> ContentType:
    if not value:
        return ContentType("text/plain", {})
    if len(value) > _CONTENT_TYPE_LENGTH:
        return ContentType("x-damaged/x-damaged", {})
    match = _TYPE.match(value)
    if match is None:
        name = value.partition(";")[0].strip().lower()
        name = "text/plain" if name in ("", "text") else "x-damaged/x-damaged"
        rest = value.partition(";")[2]
    else:
        name = f"{match[1]}/{match[2]}".lower()
        rest = value[match.end() :].lstrip(" ;,")
    message = Message()
    params: dict[str, str] = {}
    try:
        message["Content-Type"] = f"{name}; {rest}"
        for key, text in message.get_params(failobj=[])[1:]:
            # Contrary to the type hints, RFC 2231 values are (charset, language, text).
            given: object = text
            params.setdefault(key.lower(), given[-1] if isinstance(given, tuple) else text)
    except (ValueError, LookupError, TypeError):
        return ContentType("x-damaged/x-damaged", {})
    return ContentType(name, params)


class PartReader:
    """Collects the texts of one message, counts its parts and records anomalies.

    Args:
        limits: limits on the parts that are read.
        cut: True if the message exceeded the size limit.
        secret: our OpenPGP key, if the message may be decrypted (one layer only).
        is_lenient: True to read the first inline text even if it has a file name or an unknown
            type. Used for messages without any other text.
    """

    def __init__(
        self,
        limits: ParseLimits,
        *,
        cut: bool,
        secret: bytes | None = None,
        is_lenient: bool = False,
    ) -> None:
        self._limits = limits
        self._cut = cut
        self._secret = secret
        self._is_lenient = is_lenient
        self._parts = 0
        self.problems: list[str] = []
        self.opened: Headers | None = None
        """Header inside the encrypted part, where some programs put most fields (RFC 9788)."""
        self.is_reaction = False
        """One of its parts makes the message a reaction, regardless of the other parts."""
        self.has_reaction = False
        """One of its parts is a reaction (RFC 9078)."""
        self.skipped: str | None = None
        """Type of the first part that was not read and may contain text."""

    def read(self, headers: Headers, body: bytes, *, depth: int = 0, last: bool = True) -> Texts:
        """Collect the texts of a part.

        Args:
            headers: the headers of this part.
            body: its content, still encoded.
            depth: number of enclosing containers.
            last: True if the part extends to the end of the message, so that it may be truncated.

        Raises:
            MalformedMailError: there are too many parts or levels, or a text is truncated.
        """
        self._parts += 1
        if self._parts > self._limits.parts:
            raise MalformedMailError("too many parts")
        if depth > self._limits.depth:
            raise MalformedMailError("containers are nested too deep")
        kind = content_type_of(headers)
        if kind.main == "multipart":
            return self._container(kind, body, depth, last)
        if kind.name in _WRAPPED and kind.params.get("smime-type") != "certs-only":
            self.problems.append(WRAPPED)
        if kind.name == _RIGHTS_MANAGED or kind.params.get("name", "").lower().endswith(".rpmsg"):
            self.problems.append(PROTECTED)
        disposition = headers.first("content-disposition").lstrip().lower()
        if kind.name == REACTION_TYPE and not disposition.startswith("attachment"):
            self.is_reaction = True
        if disposition.startswith("reaction"):
            self.has_reaction = True
            return Texts()
        if not self._is_text(headers, kind):
            if _UNREAD_TYPE.fullmatch(kind.name) and kind.name not in _SIGNATURES | _WRAPPED:
                self.skipped = self.skipped or kind.name
            return Texts()
        if self._cut and last:
            raise MalformedMailError("the text is longer than the size limit")
        text = self._text(headers, kind, body)
        if self._is_lenient and not text.strip():
            return Texts()
        if kind.name == "text/html":
            return Texts(plain=None, html=[text], rich=True)
        if kind.params.get("format", "").lower() == "flowed":
            text = unflow(text, delete_space=kind.params.get("delsp", "").lower() == "yes")
        return Texts(plain=[text], html=[f"<pre>{html.escape(text)}</pre>"])

    def _is_text(self, headers: Headers, kind: ContentType) -> bool:
        """True if a part is read as text. Parts with an invalid type are included (RFC 2045 §5.2)."""
        if not self._is_lenient:
            return kind.name in ("text/plain", "text/html") and not is_attachment(headers, kind)
        if headers.first("content-disposition").lstrip().lower().startswith("attachment"):
            return False
        is_text = kind.main == "text" and kind.name not in _NOT_WORDS
        return is_text or kind.name == "x-damaged/x-damaged"

    def _container(self, kind: ContentType, body: bytes, depth: int, last: bool) -> Texts:
        is_closed = kind.name == "multipart/encrypted" and self._secret is None
        if is_closed or kind.name == "multipart/digest":
            self.problems.append(ENCRYPTED)
            return Texts()
        boundary = kind.params.get("boundary", "").rstrip()
        if not 0 < len(boundary) <= _BOUNDARY_LENGTH or not boundary.isascii():
            self.problems.append(UNBOUNDED)
            return Texts()
        pieces, closed = split_parts(body, boundary.encode("ascii"), self._limits.parts)
        if kind.name in ("multipart/signed", "multipart/report"):
            pieces = pieces[:1]
        found: list[Texts] = []
        for number, piece in enumerate(pieces):
            headers, content = self._split(piece)
            at_end = last and not closed and number == len(pieces) - 1
            if kind.name != "multipart/encrypted":
                found.append(self.read(headers, content, depth=depth + 1, last=at_end))
            elif content_type_of(headers).name == "application/octet-stream":
                return self._opened(headers, content, depth, is_cut=self._cut and at_end)
        if kind.name == "multipart/encrypted":
            self.problems.append(LOCKED)
        if kind.name == "multipart/alternative":
            return one_of(found)
        if self._is_lenient:
            found = [texts for texts in found if texts.plain or texts.html][:1]
        return all_of(found)

    def _split(self, piece: bytes) -> tuple[Headers, bytes]:
        """Separate the headers of a part from its content."""
        head, content = split_head(piece)
        lines = unfold(
            head,
            block=self._limits.part_head,
            line=self._limits.head_line,
            fields=self._limits.fields,
        )
        return Headers(lines), content

    def _opened(self, headers: Headers, body: bytes, depth: int, *, is_cut: bool) -> Texts:
        """Collect the texts of a decrypted part (RFC 3156). Signatures are ignored."""
        secret, self._secret = self._secret, None
        if is_cut:
            raise MalformedMailError("the text is longer than the size limit")
        encoding = headers.first("content-transfer-encoding").strip().lower()
        try:
            inside = openpgp.decrypted(decode_transfer(body, encoding), secret or b"")
        except OpenPgpError:
            self.problems.append(LOCKED)
            return Texts()
        if len(inside) > self._limits.mail:
            raise MalformedMailError("the text is longer than the size limit")
        inside = inside.replace(b"\0", b"").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self.opened, content = self._split(inside)
        return self.read(self.opened, content, depth=depth + 1, last=False)

    def _text(self, headers: Headers, kind: ContentType, body: bytes) -> str:
        encoding = headers.first("content-transfer-encoding").strip().lower()
        data = decode_transfer(body, encoding)
        text, clean = decode_text(data, kind.params.get("charset", ""))
        if not clean:
            self.problems.append("the character set is not known, or the text is not of it")
        return clean_text(text)


def split_parts(body: bytes, boundary: bytes, limit: int) -> tuple[list[bytes], bool]:
    """Split a container at its boundary lines.

    Returns:
        The parts (header and content), and True if there was a closing line.

    Raises:
        MalformedMailError: there are more than `limit` parts.
    """
    pieces: list[bytes] = []
    start, mark, index = -1, b"--" + boundary, -1
    while (index := body.find(mark, index + 1)) >= 0:
        match = _BOUNDARY_END.match(body, index + len(mark))
        if match is None or body[max(index - 1, 0) : index] not in (b"", b"\n"):
            continue
        if start >= 0:
            pieces.append(body[start : max(start, index - 1)])
        if len(pieces) > limit:
            raise MalformedMailError("too many parts")
        if match.group(1):
            return pieces, True
        start = match.end() + 1
        index = match.end() - 1
    if start >= 0:
        pieces.append(body[start:])
    return pieces, False


def is_attachment(headers: Headers, kind: ContentType) -> bool:
    """True if a part is a file rather than text to display inline."""
    disposition = headers.first("content-disposition").lower()
    named = "filename" in disposition or "name" in kind.params
    return disposition.lstrip().startswith("attachment") or named


def decode_transfer(body: bytes, encoding: str) -> bytes:
    """Decode the transfer encoding. Damaged characters do not affect the rest."""
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if encoding == "base64":
        # Appended footers, lost padding, foreign characters: decode the valid rest.
        data = bytes(body).translate(None, _NOT_BASE64).partition(b"=")[0]
        data = data[: len(data) - 1] if len(data) % 4 == 1 else data
        return binascii.a2b_base64(data + b"=" * (-len(data) % 4))
    return body


_NOT_BASE64: Final = bytes(
    code
    for code in range(256)
    if code not in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
)


def has_words(texts: Texts) -> bool:
    """True if the texts contain at least one word."""
    if any(map(str.strip, texts.plain or ())):
        return True
    return texts.rich and bool(rough_text("\n".join(texts.html or ())).strip())


def one_of(forms: Sequence[Texts]) -> Texts:
    """Combine alternatives: use the first plain text and the first HTML among them."""
    plain = next((texts.plain for texts in forms if texts.plain), None)
    rich = next((texts for texts in forms if texts.rich and texts.html), None)
    if plain is None and rich is None:
        return Texts()
    return Texts(
        plain=plain,
        html=rich.html if rich else [f"<pre>{html.escape(text)}</pre>" for text in plain or ()],
        rich=rich is not None,
    )


def all_of(forms: Sequence[Texts]) -> Texts:
    """Combine consecutive texts. If one of them lacks a form, the combined form is incomplete.

    A plain text followed by an HTML part with the same words is treated as one text in two forms.
    Some programs and gateways produce this, with a footer or an attachment between the forms.
    """
    joined = Texts()
    for texts in _paired([texts for texts in forms if texts.plain or texts.html]):
        joined.rich = joined.rich or texts.rich
        if joined.plain is not None:
            joined.plain = None if texts.plain is None else joined.plain + texts.plain
        if joined.html is not None:
            joined.html = None if texts.html is None else joined.html + texts.html
    return joined


def _paired(forms: Sequence[Texts]) -> list[Texts]:
    """Combine each text with the HTML part that contains the same text."""
    texts: list[Texts] = []
    for form in forms:
        place = next((index for index, other in enumerate(texts) if _are_forms(other, form)), None)
        if place is None:
            texts.append(form)
        else:
            texts[place] = one_of([texts[place], form])
    return texts


def _are_forms(first: Texts, other: Texts) -> bool:
    """True if two texts are the plain and the HTML form of the same text.

    They must share a line or most of their words. If the forms differ in an order, the player is
    asked (see `quotes.body`). Two texts that share a line by chance therefore only cause a
    question. Treating two forms as two texts would execute a move twice.
    """
    if first.rich == other.rich or (first.plain is None) == (other.plain is None):
        return False
    plain, rich = (other, first) if first.rich else (first, other)
    text = _LINK.sub(" ", "\n".join(plain.plain or ()))
    shown = rough_text("\n".join(rich.html or ()))
    if _lines_of(text) & _lines_of(shown):
        return True
    words, others = (Counter(_WORD.findall(form.casefold())) for form in (text, shown))
    shorter = min(words.total(), others.total())
    return 0 < _SAME * shorter <= (words & others).total()


def _lines_of(text: str) -> set[tuple[str, ...]]:
    """Return the words of each line that is not marked as quoted."""
    lines = (line for line in text.casefold().split("\n") if not line.startswith(">"))
    return {words for line in lines if (words := tuple(_WORD.findall(line)))}


_WORD: Final = re.compile(r"\w+")
_LINK: Final = re.compile(r"<\w+:[^<>]*>")
"""Link target that Thunderbird writes after the text of a link."""
_SAME: Final = 0.9
"""Minimum proportion of words that two forms of a text have in common."""


def unflow(text: str, *, delete_space: bool) -> str:
    """Join the lines that the sender's client wrapped (format=flowed, RFC 3676).

    A line that ends in a space continues in the next line of the same quote depth (§4.2 to §4.5).
    The signature separator `-- ` never flows. Quoted lines keep their depth as `>` marks.

    Args:
        text: lines separated by LF.
        delete_space: DelSp=yes: the space at the wrap is not part of the text.
    """
    out: list[str] = []
    pieces: list[str] = []
    open_depth = -1
    for raw in text.split("\n"):
        line = raw.lstrip(">")
        depth = len(raw) - len(line)
        line = line.removeprefix(" ")
        signature = line == "-- "
        if pieces and (depth != open_depth or signature):
            out.append(_at_depth(open_depth, "".join(pieces)))
            pieces = []
        if line.endswith(" ") and not signature:
            pieces.append(line[:-1] if delete_space else line)
            open_depth = depth
            continue
        out.append(_at_depth(depth, "".join((*pieces, line))))
        pieces = []
    if pieces:
        out.append(_at_depth(open_depth, "".join(pieces)))
    return "\n".join(out)


def _at_depth(depth: int, line: str) -> str:
    return f"{'>' * depth} {line}" if depth else line


_ARMOR_BEGIN: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_ARMOR_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_ARMOR_END: Final = "-----END PGP SIGNATURE-----"
_DASH: Final = "- "


def unarmored(text: str) -> str:
    """Remove the OpenPGP armour of signed texts. Other texts are returned unchanged.

    Signatures are not verified. The lines before the first blank line are armour headers (`Hash:
    SHA512`). A line that starts with a dash is escaped with `- `.
    """
    if _ARMOR_BEGIN not in text:
        return text
    result: list[str] = []
    heading = signed = signature = False
    for line in text.split("\n"):
        mark = line.rstrip()
        if mark == _ARMOR_BEGIN:
            heading = signed = True
        elif heading:
            heading = bool(mark)
        elif signed and mark == _ARMOR_SIGNATURE:
            signature = True
        elif signature:
            signature = signed = mark != _ARMOR_END
        else:
            result.append(line.removeprefix(_DASH) if signed else line)
    return "\n".join(result)
