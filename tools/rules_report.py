"""Report the tests of each rule: `python -m tools.rules_report`.

Reads the marks `@pytest.mark.rule("PHY-11")` from the source of every test file, without running or
importing any, and compares them with docs/dev/rules-index.toml. Exit code 1 if a rule has no test,
or a test cites a rule that does not exist.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INDEX = ROOT / "docs" / "dev" / "rules-index.toml"
TESTS = ROOT / "tests"


@dataclass(frozen=True, slots=True)
class Report:
    """The rules and tests according to the marks.

    Attributes:
        titles: id -> one line, in the order of the index.
        tests: id -> tests that cite it, `file::name`, sorted.
        holes: ids that no test cites.
        unknown: (test, id) for cited ids that the index does not know.
    """

    titles: dict[str, str]
    tests: dict[str, list[str]]
    holes: list[str]
    unknown: list[tuple[str, str]]


def make_report(tests: Path = TESTS, index: Path = INDEX) -> Report:
    """Read the marks of all tests below a folder."""
    titles: dict[str, str] = tomllib.loads(index.read_text("utf-8"))["rules"]
    cited: dict[str, set[str]] = defaultdict(set)
    for path in sorted(tests.rglob("test_*.py")):
        name = path.relative_to(tests).as_posix()
        for test, rule in marks_in(path.read_text("utf-8")):
            cited[rule].add(f"{name}::{test}" if test else name)
    return Report(
        titles=titles,
        tests={rule: sorted(cited.get(rule, ())) for rule in titles},
        holes=[rule for rule in titles if rule not in cited],
        unknown=sorted(
            (test, rule) for rule in cited if rule not in titles for test in cited[rule]
        ),
    )


def marks_in(source: str) -> Iterator[tuple[str, str]]:
    """Yield (name of the marked test or class, rule id) for every mark in a file."""
    if "pytest.mark.rule" in source:
        yield from _marks(ast.parse(source), "")


def _marks(node: ast.AST, owner: str) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        name = owner
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{owner}.{child.name}" if owner else child.name
        if isinstance(child, ast.Call) and _is_mark(child.func):
            for argument in child.args:
                yield name, ast.literal_eval(argument)
        yield from _marks(child, name)


def _is_mark(func: ast.expr) -> bool:
    return (
        isinstance(func, ast.Attribute)
        and func.attr == "rule"
        and ast.unparse(func) == "pytest.mark.rule"
    )


def main() -> int:
    report = make_report()
    lines = []
    for rule, title in report.titles.items():
        lines.append(f"{rule:7}{title}")
        lines += [f"       - {test}" for test in report.tests[rule]] or ["       ! no test"]
    lines += [f"! {test} cites {rule}, which is not in the index" for test, rule in report.unknown]
    proven = len(report.titles) - len(report.holes)
    lines.append(f"{proven} of {len(report.titles)} rules have a test")
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if report.holes or report.unknown else 0


if __name__ == "__main__":
    sys.exit(main())
