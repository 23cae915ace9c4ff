"""Find and erase personal data stored outside the log.

An erased incoming message keeps its hash, because the log refers to it. An outgoing message keeps
its kind, seat and Message-ID.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from sqlalchemy import Connection, or_, select

from engine.api import JsonObject
from engine.canonical import canonical_json
from pbem.domain.log.chain import GameId
from pbem.domain.log.seat_events import SEATING
from pbem.store.log.event_store import OF_A_LEAGUE
from pbem.store.post.inbox import SEALED_TEXTS, Inbox
from pbem.store.post.outbox import Outbox
from pbem.store.post.outbox_queries import PARAMS
from pbem.store.post.pruning import kept_token
from pbem.store.rows.core import (
    ADDRESS,
    BOUNCE,
    EVENT,
    INBOX,
    OUTBOX,
    OWN_KEY,
    PLAYER,
    QUESTION,
    REACH,
    InboxMail,
    OutboxMail,
)
from pbem.store.rows.lobby_rows import INVITATION
from pbem.store.seal.binding import sign_object
from pbem.store.seal.envelope import Envelopes, SealedTables
from pbem.store.seal.packing import pack_facts

ERASED = "erased"
"""Reason recorded for a message whose content was erased."""


class Traces(SealedTables):
    """Access to all rows that refer to a person, within one unit of work."""

    def __init__(self, connection: Connection, envelopes: Envelopes) -> None:
        super().__init__(connection, envelopes)
        self._inbox = Inbox(connection, envelopes)
        self._outbox = Outbox(connection, envelopes)

    def games_of(self, players: Collection[str]) -> list[GameId]:
        """List every game in which any of these players has, had or was offered a seat."""
        named = [EVENT.c.public.contains(player_id, autoescape=True) for player_id in players]
        query = select(EVENT.c.game_id).where(EVENT.c.type.in_(SEATING), or_(*named))
        return [
            GameId(game_id) for game_id in sorted(set(self._connection.execute(query).scalars()))
        ]

    def games_naming(self, player_id: str) -> list[GameId]:
        """List every game whose log mentions a player in any event. Scans many rows."""
        named = EVENT.c.public.contains(player_id, autoescape=True)
        query = select(EVENT.c.game_id).where(
            named | (EVENT.c.actor == f"player:{player_id}"), ~OF_A_LEAGUE
        )
        return [
            GameId(game_id) for game_id in sorted(set(self._connection.execute(query).scalars()))
        ]

    def mails_in(
        self, is_wanted: Callable[[InboxMail], bool], players: Collection[str] = ()
    ) -> Iterator[InboxMail]:
        """Yield incoming messages that match a predicate, oldest first.

        A message has no bytes if its encryption key is missing.

        Args:
            is_wanted: the predicate.
            players: limit the result to messages from these players and from unknown senders.
        """
        query = select(INBOX.c.id).order_by(INBOX.c.id)
        if players:
            query = query.where(INBOX.c.player_id.in_(players) | INBOX.c.player_id.is_(None))
        for mail_id in self._connection.execute(query).scalars().all():
            mail = self._inbox.get_known(mail_id)
            if mail is not None and is_wanted(mail):
                yield mail

    def mails_out(self, players: Collection[str], games: Collection[str] = ()) -> list[OutboxMail]:
        """List messages that were sent to these players or to admins, or that belong to these games."""
        query = (
            select(OUTBOX.c.id)
            .where(
                OUTBOX.c.player_id.in_(players)
                | OUTBOX.c.player_id.is_(None)
                | OUTBOX.c.game_id.in_(games)
            )
            .order_by(OUTBOX.c.id)
        )
        ids = self._connection.execute(query).scalars().all()
        mails = [self._outbox.get_known(mail_id) for mail_id in ids]
        return [mail for mail in mails if mail is not None]

    def erase_mail_in(self, mail: InboxMail) -> None:
        """Erase the content and sender of an incoming message. An unsettled message is dropped."""
        facts = pack_facts({"verdict": {"why": ERASED, "triage": None}})
        status = mail.status if mail.status in ("done", "ignored") else "dropped"
        self._connection.execute(
            INBOX.update()
            .where(INBOX.c.id == mail.id)
            .values(
                raw="",
                status=status,
                bound=sign_object(self._envelopes, INBOX, mail, facts, status=status),
                **dict.fromkeys(SEALED_TEXTS),
            )
        )

    def erase_mail_out(self, mail: OutboxMail) -> None:
        """Erase the recipient and content of an outgoing message. A waiting message is not sent."""
        self._set_params(mail, {})
        self._connection.execute(
            OUTBOX.update()
            .where(OUTBOX.c.id == mail.id)
            .values(
                bound=sign_object(self._envelopes, OUTBOX, mail, player_id=None),
                status="sent" if mail.status == "sent" else "superseded",
                **dict.fromkeys(
                    (
                        "player_id",
                        "rcpt_to",
                        "rendered",
                        "said",
                        "answers",
                        "last_error",
                        "lease_until",
                    )
                ),
            )
        )

    def rewrite_mail_out(self, mail: OutboxMail, params: JsonObject) -> None:
        """Erase one person's data from a message to someone else.

        Args:
            params: the parameters without that data, from which a waiting message is rendered
                again.
        """
        params = params | kept_token(mail.rendered)
        if params != mail.params:
            self._set_params(mail, params)
        self._connection.execute(
            OUTBOX.update().where(OUTBOX.c.id == mail.id).values(rendered=None, said=None)
        )

    def erase_player(self, player_id: str) -> None:
        """Delete a player's name, settings, addresses and bounces. Erase their messages first."""
        self._connection.execute(
            INVITATION.update().where(INVITATION.c.player_id == player_id).values(label="")
        )
        for table in (BOUNCE, REACH, ADDRESS, OWN_KEY, QUESTION):
            self._connection.execute(table.delete().where(table.c.player_id == player_id))
        self._connection.execute(PLAYER.delete().where(PLAYER.c.id == player_id))

    def _set_params(self, mail: OutboxMail, params: JsonObject) -> None:
        """Replace a message's parameters and re-sign its row.

        Metadata that was kept when the message was pruned is dropped. A row that failed
        verification stays invalid.
        """
        seal = sign_object(self._envelopes, OUTBOX, mail) if mail.fits else ""
        sealed = self._envelopes.seal(canonical_json(params), PARAMS, mail.key)
        self._connection.execute(
            OUTBOX.update().where(OUTBOX.c.id == mail.id).values(params=sealed, bound=seal)
        )
