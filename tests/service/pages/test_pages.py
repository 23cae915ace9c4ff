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
from pbem.service.people import erasure
from pbem.service.upkeep.health import HEALTH, Look, troubles
from pbem.store.rows.core import EVENT, EVENT_SECRET, HEAD, PLAYER
from tests.service.conftest import Table
from tests.service.pages.club import URL, build_anew, files, opened, text_of, with_pages
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
def folder(tmp_path: Path) -> Path:
    return tmp_path / "pages"


@pytest.fixture
def club(table: Table, folder: Path) -> Table:
    return with_pages(table, folder)


def test_a_game_by_mail_is_on_its_page(club: Table, folder: Path) -> None:
    """The page shows players, turn, deadline, table and moves, and changes only with a build."""
    assert building.build(club.service).changed == 3
    assert "No game is running." in text_of(folder, "index.html")
    game, seat, move = club.start(3)
    building.build(club.service)
    before = text_of(folder, f"game/{game.id}.html")
    club.answer(seat, move)
    assert text_of(folder, f"game/{game.id}.html") == before
    building.build(club.service)
    assert building.build(club.service).changed == 0
    index, page = text_of(folder, "index.html"), text_of(folder, f"game/{game.id}.html")
    now = club.game(game.id)
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


def test_a_game_that_nobody_may_watch_has_no_page(club: Table, folder: Path) -> None:
    """Its players agreed on that: `observers=off`."""
    game = club.started(2, timing=Timing(3 * 86400, observers="off"))
    building.build(club.service)
    assert sorted(files(folder)) == ["feed.xml", "index.html", "standings.html"]
    assert game.id.encode() not in b"".join(files(folder).values())


@pytest.mark.parametrize(
    ("language", "off", "on"),
    [("en", "pages off", "pages on"), ("de", "Spielseite aus", "Spielseite an")],
)
def test_a_player_can_have_a_game_without_a_page(
    club: Table, folder: Path, tmp_path: Path, language: str, off: str, on: str
) -> None:
    """While a player objects, no file, list or message mentions it."""
    game = club.started(3)
    building.build(club.service)
    for seat in (1, 2):
        club.answer(seat, f"language {language}")
    club.answer(1, off)
    said = {"en": "This game has no page", "de": "Dieses Spiel hat keine Seite"}
    assert said[language] in club.last_to(1).words
    building.build(club.service)
    assert sorted(files(folder)) == ["feed.xml", "index.html", "standings.html"]
    assert game.id.encode() not in b"".join(files(folder).values())
    assert URL not in club.last_to(1).text
    club.answer(2, off)
    club.answer(1, on)
    said = {"en": "somebody else does", "de": "jemand anderes noch"}
    assert said[language] in club.last_to(1).words
    building.build(club.service)
    assert not list(folder.glob("game/*"))
    club.answer(2, on)
    building.build(club.service)
    assert len(list(folder.glob("game/*.html"))) == 1
    assert URL in club.last_to(2).text
    assert files(folder) == build_anew(club, tmp_path / "anew")


@pytest.mark.parametrize(("ruleset", "players", "options"), EVERY_KIND)
def test_pages_of_every_game(
    club: Table, folder: Path, ruleset: str, players: int, options: dict[str, object]
) -> None:
    """Running and finished games have valid, small pages with a content policy."""
    half = play(club, ruleset, players, 11, **options)
    over = play(club, ruleset, players, seed=2, **options)
    building.build(club.service)
    for name, data in files(folder).items():
        text = data.decode()
        assert len(data) <= 100_000, name
        if name.endswith(".html"):
            assert list(markup.faults(text)) == [], name
            assert 'content="default-src &#39;none&#39;' in text or "default-src 'none'" in text
    assert "<h2>The result" in text_of(folder, f"game/{over.id}.html")
    assert "<h2>The result" not in text_of(folder, f"game/{half.id}.html")
    assert " won · " in text_of(folder, "index.html") or "A draw" in text_of(folder, "index.html")


def test_names_are_text_wherever_they_stand(club: Table, folder: Path) -> None:
    """No name ends an element or a line, adds one, or changes the text direction."""
    game = play(club, "phyliss", 2, 5)
    play(club, "phyliss", 2, seed=3)
    with club.service.store.unit_of_work() as uow:
        name = '<script>&"</title>\n\u202e\x0b;,'
        uow.connection.execute(PLAYER.update().values(name=name))
        for player in uow.players.list():
            uow.players.prefer(player.id, has_page=True, has_calendar=True)
    building.build(club.service)
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
    assert found == build_anew(table, tmp_path / "anew")


