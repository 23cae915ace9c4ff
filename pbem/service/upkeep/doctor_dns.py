"""Check MX, SPF, DKIM and DMARC of our domain, on which acceptance of our messages depends."""

from __future__ import annotations

from collections.abc import Iterator

import dns.resolver
from dns.exception import DNSException
from publicsuffixlist import PublicSuffixList

from pbem.service.upkeep.health import HINT, OK, WARN, Finding

PATIENCE_SECONDS = 5.0
"""Timeout in seconds for each DNS query."""
SELECTORS = ("default", "mail", "dkim", "s1", "s2", "selector1", "selector2", "google", "k1", "k2")
"""Usual selectors of DKIM keys. DNS does not list the selectors of a domain."""


class UnreachableResolverError(Exception):
    """No resolver answered, so the records are unknown."""


def examine(domain: str) -> Iterator[Finding]:
    """Check the DNS records of a domain.

    Raises: UnreachableResolverError, before any finding.
    """
    servers = _texts(domain, "MX")
    yield from _mx(domain, servers or [])
    yield from _spf(domain)
    yield from _dkim(domain)
    yield from _dmarc(domain)


def _mx(domain: str, servers: list[str]) -> Iterator[Finding]:
    names = [server.split()[-1].rstrip(".") for server in servers]
    if names:
        yield Finding("MX", OK, f"mail to {domain} goes to {', '.join(sorted(names))}")
    elif _texts(domain, "A") or _texts(domain, "AAAA"):
        yield Finding(
            "MX",
            WARN,
            f"{domain} has no MX record, so mail to it goes to its own address",
            "add one, unless the mail server runs at that address",
        )
    else:
        yield Finding(
            "MX",
            WARN,
            f"{domain} has neither an MX record nor an address, so no mail reaches us",
            f"add an MX record for {domain}",
        )


def _spf(domain: str) -> Iterator[Finding]:
    records = [text for text in _texts(domain, "TXT") or [] if text.lower().startswith("v=spf1")]
    if len(records) == 1:
        yield Finding("SPF", OK, f"{domain}: {records[0]}")
        return
    how = f'one TXT record of {domain} that names the sending server: "v=spf1 mx -all"'
    if records:
        yield Finding(
            "SPF",
            WARN,
            f"{domain} has {len(records)} SPF records, and receivers accept only one",
            f"leave {how}",
        )
    else:
        yield Finding("SPF", WARN, f"{domain} has no SPF record", f"add {how}")


def _dkim(domain: str) -> Iterator[Finding]:
    known = [
        name
        for name in SELECTORS
        if any("p=" in text for text in _texts(f"{name}._domainkey.{domain}", "TXT") or [])
    ]
    if known:
        names = ", ".join(known)
        yield Finding("DKIM", OK, f"{domain} has a key under the selector {names}")
    elif _texts(f"_domainkey.{domain}", "TXT") is None:
        yield Finding(
            "DKIM",
            WARN,
            f"{domain} has no DKIM key, so others cannot verify our mails",
            "let the mail server sign, and publish its key",
        )
    else:
        yield Finding(
            "DKIM",
            HINT,
            f"no DKIM key is under a usual selector: dig TXT SELECTOR._domainkey.{domain}",
        )


def _dmarc(domain: str) -> Iterator[Finding]:
    """Look up the policy of the domain, or else of its registered domain (RFC 7489 §6.6.3)."""
    for name in dict.fromkeys((domain, PublicSuffixList().privatesuffix(domain) or domain)):
        for text in _texts(f"_dmarc.{name}", "TXT") or []:
            if text.lower().startswith("v=dmarc1"):
                yield Finding("DMARC", OK, f"_dmarc.{name}: {text}")
                return
    text, record = f"{domain} has no DMARC policy", f"_dmarc.{domain}"
    yield Finding("DMARC", WARN, text, f'add a TXT record {record}: "v=DMARC1; p=none"')


def _texts(name: str, kind: str) -> list[str] | None:
    """Return the records of a name, or None if neither the name nor one below it exists.

    Raises: UnreachableResolverError.
    """
    try:
        answer = dns.resolver.resolve(name, kind, lifetime=PATIENCE_SECONDS)
    except dns.resolver.NXDOMAIN:
        return None
    except dns.resolver.NoAnswer:
        return []
    except (DNSException, OSError) as error:
        raise UnreachableResolverError(name) from error
    if kind == "TXT":
        return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
    return [record.to_text() for record in answer]
