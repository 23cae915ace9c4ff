"""Test `make release`: its changes and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.package.release import ReleaseError, git, main

CHANGELOG = "# Changelog\n\n## Unreleased\n\n- Games by mail.\n\n## 0.9.0 - 2026-01-01\n\n- Less.\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "docs").mkdir(parents=True)
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    (root / "pyproject.toml").write_text(
        '[project]\nname = "x"\nversion = "0.9.0"\n[tool.pbem]\nstatements = 20\n'
    )
    (root / "docs" / "install.md").write_text(
        "pip install dist/pbem_cards-0.9.0-py3-none-any.whl\n"
    )
    (root / ".gitignore").write_text("dist/\n")
    git(tmp_path, "init", "--quiet", str(root))
    git(root, "config", "user.name", "Anna")
    git(root, "config", "user.email", "anna@example.org")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "First")
    return root


def built(root: Path) -> Path:
    (root / "dist").mkdir()
    (root / "dist" / "x.whl").write_text((root / "pyproject.toml").read_text())
    return root / "dist"


def test_a_dry_run_changes_nothing(checkout: Path) -> None:
    before = git(checkout, "rev-parse", "HEAD")
    said = main(checkout, "1.0.0", built, really=False)
    assert said.startswith("PBEM 1.0.0\n\n- Games by mail.\n")
    assert said.endswith("  x.whl\n")
    assert "Less" not in said
    assert git(checkout, "rev-parse", "HEAD") == before
    assert git(checkout, "tag", "--list") == git(checkout, "status", "--porcelain") == ""
    assert not (checkout / "dist").exists()


def test_a_release_is_one_commit_and_a_tag_with_the_notes(checkout: Path) -> None:
    main(checkout, "1.0.0", built, really=True)
    assert git(checkout, "log", "--format=%s", "-1", "v1.0.0") == "Version 1.0.0"
    assert git(checkout, "rev-parse", "HEAD") == git(checkout, "rev-parse", "v1.0.0^{commit}")
    assert "- Games by mail." in git(checkout, "tag", "--list", "--format=%(contents)")
    assert git(checkout, "status", "--porcelain") == ""
    assert 'version = "1.0.0"' in (checkout / "pyproject.toml").read_text()
    assert "pbem_cards-1.0.0-py3" in (checkout / "docs" / "install.md").read_text()
    headings = [one for one in (checkout / "CHANGELOG.md").read_text().splitlines() if "##" in one]
    assert headings[0] == "## Unreleased"
    assert headings[1].startswith("## 1.0.0 - 20")
    assert headings[2] == "## 0.9.0 - 2026-01-01"
    assert 'version = "1.0.0"' in (checkout / "dist" / "x.whl").read_text()
    assert (checkout / "dist" / "SHA256SUMS").read_text().endswith("  x.whl\n")
    with pytest.raises(ReleaseError, match=r"nothing under `## Unreleased`"):
        main(checkout, "1.0.1", built, really=True)


@pytest.mark.parametrize(
    ("version", "change", "match"),
    [
        ("one", "", "is no version"),
        ("1.0.0", "- More.\n", "not committed"),
        ("0.8.0", "", "released before"),  # has a tag
        ("0.9.0", "", "released before"),  # has a section in the changelog
    ],
)
def test_what_is_not_ready_is_refused(
    checkout: Path, version: str, change: str, match: str
) -> None:
    git(checkout, "tag", "v0.8.0")
    with (checkout / "CHANGELOG.md").open("a") as file:
        file.write(change)
    with pytest.raises(ReleaseError, match=match):
        main(checkout, version, built, really=True)


@pytest.mark.parametrize(("statements", "refused"), [(21, False), (22, True)])
def test_a_tree_may_have_five_percent_more_statements_than_its_limit(
    checkout: Path, statements: int, refused: bool
) -> None:
    (checkout / "engine").mkdir()
    (checkout / "engine" / "code.py").write_text('"""Not counted."""\n' + "x = 1\n" * statements)
    git(checkout, "add", ".")
    git(checkout, "commit", "--quiet", "--message", "Add code")
    if refused:
        with pytest.raises(ReleaseError, match="have 22 statements, the limit is 21"):
            main(checkout, "1.0.0", built, really=False)
    else:
        assert main(checkout, "1.0.0", built, really=False).startswith("PBEM 1.0.0")
