"""Follow the recipes of docs/dev/architecture.md in a copy of the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("engine", "pbem", "templates", "migrations", "config.example.toml")
SETTINGS = "pbem/domain/words/player_settings.py"
WORDS, ACTS = "pbem/domain/words/service_words.py", "pbem/service/intake/acts.py"
ROW = """
        Word.WAVE: OrderWord(
            (form(r"wave to (\\S.*)"),),
            german="winken",
            german_forms=((r"winke (?P<own>\\S+)", "wave to {own}"),),
            help='Write "wave" to wave to everybody.',
        ),"""
ACT = """
    Word.WAVE: OfSeat(
        lambda reading, line: reading.notes.append(sentence("You waved: {who}", who=line.argument))
    ),"""
MOTION = """


class Cake(Motion):
    name = "cake"
    texts = Texts(
        german=("kuchen",),
        noun=sentence("cake"),
        put=ByReader(sentence("{name} asked for {pieces} pieces of cake.")),
        title=ByReader(sentence("{name} asks for cake")),
        carried=ByReader(sentence("All get {pieces} pieces of cake.")),
        carried_title=ByReader(sentence("Cake for all")),
        question=(sentence("{name} asks for {pieces} pieces of cake."),),
        in_log="{who} asked for {pieces} pieces of cake.",
    )

    def objection(self, game: Game, motion: OpenMotion) -> str | None:
        return None if motion.number("pieces") else "that is no cake"
"""
CAKE_WORD = """
        Word.CAKE: OrderWord(
            (form(r"cake[\\s:]+(\\d+)"),),
            german="kuchen",
            help='Write "cake 3" to ask for cake.',
        ),"""
ASKED = """
    Word.CAKE: ("cake", lambda _, line: {"pieces": int(line.argument or 0)}),"""
VOTE = """
from pathlib import Path
from tests.databases import sqlite_store
from tests.service.conftest import make_table

with sqlite_store(Path()) as store:
    table = make_table(store)
    game = table.started(3)
    for seat, text in (0, "cake 3"), (1, "no cake"), (2, "language de"), (2, "ja kuchen"):
        table.answer(seat, text, to=table.last_to(seat).reply_to)
        print(text, "->", table.last_to(seat).words)
        print("others", "->", table.last_to(2).message["Subject"], table.last_to(2).words)
    print("motions:", table.game(game.id).motions)
    for item in table.log(game):
        print("event:", item.event)
"""
HOOK = '''"""Notes changes for another program, which looks for them by itself."""

from __future__ import annotations

from typing import Any


def note(change: Any) -> None:
    """Note when a game was changed."""
    change.uow.outages.note(f"hook:{change.game.id}", change.decision.now)
'''
KIND = """
WAVED = MailKind(
    "waved", "notify", NoteParams, subject=sentence("{name} waves"), previews="person"
)
"""
TEMPLATE = """{% extends "_base/service.txt" %}
{% block more %}

{{ _("Wave back if you like.") }}
{% endblock %}
"""
SETTING = """
    hat: str = setting(
        "no",
        Setting(
            "hat",
            "look",
            _order(
                (form(r"hat[\\s:=]+(\\w+)", lower),),
                german="hut",
                german_forms=((r"hut[\\s:=]+(?P<own>\\w+)", "hat {own}"),),
                help='Write "hat top" for mails with a top hat, "hat no" to end that.',
            ),
            read=lambda argument, _current: values.one_of({"top": "top", "no": "no"}, argument),
            question=sentence("Please say which hat your mails shall have."),
            examples=lambda _argument: [sentence("hat top"), sentence("hat no")],
            answer=lambda hat: sentence("From now on your mails have this hat: {hat}.", hat=hat),
            shown=lambda hat: sentence("Hat: {hat}.", hat=hat),
        ),
    )
"""
SET = """
from pathlib import Path
from pbem.service.people import data_export
from tests.databases import sqlite_store
from tests.service.conftest import make_table

with sqlite_store(Path()) as store:
    table = make_table(store)
    game = table.started(2)
    seat = table.last_to(0).reply_to
    for text in ("settings", "help more", "hat purple", "hat", "hat no", "language de", "hut top"):
        table.answer(0, text, to=seat)
        print(text, "->", table.last_to(0).words)
    with store.reading() as uow:
        people = [uow.players.get(one.player) for one in game.seats]
    print("stored:", *[one.hat for one in people])
    print("exported:", *[data_export.collect(table.service, one.id)["hat"] for one in people])
