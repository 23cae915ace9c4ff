"""Test loading and recording games, invited players, and games of operators."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from freezegun import freeze_time

from pbem.clock import SystemClock
from pbem.domain.table.fold import fold
from pbem.domain.terms.timing import OnTimeout, Timing
from pbem.errors import Refusal
from pbem.language import translate
from pbem.service.admin import acts
from pbem.service.core import games
from pbem.service.lobby import creation as lobby
from tests.service.conftest import Table, configured, raw_mail


def test_an_earlier_version_is_the_fold_of_its_part_of_the_log(table: Table) -> None:
    game = table.skip(table.started(2), 12)
    log = table.log(game)
    table.service.store.close()  # forgets the cached games
    with table.service.store.reading() as uow:
        for version in [*range(game.version, 0, -5), *range(1, game.version + 1, 3)]:
            assert games.load(uow, game.id, up_to=version) == fold(log[:version], game.id)


def test_a_cached_game_is_the_fold_of_the_log(both: Table) -> None:
    """This holds after every change, also by another process with a separate cache."""
    game = both.started(3)
    elsewhere = both.service.store.beside(both.service.store.db_engine.url.render_as_string(False))
    for number in range(6):
        both.move(game)
        if number == 3:
            game = acts.undo(both.service, game.id, "2", "Anna misread the table.")
        for store in (both.service.store, elsewhere):
            with store.reading() as uow:
                game = games.load(uow, game.id)
                assert uow.games.get(game.id, game.version, 0) == game
                assert game == games.replay(uow, game.id)
    elsewhere.close()


@pytest.mark.parametrize("on_timeout", ["wait", "standby"])
def test_tables_hold_what_the_log_says_though_the_clock_was_set_back(
    both: Table, on_timeout: OnTimeout
) -> None:
    """An answer that the clock has in time and the log too late counts as the log has it."""
    game, seat, order = both.start(2, timing=Timing(86400, on_timeout=on_timeout))
    both.clock.forward(days=30)
    both.answer(seat, "say: Sorry, I was away.")
    both.clock.forward(days=-30)
    both.answer(seat, order)
    both.move(both.game(game.id))
    with both.service.store.reading() as uow:
        loaded = games.load(uow, game.id)
        assert loaded == games.replay(uow, game.id)
        assert uow.projections.unsound(loaded) == []


@pytest.mark.parametrize(
    ("people", "words"),
    [
        ([("Anna", "a@example.org"), ("ANNA", "b@example.org")], "look alike"),
        ([(" ", "a@example.org"), ("Bob", "b@example.org")], "printable"),
        ([("x" * 41, "a@example.org"), ("Bob", "b@example.org")], "printable"),
        ([("An\nna", "a@example.org"), ("Bob", "b@example.org")], "begins with a letter"),
        ([("Anna", "nobody"), ("Bob", "b@example.org")], "no mail address"),
        ([("Anna", "a@b.example\nBcc: x@y.z"), ("Bob", "b@example.org")], "no mail address"),
        ([("Anna", "a@example.org"), ("Bob", "A@Example.org")], "seat"),
    ],
    ids=str,
)
def test_people_who_cannot_be_invited(
    table: Table, people: list[tuple[str, str]], words: str
) -> None:
    """Names and addresses are checked before anything is written."""
    with pytest.raises(Refusal, match=words):
        lobby.create_game(
            table.service, [lobby.Person(*person) for person in people], lobby.GamePlan("phyliss")
        )
    assert table.outbox() == []
    assert table.read(lambda uow: uow.players.list()) == []


@pytest.mark.rule("GEN-4")
def test_operator_takes_an_open_place_without_a_phrase(table: Table) -> None:
    people = [lobby.Person("Root", "root@example.org"), lobby.Person("Bob", "bob@example.org")]
    first = lobby.create_game(table.service, people, lobby.GamePlan("phyliss"))
    table.run()
    table.answer(1, "new phyliss open 2 players")
    (game,) = table.read(
        lambda uow: [game.id for game in uow.projections.games() if game.id != first.id]
    )
    root = table.sent_to("root@example.org")[0]
    for text, said in (
        (f"join {game} phrase: mine", f"plain join {game} works"),
        (f"join {game}", "Your hand, "),
    ):
        before = len(table.delivery.mails)
        table.answer(0, text, to=root.reply_to, sender="root@example.org")
        told = [m for m in table.delivery.mails[before:] if m.rcpt_to == "root@example.org"]
        assert any(said in mail.words for mail in told)
    assert table.game(game).status == "running"


@pytest.mark.rule("GEN-4")
def test_operator_is_known_by_the_configured_address(table: Table) -> None:
    """The operator of the server has an empty phrase. Other players may add one."""
    game = lobby.create_game(
        table.service,
        [lobby.Person("Root", "Root@example.org"), lobby.Person("Bob", "bob@example.org")],
        lobby.GamePlan("phyliss"),
    )
    assert game.operator_seats == (0,)
    table.run()
    mail = table.sent_to("root@example.org")[0]
    assert "your phrase stays empty" in mail.words
    raw = raw_mail("root@example.org", mail.reply_to, "join phrase: mine", message_id="<o@x>")
    table.deliver(raw, mail.reply_to)
    assert table.game(game.id).seats[0].status == "invited"
    answer = table.sent_to("root@example.org")[-1]
    assert "GEN-4" in answer.words
    assert "You run this server, so you cannot add a phrase" in answer.words
    assert "plain join works" in answer.words
    assert 'This would be allowed: "join".' in answer.words
    table.receive(
        raw_mail("root@example.org", mail.reply_to, "join", message_id="<o2@x>"), mail.reply_to
    )
    table.run()
    assert table.game(game.id).seats[0].status == "joined"


@pytest.mark.rule("GEN-4")
def test_every_game_draws_a_secret_of_its_own(table: Table) -> None:
    """32 bytes, never used twice, never in a repr."""
    people = [lobby.Person("Anna", "a@example.org"), lobby.Person("Bob", "b@example.org")]
    drawn = {
        lobby.create_game(table.service, people, lobby.GamePlan("phyliss")).server_secret
        for _ in range(10)
    }
    assert len(drawn) == 10
    assert {len(bytes.fromhex(secret)) for secret in drawn} == {32}


@freeze_time("2026-03-29 00:59:59.5")
def test_system_clock_is_utc() -> None:
    """Aware, in UTC, whatever the machine's zone does that night."""
    assert SystemClock().now() == datetime(2026, 3, 29, 0, 59, 59, 500_000, tzinfo=UTC)
    assert SystemClock().now().tzinfo is UTC


