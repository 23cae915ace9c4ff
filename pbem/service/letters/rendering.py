"""Compose the bytes of a message: its text, headers and attachments."""

from __future__ import annotations

from dataclasses import replace

from engine.sentences import sentence
from pbem.domain.log.chain import GameId, Head
from pbem.domain.terms.tokens import PlayerToken
from pbem.errors import LogError, Refusal, UpcastError
from pbem.language import translate
from pbem.mail_in.quotes.answered import own_page_text, page_text
from pbem.mail_out.compose import Attachment, MailHead, compose, forms
from pbem.mail_out.content import Content, DigestMail, GameMail, InvitationMail, ServiceMail
from pbem.mail_out.ics import CalendarEntry, attached_calendar
from pbem.mail_out.kinds import ASK_STOP, KINDS, WELCOME, AnswerParams
from pbem.mail_out.render import Rendered
from pbem.service.core import limits
from pbem.service.core.context import Service
from pbem.service.core.names import reply_link
from pbem.service.letters import contents
from pbem.service.logbook import replay_page
from pbem.service.logbook.verify import checked_export
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import OutboxMail

MAX_UNVERIFIED = 20_000
"""Maximum size in bytes of the answer to an unauthenticated message."""
LEFT_OUT = sentence("The rest is left out. Reply to this mail to read all of it.")


def render(
    service: Service, uow: UnitOfWork, row: OutboxMail, rcpt_to: str
) -> tuple[bytes, tuple[str, str]]:
    """Compose a message. Return its bytes, its plain text, and the text of its HTML form."""
    content = contents.build(service, uow, row)
    raw, _, shown = compose_message(service, uow, row, content, rcpt_to)
    text, html = forms(shown)
    read = own_page_text if service.config.service.templates is None else page_text
    return raw, (text, read(html))


def _after_the_last(uow: UnitOfWork, row: OutboxMail, content: Content) -> Content:
    """Add to each game in a message the log head that the previous message reported."""

    def before(part: GameMail | InvitationMail) -> Head:
        own, game_id = Head(part.version, part.head), GameId(part.game_id)
        return uow.reported_heads.advance_to(row.player_id or "", game_id, own)

    if isinstance(content, ServiceMail):
        return content
    if isinstance(content, DigestMail):
        games = tuple(replace(game, before=before(game)) for game in content.games)
        return replace(content, games=games)
    return replace(content, before=before(content))


def _parts(content: Content) -> tuple[GameMail | InvitationMail, ...]:
    """Return the parts of a message that are about games."""
    if isinstance(content, DigestMail):
        return content.games
    return () if isinstance(content, ServiceMail) else (content,)


def compose_message(
    service: Service, uow: UnitOfWork, row: OutboxMail, content: Content, rcpt_to: str
) -> tuple[bytes, Rendered, Rendered]:
    """Compose a message with this content. Return its bytes, the complete text and the text sent.

    The answer to an unauthenticated message is short and plain, so that it cannot be used to flood
    a victim.
    """
    content, page = _with_page(service, uow, row, _after_the_last(uow, row, content))
    player = None if row.player_id is None else uow.players.get(row.player_id)
    rendered = service.renderer.render(content, () if player is None else player.cards)
    token = service.tokens.token_text(content.reply_to) if service.tokens.is_plain else None
    if token is not None:
        rendered = _with_token(rendered, token)
    is_thread = row.game_id is not None and not isinstance(content, ServiceMail | DigestMail)
    is_plain = player is not None and not player.wants_html
    unsubscribe = _unsubscribe_address(service, uow, row, content)
    head = MailHead(
        sender_name=service.config.service.name,
        recipient=rcpt_to,
        message_id=service.tokens.message_id(row.message_id),
        date=row.created_at,
        own_address=service.own_address,
        reply_to=service.tokens.shown(content.reply_to),
        token=token,
        root=f"{row.game_id}.{row.seat}@{service.message_domain}" if is_thread else None,
        answers=row.answers,
        automatic="auto-replied" if row.answers else "auto-generated",
        heads=tuple(
            (part.game_id, Head(part.version, part.head), part.before) for part in _parts(content)
        ),
        unsubscribe=None if unsubscribe is None else reply_link(service, unsubscribe, "stop"),
    )
    if row.key.startswith(limits.CLAIM):
        raw, shown = _short(rendered, head, content.language)
        return raw, shown, shown
    shown = replace(rendered, html="") if is_plain else rendered
    attachment = page or _calendar(service, row, content, rendered) or _file(service, uow, row)
    return compose(shown, head, attachment), rendered, shown


