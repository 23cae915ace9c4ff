"""Two players who are one person: games, addresses, settings and standings become one; logs stay valid."""

from __future__ import annotations

from pathlib import Path
from subprocess import run
from sys import executable

import pytest

from pbem.domain.person_events import PlayerMerged
from pbem.errors import Refusal
from pbem.service import merging, people
from pbem.service.exports import export_lines
from pbem.service.lobby import Person, add_player
from pbem.service.verify import verify_game
from pbem.store.players import Player
from tests.service.conftest import Sent, Table

WORK = "anni@work.example"


def player_at(table: Table, address: str) -> Player:
    with table.service.store.reading() as uow:
        found = uow.players.by_address(address)
    assert found is not None
    return found


def addresses(table: Table, player: Player) -> list[str]:
    with table.service.store.reading() as uow:
        return uow.players.addresses(player.id)


def last_at(table: Table, address: str) -> Sent:
    return next(mail for mail in reversed(table.delivery.mails) if mail.rcpt_to == address)


def registered(table: Table) -> tuple[Player, Player]:
    """Anni at work, and Anna at home, who is seat 0 of a game with Bob that has begun."""
    was = add_player(table.service, Person("Anni", WORK))
    return was, player_at(table, "anna@example.org")


def test_the_seat_goes_on_under_the_other_id(both: Table) -> None:
    """Anna's game becomes Anni's; her old reply address still plays, from both addresses."""
    game = both.started(2)
    turn = both.last_to(0).reply_to
    anni, anna = registered(both)
    done = merging.merge(both.service, "Anna", WORK)
    both.run()
    assert (done.player.id, done.games) == (anni.id, (game.id,))
    assert addresses(both, anni) == [WORK, "anna@example.org"]
    assert both.game(game.id).seats[0].player == anni.id
    assert both.log(game)[-1].event == PlayerMerged(anna.id, anni.id)
    assert player_at(both, "anna@example.org").id == anni.id
    for address in (WORK, "anna@example.org"):
        assert "From now on you are one player, Anni" in last_at(both, address).words
    both.answer(0, "pause", to=turn)
    assert both.game(game.id).votes["pause"] == {0: True}
    both.answer(0, "no pause", to=turn, sender=WORK)
    assert both.game(game.id).votes["pause"] == {0: False}
    assert "were registered here twice, and are one player now" in last_at(both, WORK).words
    both.answer(1, "board")
    assert "is called Anni from now on. It is the same person" in both.last_to(1).words
    with both.service.store.unit_of_work() as uow:
        verify_game(uow, game.id)
        rows = uow.projections.seats(game.id)
        uow.projections.rebuild()
        assert uow.projections.seats(game.id) == rows
        assert rows[0].player_id == anni.id


def test_not_where_both_sit(table: Table) -> None:
    game = table.started(2)
    with pytest.raises(Refusal, match=f"Both have a seat in game {game.id}"):
        merging.merge(table.service, "Anna", "Bob")
    with pytest.raises(Refusal, match="one player already"):
        merging.merge(table.service, "anna@example.org", "Anna")
    assert "PlayerMerged" not in [type(item.event).__name__ for item in table.log(game)]


def test_settings_come_along(table: Table) -> None:
    """What only the other one had set is taken over; what stays was set here."""
    table.started(2)
    table.answer(0, "timezone Asia/Tokyo\nreminders 6h\ndigest 8\ntalk folded\nhtml off")
    registered(table)
    table.answer(0, "timezone Europe/Paris", to=table.service.own_address, sender=WORK)
    merging.merge(table.service, "Anna", "Anni")
    one = player_at(table, WORK)
    assert (one.zone, one.reminders, one.digest_hour, one.talk, one.wants_html) == (
        "Europe/Paris",
        (360,),
        8,
        "folded",
        False,
    )
    assert one.digest_at is not None


def test_finished_games_and_standings(table: Table, tmp_path: Path) -> None:
    """A game that is over is rated for the one who stays; its log still verifies, and ends as it did."""
    game = table.started(2)
    table.answer(0, "say good luck")
    table.answer(1, "resign confirm")
    assert table.game(game.id).is_over
    anni, anna = registered(table)
    with table.service.store.reading() as uow:
        before = {one.ruleset: one.rating for one in uow.standings.rated([anna.id], None)}
    merging.merge(table.service, "Anna", "Anni")
    with table.service.store.unit_of_work() as uow:
        after = uow.standings.rated([anni.id], None)
        assert {one.ruleset: one.rating for one in after} == before
        assert not uow.standings.rated([anna.id], None)
        uow.projections.rebuild()
        assert uow.standings.rated([anni.id], None) == after
        assert verify_game(uow, game.id).complete
        file = tmp_path / "game.jsonl"
        file.write_bytes(b"".join(line + b"\n" for line in export_lines(uow, game.id)))
    assert run([executable, "-I", "docs/verify.py", file], check=False).returncode == 0
    found = people.collect(table.service, "Anni")
    assert (found["player"], found["former_ids"]) == (anni.id, [anna.id])
    assert [entry["game"] for entry in found["games"]] == [game.id]  # type: ignore[index, union-attr, call-overload]
    assert found["games"][0]["said"][0]["talk"] == "good luck"  # type: ignore[index, call-overload]


