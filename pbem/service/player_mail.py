"""A mail that speaks for a person and not for a seat: questions, and the asking who it was."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict

from engine import registry
from engine.api import JsonObject
from pbem.domain.game import Game
from pbem.domain.orders import Line, read_lines, reads_as_order
from pbem.domain.service_words import Word
from pbem.domain.tokens import ConfirmToken, PlayerToken, SeatToken
from pbem.errors import Refusal
from pbem.mail_in.body import extract_reply
from pbem.mail_in.message import InboundMail
from pbem.mail_out.content import LineResult
from pbem.service import games, limits, mailings, preferences, time_orders, whose
from pbem.service.context import Service
from pbem.service.verdict import Verdict
from pbem.store.inbox import InboxMail
from pbem.store.players import Player
from pbem.store.uow import UnitOfWork

QUESTIONS = ("games", "rules", "help")

UNPROVEN = (
    "A mail in your name came without the proof of its origin (DKIM, DMARC) that this server asks"
    " for, so nothing in it was carried out. If it was yours, send it through the mail server of"
    " your own provider; otherwise somebody pretends to be you, in vain."
)
SILENCE = Verdict("ignored", "changed nothing, and enough such mails were answered in this hour")
_OPEN = frozenset({"inviting", "running"})

Question = tuple[str, str | None]
"""What somebody asks for, one of `QUESTIONS`, and the ruleset that `rules` was asked of, if any."""


def without_token(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player | None,
    *,
    wrong_token: bool,
) -> Verdict:
    """Answer a registered person who wrote to the bare address; strangers get no answer."""
    if player is None:
        return Verdict("ignored", "no token, and a sender whom nobody knows")
    if wrong_token:
        message = (
            "The address that you answered to is not valid (any more), so nothing was carried out."
            " Please answer the newest mail of that game; games lists them."
        )
        return refuse(service, uow, row, mail, player, message, ())
    return handle(service, uow, row, mail, player)


def handle(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, player: Player
) -> Verdict:
    """Answer questions that need no game."""
    if mail.unread is not None:
        message = (
            f"Your mail could not be read: {mail.unread}. Please answer again with a few lines of"
            " plain text and without attachments."
        )
        return refuse(service, uow, row, mail, player, message, ())
    rulesets = registry.latest()
    reply = extract_reply(mail, is_order=lambda line: reads_as_order(line, rulesets))
    lines = read_lines(reply.text, rulesets)
    words = [(line.word.value, line.argument) for line in lines if line.word is not None]
    asked = list(dict.fromkeys(word for word in words if word[0] in QUESTIONS))
    away = [line for line in lines if line.word in time_orders.EVERYWHERE]
    wishes = [line for line in lines if line.word in preferences.WORDS]
    if away:
        return _about_time(service, uow, row, mail, player, away[0])
    if wishes:
        return _preferences(service, uow, row, mail, player, wishes)
    if not asked:
        message = (
            "Your mail is not about a certain game: to move, answer the turn mail of that game,"
            " whose reply address knows the position."
        )
        return refuse(service, uow, row, mail, player, message, lines)
    if not limits.idle_answers_left(service, uow, player.id):
        return SILENCE
    for question in asked:
        send_information(service, uow, row, mail, player.id, question, None)
    return Verdict("done", f"asked for {', '.join(kind for kind, _ in asked)}")


def _about_time(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    line: Line,
) -> Verdict:
    """Carry out `vacation …` or `back` in all games of a person."""
    try:
        if line.word is None:
            raise Refusal("vacation", "Nothing was asked.")
        act, said = time_orders.act_of(line.word, line.argument, player.zone, service)
        cause = f"mail:{hashlib.sha256(row.raw).hexdigest()}"
        notes = time_orders.in_all_games(service, uow, player.id, act, cause=cause).notes(line.word)
    except Refusal as refusal:
        return refuse(service, uow, row, mail, player, refusal.message, (line,))
    mailings.queue_to_player(
        uow,
        service,
        kind="noted",
        player_id=player.id,
        key=f"noted:{row.id}",
        params={"message": " ".join([said, *notes])},
        answers=mail.message_id,
    )
    return Verdict("done", f"{line.word.value} in all games")


def _preferences(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    lines: Sequence[Line],
) -> Verdict:
    """Carry out what a person wishes for all their mails; a refusal ends it (GEN-10)."""
    said: list[str] = []
    for line in lines:
        try:
            said.append(preferences.carry_out(service, uow, player.id, line))
        except Refusal as refusal:
            message = " ".join([*said, refusal.message])
            return refuse(service, uow, row, mail, player, message, (line,))
    if not limits.idle_answers_left(service, uow, player.id):
        return SILENCE
    mailings.queue_to_player(
        uow,
        service,
        kind="noted",
        player_id=player.id,
        key=f"{limits.IDLE}{row.id}",
        params={"message": " ".join(said)},
        answers=mail.message_id,
    )
    return Verdict("done", f"{len(lines)} wishes about mails")


def hold(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, owner: str
) -> Verdict:
    """A right token from an address that is not the player's: ask the registered address first.

    One question stands for all mails from that address; a stranger cannot have many asked.
    """
    sender = mail.sender or ""
    if uow.inbox.held_from(owner, sender):
        return Verdict("held", "right token, sender is not the seat's player: asked before")
    if not limits.may_ask(service, uow, owner):
        return Verdict("ignored", "right token, a stranger's address, and enough was asked today")
    mailings.queue_to_player(
        uow,
        service,
        kind="ask_sender",
        player_id=owner,
        key=f"{limits.QUESTION}{row.id}",
        params={"inbox_id": row.id},
    )
    return Verdict("held", "right token, sender is not the seat's player: asked")


def confirm(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player | None,
    token: ConfirmToken,
) -> Verdict:
    """Take the registered address's word for a held mail: `yes` releases it, `no` drops it."""
    held = _held(service, uow, token.inbox_id)
    if player is None or held is None or held.player_id != player.id:
        return Verdict("ignored", "a confirmation by somebody who was not asked")
    if held.status != "held":
        return refuse(service, uow, row, mail, player, "That mail is settled already.", ())
    reply = extract_reply(mail, is_order=lambda line: reads_as_order(line, ()))
    lines = read_lines(reply.text, ())
    word = next((line.word for line in lines if line.word in (Word.YES, Word.NO)), None)
    if word is None:
        message = "Please answer yes (the mail was mine) or no (drop it)."
        return refuse(service, uow, row, mail, player, message, lines)
    all_held = uow.inbox.held_from(player.id, held.sender or "")
    if word is Word.NO:
        for mail_id in all_held:
            uow.inbox.mark(mail_id, "dropped", verdict={"why": "not the player's own"})
        return Verdict("done", "a held mail was disowned")
    if held.sender is not None and not uow.players.add_address(player.id, held.sender):
        known = uow.players.by_address(held.sender)
        if known is None or known.id != player.id:
            message = "That address belongs to another player; the mail stays set aside."
            return refuse(service, uow, row, mail, player, message, ())
    for mail_id in all_held:
        uow.inbox.mark(mail_id, "new")
    return Verdict("done", "a held mail was confirmed")


