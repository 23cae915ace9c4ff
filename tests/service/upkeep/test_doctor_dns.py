"""Test the DNS checks of `pbem doctor` with a server on loopback."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest

from pbem.service.upkeep import doctor_dns
from pbem.service.upkeep.health import HINT, OK, WARN

DOMAIN = "play.example.org"
GOOD = {
    (DOMAIN, "MX"): "10 mail.example.org.",
    (DOMAIN, "TXT"): '"v=spf1 mx " "-all"',
    (f"mail._domainkey.{DOMAIN}", "TXT"): '"v=DKIM1; p=MIGf"',
    ("_dmarc.example.org", "TXT"): '"v=DMARC1; p=reject"',
}


@contextmanager
def run_nameserver(records: Mapping[tuple[str, str], str]) -> Iterator[int]:
    """Answer questions with these records, over UDP at a free port of this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=_answer, args=(server, records))
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.sendto(b"", server.getsockname())
            thread.join()


def _answer(server: socket.socket, records: Mapping[tuple[str, str], str]) -> None:
    while True:
        wire, sender = server.recvfrom(4096)
        if not wire:
            return
        asked = dns.message.from_wire(wire)
        (question,) = asked.question
        name, kind = question.name.to_text(omit_final_dot=True), question.rdtype.name
        answer = dns.message.make_response(asked)
        answer.flags |= dns.flags.RA
        if (name, kind) in records:
            answer.answer.append(
                dns.rrset.from_text(f"{name}.", 60, "IN", kind, records[name, kind])
            )
        elif not any(known == name or known.endswith(f".{name}") for known, _ in records):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        server.sendto(answer.to_wire(), sender)


def look(
    records: Mapping[tuple[str, str], str], monkeypatch: pytest.MonkeyPatch
) -> dict[str, tuple[str, str]]:
    """Return status and text of the findings, by name."""
    with run_nameserver(records) as port:
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], port
        monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
        return {row.name: (row.status, row.text) for row in doctor_dns.examine(DOMAIN)}


def test_a_domain_with_all_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept the policy of the registered domain, and records of several strings."""
    assert look(GOOD, monkeypatch) == {
        "MX": (OK, f"mail to {DOMAIN} goes to mail.example.org"),
        "SPF": (OK, f"{DOMAIN}: v=spf1 mx -all"),
        "DKIM": (OK, f"{DOMAIN} has a key under the selector mail"),
        "DMARC": (OK, "_dmarc.example.org: v=DMARC1; p=reject"),
    }


def test_a_domain_without_records(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = look({}, monkeypatch)
    assert {status for status, _ in seen.values()} == {WARN}
    assert "neither an MX record nor an address" in seen["MX"][1]
    assert "no DKIM key" in seen["DKIM"][1]


def test_a_key_under_another_selector_cannot_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = look({(f"x2026._domainkey.{DOMAIN}", "TXT"): '"p=MIGf"'}, monkeypatch)
    assert seen["DKIM"][0] == HINT


def test_an_address_can_stand_in_for_an_mx_record(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = look({(DOMAIN, "A"): "192.0.2.1"}, monkeypatch)
    assert seen["MX"][0] == WARN
    assert "its own address" in seen["MX"][1]


def test_without_a_resolver_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    resolver = dns.resolver.Resolver(configure=False)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        resolver.nameservers, resolver.port = ["127.0.0.1"], free.getsockname()[1]
    monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
    monkeypatch.setattr(doctor_dns, "PATIENCE_SECONDS", 0.2)
    with pytest.raises(doctor_dns.UnreachableResolverError):
        list(doctor_dns.examine(DOMAIN))