"""
QUESTION = """
    "dare": QuestionKind(kinds.ASK_ORDER),"""
DARED = """
    "dare": AnswerRule(
        lambda given: refuse(given.incoming, sentence("You dared.")), which=_WHICH
    ),"""
PLAY = """
from pathlib import Path
from engine.sentences import sentence
from pbem.mail_out.kinds import WAVED, NoteParams, QuestionParams
from pbem.service.notify import questions
from pbem.store.post.questions import What
from pbem.service.notify.intentions import Mailing, queue_to_player
from tests.databases import sqlite_store
from tests.service.conftest import make_table
import pbem

with sqlite_store(Path()) as store:
    table = make_table(store)
    game = table.started(2)
    with store.reading() as uow:
        print("hooked:", uow.outages.last_beat(f"hook:{game.id}") == table.clock.now())
    mail = Mailing(WAVED, NoteParams(sentence("Anna waves to you.")), "waved:1")
    with store.unit_of_work() as uow:
        queue_to_player(table.service, uow, game.seats[1].player, mail)
        bob, params = game.seats[1].player, QuestionParams(sentence("Do you dare?"))
        questions.ask(table.service, uow, "dare", bob, params, What())
    table.run()
    print("mail ->", table.mails_to(1)[-2].words)
    print("question ->", table.question(1).words)
    table.answer(1, "yes", to=table.question(1).reply_to)
    print("dared ->", table.last_to(1).words)
    seat = table.last_to(0).reply_to
    print("program:", Path(pbem.__file__).parent)
    for text in ("wave to Bob", "help more", "language de", "winke Bob", "winken"):
        table.answer(0, text, to=seat)
        print(text, "->", table.last_to(0).words)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which each recipe is followed."""
    folder = tmp_path_factory.mktemp("copy")
    for part in PARTS:
        whole = ROOT / part
        being_written = shutil.ignore_patterns("*.pyc.*")  # what is compiled is copied too
        if whole.is_dir():
            shutil.copytree(whole, folder / part, ignore=being_written)
        else:
            shutil.copy(whole, folder / part)
    follow_for_an_order_word(folder)
    follow_for_a_setting(folder)
    follow_for_a_motion(folder)
    follow_for_a_web_hook(folder)
    follow_for_a_kind_of_mail(folder)
    follow_for_a_question(folder)
    follow_for_a_command(folder)
    return folder


@pytest.fixture(scope="module")
def said(copy: Path) -> str:
    """What the copy says in a game in which all of it is used."""
    return run(copy, "-c", PLAY)


def after(file: Path, line: str, more: str) -> None:
    """Write more text below the first such line of a file."""
    text = file.read_text(encoding="utf-8")
    assert line in text
    file.write_text(text.replace(line, line + more, 1), encoding="utf-8")


def run(folder: Path, *command: str) -> str:
    """Run Python with the copied program; the tests' own helpers come from here."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}:{ROOT}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def follow_for_an_order_word(copy: Path) -> None:
    """Its row and its act."""
    after(copy / WORDS, "class Word(enum.Enum):", '\n    WAVE = "wave"\n')
    after(copy / WORDS, '    "talk": {', ROW)
    after(copy / ACTS, "ACTS: Mapping[Word, OfPerson | OfSeat] = {", ACT)


def test_an_order_word_is_two_files(copy: Path, said: str) -> None:
    """It is understood in both languages, helped with, and acted on."""
    assert f"program: {copy / 'pbem'}" in said
    assert "You waved: Bob" in said
    assert 'Write "wave" to wave to everybody.' in said
    german = said.partition("language de ->")[2]
    assert german.count("You waved: Bob") == 1
    assert german.count("You waved:") == 2


def follow_for_a_setting(copy: Path) -> None:
    """Its order word, and its row."""
    after(copy / WORDS, "class Word(enum.Enum):", '\n    HAT = "hat"\n')
    after(copy / SETTINGS, 'if the pages include a page about the player.\n    """\n', SETTING)


