"""Test the demo's window: access, forms, and the isolation of messages."""

from __future__ import annotations

import email
import re
import socket
from email.policy import default
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from pbem.demo.mailboxes import Mailboxes, framed, read_mailto
from pbem.demo.window import Window
from pbem.mail_out.compose import mailto_link
from tests.demo.mails import Writer, make_mailboxes
from tests.show.browser import CHROMIUM, browser

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="NOT TESTED: chromium or fonts-liberation is missing"
)


def ask(
    window: Window, path: str, form: dict[str, str] | None = None, **headers: str
) -> tuple[HTTPResponse, str]:
    """Ask for a page, or send a form, as a browser does."""
    parts = urlsplit(window.url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    given = {"Host": parts.netloc}
    if form is not None:
        given |= {"Origin": f"http://{parts.netloc}"}
    given |= {name.title().replace("_", "-"): value for name, value in headers.items()}
    body = None if form is None else urlencode(form)
    method = "GET" if form is None else "POST"
    connection.request(method, path, body, {name: v for name, v in given.items() if v})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def writer(mailboxes: Mailboxes) -> Writer:
    person = mailboxes.boxes["anna"].person
    assert isinstance(person, Writer)
    return person


# --- who is let in --------------------------------------------------------------------------------


def test_it_listens_on_loopback_only(window: Window) -> None:
    port = urlsplit(window.url).port
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), port)}
    for address in {str(other) for other in others} - {"127.0.0.1", "::1"}:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as probe:
            probe.settimeout(2)
            assert probe.connect_ex((address, port)) != 0, address


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "localhost", ""])
def test_who_calls_it_by_another_name_sees_nothing(window: Window, host: str) -> None:
    answer, text = ask(window, "/anna/2", host=host or "0.0.0.0:1")
    assert (answer.status, text) == (421, "Not here.")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", ""])
def test_a_form_from_another_page_sends_nothing(
    window: Window, mailboxes: Mailboxes, origin: str
) -> None:
    answer, _ = ask(window, "/anna/2", {"words": "21"}, origin=origin)
    assert answer.status == 403
    assert writer(mailboxes).sent == []


def test_nobody_writes_from_the_mailbox_of_somebody_else(
    window: Window, mailboxes: Mailboxes
) -> None:
    mailboxes.may_look = True
    answer, _ = ask(window, "/bob/1", {"words": "21"})
    assert answer.status == 403
    assert mailboxes.boxes["bob"].letters[0].answer == "21"


@pytest.mark.parametrize("path", ["/bob/1", "/bob/1/frame", "/bob/1?text"])
def test_who_plays_does_not_see_the_mails_of_the_others(window: Window, path: str) -> None:
    assert ask(window, path)[0].status == 403
    assert "large" not in ask(window, "/bob")[1]
    assert "Hello" not in ask(window, "/bob/list?open=1")[1]


@pytest.mark.parametrize("how", ["asked for", "over"])
def test_the_mails_of_the_others_open(window: Window, mailboxes: Mailboxes, how: str) -> None:
    if how == "over":
        mailboxes.finish(["3 events hold"])
        assert "3 events hold" in ask(window, "/anna/2")[1]
    else:
        assert ask(window, "/-/look/bob", {})[0].status == 303
    assert ask(window, "/bob/1/frame")[0].status == 200


@pytest.mark.parametrize(
    "path", ["/zoe", "/anna/0", "/anna/9", "/anna/x", "/-/window.html", "/-/..%2Fwindow.css"]
)
def test_there_is_nothing_else(window: Window, path: str) -> None:
    assert ask(window, path)[0].status == 404


# --- answering ------------------------------------------------------------------------------------


def test_a_typed_reply_quotes_the_mail(window: Window, mailboxes: Mailboxes) -> None:
    answer, _ = ask(window, "/anna/2", {"words": "play 7\r\nthanks"})
    assert (answer.status, answer.headers["Location"]) == (303, "/anna/2?sent=2")
    (raw,) = writer(mailboxes).sent
    mail = email.message_from_bytes(raw, policy=default)
    assert mail["In-Reply-To"] == mailboxes.boxes["anna"].letters[1].mail.message_id
    plain = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")
    assert plain.startswith("play 7\nthanks\n\nOn ")
    assert "\n> " in plain
    assert "play 7\nthanks" in ask(window, "/anna/2")[1]


def test_a_click_on_a_move_begins_a_mail_with_it(window: Window, mailboxes: Mailboxes) -> None:
    frame = ask(window, "/anna/2/frame")[1]
    link = re.findall(r'href="/anna/2\?link=(\d+)"', frame)[1]
    draft = mailboxes.boxes["anna"].letters[1].drafts[int(link)]
    assert f">{draft.words}</textarea>" in ask(window, f"/anna/2?link={link}")[1]
    assert writer(mailboxes).sent == []
    ask(window, "/anna/2", {"words": draft.words, "link": link})
    mail = email.message_from_bytes(writer(mailboxes).sent[0], policy=default)
    assert (mail["To"], mail["Subject"]) == (draft.to, draft.subject)
    assert mail.get_content().strip() == draft.words


