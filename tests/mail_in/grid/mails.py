"""Build replies from their parts: the answered message, the player's text, and the raw bytes."""

from __future__ import annotations

import base64
import binascii
import html
import random  # noqa: TID251  (which mails a test reads, never what a game deals)
import textwrap
from dataclasses import dataclass
from email import message_from_bytes, policy
from functools import cache
from pathlib import Path

from lxml import etree

from tests.mail_in.grid.languages import LANGUAGES, Language

TURNS = Path(__file__).parent / "turns"
_BLOCKS = frozenset(["p", "div", "tr", "td", "th", "li", "ul", "h1", "h2", "h3", "table", "br"])


@dataclass(frozen=True)
class Turn:
    """A message of the service: raw bytes, lines of its text, and the content of its HTML body."""

    raw: bytes
    lines: tuple[str, ...]
    html: str
    subject: str
    name: str
    address: str


@dataclass(frozen=True)
class Own:
    """The player's text: order lines, an optional line of prose, an optional ending."""

    orders: tuple[str, ...]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        """Return all lines of the player's text in order."""
        return [*self.before, *self.orders, *self.after]


@dataclass(frozen=True)
class Case:
    """The parameters of a reply.

    Attributes:
        position: `top`, `bottom`, `inline` or `empty`.
        phone: True if the client adds its device line.
        below: more lines of the player, below all other text.
    """

    turn: Turn
    own: Own
    language: str
    position: str
    phone: bool
    seed: int
    below: tuple[str, ...] = ()

    @property
    def words(self) -> Language:
        """Return the texts of the client's language."""
        return LANGUAGES[self.language]

    def say(self, pattern: str) -> str:
        """Fill name and address into an attribution line."""
        return pattern.replace("{n}", self.turn.name).replace("{a}", self.turn.address)

    def dice(self) -> random.Random:
        """Return a random stream for choices within the case, the same for each call."""
        return random.Random(self.seed)  # noqa: S311


@cache
def load_turn(name: str) -> Turn:
    """Read a stored turn message, to which replies are generated."""
    raw = (TURNS / f"{name}.eml").read_bytes()
    message = message_from_bytes(raw, policy=policy.default)
    plain = message.get_body(("plain",))
    rich = message.get_body(("html",))
    text = plain.get_content() if plain else ""
    inside = ""
    if rich:
        inside = rich.get_content()
        inside = inside[inside.index("<body") :]
        inside = inside[inside.index(">") + 1 : inside.index("</body")]
    else:
        inside = "<br>".join(html.escape(line) for line in text.split("\n"))
    sender = message["From"].addresses[0]
    return Turn(
        raw,
        tuple(text.rstrip().splitlines()),
        inside,
        str(message["Subject"]),
        sender.display_name,
        sender.addr_spec,
    )


def flat_text(inside: str, *, stars: bool = False, links: bool = False) -> list[str]:
    """Convert HTML to lines of text like clients without HTML, with each table cell on a line."""
    root = etree.fromstring(f"<div>{inside}</div>", etree.HTMLParser())
    out: list[str] = [""]

    def walk(node: etree._Element) -> None:
        if not isinstance(node.tag, str) or node.tag in ("style", "title"):
            return
        if "display:none" in (node.get("style") or ""):
            return
        bold = stars and node.tag in ("b", "strong", "h1", "h2")
        if node.tag in _BLOCKS and out[-1].strip():
            out.append("")
        if bold:
            out[-1] += "*"
        out[-1] += " ".join((node.text or "").split("\n"))
        for child in node:
            walk(child)
            out[-1] += " ".join((child.tail or "").split("\n"))
        if bold:
            out[-1] += "*"
        if links and node.tag == "a":
            out[-1] += f"<{node.get('href')}>"
        if node.tag in _BLOCKS and out[-1].strip():
            out.append("")

    walk(root)
    lines = [" ".join(line.split()) for line in out]
    return [line for line in lines if line.strip("* ")]


def wrapped(lines: list[str], width: int, prefix: str = "> ") -> list[str]:
    """Quote lines with a mark. Long lines are wrapped, and every part gets a mark."""
    found: list[str] = []
    for line in lines:
        pieces = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
        found.extend((prefix + piece).rstrip() for piece in pieces or [""])
    return found


def paragraphs(lines: list[str], tag: str = "div", attributes: str = "") -> str:
    """Write lines as HTML blocks, and blank lines as blocks with a break."""
    inner = (html.escape(line) or "<br>" for line in lines)
    return "".join(f"<{tag}{attributes}>{text}</{tag}>" for text in inner)


def part(text: str, kind: str, charset: str, encoding: str, extra: str = "") -> bytes:
    """Encode one part with its header."""
    data = text.encode(charset, "replace").replace(b"\n", b"\r\n")
    head = f"Content-Type: text/{kind}; charset={charset}{extra}\r\n"
    if encoding == "base64":
        body = base64.encodebytes(data).replace(b"\n", b"\r\n")
    elif encoding == "quoted-printable":
        body = binascii.b2a_qp(data, istext=True)
    else:
        encoding, body = "8bit", data
    return f"{head}Content-Transfer-Encoding: {encoding}\r\n\r\n".encode() + body


def compose(
    case: Case,
    plain: str | None,
    rich: str | None,
    *,
    client: str,
    charset: str = "utf-8",
    extra: str = "",
) -> bytes:
    """Return the raw bytes of a reply with its text, its HTML, or both."""
    dice = case.dice()
    wide = charset in ("utf-16", "iso-2022-jp")
    encoding = "base64" if wide else dice.choice(["quoted-printable", "base64", "8bit"])
    if charset == "iso-2022-jp":
        encoding = "8bit"
    head = [
        f"From: Anna Example <anna@example.org>\r\nTo: {case.turn.name} <{case.turn.address}>",
        f"Subject: Re: {case.turn.subject.encode('ascii', 'replace').decode()}",
        "Date: Fri, 20 Nov 2026 19:12:00 +0100",
        f"Message-ID: <{case.seed}.{client}@mail.example.org>",
        "In-Reply-To: <118.7@games.example>",
        "MIME-Version: 1.0",
    ]
    parts = []
    if plain is not None:
        parts.append(part(plain, "plain", charset, encoding, extra))
    if rich is not None:
        parts.append(part(rich, "html", "utf-8", "quoted-printable"))
    if len(parts) == 1:
        return "\r\n".join(head).encode() + b"\r\n" + parts[0]
    mark = f"=_{case.seed:x}_{client}"
    head.append(f'Content-Type: multipart/alternative; boundary="{mark}"')
    body = b"".join(b"--" + mark.encode() + b"\r\n" + one + b"\r\n" for one in parts)
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body + b"--" + mark.encode() + b"--\r\n"
