"""Test moves with players' names instead of seat numbers."""

from __future__ import annotations

import pytest

from engine import registry
from engine.phase10.forms import HitForm, read_form
from engine.phase10.groups import Group, Kind
from engine.phase10.orders import meant_groups
from engine.phase10.words import TABLES
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.words.orders import LineKind, read_line
from pbem.domain.words.translate import shown_order
from pbem.games.profile import Told, said_move

NAMES = ("Anna", "Bob", "Anna Maria")


@pytest.mark.parametrize(
    ("move", "shown", "ruleset"),
    [
        ("discard S 1", "discard S Bob", "phase10"),
        ("discard S", "discard S", "phase10"),
        ("discard G3", "discard G3", "phase10"),
        ("play Ks right x 10d@2", "play Ks right x 10d@Anna Maria", "phalanx"),
        ("play 10s right", "play 10s right", "phalanx"),
        ("flip 2", "flip 2", "phyliss"),
    ],
)
def test_names_for_seats_and_back(move: str, shown: str, ruleset: str) -> None:
    assert with_seat_names(move, NAMES) == shown
    line = read_line(shown, [registry.find(ruleset)], NAMES)
    assert (line.kind, line.order) == (LineKind.GAME, move)


GROUPS = {
    0: ["R7 Y7 W", "R1 B2 W Y4"],
    1: ["R6 Y6 W", "B6 G6 Y6"],
    2: ["G2 G3 G5 G5 G9 G11 W"],
    3: ["R1 B1", "G12 R12 B12"],
}
"""By seat; the seats of `NAMES`, and Jonas."""


@pytest.mark.rule("P10-15")
@pytest.mark.parametrize(
    ("group", "deck", "english", "german"),
    [
        ("0.0", "phase10", "my 7s", "meine 7er"),
        ("0.1", "phase10", "my run", "meine Folge"),
        ("1.0", "phase10", "Bob’s first 6s", "Bobs erste 6er"),
        ("1.1", "phase10", "Bob’s second 6s", "Bobs zweite 6er"),
        ("2.0", "phase10", "Anna Maria’s colour group", "Anna Marias Farbgruppe"),
        ("3.1", "phase10", "Jonas’s 12s", "Jonas’ 12er"),
        ("3.1", "standard", "Jonas’s queens", "Jonas’ Damen"),
        ("3.0", "standard", "Jonas’s aces", "Jonas’ Asse"),
    ],
)
def test_groups_have_names_that_are_read_back(
    group: str, deck: str, english: str, german: str
) -> None:
    """What a mail writes about a group of Phase 10 is the group, in both languages."""
    names, rules = (*NAMES, "Jonas"), registry.find("phase10")
    kinds = {"R1 B2 W Y4": "run", "G2 G3 G5 G5 G9 G11 W": "colour"}
    laid = [
        [{"kind": kinds.get(one, "set"), "cards": one.split()} for one in GROUPS[seat]]
        for seat in range(4)
    ]
    view = {"seat": 0, "groups": laid}
    owner, number = map(int, group.split("."))
    for written, language in ((english, "en"), (german, "de")):
        said = with_seat_names(
            said_move("phase10", f"hit W on {group}", Told(view, 0, deck, ())), names
        )
        shown = shown_order(said, language)
        assert shown.endswith(f" {written}")
        for typed in (shown, shown.replace("’", "'")):
            line = read_line(typed, [rules], names, language)
            form = read_form(line.order or "", TABLES[deck])
            assert isinstance(form, HitForm), typed
            assert form.owner == (None if owner == 0 else owner)
            table = [Group(Kind(one["kind"]), tuple(one["cards"])) for one in laid[owner]]
            assert [at for at, _ in meant_groups(table, form)] == [number]


@pytest.mark.parametrize(
    ("language", "line", "order"),
    [
        ("en", "hit ada's 6s with R6", "hit 3's 6s with R6"),
        ("en", "hit R6 on the sixes of ada", "hit R6 on the sixes of 3"),
        ("en", "hit 7 on the 7s", "hit 7 on the 7s"),
        ("de", "lege R6 an Adas 6er", "hit R6 on 3's 6s"),
        ("de", "R6 an die 6er von Ada anlegen", "hit R6 on 6s of 3"),
        ("de", "Lege die rote 6 an Anna Marias Folge", "hit red 6 on 2's run"),
    ],
)
def test_groups_are_called_by_name(language: str, line: str, order: str) -> None:
    read = read_line(line, [registry.find("phase10")], (*NAMES, "Ada"), language)
    assert (read.kind, read.order) == (LineKind.GAME, order)


def test_a_group_that_the_table_has_no_more_is_counted() -> None:
    assert with_seat_names("hit W on 1.1 high", NAMES) == "hit W on Bob’s second group high"
    told = Told({"seat": 0, "groups": [[], []]}, 0, "", ())
    assert said_move("phase10", "hit W on 1.1", told) == "hit W on 1.1"


@pytest.mark.parametrize("name", ["A;B", "Bob", "דניאל", "Maximiliana Wilhelmina Theodora", ""])
def test_a_name_that_would_not_read_back_is_left_out(name: str) -> None:
    """With a separator of orders, one that two of them share, from right to left, long, or none."""
    assert with_seat_names("discard S 0", [name, "Bob"]) == "discard S 0"


def test_a_seat_that_nobody_has_stays_a_number() -> None:
    assert with_seat_names("discard S 4", NAMES) == "discard S 4"