@pytest.mark.parametrize("words", ["", "  \n "])
def test_an_empty_mail_is_not_sent(window: Window, mailboxes: Mailboxes, words: str) -> None:
    answer, text = ask(window, "/anna/2", {"words": words})
    assert answer.status == 422
    assert "An empty mail says nothing." in text
    assert writer(mailboxes).sent == []


def test_a_flood_is_not_read(window: Window, mailboxes: Mailboxes) -> None:
    assert ask(window, "/anna/2", {"words": "x" * 30_000})[0].status == 413
    assert writer(mailboxes).sent == []


@pytest.mark.parametrize(
    ("to", "subject", "body"),
    [("game+s-1@play.example.org", "Re: a & b", "play 7\nplay 8"), ("a@b.example", "", "")],
)
def test_a_mailto_link_is_read_as_it_was_written(to: str, subject: str, body: str) -> None:
    draft = read_mailto(mailto_link(to, subject, body))
    assert (draft.to, draft.subject, draft.words) == (to, subject, body)


# --- what a mail may do ---------------------------------------------------------------------------

HOSTILE = (
    '<html><body><a href="javascript:alert(1)">a</a><a href="http://evil.example/">b</a>'
    '<a href="mailto:x@y.example?body=21">c</a><p>text</p></body></html>'
)


def test_links_lead_into_the_window_or_nowhere() -> None:
    assert re.findall(r'href="([^"]*)"', framed(HOSTILE, lambda n: f"/me?link={n}")) == [
        "/me?link=0"
    ]
    assert "href" not in framed(HOSTILE, None)


def test_every_page_says_what_it_may_load(window: Window) -> None:
    page, frame = ask(window, "/anna/2")[0], ask(window, "/anna/2/frame")[0]
    for answer in (page, frame):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
    assert "sandbox " in frame.headers["Content-Security-Policy"]
    assert "script-src" not in frame.headers["Content-Security-Policy"]


def test_the_link_to_the_seat_page_of_the_demo_stays() -> None:
    """It opens beside the mailboxes; no other address does."""
    table = "http://127.0.0.1:8025/seat/p-abc-0"
    others = ("http://127.0.0.1:8025/other", "https://example.org/seat/a", f"{table}?x=1")
    html = "".join(f'<a href="{link}">open</a>' for link in (table, *others))
    page = framed(html, lambda _: "/me")
    assert re.findall(r'href="([^"]*)"', page) == [table]
    assert 'rel="noopener noreferrer"' in page
    assert "href" not in framed(html, None)


def test_texts_of_mails_are_shown_as_texts(window: Window, mailboxes: Mailboxes) -> None:
    letter = mailboxes.boxes["anna"].letters[1]
    letter.answer = "<script>alert(1)</script>"
    letter.mail = type(letter.mail)(
        **{name: getattr(letter.mail, name) for name in letter.mail.__slots__}
        | {"subject": "<b>bold</b>", "text": "<i>x</i>"}
    )
    page = ask(window, "/anna/2?text")[1]
    assert "<script>alert" not in page
    assert "<b>bold" not in page
    assert "<pre" in page
    assert "&lt;i&gt;x&lt;/i&gt;" in page


@needs_chromium
def test_a_mail_in_the_frame_cannot_run_or_load_anything(
    window: Window, mailboxes: Mailboxes, tmp_path: Path
) -> None:
    letter = mailboxes.boxes["anna"].letters[1]
    elsewhere = socket.create_server(("127.0.0.1", 0))
    elsewhere.setblocking(False)
    hostile = (
        "<body><script>top.document.title = 'mine'</script>"
        f"<img src='http://127.0.0.1:{elsewhere.getsockname()[1]}/'><img src=x onerror=\"top.document.title='mine'\">"
        "<form action='/anna/1' method=post><input name=words value=resign></form>"
        "<a href='mailto:g@play.example.org?body=21'>move</a></body>"
    )
    letter.mail = type(letter.mail)(
        **{name: getattr(letter.mail, name) for name in letter.mail.__slots__} | {"html": hostile}
    )
    with browser(tmp_path) as page:
        page.open(f"{window.url}anna/2")
        page.wait_for("document.querySelector('iframe') !== null")
        assert page.count_in_frames("a[target=_top]") == 1
        assert page.ask("document.title") != "mine"
        assert page.ask("document.querySelector('iframe').contentDocument") is None
    with elsewhere, pytest.raises(BlockingIOError):
        elsewhere.accept()
    assert writer(mailboxes).sent == []


# --- how it looks ---------------------------------------------------------------------------------


def test_without_a_visitor_all_is_open_and_nothing_can_be_written() -> None:
    boxes = make_mailboxes(visitor=False)
    assert boxes.visitor is None
    assert all(boxes.may_be_read(box) for box in boxes.boxes.values())
    assert not any(box.is_visitors for box in boxes.boxes.values())
