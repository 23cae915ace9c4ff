"""Test the transcripts of the engine protocol in docs/dev/transcripts/, one for each ruleset."""

from pathlib import Path

import pytest

from engine import registry
from engine.protocol import Conversation

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "dev" / "transcripts"
FILES = sorted(FOLDER.glob("*.txt"))
by_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def test_there_is_one_for_every_ruleset():
    """Named after it."""
    assert {path.stem for path in FILES} == set(registry.names())


@pytest.mark.rule("GEN-1")
@by_file
def test_every_answer_is_byte_for_byte_the_one_that_is_shown(path, rewrite_golden):
    """Every `>` line gets the `<` line below it."""
    conversation = Conversation()
    lines = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("> "):
            answer = conversation.answer_line(line[2:].encode()).decode().rstrip("\n")
            lines += [line, f"< {answer}"]
        elif not line.startswith("< "):
            lines.append(line)
    text = "\n".join(lines) + "\n"
    if rewrite_golden:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
