"""Test that every rule has a test and every cited rule exists."""

from tools.rules_report import make_report, marks_in


def test_every_rule_of_the_index_is_cited_by_a_test_and_no_other():
    """An id that no test cites is a hole; a citation of an id that does not exist is a slip."""
    report = make_report()
    assert report.holes == []
    assert report.unknown == []


def test_marks_are_found_on_functions_classes_and_modules():
    """The reader of marks sees all three, and several ids in one mark."""
    source = """
pytestmark = pytest.mark.rule("GEN-1")
@pytest.mark.rule("PHY-1", "PHY-2")
def test_a(): ...
class TestB:
    @pytest.mark.rule("PHY-3")
    def test_c(self): ...
"""
    assert list(marks_in(source)) == [
        ("", "GEN-1"),
        ("test_a", "PHY-1"),
        ("test_a", "PHY-2"),
        ("TestB.test_c", "PHY-3"),
    ]
