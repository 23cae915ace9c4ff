"""A mail that speaks for a seat: its orders, one after the other (GEN-10), and one answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace

from engine.api import JsonValue, Seat
from engine.orders import nearest_moves
from pbem.domain import clockwork, decide, disputes, timeouts
from pbem.domain.decision import ELSEWHERE, Decision
from pbem.domain.events import Recorded
from pbem.domain.game import Game
from pbem.domain.orders import Line, LineKind, names_list_number, read_lines, reads_as_order
from pbem.domain.service_words import Word
from pbem.domain.tokens import SeatToken
from pbem.errors import Refusal
from pbem.mail_in.body import extract_reply
from pbem.mail_in.message import InboundMail, Reply
from pbem.mail_in.parse import parse_mail
from pbem.mail_out.content import LineResult
from pbem.service import games, limits, lobby, mailings, player_mail, preferences, time_orders
from pbem.service.context import Service
from pbem.service.verdict import Verdict
from pbem.store.inbox import InboxMail
from pbem.store.outbox import Outgoing
from pbem.store.uow import UnitOfWork

SHOWN_LINE = 200
PLAIN_PLEASE = "Please answer again with a few lines of plain text and without attachments."
MAILS_COMPARED = 3
"""Of the mails that a reply may quote, so many of the newest are compared with it."""

VOID = (
    "The reply address that you used was replaced by a new one and moves nothing any more, so"
    " nothing was carried out. Please answer this mail instead, or a newer one of this game."
)

INFORMATION = {Word.HELP: "help", Word.RULES: "rules", Word.GAMES: "games"}
"""Words that are answered by a mail of their own."""


@dataclass(slots=True)
class _Reading:
    """Where the reading of one mail stands."""

    service: Service
    uow: UnitOfWork
    decision: Decision
    token: SeatToken
    names: tuple[str, ...]
    results: list[LineResult] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    information: list[player_mail.Question] = field(default_factory=list)
    catches_up: bool = False
    stopped: bool = False

    @property
    def game(self) -> Game:
        game = self.decision.game
        if game is None:
            raise ValueError("a seat's mail has a game")
        return game


def handle(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, token: SeatToken
) -> Verdict:
    """Carry out the orders of one mail and queue its answer."""
    game = games.load(uow, token.game_id)
    names = games.shown_names(uow, [seat.player for seat in game.seats])
    sent = answered_mails(uow, mail, token)
    answered, answered_html = quoted_bodies(one.rendered for one in sent if one.rendered)
    reply = extract_reply(
        mail,
        answered=answered,
        answered_html=answered_html,
        is_order=lambda line: reads_as_order(line, [game.ruleset], names),
    )
    decision = games.begin(
        uow,
        service,
        game,
        actor=f"seat:{token.seat}",
        cause=f"mail:{hashlib.sha256(row.raw).hexdigest()}",
    )
    reading = _Reading(service, uow, decision, token, names)
    is_back = False
    if _is_void(uow, game, token):
        reading.stopped = True
        reading.notes.append(VOID)
    elif game.status == "moved":
        reading.stopped = True
        reading.notes.append(ELSEWHERE)
    else:
        is_back = timeouts.take_back(decision, token.seat)
        _carry_out(reading, reply)
    after = game
    recorded: tuple[Recorded, ...] = ()
    if decision.events:
        if reading.game.status == "running" and reading.game.position > game.position:
            decide.settle(decision)
        elif is_back:
            clockwork.welcome_back(decision, token.seat)
        after, recorded = games.record(uow, decision)
    player = after.seats[token.seat].player
    left = limits.idle_answers_left(service, uow, player)
    if not recorded and not left:
        return player_mail.SILENCE
    for question in reading.information:
        player_mail.send_information(service, uow, row, mail, player, question, after)
    notes: list[JsonValue] = list(reading.notes)
    if not recorded:
        notes += limits.last_answer_note(service, left)
    answer = mailings.Answer(
        seat=token.seat,
        message_id=mail.message_id,
        params={"lines": _lines_json(reading.results), "notes": notes},
        key=f"answer:{row.id}" if recorded else f"{limits.IDLE}{row.id}",
        since=game.seats[token.seat].seen if reading.catches_up else game.version,
        unread_since=game.seats[token.seat].seen,
    )
    done = sum(result.outcome == "done" for result in reading.results)
    only_information = done == len(reading.information) > 0 and not reading.stopped
    mailings.queue(
        uow,
        service,
        after,
        recorded,
        position_before=game.position,
        answer=None if only_information else answer,
    )
    refused = sum(result.outcome == "refused" for result in reading.results)
    return Verdict("done", f"{done} done, {refused} refused, {len(recorded)} events")


def _is_void(uow: UnitOfWork, game: Game, token: SeatToken) -> bool:
    """Say whether a reply address is of an earlier rotation, or of who sat there before."""
    state = game.seats[token.seat]
    player = uow.players.get(state.player)
    rotation = 0 if player is None else player.rotation
    return (token.generation, token.rotation) != (state.generation, rotation)


def answered_mails(uow: UnitOfWork, mail: InboundMail, token: SeatToken) -> list[Outgoing]:
    """Give our mails that a mail may quote: those that it names, or the newest of its seat."""
    named = [
        sent
        for sent in uow.outbox.by_message_id(mail.answers)
        if (sent.game_id, sent.seat) == (token.game_id, token.seat)
    ]
    sent = named or uow.outbox.sent_to(token.game_id, token.seat, token.listing)
    return [one for one in sent[:MAILS_COMPARED] if one.rendered]


def quoted_bodies(raws: Iterable[bytes]) -> tuple[str | None, str | None]:
    """Give text and HTML of our mails that were answered, so that quoted lines are recognised."""
    ours = [parse_mail(raw) for raw in raws]
    if not ours:
        return None, None
    return "\n".join(one.plain or "" for one in ours), "\n".join(one.html or "" for one in ours)


def _carry_out(reading: _Reading, reply: Reply) -> None:
    game = reading.game
    if reply.doubts:
        reading.stopped = True
        reading.notes.append(
            "Nothing was carried out: I cannot tell whether some lines are yours or quoted from"
            " my mail. Please answer again and delete the quoted text below your orders."
        )
        reading.results.extend(_result(line, "not-done") for line in reply.doubts[:10])
        return
    if reply.unread is not None:
        reading.stopped = True
        reading.notes.append(f"Your mail could not be read: {reply.unread}. {PLAIN_PLEASE}")
        return
    lines = read_lines(reply.text, [game.ruleset], reading.names)
    if not lines:
        reading.stopped = True
        reading.notes.append("Your mail had no text of its own, so nothing was done.")
        return
    at = next((at for at, line in enumerate(lines) if line.word is Word.DISPUTE), len(lines))
    lines, complaint = lines[:at], lines[at:]  # whatever stands below the word is part of it
    if any(line.word in (Word.RESIGN, Word.CONFIRM) for line in lines):
        _resign(reading, lines)
    else:
        for line in lines:
            _carry_out_line(reading, line)
    if complaint:
        reading.stopped = False
        text = "\n".join([complaint[0].argument or "", *(line.text for line in complaint[1:])])
        _carry_out_line(reading, replace(complaint[0], argument=text))
    if all(result.outcome == "unused" for result in reading.results) and not reading.information:
        reading.stopped = True
        reading.notes.append("None of your lines is an order, so nothing was done.")


def _carry_out_line(reading: _Reading, line: Line) -> None:
    if line.kind is LineKind.PROSE:
        reading.results.append(_result(line.text, "unused"))
        return
    if reading.stopped:
        reading.results.append(_result(line.text, "not-done"))
        return
    try:
        move = _do(reading, line)
    except Refusal as refusal:
        reading.stopped = True
        reading.results.append(
            LineResult(
                line=line.text[:SHOWN_LINE],
                outcome="refused",
                message=refusal.message,
                rule=refusal.rule,
                suggestions=refusal.suggestions,
            )
        )
    else:
        reading.results.append(LineResult(line.text[:SHOWN_LINE], "done", move=move))


def _do(reading: _Reading, line: Line) -> str | None:
    """Carry out one order; gives the canonical text of a move. Raises: Refusal."""
    seat = reading.token.seat
    if line.kind is LineKind.NEAR:
        raise _near(reading, line)
    if line.word in time_orders.WORDS:
        _about_time(reading, line, line.word)
        return None
    if line.word in preferences.WORDS:
        player = reading.game.seats[seat].player
        reading.notes.append(preferences.carry_out(reading.service, reading.uow, player, line))
        return None
    match line.word:
        case None:
            return _play(reading, line)
        case Word.JOIN:
            player = reading.game.seats[seat].player
            is_operator = lobby.is_operator(reading.service, reading.uow, player)
            decide.join(reading.decision, seat, line.argument, is_operator=is_operator)
            phrase = reading.game.seats[seat].phrase
            if line.argument is not None and phrase is not None:
                reading.notes.append(
                    f"Your phrase for the shuffles, exactly as it is used: {phrase}"
                )
        case Word.DECLINE:
            decide.decline(reading.decision, seat)
        case Word.HELP | Word.RULES | Word.GAMES:
            reading.information.append((INFORMATION[line.word], line.argument))
        case Word.DISPUTE:
            number = disputes.open_dispute(reading.decision, seat, line.argument or "")
            reading.notes.append(
                f"The number of your dispute is {number}. The admin was told, and may now read your"
                " own mails of this game, nobody else's."
            )
        case Word.BOARD | Word.HISTORY:
            reading.catches_up = True
        case _:
            raise Refusal("not-asked", f'Nothing is asked that "{line.text}" would answer.')
    return None


def _about_time(reading: _Reading, line: Line, word: Word) -> None:
    """Carry out an order about time, here or in all games of the player. Raises: Refusal."""
    decision, seat = reading.decision, reading.token.seat
    if word not in time_orders.EVERYWHERE:
        reading.notes += time_orders.in_this_game(
            decision, seat, word, line.argument, reading.names
        )
        return
    zone = decision.zones.get(seat, "UTC")
    act, said = time_orders.act_of(word, line.argument, zone, reading.service)
    report = time_orders.in_all_games(
        reading.service,
        reading.uow,
        reading.game.seats[seat].player,
        act,
        cause=decision.cause or "",
        here=(decision, seat),
    )
    reading.notes += [said, *report.notes(word)]


def _play(reading: _Reading, line: Line) -> str:
    game, token = reading.game, reading.token
    seat = token.seat
    decide.running(game)
    if not game.may_decide(seat):
        raise Refusal("not-to-act", _whose_turn(reading))
    if token.decision != game.seats[seat].decision:
        raise Refusal(
            "stale",
            "Your mail answers an older position; others have moved since. Here is the table as"
            " it is now: please decide again.",
        )
    if names_list_number(line.order, game.ruleset) and token.listing < game.position:
        raise Refusal(
            "old-number",
            "That number belongs to the list of an earlier mail. Use the list below, or name the"
            " cards.",
        )
    return decide.play(reading.decision, seat, line.order, source="mail")


def _whose_turn(reading: _Reading) -> str:
    game, seat = reading.game, reading.token.seat
    if game.seats[seat].status in ("resigned", "removed"):
        return "You have left this game and have nothing to decide in it."
    others = " and ".join(reading.names[number] for number in game.to_act)
    return f"It is not your turn: {others} must move first." if others else "Nobody is to move now."


def _near(reading: _Reading, line: Line) -> Refusal:
    game, seat = reading.game, reading.token.seat
    suggestions: tuple[str, ...] = (line.guess,) if line.guess else ()
    if not suggestions and game.status == "running" and seat in game.to_act:
        suggestions = tuple(nearest_moves(game.ruleset, game.state, Seat(seat), line.text))
    message = "This looks like an order with a typing mistake; nothing was guessed."
    if line.guess is not None and line.guess.startswith("play "):
        message = "This may be a card or just a word, so nothing was played."
    return Refusal("near", message, suggestions=suggestions)


def _resign(reading: _Reading, lines: Sequence[Line]) -> None:
    """Resign only from a faultless mail: `resign` and `confirm`, and nothing else."""
    words = [line.word for line in lines]
    confirmed = words == [Word.RESIGN, Word.CONFIRM] or (
        words == [Word.RESIGN] and "confirm" in lines[0].text.lower()
    )
    try:
        if not confirmed:
            raise Refusal(
                "confirm",
                "Resigning cannot be undone. If you mean it, send a mail that holds nothing but the"
                " line: resign confirm",
                rule="GEN-7",
                suggestions=("resign confirm",),
            )
        decide.resign(reading.decision, reading.token.seat)
    except Refusal as refusal:
        reading.stopped = True
        reading.results.append(
            LineResult(
                lines[0].text[:SHOWN_LINE],
                "refused",
                message=refusal.message,
                rule=refusal.rule,
                suggestions=refusal.suggestions,
            )
        )
        reading.results.extend(_result(line.text, "not-done") for line in lines[1:])
    else:
        reading.results.extend(_result(line.text, "done") for line in lines)


def _result(line: str, outcome: str) -> LineResult:
    return LineResult(line[:SHOWN_LINE], outcome)


def _lines_json(results: Sequence[LineResult]) -> list[JsonValue]:
    return [{**asdict(result), "suggestions": list(result.suggestions)} for result in results]
