"""Test whether `pbem doctor` checks that the address of `[web]` leads to this service."""

from __future__ import annotations

from dataclasses import replace

from pbem.sections import Web
from pbem.service.upkeep.doctor_mail import examine_web
from pbem.service.upkeep.health import FAIL, OK, WARN, Finding
from tests.mail_servers.places import free_port
from tests.service.conftest import configured
from tests.web.conftest import Site


def looked(site: Site, port: int, *, listens_at: int | None = None) -> Finding:
    listen = f"127.0.0.1:{listens_at or site.port}"
    web = Web(url=f"http://127.0.0.1:{port}", listen=listen)
    service = configured(site.table.service, web=web)
    (finding,) = examine_web(service)
    return finding


def test_the_address_leads_to_this_service(site: Site) -> None:
    assert looked(site, site.port).status == OK


def test_no_answer_is_a_fault(site: Site) -> None:
    finding = looked(site, free_port())
    assert finding.status == FAIL
    assert "does not answer" in finding.text
    assert "proxy" in finding.remedy


def test_a_service_that_was_not_started_is_a_warning(site: Site) -> None:
    """`init` says to run `doctor` before `serve`, so this must not look like a fault."""
    finding = looked(site, site.port, listens_at=free_port())
    assert finding.status == WARN
    assert "pbem serve" in finding.remedy


def test_another_service_is_a_fault(site: Site) -> None:
    """It has other keys, so its players' links would open nothing."""
    tokens = replace(site.table.service.tokens, keys=(b"x" * 32,))
    site.pages.service = replace(site.table.service, tokens=tokens)
    finding = looked(site, site.port)
    assert finding.status == FAIL
    assert "another service" in finding.text
