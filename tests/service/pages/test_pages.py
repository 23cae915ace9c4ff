"""Test pages of real games: the files of the folder, and information that they must not contain."""

from __future__ import annotations

import re
import sqlite3
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from pbem.domain.terms.timing import Timing
from pbem.errors import ConfigError
from pbem.service.admin import acts
from pbem.service.pages import building
from pbem.service.pages import club as club_pages
from pbem.service.pages.files import Folder
from pbem.service.people import forgetting
from pbem.service.upkeep.health import HEALTH, Look, troubles
from pbem.store.rows.core import EVENT, EVENT_SECRET, HEAD, PLAYER
from tests.service.conftest import Table
from tests.service.pages.club import URL, built_anew, files, opened, with_pages
from tests.show import markup
from tests.show.games import EVERY_KIND, play

SHORT: list[tuple[str, int, dict[str, object]]] = [
    ("phyliss", 3, {"max_plies": 12}),
    ("cathedral", 2, {"max_plies": 12}),
    ("phalanx", 3, {"max_battles": 1}),
    ("phalanx", 2, {"max_battles": 1, "stakes": "zones"}),
]
_ATOM = {"a": "http://www.w3.org/2005/Atom"}


@pytest.fixture
def club(table: Table, tmp_path: Path) -> tuple[Table, Path]:
    folder = tmp_path / "pages"
    return with_pages(table, folder), folder