def dying_after(steps: int) -> Callable[[Folder, str, bytes], bool]:
    """Return a way to write files that ends the process after some of them."""
    left, write = [steps], Folder.write

    def dying(own: Folder, name: str, data: bytes) -> bool:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return write(own, name, data)

    return dying


def test_a_crash_leaves_whole_files_and_is_made_good(
    club: Table, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between any two files, or before the rows: nothing half, and the next look ends it."""
    game = play(club, "phyliss", 3, 6)
    building.build(club.service)
    whole = files(folder)
    club.skip(game, 1)
    after = build_anew(club, tmp_path / "anew")
    for steps in range(5):
        with monkeypatch.context() as patched:
            patched.setattr(Folder, "write", dying_after(steps))
            with suppress(KeyboardInterrupt):
                building.build(club.service)
        for name, data in files(folder).items():
            assert data in (whole[name], after[name])
    building.build(club.service)
    assert files(folder) == after


def test_a_folder_of_somebody_else_is_left_alone(club: Table, folder: Path) -> None:
    folder.mkdir()
    (folder / "index.html").write_text("<h1>My site</h1>")
    with pytest.raises(ConfigError, match="not ours"):
        building.build(club.service)
    assert files(folder) == {"index.html": b"<h1>My site</h1>"}


def test_a_secret_choice_changes_no_byte_and_no_file(club: Table, folder: Path) -> None:
    """Neither the page nor its time of writing shows who has chosen (GEN-6), and talk does not change it."""
    game = club.started(3, ruleset="cathedral")
    building.build(club.service)
    before = {name: (folder / name).stat().st_mtime_ns for name in files(folder)}
    seat, move = club.standby(game)
    club.clock.forward(hours=1)
    club.answer(seat, move)
    club.answer(seat, "say hello")
    assert building.build(club.service).changed == 0
    assert {name: (folder / name).stat().st_mtime_ns for name in files(folder)} == before


def test_somebody_who_was_forgotten_is_on_no_page(club: Table, folder: Path) -> None:
    play(club, "phyliss", 2)
    building.build(club.service)
    assert any("Bob" in opened(data) for data in files(folder).values())
    erasure.forget(club.service, "Bob", "asked to go")
    building.build(club.service)
    assert not any("Bob" in opened(data) for data in files(folder).values())


def test_feeds_are_atom(club: Table, folder: Path) -> None:
    """Entries have stable and unique ids, authors, times and links (RFC 4287)."""
    over = play(club, "phyliss", 2)
    game = play(club, "cathedral", 2, 9, seed=4)
    building.build(club.service)
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
    club.skip(game, 2)
    building.build(club.service)
    assert old <= set(re.findall(r"<id>(.*?)</id>", text_of(folder, f"game/{game.id}.xml"))) | {
        one for one in ids if one.endswith("/began")
    }


@pytest.mark.parametrize("name", ["../x.html", "game/../x.html", "/etc/x.html", "game/A.html", "x"])
def test_no_file_lies_outside(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a name"):
        Folder(tmp_path).write(name, b"")


def test_a_game_without_its_log_stops_no_other_page(club: Table, folder: Path) -> None:
    """A game whose events were deleted has no page, and `pbem health` names it once it is due."""
    lost, sound = club.started(2), club.started(2, seed=2)
    building.build(club.service)
    assert f"game/{lost.id}.html" in files(folder)
    with sqlite3.connect(club.file) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in names:
            database.execute(f"DROP TRIGGER {name}")
        for rows in (EVENT_SECRET, EVENT, HEAD):
            database.execute(str(rows.delete().where(rows.c.game_id == "?")), (lost.id,))
    assert building.build(club.service).games == 2
    assert f"game/{lost.id}.html" not in files(folder)
    assert f"game/{sound.id}.html" in files(folder)
    assert building.build(club.service).changed == 0
    club.wait(days=8)
    texts = club.read(
        lambda uow: {row.name: row.text for row in troubles(Look(club.service, uow), HEALTH)}
    )
    assert texts["stopped"] == f"1 game stands still: {lost.id}"
    assert sound.id in club.ask(0, "games", to="game@play.example.org").words