def _held(service: Service, uow: UnitOfWork, mail_id: int) -> InboxMail | None:
    """Give the mail that a question is about; of one held before schema 0002, it is found out whose."""
    held = uow.inbox.get(mail_id)
    if held is None or held.status != "held" or held.player_id is not None:
        return held
    mail = whose.read(service, held.raw, held.mail_from, head_only=True)
    _, token = whose.token_of(service, held.rcpt_to, mail)
    owner = whose.owner_of(uow, token) if isinstance(token, SeatToken | PlayerToken) else None
    if owner is not None:
        uow.inbox.attribute(mail_id, mail.sender, owner.id)
    return uow.inbox.get(mail_id)


def send_information(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player_id: str,
    question: Question,
    game: Game | None,
) -> None:
    """Queue the answer to a question; `game` is the one that it was asked in."""
    kind, of = question
    params: JsonObject = {}
    if kind == "rules":
        params = _rules(uow, player_id, of, game)
    elif kind == "games":
        params = {"games": [list(game) for game in _games_of(uow, player_id)]}
    mailings.queue_to_player(
        uow,
        service,
        kind=kind,
        player_id=player_id,
        key=f"{limits.IDLE}{row.id}:{kind}:{of or ''}",
        params=params,
        answers=mail.message_id,
    )


