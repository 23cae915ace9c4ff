"""Parser and formatter for moves of Phase 10 (GEN-9, P10-2, P10-3).

`forms` parses the words. This module then finds the exact cards and groups in the position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from engine.api import Seat
from engine.errors import AmbiguousOrderError, IllegalMoveError, InvalidOrderError, illegal
from engine.orders import echo
from engine.phase10.cards import (
    COLOUR_OF,
    COLOURS,
    NUMBER_OF,
    SKIP,
    WILD,
    Card,
    Cards,
    card,
    sort_cards,
    without,
)
from engine.phase10.forms import (
    DiscardForm,
    DrawForm,
    HitForm,
    LayForm,
    TakeForm,
    read_form,
)
from engine.phase10.groups import PHASES, Group, Kind, Meaning, arrange, group_text, phase_words
from engine.phase10.moves import (
    TAKE,
    Discard,
    Draw,
    Hit,
    Lay,
    Move,
    Take,
    best_lay,
    find_end,
    goes_out_with_skip,
    lay_of,
    nameable,
    need_drawn,
    need_laid,
    need_to_lay,
    not_held,
    skip_hit,
    ways_to_draw,
)
from engine.phase10.state import State, is_by_phase, plays
from engine.phase10.words import TABLES, AnyColour, Named
from engine.sentences import sentence


def reads_as_order(text: str) -> bool:
    """True if a line has the form of an order of Phase 10, with either deck (P10-2)."""
    own, standard = TABLES["phase10"], TABLES["standard"]
    return (
        read_form(text, own) is not None
        or read_form(text, standard) is not None
        or read_form(text, standard, by_phase=True) is not None
    )


def read_order(state: State, seat: Seat, text: str) -> Move:
    """Convert an order of a seat that may act into a move.

    The legality of the move is checked when it is applied.

    Raises:
        InvalidOrderError: the text is not an order.
        AmbiguousOrderError: the text matches several moves.
        IllegalMoveError: the seat does not hold the cards, or there is no such group.
    """
    deck = state.setup.options["deck"]
    table = TABLES["standard" if deck == "standard" else "phase10"]
    form = read_form(text, table, by_phase=is_by_phase(state.setup.options))
    match form:
        case DrawForm():
            return ways_to_draw(state)[0]  # takes the top discard if nothing else is left (P10-11)
        case TakeForm(named):
            return _take(state, named)
        case LayForm():
            return _lay(state, seat, form)
        case HitForm():
            return _hit(state, seat, form)
        case DiscardForm():
            return _discard(state, seat, form)
        case None:
            raise InvalidOrderError(
                sentence(
                    "“{text}” isn't a move in Phase 10; moves look like draw, take, lay, lay 5 5 5 / 7"
                    " 7 W, hit R5 on my 5s, discard G3, discard S 2",
                    text=echo(text),
                )
            )
        case _:
            assert_never(form)


def _take(state: State, named: Named | None) -> Take:
    top = state.pile[-1] if state.pile else None
    if named is not None and top is not None and not _is_meant(top, named):
        raise illegal(sentence("P10-6: only the top card can be taken, which is {top}", top=top))
    return TAKE


def _is_meant(held: Card, named: Named) -> bool:
    return NUMBER_OF.get(held) == named.number if isinstance(named, AnyColour) else held == named


# --- laying down ----------------------------------------------------------------------------------


def _lay(state: State, seat: Seat, form: LayForm) -> Lay:
    own = state.seats[seat]
    need_to_lay(state, seat)
    if not form.groups:
        lay = best_lay(state, seat)
        if lay is None:
            raise illegal(
                sentence(
                    "P10-30: your hand does not hold phase {phase} ({words})",
                    phase=own.phase,
                    words=phase_words(own.phase),
                )
            )
        return lay
    parts = PHASES[own.phase]
    if parts[0].kind is Kind.COLOUR:
        groups = _in_one_colour(own.hand, form)
    else:
        groups = _of_any_colour(own.hand, form.groups)
    by_phase = is_by_phase(state.setup.options)

    def arranged(written: Sequence[Cards], meant: Sequence[Meaning]) -> Lay:
        return lay_of(arrange(own.phase, written, meant, by_phase=by_phase))

    if len(groups) == 1 < len(parts):
        return _split_in_two(groups[0], form.meant, arranged)
    return arranged(groups, form.meant)


def _split_in_two(
    cards: Cards,
    meant: Sequence[Meaning],
    arranged: Callable[[Sequence[Cards], Sequence[Meaning]], Lay],
) -> Lay:
    """Split cards into two groups that were written without a stroke between them."""
    lays: list[Lay] = []
    unsaid: IllegalMoveError | None = None
    for index in range(1, len(cards)):
        try:
            lay = arranged((cards[:index], cards[index:]), (None, *meant) if meant else ())
        except IllegalMoveError as refusal:
            if refusal.rule == "P10-V4":
                unsaid = unsaid or refusal
            continue
        if lay not in lays:
            lays.append(lay)
    if len(lays) > 1:
        raise AmbiguousOrderError(
            sentence("P10-9: where does the second group begin? Write / between the groups"),
            rule="P10-9",
            candidates=tuple(map(format_move, lays)),
        )
    if not lays and unsaid is not None:
        raise unsaid
    return lays[0] if lays else arranged((cards,), meant)


def _of_any_colour(hand: Cards, named: tuple[tuple[Named, ...], ...]) -> list[Cards]:
    """Choose the cards for a lay-down: exactly named cards first, then plain numbers in order."""
    exact = [each for group in named for each in group if not isinstance(each, AnyColour)]
    left = list(_less_exactly(hand, exact))
    groups: list[Cards] = []
    for group in named:
        cards: list[Card] = []
        for each in group:
            if isinstance(each, AnyColour):
                found = next((held for held in left if _is_meant(held, each)), None)
                if found is None:
                    raise _too_few(hand, each)
                left.remove(found)
                cards.append(found)
            else:
                cards.append(each)
        groups.append(tuple(cards))
    return groups


def _less_exactly(hand: Cards, exact: list[Card]) -> Cards:
    for each in exact:
        if exact.count(each) > hand.count(each):
            raise not_held(each, "P10-12")
    return without(hand, exact)


def _too_few(hand: Cards, named: AnyColour, rule: str = "P10-12") -> IllegalMoveError:
    count = sum(_is_meant(held, named) for held in hand)
    number = named.number
    if count == 0:
        return illegal(sentence("{rule}: you hold no {number}", rule=rule, number=number))
    return illegal(
        sentence(
            "{rule}: you hold only {held} of number {number}", rule=rule, held=count, number=number
        )
    )


def _in_one_colour(hand: Cards, form: LayForm) -> list[Cards]:
    """Choose the cards of a colour group. Plain numbers get the given or the only possible colour."""
    everything = [each for group in form.groups for each in group]
    exact = [each for each in everything if not isinstance(each, AnyColour)]
    bare = [each for each in everything if isinstance(each, AnyColour)]
    left = _less_exactly(hand, exact)
    said = {*form.meant} & {*COLOURS}
    colours = {COLOUR_OF[each] for each in exact if each in COLOUR_OF} or said or {*COLOURS}
    fitting: list[dict[AnyColour, Card]] = []
    for colour in COLOURS:
        meant = {each: card(f"{colour}{each.number}") for each in bare}
        if colour in colours and all(
            bare.count(each) <= left.count(one) for each, one in meant.items()
        ):
            fitting.append(meant)
    if not fitting:
        raise illegal(sentence("P10-12: you do not hold these in one colour"))
    if bare and len(fitting) > 1:
        raise AmbiguousOrderError(
            sentence("P10-9: of which colour?"),
            rule="P10-9",
            candidates=tuple(
                format_move(Lay((sort_cards([*exact, *(meant[each] for each in bare)]),)))
                for meant in fitting
            ),
        )
    meant = fitting[0]
    return [
        tuple(meant[each] if isinstance(each, AnyColour) else each for each in group)
        for group in form.groups
    ]


# --- hitting and discarding -----------------------------------------------------------------------


def _held(hand: Cards, named: Named, rule: str) -> Cards:
    """Return the distinct cards of the hand that match a name. Raises: IllegalMoveError if none."""
    cards_held = tuple(dict.fromkeys(held for held in hand if _is_meant(held, named)))
    if not cards_held:
        raise (
            _too_few(hand, named, rule) if isinstance(named, AnyColour) else not_held(named, rule)
        )
    return cards_held


def _hit(state: State, seat: Seat, form: HitForm) -> Hit:
    """Return the first legal hit on a group that matches the order (P10-16)."""
    need_drawn(state)
    need_laid(state, seat)
    cards = _held(state.seats[seat].hand, form.card, "P10-15")
    if cards[0] == SKIP:
        raise skip_hit()
    owner = seat if form.is_own else form.owner
    if owner is not None and not 0 <= owner < len(state.groups):
        raise illegal(sentence("P10-15: there is no seat {owner} at this table", owner=owner))
    owners = range(len(state.groups)) if owner is None else (owner,)
    hits: list[Hit] = []
    refusals: list[IllegalMoveError] = []
    for each in owners:
        for number, group in meant_groups(state.groups[each], form):
            for one in cards:
                try:
                    end = find_end(group, one, form.end)
                except IllegalMoveError as refusal:
                    refusals.append(refusal)
                else:
                    hits.append(Hit(one, Seat(each), number, end if one == WILD else None))
                    break
    if not hits:
        raise refusals[0] if refusals and owner is not None else _nowhere(form, cards[0], refusals)
    if owner is None and len(hits) > 1:
        raise AmbiguousOrderError(
            sentence("P10-15: onto which group?"),
            rule="P10-15",
            candidates=tuple(map(format_move, hits)),
        )
    return hits[0]


def meant_groups(groups: Sequence[Group], form: HitForm) -> list[tuple[int, Group]]:
    """Return the groups of a seat that match an order, with their numbers."""
    meant = [
        (number, group)
        for number, group in enumerate(groups)
        if form.number in (None, number)
        and form.kind in (None, group.kind)
        and (
            form.rank is None
            or (group.kind is Kind.SET and NUMBER_OF.get(group.cards[0], group.number) == form.rank)
        )
    ]
    return meant if form.which is None else meant[form.which : form.which + 1]


def _nowhere(form: HitForm, meant: Card, refusals: list[IllegalMoveError]) -> IllegalMoveError:
    ends = [refusal for refusal in refusals if refusal.rule == "P10-16"]
    if ends and (meant == WILD or len(ends) == len(refusals)):
        return ends[0]
    if not refusals:
        return illegal(sentence("P10-15: there is no such group on the table"))
    what = form.card.number if isinstance(form.card, AnyColour) else meant
    return illegal(sentence("P10-15: {what} fits onto no group on the table", what=what))


def _colour_matters(state: State) -> bool:
    """True if colours can matter in this deal: a colour group is on the table or may be laid down."""
    return any(
        plays(state, seat) and PHASES[own.phase][0].kind is Kind.COLOUR
        for seat, own in enumerate(state.seats)
    ) or any(group.kind is Kind.COLOUR for groups in state.groups for group in groups)


def _discard(state: State, seat: Seat, form: DiscardForm) -> Discard:
    need_drawn(state)
    if form.more:
        raise illegal(
            sentence("P10-6: you discard one card a turn, not {count}", count=1 + len(form.more))
        )
    hand = state.seats[seat].hand
    held = _held(hand, SKIP if form.card is None else form.card, "P10-6")
    if held[0] == SKIP:
        return _discard_skip(state, seat, form.named)
    if len(held) > 1 and _colour_matters(state):
        raise AmbiguousOrderError(
            sentence("GEN-9: of which colour? It may matter in this hand"),
            rule="GEN-9",
            candidates=tuple(format_move(Discard(each)) for each in held),
        )
    return Discard(held[0])


def _discard_skip(state: State, seat: Seat, other: int | None) -> Discard:
    """Return the discard of a skip with the named seat, or the only possible seat (P10-19 to 22)."""
    if goes_out_with_skip(state, seat):
        return Discard(SKIP)
    if other is not None:
        return Discard(SKIP, Seat(other))
    named = nameable(state, seat)
    if len(named) > 1:
        raise AmbiguousOrderError(
            sentence("P10-19: whom does the skip name?"),
            rule="P10-19",
            candidates=tuple(format_move(Discard(SKIP, each)) for each in named),
        )
    return Discard(SKIP, named[0] if named else None)


# --- formatting -----------------------------------------------------------------------------------


def format_move(move: Move) -> str:
    """Return the canonical text of a move, as used in the log and the engine protocol."""
    match move:
        case Draw():
            return "draw"
        case Take():
            return "take"
        case Lay(groups, numbers):
            if not numbers:
                return "lay " + " / ".join(" ".join(group) for group in groups)
            return "lay " + " / ".join(map(group_text, groups, numbers))
        case Hit(one, owner, number, end):
            return f"hit {one} on {owner}.{number}" + ("" if end is None else f" {end.value}")
        case Discard(one, named):
            return f"discard {one}" + ("" if named is None else f" {named}")
        case _:
            assert_never(move)