def test_a_game_against_oneself_counts_for_nobody(table: Table) -> None:
    game = table.started(2)
    table.answer(1, "resign confirm")
    bob, anna = player_at(table, "bob@example.org"), player_at(table, "anna@example.org")
    merging.merge(table.service, "Bob", "Anna")
    with table.service.store.unit_of_work() as uow:
        assert not uow.standings.rated([anna.id, bob.id], None)
        uow.projections.rebuild()
        assert not uow.standings.rated([anna.id, bob.id], None)
        verify_game(uow, game.id)


def test_old_ids_keep_their_meaning(table: Table) -> None:
    """Of three in a row each id means the last one; the mail of a person answers as before."""
    table.started(2)
    registered(table)
    table.answer(0, "settings", to=table.service.own_address)
    own = table.last_to(0).reply_to
    anna = player_at(table, "anna@example.org")
    merging.merge(table.service, "Anna", "Anni")
    add_player(table.service, Person("Ann", "ann@example.org"))
    merging.merge(table.service, "Anni", "Ann")
    with table.service.store.reading() as uow:
        last = uow.players.get(anna.id)
        assert last is not None
        assert (last.name, len(uow.players.ids_of(last.id))) == ("Ann", 3)
    table.answer(0, "timezone Asia/Tokyo", to=own, sender=WORK)
    assert player_at(table, WORK).zone == "Asia/Tokyo"


def test_reply_addresses_that_were_void_stay_void(table: Table) -> None:
    """Where the two counted them differently, what is to be answered is mailed anew."""
    from pbem.service import mail_acts  # noqa: PLC0415

    game = table.started(2)
    seat = int(table.game(game.id).to_act[0])
    name = ("Anna", "Bob")[seat]
    turn = table.last_to(seat).reply_to
    add_player(table.service, Person("Anni", WORK))
    mail_acts.rotate(table.service, WORK)
    merging.merge(table.service, name, "Anni")
    table.run()
    again = [mail for mail in table.delivery.mails if mail.rcpt_to == WORK]
    assert any("come once more" in mail.words for mail in again)
    table.answer(0, "pause", to=turn, sender=WORK)
    assert "pause" not in table.game(game.id).votes
    fresh = next(mail.reply_to for mail in again if "+s-" in mail.reply_to)
    table.answer(0, "pause", to=fresh, sender=WORK)
    assert table.game(game.id).votes["pause"] == {seat: True}


def test_by_mail_the_other_address_is_asked(table: Table) -> None:
    """Who asks learns nothing of the other one; only a yes from there makes them one."""
    game = table.started(2)
    registered(table)
    table.answer(0, f"merge with {WORK}")
    assert "if you play from there already, both become one player" in table.last_to(0).words
    question = last_at(table, WORK)
    assert "as Anna, and as Anni with this address" in question.words
    table.answer(0, "yes", to=question.reply_to)
    assert player_at(table, WORK).name == "Anni"
    table.answer(0, "yes", to=question.reply_to, sender=WORK)
    anna = player_at(table, "anna@example.org")
    assert player_at(table, WORK) == anna
    assert table.game(game.id).seats[0].player == anna.id
    assert last_at(table, "anna@example.org").message["Subject"] == "You are one player here now"
    table.answer(0, "yes", to=question.reply_to, sender=WORK)
    assert addresses(table, anna) == ["anna@example.org", WORK]


def test_by_mail_in_german(table: Table) -> None:
    """The words of a German mail; the question is in the language of who asks."""
    table.started(2)
    registered(table)
    table.answer(0, "language de")
    table.answer(0, f"zusammenlegen mit {WORK}")
    question = last_at(table, WORK)
    assert "ihr seid ein und derselbe Mensch" in question.words
    table.answer(0, "ja", to=question.reply_to, sender=WORK)
    assert "bist du ein Spieler, Anna" in table.last_to(0).words


def test_by_mail_not_where_both_sit(table: Table) -> None:
    game = table.started(2)
    table.answer(0, "merge with bob@example.org")
    table.answer(1, "yes")
    assert f"Both have a seat in game {game.id}" in table.last_to(0).words
    assert addresses(table, player_at(table, "anna@example.org")) == ["anna@example.org"]


def test_what_was_set_aside_goes_on(table: Table) -> None:
    """A mail for Anna's seat that came from Anni's address is carried out once both are one."""
    game = table.started(2)
    registered(table)
    table.answer(0, "pause", sender=WORK)
    assert "pause" not in table.game(game.id).votes
    merging.merge(table.service, "Anni", "Anna")
    table.run()
    assert table.game(game.id).votes["pause"] == {0: True}


def test_a_bare_mail_changes_no_address(table: Table) -> None:
    """From alone proves nothing: whose it is, is asked before an address is added."""
    table.started(2)
    table.answer(0, "address add mallory@example.net", to=table.service.own_address)
    assert not [mail for mail in table.delivery.mails if mail.rcpt_to == "mallory@example.net"]
    table.answer(0, "yes")
    assert [mail for mail in table.delivery.mails if mail.rcpt_to == "mallory@example.net"]


def test_forgotten_whole(table: Table) -> None:
    """Forgetting somebody erases what they said under every id that they had."""
    from pbem.service.forgetting import forget  # noqa: PLC0415

    game = table.started(2)
    table.answer(0, "say my secret words")
    table.answer(1, "resign confirm")
    registered(table)
    merging.merge(table.service, "Anna", "Anni")
    table.run()
    done = forget(table.service, "Anni", "They asked for it.")
    assert done.texts == 1
    assert done.games == (game.id,)
    with table.service.store.reading() as uow:
        assert "my secret words" not in repr(uow.events.read(game.id))
        assert not uow.players.merged