def text_of(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


def test_a_game_by_mail_is_on_its_page(club: tuple[Table, Path]) -> None:
    """Who plays, whose turn, until when, the table, each move; a reply changes nothing but by the log."""
    table, folder = club
    assert building.build(table.service).changed == 3
    assert "No game is running." in text_of(folder, "index.html")
    game = table.started(3)
    seat, move = table.standby(game)
    building.build(table.service)
    before = text_of(folder, f"game/{game.id}.html")
    table.answer(seat, move)
    assert text_of(folder, f"game/{game.id}.html") == before
    building.build(table.service)
    assert building.build(table.service).changed == 0
    index, page = text_of(folder, "index.html"), text_of(folder, f"game/{game.id}.html")
    now = table.game(game.id)
    name = ("Anna", "Bob", "Carol")[now.to_act[0]]
    for text in (index, page):
        assert f"<bdi>{name}</bdi> to move</b>" in text
        assert "due <time" in text
        assert "example.org" not in text.replace(URL, "")
        assert list(markup.faults(text)) == []
    assert f'href="game/{game.id}.html"' in index
    assert "Move 1 of 1" in page
    for one in now.state.seats:
        assert all(f'data-card="{card}"' not in page for card in one.hand)


def test_a_game_that_nobody_may_watch_has_no_page(club: tuple[Table, Path]) -> None:
    """Its players agreed on that: `observers=off`."""
    table, folder = club
    game = table.started(2, timing=Timing(3 * 86400, observers="off"))
    building.build(table.service)
    assert sorted(files(folder)) == ["feed.xml", "index.html", "standings.html"]
    assert game.id.encode() not in b"".join(files(folder).values())


@pytest.mark.parametrize(
    ("language", "off", "on"),
    [("en", "pages off", "pages on"), ("de", "Spielseite aus", "Spielseite an")],
)
def test_a_player_can_have_a_game_without_a_page(
    club: tuple[Table, Path], tmp_path: Path, language: str, off: str, on: str
) -> None:
    """As long as one of them objects; then its files are gone, and no list or mail names it."""
    table, folder = club
    game = table.started(3)
    building.build(table.service)
    for seat in (1, 2):
        table.answer(seat, f"language {language}")
    table.answer(1, off)
    said = {"en": "This game has no page", "de": "Dieses Spiel hat keine Seite"}
    assert said[language] in table.last_to(1).words
    building.build(table.service)
    assert sorted(files(folder)) == ["feed.xml", "index.html", "standings.html"]
    assert game.id.encode() not in b"".join(files(folder).values())
    assert URL not in table.last_to(1).text
    table.answer(2, off)
    table.answer(1, on)
    said = {"en": "somebody else does", "de": "jemand anderes noch"}
    assert said[language] in table.last_to(1).words
    building.build(table.service)
    assert not list(folder.glob("game/*"))
    table.answer(2, on)
    building.build(table.service)
    assert len(list(folder.glob("game/*.html"))) == 1
    assert URL in table.last_to(2).text
    assert files(folder) == built_anew(table, tmp_path / "anew")


@pytest.mark.parametrize(("ruleset", "players", "options"), EVERY_KIND)
def test_pages_of_every_game(
    club: tuple[Table, Path], ruleset: str, players: int, options: dict[str, object]
) -> None:
    """Half-way and over: valid, small, and with a policy that fits; over, every card lies open."""
    table, folder = club
    half = play(table, ruleset, players, 11, **options)
    over = play(table, ruleset, players, seed=2, **options)
    building.build(table.service)
    for name, data in files(folder).items():
        text = data.decode()
        assert len(data) <= 100_000, name
        if name.endswith(".html"):
            assert list(markup.faults(text)) == [], name
            assert 'content="default-src &#39;none&#39;' in text or "default-src 'none'" in text
    assert "<h2>The result" in text_of(folder, f"game/{over.id}.html")
    assert "<h2>The result" not in text_of(folder, f"game/{half.id}.html")
    assert " won · " in text_of(folder, "index.html") or "A draw" in text_of(folder, "index.html")


def test_names_are_text_wherever_they_stand(club: tuple[Table, Path]) -> None:
    """No name ends an element or a line, brings one, or turns the text behind it around."""
    table, folder = club
    game = play(table, "phyliss", 2, 5)
    play(table, "phyliss", 2, seed=3)
    with table.service.store.unit_of_work() as uow:
        name = '<script>&"</title>\n\u202e\x0b;,'
        uow.connection.execute(PLAYER.update().values(name=name))
        for player in uow.players.list():
            uow.players.prefer(player.id, has_page=True, has_calendar=True)
    building.build(table.service)
    for name, data in files(folder).items():
        assert b"<script>&" not in data or name.endswith(".ics")
        assert not {"\u202e", "\x0b"}.intersection(data.decode()), name
        if name.endswith(".xml"):
            ET.fromstring(data)  # noqa: S314  (ours)
        if name.endswith(".ics"):
            assert "\\;\\," in data.decode().replace("\r\n ", "") or b"VEVENT" not in data
        if name.endswith(".html"):
            assert list(markup.faults(data.decode())) == []
            assert data.count(b"<title>") == 1
    assert b"&lt;script&gt;" in (folder / f"game/{game.id}.html").read_bytes()


def test_a_build_over_earlier_ones_leaves_the_bytes_of_a_new_one(
    both: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any sequence: games that begin, go on, end, stop."""
    table, folder = with_pages(both, tmp_path / "pages"), tmp_path / "pages"
    monkeypatch.setattr(club_pages, "NEWEST", 1)
    monkeypatch.setattr(club_pages, "PER_PAGE", 2)
    for number, (ruleset, players, options) in enumerate(SHORT):
        play(table, ruleset, players, seed=number, **options)
        game = play(table, ruleset, players, 4, seed=number, **options)
        if number:
            building.build(table.service)
        table.clock.forward(hours=7)
        table.skip(game, 1)
    acts.stop(table.service, game.id, "enough")
    building.build(table.service)
    found = files(folder)
    assert {"running-2.html", "finished-1.html", "finished-2.html"} <= set(found)
    assert found == built_anew(table, tmp_path / "anew")


def dying_after(steps: int) -> Callable[[Folder, str, bytes], bool]:
    """A way to write files that ends the process after so many."""
    left, write = [steps], Folder.write

    def dying(own: Folder, name: str, data: bytes) -> bool:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return write(own, name, data)

    return dying


def test_a_crash_leaves_whole_files_and_is_made_good(
    club: tuple[Table, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between any two files, or before the rows: nothing half, and the next look ends it."""
    table, folder = club
    game = play(table, "phyliss", 3, 6)
    building.build(table.service)
    whole = files(folder)
    table.skip(game, 1)
    after = built_anew(table, tmp_path / "anew")
    for steps in range(5):
        with monkeypatch.context() as patched:
            patched.setattr(Folder, "write", dying_after(steps))
            with suppress(KeyboardInterrupt):
                building.build(table.service)
        for name, data in files(folder).items():
            assert data in (whole[name], after[name])
    building.build(table.service)
    assert files(folder) == after


def test_a_folder_of_somebody_else_is_left_alone(club: tuple[Table, Path]) -> None:
    table, folder = club
    folder.mkdir()
    (folder / "index.html").write_text("<h1>My site</h1>")
    with pytest.raises(ConfigError, match="not ours"):
        building.build(table.service)
    assert files(folder) == {"index.html": b"<h1>My site</h1>"}


def test_a_secret_choice_changes_no_byte_and_no_file(club: tuple[Table, Path]) -> None:
    """Neither the page nor its time of writing tells who has chosen (GEN-6); talk does not, either."""
    table, folder = club
    game = table.started(3, ruleset="cathedral")
    building.build(table.service)
    before = {name: (folder / name).stat().st_mtime_ns for name in files(folder)}
    seat, move = table.standby(game)
    table.clock.forward(hours=1)
    table.answer(seat, move)
    table.answer(seat, "say hello")
    assert building.build(table.service).changed == 0
    assert {name: (folder / name).stat().st_mtime_ns for name in files(folder)} == before


def test_somebody_who_was_forgotten_is_on_no_page(club: tuple[Table, Path]) -> None:
    table, folder = club
    play(table, "phyliss", 2)
    building.build(table.service)
    assert any("Bob" in opened(data) for data in files(folder).values())
    forgetting.forget(table.service, "Bob", "asked to go")
    building.build(table.service)
    assert not any("Bob" in opened(data) for data in files(folder).values())


def test_feeds_are_atom(club: tuple[Table, Path]) -> None:
    """RFC 4287: ids that stay and are different, authors, instants, links to what they tell."""
    table, folder = club
    over = play(table, "phyliss", 2)
    game = play(table, "cathedral", 2, 9, seed=4)
    building.build(table.service)
    ids = set()
    for name in ("feed.xml", f"game/{over.id}.xml", f"game/{game.id}.xml"):
        root = ET.parse(folder / name).getroot()  # noqa: S314  (ours)
        assert root.tag == "{http://www.w3.org/2005/Atom}feed"
        assert root.findtext("a:author/a:name", None, _ATOM)
        links = {link.get("rel"): link.get("href") for link in root.findall("a:link", _ATOM)}
        assert links["self"] == f"{URL}/{name}"
        for one in [root, *root.findall("a:entry", _ATOM)]:
            found = one.findtext("a:id", "", _ATOM)
            assert found.startswith("tag:")
            assert found not in ids
            ids.add(found)
            assert one.findtext("a:title", "", _ATOM)
            assert re.fullmatch(
                r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", one.findtext("a:updated", "", _ATOM)
            )
    old = {entry for entry in ids if f"{game.id}/" in entry}
    table.skip(game, 2)
    building.build(table.service)
    assert old <= set(re.findall(r"<id>(.*?)</id>", text_of(folder, f"game/{game.id}.xml"))) | {
        one for one in ids if one.endswith("/began")
    }


@pytest.mark.parametrize("name", ["../x.html", "game/../x.html", "/etc/x.html", "game/A.html", "x"])
def test_no_file_lies_outside(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a name"):
        Folder(tmp_path).write(name, b"")


def test_a_game_without_its_log_stops_no_other_page(club: tuple[Table, Path]) -> None:
    """Somebody took its events out of the database, and left its row: it has no page, and `pbem health` names it once it is due."""
    table, folder = club
    lost, sound = table.started(2), table.started(2, seed=2)
    building.build(table.service)
    assert f"game/{lost.id}.html" in files(folder)
    with sqlite3.connect(table.file) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in names:
            database.execute(f"DROP TRIGGER {name}")
        for rows in (EVENT_SECRET, EVENT, HEAD):
            database.execute(str(rows.delete().where(rows.c.game_id == "?")), (lost.id,))
    built = building.build(table.service)
    assert built.games == 2
    assert f"game/{lost.id}.html" not in files(folder)
    assert f"game/{sound.id}.html" in files(folder)
    assert building.build(table.service).changed == 0
    table.clock.forward(days=8)
    table.run()
    with table.service.store.reading() as uow:
        texts = {row.name: row.text for row in troubles(Look(table.service, uow), HEALTH)}
    assert texts["stopped"] == f"1 game stands still: {lost.id}"
    table.answer(0, "games", to="game@play.example.org")
    assert sound.id in table.last_to(0).words
