"""A league by mail: from `new league` to the cross table with a winner."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from engine.api import JsonValue
from pbem.domain.league import decide
from pbem.domain.league.league import BYE, UNIT, points
from pbem.domain.log.chain import event_hash
from pbem.domain.log.motion_events import MotionEnded
from pbem.errors import LogError, Refusal, VersionConflictError
from pbem.service.admin import acts
from pbem.service.clock import downtime
from pbem.service.clock.fire_due import next_alarm
from pbem.service.core import served
from pbem.service.league import changing, orders, rounds, verify
from pbem.service.lobby import never_invite
from pbem.service.people import forgetting
from pbem.service.people import stored as people
from pbem.service.upkeep import doctor, maintenance
from pbem.service.upkeep.health import Look
from tests.databases import PostgresServer
from tests.service.conftest import Table, make_table, raw_mail
from tests.service.league.club import Club, address, named
from tests.service.logbook.test_tampering import without_guards

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
    """Play so much at the liveliest table of a round, and let its time pass."""
    club.get_ready()
    club.table.clock.forward(days=1, minutes=1)
    club.table.run()
    club.play_on(min(club.running(), key=club.count_silent), plies)
    club.table.clock.forward(days=14)
    club.table.run()
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
    assert maintenance.check(table.service, lambda _: None) == []


def test_a_game_that_runs_when_its_round_ends_is_ranked_as_it_stands(table: Table) -> None:
    club = begun(table, 4, "1 round, tables of 4", silent=4)
    (game,) = club.running()
    table.clock.forward(days=1, minutes=1)
    table.run()
    assert table.game(game.id).status == "running"
    table.clock.forward(days=13)
    table.run()
    over = table.game(game.id)
    assert over.finished is not None
    last = [item.event for item in table.log(over) if isinstance(item.event, MotionEnded)]
    assert [(event.motion, event.why) for event in last] in ([("end", "league")], [])
    assert club.league("winter").status == "finished"


def test_choices_that_are_not_made_do_not_hold_up_a_round(table: Table) -> None:
    club = Club(table, [*named(2)])
    club.write(
        club.names[0],
        "new league cathedral, 1 round, tables of 2, 60d per move, 40d per round, called winter",
    )
    club.write(club.names[1], "join league winter")
    club.write(club.names[0], "start league winter")
    table.clock.forward(days=2)
    table.run()
    (game,) = club.running()
    assert game.is_choosing
    table.clock.forward(days=39)
    table.run()
    table.run()
    told = club.last(club.names[0], game.id)
    assert "The round of the league is over" in told.words
    league = club.league("winter")
    assert league.status == "finished"
    assert {points(league, one) for one in league.ranking} == {UNIT // 2}
    with table.service.store.reading() as uow:
        verify.verify_league(uow, league.id)


def test_who_has_no_table_is_told_and_gets_half_a_point(both: Table) -> None:
    club = begun(both, 3, "2 rounds, tables of 2")
    (idle,) = club.league("winter").rounds[0].byes
    said = club.last(club.ids[idle], "The league winter")
    assert "you get half a point" in said.words
    assert points(club.league("winter"), idle) == BYE


def test_bots_fill_the_tables_only_where_the_league_says_so(table: Table) -> None:
    club = begun(table, 5, "1 round, tables of 4, bots fill the tables")
    seats = [seat.player for game in club.running() for seat in game.seats]
    assert (len(seats), sum(one.startswith("bot:") for one in seats)) == (8, 3)


def test_the_first_round_is_drawn_when_sign_up_ends_and_the_alarm_knows(table: Table) -> None:
    club = Club(table, [*named(2)])
    club.write(club.names[0], WINTER.format("1 round, tables of 2, sign-up 3d"))
    club.write(club.names[1], "join league")
    assert next_alarm(table.service) == club.league("winter").terms.joins_until
    table.clock.forward(days=3, seconds=1)
    table.run()
    assert club.league("winter").status == "running"
    assert "winter, round 1" in club.mails(club.names[1])[-1].message["Subject"]


def test_a_game_that_ends_while_its_league_is_looked_at_counts_at_once(
    server: PostgresServer,
) -> None:
    with server.store() as store:
        table = make_table(store)
        club = begun(table, 2, "1 round, tables of 2")
        (game,) = club.running()
        table.clock.forward(days=1, minutes=1)
        table.run()
        league = club.league("winter")
        with store.unit_of_work() as uow:
            uow.leagues.put_off(league.id, table.clock.now())
        end = threading.Thread(target=acts.stop, args=(table.service, game.id, "Enough."))
        with store.unit_of_work() as uow:
            assert not rounds._step(table.service, uow, league.id)
            end.start()
            end.join(1)
        end.join()
        table.run()
        assert club.league("winter").status == "finished"


def test_a_league_without_players_ends_by_itself(table: Table) -> None:
    club = Club(table, [*named(1)])
    club.write(club.names[0], WINTER.format("1 round, tables of 2"))
    table.clock.forward(days=8)
    table.run()
    assert club.league("winter").status == "stopped"
    assert "Too few players" in club.mails(club.names[0])[-1].words


def test_an_admin_stops_a_league_and_everybody_reads_why(table: Table) -> None:
    club = begun(table, 4)
    with pytest.raises(Refusal, match="needs a reason"):
        orders.stop(table.service, "winter", " ")
    orders.stop(table.service, "winter", "Too many are away.")
    table.run()
    assert "Too many are away." in club.last(club.names[1], "the league is over").words
    assert club.running() == []
    assert "This league is over" in club.write(club.names[2], "join league winter").words


def test_a_damaged_game_holds_up_neither_the_others_nor_the_end_of_a_league(table: Table) -> None:
    club = begun(table, 4, "2 rounds, tables of 2", silent=4)
    damaged, other = (one.game for one in club.league("winter").rounds[0].tables)
    connection = without_guards(table)
    connection.execute("UPDATE event SET hash = upper(hash) WHERE game_id = ?", (damaged,))
    connection.commit()
    connection.close()
    table.clock.forward(days=1, minutes=1)
    table.run()
    assert table.game(other).status == "running"
    table.clock.forward(days=14)
    table.run()
    assert table.game(other).is_over
    league = club.league("winter")
    assert [one.ranking is None for one in league.rounds[0].tables] == [True, False]
    with table.service.store.reading() as uow:
        assert (uow.leagues.next_due() or table.clock.now()) > table.clock.now()
        (finding,) = doctor._leagues(Look(table.service, uow))
    assert f"pbem league score winter {damaged}" in finding.remedy
    with pytest.raises(Refusal, match="waits for no such game"):
        orders.score(table.service, "winter", other)
    orders.score(table.service, "winter", damaged)
    table.run()
    league = club.league("winter")
    assert len(league.rounds) == 2
    assert {points(league, one) for one in league.rounds[0].tables[0].players} == {UNIT // 2}
    with table.service.store.reading() as uow:
        assert list(doctor._leagues(Look(table.service, uow))) == []
        with pytest.raises(LogError):
            verify.verify_league(uow, league.id)
    orders.stop(table.service, "winter", "A log is damaged.")
    assert club.league("winter").status == "stopped"


def test_an_outage_moves_the_end_of_a_round_and_the_deal(table: Table) -> None:
    """As it moves deadlines: by its whole length, once, and only for what was still ahead."""
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
    was_alive(table, before.ends_at + timedelta(hours=6))
    assert table.game(moved.tables[0].game).status == "running"
    table.clock.forward(days=3)
    downtime.beat(table.service)
    table.run()
    again = club.league("winter").rounds[0]
    assert (again.deals_at, again.ends_at) == (moved.deals_at, moved.ends_at + 3 * DAY)
    was_alive(table, again.ends_at)
    league = club.league("winter")
    assert league.status == "finished"
    with table.service.store.reading() as uow:
        verify.verify_league(uow, league.id)
        assert verify.verify_file(verify.export(uow, league.id)).league == league


def was_alive(table: Table, until: datetime) -> None:
    """Let the service run up to an instant."""
    table.clock.forward(seconds=(until - table.clock.now()).total_seconds() + 60)
    with table.service.store.unit_of_work() as uow:
        uow.outages.beat(served.SERVE, table.clock.now(), 999 * DAY)
    table.run()
    table.run()


def test_a_draw_counts_only_for_the_league_that_it_follows_from(table: Table) -> None:
    """It is found before the unit that writes; whoever joins meanwhile is in the next one."""
    club = Club(table, [*named(3)])
    club.write(club.names[0], WINTER.format("1 round, tables of 3, sign-up 3d"))
    club.write(club.names[1], "join league")
    table.clock.forward(days=3, seconds=1)
    league = club.league("winter")
    ready = rounds._drawn_apart(table.service, league.id)
    assert ready is not None
    assert ready[0] == league.head
    late = next(one for one, name in club.ids.items() if name == club.names[2])
    with (
        table.service.store.unit_of_work() as uow,
        changing.changing(table.service, uow, league.id, actor="system", cause=None) as decision,
    ):
        decide.join(decision, late)
    with (
        pytest.raises(VersionConflictError),
        table.service.store.unit_of_work() as uow,
    ):
        rounds._step(table.service, uow, league.id, ready)
    table.run()
    assert late in club.league("winter").rounds[0].tables[0].players


@pytest.mark.parametrize("how", ["stop", "link"])
def test_who_wants_no_mails_leaves_although_their_table_is_not_dealt(
    table: Table, how: str
) -> None:
    club = begun(table, 4, "2 rounds, tables of 2")
    gone = club.names[1]
    if how == "stop":
        said = club.write(gone, "unsubscribe")
    else:
        club.write(gone, "settings", to="game@play.example.org")
        club.write(gone, "games")
        to = next(m.reply_to for m in reversed(club.mails(gone)) if "+p-" in m.reply_to)
        raw = raw_mail(address(gone), to, "", message_id="<stop@x.org>", subject="unsubscribe")
        table.receive(raw, to, mail_from=address(gone))
        table.run()
        if "+q-" in club.mails(gone)[-1].reply_to or "yes" in club.mails(gone)[-1].words:
            club._send(gone, "yes", club.mails(gone)[-1].reply_to)
        said = club.mails(gone)[-1]
    league = club.league("winter")
    who = next(one for one, name in club.ids.items() if name == gone)
    assert "You left the league winter" in said.words
    assert "goes on without you" in said.words
    with table.service.store.reading() as uow:  # nobody was invited here: friends can invite them
        assert not never_invite.is_listed(table.service, uow, address(gone))
    assert who not in league.playing
    table.clock.forward(days=1, minutes=1)
    table.run()
    seated = league.rounds[0].table_of(who)
    assert seated is not None
    assert table.game(seated.game).status == "running"


def test_a_rematch_is_a_game_outside_the_league(table: Table) -> None:
    club = begun(table, 2, "2 rounds, tables of 2")
    (game,) = club.running()
    club.get_ready()
    acts.stop(table.service, game.id, "Enough.")
    table.run()
    said = club.write(club.names[0], "rematch", to=club.last(club.names[0], game.id).reply_to)
    assert "outside the league" in said.words
    again = next(one for one in club.running() if not one.league)
    club.write(club.names[1], "join", to=club.last(club.names[1], again.id).reply_to)
    assert table.game(again.id).status == "running"
    assert [one.ranking is None for one in club.league("winter").rounds[0].tables] == [False]


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


def test_who_takes_no_part_reads_no_names(table: Table) -> None:
    club = begun(table, 2, "1 round, tables of 2")
    stranger = Club(table, ["Idaberg"])
    said = stranger.write("Idaberg", "league winter")
    assert "Round 1 of 1" in said.words
    assert not any(name in said.text for name in club.names)


def test_who_is_forgotten_leaves_and_is_named_nowhere(table: Table) -> None:
    club = begun(table, 3, "3 rounds, tables of 2")
    played(club)
    club.write(club.names[1], "leave league winter")
    played(club)
    gone = club.names[1]
    who = next(one for one, name in club.ids.items() if name == gone)
    assert who in {one.player for one in club.league("winter").entries}
    stored = people.collect(table.service, gone)
    assert stored["leagues"] == ["winter"]
    forgetting.forget(table.service, gone, "They asked for it.")
    with table.service.store.reading() as uow:
        texts = [str(row.params) for row in uow.outbox.list(limit=1000)]
        assert not any(gone in text for text in texts)
    assert gone not in club.write(club.names[0], "league winter").text
    assert maintenance.check(table.service, lambda _: None) == []


def test_german_words(table: Table) -> None:
    club = Club(table, [*named(2)])
    for name in club.names:
        club.write(name, "language de")
    said = club.write(
        club.names[0], "neue liga phyliss, 2 runden, tische zu 2, 1 tag pro zug, namens winter"
    )
    assert "Die Liga winter ist eröffnet" in said.words
    assert (
        "Du spielst in der Liga winter mit"
        in club.write(club.names[1], "liga beitreten winter").words
    )
    club.write(club.names[0], "liga winter starten")
    assert "winter, Runde 1: dein Tisch" in club.mails(club.names[1])[-1].message["Subject"]
    assert "Runde 1 von 2" in club.write(club.names[1], "liga").words
    assert "verlassen" in club.write(club.names[1], "liga verlassen winter").words


def test_a_changed_log_or_another_draw_does_not_verify(table: Table) -> None:
    club = begun(table, 4, "1 round, tables of 2")
    league = club.league("winter")
    with table.service.store.reading() as uow:
        data = verify.export(uow, league.id)
        events = uow.events.read(league.id)
    assert verify.verify_file(data).league.version == league.version
    with pytest.raises(LogError, match="cut off"):
        verify.verify_file(data[:-1])
    with pytest.raises(LogError):
        verify.verify_file(data.replace(b'"winter"', b'"summer"'))
    drawn = events[-1]
    tables = drawn.public["tables"]
    assert isinstance(tables, list)
    swapped = replace(drawn, public={**drawn.public, "tables": tables[::-1]})
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
    with table.service.store.reading() as uow:
        first, *_ = uow.events.read(club.league("winter").id)
    changed = replace(first, public={**first.public, **forged})
    with pytest.raises(LogError, match="cannot be"):
        verify._verify([replace(changed, hash=event_hash(changed))])
