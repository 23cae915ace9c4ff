"""Hands of the standard pack and plays of one rank: listing, validation and parsing.

Hands are sorted in canonical order. Each game decides which cards may be played on which.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final, TypeAlias

from engine.cards import (
    PACK,
    POSITION,
    RANK_OF,
    RANKS,
    SUITS,
    Card,
    Named,
    Reading,
    Several,
    card,
    card_words,
    read_cards,
)
from engine.errors import AmbiguousOrderError, IllegalMoveError, illegal
from engine.reading.tokens import split_parts, split_words
from engine.sentences import Sentence, sentence

Cards: TypeAlias = tuple[Card, ...]

_PLACE: Final = POSITION.__getitem__
"""Sort key for the canonical order of cards."""

# --- hands ----------------------------------------------------------------------------------------


def without(cards: Cards, gone: Cards) -> Cards:
    """Return the cards that are not in `gone`, in their original order."""
    if len(gone) == 1:
        return after_play(cards, gone) if gone[0] in cards else cards
    return tuple([card for card in cards if card not in gone])


def after_play(cards: Cards, played: Cards) -> Cards:
    """Return the cards without the played ones, in order. All played cards must be among them."""
    index = cards.index(played[0])
    end = index + len(played)
    if len(played) == 1 or cards[index:end] == played:
        # Adjacent cards, as in most plays, can be cut out with slices.
        return cards[:index] + cards[end:]
    return without(cards, played)


def with_cards(cards: Cards, taken: Cards) -> Cards:
    """Merge cards into a sorted hand and return it in canonical order."""
    if len(taken) == 1:
        position, index = POSITION[taken[0]], 0
        for held in cards:
            if POSITION[held] > position:
                break
            index += 1
        return cards[:index] + taken + cards[index:]
    both = [*cards, *taken]
    both.sort(key=_PLACE)
    return tuple(both)


# --- plays ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Play:
    """Play cards of one rank (PHY-8, PHY-17, CAT-6)."""

    cards: Cards
    """The cards, in canonical order. There is at least one."""

    def __str__(self) -> str:
        return "play " + " ".join(with_cards((), self.cards))


@dataclass(frozen=True, slots=True)
class PickUp:
    """Move the pile into the hand (PHY-12, CAT-12)."""

    def __str__(self) -> str:
        return "pickup"


PICK_UP: Final = PickUp()

PLAYS: Final[Mapping[Cards, Play]] = {
    cards: Play(cards)
    for rank in RANKS
    for count in range(1, len(SUITS) + 1)
    for cards in combinations(tuple(card for card in PACK if RANK_OF[card] == rank), count)
}
"""All possible plays by their cards. They are created only once."""

_WRITTEN: Mapping[str, Play | PickUp] = {
    **{str(play): play for play in PLAYS.values()},
    str(PICK_UP): PICK_UP,
}
"""Moves by their canonical text: all plays, and picking up the pile."""


_Next: TypeAlias = "dict[Card, tuple[Play, _Next]]"
_FOLLOWING: Final[dict[Cards, _Next]] = {before: {} for before in ((), *PLAYS)}
"""Table for listing plays: last play, then next card, then the next play and its own table.