def _rules(uow: UnitOfWork, player_id: str, of: str | None, game: Game | None) -> JsonObject:
    """Give the rules of a game with its options; of another ruleset those with the defaults.

    Who asks outside a game for no ruleset gets the rules of the one open game, if there is one, and
    is else told how to ask.
    """
    if game is None:
        here = [row for row in uow.projections.games_of(player_id) if row.status in _OPEN]
        meant = [row for row in here if of in (None, row.ruleset)]
        game = games.load(uow, meant[0].id) if len(meant) == 1 else None
    if game is not None and of in (None, game.ruleset.id.name):
        text = game.ruleset.rules_text(len(game.seats), game.options)
        return {"title": game.ruleset.title, "text": text}
    if of is None:
        names = [f"rules {name}" for name in registry.names()]
        return {"message": "Which game do you mean?", "suggestions": [*names]}
    rules = registry.find(of)
    return {"title": rules.title, "text": rules.rules_text()}


def _games_of(uow: UnitOfWork, player_id: str) -> list[tuple[str, str, str, str]]:
    """Give (id, title, names of the players, state in words) of a player's games."""
    found: list[tuple[str, str, str, str]] = []
    for row in uow.projections.games_of(player_id):
        names = games.shown_names(uow, [seat.player_id for seat in uow.projections.seats(row.id)])
        title = registry.find(row.ruleset, row.ruleset_version).title
        found.append((row.id, title, ", ".join(names), row.status))
    return found


def refuse(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    message: str,
    lines: tuple[Line, ...],
) -> Verdict:
    """Answer that nothing was carried out, and why; silent once too many answers changed nothing."""
    left = limits.idle_answers_left(service, uow, player.id)
    if not left:
        return SILENCE
    shown = [LineResult(line.text[:200], "unused") for line in lines]
    mailings.queue_to_player(
        uow,
        service,
        kind="refusal",
        player_id=player.id,
        key=f"{limits.IDLE}{row.id}",
        params={
            "message": " ".join([message, *limits.last_answer_note(service, left)]),
            "lines": [{**asdict(result), "suggestions": []} for result in shown],
            "suggestions": list(QUESTIONS),
        },
        answers=mail.message_id,
    )
    return Verdict("done", "refused: not an order for a game")


def refuse_unproven(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player | None,
) -> Verdict:
    """Tell a person that a mail in their name came without the proof that the admin asks for."""
    if player is None:
        return Verdict("ignored", "not authenticated, and a sender whom nobody knows")
    verdict = refuse(service, uow, row, mail, player, UNPROVEN, ())
    return Verdict("ignored", "not authenticated") if verdict.status == "done" else verdict


def refuse_replaced(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player | None,
) -> Verdict:
    """Tell who sat in a seat before that somebody else plays there now; nobody else is asked."""
    if player is None:
        return Verdict("ignored", "a reply address of who sat there before, from a stranger")
    message = (
        "Somebody else plays in that seat now, so nothing was carried out; your mails of that game"
        " move nothing any more."
    )
    return refuse(service, uow, row, mail, player, message, ())


def refuse_flood(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, player: Player
) -> Verdict:
    """Say once an hour that too many mails came; what is not carried out is kept."""
    limit = service.settings.limits.mails_per_hour
    mailings.queue_to_player(
        uow,
        service,
        kind="refusal",
        player_id=player.id,
        key=f"flood:{player.id}:{row.game_id}:{limits.window(service.now())}",
        params={
            "message": f"More than {limit} mails of yours came within an hour. This one and those"
            " that follow it were not carried out; please send what still matters once more in an"
            " hour."
        },
        answers=mail.message_id,
    )
    return Verdict("ignored", "more mails in an hour than are carried out")
