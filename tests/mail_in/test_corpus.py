"""Test that every message of the corpus gives its expected result."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.mail_in.mime.parse import parse_mail
from pbem.mail_in.quotes.body import extract_reply
from tests.mail_in.samples import RECOGNISER, Sample, load, orders_of

SAMPLES = load()


@pytest.fixture(params=SAMPLES, ids=[sample.name for sample in SAMPLES])
def sample(request: pytest.FixtureRequest) -> Sample:
    """Each mail of the corpus."""
    return request.param


def test_own_text_orders_and_doubts_are_as_expected(sample: Sample):
    """The player's own words, nothing quoted, and what must be asked about."""
    reply = sample.extract()
    assert reply.text == (sample.expected["text"] or "")
    assert orders_of(reply.text) == sample.expected["orders"]
    assert sorted(reply.doubts) == sorted(sample.expected.get("doubts", []))


def test_header_is_read_as_expected(sample: Sample):
    """Kind of mail, sender, and the other fields that the expected file names."""
    mail = sample.parse()
    assert mail.triage.value == sample.expected["triage"]
    for name in ("sender", "message_id", "subject"):
        if name in sample.expected:
            assert getattr(mail, name) == sample.expected[name]
    for problem in sample.expected.get("problems", []):
        assert any(problem in found for found in mail.problems)


def test_nothing_leaks_when_the_answered_mail_is_unknown(sample: Sample):
    """Without knowing what was answered, orders may be lost or asked about, but none is invented."""
    reply = sample.extract(knows_answered=False)
    found = orders_of(reply.text)
    assert all(order in sample.expected["orders"] for order in found)


ALTERNATIVES = [
    sample
    for sample in SAMPLES
    if b"multipart/alternative" in sample.raw
    and sample.name != "text_and_html_differ"  # two texts: see below
]


@pytest.mark.parametrize("knows_answered", [True, False])
@pytest.mark.parametrize("sample", ALTERNATIVES, ids=[sample.name for sample in ALTERNATIVES])
def test_two_forms_count_once_wherever_they_stand(sample: Sample, knows_answered: bool):
    """Some programs and gateways put text and HTML side by side, not as alternatives."""
    beside = replace(sample, raw=sample.raw.replace(b"multipart/alternative", b"multipart/mixed"))
    as_sent = sample.extract(knows_answered=knows_answered)
    read = beside.extract(knows_answered=knows_answered)
    assert orders_of(read.text) == orders_of(as_sent.text)
    assert sorted(read.doubts) == sorted(as_sent.doubts)


@pytest.mark.parametrize(
    ("plain", "html", "orders", "doubts"),
    [
        ("21", "<p>21</p>", ["21"], []),
        ("21\nplay 9s", "<div>21</div><div>play 9s</div>", ["21", "play 9s"], []),
        ("21", "<style>p {color: red}</style><p>21</p><p>Bye,<br>Anna</p>", ["21"], []),
        ("21", "<p>play 9s</p>", ["21", "play 9s"], []),  # two texts: both are read
        ("21", "<p>Sent with the mail program of the day</p>", ["21"], []),
        ("I have thought long and hard of this move: \n21", "<p>I have thought long and hard of this move:<p>22", [], ["21", "22"]),
        ("play 9s", "<p>9s</p>", [], ["9s", "play 9s"]),
        ("21\nSent from my phone", "<p>21</p><p>Get the app of the day</p>", ["21"], []),
        ("[EXTERNAL]\nplay 9s\nThis mail came from outside and may be false", "<div>play <b>9s</b></div><div>Cheers, Anna Maria of the Hill</div>", ["play 9s"], []),
        ("21", "<p>21</p><p>play 9s</p>", ["21"], ["play 9s"]),
    ],
)  # fmt: skip
def test_parts_beside_each_other(plain: str, html: str, orders: list[str], doubts: list[str]):
    """The same words count once; of different ones each is read or asked about."""
    bodies = (("plain", plain), ("html", html))
    for first, second in (bodies, bodies[::-1]):
        parts = "".join(
            f"--b\nContent-Type: text/{kind}\n\n{text}\n" for kind, text in (first, second)
        )
        head = 'From: anna@example.org\nContent-Type: multipart/mixed; boundary="b"\n\n'
        mail = parse_mail(f"{head}{parts}--b--\n".encode())
        read = extract_reply(mail, recogniser=RECOGNISER)
        assert sorted(orders_of(read.text)) == sorted(orders)
        assert sorted(read.doubts) == doubts


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 1, 0)])
def test_a_footer_among_the_parts_separates_no_forms(order: tuple[int, int, int]):
    """A gateway or a list puts its footer between, above or below the two forms."""
    parts = [
        ("plain", "21\n\nOn Fri, 20 Nov 2026, Game wrote:\n> 22 play 9s"),
        ("html", "<p>21</p><blockquote type='cite'>22 play 9s</blockquote>"),
        ("plain", "_______\nThis list is for friends of cards"),
    ]
    body = "".join(
        f"--b\nContent-Type: text/{kind}\n\n{text}\n"
        for kind, text in map(parts.__getitem__, order)
    )
    head = 'From: anna@example.org\nContent-Type: multipart/mixed; boundary="b"\n\n'
    read = extract_reply(parse_mail(f"{head}{body}--b--\n".encode()), recogniser=RECOGNISER)
    assert (orders_of(read.text), read.doubts) == (["21"], ())
