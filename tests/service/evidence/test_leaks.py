"""Test that messages, exports and commands leak no hidden information (GEN-5, GEN-15)."""

from __future__ import annotations

import html
import json
import re
import urllib.parse
from hashlib import sha256

import pytest

from engine.api import Seat
from pbem.domain.log.events import HandsRevealedToAdmin
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.service.logbook import replays
from pbem.service.logbook.exports import export_lines
from tests.service.conftest import NAMES, Sent, Table

_CARD = re.compile(r"(?<![\w#])(10|[2-9JQKA])([♣♦♥♠cdhs])(?![\w])")
_SUITS = str.maketrans("♣♦♥♠", "cdhs")


def find_cards(text: str) -> set[str]:
    """Return every card in a text, in any notation."""
    plain = text.replace("\ufe0e", "").replace("\ufe0f", "")
    return {rank + suit.translate(_SUITS) for rank, suit in _CARD.findall(plain)}


def read_visible(mail: Sent) -> str:
    """Return all visible text of a message: subject, text, HTML text and link targets."""
    part = mail.message.get_body(("html",))
    markup = part.get_content() if part is not None else ""
    links = " ".join(urllib.parse.unquote(link) for link in re.findall(r'href="([^"]*)"', markup))
    visible = re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<style>.*?</style>|<!--.*?-->", " ", markup))
    return "\n".join([str(mail.message["Subject"]), mail.text, html.unescape(visible), links])


def find_known_cards(game: Game, seat: int) -> set[str]:
    """Return every card that a seat's view contains."""
    return find_cards(json.dumps(game.ruleset.view(game.state, Seat(seat))).replace('"', " "))


def find_hand(game: Game, seat: int) -> set[str]:
    return set(game.ruleset.view(game.state, Seat(seat))["seats"][seat]["hand"])


@pytest.mark.rule("GEN-5", "GEN-15", "GEN-16")
def test_no_mail_of_a_running_game_shows_what_its_reader_does_not_know(table: Table) -> None:
    """Whole games: cards of others' hands, secrets, seeds, salts, others' tokens and addresses."""
    checked = 0
    for seed in (3, 4):
        game = table.started(3, seed=seed)
        known: list[set[str]] = [set(), set(), set()]
        addresses = [f"{name.lower()}@example.org" for name in NAMES[:3]]
        looked_at = len(table.delivery.mails)
        for number in range(120):
            game = table.game(game.id)
            if game.is_over or number > 25:
                break  # the end opens everything
            for seat in range(3):
                known[seat] |= find_known_cards(game, seat)
            hidden = [
                set().union(*(find_hand(game, other) for other in range(3) if other != seat))
                - known[seat]
                for seat in range(3)
            ]
            secrets = [bytes([seed] * 32).hex(), game.setup.seed.hex()]
            with table.service.store.reading() as uow:
                salts = [e.secret.salt.hex() for e in uow.events.read(game.id) if e.secret]
            for mail in table.delivery.mails[looked_at:]:
                reader = addresses.index(mail.rcpt_to)
                text = read_visible(mail)
                assert not find_cards(text) & hidden[reader]
                raw = mail.raw.decode("ascii").replace("=\r\n", "").replace("\r\n", "")
                whole = raw + text.replace("\n", "")
                assert not any(secret in whole for secret in [*secrets, *salts])
                for other in set(range(3)) - {reader}:
                    assert addresses[other] not in whole
                    assert f"s-{game.id}-{other}-" not in whole
                checked += 1
            looked_at = len(table.delivery.mails)
            seat, order = table.standby(game)
            if number % 7 == 3:  # refusals, questions and slips on the way
                table.answer((seat + 1) % 3, "flip 1; board")
                table.answer(seat, "filp 1")
                table.answer(seat, "board")
            table.answer(seat, order)
    assert checked > 100


@pytest.mark.rule("GEN-15")
def test_end_opens_everything_to_everybody(table: Table) -> None:
    """Every player's last message contains the secret and its commitment, which give the seed."""
    game = table.new_game(2)
    invited = [table.last_to(seat).words for seat in (0, 1)]
    for seat in (0, 1):
        table.answer(seat, f"join phrase: tea of {NAMES[seat]}")
    table.answer_twice(1, "resign confirm")
    game = table.game(game.id)
    for seat in (0, 1):
        mail = table.last_to(seat)
        page = mail.html
        for text in (" ".join(mail.text.split()), page):
            assert game.server_secret in text
            assert f"{game.commitment[:8]}…" in text
            assert f"“tea of {NAMES[seat]}”" in text
        assert game.commitment in invited[seat].replace(" ", "")
        (log,) = table.ask(seat, "export", to=mail.reply_to).message.iter_attachments()
        start = next(
            event["secret"]["payload"]
            for event in map(json.loads, log.get_content().splitlines()[1:])
            if "phrases" in ((event.get("secret") or {}).get("payload") or {})
        )
        phrases = [phrase.encode() for phrase in start["phrases"]]
        parts = b"".join(len(phrase).to_bytes(4, "big") + phrase for phrase in phrases)
        secret = bytes.fromhex(game.server_secret)
        assert sha256(b"pbem-seed-v1" + secret + parts).digest() == game.setup.seed


