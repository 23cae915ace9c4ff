"""Test disputes by mail and by the admin: the clock, the bundle, and hidden cards in it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from engine.api import Seat
from engine.canonical import canonical_json
from pbem.domain.log.events import DisputeOpened, HandsRevealedToAdmin
from pbem.domain.table.game import Game
from pbem.errors import LogError, Refusal
from pbem.mail_in.sandbox.reader import DirectReader
from pbem.service.admin import acts, clock_acts, disputes
from pbem.service.evidence import bundles
from pbem.service.evidence.reopen_bundle import Reopened, open_bundle
from tests.service.conftest import NAMES, Table
from tests.service.evidence.test_leaks import find_cards, find_hand, find_known_cards

COMPLAINT = "dispute my second line was not carried out\nI wrote it on Monday;\nresign\n-- \nAnna"


def write_bundle(table: Table, game: Game, number: int = 1) -> bytes:
    return bundles.make_bundle(table.service, game.id, number, reason="her complaint")


def reopen(data: bytes) -> Reopened:
    return open_bundle(data, DirectReader())


def change_bundle(data: bytes, **parts: Any) -> bytes:
    return canonical_json({**json.loads(data), **parts})


def test_a_dispute_by_mail(table: Table) -> None:
    """All players and the admins are notified. The clock stops until the answer."""
    game = table.skip(table.started(3), 3)
    before = game.deadline
    mails = len(table.delivery.mails)
    table.answer(1, COMPLAINT)
    game = table.game(game.id)
    (opened,) = [item for item in table.log(game) if isinstance(item.event, DisputeOpened)]
    text = "my second line was not carried out\nI wrote it on Monday\nresign"
    assert (opened.actor, opened.event.text) == ("seat:1", text)
    assert game.seats[1].status == "joined"
    assert game.paused_by == "dispute"
    sent = {mail.rcpt_to.partition("@")[0]: mail.words for mail in table.delivery.mails[mails:]}
    assert set(sent) == {"anna", "bob", "carol", "root"}
    for name in ("anna", "carol"):
        assert "Bob has opened a dispute" in sent[name]
        assert "clock of this game is stopped" in sent[name]
        assert "second line" not in sent[name]
    assert "number of your dispute is 1" in sent["bob"]
    assert f"pbem dispute show {game.id} 1" in sent["root"]
    assert "> my second line was not carried out" in sent["root"]
    assert b"second line" not in table.export(game.id)
    assert "open already" in table.ask(1, "dispute once more").words
    table.wait(days=30)
    assert table.game(game.id).version == game.version
    rows = disputes.all_disputes(table.service)
    assert [(row.game_id, row.number, row.name) for row in rows] == [(game.id, 1, "Bob")]
    mails = len(table.delivery.mails)
    after = disputes.resolve(table.service, game.id, 1, "Move 3 is taken back.")
    table.run()
    assert after.paused_at is None
    assert after.deadline.due_at > table.clock.now()
    assert after.deadline.version > before.version
    answers = [mail.words for mail in table.delivery.mails[mails:]]
    assert ["Move 3 is taken back." in words for words in answers] == [True] * 3
    assert disputes.all_disputes(table.service) == []
    assert disputes.find(table.service, game.id, 1).answer == "Move 3 is taken back."
    table.verify(game)


def test_what_is_no_dispute(table: Table) -> None:
    """No words, no running game, a number that is not open, an answer without words."""
    game = table.new_game(2)
    table.answer(0, "dispute I was not asked")
    assert table.game(game.id).disputed == 0
    assert "running game" in table.last_to(0).words
    for seat in range(2):
        table.answer(seat, "join")
    table.answer(0, "dispute")
    assert table.game(game.id).disputed == 0
    assert "went wrong" in table.last_to(0).words
    disputes.open_for(table.service, game.id, "Anna", "by telephone")
    for number, text, said in [(2, "x", "open: 1"), (1, " ", "what was decided")]:
        with pytest.raises(Refusal, match=said):
            disputes.resolve(table.service, game.id, number, text)
    with pytest.raises(Refusal, match="no dispute 7"):
        disputes.find(table.service, game.id, 7)
    acts.stop(table.service, game.id, "enough")
    with pytest.raises(Refusal, match="over"):
        disputes.resolve(table.service, game.id, 1, "late")


def test_a_bundle_is_a_reveal_and_comes_to_the_same_result(table: Table) -> None:
    """A bundle needs a reason and is recorded. Parser and rules give the results that were mailed."""
    game = table.skip(table.started(3), 3)
    for _ in range(4):
        game = table.game(game.id)
        seat, order = table.standby(game)
        if seat == 1:
            table.answer(seat, "play K K K K\nHello all")
        table.answer(seat, f"{order}\nThat hurt, didn't it?")
    table.answer(1, "dispute my move was misread")
    with pytest.raises(Refusal, match="reason"):
        bundles.make_bundle(table.service, game.id, 1)
    data, sent = write_bundle(table, game), len(table.mails_to(1))
    seen = table.events(game, HandsRevealedToAdmin)
    assert [(event.seats, event.reason) for event in seen] == [((1,), "her complaint")]
    acts.carry_out(table.service, game.id, clock_acts.resume, "the bundle says enough")
    table.run()
    assert all("her complaint" in table.last_to(reader).words for reader in range(3))
    acts.carry_out(table.service, game.id, clock_acts.pause, "once more")
    table.run()
    assert not any("her complaint" in table.last_to(reader).words for reader in range(3))
    found = reopen(data)
    assert found.agrees
    lines = [line for mail in found.mails for line in mail.lines]
    assert any(line.now and line.now.startswith("done as") for line in lines)
    assert any(line.now and line.now.startswith("refused: ") for line in lines)
    assert "misread" in found.document["dispute"]["text"]
    assert len(found.document["sent"]) == sent
    acts.stop(table.service, game.id, "enough")
    over = reopen(bundles.make_bundle(table.service, game.id, 1))
    assert over.agrees
    assert any("moves are legal" in check for check in over.checks)


def test_a_bundle_that_was_changed(table: Table) -> None:
    """Detect a changed message, event, sent message or result of a line."""
    game = table.skip(table.started(2), 2)
    seat = table.move(game)
    table.answer(seat, "dispute no")
    data = write_bundle(table, game)
    document = json.loads(data)
    other = base64.b64encode(b"From: a@example.org\r\n\r\nplay 7\r\n").decode()
    mails = [{**document["mails"][-1], "raw": other}]
    with pytest.raises(LogError, match="bytes of a mail"):
        reopen(change_bundle(data, mails=mails))
    log = [*document["log"]]
    log[5] = {**log[5], "actor": "seat:9"}
    with pytest.raises(LogError, match="hash"):
        reopen(change_bundle(data, log=log))
    sent = [{**one, "event": 1 + one["event"] % 3} for one in document["sent"]]
    with pytest.raises(LogError, match="does not name event"):
        reopen(change_bundle(data, sent=sent))
    moved = next(mail for mail in document["mails"] if any(ln["move"] for ln in mail["lines"]))
    for name, value in (("move", "pickup x"), ("line", "play 8")):
        lines = [{**line, name: value} for line in moved["lines"]]
        assert not reopen(change_bundle(data, mails=[{**moved, "lines": lines}])).agrees
    for no_bundle in (
        b"",
        b"[]",
        b"{}",
        b"\xff",
        change_bundle(data, mails=[{}]),
        change_bundle(data, game=7),
    ):
        with pytest.raises(Refusal, match="bundle"):
            reopen(no_bundle)


def test_a_forged_bundle_is_refused_at_once(table: Table) -> None:
    """Compare types, game and dispute with the log before reading messages, and repeat no text."""
    game = table.skip(table.started(2), 2)
    table.answer(0, "dispute no")
    data = write_bundle(table, game)
    document = json.loads(data)

    def forged(part: str, **fields: Any) -> bytes:
        return json.dumps(document | {part: document[part] | fields}).encode()

    for no_bundle in (
        forged("dispute", text=7),
        forged("dispute", event=float("nan")),
        forged("game", players="x" * 100_000),
        forged("game", options={"a": float("inf")}),
        data.replace(b'"views":{', b'"views":{"0":' + b"[" * 500 + b"]" * 500 + b",", 1),
    ):
        with pytest.raises(Refusal, match="no whole dispute bundle"):
            reopen(no_bundle)
    other = forged("game", ruleset=["pip install evil", 1])
    with pytest.raises(LogError, match="other rules than its log") as caught:
        reopen(other)
    assert "evil" not in str(caught.value)
    with pytest.raises(LogError, match="more or fewer players"):
        reopen(forged("game", players=["Anna"]))
    for fields in ({"seat": 1}, {"number": 2}, {"event": 1}, {"event": 10_000}):
        with pytest.raises(LogError, match="no such dispute"):
            reopen(forged("dispute", **fields))


def read_texts(document: dict[str, Any]) -> Iterator[str]:
    """Yield all text of a bundle, including the decoded messages."""
    yield json.dumps(document)
    for mail in [*document["mails"], *document["sent"]]:
        yield base64.b64decode(mail["raw"]).decode("ascii", "replace").replace("=\r\n", "")


@pytest.mark.rule("GEN-5", "GEN-16")
def test_a_bundle_holds_nothing_of_the_others(table: Table) -> None:
    """A bundle contains no hidden card, secret, salt, address, token or message of another player."""
    game = table.skip(table.started(3, seed=5), 4)
    table.answer(0, "hello\nThe marmoset is mine", to=table.last_to(1).reply_to)
    known: set[str] = set()
    for _ in range(9):
        game = table.game(game.id)
        known |= find_known_cards(game, 1)
        seat, order = table.standby(game)
        table.answer(seat, f"{order}\nwords of {NAMES[seat]}")
    known |= find_known_cards(table.game(game.id), 1)
    table.answer(1, "dispute something is wrong")
    data = write_bundle(table, game)
    whole = "\n".join(read_texts(json.loads(data)))
    hidden = set().union(*(find_hand(table.game(game.id), other) for other in (0, 2))) - known
    assert len(hidden) > 3
    assert not find_cards(whole.replace('"', " ")) & hidden
    salts = table.read(
        lambda uow: [e.secret.salt.hex() for e in uow.events.read(game.id) if e.secret]
    )
    assert not any(
        secret in whole for secret in [*salts, game.server_secret, game.setup.seed.hex()]
    )
    for other in (0, 2):
        assert f"{NAMES[other].lower()}@example.org" not in whole
        assert f"s-{game.id}-{other}-" not in whole
        assert f"words of {NAMES[other]}" not in whole
    assert "marmoset" not in whole
    assert json.loads(data)["strange"]
    assert "words of Bob" in whole


@pytest.mark.rule("GEN-5")
def test_a_bundle_of_secret_choices_shows_no_other_hand(table: Table) -> None:
    """Neither texts nor views contain the hand of another seat, and the moves are checked again."""
    game = table.started(3, seed=9, ruleset="cathedral")
    hands = []
    for _ in range(10):
        game = table.game(game.id)
        for other in (0, 2):
            view: Any = game.ruleset.view(game.state, Seat(other))
            hands.append(view["seats"][other]["hand"])
        table.move(game)
    table.answer(1, "dispute look at it")
    data = write_bundle(table, game)
    document = json.loads(data)
    whole = "\n".join(read_texts(document))
    hands = [cards for cards in hands if len(cards) > 1]
    assert hands
    for cards in hands:
        assert json.dumps(cards) not in whole
        assert canonical_json(cards).decode() not in whole
    for view in document["views"].values():
        assert all(view["seats"][other]["hand"] is None for other in (0, 2) if view)
    opened = reopen(data)
    assert opened.agrees
    results = [line.now or "" for mail in opened.mails for line in mail.lines]
    assert any(result.startswith("done as") for result in results)
