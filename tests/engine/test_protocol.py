"""Test the engine protocol: documented answers, and invalid input."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import protocol
from engine.protocol import Conversation
from tests.patience import patience

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "docs" / "dev" / "engine-protocol.md"
SEED = "00" * 31 + "01"
NEW = {"op": "new", "ruleset": "phyliss", "players": 3, "seed": SEED, "options": {}, "dealer": 0}


@pytest.fixture
def conversation():
    conversation = Conversation()
    assert conversation.answer(dict(NEW)) == {"ok": True, "to_act": [0], "ply": 0, "over": False}
    return conversation


def refusal(conversation, request, error):
    """Ask for something that must be refused, and see that nothing has changed."""
    before = conversation.answer({"op": "state"})
    answer = conversation.answer(request)
    assert answer["ok"] is False
    assert set(answer) == {"ok", "error", "rule", "message", "candidates"}
    assert answer["error"] == error
    assert conversation.answer({"op": "state"}) == before
    return answer


@pytest.mark.rule("GEN-7")
def test_a_silent_game_is_stopped(conversation):
    """Standby moves marked as such by `source`, two turns of everybody."""
    for _ in range(60):
        state = conversation.answer({"op": "state"})
        if not state["to_act"]:
            break
        (seat,) = state["to_act"]
        move = conversation.answer({"op": "standby", "seat": seat})["move"]
        answer = conversation.answer(
            {"op": "play", "seat": seat, "order": move, "source": "standby"}
        )
        assert answer["ok"]
    result = conversation.answer({"op": "result"})
    assert (result["over"], result["reason"]) == (True, "stopped")
    refusal(conversation, {"op": "play", "seat": 0, "order": "god", "source": "sleep"}, "request")


def test_a_log_loads_to_the_same_game(conversation):
    """Into another conversation, which can play on."""
    for _ in range(20):
        (seat,) = conversation.answer({"op": "state"})["to_act"]
        conversation.answer({"op": "play", "seat": seat, "order": "god or pickup or 21"})
    log = conversation.answer({"op": "log"})["log"]
    other = Conversation()
    loaded = other.answer({"op": "load", "log": json.loads(json.dumps(log))})
    assert loaded == {"ok": True, "to_act": [seat], "ply": 20, "over": False} or loaded["ok"]
    assert other.answer({"op": "state"}) == conversation.answer({"op": "state"})
    assert other.answer({"op": "log"})["log"] == log
    (seat,) = other.answer({"op": "state"})["to_act"]
    assert other.answer({"op": "play", "seat": seat, "order": "21"})["ok"]


def test_a_wrong_log_leaves_the_game_alone(conversation):
    """`load` is all or nothing."""
    log = conversation.answer({"op": "log"})["log"]
    log["entries"] = [{"seat": 0, "move": "play 9s"}, {"seat": 0, "move": "play Qs"}]
    answer = refusal(conversation, {"op": "load", "log": log}, "request")
    assert "entry 2" in answer["message"]


@pytest.mark.rule("GEN-14")
@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"ruleset": "philiss"}, "setup", "did you mean phyliss"),
        ({"ruleset": 5}, "request", "“ruleset” is a text"),
        ({"version": 9}, "setup", "versions: 1"),
        ({"version": "1"}, "request", "whole number"),
        ({"players": 1}, "setup", "2 to 5"),
        ({"players": 6}, "setup", "2 to 5"),
        ({"players": "3"}, "request", "whole number"),
        ({"players": True}, "request", "whole number"),
        ({"players": None}, "request", "whole number"),
        ({"seed": "00"}, "request", "64 hex digits"),
        ({"seed": "0g" * 32}, "request", "64 hex digits"),
        ({"seed": " " + "0" * 63}, "request", "64 hex digits"),
        ({"options": []}, "request", "an object"),
        ({"options": {"deals": "3"}}, "setup", "whole number"),
        ({"options": {"deal": 3}}, "setup", "did you mean deals"),
        ({"dealer": 3}, "setup", "0 to players - 1"),
        ({"dealer": "0"}, "setup", "whole number"),
        ({"dealer": False}, "setup", "whole number"),
    ],
)
def test_impossible_games_are_refused(conversation, change, error, words):
    """The running game stays."""
    assert words in refusal(conversation, {**NEW, **change}, error)["message"]


def test_the_field_dealer_wins_over_option_and_default():
    """GEN-14's default is the last seat."""
    for fields, dealer in (
        ({}, 2),
        ({"dealer": None}, 2),
        ({"options": {"dealer": 0}}, 0),
        ({"options": {"dealer": 0}, "dealer": 1}, 1),
    ):
        request = {key: value for key, value in NEW.items() if key not in ("dealer", "options")}
        conversation = Conversation()
        assert conversation.answer({**request, **fields})["ok"]
        assert conversation.answer({"op": "state"})["dealer"] == dealer


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"op": None},
        {"op": 5},
        {"op": ["new"]},
        {"op": "dance"},
        {"op": "legal"},
        {"op": "legal", "seat": "0"},
        {"op": "legal", "seat": True},
        {"op": "legal", "seat": 0.0},
        {"op": "legal", "seat": 3},
        {"op": "legal", "seat": -1},
        {"op": "legal", "seat": None},
        {"op": "view"},
        {"op": "view", "seat": 99},
        {"op": "play", "seat": 0},
        {"op": "play", "seat": 0, "order": 7},
        {"op": "play", "seat": 99, "order": "god"},
        {"op": "play", "order": "god"},
        {"op": "resign"},
        {"op": "standby", "seat": []},
        {"op": "load"},
        {"op": "load", "log": []},
        {"op": "load", "log": {}},
    ],
)
def test_wrong_requests_are_refused(conversation, request_):
    """Missing fields, wrong types, unknown ops."""
    refusal(conversation, request_, "request")


