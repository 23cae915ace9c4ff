"""Test charts over time, as text and as a drawing."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import lxml.html

from pbem import resources
from pbem.show import course, standings_page
from pbem.show.course import Curve, Point

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FOLDER = resources.templates_dir() / "standings"
HOSTILE = "<script>alert('&')</script>"


def line(number: int, *values: float, name: str = "Anna") -> Curve:
    points = [Point(NOON + timedelta(days=day), value, 2.0) for day, value in enumerate(values)]
    return Curve(number, name, tuple(points))


def test_a_plot_goes_up_and_down_with_the_values() -> None:
    """Each value stands above the lower ones; the number of the line at its end."""
    rows = course.plot([line(7, 20, 30, 25)], 60).plain.splitlines()
    (low,) = (number for number, row in enumerate(rows) if row[8] == "•")
    (high,) = (number for number, row in enumerate(rows) if "•" in row[9:-4])
    (end,) = (number for number, row in enumerate(rows) if row.endswith("• 7"))
    assert high < end < low, "rows count from the top"
    assert "21 Nov 12:00" in rows[-1]
    assert rows[-1].endswith("23 Nov 12:00")


def test_a_drawing_stays_inside_its_frame() -> None:
    """Every point, with the margin of a line that is alone; several lines have none."""
    alone = course.drawing([line(1, 20, 31, -4)])
    assert alone is not None
    (curve,) = alone.curves
    for points in (curve.path, curve.margin):
        for x, y in re.findall(r"([\d.-]+),([\d.-]+)", points):
            assert alone.left <= float(x) <= alone.right
            assert 0 <= float(y) <= alone.bottom
    both = course.drawing([line(1, 20, 31), line(2, 25)])
    assert both is not None
    assert [curve.margin for curve in both.curves] == ["", ""]
    assert course.drawing([]) is None


def test_the_page_is_one_file_that_nothing_can_break_out_of() -> None:
    """No script, nothing from elsewhere; names are text; every line is named in words."""
    rows = [
        standings_page.PageRow(1, HOSTILE, "25.0 ± 8.3", "0.0", "1 game", "100 % on time", HOSTILE)
    ]
    text = standings_page.build(HOSTILE, "Lead", rows, [line(1, 25, 27, name=HOSTILE)], FOLDER)
    page = lxml.html.document_fromstring(text)
    assert not list(page.iter("script", "img", "link", "iframe"))
    assert "http" not in text.replace("http-equiv", "")
    (policy,) = page.xpath("//meta[@http-equiv]/@content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert page.find_class("f1")[-1].text == f"1. {HOSTILE}"
    assert [cell.text_content() for cell in page.iter("th")][-1] == f"1. {HOSTILE}"
    empty = standings_page.build("Standings", "Nothing yet.", [], [], FOLDER)
    assert "<svg" not in empty
    assert "<table" not in empty
