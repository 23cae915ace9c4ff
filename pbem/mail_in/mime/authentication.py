"""Evaluate Authentication-Results fields (RFC 8601) added by a trusted mail server.

Anyone can forge such a field. Only fields of one configured server are used, and that server must
remove fields with its own name from incoming messages (§5). A forged field that is not removed
still has no effect: all results of the method must be a pass, so a forged pass does not override a
genuine failure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from pbem.errors import MalformedMailError
from pbem.mail_in.mime.headers import Headers
from pbem.mail_in.mime.limits import ParseLimits, open_raw

_FIELDS: Final = 20
_PIECE: Final = re.compile(r"""(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<open>\()|[^"(]+""", re.DOTALL)
_IN_COMMENT: Final = re.compile(r"(?P<open>\()|(?P<close>\))|\\.|[^()\\]+", re.DOTALL)
_NO_WORD: Final = re.compile(r"[^a-z0-9.@_-]")
"""Characters that are replaced in quoted strings.

Otherwise a `;` in an envelope address, for example, would end a statement of the field.
"""
_MALFORMED: Final = ("malformed", None)
_PASS: Final[Literal["pass"]] = "pass"  # noqa: S105  (a result, not a password)
_DOMAIN_PROPERTIES: Final = {"dmarc": ("header.from",), "dkim": ("header.d", "header.i")}
"""Properties that contain the signer's domain.

The second is used if the first is missing, as some providers set only that one
(`header.i=@example.org`).
"""


@dataclass(frozen=True, slots=True)
class TrustedServer:
    """The mail server whose authentication results are trusted.

    Attributes:
        authserv_id: its authserv-id, in lower case.
        method: `dmarc` or `dkim`, the check that the domain of From must pass.
    """

    authserv_id: str
    method: str


def judge(raw: bytes, sender: str, server: TrustedServer) -> Literal["pass", "fail", "none"]:
    """Return the trusted server's result for the sender: `pass`, `fail` or `none`.

    `none` means that the message has no result. Ambiguous results are a `fail`.

    Args:
        raw: the message.
        sender: the only address in From.
        server: the trusted server.
    """
    try:
        head = open_raw(raw, ParseLimits()).head
    except MalformedMailError:
        return "none"
    results = [
        result
        for field in Headers(head).all("authentication-results")[:_FIELDS]
        for result in _results(field, server)
    ]
    domain = sender.rpartition("@")[2]
    if server.method == "dkim":
        # mailing lists and gateways sign, too, but only signatures of the sender's domain count
        results = [(verdict, of) for verdict, of in results if of is None or _covers(of, domain)]
    if not results:
        return "none"
    return _PASS if _are_passes(results, domain, server.method) else "fail"


def is_vouched_for(raw: bytes, sender: str) -> bool:
    """True if the topmost Authentication-Results field has a pass for the sender's domain.

    The last server adds its field at the top, but if it adds none, the topmost field may come from
    the sender. The result is therefore not an authentication and must only be used as a priority.
    """
    try:
        head = open_raw(raw, ParseLimits()).head
    except MalformedMailError:
        return False
    field = Headers(head).first("authentication-results")
    words = field.lower().partition(";")[0].split()
    domain = sender.rpartition("@")[2]
    server = words[0] if words else ""
    return any(
        (results := _results(field, TrustedServer(server, method)))
        and _are_passes(results, domain, method)
        for method in _DOMAIN_PROPERTIES
    )


def _results(field: str, server: TrustedServer) -> list[tuple[str, str | None]]:
    """Return (result, domain) for each result of the configured method in a field."""
    text, is_whole = _plain(field.lower())
    name, *statements = text.split(";")
    words = name.split()
    if not words or words[0] != server.authserv_id:
        return []
    results: list[tuple[str, str | None]] = [] if is_whole else [_MALFORMED]
    for statement in statements:
        pairs = [word.partition("=")[::2] for word in _joined(statement).split()]
        if not pairs or pairs[0][0].partition("/")[0] != server.method:
            continue
        properties = dict(reversed(pairs[1:]))
        given = map(properties.get, _DOMAIN_PROPERTIES[server.method])
        of = next((header for header in given if header is not None), None)
        results.append((pairs[0][1], None if of is None else of.rpartition("@")[2]))
    return results


def _plain(field: str) -> tuple[str, bool]:
    """Remove comments and quotes (RFC 5322 §3.2). The second value is False if one is unclosed."""
    pieces: list[str] = []
    index = depth = 0
    while index < len(field):
        match = (_IN_COMMENT if depth else _PIECE).match(field, index)
        if match is None:
            return "".join(pieces), False
        index, text = match.end(), match.group()
        if match.lastgroup in ("open", "close"):
            depth += 1 if match.lastgroup == "open" else -1
            pieces.append(" ")
        elif not depth:
            pieces.append(_NO_WORD.sub("_", text[1:-1]) if match.lastgroup else text)
    return "".join(pieces), depth == 0


def _joined(statement: str) -> str:
    """Remove the optional spaces around `=` and `/` (RFC 8601 §2.2)."""
    return re.sub(r"[ \t]{0,20}([=/])[ \t]{0,20}", r"\1", statement)


def _are_passes(results: list[tuple[str, str | None]], domain: str, method: str) -> bool:
    """True if every result is a pass for the domain."""
    return all(verdict == _PASS and _is_for(of, domain, method) for verdict, of in results)


def _is_for(of: str | None, domain: str, method: str) -> bool:
    if method == "dmarc":
        return of is None or of == domain
    return of is not None and _covers(of, domain)


def _covers(signer: str, domain: str) -> bool:
    """True if a signature covers a domain.

    It covers the signer's own domain and, if that has at least two labels, its subdomains.
    """
    return signer == domain or ("." in signer and domain.endswith(f".{signer}"))
