"""`pbem doctor` on `[web]`: does the address lead to this service?"""

from __future__ import annotations

from dataclasses import replace

from pbem.sections import Web
from pbem.service.upkeep.doctor_mail import examine_web
from pbem.service.upkeep.health import FAIL, OK, Finding
from tests.mail_servers.places import free_port
from tests.service.conftest import configured
from tests.web.conftest import Site


def looked(site: Site, port: int) -> Finding:
    service = configured(site.table.service, web=Web(url=f"http://127.0.0.1:{port}"))
    (finding,) = examine_web(service)
    return finding


def test_the_address_leads_to_this_service(site: Site) -> None:
    assert looked(site, site.port).status == OK


def test_no_answer_is_a_fault(site: Site) -> None:
    finding = looked(site, free_port())
    assert finding.status == FAIL
    assert "does not answer" in finding.text
    assert "pbem serve" in finding.remedy


def test_another_service_is_a_fault(site: Site) -> None:
    """It has other keys, so its players' links would open nothing."""
    tokens = replace(site.table.service.tokens, keys=(b"x" * 32,))
    site.pages.service = replace(site.table.service, tokens=tokens)
    finding = looked(site, site.port)
    assert finding.status == FAIL
    assert "another service" in finding.text
