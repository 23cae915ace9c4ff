"""Test the evaluation of Authentication-Results from a trusted server."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail_in.mime.authentication import TrustedServer, judge

DMARC = TrustedServer("mx.example.net", "dmarc")
DKIM = TrustedServer("mx.example.net", "dkim")
ANNA = "anna@example.org"


def mail(*fields: str) -> bytes:
    lines = [f"Authentication-Results: {field}" for field in fields]
    return "\r\n".join([*lines, f"From: {ANNA}", "", "play 7 7"]).encode()


@pytest.mark.parametrize(
    "field",
    [
        "mx.example.net; dmarc=pass header.from=example.org",
        "MX.example.net 1; spf=fail smtp.mailfrom=x.example; DMARC=Pass (p=none) header.from=example.org",
        "mx.example.net;\r\n dkim=fail header.d=x.example;\r\n dmarc = pass header.from = example.org",
        'mx.example.net; dmarc=pass (a (nested) comment) header.from="example.org"',
        'mx.example.net; dkim=pass reason="1024 bits (weak; old)"; dmarc=pass header.from=example.org',
        r'mx.example.net; spf=pass (of "a \( b"@x.example) smtp.mailfrom="a ( b"@x.example; dmarc=pass',
        "mx.example.net; dmarc=pass",
    ],
)
def test_a_pass_is_believed(field: str) -> None:
    """In the ways in which servers write it."""
    assert judge(mail(field), ANNA, DMARC) == "pass"


@pytest.mark.parametrize(
    "fields",
    [
        (),
        ("",),
        ("mx.example.net; none",),
        ("mx.example.net; dmarc=fail header.from=example.org",),
        ("mx.example.net; dmarc=none header.from=example.org",),
        ("mx.example.net; dmarc=bestguesspass header.from=example.org",),
        ("mx.example.net; dmarc=pass header.from=evil.example",),
        ("mx.evil.example; dmarc=pass header.from=example.org",),
        ("mx.example.net.evil.example; dmarc=pass header.from=example.org",),
        ("mx.example.net; dkim=pass header.d=example.org",),
        ("mx.example.net; x=(dmarc=pass)",),
        (
            'mx.example.net; spf=pass smtp.mailfrom="a; dmarc=pass header.from=example.org; b"@x.example',
        ),
        (r'mx.example.net; spf=pass smtp.mailfrom="a\"; dmarc=pass; \"b"@x.example',),
        (r"mx.example.net; spf=pass (of a\); dmarc=pass; \(b@x.example) smtp.mailfrom=x.example",),
        ('mx.example.net; spf=pass (of "a); dmarc=pass; b"@x.example) smtp.mailfrom=x.example',),
        ("mx.example.net; dmarc=pass (stays open",),
        (
            "mx.example.net; dmarc=fail header.from=example.org",
            "mx.example.net; dmarc=pass header.from=example.org",
        ),
        (
            "mx.example.net; dmarc=pass header.from=example.org",
            "mx.example.net; dmarc=fail header.from=example.org",
        ),
    ],
)
def test_any_doubt_is_a_no(fields: tuple[str, ...]) -> None:
    """Nothing said, another server, another domain, a forged pass beside a failure."""
    assert judge(mail(*fields), ANNA, DMARC) != "pass"


@pytest.mark.parametrize(
    ("field", "sender", "passes"),
    [
        ("dkim=pass header.d=example.org", ANNA, True),
        ("dkim=pass header.d=list.example; dkim=pass header.d=example.org", ANNA, True),
        ("dkim=fail header.d=list.example; dkim=pass header.d=example.org", ANNA, True),
        ("dkim=pass header.d=example.org", "anna@mail.example.org", True),
        ("dkim=pass header.d=mail.example.org", ANNA, False),
        ("dkim=pass header.d=org", ANNA, False),
        ("dkim=pass header.d=xample.org", ANNA, False),
        ("dkim=pass header.i=@example.org header.s=x header.b=AbC", ANNA, True),
        ("dkim=fail header.i=@list.example; dkim=pass header.i=@example.org", ANNA, True),
        ("dkim=pass header.i=@evil.example", ANNA, False),
        ("dkim=pass header.i=@example.org header.d=evil.example", ANNA, False),
        ("dkim=pass", ANNA, False),
        ("dkim=pass header.d=list.example", ANNA, False),
        ("dkim=pass header.d=example.org; dkim=fail header.d=example.org", ANNA, False),
    ],
)
def test_signatures_count_for_their_own_domain(field: str, sender: str, passes: bool) -> None:
    """They also count for its subdomains. Signatures of other domains have no effect."""
    assert (judge(mail(f"mx.example.net; {field}"), sender, DKIM) == "pass") is passes


@given(st.text(max_size=200))
def test_any_field_is_read_without_an_error(text: str) -> None:
    """And is no pass."""
    assert judge(mail(text, f"mx.example.net; {text}"), ANNA, DMARC) != "pass"
