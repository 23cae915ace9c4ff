"""Test a league by mail, from `new league` to the final cross table."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from engine.api import JsonValue
from pbem.domain.league.league import BYE, points
from pbem.domain.log.chain import event_hash
from pbem.domain.log.motion_events import MotionEnded
from pbem.errors import LogError, Refusal
from pbem.service.clock import downtime
from pbem.service.core import live_database
from pbem.service.league import changing, orders, verify
from pbem.service.people import data_export as people
from pbem.service.people import erasure
from tests.service.conftest import Table
from tests.service.league.club import Club, address, named

DAY = timedelta(days=1)
WINTER = "new league phyliss, {}, 1d per move, called winter"


def begun(table: Table, players: int, how: str = "3 rounds, tables of 4", silent: int = 0) -> Club:
    names = [*named(players)]
    club = Club(table, names, names[players - silent :])
    club.write(names[0], WINTER.format(how))
    for name in names[1:]:
        club.write(name, "join league winter")
    club.write(names[0], "start league winter")
    return club


def played(club: Club, plies: int = 2) -> None:
    """Play some plies at the liveliest table of a round, and let its time pass."""
    club.get_ready()
    club.table.wait(days=1, minutes=1)
    club.play_on(min(club.running(), key=club.count_silent), plies)
    club.table.wait(days=14)
    club.table.run()


def test_eight_over_three_rounds_one_silent_one_late_one_leaving(table: Table) -> None:
    club = begun(table, 8, silent=1)
    names = club.names
    first = club.last(names[1], "winter, round 1: your table")
    assert "The league winter, round 1 of 3" in first.words
    assert "the cards are dealt anyway" in first.words
    late = Club(table, ["Idaberg"])
    club.ids |= late.ids
    late.write("Idaberg", "join league winter")
    played(club, 400)
    after = club.last(names[1], "winter: how it stands after round 1")
    assert "Round 2 is drawn" in after.words
    assert "1.00" in after.text
    club.write(names[2], "leave league winter")
    played(club)
    played(club)
    league = club.league("winter")
    assert (league.status, len(league.rounds)) == ("finished", 3)
    gone = next(one for one, name in club.ids.items() if name == names[2])
    newcomer = next(one for one, name in club.ids.items() if name == "Idaberg")
    assert league.rounds[2].table_of(gone) is None
    assert points(league, newcomer) >= BYE
    winner = club.ids[league.ranking[0]]
    assert club.last(names[3], f"{winner} won the league winter")
    with table.service.store.reading() as uow:
        report = verify.verify_league(uow, league.id)
        assert verify.verify_file(verify.export(uow, league.id)).league == league
    assert any("the winner follows" in check for check in report.checks)
    assert table.check() == []


def test_a_game_that_runs_when_its_round_ends_is_ranked_as_it_stands(table: Table) -> None:
    club = begun(table, 4, "1 round, tables of 4", silent=4)
    (game,) = club.running()
    table.wait(days=1, minutes=1)
    assert table.game(game.id).status == "running"
    table.wait(days=13)
    over = table.game(game.id)
    assert over.finished is not None
    last = table.events(over, MotionEnded)
    assert [(event.motion, event.why) for event in last] in ([("end", "league")], [])
    assert club.league("winter").status == "finished"


def test_bots_fill_the_tables_only_where_the_league_says_so(table: Table) -> None:
    club = begun(table, 5, "1 round, tables of 4, bots fill the tables")
    seats = [seat.player for game in club.running() for seat in game.seats]
    assert (len(seats), sum(one.startswith("bot:") for one in seats)) == (8, 3)


def test_an_admin_stops_a_league_and_everybody_reads_why(table: Table) -> None:
    club = begun(table, 4)
    with pytest.raises(Refusal, match="needs a reason"):
        orders.stop(table.service, "winter", " ")
    orders.stop(table.service, "winter", "Too many are away.")
    table.run()
    assert "Too many are away." in club.last(club.names[1], "the league is over").words
    assert club.running() == []
    assert "This league is over" in club.write(club.names[2], "join league winter").words


def test_an_outage_moves_the_end_of_a_round_and_the_deal(table: Table) -> None:
    """Move only what was still ahead, by the whole outage, once."""
    club = begun(table, 2, "1 round, tables of 2")
    before = club.league("winter").rounds[0]
    downtime.beat(table.service)
    table.clock.forward(hours=30)
    for _ in range(2):
        downtime.beat(table.service)
        table.run()
    moved = club.league("winter").rounds[0]
    assert (moved.deals_at, moved.ends_at) == (
        before.deals_at + timedelta(hours=30),
        before.ends_at + timedelta(hours=30),
    )
    assert table.game(moved.tables[0].game).status == "inviting"
    run_until(table, before.ends_at + timedelta(hours=6))
    assert table.game(moved.tables[0].game).status == "running"
    table.clock.forward(days=3)
    downtime.beat(table.service)
    table.run()
    again = club.league("winter").rounds[0]
    assert (again.deals_at, again.ends_at) == (moved.deals_at, moved.ends_at + 3 * DAY)
    run_until(table, again.ends_at)
    league = club.league("winter")
    assert league.status == "finished"
    with table.service.store.reading() as uow:
        verify.verify_league(uow, league.id)
        assert verify.verify_file(verify.export(uow, league.id)).league == league


def run_until(table: Table, until: datetime) -> None:
    """Let the service run up to an instant."""
    table.clock.forward(seconds=(until - table.clock.now()).total_seconds() + 60)
    table.write(lambda uow: uow.outages.beat(live_database.SERVE, table.clock.now(), 999 * DAY))
    table.run()
    table.run()


def test_what_cannot_be_is_refused_with_what_can(table: Table) -> None:
    club = begun(table, 2, "1 round, tables of 2")
    write, (one, other) = club.write, club.names
    assert "There is no league summer" in write(one, "join league summer").words
    assert "You take part in this league already" in write(other, "join league winter").words
    assert "has begun" in write(one, "start league winter").words
    assert "There is a league winter already" in write(one, WINTER.format("2 rounds")).words
    assert "Nobody is invited" in write(one, "new league phyliss with bob@example.org").words
    declined = write(other, "decline", to=club.last(other, "your table").reply_to)
    assert "leave league" in declined.words


def test_who_is_forgotten_leaves_and_is_named_nowhere(table: Table) -> None:
    club = begun(table, 3, "3 rounds, tables of 2")
    played(club)
    club.write(club.names[1], "leave league winter")
    played(club)
    gone = club.names[1]
    who = next(one for one, name in club.ids.items() if name == gone)
    assert who in {one.player for one in club.league("winter").entries}
    assert people.collect(table.service, gone)["leagues"] == ["winter"]
    erasure.forget(table.service, gone, "They asked for it.")
    with table.service.store.reading() as uow:
        texts = [str(row.params) for row in uow.outbox.list(limit=1000)]
        assert not any(gone in text for text in texts)
    assert gone not in club.write(club.names[0], "league winter").text
    assert table.check() == []


def test_a_changed_log_or_another_draw_does_not_verify(table: Table) -> None:
    league = begun(table, 4, "1 round, tables of 2").league("winter")
    with table.service.store.reading() as uow:
        data = verify.export(uow, league.id)
        events = uow.events.read(league.id)
    assert verify.verify_file(data).league.version == league.version
    with pytest.raises(LogError, match="cut off"):
        verify.verify_file(data[:-1])
    with pytest.raises(LogError):
        verify.verify_file(data.replace(b'"winter"', b'"summer"'))
    drawn = events[-1]
    swapped = replace(drawn, public={**drawn.public, "tables": drawn.public["tables"][::-1]})
    with pytest.raises(LogError, match="not the tables"):
        verify._verify([*events[:-1], replace(swapped, hash=event_hash(swapped))])


@pytest.mark.parametrize(
    "forged",
    [{"table_size": 0}, {"rounds": 10**9}, {"fewest": 0}, {"name": "\x1b[2Jwinter"}],
)
def test_a_league_that_cannot_be_is_refused_before_anything_is_computed(
    table: Table, forged: dict[str, JsonValue]
) -> None:
    club = begun(table, 3, "1 round, tables of 2")
    first, *_ = table.read(lambda uow: uow.events.read(club.league("winter").id))
    changed = replace(first, public={**first.public, **forged})
    with pytest.raises(LogError, match="cannot be"):
        verify._verify([replace(changed, hash=event_hash(changed))])


def test_who_takes_no_part_reads_no_names(table: Table) -> None:
    club = begun(table, 2, "1 round, tables of 2")
    said = Club(table, ["Idaberg"]).write("Idaberg", "league winter")
    assert "Round 1 of 1" in said.words
    assert not any(name in said.text for name in club.names)


OPEN = "A league of Phyliss: will you join?"


def list_asked(table: Table) -> list[str]:
    """Return who got the mail about the league, in the order of sending."""
    mails = [mail for mail in table.delivery.mails if mail.message["Subject"].startswith(OPEN)]
    return [mail.rcpt_to.partition("@")[0] for mail in mails]


def create_league(table: Table, *names: str) -> Club:
    """Let players get to know each other at a table, and the first of them create a league."""
    table.started(len(names))
    club = Club(table, names)
    club.write(names[0], WINTER.format("3 rounds, tables of 2"), to="game@play.example.org")
    return club


@pytest.mark.usefixtures("trio")
def test_its_creator_can_announce_a_league_to_those_they_know(table: Table) -> None:
    """Bob and Carol sat at a table with Anna; Dora did not. Carol wants no invitations."""
    club = Club(table, ["Anna", "Bob", "Carol", "Dora"])
    club.write("Carol", "invitations off")
    club.write("Anna", WINTER.format("3 rounds, tables of 2"), to="game@play.example.org")
    assert '"announce league winter"' in club.mails("Anna")[-1].words
    answer = club.write("Anna", "announce league winter")
    assert "1 player you have played with is asked about winter" in answer.words
    assert list_asked(table) == ["bob"]
    mail = club.mails("Bob")[-1]
    assert "Anna begins a league of Phyliss and asks you to join." in mail.words
    assert "All rounds together take 42 days at most." in mail.words
    assert "Send “join league winter”" in mail.html
    assert "You take part" in club.write("Bob", "join league winter", to=mail.reply_to).words


@pytest.mark.parametrize("text", ["yes", "Sure!", "Ja", "I'm in"])
def test_a_plain_yes_to_an_announcement_joins(table: Table, text: str) -> None:
    club = create_league(table, "Anna", "Bob")
    club.write("Anna", "announce league winter")
    mail = club.mails("Bob")[-1]
    answered = str(mail.message["Message-ID"])
    table.send("bob@example.org", mail.reply_to, text, In_Reply_To=answered)
    assert "You take part in the league winter" in table.last_to(1).words


def test_a_german_announcement_has_buttons_too(table: Table) -> None:
    club = create_league(table, "Anna", "Bob")
    club.write("Bob", "sprache de")
    club.write("Anna", "announce league winter")
    html = club.mails("Bob")[-1].html
    for order in ("liga beitreten winter", "einladungen aus"):
        assert f"„{order}“ senden" in html


def test_everyone_is_asked_once(table: Table) -> None:
    club = create_league(table, "Anna", "Bob", "Carol")
    club.write("Bob", "join league winter", to="game@play.example.org")
    club.write("Anna", "announce league winter")
    assert "There is nobody to ask" in club.write("Anna", "announce league winter").words
    assert list_asked(table) == ["carol"]


def test_only_its_creator_announces_a_league(table: Table) -> None:
    club = create_league(table, "Anna", "Bob", "Carol")
    answer = club.write("Bob", "announce league winter", to="game@play.example.org")
    assert "Only the player who made a league can announce it." in answer.words
    assert list_asked(table) == []


def test_an_admin_asks_everyone_in_their_language(table: Table) -> None:
    club = Club(table, [*named(3)])
    first, *_ = club.names
    club.write(first, WINTER.format("3 rounds, tables of 2"))
    club.write(club.names[1], "language de")
    with table.service.store.unit_of_work() as uow:
        count = orders.invite(table.service, uow, changing.find(uow, "winter"), [*club.ids])
    table.run()
    assert count == 2
    mail = club.last(club.names[1], "Eine Liga in Phyliss: Machst du mit?")
    assert "liga beitreten winter" in mail.words
    assert "einladungen aus" in mail.words


def test_the_cross_table_names_opponents(table: Table) -> None:
    club = begun(table, 4, "2 rounds, tables of 2")
    played(club)
    mail = club.last(club.names[0], "winter: how it stands after round 1")
    league = club.league("winter")
    met = next(
        club.ids[other]
        for drawn in league.rounds[:1]
        for seating in drawn.tables
        for other in seating.players
        if club.names[0] in [club.ids[player] for player in seating.players]
        and club.ids[other] != club.names[0]
    )
    assert f"Opponents by round: {met}" in mail.words


def test_its_starter_switches_the_weekly_letter_on_for_its_tables(table: Table) -> None:
    """Games of a league have no creator who could do it."""
    club = begun(table, 4, "2 rounds, tables of 2")
    club.get_ready()
    club.write(club.names[0], "weekly all", to=club.last(club.names[0], "winter").reply_to)
    club.table.wait(days=7)
    letters = [
        mail.rcpt_to
        for mail in table.delivery.mails
        if mail.message["Subject"] == "Your week at the card tables"
    ]
    assert sorted({*letters}) == sorted(address(name) for name in club.names)