@pytest.mark.rule("GEN-5")
def test_export_of_a_running_game_holds_no_secret(table: Table) -> None:
    """No secret, salt, phrase, digest, card of a hand, name or address."""
    game = table.new_game(3)
    for seat in range(3):
        table.answer(seat, f"join phrase: words of {NAMES[seat]}")
    game = table.skip(table.game(game.id), 9)
    with table.service.store.reading() as uow:
        text = b"\n".join(export_lines(uow, game.id)).decode()
        events = uow.events.read(game.id)
    played = find_cards(text.replace('"', " "))
    for seat in range(3):
        unseen = find_hand(game, seat) - find_known_cards(game, (seat + 1) % 3)
        assert unseen
        assert not played & unseen
    for event in events:
        if event.secret is not None:
            assert event.secret.salt.hex() not in text
            for name, value in (event.secret.payload or {}).items():
                if isinstance(value, str) and value:
                    assert value not in text, name
    for name in NAMES[:3]:  # as a word: an id may hold the letters
        assert not re.search(rf"\b{name}\b", text, re.IGNORECASE)
    assert "@" not in text


@pytest.mark.rule("GEN-5")
def test_replay_of_a_running_game_shows_no_hidden_card(table: Table) -> None:
    """Every step shows only cards that an observer may know."""
    game = table.skip(table.started(3), 12)
    replayed = replays.replay(table.service, game.id)
    for step in replayed.steps:
        if step.view is not None:
            seats = step.view["seats"]
            assert all(seat["hand"] is None for seat in seats)  # type: ignore[call-overload,index]
    text = json.dumps([step.view for step in replayed.steps]).replace('"', " ")
    for seat in range(3):
        unseen = find_hand(game, seat) - find_known_cards(game, (seat + 1) % 3)
        assert not find_cards(text) & unseen


@pytest.mark.rule("GEN-5")
@pytest.mark.parametrize("reason", [None, "", "  "])
def test_look_through_a_seats_eyes_needs_a_reason(
    table: Table, game: Game, reason: str | None
) -> None:
    """Without a reason it is refused, and nothing is recorded."""
    with pytest.raises(Refusal, match="reason"):
        replays.replay(table.service, game.id, seats=[0], reason=reason)
    assert table.game(game.id).version == game.version


@pytest.mark.rule("GEN-5")
@pytest.mark.parametrize("who_acts", ["to act", "waiting"])
def test_every_player_reads_of_a_look_in_the_next_mail(table: Table, who_acts: str) -> None:
    """The next message about the game to each seat mentions it, whoever writes first."""
    game = table.skip(table.started(3), 4)
    replays.replay(table.service, game.id, seats=[1], reason="Bob asked about his hand")
    events = table.events(game, HandsRevealedToAdmin)
    assert [(event.seats, event.reason) for event in events] == [((1,), "Bob asked about his hand")]
    sent = len(table.delivery.mails)
    seat, order = table.standby(table.game(game.id))
    if who_acts == "waiting":
        table.answer((seat + 2) % 3, "board")
    table.answer(seat, order)
    for _ in range(2):
        table.move(table.game(game.id))
    for number in range(3):
        address = f"{NAMES[number].lower()}@example.org"
        first = next(mail for mail in table.delivery.mails[sent:] if mail.rcpt_to == address)
        assert "looked at hidden cards" in first.words
        assert "Bob asked about his hand" in first.words


@pytest.mark.rule("GEN-5")
def test_look_is_told_in_a_reminder_a_timeout_and_at_the_end(table: Table) -> None:
    game, seat, _ = table.start(2)
    replays.replay(table.service, game.id, seats=[0, 1], reason="a dispute")
    table.wait(hours=37)
    assert "a dispute" in table.last_to(seat).words
    table.answer_twice(1 - seat, "resign confirm")
    assert "a dispute" in table.last_to(1 - seat).words
    assert "a dispute" in table.last_to(seat).words


def test_look_after_the_end_is_no_event(table: Table, game: Game) -> None:
    """Everything is open then."""
    table.answer_twice(0, "resign confirm")
    version = table.game(game.id).version
    replayed = replays.replay(table.service, game.id, seats=[0])
    assert table.game(game.id).version == version
    assert replayed.steps[-1].view is not None
