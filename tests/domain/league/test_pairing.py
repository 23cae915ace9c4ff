"""Test the draw of a round: few repeated pairs, similar scores, balanced seats and byes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.domain.league.pairing import Contender, draw, table_sizes
from tests.domain.league.seasons import Field, fewest_repeats, season

SEED = b"s" * 32


@given(st.integers(0, 80), st.integers(2, 6), st.integers(1, 3))
def test_tables_are_few_and_even_and_only_those_have_none_who_must(
    count: int, most: int, least: int
) -> None:
    least = min(least, most)
    sizes = table_sizes(count, most, least)
    idle = count - sum(sizes)
    assert idle >= 0
    assert (sizes == []) is (count < least)
    if not sizes:
        return
    assert max(sizes) <= most
    assert min(sizes) >= least
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == -(-sum(sizes) // most)
    for more in range(
        sum(sizes) + 1, count + 1
    ):  # no more of them fit in tables that are large enough
        assert more // -(-more // most) < least


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 9), st.integers(2, 4), st.integers(1, 6), st.integers(0, 999))
def test_no_pair_meets_again_where_any_draw_avoids_it(
    players: int, most: int, rounds: int, seed: int
) -> None:
    field = Field(players, seed)
    for _ in range(rounds):
        found = field.draw(most)
        sizes = [len(table) for table in found.tables]
        assert sorted([*(one for table in found.tables for one in table), *found.byes]) == (
            field.players
        )
        assert field.repeats(found) == fewest_repeats(field, sizes, len(found.byes))
        field.play(found)


@settings(max_examples=20, deadline=None)
@given(st.integers(5, 30), st.integers(2, 5), st.integers(0, 999))
def test_the_order_in_which_players_are_given_changes_nothing(
    players: int, most: int, seed: int
) -> None:
    field = Field(players, seed)
    field.play(field.draw(most))
    known = field.contenders()
    first = draw(known, most=most, least=2, seed=SEED)
    assert draw(known[::-1], most=most, least=2, seed=SEED) == first


def test_like_scores_meet() -> None:
    known = [Contender(f"player{number}", points=number * 40) for number in range(8)]
    found = draw(known, most=4, least=2, seed=SEED)
    assert [sorted(table) for table in found.tables] == [
        [f"player{number}" for number in (4, 5, 6, 7)],
        [f"player{number}" for number in (0, 1, 2, 3)],
    ]


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from([(8, 4, 3), (12, 4, 4), (13, 4, 5), (11, 2, 6), (10, 3, 5)]), st.integers(0, 99)
)
def test_everybody_deals_and_sits_in_each_seat_about_as_often(
    of: tuple[int, int, int], seed: int
) -> None:
    players, most, rounds = of
    told = season(players, most, rounds, seed)
    assert told.deals <= (
        3 if most == 2 else 2
    )  # two seeds of a hundred for eleven at tables of two
    assert told.seats <= 3
    assert told.byes <= 1
