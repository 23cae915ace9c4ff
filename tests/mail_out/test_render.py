"""Test the texts of every kind of message."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import jinja2
import pytest

from engine.api import Fact
from pbem import resources
from pbem.domain.terms import spoken_hash
from pbem.domain.words.translate import REPLY_MARKERS
from pbem.mail_out.compose import mailto_link
from pbem.mail_out.content import (
    DigestMail,
    GameMail,
    InvitationMail,
    LineResult,
    OwnRating,
    ServiceMail,
    StandingLine,
    StandingTable,
)
from pbem.mail_out.render import Rendered, Renderer
from pbem.mail_out.texts import columns
from pbem.mail_out.times import short_text
from tests.mail_out import pages
from tests.mail_out.prose import is_prose
from tests.mail_out.samples import (
    DEADLINE,
    GAME,
    REPLY_TO,
    SAMPLES,
    SECRET,
    fact,
    game_mail,
    seat,
    view,
)

GOLDEN = Path(__file__).parent / "golden"

RENDERER = Renderer([resources.templates_dir() / "email"])
EVERY = pytest.mark.parametrize("name", SAMPLES)
GAME_SAMPLES = [name for name, content in SAMPLES.items() if isinstance(content, GameMail)]
EVERY_GAME_MAIL = pytest.mark.parametrize("name", GAME_SAMPLES)

LISTED = re.compile(r"  \d\d  \S.*")
LISTED_IN_HTML = re.compile(r"[2-9]\d \S.*")
SHOWN_CARD = re.compile(r"(?:10|[2-9JQKA])[♣♦♥♠]")


@cache
def rendered_sample(name: str) -> Rendered:
    """Render a sample once, and not when the tests are collected."""
    return RENDERER.render(SAMPLES[name])


def words(rendered: Rendered) -> tuple[str, str]:
    """Return both bodies as running text, without what only one of them writes."""
    text = " ".join(rendered.text.replace("also:", "").split())
    html = " ".join(" ".join(pages.lines(rendered.html)).split())
    return text, html


@EVERY
@pytest.mark.parametrize("part", ["text", "html"])
def test_golden(name: str, part: str, rewrite_golden: bool):
    """Mails change only on purpose; the golden files are read like code."""
    file = GOLDEN / f"{name}.{'txt' if part == 'text' else 'html'}"
    rendered = rendered_sample(name)
    body = f"Subject: {rendered.subject}\n\n{rendered.text}" if part == "text" else rendered.html
    if rewrite_golden:
        file.parent.mkdir(exist_ok=True)
        file.write_text(body, encoding="utf-8")
    assert body == file.read_text(encoding="utf-8")


@EVERY
def test_columns(name: str):
    """No line of the plain text is wider than 72 columns."""
    assert [line for line in rendered_sample(name).text.splitlines() if columns(line) > 72] == []


@EVERY
def test_marker_comes_first(name: str):
    """The plain text begins with the reply marker; HTML shows it too."""
    assert rendered_sample(name).text.splitlines()[0] in REPLY_MARKERS
    assert rendered_sample(name).text.splitlines()[0] in pages.lines(rendered_sample(name).html)[:2]


@EVERY
def test_no_line_reads_as_an_order(name: str):
    """Quoted text must not move a card: only the numbered list contains orders."""
    lines = [line for line in rendered_sample(name).text.splitlines() if not LISTED.fullmatch(line)]
    for line in lines:
        assert is_prose(line.strip()), line
        assert is_prose(line.strip(" -")), line


@EVERY
def test_no_line_of_html_reads_as_an_order(name: str):
    """The same for the lines that a mail program makes of the HTML part."""
    for line in pages.lines(rendered_sample(name).html, drawn=True):
        if LISTED_IN_HTML.fullmatch(line):
            continue
        assert is_prose(line), line


@EVERY
def test_html_size(name: str):
    """Mail programs clip what is large; we stay far below."""
    assert len(rendered_sample(name).html.encode()) < 60_000


@EVERY
def test_html_holds_nothing_from_elsewhere(name: str):
    """No pictures, fonts, scripts, forms or addresses of the web."""
    html = rendered_sample(name).html
    for forbidden in (
        "http:",
        "https:",
        "src=",
        "url(",
        "<img",
        "<svg",
        "<link",
        "<form",
        "@import",
    ):
        assert forbidden not in html.lower()
    assert not list(pages.parse(html).iter("script", "iframe", "object", "embed", "video"))


@EVERY
@pytest.mark.parametrize("dark", [False, True])
def test_contrast(name: str, dark: bool):
    """Every piece of text has a contrast of at least 4.5 to its ground, in both schemes."""
    found = list(pages.runs(rendered_sample(name).html, dark=dark))
    assert found
    for run in found:
        assert pages.contrast(run.colour, run.ground) >= 4.5, run


@EVERY
def test_html_form(name: str):
    """The page names its language, and tables that only lay out say so."""
    page = pages.parse(rendered_sample(name).html)
    assert page.get("lang") == "en"
    for table in page.iter("table"):
        assert table.get("role") == "presentation" or table.find(".//th") is not None


@EVERY_GAME_MAIL
def test_both_parts_hold_the_same(name: str):
    """Cards, moves, deadline, names and fingerprints are in both parts."""
    content, rendered = SAMPLES[name], rendered_sample(name)
    assert isinstance(content, GameMail)
    text, html = words(rendered)
    assert set(SHOWN_CARD.findall(text)) == set(SHOWN_CARD.findall(html))
    expected = [spoken_hash.hash_words(content.head), str(content.version)]
    if content.deadline is not None and content.to_act:
        due_at = content.deadline if content.bank is None else content.bank.base_at
        expected.append(short_text(due_at, content.zone))
    if content.result is not None:
        expected += [content.result.server_secret, content.commitment[:8]]
        expected += content.result.phrases[:1]
    for line in content.lines:
        expected += [line.rule or "", line.message, *(f"“{order}”" for order in line.suggestions)]
    for part in (text, html):
        assert [item for item in expected if item not in part] == []
        assert [move.number for move in content.moves if f" {move.number} " not in part] == []


@EVERY_GAME_MAIL
def test_move_links(name: str):
    """Each link opens a mail to the reply address with exactly that move."""
    content = SAMPLES[name]
    assert isinstance(content, GameMail)
    links = pages.mailto_links(rendered_sample(name).html)
    listed = [(str(move.number), move.text) for move in content.moves]
    suggested = [move for line in content.lines for move in line.suggestions]
    nearest = [move for move in suggested if move not in {text for _, text in listed}]
    wanted = [*((f'Send "{move}"', move) for move in nearest), *listed]
    if content.vote_mailtos:
        wanted = [("I’m for it", "yes"), ("I’m against it", "no"), *wanted]
    if content.rematch_mailto:
        wanted.append(("Play again", "rematch"))
    for (shown, target), (text, body) in zip(links, wanted, strict=True):
        assert text in (shown, shown.split()[0])
        parsed = urlsplit(target)
        assert parsed.scheme == "mailto"
        assert unquote(parsed.path) == REPLY_TO
        assert "+" not in target
        assert parse_qs(parsed.query)["body"] == [body]


def test_invitation_links():
    """An invitation can be answered with one tap."""
    content = SAMPLES["invitation"]
    assert isinstance(content, InvitationMail)
    targets = [target for _, target in pages.mailto_links(rendered_sample("invitation").html)]
    assert targets == [
        content.join_mailto,
        content.decline_mailto,
        content.lesson_mailto,
        content.never_mailto,
    ]


THREAD = f"Your turn: Phyliss with Bob, Carol [{GAME}]"
REFUSED = LineResult("play 3", "refused", message="No.")
DONE = LineResult("21", "done", move="play 7c")


@pytest.mark.parametrize(
    ("changes", "subject"),
    [
        ({}, THREAD),
        ({"kind": "started"}, THREAD),
        ({"kind": "started", "to_act": (1,)}, THREAD.partition(": ")[2]),
        (
            {"kind": "answer", "lines": (DONE,), "to_act": (1,)},
            THREAD.replace("Your turn", "You moved"),
        ),
        ({"kind": "answer", "to_act": (1,)}, THREAD.replace("Your turn", "Re")),
        ({"kind": "answer", "lines": (DONE, REFUSED)}, f"Re: {THREAD}"),
        ({"kind": "answer", "lines": (REFUSED,)}, THREAD.replace("Your turn", "Refused")),
        ({"kind": "reminder"}, f"Still {THREAD[0].lower()}{THREAD[1:]}"),
        ({"language": "de"}, f"Du bist dran: Phyliss mit Bob, Carol [{GAME}]"),
    ],
)
def test_subjects_of_the_thread(changes: dict[str, Any], subject: str):
    """A title says "Your turn" only if it is; that of an answer names what it answers."""
    assert RENDERER.subject(game_mail(**changes)) == subject
    assert RENDERER.render(game_mail(**changes)).subject == subject


@EVERY_GAME_MAIL
def test_nothing_private_outside(name: str):
    """Subject, title and preheader show no card at all: they are read on lock screens."""
    rendered = rendered_sample(name)
    page = pages.parse(rendered.html)
    preheader = page.body[0].text_content()
    assert "display:none" in page.body[0].get("style")
    for shown in (rendered.subject, page.findtext(".//title") or "", preheader):
        assert not SHOWN_CARD.search(shown.replace("\ufe0e", ""))


HOSTILE = "<i onclick=x>\r\nBcc: eve@example.org\u202e\x07"


@pytest.mark.parametrize("name", SAMPLES)
def test_hostile_words(name: str):
    """Words of players change neither lines nor markup, wherever a mail shows them."""
    content = SAMPLES[name]
    line = LineResult(HOSTILE, "refused", message=HOSTILE, rule=HOSTILE, suggestions=(HOSTILE,))
    if isinstance(content, ServiceMail):
        content = replace(
            content, name=HOSTILE, message=HOSTILE, title=HOSTILE, text=HOSTILE, lines=(line,),
            games=((HOSTILE,) * 4,), suggestions=(HOSTILE,),
            standings=StandingTable(
                (StandingLine(1, HOSTILE, False, 1, 2, 3, 4, 5, (6, 7, 8)),),
                (OwnRating(HOSTILE, HOSTILE, 1, 2, 3),),
            ),
        )  # fmt: skip
    elif isinstance(content, DigestMail):
        games = tuple(
            replace(
                game, players=(HOSTILE,) * len(game.players), title=HOSTILE,
                happened=(fact("timed_out", 1, move=HOSTILE),),
            ) for game in content.games
        )  # fmt: skip
        content = replace(content, name=HOSTILE, games=games)
    elif isinstance(content, InvitationMail):
        content = replace(
            content, players=(HOSTILE,) * 3, inviter=HOSTILE, title=HOSTILE,
            options=((HOSTILE, HOSTILE),),
        )  # fmt: skip
    else:
        content = replace(
            content, players=(HOSTILE,) * len(content.players), notes=(HOSTILE,), lines=(line,),
            title=HOSTILE, happened=(*content.happened, fact("timed_out", 1, move=HOSTILE)),
        )  # fmt: skip
        if content.result is not None:
            result = replace(content.result, reason=HOSTILE, phrases=(HOSTILE,) * 5)
            content = replace(content, result=result)
    rendered = RENDERER.render(content)
    assert not re.search(r"[\r\x07\u202e]", rendered.subject + rendered.text + rendered.html)
    assert "\n" not in rendered.subject
    assert not list(pages.parse(rendered.html).iter("i"))


@pytest.mark.parametrize(
    "kind",
    [
        "dealt",
        "played",
        "destroyed",
        "picked_up",
        "god",
        "flipped",
        "drew",
        "goes_again",
        "dropped_out",
        "resigned",
        "deal_over",
        "game_over",
        "stopped",
        "timed_out",
        "forced",
        "seat_resigned",
        "hands_revealed",
        "deadline_extended",
        "game_stopped",
    ],
)
@pytest.mark.parametrize("who", [None, 0, 1, 99])
def test_bare_facts(kind: str, who: int | None):
    """A fact with missing data is described as well as possible, without an error."""
    assert RENDERER.render(game_mail(happened=(fact(kind, who),))).text


UNDO = 'Bob asks to take moves back: Bob "pickup". Reply with "yes" or "no".'


def _undo(**changes: Any) -> GameMail:
    return game_mail(
        happened=(
            fact("played", 1, cards=["7c"]),
            fact("motion_opened", 1, motion="undo", first=7, last=7),
        ),
        ballots=(UNDO,),
        vote_mailtos=tuple(mailto_link(REPLY_TO, "Re: a game", word) for word in ("yes", "no")),
        **changes,
    )


@pytest.mark.parametrize(
    ("language", "to_act", "turn"),
    [
        ("en", 0, "It is your turn."),
        ("en", 1, "Bob is next."),
        ("de", 0, "Du bist dran."),
        ("de", 1, "Bob ist dran."),
    ],
)
def test_a_vote_is_asked_before_all_else(language: str, to_act: int, turn: str):
    """Headline, question, buttons; then whose turn it is, until when, and the cards."""
    rendered = RENDERER.render(_undo(kind="notice", language=language, to_act=(to_act,)))
    text = " ".join(rendered.text.split())
    assert text.index(UNDO) < text.index(turn) < text.index("7♣ 7♦")
    shown = pages.lines(rendered.html)
    votes = [link for link, _ in pages.mailto_links(rendered.html)][:2]
    assert [*map(shown.index, votes)] == [shown.index(UNDO) + 1, shown.index(UNDO) + 2]
    assert shown.index(votes[1]) < shown.index(turn)
    assert "asked to take back" not in text


@pytest.mark.parametrize(
    ("fact_given", "sentence"),
    [
        (fact("played", 0, cards=["7c", "7d"]), "You played 7♣ 7♦."),
        (fact("played", 1, cards=["7c"]), "Bob played 7♣."),
        (fact("goes_again", 0), "You go again."),
        (fact("goes_again", 1), "Bob goes again."),
        (fact("drew", 1, count=1), "Bob drew 1 card from the stock."),
        (fact("drew", 1, count=2), "Bob drew 2 cards from the stock."),
        (fact("dropped_out", 0, place=1), "You are out of cards and finish first."),
        (fact("dropped_out", 2, place=2), "Carol is out of cards and finishes second."),
        (
            fact("deal_over", None, loser=0),
            "The deal is over: you were the last with cards and lost it.",
        ),
        (
            fact("forced", 1, move="pickup"),
            "Bob had only one legal move, so it was made at once: “pickup”.",
        ),
    ],
)
def test_grammar(fact_given: object, sentence: str):
    """You and others are spoken of as people do."""
    text = RENDERER.render(game_mail(kind="notice", happened=(fact_given,))).text
    assert sentence in " ".join(text.split())


@pytest.mark.parametrize(
    ("top", "task"),
    [
        ([], "Play any card, or several of one rank."),
        (["Kd", "2c"], "Play any card, or several of one rank. A 2 goes on anything"),
        (["Qc"], ": queen or higher. A 2 goes on anything"),
        (["9c"], ": 9 or higher."),
    ],
)
def test_task(top: list[str], task: str):
    """The mail says what has to be beaten; anything goes on a 2 (PHY-2) and on an empty pile."""
    text = RENDERER.render(game_mail(view=view([seat(["3d"]), seat(3), seat(3)], pile=top))).text
    assert task in " ".join(text.split())


def test_news_are_a_line_a_player_without_the_readers_own_moves():
    """A turn message describes the moves of others, and those of the service for the reader."""
    text = rendered_sample("turn").text
    assert "Since your last move:\n- Bob tried the hand of god" in text
    assert "- Carol played 6♣ and drew 1 card from the stock.\n" in text
    late = (fact("timed_out", 0, move="play 7c"), fact("played", 0, cards=["7c"]))
    voted = fact("motion_voted", 0, motion="undo", **{"for": True})
    told = RENDERER.render(game_mail(happened=(voted, *late, fact("played", 1, cards=["8c"])))).text
    assert "you say yes" not in told
    assert "You played 7♣." in told
    assert "- Bob played 8♣.\n" in told


@pytest.mark.parametrize(
    ("hours", "zone", "said"),
    [
        (72, "Europe/Berlin", "Answer by Tue 24 Nov, 18:00, in 3 days."),
        (47.5, "Europe/Berlin", "Answer by Tue 24 Nov, 18:00, in 47 hours."),
        (0.5, "America/New_York", "Answer by Tue 24 Nov, 12:00, in 30 minutes."),
        (72, "UTC", "Answer by Tue 24 Nov, 17:00 UTC, in 3 days."),
    ],
)
def test_due_time_is_short(hours: float, zone: str, said: str):
    """It is on the reader's clock, and the zone is named if it is not one of theirs."""
    mail = game_mail(at=DEADLINE - timedelta(hours=hours), zone=zone)
    assert f"\n{said}\n" in RENDERER.render(mail).text
    there = replace(mail, zone="Europe/Berlin", language="de", at=DEADLINE - timedelta(days=3))
    assert "\nAntworte bis Di., 24. Nov., 18:00, noch 3 Tage.\n" in RENDERER.render(there).text