@pytest.mark.parametrize("name", ["http://evil.example", "a@b.example", "<b>Eve</b>", "B\u043eb"])
def test_every_way_to_type_a_name_holds_the_one_rule(table: Table, name: str) -> None:
    """A game, a player, a successor: refused in English and German, with a name that would do."""
    eve = lobby.Person(name, "eve@example.org")
    game = table.started(2)
    ways: list[Callable[[], object]] = [
        lambda: lobby.create_game(
            table.service,
            [lobby.Person("Anna", "anna@example.org"), eve],
            lobby.GamePlan("phyliss"),
        ),
        lambda: lobby.add_player(table.service, eve),
        lambda: acts.replace(table.service, game.id, "Bob", eve, "he is away"),
    ]
    for way in ways:
        with pytest.raises(Refusal, match="for example") as refused:
            way()
        assert "zum Beispiel" in translate(refused.value.message, "de")
    assert table.player(eve.address) is None


@pytest.mark.rule("GEN-4")
@pytest.mark.parametrize(
    ("admin", "address"),
    [
        ("root@example.org", "root+cards@example.org"),
        ("root+alerts@example.org", "ROOT@Example.org"),
        ("r.oot@gmail.com", "ro.ot+x@googlemail.com"),
    ],
)
def test_operator_is_known_by_any_address_of_their_mailbox(
    table: Table, admin: str, address: str
) -> None:
    """A tag, capitals or the dots of Gmail do not make another person."""
    service = configured(table.service, admins=(admin,))
    people = [lobby.Person("Root", address), lobby.Person("Bob", "bob@example.org")]
    assert lobby.create_game(service, people, lobby.GamePlan("phyliss")).operator_seats == (0,)


def _read_invitation(table: Table, name: str) -> str:
    people = [
        lobby.Person("Bob", "bob@example.org"),
        lobby.Person(name, f"{name.lower()}@example.org"),
    ]
    lobby.create_game(table.service, people, lobby.GamePlan("phyliss"))
    table.run()
    return table.sent_to(f"{name.lower()}@example.org")[-1].words


def test_deals_that_the_server_ended_are_told_to_the_people_invited_next(table: Table) -> None:
    """An admin stopped one game after its deal and declined another as a player."""
    assert "this server ended" not in _read_invitation(table, "Carol")
    acts.stop(table.service, table.started(2, seed=1).id, "I did not like it.")
    assert "this server ended 1 game before its first move" in _read_invitation(table, "Dora")
    people = [lobby.Person("Root", "root@example.org"), lobby.Person("Bob", "bob@example.org")]
    lobby.create_game(table.service, people, lobby.GamePlan("phyliss"))
    table.run()
    root = table.sent_to("root@example.org")[-1]
    table.answer(0, "decline", to=root.reply_to, sender="root@example.org")
    assert "this server ended 2 games before their first move" in _read_invitation(table, "Emil")
    table.clock.forward(days=31)
    assert "this server ended" not in _read_invitation(table, "Fred")
