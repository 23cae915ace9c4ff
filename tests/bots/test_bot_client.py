"""Test bots in separate processes: their protocol, and that their answers are checked."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.bots import BotError, DirectThinker, ProcessThinker, Question
from pbem.bots.bot_client import BotProcess
from tests.bots.tables import positions
from tests.patience import patience

PAGE = Path(__file__).parents[2] / "docs" / "dev" / "bots.md"
ANSWERS = """
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"move": asked["legal"][0] + " " + str(os.getpid())}), flush=True)
"""


def question(level: str = "medium", seat: int = 0, table: str = "one") -> Question:
    position = next(one for one in positions("phyliss", 2, {}, 1) if one.seat == seat)
    return Question(
        position.rules.id,
        2,
        position.setup.options,
        position.view,
        position.orders,
        level,
        "any words",
        table,
    )


def bot(program: str, seconds: float = 20) -> BotProcess:
    return BotProcess([sys.executable, "-c", program], seconds)


def is_running(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    with suppress(FileNotFoundError, ProcessLookupError):
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.fixture
def ours() -> Iterator[ProcessThinker]:
    thinker = ProcessThinker({"mybot": ([sys.executable, "-c", ANSWERS], 20)})
    yield thinker
    thinker.close()


def test_a_level_plays_the_same_in_a_process_of_its_own(ours: ProcessThinker) -> None:
    """And a second question finds it there."""
    asked = question()
    assert ours.order(asked) == DirectThinker().order(asked)
    assert ours.order(replace(asked, level="easy")) in asked.legal


def test_a_bot_of_the_configuration_answers_under_its_name(ours: ProcessThinker) -> None:
    asked = question("mybot")
    assert ours.order(asked).startswith(asked.legal[0])
    with pytest.raises(BotError, match="no bot of this name"):
        ours.order(replace(asked, level="other"))


def test_a_bot_never_serves_two_seats_of_one_game() -> None:
    """Otherwise a process could use the cards of one hand for the other seat."""
    answers = bot(ANSWERS)
    asked = [question(), question(), question(seat=1), question(), question(table="two")]
    processes = [answers.order(one).split()[-1] for one in asked]
    answers.close()
    assert processes[0] == processes[1]
    assert len(set(processes)) == 4


def test_a_bot_gets_a_view_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line holds what the page says, and the process has none of our variables."""
    monkeypatch.setenv("PBEM_SERVICE__KEY", "secret")
    spy = bot(
        "import json, os, sys\n"
        "asked = json.loads(sys.stdin.readline())\n"
        "print(json.dumps({'move': ' '.join([*sorted(asked), *os.environ])}), flush=True)"
    )
    told = spy.order(question())
    spy.close()
    assert "PBEM" not in told

    assert told.startswith("history legal level options players ruleset seat seed version view")


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("import time; time.sleep(60)", "in time"),
        ("", "stopped"),
        ("import sys; sys.stdin.readline(); print('x' * 9999, flush=True)", "too much"),
        ("import sys; sys.stdin.readline(); print('play 7', flush=True)", "cannot be asked"),
        ("import sys; sys.stdin.readline(); print('[1]', flush=True)", "no move"),
        ("print('{}\\n{}', flush=True); input(); input()", "not asked"),
    ],
)
def test_a_bot_that_does_not_answer_is_ended_and_started_anew(program: str, why: str) -> None:
    """It is late, dies, floods, or talks nonsense; nothing it said is in the error."""
    marks = bot(f"import os\n{program}", 1 if "sleep" in program else 20)
    for _ in range(2):
        began = time.monotonic()
        with pytest.raises(BotError, match=why) as error:
            marks.order(question())
        assert "play 7" not in str(error.value)
        assert marks._child._process is None
        assert time.monotonic() - began < 20


def test_the_bot_of_the_page_plays() -> None:
    """The twenty lines of docs/dev/bots.md, as they stand there."""
    (program,) = re.findall(r"```python\n(import json.*?)```", PAGE.read_text(), re.DOTALL)
    assert program.count("\n") <= 20
    page = bot(program)
    for seat in (0, 1):
        asked = question(seat=seat)
        assert page.order(asked) in asked.legal
    page.close()


def test_a_line_is_one_line_of_json() -> None:
    line = question().line()
    assert line.count(b"\n") == 1
    assert json.loads(line)["view"]["seat"] == 0
    assert os.linesep == "\n"


@pytest.mark.parametrize("then", ["wait", "exit"])
def test_nothing_that_a_bot_started_outlives_it(then: str) -> None:
    """A command may be a script around the bot, which may even be gone before it."""
    script = f"""read asked; sleep 600 & echo '{{"move": "'$!'"}}'; {then}"""
    wrapped = BotProcess(["sh", "-c", script], patience(20))
    pid = int(wrapped.order(question()))
    try:
        assert is_running(pid)
        wrapped.close()
        until = time.monotonic() + patience(5)
        while is_running(pid) and time.monotonic() < until:
            time.sleep(0.01)
        assert not is_running(pid)
    finally:
        if is_running(pid):
            os.kill(pid, signal.SIGKILL)


def test_what_is_nested_too_deep_is_nonsense() -> None:
    """And no fault of ours: `pbem simulate` would end with a traceback."""
    deep = bot("import sys; sys.stdin.readline(); print('[' * 4000, flush=True)")
    with pytest.raises(BotError):
        deep.order(question())
    assert deep._child._process is None