@EVERY_GAME_MAIL
def test_preheader_fills_its_line(name: str):
    """Otherwise lists of mails show the words behind it, the same in every mail."""
    preheader = pages.parse(rendered_sample(name).html).body[0].text_content()
    assert len(" ".join(preheader.split())) >= 60


def test_long_history_is_cut():
    """A mail stays readable and small however much has happened: the last events are told."""
    many = [fact("played", 1, cards=["7c"])] * 100 + [fact("played", 2, cards=["Ks"])]
    text = RENDERER.render(game_mail(happened=tuple(many))).text
    assert "What happened earlier is left out here: 41 events." in text
    assert text.count("played 7♣") == 59
    assert "- Carol played K♠." in text


def test_what_an_admin_did_is_not_cut():
    """Every player reads it, however much has happened since, and it is not counted as left out."""
    many = [fact("played", 1, cards=["7c"])] * 100
    look = fact("hands_revealed", None, admin="Otto", reason="a dispute")
    text = RENDERER.render(game_mail(happened=(many[0], look, *many))).text
    assert "What happened earlier is left out here: 41 events." in text
    assert "- The admin (Otto) looked at hidden cards. The reason given: a dispute" in text
    assert text.count("played 7♣") == 60


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (fact("deadline_extended", None, reason="admin"), "The admin gave more time to answer."),
        (fact("resumed", None, by="admin"), "The clock of the game runs again, by the admin."),
        (fact("bot_decides", 1, why="admin"), "A bot played for Bob: the admin asked for this."),
        (fact("paused", None, by="admin", reason="Bob is ill"), "The reason given: Bob is ill"),
    ],
)
def test_a_reason_is_told_with_its_act(act: Fact, said: str):
    """A reason is always shown with its act, also after many later events."""
    many = [fact("played", 1, cards=["7c"])] * 100
    given = fact("reason_given", None, admin="Otto", reason="Bob asked me")
    text = RENDERER.render(game_mail(happened=(act, given, *many))).text
    told = " ".join(text.split())
    assert f"{said}" in told
    assert "What happened earlier is left out here: 40 events." in told


