"""Known mail providers, with their servers and login requirements.

The data is from their help pages in 2026. Figures that a provider does not publish are left out.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of mailboxes.

    Attributes:
        domains: domains of its addresses.
        imap, smtp: host and port. Ports 993 and 465 use TLS from the start, others STARTTLS.
        login: advice for the admin on which credential to use instead of the password, or empty.
        takes_tokens: True if it accepts only access tokens (XOAUTH2).
        has_plus: True if messages to `local+anything@domain` arrive.
        mails_a_day: maximum number of messages per day from a mailbox, or None if unknown.
    """

    name: str
    domains: tuple[str, ...]
    imap: tuple[str, int]
    smtp: tuple[str, int]
    login: str = ""
    takes_tokens: bool = False
    has_plus: bool = True
    mails_a_day: int | None = None


_APP = "It wants an app password, not the one of the account: {where}."

PROVIDERS = (
    Provider(
        "Gmail",
        ("gmail.com", "googlemail.com"),
        ("imap.gmail.com", 993),
        ("smtp.gmail.com", 587),
        _APP.format(where="myaccount.google.com/apppasswords, once 2-step verification is on"),
        mails_a_day=500,
    ),
    Provider(
        "Fastmail",
        ("fastmail.com", "fastmail.fm"),
        ("imap.fastmail.com", 993),
        ("smtp.fastmail.com", 465),
        _APP.format(where="Settings, Privacy & Security, App passwords"),
    ),
    Provider(
        "iCloud",
        ("icloud.com", "me.com", "mac.com"),
        ("imap.mail.me.com", 993),
        ("smtp.mail.me.com", 587),
        _APP.format(where="account.apple.com, Sign-In and Security"),
        mails_a_day=1000,
    ),
    Provider(
        "Outlook.com",
        ("outlook.com", "hotmail.com", "live.com", "msn.com", "outlook.de", "hotmail.de"),
        ("outlook.office365.com", 993),
        ("smtp-mail.outlook.com", 587),
        takes_tokens=True,
    ),
    Provider(
        "Microsoft 365",
        ("onmicrosoft.com",),
        ("outlook.office365.com", 993),
        ("smtp.office365.com", 587),
        takes_tokens=True,
        mails_a_day=10_000,
    ),
    Provider(
        "GMX",
        ("gmx.de", "gmx.net", "gmx.at", "gmx.ch", "gmx.com"),
        ("imap.gmx.net", 993),
        ("mail.gmx.net", 587),
        "Let programs in first: Settings, POP3 & IMAP.",
        has_plus=False,
    ),
    Provider(
        "WEB.DE",
        ("web.de",),
        ("imap.web.de", 993),
        ("smtp.web.de", 587),
        "Let programs in first: Settings, POP3/IMAP.",
        has_plus=False,
    ),
    Provider(
        "Yahoo",
        ("yahoo.com", "yahoo.de", "yahoo.co.uk", "yahoo.fr", "ymail.com"),
        ("imap.mail.yahoo.com", 993),
        ("smtp.mail.yahoo.com", 465),
        _APP.format(where="Account security, Generate app password"),
        has_plus=False,
    ),
    Provider("mailbox.org", ("mailbox.org",), ("imap.mailbox.org", 993), ("smtp.mailbox.org", 587)),
    Provider(
        "Posteo", ("posteo.de", "posteo.net", "posteo.org"), ("posteo.de", 993), ("posteo.de", 587)
    ),
    Provider(
        "Proton Mail",
        ("proton.me", "protonmail.com", "pm.me"),
        ("127.0.0.1", 1143),
        ("127.0.0.1", 1025),
        "Proton Mail Bridge must run on this machine; it shows the password for programs.",
    ),
)


def provider_of(address: str) -> Provider | None:
    """Return the provider of an address by its domain, or None if it is unknown."""
    domain = address.strip().lower().rpartition("@")[2]
    return next(
        (
            provider
            for provider in PROVIDERS
            if any(domain == own or domain.endswith(f".{own}") for own in provider.domains)
        ),
        None,
    )


def security_of(port: int) -> str:
    """Return the encryption that providers use on a port: `tls` or `starttls`."""
    return "tls" if port in (993, 465) else "starttls"
