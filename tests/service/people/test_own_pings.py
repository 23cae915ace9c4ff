"""Test pings: request by mail, confirmation by a code, sending, retries and the end."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.domain.table.game import Game
from pbem.errors import TransientDeliveryError
from pbem.pings.sending import PingDelivery
from pbem.pings.services import SERVICES
from pbem.sections import Pings
from pbem.service.delivery.send_due import send_due
from pbem.service.people import data_export, erasure
from pbem.service.upkeep.health import DOCTOR, Look, compute_health, troubles
from pbem.store.people.players import PingSettings
from pbem.store.rows.core import OUTBOX, PLAYER, OutboxMail
from tests.pings.servers import PingServer, Taken, serving
from tests.service.conftest import Table, configured


@dataclass
class Club:
    """A table whose server may ping, and the server that gets the pings."""

    table: Table
    server: PingServer = field(default_factory=PingServer)

    def ping(self) -> list[Taken]:
        """Send due pings, and return those that arrived."""

        async def told() -> None:
            async with AsyncExitStack() as stack:
                await stack.enter_async_context(serving(self.server))
                settings = self.table.service.config.pings.model_copy(
                    update={"ntfy": self.server.url}
                )
                delivery = PingDelivery(settings, "Cards by mail")
                await send_due(self.table.service, delivery, are_pings=True)

        self.server.taken.clear()
        asyncio.run(told())
        return list(self.server.taken)

    def code(self) -> str:
        (taken,) = self.ping()
        return re.search(r"\d{6}", taken.body["message"])[0]

    def begin(self, seat: int = 0, topic: str = "annas-topic") -> None:
        self.table.answer(seat, f"ping ntfy {topic}")
        self.table.answer(seat, f"ping {self.code()}")

    def pings(self) -> list[OutboxMail]:
        return [mail for mail in self.table.outbox() if mail.kind == "ping"]

    def pinged(self, seat: int = 0) -> PingSettings:
        player = self.table.player(("anna", "bob")[seat] + "@example.org")
        return self.table.read(lambda uow: uow.players.pinged(player))


def allow_pings(table: Table) -> Club:
    table.service = configured(table.service, pings=Pings(allow=("ntfy", "webhook")))
    return Club(table)


@pytest.fixture
def club(table: Table) -> Club:
    return allow_pings(table)


def wait_for_turn(club: Club, seat: int = 0) -> Game:
    """Let a player be pinged, and play on until it becomes that seat's turn."""
    game = club.table.started(2)
    club.begin(seat)
    for _ in range(4):
        game = club.table.game(game.id)
        mover = game.to_act[0]
        club.table.skip(game, 1)
        if mover != seat and seat in club.table.game(game.id).to_act:
            return club.table.game(game.id)
    raise AssertionError("it never is their turn")


def test_a_ping_says_whose_turn_and_until_when(club: Club) -> None:
    """Without a card, a token, an address or an id."""
    game = wait_for_turn(club)
    began = club.table.clock.now() - timedelta(days=1)
    mails = club.table.read(lambda uow: uow.outbox.sent_since(began))
    (taken,) = club.ping()
    assert taken.body["topic"] == "annas-topic"
    assert club.table.read(lambda uow: uow.outbox.sent_since(began)) == mails, (
        "a ping is none of the provider's mails of a day"
    )
    assert taken.body["title"] == "Cards by mail"
    said = taken.body["message"].replace("\u2068", "").replace("\u2069", "")
    assert re.fullmatch(r"Your turn in Phyliss with Bob, until \w{3} \d+ \w{3}, \d\d:\d\d", said)
    assert game.id not in str(taken)
    assert "@" not in str(taken.body)
    assert "+" not in str(taken.body)


def test_nobody_is_pinged_who_has_not_sent_the_code(club: Club) -> None:
    """After five wrong codes the right one is refused, too."""
    table = club.table
    table.started(2)
    table.answer(0, "ping ntfy annas-topic")
    code = club.code()
    assert "Your code is" in club.pings()[0].rendered.decode()  # type: ignore[union-attr]
    wrong = f"{(int(code) + 1) % 10**6:06}"
    for _ in range(5):
        assert "That is not the code" in table.ask(0, f"ping {wrong}").words
    assert "No code is open" in table.ask(0, f"ping {code}").words
    assert club.pinged() == PingSettings()


def test_ping_off_ends_it_and_settings_say_so(club: Club) -> None:
    wait_for_turn(club)
    assert (
        "you are pinged by ntfy annas-topic"
        in club.table.ask(0, "settings", to=club.table.service.own_address).words
    )
    club.table.answer(0, "Ping off.")
    assert club.ping() == [], "what waited is not told any more"
    assert {one.status for one in club.pings()} == {"sent", "cancelled"}
    assert "You get no pings." in club.table.ask(0, "ping").words
    assert '"ping ntfy my-secret-topic"' in club.table.last_to(0).words


