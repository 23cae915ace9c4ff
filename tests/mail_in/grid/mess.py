"""Damage replies as on their way: rewrapping, footers, odd structures, wrong declarations."""

from __future__ import annotations

import base64
import random  # noqa: TID251  (which mails a test reads, never what a game deals)
from collections.abc import Callable

from tests.mail_in.grid.mails import Case

FOOTERS = (
    "\n_______________________________________________\nThis message was scanned for viruses.\n",
    "\n--\nDiese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.\nwww.avast.com\n",
    "\n\nCONFIDENTIALITY NOTICE: This message is for its addressee only; else delete it.\n",
)


def rewrapped(text: str, dice: random.Random) -> str:
    """Break long lines at a narrow width, and leave the quote mark out of their continuations."""
    width = dice.choice([66, 72, 76])
    found: list[str] = []
    for line in text.split("\n"):
        rest = line
        while len(rest) > width and " " in rest[10:width] and rest.startswith((">", "|")):
            cut = rest.rindex(" ", 10, width)
            found.append(rest[:cut])
            rest = rest[cut + 1 :]
        found.append(rest)
    return "\n".join(found)


def footed(text: str, dice: random.Random) -> str:
    """Append the footer of a gateway."""
    return text + dice.choice(FOOTERS)


def spaced(text: str, dice: random.Random) -> str:
    """Insert blank lines between all lines and trailing spaces, like some converters."""
    del dice
    return "\n\n".join(f"{line} " if line else line for line in text.split("\n"))


def deeper(text: str, dice: random.Random) -> str:
    """Write quote marks without a space after them, or with a space before or two after them."""
    mark = dice.choice([">", " > ", ">  "])
    return "\n".join(
        mark + line[2:] if line.startswith("> ") else line for line in text.split("\n")
    )


def indented(text: str, dice: random.Random) -> str:
    """Indent lines with tabs, no-break spaces or spaces."""
    blank = dice.choice(["\t", "\u00a0", "  "])
    return "\n".join(
        blank + line if line and line[0].isalnum() else line for line in text.split("\n")
    )


TEXT_MESS: tuple[Callable[[str, random.Random], str], ...] = (
    rewrapped,
    footed,
    spaced,
    deeper,
    indented,
)


def loud(page: str, dice: random.Random) -> str:
    """Write tags in capitals, and attributes without quotes where HTML permits it."""
    del dice
    return page.replace("<div", "<DIV").replace("</div>", "</DIV>").replace("<br>", "<BR>")


def fonts(page: str, dice: random.Random) -> str:
    """Wrap texts in font and span elements, also within words."""
    del dice
    return page.replace("play ", "<span>pl</span><span>ay </span>").replace(
        "<p>", '<p><font face="Arial" size="2">'
    )


def documented(page: str, dice: random.Random) -> str:
    """Embed the page in a document with styles, conditional comments and namespaces."""
    del dice
    return (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\r\n<html xmlns:o="urn:x">'
        "<head><title>Re: 21</title><style><!-- p {margin:0} --></style>"
        "<!--[if gte mso 9]><xml><o:x>pickup</o:x></xml><![endif]--></head><body lang=EN-US>"
        f"{page}<img src=http://tracker.example/x.gif width=1 height=1></body></html>"
    )


def broken(page: str, dice: random.Random) -> str:
    """Remove the closing tags at the end of the page."""
    del dice
    return page.replace("</body>", "").replace("</html>", "").rstrip().removesuffix("</div>")


PAGE_MESS: tuple[Callable[[str, random.Random], str], ...] = (loud, fonts, documented, broken)


IMAGE = b"Content-Transfer-Encoding: base64\r\n\r\nPICTURE"
ATTACHED = b"Content-Type: image/png; name=x.png\r\nContent-Disposition: attachment\r\n" + IMAGE
INLINE = b"Content-Type: image/gif\r\nContent-ID: <1@x>\r\n" + IMAGE
SIGNED = b"Content-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\nabcd\r\n"
GATEWAY = b"Content-Type: text/plain\r\n\r\n-- \r\nSent through a free gateway\r\n"
NEIGHBOURS = (
    (b"multipart/mixed", ATTACHED),
    (b"multipart/related", INLINE),
    (b'multipart/signed; protocol="application/pgp-signature"', SIGNED),
    (b"multipart/mixed", GATEWAY),
)


def restructured(raw: bytes, case: Case, dice: random.Random) -> bytes:
    """Put the message into another MIME structure, with attachments, pictures or signatures."""
    head, _, body = raw.partition(b"\r\n\r\n")
    fields, own = [], []
    keep = fields
    for line in head.split(b"\r\n"):
        if line[:1] not in (b" ", b"\t"):
            keep = own if line.lower().startswith(b"content-") else fields
        keep.append(line)
    inner = b"\r\n".join(own) + b"\r\n\r\n" + body
    mark = b"outer_%x" % case.seed
    picture = base64.encodebytes(bytes(range(256)) * 3).replace(b"\n", b"\r\n")
    kind, more = dice.choice([*NEIGHBOURS])
    more = more.replace(b"PICTURE", picture)
    fields.append(b"Content-Type: " + kind + b'; boundary="' + mark + b'"')
    parts = b"".join(b"--" + mark + b"\r\n" + one + b"\r\n" for one in (inner, more))
    return b"\r\n".join(fields) + b"\r\n\r\n" + parts + b"--" + mark + b"--\r\n"