@pytest.mark.parametrize(
    "op",
    ["legal", "play", "forced", "standby", "resign", "view", "state", "result", "log", "rules"],
)
def test_before_new_there_is_no_game(op):
    """Refused, and the conversation lives on."""
    conversation = Conversation()
    answer = conversation.answer({"op": op, "seat": 0, "order": "god"})
    assert (answer["ok"], answer["error"]) == (False, "request")
    assert conversation.answer(dict(NEW))["ok"]


def test_rules_and_rulesets():
    """List the rulesets with their options."""
    conversation = Conversation()
    (phyliss,) = (
        entry
        for entry in conversation.answer({"op": "rulesets"})["rulesets"]
        if (entry["name"], entry["version"]) == ("phyliss", 1)
    )
    assert phyliss["title"] == "Phyliss"
    assert phyliss["players"] == [2, 3, 4, 5]
    assert [option["name"] for option in phyliss["options"]] == [
        "dealer",
        "deals",
        "max_plies",
        "auto_forced",
    ]


# --- lines ----------------------------------------------------------------------------------------

BAD_LINES = [
    b"",
    b"\n",
    b"garbage\n",
    b"{\n",
    b"[]\n",
    b"null\n",
    b'"new"\n',
    b"5\n",
    b'{"op":"new"}{"op":"new"}\n',
    b"\xff\xfe\n",
    b'{"op":"\xff"}\n',
    b"\x00\n",
    b'{"op":NaN}\n',
    b'{"op":"rulesets","x":NaN}\n',
    b'{"op":"rulesets","x":-Infinity}\n',
    b'{"op":"legal","seat":Infinity}\n',
    b'{"op":"legal","seat":' + b"9" * 5000 + b"}\n",
    b'{"op":"legal","seat":1e999}\n',
    b"[" * 100_000 + b"\n",
    b'{"a":' * 50_000 + b"\n",
    b'{"op":"\\ud800"}\n',
    b'{"op":"play","seat":0,"order":"\\ud800\\udfff"}\n',
    "﻿{}\n".encode(),
]


