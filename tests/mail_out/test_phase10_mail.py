"""Mails of Phase 10 at every stage, with the views and facts that the engine gives."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from engine import registry
from engine.api import Fact, JsonObject, Seat, Setup, Source
from engine.phase10.cards import KINDS
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.words.orders import LineKind, read_line
from pbem.games.face import Told, said_move
from pbem.games.phase10_groups import group_words
from pbem.mail_out.content import FinalResult, GameMail, LineResult
from pbem.mail_out.render import Rendered
from pbem.mail_out.skins import standard_words
from pbem.mail_out.texts import card_text, columns, shown_names
from tests.engine.phase10.tables import done
from tests.engine.phase10.tables import seat as hand
from tests.engine.phase10.tables import table as position
from tests.mail_out import pages
from tests.mail_out.samples import SECRET, SEED, game_mail, moves
from tests.mail_out.test_render import LISTED, RENDERER, words
from tests.mail_out.turns import turns

NAMES = ("Anna", "Zoë", "Maximiliana Wilhelmina Theodora von und zu", "דניאל")
SHOWN_CARD = re.compile(r"\b(?:[RBGY](?:1[0-2]|[1-9])|[WS])\b(?!-)")
RULESETS = registry.latest()
BOTH = pytest.mark.parametrize("name", ["phase10", "phase10-family"])


class Table:
    """A running game, and what every seat has been told since its own last move."""

    def __init__(self, name: str, players: int, **options: object) -> None:
        self.rules = registry.find(name, 1)
        self.players = players
        seed = hashlib.sha256(f"mails {name} {players}".encode()).digest()
        self.setup = Setup(players, seed, self.rules.check_options(players, options))
        self.news: dict[int, list[Fact]] = {seat: [] for seat in range(players)}
        step = self.rules.start(self.setup)
        self.state = step.state
        self.tell(step.facts)

    def tell(self, facts: tuple[Fact, ...]) -> None:
        for seat, told in self.news.items():
            told += [fact for fact in facts if fact.audience in (None, seat)]

    @property
    def seat(self) -> int | None:
        """Who is to act."""
        return self.state.to_act

    def move(self, text: str = "") -> None:
        """Carry out an order of who is to act, or the cautious move."""
        assert self.seat is not None
        state, who = self.state, Seat(self.seat)
        move = (
            self.rules.parse_order(state, who, text)
            if text
            else self.rules.standby_move(state, who)
        )
        self.news[who] = []
        step = self.rules.apply(state, who, move, Source.CHOSEN)
        self.state = step.state
        self.tell(step.facts)

    def resign(self, seat: int) -> None:
        step = self.rules.resign(self.state, Seat(seat))
        self.state = step.state
        self.tell(step.facts)

    def mail(self, reader: int, kind: str = "turn") -> GameMail:
        state, who, rules = self.state, Seat(reader), self.rules
        outcome = rules.outcome(state)
        view = rules.view(state, who)
        legal = [rules.format_move(state, who, move) for move in rules.legal_moves(state, who)]
        deck = self.setup.options["deck"]
        name = self.rules.id.name
        told = Told(view, reader, deck, ())
        listed = [with_seat_names(said_move(name, text, told), NAMES) for text in legal]
        ended = {} if outcome is None else {
            "result": FinalResult(
                outcome.ranking, outcome.reason, outcome.scores,
                SECRET, ("",) * self.players, SEED,
            ),
            "deadline": None,
        }  # fmt: skip
        return game_mail(
            kind=kind,
            ruleset=rules.id.name,
            title=rules.title,
            players=NAMES[: self.players],
            reader=reader,
            to_act=tuple(map(int, rules.to_act(state))),
            happened=tuple(self.news[reader]),
            view=view,
            moves=moves(*listed),
            moves_complete=rules.is_list_complete(state, who),
            skin=str(self.setup.options["deck"]),
            **ended,
        )


def whole_game(name: str, players: int, **options: object) -> Iterator[Table]:
    """Yield a table after every move of a game; now and then somebody takes or skips."""
    table = Table(name, players, **options)
    yield table
    while table.seat is not None:
        legal = table.rules.legal_moves(table.state, Seat(table.seat))
        texts = [table.rules.format_move(table.state, Seat(table.seat), move) for move in legal]
        bold = [text for text in texts if text.startswith("discard S") or text == "take"]
        table.move(bold[0] if bold and table.state.ply % 3 == 0 else "")
        yield table


@cache
def is_prose(line: str, skin: str = "") -> bool:
    """True if a line is no order when it comes back quoted; most lines come again.

    Where cards are those of another game only the rules of this one are asked.
    """
    rulesets = [rules for rules in RULESETS if not skin or rules.id.name.startswith("phase10")]
    return read_line(line, rulesets, NAMES).kind is LineKind.PROSE


def cards_in(data: object) -> set[str]:
    """Every kind of card that stands in some data."""
    told = json.dumps(data)
    return {card for card in KINDS if f'"{card}"' in told}


CANONICAL = {card_text(standard_words(card)): card for card in KINDS}
"""The cards as two standard packs show them, `5♥` or `K`, back to what they are."""


def standard_in(body: str) -> set[str]:
    """Every card that stands in a body as one of two standard packs; no other may."""
    body = re.sub(r"♥ red, ♠ blue.*?joker skip\.", "", body)
    body = re.sub(r"\d\d (?:lay|hit|discard) [^:]*?(?=\d\d |Reply|Tap)", "", body)
    assert not re.search(r"\b(?:[RBGY](?:1[0-2]|[1-9])|[WS])\b(?!-)", body), body
    return {CANONICAL[shown] for shown in re.findall(r"\w+[♠♥♦♣]|\bK\b|\bjoker\b", body)}


def shown_in(body: str) -> set[str]:
    """Every card that stands in a body, but for the line that explains the letters.

    Large ones have the number over the letter.
    """
    body = re.sub(r"R red, B blue.*?S skip\.", "", body)
    body = re.sub(r"\b(1[0-2]|[1-9])([RBGY])\b", r"\2\1", body)
    body = re.sub(r"\d\d (?:lay|hit|discard) [^:]*?(?=\d\d |Reply|Tap)", "", body)
    body = re.sub(rf"\b[2-9]\d {SHOWN_CARD.pattern}", "", body)
    return set(SHOWN_CARD.findall(body))


def on_table(view: JsonObject) -> set[str]:
    """The cards that the table of a mail has to show."""
    return cards_in([view["seats"], view["groups"], view["pile"], view["gone"], view["stock"]])


def _colours(html: str, *, dark: bool) -> set[tuple[str, str]]:
    return {(run.colour, run.ground) for run in pages.runs(html, dark=dark)}


def check(content: GameMail) -> Rendered:
    """Check what holds for every mail."""
    rendered = RENDERER.render(content)
    for line in rendered.text.splitlines():
        assert columns(line) <= 72, line
        if not LISTED.fullmatch(line):
            assert is_prose(line.strip(), content.skin), line
            assert is_prose(line.strip(" -"), content.skin), line
    for line in pages.lines(rendered.html, drawn=True):
        if not any(line.startswith(f"{move.number} ") for move in content.moves):
            assert is_prose(line, content.skin), line
    assert len(rendered.html.encode()) < 60_000
    text, html = words(rendered)
    find = standard_in if content.skin == "standard" else shown_in
    shown = find(text)
    assert shown == find(html)
    assert shown <= cards_in([content.view, [fact.data for fact in content.happened]])
    has_table = content.kind != "finished"
    assert shown >= on_table(content.view) or not has_table
    for dark in (False, True):
        for colours in _colours(rendered.html, dark=dark):
            assert pages.contrast(*colours) >= 4.5, colours
    for part in (text, html):
        assert "None" not in part
        assert not re.search(r"\(\)|, ,| :| ;|\s,|\s\.(?!\.)|::", part.replace("...", "")), part
        if not has_table:
            continue
        for number, seat in enumerate(content.view["seats"]):  # type: ignore[arg-type]
            name = "You" if number == content.reader else shown_names(content.players)[number]
            held = seat["hand_size"] if seat["in_deal"] and not seat["resigned"] else "out"
            figures = (seat["phase"], "✓" if seat["laid"] else "–", f"{seat['score']} pts", held)
            row = " ".join(map(str, figures))
            assert re.search(rf"{re.escape(name.split()[0])}[^:]*? {row}\b", part), (row, part)
        for owner, groups in enumerate(content.view["groups"]):  # type: ignore[arg-type]
            for number, group in enumerate(groups):
                name = group_words(groups, number, content.skin).split()[
                    0
                ]  # the rest may be folded
                cards = group["cards"]
                if content.skin == "standard":
                    cards = [card_text(standard_words(card)) for card in cards]
                if owner != 2:  # a name that is folded
                    assert re.search(rf"(Your|’s) {name}.*? {re.escape(cards[0])}", part), part
        assert f"Stock: {content.view['stock_size']} card" in part
        assert not re.search(r"\w\.[0-9]\b", part), part
    return rendered


@pytest.mark.rule("GEN-5", "P10-32")
@BOTH
@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"phases_to_win": 3, "deck": "standard"}),
        (4, {"phases_to_win": 2}),
        (3, {"phases": [4, 8], "ten_hands": True}),
    ],
)
def test_every_mail_of_a_whole_game_is_in_good_form(name: str, players: int, options: dict):
    """At most 72 columns, no line an order, no card that the reader may not see, same in both."""
    for number, table in enumerate(whole_game(name, players, **options)):
        for seat in range(players):
            if table.seat is None:
                check(table.mail(seat, "finished"))
            elif number == 0:
                check(table.mail(seat, "started"))
            elif (seat == table.seat and number % 5 == 0) or number % 31 == 0:
                check(table.mail(seat, "turn" if seat == table.seat else "answer"))


def both(content: GameMail) -> tuple[str, str]:
    """Return both bodies of a mail that is in good form."""
    return words(check(content))


@pytest.mark.rule("GEN-5", "P10-32")
@BOTH
def test_a_drawn_card_is_shown_to_nobody_else(name: str):
    """A taken one is known to everybody until it is played."""
    table = Table(name, 4)
    table.move("draw")
    drawn = next(fact for fact in table.news[table.seat] if fact.audience is not None)
    card = drawn.data["cards"][0]
    carried_out = (LineResult("draw", "done", move="draw"),)
    for body in words(
        RENDERER.render(replace(table.mail(table.seat, "answer"), lines=carried_out))
    ):
        assert f"You drew {card} from the stock" in body
    other = (table.seat + 1) % 4
    for body in both(table.mail(other, "answer")):
        assert f"{NAMES[table.seat]} drew a card from the stock." in body
    taker = Table(name, 2)
    card = taker.state.pile[-1]
    taker.move("take")
    for body in both(taker.mail(1 - taker.seat, "answer")):
        assert f"took {card} from the discards" in body
        assert f"Everybody knows that {NAMES[taker.seat]} holds {card}." in body
    for body in both(taker.mail(taker.seat)):
        assert f"The others know that you hold {card}." in body


@pytest.mark.rule("P10-6", "P10-7", "P10-12", "P10-15")
@BOTH
def test_the_task_says_what_to_do_now(name: str):
    """Draw or take; lay; hit; discard: in words, with the phase."""
    seen: dict[str, int] = {}
    said = {
        "two sets of 3": ("draw", "skip", "lay", "none"),
        "Draw from the stock, or take the": ("draw",),
        "Draw a card from the stock; a skip can’t be taken.": ("skip",),
        "Lay your phase down, as listed or in groups of your own.": ("lay",),
        "You can’t lay your phase down yet": ("none",),
        "Add as many cards to groups as you like": ("hit",),
        "No card of yours fits onto a group; a discard": ("down",),
    }
    for table in whole_game(name, 4, phases_to_win=1):
        if table.seat is None:
            break
        verbs = {move.text.split()[0] for move in table.mail(table.seat).moves}
        own = table.state.seats[table.seat]
        if not table.state.has_drawn:
            stage = "skip" if table.state.pile[-1:] == ("S",) else "draw"
            stage = "again" if own.laid else stage
        elif own.laid:
            stage = "hit" if "hit" in verbs else "down"
        else:
            stage = "lay" if "lay" in verbs else "none"
        seen[stage] = seen.get(stage, 0) + 1
        if stage == "again" or seen[stage] > 2:
            continue
        for body in both(table.mail(table.seat)):
            for sentence, stages in said.items():
                assert (sentence in body) == (stage in stages), (sentence, stage)
            if stage in {"lay", "hit", "down"}:
                assert ("without one you float" in body) == (name == "phase10-family")
    assert {"draw", "lay", "none", "hit"} <= seen.keys()


@pytest.mark.rule("P10-28", "GEN-15")
@BOTH
def test_who_left_and_how_it_ended(name: str):
    """The hand of who resigned goes unseen; at the end all is shown, with places and phases."""
    table = Table(name, 3)
    for _ in range(9):
        table.move()
    table.resign(1)
    unseen = len(table.state.left_unseen)
    assert unseen
    for body in both(table.mail(0, "answer")):
        assert "The hand of Zoë is out of the game now" in body
        assert "left the game" in body
        assert f"Out of the game unseen: {unseen} card" in body
    table.resign(2)
    for reader in range(3):
        for body in both(table.mail(reader, "finished")):
            assert body.count("left the game") >= 2


@pytest.mark.rule("P10-19", "P10-26")
@BOTH
def test_facts_that_come_seldom_have_words(name: str):
    """Skips, floating, restocking, ties: whole sentences, for who did it and for the others."""
    mail = Table(name, 3).mail(0)
    told: list[tuple[str, int | None, JsonObject, str]] = [
        ("skipped", 1, {}, "Zoë lost a turn to a skip."),
        ("floated", 0, {}, "You had no card left to discard and float until"),
        ("floated", 1, {}, "Zoë had no card left to discard and floats until"),
        ("no_draw", 1, {}, "so Zoë went on without a card."),
        ("restocked", None, {"stock_size": 31}, "and 31 cards are in the new stock."),
        ("restocked", None, {"stock_size": 1}, "and 1 card is in the new stock."),
        ("tie_break", None, {"seats": [0, 1]}, "The first place is shared by you and Zoë:"),
        ("discarded", 1, {"card": "S", "named": 0}, "S, which takes the next turn from you."),
        (
            "deal_over", None, {"deal": 2, "winner": None, "points": [0, 35, None]},
            "Hand 3 is over, and nobody has won it. The points of this hand: you none, Zoë 35.",
        ),
        ("stopped", None, {"cause": "silence"}, "everybody had been silent for two turns"),
    ]  # fmt: skip
    facts = [Fact(kind, None if who is None else Seat(who), data) for kind, who, data, _ in told]
    for body in words(RENDERER.render(replace(mail, happened=tuple(facts)))):
        for _, _, _, sentence in told:
            assert sentence in body


@BOTH
@pytest.mark.parametrize("who", [None, 0, 1, 99])
def test_bare_facts(name: str, who: int | None):
    """A fact with less data than expected is told as well as possible, never an error."""
    mail = Table(name, 2).mail(0)
    kinds = (
        "dealt", "drew", "took", "no_draw", "restocked", "laid", "hit", "discarded", "skipped",
        "went_out", "floated", "resigned", "deal_over", "tie_break", "stopped", "game_over",
    )  # fmt: skip
    seat = None if who is None else Seat(who)
    facts = tuple(Fact(kind, seat, {}, None) for kind in kinds)
    assert RENDERER.render(replace(mail, happened=facts)).text


def test_the_largest_mail_stays_small():
    """Six players with all phases down, a hand of wilds, a long pile: below 60 kB, 72 columns."""
    mail = Table("phase10", 4).mail(0)
    group = {"kind": "set", "cards": ["R12"] * 9 + ["W"] * 3}
    run = {"kind": "run", "cards": ["W", *(f"Y{number}" for number in range(3, 12))]}
    view = {**mail.view, "groups": [[group, run]] * 4, "pile": ["B10"] * 60}
    view["seats"] = [{**seat, "laid": True} for seat in mail.view["seats"]]  # type: ignore[union-attr]
    hits = [
        f"hit W on {seat}.{at}{end}" for seat in range(4) for at in (0, 1) for end in ("", " high")
    ]
    texts = [*hits, *hits, *(f"discard R{number}" for number in range(1, 12)), *["discard S 3"] * 3]
    texts = [
        with_seat_names(said_move("phase10", one, Told(view, 0, "", ())), NAMES) for one in texts
    ]
    check(replace(mail, view=view, moves=moves(*texts, players=NAMES)))


@pytest.mark.rule("P10-2")
@BOTH
def test_what_a_mail_shows_in_standard_packs_can_be_answered(name: str) -> None:
    """Every order of the list, as it is shown, is the move that it stands for."""
    read = 0
    for table in whole_game(name, 3, phases_to_win=2, deck="standard"):
        if table.seat is None or table.state.ply % 3:
            continue
        state, seat = table.state, Seat(table.seat)
        for move in table.rules.legal_moves(state, seat):
            shown = standard_words(table.rules.format_move(state, seat, move))
            assert table.rules.parse_order(state, seat, shown) == move, shown
            read += 1
    assert read > 50


@pytest.mark.rule("P10-2")
def test_the_skin_reaches_refusals_and_what_was_played() -> None:
    """Orders in lines, suggestions and standby moves are shown in the deck of the game."""
    table = Table("phase10", 2, deck="standard")
    line = LineResult(
        "discard R7", "refused", message="you do not hold R7", suggestions=("discard R11 ",)
    )
    played = Fact("timed_out", Seat(0), {"move": "discard S 1"})
    content = replace(table.mail(0, "answer"), lines=(line,), happened=(played,))
    text = words(RENDERER.render(content))[0]
    assert "You do not hold 7h" in text
    assert "“discard Jh”" in text
    assert "“discard joker 1”" in text


@pytest.mark.rule("P10-V4")
@pytest.mark.parametrize(
    ("language", "deck", "said"),
    [
        (
            "en", "phase10",
            (
                "Anna laid down phase 2: R5 B5 G5 and W W W W from 3 to 6.",
                "Anna’s run W W W W W from 2 to 6",
                "Anna’s 12s W W W as 12",
            ),
        ),
        (
            "de", "phase10",
            (
                "Anna hat Phase 2 ausgelegt: R5 B5 G5 und W W W W von 3 bis 6.",
                "Annas Folge W W W W W von 2 bis 6",
                "Annas 12er W W W als 12",
            ),
        ),
        (
            "en", "standard",
            (
                "Anna laid down phase 2: 5♥ 5♠ 5♣ and K K K K from 3 to 6.",
                "Anna’s run K K K K K from 2 to 6",
                "Anna’s queens K K K as 12",
            ),
        ),
    ],
)  # fmt: skip
def test_wilds_alone_are_shown_with_what_they_stand_for(
    language: str, deck: str, said: tuple[str, ...]
) -> None:
    """In what happened and on the table, as text and as HTML."""
    table = Table("phase10", 2, naturals="phase", deck=deck)
    options = {"naturals": "phase", "deck": deck}
    table.state = position(
        hand("R5 B5 G5 W W W W W R12 R11", phase=2), done("G1"), drawn=True, options=options
    )
    table.move("lay W W W W as 3 / 5 5 5")
    table.move("hit W on my run low")
    table.move("discard R12")
    content = replace(table.mail(1), language=language)
    happened, run, _ = said
    for body in words(RENDERER.render(content)):
        assert happened in body
        assert run in body
    groups = [[{"kind": "set", "cards": ["W", "W", "W"], "as": 12}], []]
    content = replace(content, view={**content.view, "groups": groups})
    for body in words(RENDERER.render(content)):
        assert said[2] in body


@pytest.mark.rule("P10-V4", "P10-30")
@pytest.mark.parametrize(
    ("language", "listed"),
    [("en", "lay R5 W W / W W W as 1"), ("de", "auslegen R5 W W / W W W als 1")],
)
def test_a_listed_lay_down_says_what_wilds_stand_for(language: str, listed: str) -> None:
    """As it is shown it is understood; the button names it for people who listen."""
    table = Table("phase10", 2, naturals="phase")
    table.state = position(
        hand("R5 W W W W W S"), hand("G1"), drawn=True, options={"naturals": "phase"}
    )
    rendered = RENDERER.render(replace(table.mail(0), language=language))
    assert f"21  {listed}" in rendered.text
    spoken = {"en": "wild, wild, wild as 1", "de": "Wildkarte, Wildkarte, Wildkarte als 1"}
    assert spoken[language] in rendered.html
    read = read_line(listed, [table.rules], NAMES, language=language)
    assert read.kind is LineKind.GAME
    move = table.rules.parse_order(table.state, Seat(0), read.order)
    assert table.rules.format_move(table.state, Seat(0), move) == "lay R5 W W / W W W as 1"


def test_no_letters_of_suits_are_explained() -> None:
    """`my 7s` is a group, and no seven of spades."""
    turns_of_phase10 = [one for one in turns("phase10") if "hit" in one.kind]
    assert turns_of_phase10
    for turn in turns_of_phase10:
        assert "♠" not in RENDERER.render(turn.mail).text


def test_a_card_that_fits_in_many_places_is_one_choice() -> None:
    """It stands above its places, and not once in each of them: a reader thought that all could be done."""
    mails = [turn.mail for turn in turns("phase10") if "hit" in turn.kind]
    mail = max(mails, key=lambda mail: sum("hit W" in move.text for move in mail.moves))
    hits = [move.text for move in mail.moves if move.text.startswith("hit ")]
    fitting = {text.split()[1] for text in hits}
    assert len(fitting) < len({text.partition(" on ")[2] for text in hits})
    page = " ".join(pages.lines(RENDERER.render(mail).html))
    assert page.count("fits here") == len(fitting)
    of_one = [move for move in mail.moves if "hit W" in move.text][:2]
    page = " ".join(pages.lines(RENDERER.render(replace(mail, moves=tuple(of_one))).html))
    assert page.count("fits here") == 1
