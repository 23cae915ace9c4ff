"""Test players and their addresses, on both databases."""

import re
from dataclasses import replace
from typing import Any

from pbem.domain.words.player_settings import SETTINGS
from pbem.store.db.uow import Store
from tests.store.samples import DAY, NOW, in_threads


def test_a_person_is_found_by_any_address_in_any_case(store: Store) -> None:
    """Aliases count; case and blanks do not."""
    with store.unit_of_work() as uow:
        anna = uow.players.add("Anna", "Europe/Berlin", created_at=NOW)
        bob = uow.players.add("Bob", "UTC", created_at=NOW + DAY)
        assert uow.players.add_address(anna.id, "Anna@Example.org")
        assert uow.players.add_address(anna.id, "work@example.org")
        assert uow.players.add_address(bob.id, "bob@example.org")
        assert uow.players.by_address(" ANNA@example.ORG ") == anna
        assert uow.players.by_address("work@example.org") == anna
        assert uow.players.by_address("bob@example.org") == bob
        assert uow.players.by_address("carol@example.org") is None
        assert uow.players.by_address("\x00\udcff@example.org") is None
        assert uow.players.get(anna.id) == anna
        assert uow.players.get("nobody") is None
        assert uow.players.list() == [anna, bob]
    assert re.fullmatch("[a-z2-7]{10}", anna.id)
    assert (anna.name, anna.zone, anna.created_at) == ("Anna", "Europe/Berlin", NOW)
    assert "Anna" not in repr(anna)


def test_the_first_address_is_primary_until_another_one_is_made_so(store: Store) -> None:
    """Exactly one is; it comes first."""
    with store.unit_of_work() as uow:
        anna = uow.players.add("Anna", "UTC", created_at=NOW).id
        assert uow.players.addresses(anna) == []
        uow.players.add_address(anna, "b@example.org")
        uow.players.add_address(anna, "a@example.org")
        assert uow.players.addresses(anna) == ["b@example.org", "a@example.org"]
        uow.players.add_address(anna, "c@example.org", is_primary=True)
        assert uow.players.addresses(anna) == ["c@example.org", "a@example.org", "b@example.org"]


def test_an_address_has_one_owner(store: Store) -> None:
    """The second claim is refused and changes nothing."""
    with store.unit_of_work() as uow:
        anna = uow.players.add("Anna", "UTC", created_at=NOW)
        bob = uow.players.add("Bob", "UTC", created_at=NOW)
        assert uow.players.add_address(anna.id, "a@example.org")
        assert not uow.players.add_address(anna.id, "a@example.org", is_primary=True)
        assert not uow.players.add_address(bob.id, "A@example.org", is_primary=True)
        assert uow.players.by_address("a@example.org") == anna
        assert uow.players.addresses(bob.id) == []


def test_an_address_that_is_claimed_by_several_at_once(store: Store) -> None:
    """One of them gets it."""
    with store.unit_of_work() as uow:
        ids = [uow.players.add(f"{n}", "UTC", created_at=NOW).id for n in range(4)]

    def claim(number: int) -> bool:
        with store.unit_of_work() as uow:
            return uow.players.add_address(ids[number], "a@example.org")

    assert sorted(in_threads(4, claim)) == [False, False, False, True]


def test_every_setting_is_stored(store: Store) -> None:
    """A later unit of work reads the values with their types; the others are defaults."""
    values = dict[str, Any](
        zone="Asia/Tokyo",
        language="de",
        wants_html=False,
        cards=("four-colour", "large"),
        reminders=(1440, 240),
        digest_hour=8,
        receipts=False,
        talk="folded",
        has_calendar=True,
        has_page=True,
        auto_mine=True,
        weekly="all",
    )
    assert values.keys() == SETTINGS.keys()
    with store.unit_of_work() as uow:
        anna = uow.players.add("Anna", "UTC", created_at=NOW)
        bob = uow.players.add("Bob", "UTC", created_at=NOW)
        for name, value in values.items():
            uow.players.prefer(anna.id, **{name: value})
    with store.reading() as uow:
        assert uow.players.get(anna.id) == replace(anna, **values)
        assert uow.players.get(bob.id) == bob


def test_people_with_files_among_the_pages(store: Store) -> None:
    """A calendar or a page that was ended does not count."""
    with store.unit_of_work() as uow:
        people = [uow.players.add(name, "UTC", created_at=NOW).id for name in "ABCD"]
        uow.players.prefer(people[0], has_page=True)
        uow.players.prefer(people[1], has_calendar=True, talk="at once")
        uow.players.prefer(people[2], has_page=True)
        uow.players.prefer(people[2], has_page=False)
        assert [player.id for player in uow.players.with_files()] == sorted(people[:2])