def test_finished_opens_everything():
    """The last mail names the places, shared ones too, and opens the secret."""
    text = rendered_sample("finished").text
    assert "1  Carol" in text
    assert "3  You" in text
    assert SECRET in text


def test_forgotten_variable(tmp_path: Path):
    """A template that asks for what is not there fails instead of leaving a hole."""
    (tmp_path / "letters" / "help").mkdir(parents=True)
    (tmp_path / "letters" / "help" / "subject.txt").write_text("{{ mail.nothing_of_that_name }}")
    renderer = Renderer([tmp_path, resources.templates_dir() / "email"])
    with pytest.raises(jinja2.UndefinedError):
        renderer.render(SAMPLES["help"])


def test_own_templates_come_first(tmp_path: Path):
    """The admin can replace single templates."""
    (tmp_path / "letters" / "help").mkdir(parents=True)
    (tmp_path / "letters" / "help" / "subject.txt").write_text("How to play at our table")
    renderer = Renderer([tmp_path, resources.templates_dir() / "email"])
    assert renderer.render(SAMPLES["help"]).subject == "How to play at our table"


def test_templates_are_sandboxed(tmp_path: Path):
    """A template cannot reach into the program."""
    (tmp_path / "letters" / "help").mkdir(parents=True)
    (tmp_path / "letters" / "help" / "subject.txt").write_text("{{ say.__globals__ }}")
    renderer = Renderer([tmp_path, resources.templates_dir() / "email"])
    with pytest.raises(jinja2.exceptions.SecurityError):
        renderer.render(SAMPLES["help"])