@pytest.mark.parametrize("line", BAD_LINES, ids=range(len(BAD_LINES)))
def test_a_bad_line_gets_an_error_answer(conversation, line):
    """One line of JSON, and the game goes on."""
    answer = conversation.answer_line(line)
    assert answer.endswith(b"\n")
    assert answer.count(b"\n") == 1
    assert json.loads(answer)["ok"] is False
    assert conversation.answer({"op": "legal", "seat": 0})["ok"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
OPS = ["new", "legal", "play", "forced", "standby", "resign", "view", "state", "result", "rules",
       "rulesets", "log", "load"]  # fmt: skip
REQUESTS = st.fixed_dictionaries(
    {"op": st.sampled_from(OPS) | JSON},
    optional={
        "seat": st.integers(-1, 3) | JSON,
        "order": st.sampled_from(["21", "22", "play 7", "god", "pickup", "flip"]) | JSON,
        "ruleset": st.just("phyliss") | JSON,
        "players": st.integers(0, 6) | JSON,
        "seed": st.just(SEED) | JSON,
        "options": st.fixed_dictionaries({}, optional={"deals": JSON, "dealer": JSON}) | JSON,
        "dealer": st.integers(-1, 5) | JSON,
        "source": st.sampled_from(["chosen", "standby"]) | JSON,
        "version": st.just(1) | JSON,
        "log": JSON,
    },
)


@settings(max_examples=60)
@given(
    st.lists(REQUESTS.map(lambda r: json.dumps(r).encode()) | st.binary(max_size=40), max_size=12)
)
def test_any_lines_are_answered(lines):
    """Fuzzed: one answer per line, each a JSON object with `ok`."""
    conversation = Conversation()
    conversation.answer(dict(NEW))
    for line in lines:
        answer = json.loads(conversation.answer_line(line))
        assert answer["ok"] in (True, False)
        assert answer["ok"] or set(answer) == {"ok", "error", "rule", "message", "candidates"}


def served(data: bytes) -> list[dict]:
    answers = io.BytesIO()
    protocol.serve(io.BytesIO(data), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def test_one_answer_per_line_until_quit():
    """Input after `quit` is not read, and the end of the input ends the program too."""
    lines = [b"garbage", json.dumps(NEW).encode(), b'{"op":"quit"}', b'{"op":"rulesets"}']
    assert [answer["ok"] for answer in served(b"\n".join(lines))] == [False, True, True]
    assert [answer["ok"] for answer in served(json.dumps(NEW).encode())] == [True]
    assert served(b"") == []


def test_a_huge_line_is_refused_and_the_next_one_answered(monkeypatch):
    """The rest of it is skipped without being kept."""
    monkeypatch.setattr(protocol, "LONGEST_LINE", 100)
    for size in (101, 250, 1000):
        huge = b'{"op":"' + b"x" * size + b'"}\n'
        answers = served(huge + b'{"op":"rulesets"}\n')
        assert [answer["ok"] for answer in answers] == [False, True]
        assert "100 bytes" in answers[0]["message"]


# --- the program ----------------------------------------------------------------------------------


def run(script: str, data: bytes) -> subprocess.CompletedProcess:
    """Run Python without site-packages, user settings or the environment."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", script],
        input=data, capture_output=True, timeout=patience(60), cwd=ROOT, check=False,
    )  # fmt: skip


MODULE = f"import runpy, sys; sys.path.insert(0, {str(ROOT)!r}); runpy.run_module('engine', run_name='__main__', alter_sys=True)"


def test_the_program_needs_only_the_standard_library():
    """`python -m engine` with nothing installed."""
    done = run(MODULE, json.dumps(NEW).encode() + b'\nbad\n{"op":"quit"}\n')
    assert (done.returncode, done.stderr) == (0, b"")
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [True, False, True]


def test_each_answer_comes_at_once():
    """A client may wait for an answer before it asks on; no variable of ours makes it so."""
    with subprocess.Popen(
        [sys.executable, "-m", "engine"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env={},
    ) as program:  # fmt: skip
        for _ in range(3):
            program.stdin.write(json.dumps(NEW).encode() + b"\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["ok"]
        program.stdin.write(b'{"op":"quit"}\n')
        program.stdin.flush()
        assert program.wait(timeout=patience(30)) == 0


def test_a_client_that_hangs_up_ends_the_program_quietly():
    """No traceback is printed when the output is closed."""
    with subprocess.Popen(
        [sys.executable, "-m", "engine"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
    ) as program:  # fmt: skip
        program.stdout.close()
        try:
            program.stdin.write(b'{"op":"rulesets"}\n' * 2000)
            program.stdin.close()
        except BrokenPipeError:
            pass
        assert program.stderr.read() == b""
        assert program.wait(timeout=patience(30)) == 0


def test_the_example_of_the_documentation_is_true():
    """Every `>` line of docs/dev/engine-protocol.md gets the `<` line below it."""
    example = re.search(r"```text\n(> .*?)```", DOC.read_text("utf-8"), re.DOTALL)[1]
    conversation = Conversation()
    exchanges = re.findall(r"^> (.*)\n< (.*)$", example, re.MULTILINE)
    assert len(exchanges) >= 8
    for request, expected in exchanges:
        answer = conversation.answer_line(request.encode()).decode().rstrip("\n")
        assert answer == expected
