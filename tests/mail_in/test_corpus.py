"""Every mail of the corpus gives what its expected file says."""

from __future__ import annotations

import pytest

from tests.mail_in.report import measure
from tests.mail_in.samples import Sample, load, orders_of

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


def test_corpus_is_large_and_figures_hold():
    """The three figures of the report: all right, no leak, no loss."""
    figures = measure()
    assert len(SAMPLES) >= 60
    assert (figures.right, figures.leaked, figures.lost) == (figures.replies, 0, 0)