@pytest.mark.parametrize(
    "content",
    [game_mail(kind="../turn"), game_mail(ruleset="../secrets"), game_mail(ruleset="unheard-of")],
)
def test_unknown_kind_or_ruleset(content: GameMail):
    """A kind or ruleset without templates is a template error, not a way into the file system."""
    with pytest.raises(jinja2.TemplateNotFound):
        RENDERER.render(content)


def test_mailto_link():
    """RFC 6068: blanks, line breaks, plus signs and ampersands survive the way."""
    link = mailto_link("cards+tok@example.org", "Re: [k7] A & B + C", "play 7 7\npickup")
    assert link == (
        "mailto:cards%2Btok@example.org?subject=Re%3A%20%5Bk7%5D%20A%20%26%20B%20%2B%20C"
        "&body=play%207%207%0D%0Apickup"
    )
    assert mailto_link("a@example.org") == "mailto:a@example.org"


def test_templates_of_a_newer_program_are_not_for_this_one(tmp_path: Path) -> None:
    """Installed under a running service they may ask for what its code does not know; an admin's are read anew."""
    program, own = tmp_path / "program", tmp_path / "own"
    shutil.copytree(resources.templates_dir() / "email", program)
    (own / "letters" / "rules").mkdir(parents=True)
    subject = own / "letters" / "rules" / "subject.txt"
    subject.write_text("Mine")
    content = SAMPLES["rules"]
    renderer = Renderer([own, program])
    before = renderer.render(content)
    assert before.subject == "Mine"
    for file in program.rglob("*.txt"):
        file.write_text("{{ mail.what_only_the_next_version_knows }}")
    subject.write_text("Mine, but better")
    os.utime(subject, (1, 1))
    after = renderer.render(content)
    text = before.text.replace("Mine", "Mine, but better", 1)
    assert after == replace(before, subject="Mine, but better", text=text, html=after.html)


@pytest.mark.parametrize(
    ("again", "count"),
    [((), 1), ((fact("goes_again", 0),), 0)],
    ids=["after others", "once more"],
)
def test_an_answer_names_the_readers_turn_once(again: tuple[Fact, ...], count: int) -> None:
    """CAT-8, PHY-9: the sentence about the move says that its player goes again."""
    mail = game_mail(
        kind="answer", lines=(DONE,), happened=(fact("played", 0, cards=["10h"]), *again)
    )
    text, _ = words(RENDERER.render(mail))
    assert "You played 10♥" in text
    assert text.count("It is your turn.") == count
    assert ("You played 10♥ and go again." in text) == bool(again)
