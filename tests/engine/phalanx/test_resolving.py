"""Test the result of a battle: forming, jacks, flanking, ties and spoils (PLX-15 to PLX-23)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import PACK, RANK_OF
from engine.phalanx.resolving import count_cards, resolve
from engine.phalanx.state import TableCard, zone_name
from tests.engine.chance import chance
from tests.engine.phalanx.reference import battle_totals, share_out
from tests.engine.phalanx.tables import Game, cards, resolved, seat, table


def total(text: str, **options) -> int:
    return sum(card.counted for card in count_cards(cards(text), **options))


@pytest.mark.rule("PLX-16", "PLX-17", "PLX-18")
@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("3s 5s 9s", 25),
        ("3s 5s 9s Jd", 34),
        ("4h 7h 2c Jc", 19),
        ("As 9s", 11),
        ("6c 8c", 20),
        ("10s 9h", 19),
        ("", 0),
        ("9s", 9),
        ("9s 5s 3s", 25),  # in whatever order they were played
        ("3s 5s 9s 2d 4d", 25 + 8),  # each suit by itself
        ("Js Qs Ks 9s", 18),  # face cards form nothing; the jack doubles the 9
        ("Qs 9s", 9),
        ("Jc", 0),
        ("Jc Jd", 0),
        ("Jc Jd 5h", 10),  # the second jack finds nothing left: no card is doubled twice
        ("Jc Jd 5h 9c", 28),
        ("Jc 5h 9c", 19),  # the lowest one
        ("Jc 3s 5s 9s 8h", 10 + 6 + 9 + 16),  # by printed value among those not yet doubled
        ("Jc 8s 9s 10h", 16 + 18 + 10),  # the 8 is formed, so the jack takes the 9
        ("10c 10d", 20),
    ],
)
def test_forming_and_jacks(own, expected):
    """All but the highest of a suit are doubled, then the lowest card left by each jack."""
    assert total(own) == expected


@pytest.mark.rule("PLX-V3")
@pytest.mark.parametrize(
    ("own", "opposing", "aces", "expected"),
    [
        ("As 9s", "", 2, 11),
        ("As 9s", "", 4, 13),
        ("As 9s", "", 10, 19),
        ("As 9s", "10h Kd", "highest", 19),
        ("As 9s", "", "highest", 11),  # nothing opposes it
        ("As 9s", "Kd Jc", "highest", 11),  # no number card does
        ("As 9s", "Ad", "highest", 11),  # at least 2
        ("As 9s", "5h 3c", "highest", 14),
        ("As", "10h", 10, 1),  # not doubled
        ("As", "10h", "highest", 1),
        ("As Jd", "", 10, 10),  # a jack doubles it as well
        ("3s 9s", "", 10, 15),  # other cards are doubled as ever
        ("As Ah Jd Jc", "", 10, 20),
        ("As 2h Jd", "", 10, 12),  # the lowest by its printed value, not by what it would count
    ],
)
def test_what_a_doubled_ace_counts(own, opposing, aces, expected):
    """4, 10, or the highest opposing number card; only when doubled."""
    assert total(own, opposing=cards(opposing), aces=aces) == expected


@pytest.mark.rule("PLX-V3", "PLX-20")
@pytest.mark.parametrize(
    ("aces", "opposing", "taker"),
    [
        (10, "4c 8h", 0),  # 19 against 12; twice its value would make it 11
        (4, "6h 8c", 1),  # 13 against 14; the highest opposing card would make it 17
        ("highest", "6h 8c", 0),
    ],
)
def test_the_option_decides_who_takes_the_cards(aces, opposing, taker):
    lying = " ".join(f"1:{card}" for card in opposing.split())
    game = resolved("9s left", side0=f"0:As {lying}", options={"aces": aces})
    assert game.zone("side:0")["winner"] == taker
    own = game.state.seats[taker]
    assert {"As", "9s", *cards(opposing)} <= {*own.hand, *own.reserve}


@pytest.mark.rule("PLX-20")
def test_the_facts_explain_the_sum_card_by_card():
    """What each card counts and why, what came by flanking and from where, the total."""
    game = resolved("9s left", side0="0:3s 0:Jd", center="0:5h 1:4h")
    (left,) = [o for o in game.zone("side:0")["owners"] if o["seat"] == 0]
    assert left["cards"] == [
        {"card": "3s", "printed": 3, "counted": 6, "why": ["formed"]},
        {"card": "Jd", "printed": 0, "counted": 0, "why": []},
        {"card": "9s", "printed": 9, "counted": 18, "why": ["jack"]},
    ]
    assert (left["own"], left["flanks"], left["received"], left["total"]) == (24, True, [], 24)
    middle = game.zone("center")["owners"][0]
    assert middle["received"] == [{"zone": "side:0", "amount": 24}]
    assert (middle["own"], middle["total"]) == (5, 29)


@pytest.mark.rule(
    "PLX-4",
    "PLX-17",
    "PLX-18",
    "PLX-19",
    "PLX-20",
    "PLX-21",
    "PLX-22",
    "PLX-26",
    "PLX-V1",
    "PLX-V2",
)
@given(st.integers(0, 2**64))
def test_a_plain_second_implementation_agrees(seed):
    """Random boards of every size, option and number of resigned seats."""
    luck = chance(seed)
    for _ in range(20):
        players = luck.randint(2, 6)
        ring = tuple(sorted(luck.sample(range(6), players)))
        gone = tuple(luck.sample(ring, luck.choice([0, 0, 0, 1, players - 1])))
        pack = list(PACK)
        if luck.random() < 0.5:
            pack = [card for card in pack if RANK_OF[card] in "A23JK"]  # many ties and jacks
        luck.shuffle(pack)
        names = ["center", *(f"side {n}" for n in ring)]
        plain = {name: [] for name in names}
        lying = [[] for _ in range(7)]
        for n in ring:
            before = ring[ring.index(n) - 1]
            for _ in range(luck.choice([0, 1, 3, 7])):
                if pack:
                    at = luck.choice(["center", f"side {n}", f"side {before}"])
                    card, up = pack.pop(), luck.random() < 0.8
                    plain[at].append((n, card, up))
                    lying[0 if at == "center" else int(at[5:]) + 1].append(TableCard(n, card, up))
        tie = luck.choice(["back", "spoils", "swap"])
        aces = luck.choice([2, 4, 10, "highest"])
        spoils = [pack.pop() for _ in range(min(len(pack), luck.choice([0, 2])))]
        staying = [n for n in ring if n not in gone]
        results = resolve([tuple(z) for z in lying], ring, staying, tie=tie, aces=aces)
        sums = {
            (zone_name(result.zone).replace(":", " "), seat): total
            for result in results
            for seat, total in result.totals.items()
        }
        assert sums == battle_totals(plain, ring, aces)
        gets = {n: [] for n in ring}
        kept = list(spoils)
        for result in results:
            for owner, card, _ in result.cards:
                taker = result.takers[owner]
                (kept if taker is None else gets[taker]).append(card)
            if result.zone == 0 and result.winner is not None:
                gets[result.winner] += spoils
                kept = [card for card in kept if card not in spoils]
        expected, left = share_out(plain, ring, gone, spoils, tie, aces)
        assert {n: sorted(got) for n, got in gets.items()} == {
            n: sorted(got) for n, got in expected.items()
        }
        assert sorted(kept) == sorted(left)


@pytest.mark.rule("PLX-23")
def test_reserves_are_sorted_and_shuffled_with_one_number_per_seat():
    """Ascending seats, from the order of a new pack, also for a seat that took nothing."""
    game = resolved("9s left", players=3, side0="1:2h", center="1:4h", shuffles=5)
    opened = game.steps[-1].shuffles
    assert [one.number for one in opened] == [5, 6, 7]
    for one in opened:
        assert list(one.before) == [card for card in PACK if card in one.before]
        assert sorted(one.before) == sorted(one.after)
    own = game.state.seats[2]
    assert opened[2].after == (*own.reserve, *opened[2].after[len(own.reserve) :])
    assert sorted(own.hand) == sorted(opened[2].after[-7:])
    assert game.state.shuffles == 8


@pytest.mark.rule("PLX-23", "PLX-26", "GEN-13")
def test_a_resigned_seat_takes_no_number_and_an_eliminated_one_does():
    """Seat 1 resigned, seat 2 is about to be eliminated with no card at all."""
    seats = [seat("9s"), seat(), seat(), seat()]
    state = table(*seats, side0="1:2h", center="0:4h 0:5h", resigned=(1,), keep=(2,))
    game = Game(state).play("9s left")
    assert [len(one.before) for one in game.steps[-1].shuffles][1] == 0
    assert [one.number for one in game.steps[-1].shuffles] == [0, 1, 2]
    assert game.state.seats[2].out is not None
    assert game.state.ring == (0, 3)
