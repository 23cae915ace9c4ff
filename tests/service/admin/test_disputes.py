"""Test disputes by mail and by the admin: the clock, the bundle, and hidden cards in it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from engine.api import Seat
from engine.canonical import canonical_json
from pbem.domain.log.clock_events import GamePaused
from pbem.domain.log.events import DisputeOpened, HandsRevealedToAdmin
from pbem.domain.table.game import Game
from pbem.errors import LogError, Refusal
from pbem.mail_in.sandbox.reader import DirectReader
from pbem.service.admin import acts, clock_acts, disputes
from pbem.service.evidence import bundles
from pbem.service.evidence.reopen_bundle import Reopened, open_bundle
from pbem.service.lobby import making as lobby
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_game
from tests.service.conftest import NAMES, Table, configured
from tests.service.evidence.test_leaks import cards_in, hand, knows

COMPLAINT = "dispute my second line was not carried out\nI wrote it on Monday;\nresign\n-- \nAnna"


def with_admin(table: Table) -> None:
    table.service = configured(table.service, admins=("root@example.org",))


def bundle(table: Table, game: Game, number: int = 1) -> bytes:
    return bundles.make_bundle(table.service, game.id, number, reason="her complaint")


def reopened(data: bytes) -> Reopened:
    return open_bundle(data, DirectReader())


def changed(data: bytes, **parts: Any) -> bytes:
    return canonical_json({**json.loads(data), **parts})


def test_a_dispute_by_mail(table: Table) -> None:
    """All players and the admins are notified. The clock stops until the answer."""
    with_admin(table)
    game = table.skip(table.started(3), 3)
    before = game.deadline
    assert before is not None
    mails = len(table.delivery.mails)
    table.answer(1, COMPLAINT)
    game = table.game(game.id)
    opened = [item for item in table.log(game) if isinstance(item.event, DisputeOpened)]
    assert [item.actor for item in opened] == ["seat:1"]
    text = opened[0].event.text  # type: ignore[attr-defined]
    assert text == "my second line was not carried out\nI wrote it on Monday\nresign"
    assert game.seats[1].status == "joined"
    assert game.paused_by == "dispute"
    assert isinstance(table.log(game)[-1].event, GamePaused)
    told = {mail.rcpt_to: mail for mail in table.delivery.mails[mails:]}
    assert set(told) == {f"{n}@example.org" for n in ("anna", "bob", "carol", "root")}
    for name in ("anna", "carol"):
        words = told[f"{name}@example.org"].words
        assert "Bob has opened a dispute" in words
        assert "clock of this game is stopped" in words
        assert "second line" not in words
    assert "number of your dispute is 1" in told["bob@example.org"].words
    assert f"pbem dispute show {game.id} 1" in told["root@example.org"].words
    assert "> my second line was not carried out" in told["root@example.org"].words
    with table.service.store.reading() as uow:
        assert b"second line" not in b"".join(export_lines(uow, game.id))
    table.answer(1, "dispute once more")
    assert "open already" in table.last_to(1).words
    table.clock.forward(days=30)
    table.run()
    assert table.game(game.id).version == game.version
    known = disputes.all_disputes(table.service)
    assert [(one.game_id, one.number, one.name) for one in known] == [(game.id, 1, "Bob")]
    mails = len(table.delivery.mails)
    after = disputes.resolve(table.service, game.id, 1, "Move 3 is taken back.")
    table.run()
    assert after.paused_at is None
    assert after.deadline is not None
    assert after.deadline.due_at > table.clock.now()
    assert after.deadline.version > before.version
    assert all("Move 3 is taken back." in m.words for m in table.delivery.mails[mails:])
    assert len(table.delivery.mails) == mails + 3
    assert disputes.all_disputes(table.service) == []
    assert disputes.find(table.service, game.id, 1).answer == "Move 3 is taken back."
    with table.service.store.reading() as uow:
        verify_game(uow, game.id)


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
    """It needs a reason, is an event; parser and rules agree with what was mailed, refusals too."""
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
    data, sent = bundle(table, game), len(table.mails_to(1))
    seen = [item.event for item in table.log(game) if isinstance(item.event, HandsRevealedToAdmin)]
    assert [(event.seats, event.reason) for event in seen] == [((1,), "her complaint")]
    acts.carry_out(table.service, game.id, clock_acts.resume, "the bundle says enough")
    table.run()
    assert all("her complaint" in table.last_to(reader).words for reader in range(3))
    acts.carry_out(table.service, game.id, clock_acts.pause, "once more")
    table.run()
    assert not any("her complaint" in table.last_to(reader).words for reader in range(3))
    found = reopened(data)
    assert found.agrees
    lines = [line for mail in found.mails for line in mail.lines]
    assert any(line.now and line.now.startswith("done as") for line in lines)
    assert any(line.now and line.now.startswith("refused: ") for line in lines)
    assert "misread" in found.document["dispute"]["text"]
    assert len(found.document["sent"]) == sent
    acts.stop(table.service, game.id, "enough")
    over = reopened(bundles.make_bundle(table.service, game.id, 1))
    assert over.agrees
    assert any("moves are legal" in check for check in over.checks)


def test_a_bundle_that_was_changed(table: Table) -> None:
    """A mail, an event, a sent mail, what became of a line, no bundle at all: each is noticed."""
    game = table.skip(table.started(2), 2)
    seat, order = table.standby(game)
    table.answer(seat, order)
    table.answer(seat, "dispute no")
    data = bundle(table, game)
    document = json.loads(data)
    other = base64.b64encode(b"From: a@example.org\r\n\r\nplay 7\r\n").decode()
    mails = [{**document["mails"][-1], "raw": other}]
    with pytest.raises(LogError, match="bytes of a mail"):
        reopened(changed(data, mails=mails))
    log = [*document["log"]]
    log[5] = {**log[5], "actor": "seat:9"}
    with pytest.raises(LogError, match="hash"):
        reopened(changed(data, log=log))
    sent = [{**one, "event": 1 + one["event"] % 3} for one in document["sent"]]
    with pytest.raises(LogError, match="does not name event"):
        reopened(changed(data, sent=sent))
    moved = next(mail for mail in document["mails"] if any(ln["move"] for ln in mail["lines"]))
    for name, value in (("move", "pickup x"), ("line", "play 8")):
        lines = [{**line, name: value} for line in moved["lines"]]
        wrong = reopened(changed(data, mails=[{**moved, "lines": lines}]))
        assert not wrong.agrees
    for no_bundle in (b"", b"[]", b"{}", b"\xff", changed(data, mails=[{}]), changed(data, game=7)):
        with pytest.raises(Refusal, match="bundle"):
            reopened(no_bundle)


def test_a_forged_bundle_is_refused_at_once(table: Table) -> None:
    """Types, game and dispute are checked against the log before the mails; no text is repeated."""
    game = table.skip(table.started(2), 2)
    table.answer(0, "dispute no")
    data = bundle(table, game)
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
            reopened(no_bundle)
    other = forged("game", ruleset=["pip install evil", 1])
    with pytest.raises(LogError, match="other rules than its log") as caught:
        reopened(other)
    assert "evil" not in str(caught.value)
    with pytest.raises(LogError, match="more or fewer players"):
        reopened(forged("game", players=["Anna"]))
    for fields in ({"seat": 1}, {"number": 2}, {"event": 1}, {"event": 10_000}):
        with pytest.raises(LogError, match="no such dispute"):
            reopened(forged("dispute", **fields))


def texts_of(document: dict[str, Any]) -> Iterator[str]:
    """Everything that a bundle says, the mails in it opened."""
    yield json.dumps(document)
    for mail in [*document["mails"], *document["sent"]]:
        raw = base64.b64decode(mail["raw"]).decode("ascii", "replace")
        yield raw.replace("=\r\n", "")


@pytest.mark.rule("GEN-5", "GEN-16")
def test_a_bundle_holds_nothing_of_the_others(table: Table) -> None:
    """No card that only others know, no secret, no salt, no address, token or mail of another."""
    game = table.skip(table.started(3, seed=5), 4)
    stranger = table.last_to(1)
    table.answer(0, "hello\nThe marmoset is mine", to=stranger.reply_to)
    known: set[str] = set()
    for _ in range(9):
        game = table.game(game.id)
        known |= knows(game, 1)
        seat, order = table.standby(game)
        table.answer(seat, f"{order}\nwords of {NAMES[seat]}")
    known |= knows(table.game(game.id), 1)
    table.answer(1, "dispute something is wrong")
    data = bundle(table, game)
    whole = "\n".join(texts_of(json.loads(data)))
    hidden = set().union(*(hand(table.game(game.id), other) for other in (0, 2))) - known
    assert len(hidden) > 3
    assert not cards_in(whole.replace('"', " ")) & hidden
    with table.service.store.reading() as uow:
        salts = [e.secret.salt.hex() for e in uow.events.read(game.id) if e.secret]
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
def test_a_bundle_shows_no_other_hand(table: Table) -> None:
    """No whole hand of another seat is in the bytes; the bundle is judged alike offline."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:3]]
    game = lobby.create_game(
        table.service, people, lobby.GamePlan("cathedral", server_secret=bytes([9]) * 32)
    )
    table.run()
    for seat in range(3):
        table.answer(seat, "join")
    hands = []
    for _ in range(10):
        game = table.game(game.id)
        for other in (0, 2):
            view: Any = game.ruleset.view(game.state, Seat(other))
            hands.append((other, view["seats"][other]["hand"]))
        seat, order = table.standby(game)
        table.answer(seat, order)
    table.answer(1, "dispute look at it")
    data = bundle(table, game)
    document = json.loads(data)
    whole = "\n".join(texts_of(document))
    assert any(len(cards) > 1 for _, cards in hands)
    for _, cards in hands:
        if len(cards) > 1:
            assert json.dumps(cards) not in whole
            assert canonical_json(cards).decode() not in whole
    for view in document["views"].values():
        assert all(view["seats"][other]["hand"] is None for other in (0, 2) if view)
    found = reopened(data)
    assert found.agrees
    lines = [line for mail in found.mails for line in mail.lines if line.now]
    assert any(line.now and line.now.startswith("done as") for line in lines)
