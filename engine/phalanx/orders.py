"""From a player's words to a move of Phalanx and back (GEN-9).

First the words are given a form without looking at the table (`read_form`); then the form is turned
into a move in the position. So a line of prose is told from an order that cannot be carried out.
Suits matter here: a bare rank names a card only if there is just one of that rank. A side zone may
be called by the neighbour who shares it: `7s with 2`; the log knows it as left or right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias, assert_never

from engine.api import Seat
from engine.cards import RANK_OF, STANDARD, Card, Named, Several, card, card_words, read_cards
from engine.errors import AmbiguousOrderError, EngineError, IllegalMoveError, InvalidOrderError
from engine.orders import LONGEST_ORDER, echo, split_parts, split_words
from engine.phalanx.betting import CHECK, Bet, Bets
from engine.phalanx.moves import (
    PASS,
    Move,
    Open,
    Pass,
    Play,
    Target,
    legal_moves,
    need_open,
    need_phase,
    no_target,
    open_places,
    targets,
)
from engine.phalanx.places import places_words
from engine.phalanx.state import BETTING, CHOOSING, PLAYING, Lying, State
from engine.phalanx.turn import need_to_act
from engine.phalanx.zones import PLACES, SEAT_PLACES, zone_number
from engine.sentences import all_of, sentence

_PLACE_WORDS = {
    "left": "left",
    "center": "center",
    "centre": "center",
    "middle": "center",
    "right": "right",
}
_TAKE_WORDS = frozenset({"x", "×", "take", "takes", "taking", "capture", "captures", "capturing"})
_SMALL_WORDS = frozenset({"to", "the", "in", "into", "on", "at", "my", "zone", "zones", "goes"})
_PLAY_WORDS = frozenset({"play", "put", "place", "lay", "use"})
_CHECK_WORDS = frozenset({"check", "decline", "fold"})
_MATCH_WORDS = frozenset({"match", "call"})
_OF_WORDS = frozenset({"of", "from"})
_ARTICLES = frozenset({"a", "an"})
_SIDES = ("left", "right")
_WITH_SEAT = re.compile(
    r"""(?<![\w@])(?:
        (?:
            (?:(?:(?:in)?to|in|on|at)\s+)?(?:(?:the|my)\s+)?(?:zone|side)
            \s+(?:with|of|against|between\s+(?:me|us)\s+and)
            |with|against|beside|next\s+to|(?P<to>(?:in)?to|towards?)
        )\s+(?:seat\s+)?(?P<seat>[0-9])
        |(?:(?:in)?to|in|on|at|by|with)\s+(?:seat\s+)?(?P<owner>[0-9])['’]s\s+(?:zone|side)
    )(?![\w'’])""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
"""A side zone by the seat that shares it: `with 2`, `to 2`, `on 2's side`."""
_SCORE = re.compile(r"\W*[0-9]+\s+(?:to|against)\s+[0-9]\W*", re.ASCII)
"""No order but the result of some other game."""
_BETS = re.compile(r"\b(?:raise|match|call)\b", re.IGNORECASE)
_OPENS = re.compile(r"\b(?:open|start)\b", re.IGNORECASE)
_NEGATIVE = re.compile(r"[-‐‑–—−][0-9]")
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)

ORDER_WORDS: tuple[str, ...] = tuple(
    sorted(
        {"open", "start", *_PLAY_WORDS, "with", "pass", "raise", "by", "seat", "and", *_ARTICLES}
        | {"against", "side"}
        | {*_PLACE_WORDS, *_TAKE_WORDS, *_SMALL_WORDS, *_CHECK_WORDS, *_MATCH_WORDS, *_OF_WORDS}
        | set(STANDARD.words())
    )
)
"""Every word that may stand in an order."""


@dataclass(frozen=True, slots=True)
class OpenForm:
    """A card for the opening."""

    card: Named


@dataclass(frozen=True, slots=True)
class TargetForm:
    """A card for a king, with its owner if it was said."""

    card: Named
    seat: int | None


@dataclass(frozen=True, slots=True)
class PlayForm:
    """A card, perhaps a zone, perhaps a king's target; alone it may be an opening.

    `beside` is the seat that shares the zone, if it was said so.
    """

    card: Named
    place: str | None
    target: TargetForm | None
    beside: int | None = None


Form: TypeAlias = OpenForm | PlayForm | Bets | Pass


def read_form(text: str) -> Form | None:
    """Read a line as an order in any position; None if it is not an order."""
    text = _in_places(text)
    apart = text.replace("@", " @ ") if len(text) <= LONGEST_ORDER else text
    spelt = split_words(apart)
    words = list(card_words(split_parts(apart)))
    if not words:
        return None
    if words == ["pass"]:
        return PASS
    if (len(words) == 1 and words[0] in _CHECK_WORDS) or words == ["no", "raise"]:
        return CHECK
    if words[0] in _MATCH_WORDS or words[0] == "raise":
        return None if _NEGATIVE.search(text) else _read_bets(words)
    if words[:2] == ["start", "with"]:
        words[0] = "open"
    if "open" in words:
        words.remove("open")
        rest = [word for word in words if word not in {"with", "center", "centre", *_SMALL_WORDS}]
        named = _one_card(rest)
        return OpenForm(named) if named else None
    if len(spelt) == 1 and len(spelt[0]) == 1 and spelt[0].islower():
        return None  # a line that is only "k" or "a" is rather a word than a card
    if words[0] in _PLAY_WORDS and not (
        words[0] == "place" and _PLACE_WORDS.keys().isdisjoint(words)
    ):
        words = words[1:]  # "place 2" is what somebody earned
    return _read_play(words)


def _zones_called(text: str) -> list[tuple[re.Match[str], int]]:
    """Return where a line calls a zone by a seat, with the seat."""
    if len(text) > LONGEST_ORDER or _SCORE.fullmatch(text) or _OPENS.search(text):
        return []
    is_bet = _BETS.search(text) is not None  # "raise left to 5" names a sum
    return [
        (found, int(found["seat"] or found["owner"]))
        for found in _WITH_SEAT.finditer(text)
        if not (is_bet and found["to"])
    ]


def _in_places(text: str, places: Mapping[int, str] | None = None) -> str:
    """Write the places for the zones that a line calls by their seats.

    Which side is whose depends on the table; for the form alone any will do.
    """
    called = _zones_called(text)
    for at, (found, other) in reversed([*enumerate(called)]):
        place = _SIDES[min(at, 1)] if places is None else places[other]
        text = f"{text[: found.start()]} {place} {text[found.end() :]}"
    return text


def _one_card(words: Sequence[str]) -> Named | None:
    """Read words for exactly one card: `7s`, `the seven of spades`, `a seven`, a rank.

    An `a` is an ace if that makes it one card (`a left`, `a of spades`), else an article.
    """
    without_article = words[1:] if words and words[0] in _ARTICLES else ()
    for said in (words, without_article):
        for reading in read_cards(said, STANDARD):
            if not isinstance(reading, Several) and len(reading) == 1:
                return reading[0]
    return None


def _read_play(words: list[str]) -> PlayForm | None:
    places = [word for word in words if word in _PLACE_WORDS]
    if len(places) > 1:
        return None
    place = _PLACE_WORDS[places[0]] if places else None
    words = [word for word in words if word not in _PLACE_WORDS]
    beside = None
    if place is None and words[-3:-1] == ["by", "seat"] and _NUMBER.fullmatch(words[-1]):
        beside, words = int(words[-1]), words[:-3]
    words = _apart(words)
    marks = [at for at, word in enumerate(words) if word in _TAKE_WORDS]
    if len(marks) > 1:
        return None
    end = marks[0] if marks else len(words)
    if marks and words[end - 1] == "and":
        words = [*words[: end - 1], *words[end:]]  # "Ks right and take 10d"
        end -= 1
    named = _one_card([word for word in words[:end] if word not in _SMALL_WORDS])
    if named is None:
        return None
    if not marks:
        return PlayForm(named, place, None, beside)
    target = _read_target([word for word in words[end + 1 :] if word not in _SMALL_WORDS])
    return None if target is None else PlayForm(named, place, target)


def _apart(words: list[str]) -> list[str]:
    """Split `x10d` into the mark and the card."""
    result: list[str] = []
    for word in words:
        if len(word) > 1 and word[0] in "x×" and _one_card([word[1:]]):
            result += [word[0], word[1:]]
        else:
            result.append(word)
    return result


def _read_target(words: list[str]) -> TargetForm | None:
    """Read `10d`, `10d @ 2`, `10 of diamonds of seat 2`, `10d from 2`."""
    seat = None
    if len(words) > 2 and _NUMBER.fullmatch(words[-1]):  # noqa: PLR2004  (card, mark, number)
        mark = words[-2]
        if mark == "seat" and len(words) > 3 and words[-3] in _OF_WORDS:  # noqa: PLR2004
            seat, words = int(words[-1]), words[:-3]
        elif mark in {"@", "seat", *_OF_WORDS}:
            seat, words = int(words[-1]), words[:-2]
    named = _one_card(words)
    return None if named is None else TargetForm(named, seat)


def _read_bets(words: list[str]) -> Bets | None:
    """Read `match center`, `raise left 5`, `raise left by 5, match center and right`."""
    bets: list[Bet] = []
    verb = ""
    if words[0] == "raise" and len(words) > 2 and _NUMBER.fullmatch(words[1]):  # noqa: PLR2004
        words = [words[0], *words[2:], words[1]]  # "raise 3 on the left"
    place: str | None = None
    amount: int | None = None
    for word in words:
        if word in _MATCH_WORDS or word == "raise":
            if place is not None or amount is not None or (verb and not bets):
                return None  # the bet before is not complete
            verb = "match" if word in _MATCH_WORDS else "raise"
        elif word in _PLACE_WORDS:
            if place is not None:
                return None
            place = _PLACE_WORDS[word]
        elif _NUMBER.fullmatch(word):
            if amount is not None or verb == "match" or int(word) == 0:
                return None
            amount = int(word)
        elif word not in _SMALL_WORDS and word not in {"and", "by", "one"}:
            return None
        if place is not None and (verb == "match" or amount is not None):
            bets.append(Bet(place, amount or 0))
            place = amount = None
    ends_complete = place is None and amount is None and words[-1] not in {*_MATCH_WORDS, "raise"}
    if not bets or not ends_complete or len({bet.place for bet in bets}) < len(bets):
        return None
    return Bets(tuple(sorted(bets, key=lambda bet: PLACES.index(bet.place))))


def reads_as_order(text: str) -> bool:
    """True if a line has the form of an order of Phalanx."""
    return read_form(text) is not None


# --- in a position --------------------------------------------------------------------------------


def parse_order(state: State, seat: Seat, text: str) -> Move:
    """Turn one order into a move; its legality is checked when it is made.

    Raises: NotToActError, InvalidOrderError, AmbiguousOrderError, IllegalMoveError.
    """
    need_to_act(state, seat)
    called = list(dict.fromkeys(other for _, other in _zones_called(text)))
    if called and read_form(text) is not None:
        return _called_by_neighbours(state, seat, text, called)
    form = read_form(text)
    match form:
        case Pass() | Bets():
            return form
        case OpenForm(named):
            need_phase(state, CHOOSING)
            return Open(_held(state, seat, named))
        case PlayForm(named, place, target):
            if state.phase == CHOOSING and place is None and target is None:
                return Open(_held(state, seat, named))
            need_phase(state, PLAYING)
            return _play(state, seat, form)
        case None:
            raise InvalidOrderError(
                sentence(
                    "“{text}” is no order of Phalanx; {examples}",
                    text=echo(text),
                    examples=_examples(state),
                )
            )
        case _:
            assert_never(form)


def _called_by_neighbours(state: State, seat: Seat, text: str, called: Sequence[int]) -> Move:
    """Read an order that calls zones by seats. Raises: as `parse_order`.

    Two players share both sides; only what can be played on one of them is clear then.
    """
    zones = SEAT_PLACES[state.ring][seat]
    sides = [
        [place for place in _SIDES if other != seat and other in zones.others[zones.zones[place]]]
        for other in called
    ]
    orders = [
        _in_places(text, dict(zip(called, places, strict=True))) for places in product(*sides)
    ]
    if not orders:
        raise IllegalMoveError(
            sentence("PLX-3: you share a zone with your two neighbours only"), rule="PLX-3"
        )
    if len(orders) == 1:
        return parse_order(state, seat, orders[0])
    moves: list[Move] = []
    candidates: list[str] = []
    refusals: list[EngineError] = []
    for order in orders:
        try:
            moves.append(parse_order(state, seat, order))
        except AmbiguousOrderError as error:
            candidates += error.candidates
        except EngineError as error:
            refusals.append(error)
    if len(moves) == 1 and not candidates:
        return moves[0]
    if not moves and not candidates:
        raise refusals[0]
    raise AmbiguousOrderError(
        sentence("left or right? You share both zones with the same player"),
        rule="PLX-3",
        candidates=(*(format_move(state, seat, move) for move in moves), *candidates),
    )


def _examples(state: State) -> str:
    if state.phase == CHOOSING:
        return sentence("an order now looks like open 9h")
    if state.phase == BETTING:
        return sentence("orders now look like check, match center, raise left 5")
    return sentence("orders look like play 7s left, Qs center, Ks right x 10d")


def _held(state: State, seat: Seat, named: Named, place: str | None = None) -> Card:
    """Find the card of the hand that is meant; the zone only helps with candidates."""
    hand = state.hands[seat]
    fitting = _fitting(named, hand)
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        rule = "PLX-7" if state.phase == CHOOSING else "PLX-11"
        raise IllegalMoveError(
            sentence("{rule}: you do not hold {named}", rule=rule, named=_said(named)), rule=rule
        )
    raise AmbiguousOrderError(
        sentence("which {rank}? You hold {fitting}", rank=named.rank, fitting=all_of(fitting)),
        rule="GEN-9",
        candidates=_meant(state, seat, fitting, place),
    )


def _meant(
    state: State,
    seat: Seat,
    cards: Sequence[Card],
    place: str | None = None,
    places: Sequence[str] = PLACES,
) -> tuple[str, ...]:
    """Name the legal moves with one of these cards, into this zone if it was said."""
    if state.phase == CHOOSING:
        return tuple(f"open {one}" for one in cards)
    return tuple(
        format_move(state, seat, move)
        for move in legal_moves(state, seat)
        if isinstance(move, Play)
        and move.card in cards
        and place in (None, move.place)
        and move.place in places
    )


def _fitting(named: Named, cards: Sequence[Card]) -> tuple[Card, ...]:
    if named.suit is not None:
        exact = card(named.rank + named.suit)
        return (exact,) if exact in cards else ()
    return tuple(one for one in cards if RANK_OF[one] == named.rank)


def _said(named: Named) -> str:
    return named.rank + (named.suit or "")


def _play(state: State, seat: Seat, form: PlayForm) -> Play | Pass:
    played = _held(state, seat, form.card, form.place)
    place = form.place
    if place is None:
        places = _places_meant(state, seat, form.beside)
        if len(places) != 1:
            if not places:
                need_open(state, seat, "center")  # refuses, and says why
            raise AmbiguousOrderError(
                sentence(
                    "into which zone does {played} go: {places}?",
                    played=played,
                    places=places_words(places),
                ),
                rule="PLX-11",
                candidates=_meant(state, seat, (played,), places=places),
            )
        place = places[0]
    need_open(state, seat, place)
    there = targets(state, seat, zone_number(place, seat, state.ring))
    if RANK_OF[played] != "K" and form.target is not None:
        raise IllegalMoveError(
            sentence("PLX-13: only a king takes a card; {played} is none", played=played),
            rule="PLX-13",
        )
    if RANK_OF[played] != "K" or (form.target is None and not there):
        return Play(played, place)
    fitting = there if form.target is None else _fitting_targets(form.target, there)
    if not fitting and form.target is not None:
        card_said, owner = _said(form.target.card), form.target.seat
        if owner is not None:
            card_said = sentence("{card} of seat {seat}", card=card_said, seat=owner)
        raise no_target(card_said, place, there)
    plays = [Play(played, place, Target(lying.seat, lying.card)) for lying in fitting]
    if len(plays) > 1:
        raise AmbiguousOrderError(
            sentence("which card does {played} take?", played=played),
            rule="PLX-14",
            candidates=tuple(format_move(state, seat, play) for play in plays),
        )
    return plays[0]


def _places_meant(state: State, seat: Seat, beside: int | None) -> tuple[str, ...]:
    """Return the open zones; of a named neighbour only those that are shared. Rules: PLX-3."""
    places = open_places(state, seat)
    if beside is None:
        return places
    own = SEAT_PLACES[state.ring][seat]
    sides = tuple(
        place
        for place, zone in own.zones.items()
        if place != "center" and beside in own.others[zone]
    )
    if not sides:
        raise IllegalMoveError(
            sentence("PLX-3: you share no side zone with seat {seat}", seat=beside), rule="PLX-3"
        )
    return tuple(place for place in sides if place in places) or sides


def _fitting_targets(form: TargetForm, there: list[Lying]) -> list[Lying]:
    cards = _fitting(form.card, tuple(lying.card for lying in there))
    return [
        lying
        for lying in there
        if lying.card in cards and (form.seat is None or lying.seat == form.seat)
    ]


def format_move(state: State, seat: Seat, move: Move) -> str:
    """Return the canonical text of a move, as the log and the engine protocol have it."""
    match move:
        case Open(opened):
            return f"open {opened}"
        case Play(played, place, target):
            taken = "" if target is None else f" x {_format_target(state, seat, place, target)}"
            return f"play {played} {place}{taken}"
        case Pass():
            return "pass"
        case Bets(bets):
            return ", ".join(map(_format_bet, bets)) or "check"
        case _:
            assert_never(move)


def _format_target(state: State, seat: Seat, place: str, target: Target) -> str:
    """Name a king's target, with its seat if the card alone would be ambiguous."""
    there = targets(state, seat, zone_number(place, seat, state.ring))
    is_alone = sum(lying.card == target.card for lying in there) == 1
    return target.card if is_alone else f"{target.card}@{target.seat}"


def _format_bet(bet: Bet) -> str:
    return f"raise {bet.place} {bet.raise_by}" if bet.raise_by else f"match {bet.place}"