@pytest.mark.parametrize("place", ["ntfy ../admin", "webhook http://127.0.0.1/", "telegram 123456"])
def test_what_is_no_place_or_not_allowed_is_refused(club: Club, place: str) -> None:
    club.table.started(2)
    before = club.table.outbox()
    assert "I cannot ping you there." in club.table.ask(0, f"ping {place}").words
    assert '"ping ntfy my-secret-topic" or "ping webhook' in club.table.last_to(0).words
    assert [one.kind for one in club.table.outbox() if one not in before][:1] != ["ping"]
    assert club.pings() == []


@pytest.mark.usefixtures("game")
def test_a_server_without_pings_says_so(table: Table) -> None:
    assert "This server sends no pings." in table.ask(0, "ping ntfy annas-topic").words


def test_a_server_in_trouble_is_asked_again_and_told_once(club: Club) -> None:
    wait_for_turn(club)
    club.server.answers = [b"HTTP/1.1 503 Away\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"]
    assert len(club.ping()) == 1
    assert club.ping() == [], "not before its time"
    club.table.clock.forward(seconds=31)
    assert len(club.ping()) == 1
    club.table.clock.forward(hours=1)
    assert club.ping() == []
    assert club.pings()[-1].status == "sent"
    assert club.pings()[-1].failures == 1


def test_a_turn_that_is_over_is_not_told(club: Club) -> None:
    club.table.skip(wait_for_turn(club), 1)
    assert club.ping() == []
    assert club.pings()[-1].status == "superseded"


def test_a_place_that_is_gone_is_given_up_and_costs_no_mail(club: Club) -> None:
    """It counts as no bounce and raises no alert, and the player can ask."""
    wait_for_turn(club)
    club.server.answers = [b"HTTP/1.1 404 Not Found\r\n\r\n"]
    club.ping()
    assert club.pings()[-1].status == "failed"
    with club.table.service.store.reading() as uow:
        assert uow.outbox.count_given_up(club.table.clock.now().replace(year=2000)) == 0
        assert uow.deliverability.unreachable(uow.players.by_address("anna@example.org").id) is None
    for order in ("ping", "settings"):
        assert "The last ping could not be delivered." in club.table.ask(0, order).words
    texts = club.table.read(
        lambda uow: {row.name: row.text for row in troubles(Look(club.table.service, uow), DOCTOR)}
    )
    assert texts["lost pings"] == "1 ping could not be delivered"
    assert not any("ping" in problem for problem in compute_health(club.table.service).problems)


def test_pings_and_mails_do_not_wait_for_each_other(both: Table) -> None:
    """A ping is sent while messages wait, and does not end their pause."""
    club = allow_pings(both)
    game = club.table.started(2)
    club.begin()
    club.table.delivery.error = TransientDeliveryError("no connection to the server")
    while 0 in club.table.game(game.id).to_act:
        club.table.skip(game, 1)
    left = len(club.table.delivery.mails)
    while 0 not in club.table.game(game.id).to_act:
        club.table.skip(game, 1)
    assert len(club.ping()) == 1
    club.table.delivery.error = None
    club.table.run()
    assert len(club.table.delivery.mails) == left, "the next server still has its pause"
    with club.table.service.store.reading() as uow:
        own = game.seats[0].player
        assert uow.outbox.has_unsent(game.id, 0, 0), "a ping stands for no mail"
        assert uow.outbox.reported_up_to(game.id, 0, own) < club.table.game(game.id).position


def test_a_place_is_sealed_exported_and_forgotten(both: Table) -> None:
    """Pings of other players do not name an erased player."""
    club = allow_pings(both)
    game = wait_for_turn(club)
    club.ping()
    table = club.table
    rows = table.read(
        lambda uow: [
            *uow.connection.execute(select(PLAYER)),
            *uow.connection.execute(select(OUTBOX)),
        ]
    )
    dump = "\n".join(str(tuple(row)) for row in rows)
    assert "Anna" in dump
    assert "annas-topic" not in dump
    assert "Your turn in" not in dump
    assert data_export.collect(table.service, "Anna")["pinged_by"] == "ntfy annas-topic"
    for one in club.pings():
        assert one.rendered is not None
    while not table.game(game.id).is_over:
        game = table.skip(game, 50)
    erasure.forget(table.service, "Bob", "asked for it")
    assert not [one for one in club.pings() if "Bob" in (one.rendered or b"").decode()]
    erasure.forget(table.service, "Anna", "asked for it")
    assert {one.player_id for one in club.pings()} == {None}
    assert all(one.rendered is None for one in club.pings())


def test_every_service_has_an_example_that_is_a_place() -> None:
    for row in SERVICES.values():
        assert "…" in row.example or row.place.fullmatch(row.example)


def test_a_code_counts_for_a_day_and_for_its_own_player(club: Club) -> None:
    table = club.table
    table.started(2)
    table.answer(0, "ping ntfy annas-topic")
    code = club.code()
    assert "No code is open" in table.ask(1, f"ping {code}").words
    table.clock.forward(days=1, seconds=1)
    assert "No code is open" in table.ask(0, f"ping {code}").words


def test_codes_are_few(club: Club) -> None:
    """The place may be a stranger's."""
    club.table.started(2)
    for number in range(7):
        club.table.answer(0, f"ping ntfy topic-{number}")
    assert "asked often enough today" in club.table.last_to(0).words
    assert len(club.pings()) == club.table.service.config.limits.questions_per_day