After 7c the card 7d extends the play to 7c 7d. A card of another rank starts a new play.
"""
# Single cards share their entries. Otherwise the table would not fit into the CPU cache.
_ALONE: Final = {card: (PLAYS[card,], _FOLLOWING[card,]) for card in PACK}
for _before, _following in _FOLLOWING.items():
    _following.update(_ALONE)
    for _card in PACK:
        _longer = PLAYS.get((*_before, _card))
        if _longer is not None:
            _following[_card] = (_longer, _FOLLOWING[_longer.cards])


def list_plays(cards: Cards, playable: frozenset[Card]) -> list[Any]:
    """Return a new list with the plays of sorted cards, by rank, then by number of cards (GEN-9).

    Each playable card stands for one play: the card with all cards of its rank that have lower
    suits.
    """
    plays: list[Play] = []
    following = _FOLLOWING[()]
    for held in cards:
        if held in playable:
            play, following = following[held]
            plays.append(play)
    return plays


def playable_cards(
    can_be_played_on: Callable[[str, str | None], bool], never_on_top: str
) -> dict[Card | None, frozenset[Card]]:
    """Tabulate `can_be_played_on`: top card (None for no pile) to playable cards.

    Args:
        can_be_played_on: called with the rank of a card and the rank of the top card.
        never_on_top: the rank that removes the pile when played.
    """
    tops = (None, *(top for top in PACK if RANK_OF[top] != never_on_top))
    return {
        top: frozenset(
            card
            for card in PACK
            if can_be_played_on(RANK_OF[card], None if top is None else RANK_OF[top])
        )
        for top in tops
    }


def in_order(cards: Cards, rule: str) -> Cards:
    """Return the cards of a play in canonical order.

    Raises:
        IllegalMoveError: the cards are not different cards of one rank.
    """
    if cards in PLAYS:
        return cards
    if len({RANK_OF[card] for card in cards}) != 1 or len(set(cards)) != len(cards):
        raise illegal(
            sentence("{rule}: one play is one or more different cards of one rank", rule=rule),
        )
    return with_cards((), cards)


def not_high_enough(cards: Cards, pile: Cards, rule: str) -> IllegalMoveError:
    """Create the error for cards that may not be played on the pile."""
    return illegal(
        sentence(
            "{rule}: {rank} does not beat the {top} on the pile",
            rule=rule,
            rank=RANK_OF[cards[0]],
            top=RANK_OF[pile[-1]],
        ),
    )


def times(count: int) -> Sentence:
    """Format a number of times, e.g. `twice` or `5 times`."""
    return _TIMES.get(count) or sentence("{count} times", count=count)


_TIMES = {
    1: sentence("once"),
    2: sentence("twice"),
    3: sentence("three times"),
}


def cautious_play(
    cards: Iterable[Card], playable: Container[Card], ranks: Iterable[str], single: Container[str]
) -> Play | None:
    """Return the play of a silent seat, or None if no card can be played.

    Args:
        cards: cards that the seat plays from, sorted.
        playable: cards that may be played.
        ranks: all ranks in order of preference.
        single: ranks of which only one card is played. For other ranks, all cards are played.
    """
    by_rank: dict[str, Cards] = {}
    for held in cards:
        if held in playable:
            by_rank[RANK_OF[held]] = (*by_rank.get(RANK_OF[held], ()), held)
    for rank in ranks:
        if rank in by_rank:
            return PLAYS[by_rank[rank][:1] if rank in single else by_rank[rank]]
    return None


# --- orders ---------------------------------------------------------------------------------------

PICK_UP_WORDS = frozenset(
    {"pick", "up", "pickup", "take", "the", "discard", "pile", "it", "all", "cards", "whole"}
)

_PLAY_WORDS = (
    ("play",), ("use",), ("choose",), ("select",), ("throw", "down"), ("throw",), ("drop",),
    ("put", "down"), ("lay", "down"), ("lay",),
)  # fmt: skip
PLAY_WORDS = frozenset(word for words in _PLAY_WORDS for word in words)


_CHOOSING = ("choose", "select", "use")
"""Verbs that may also mean choosing cards for another purpose."""


def without_play_words(words: Sequence[str]) -> list[str]:
    """Remove the leading verb from card words, or a single `play` from any other position.

    A repeated `play` is kept and makes the words invalid.
    """
    for verb in _PLAY_WORDS:
        if tuple(words[: len(verb)]) == verb:
            return list(words[len(verb) :])
    return [word for word in words if word != "play" or words.count(word) > 1]


def written_move(text: str, source: Cards) -> Play | PickUp | None:
    """Return the move with this canonical text, or None if the text must be parsed.

    A play is returned only if all its cards are in `source`.
    """
    move = _WRITTEN.get(text)
    if isinstance(move, Play):
        for named in move.cards:
            if named not in source:
                return None
    return move


def says_pick_up(words: Collection[str]) -> bool:
    """True if lower-case words mean `pickup`. Words must not be repeated."""
    present = frozenset(words)
    return (
        len(present) == len(words)
        and present <= PICK_UP_WORDS
        and ("it" not in present or "pick" in present)
        and (bool(present & {"pickup", "take"}) or present >= {"pick", "up"})
    )


@dataclass(frozen=True, slots=True)
class TakeForm:
    """A card after `take` or `pickup`. `take` may refer to the whole pile or to a card of the hand.

    Attributes:
        named: the card, or only its rank.
        is_sure: True if the words can only mean the pile: `pickup Q`.
    """

    named: Named
    is_sure: bool


def read_take(words: Sequence[str]) -> TakeForm | None:
    """Parse lower-case words such as `take the 3` or `pickup Qd`. Return None for other words."""
    if not words or words[0] not in ("take", "pickup"):
        return None
    singles = [
        cards for cards in read_cards(words[1:]) if isinstance(cards, tuple) and len(cards) == 1
    ]
    if not singles or (singles[0][0].suit is None and "the" not in words):
        return None
    return TakeForm(singles[0][0], words[0] == "pickup")


@dataclass(frozen=True, slots=True)
class PlayForm:
    """Cards to play, with every interpretation of the words.

    Attributes:
        readings: the interpretations, of which at least one exists.
        has_verb: True after a verb that can only mean playing.
    """

    readings: tuple[Reading, ...]
    has_verb: bool = field(compare=False)


def read_play(text: str) -> PlayForm | TakeForm | None:
    """Parse a line that names cards, with or without a verb. Return None for other lines."""
    words = card_words(split_parts(text))
    taken = read_take(words)
    if taken is not None:
        return taken
    spelt = split_words(text)
    if len(spelt) == 1 and len(spelt[0]) == 1 and spelt[0].islower():
        return None  # a line that is only "k" or "a" is more likely a word than a card
    named = without_play_words(words)
    readings = read_cards(named)
    has_verb = len(named) < len(words) and words[0] not in _CHOOSING
    return PlayForm(readings, has_verb) if readings else None


def means_pile(form: TakeForm, pile: Cards, source: Cards, rule: str) -> bool:
    """True if a card to take is on the pile, False if it is in `source`.

    Raises:
        IllegalMoveError: the card is in neither.
        AmbiguousOrderError: the card is in both.
    """
    named = form.named.rank + (form.named.suit or "")
    lies, held = (any(text.startswith(named) for text in cards) for cards in (pile, source))
    if lies and held and not form.is_sure:
        raise AmbiguousOrderError(
            sentence("these words can be understood in more than one way"),
            rule="GEN-9",
            candidates=("pickup", f"play {named}"),
        )
    if not lies and (form.is_sure or not held):
        words = sentence("{rule}: {named} is not on the pile", rule=rule, named=named)
        raise illegal(words)
    return lies


def choose_play(readings: Iterable[Reading], find: Callable[[Reading], Cards], rule: str) -> Play:
    """Return the only play that matches the words.

    Args:
        readings: all interpretations of the words.
        find: returns the exact cards of an interpretation. Raises IllegalMoveError.
        rule: id of the rule that all cards of a play have one rank.

    Raises:
        IllegalMoveError: no interpretation is possible.
        AmbiguousOrderError: several interpretations are possible.
    """
    of_one_rank = [
        reading
        for reading in readings
        if isinstance(reading, Several) or len({named.rank for named in reading}) == 1
    ]
    if not of_one_rank:
        raise illegal(sentence("{rule}: one play is cards of one rank only", rule=rule))
    plays: list[Play] = []
    refusals: list[IllegalMoveError] = []
    for reading in of_one_rank:
        try:
            play = PLAYS[find(reading)]
        except IllegalMoveError as refusal:
            refusals.append(refusal)
        else:
            if play not in plays:
                plays.append(play)
    if not plays:
        raise refusals[0]
    if len(plays) > 1:
        raise AmbiguousOrderError(
            sentence("these words can be understood in more than one way"),
            rule="GEN-9",
            candidates=tuple("play " + " ".join(play.cards) for play in plays),
        )
    return plays[0]


def find_cards(
    reading: Reading,
    source: Cards,
    missing: Callable[[str, int], IllegalMoveError],
    rule: str,
) -> Cards:
    """Return the cards that an interpretation means, in canonical order (GEN-9).

    Cards named with a suit are chosen first, then the lowest suits of ranks.

    Args:
        reading: the interpretation.
        source: the available cards, sorted.
        missing: creates the error for a card or rank, given the number that is available.
        rule: id of the rule that no card is named twice.

    Raises:
        IllegalMoveError: not enough cards are available.
    """
    if isinstance(reading, Several):
        held = tuple(held for held in source if RANK_OF[held] == reading.rank)
        count = max(len(held), 1) if reading.count is None else reading.count
        if len(held) < count:
            raise missing(reading.rank, len(held))
        return held[:count]
    chosen: list[Card] = []
    for named in reading:
        if named.suit is not None:
            exact = card(named.rank + named.suit)
            if exact in chosen:
                raise illegal(sentence("{rule}: {exact} is named twice", rule=rule, exact=exact))
            if exact not in source:
                raise missing(exact, 0)
            chosen.append(exact)
    for named in reading:
        if named.suit is None:
            held = tuple(held for held in source if RANK_OF[held] == named.rank)
            free = next((held for held in held if held not in chosen), None)
            if free is None:
                raise missing(named.rank, len(held))
            chosen.append(free)
    return with_cards((), tuple(chosen))