def test_a_setting_of_a_player_is_two_files(copy: Path) -> None:
    """It is set by mail in both languages, shown, helped with, refused with examples, stored and exported."""
    printed = run(copy, "-c", SET)
    answers = dict(line.split(" -> ") for line in printed.splitlines() if " -> " in line)
    assert "Hat: no." in answers["settings"]
    assert 'Write "hat top" for mails with a top hat' in answers["help more"]
    for wrong in ("hat purple", "hat"):
        assert "Please say which hat your mails shall have." in answers[wrong]
        assert "hat top" in answers[wrong]
    assert "From now on your mails have this hat: no." in answers["hat no"]
    assert "From now on your mails have this hat: top." in answers["hut top"]
    assert "\nstored: top no\n" in printed
    assert "\nexported: top no\n" in printed


def follow_for_a_motion(copy: Path) -> None:
    """Its terms, its class with its place, and an order word that puts it."""
    after(
        copy / "pbem/domain/log/motion_events.py",
        '    "end": {},\n',
        '    "cake": {"pieces": int},\n',
    )
    kinds = copy / "pbem/domain/table/motion_kinds.py"
    after(kinds, 'once the choices are turned up.")\n', MOTION)
    after(kinds, "for motion in (", "Cake, ")
    after(copy / WORDS, "class Word(enum.Enum):", '\n    CAKE = "cake"\n')
    after(copy / WORDS, '    "talk": {', CAKE_WORD)
    after(copy / "pbem/service/votes/motion_orders.py", "ASKED = {", ASKED)


def test_a_motion_is_its_terms_and_its_class(copy: Path) -> None:
    """It is asked for, voted on in both languages, carried, and each time told to the others."""
    printed = run(copy, "-c", VOTE)
    assert "Votes in favour: 1 of 3. More than half are needed." in printed
    assert "Anna asks for cake" in printed
    assert "Anna asks for 3 pieces of cake." in printed
    assert "MotionOpened(motion='cake', seat=0, terms={'pieces': 3})" in printed
    assert "VoteCast(seat=2, motion='cake', is_for=True)" in printed
    assert "MotionEnded(motion='cake', seat=None, why='carried')" in printed
    assert "motions: ()" in printed
    assert "All get 3 pieces of cake." in printed


def follow_for_a_web_hook(copy: Path) -> None:
    """A module with a function of a change, and its place among what follows from one."""
    (copy / "pbem/service/notify/hook.py").write_text(HOOK)
    change = copy / "pbem/service/change.py"
    after(change, "from pbem.service.notify import ", "hook, ")
    after(change, "AFTER: Steps = (", "hook.note, ")


def test_a_web_hook_is_two_files(said: str) -> None:
    assert "\nhooked: True\n" in said


def follow_for_a_kind_of_mail(copy: Path) -> None:
    """A row and its template; what queues it is a third file."""
    after(copy / "pbem/mail_out/kinds.py", 'previews="lobby"\n)\n', KIND)
    folder = copy / "templates/email/notify/waved"
    folder.mkdir()
    (folder / "body.txt").write_text(TEMPLATE)


def test_a_kind_of_mail_is_a_row_and_its_template(said: str) -> None:
    mail = next(line for line in said.splitlines() if line.startswith("mail ->"))
    assert "Anna waves to you." in mail
    assert "Wave back if you like." in mail


def follow_for_a_question(copy: Path) -> None:
    """Its row, and what a yes does."""
    service = copy / "pbem/service"
    after(service / "notify/questions.py", "QUESTIONS: Mapping[str, QuestionKind] = {", QUESTION)
    after(service / "intake/answers.py", "ANSWERS: Mapping[str, AnswerRule] = {", DARED)


def test_a_question_is_two_rows(said: str) -> None:
    printed = dict(line.split(" -> ") for line in said.splitlines() if " -> " in line)
    assert "Do you dare?" in printed["question"]
    assert "You dared." in printed["dared"]


def follow_for_a_command(copy: Path) -> None:
    """Its module and its line in the table."""
    (copy / "pbem/cli/wave.py").write_text(
        '"""`pbem wave`: greet."""\n\nfrom pbem.cli.frame import Shown, commands\n\n'
        "app = commands()\n\n\n@app.command()\n"
        'def wave(name: str) -> Shown:\n    """Greet somebody."""\n'
        '    return Shown({"ok": True}, f"Hello, {name}!")\n'
    )
    after(copy / "pbem/cli/app.py", '"Games": {', '\n        "wave": ("wave", "Greet somebody."),')


def test_a_command_is_two_files(copy: Path) -> None:
    """It is in the help, and works."""
    assert "Greet somebody." in run(copy, "-m", "pbem.cli.app", "--help")
    assert run(copy, "-m", "pbem.cli.app", "wave", "Anna").strip() == "Hello, Anna!"