def _with_token(rendered: Rendered, token: str) -> Rendered:
    """Append the token to the text on a separate line, so that a reply quotes it."""
    html = rendered.html.replace(
        "</body>", f'<div style="color:#566159;font-size:11px;">[{token}]</div></body>'
    )
    return replace(rendered, text=f"{rendered.text.rstrip()}\n\n[{token}]\n", html=html)


def _with_page(
    service: Service, uow: UnitOfWork, row: OutboxMail, content: Content
) -> tuple[Content, Attachment | None]:
    """Attach a finished game's page to the message that announces the end.

    If the log is damaged or the page is too large, the message is sent without it.
    """
    if not isinstance(content, GameMail) or not content.replay_file or row.player_id is None:
        return content, None
    try:
        page = replay_page.for_player(service, uow, GameId(content.game_id), row.player_id)
    except (LogError, UpcastError, Refusal):
        page = b""
    if not page or len(page) > replay_page.MAX_ATTACHED:
        return replace(content, replay_file=""), None
    return content, Attachment(content.replay_file, "application/octet-stream", page)


def _short(rendered: Rendered, head: MailHead, language: str) -> tuple[bytes, Rendered]:
    """Compose a plain text message of at most `MAX_UNVERIFIED` bytes, cut at a line end."""
    shown = replace(rendered, html="")
    raw = compose(shown, head)
    keep = len(rendered.text)
    while len(raw) > MAX_UNVERIFIED:
        keep = keep * 9 // 10
        lines = rendered.text[:keep].rpartition("\n")[0]
        shown = replace(shown, text=f"{lines}\n\n{translate(LEFT_OUT, language)}\n")
        raw = compose(shown, head)
    return raw, shown


def _calendar(
    service: Service, row: OutboxMail, content: Content, rendered: Rendered
) -> Attachment | None:
    """Create a calendar entry for the deadline in a message, or return None."""
    if not rendered.entry or not isinstance(content, GameMail) or content.deadline is None:
        return None
    return attached_calendar(
        CalendarEntry(
            uid=f"{content.game_id}.{content.reader}@{service.message_domain}",
            sequence=content.version,
            stamped_at=row.created_at,
            due_at=content.deadline if content.bank is None else content.bank.base_at,
            summary=rendered.entry,
            organizer=service.own_address,
        )
    )


def _file(service: Service, uow: UnitOfWork, row: OutboxMail) -> Attachment | None:
    """Return the file that a player requested: a log or a page.

    Raises: LogError, UpcastError if the log was damaged after the request.
    """
    params = KINDS[row.kind].read(row.params)
    if not isinstance(params, AnswerParams):
        return None
    if params.export:
        log = checked_export(uow, GameId(params.export))
        return Attachment(f"{params.export}.jsonl", "application/octet-stream", log)
    if params.replay and row.player_id is not None:
        shown = replay_page.for_player(service, uow, GameId(params.replay), row.player_id)
        return Attachment(f"{params.replay}.html", "application/octet-stream", shown)
    return None


def _unsubscribe_address(
    service: Service, uow: UnitOfWork, row: OutboxMail, content: Content
) -> str | None:
    if row.kind in (
        WELCOME.name,
        ASK_STOP.name,
    ):  # here, the unsubscribe link answers the question
        return content.reply_to
    player = None if row.player_id is None else uow.players.get(row.player_id)
    if player is None or not KINDS[row.kind].is_theirs:  # the reader may be another person
        return None
    return service.tokens.address(PlayerToken(player.id, player.rotation))
