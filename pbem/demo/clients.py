"""Replies as three mail programs format them: realistic input for the service."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid, parseaddr


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """A message as a mail program shows it, with everything needed to answer it."""

    reply_to: str
    subject: str
    message_id: str
    references: str
    date: str
    text: str
    html: str
    event: int | None = None
    """Version of the game event that the message reports, from its header."""


def gmail(mail: ReceivedMail, sender: str, words: str) -> bytes:
    """Build a top-posted reply with a text and an HTML part, and the quote in a `gmail_quote`."""
    attribution = f"On {mail.date} Cards by mail <{mail.reply_to}> wrote:"
    plain = f"{words}\n\n{attribution}\n\n{_quoted(mail.text)}\n"
    rich = (
        f'<div dir="ltr">{_as_html(words)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{html.escape(attribution)}<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;'
        f'padding-left:1ex">{mail.html}</blockquote></div>'
    )
    return _build(mail, sender, plain, rich)


def outlook(mail: ReceivedMail, sender: str, words: str) -> bytes:
    """Build a reply in HTML with Word's paragraphs, and a header block above the unmarked quote."""
    paragraphs = "".join(
        f'<p class="MsoNormal"><span style="font-family:Calibri">{_as_html(line)}</span></p>'
        for line in [*words.splitlines(), "", "Sent from Outlook"]
    )
    rich = (
        f'<html><body><div class="WordSection1">{paragraphs}<div id="divRplyFwdMsg" dir="ltr">'
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0 0 0">'
        f'<p class="MsoNormal"><b>From:</b> Cards by mail &lt;{html.escape(mail.reply_to)}&gt;<br>'
        f"<b>Sent:</b> {html.escape(mail.date)}<br><b>To:</b> {html.escape(sender)}<br>"
        f"<b>Subject:</b> {html.escape(mail.subject)}</p></div></div>{mail.html}</div></body></html>"
    )
    return _build(mail, sender, None, rich)


def inline(mail: ReceivedMail, sender: str, words: str) -> bytes:
    """Build a reply in plain text: the quoted message, with the answer between its lines."""
    lines = _quoted(mail.text).splitlines()
    index = next((n for n, line in enumerate(lines) if line.startswith(">   21  ")), len(lines) - 1)
    body = [f"On {mail.date}, Cards by mail wrote:", *lines[: index + 1], "", words, ""]
    body += [*lines[index + 1 :], "", "-- ", "sent with a terminal and a cup of tea"]
    return _build(mail, sender, "\n".join(body) + "\n", None)


def fresh(to: str, subject: str, sender: str, words: str) -> bytes:
    """Build a new message, as started by a click on a `mailto:` link."""
    mail = EmailMessage()
    mail["From"] = sender
    mail["To"] = to
    mail["Subject"] = subject
    mail["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    mail.set_content(words)
    return mail.as_bytes(policy=SMTP)


Client = Callable[[ReceivedMail, str, str], bytes]
CLIENTS: dict[str, Client] = {"Gmail": gmail, "Outlook": outlook, "mutt": inline}


def open_mail(message: EmailMessage) -> ReceivedMail:
    """Extract the parts of a message that a mail program shows."""
    plain, rich = message.get_body(("plain",)), message.get_body(("html",))
    head = str(message["PBEM-Chain-Head"] or "").split()
    return ReceivedMail(
        reply_to=parseaddr(str(message["Reply-To"]))[1],
        subject=str(message["Subject"]),
        message_id=str(message["Message-ID"]),
        references=str(message["References"] or ""),
        date=str(message["Date"]),
        text="" if plain is None else plain.get_content(),
        html="" if rich is None else rich.get_content(),
        event=int(head[1]) if head else None,
    )


def _build(mail: ReceivedMail, sender: str, plain: str | None, rich: str | None) -> bytes:
    reply = EmailMessage()
    reply["From"] = sender
    reply["To"] = mail.reply_to
    reply["Subject"] = f"Re: {mail.subject.removeprefix('Re: ')}"
    reply["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    reply["In-Reply-To"] = mail.message_id
    reply["References"] = f"{mail.references} {mail.message_id}".strip()
    if plain is not None:
        reply.set_content(plain)
        if rich is not None:
            reply.add_alternative(rich, subtype="html")
    elif rich is not None:
        reply.set_content(rich, subtype="html")
    return reply.as_bytes(policy=SMTP)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.splitlines())


def _as_html(text: str) -> str:
    return "<br>".join(html.escape(line) for line in text.splitlines()) or "&nbsp;"
