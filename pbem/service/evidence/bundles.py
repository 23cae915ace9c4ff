"""Export a dispute as a file: the complainant's messages and views, with the log.

While the game is running, the file contains no hidden data of the other seats. Creating it reveals
the complainant's own cards to the admin, which is recorded as an event with a reason and reported
to every player.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from engine.api import JsonObject, JsonValue
from engine.canonical import canonical_json
from pbem.domain.log.chain import GameId, format_time
from pbem.domain.log.events import ChoicesRevealed, Hidden, MovePlayed, is_choice
from pbem.domain.terms.tokens import SeatToken
from pbem.language import SOURCE
from pbem.mail_out.kinds import ANONYMOUS
from pbem.service.admin import disputes
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.evidence.auditing import ACCEPTED, find_answer, quoted_by
from pbem.service.logbook import replays
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.replaying import ReplayStep
from pbem.service.logbook.replays import Replay
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.pruning import pruned_on
from pbem.store.rows.core import InboxMail, OutboxMail

FORMAT, FORMAT_VERSION = "pbem-dispute", 1


def make_bundle(
    service: Service,
    game_id: GameId,
    number: int,
    *,
    reason: str | None = None,
) -> bytes:
    """Return the evidence of a dispute as canonical JSON.

    Args:
        reason: the reason for the reveal, needed while the game is running.

    Raises: Refusal, UnknownStreamError, LogError.
    """
    dispute = disputes.find(service, game_id, number)
    replay = replays.replay(service, game_id)
    replay = replays.replay_as_seats(service, replay, [dispute.seat], reason=reason)
    game = replay.game
    with service.store.reading() as uow:
        person = replay.steps[dispute.version - 1].game.seats[dispute.seat].player
        player = uow.players.get(person)
        maker = _Maker(
            service,
            uow,
            replay,
            dispute.seat,
            person,
            frozenset(uow.players.addresses(person)),
            uow.inbox.of_game(game_id),
            uow.outbox.of_game(game_id),
            {dispute.version},
        )
        log: list[JsonValue] = [json.loads(line) for line in export_lines(uow, game_id)]
        document: JsonObject = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "game": {
                "id": game_id,
                "ruleset": [game.ruleset.id.name, game.ruleset.id.version],
                "options": cast("JsonObject", game.options),
                "players": [*games.seat_names(uow, game.seats)],
            },
            "dispute": {
                "number": number,
                "seat": dispute.seat,
                "name": dispute.name,
                "language": SOURCE if player is None else player.language,
                "event": dispute.version,
                "opened_at": format_time(dispute.opened_at),
                "cause": dispute.cause,
                "text": dispute.text,
                "answer": dispute.answer,
            },
            "service": {"domain": service.message_domain, "address": service.own_address},
            "mails": maker.mails(),
            "strange": maker.strange(),
            "sent": maker.sent(),
            "pruned": maker.pruned(),
            "views": maker.views(),
            "log": log,
        }
    return canonical_json(document) + b"\n"


@dataclass(slots=True)
class _Maker:
    """Collects the evidence about a person in a seat of a game.

    Attributes:
        shown: versions whose views are included.
    """

    service: Service
    uow: UnitOfWork
    found: Replay
    seat: int
    person: str
    own_addresses: frozenset[str] = field(repr=False)
    mails_in: Sequence[InboxMail]
    mails_out: Sequence[OutboxMail]
    shown: set[int]

    def mails(self) -> list[JsonValue]:
        """Return the complainant's messages of the game with their results."""
        rows = [self._complainants_mail(mail) for mail in self.mails_in]
        return [self._mail(row) for row in rows if row is not None]

    def strange(self) -> list[JsonValue]:
        """List messages to the seat that the complainant did not write, without their text."""
        return [
            {**_arrived(mail), "why": str((mail.verdict or {}).get("why", ""))}
            for mail in self.mails_in
            if mail.seat == self.seat
            and pruned_on(mail.verdict) is None
            and self._complainants_mail(mail) is None
        ]

    def pruned(self) -> list[JsonValue]:
        """List messages to the seat whose bytes were pruned."""
        return [
            {**_arrived(mail), "on": pruned_on(mail.verdict)}
            for mail in self.mails_in
            if mail.seat == self.seat and pruned_on(mail.verdict) is not None
        ]

    def sent(self) -> list[JsonValue]:
        """Return the messages of the game that were sent to the complainant."""
        mails: list[JsonValue] = []
        for mail in self.mails_out:
            row = self.uow.outbox.get(mail.id) if mail.seat == self.seat else None
            if row is None or row.player_id != self.person or row.rendered is None:
                continue
            mails.append(
                {
                    "id": mail.id,
                    "kind": mail.kind,
                    "event": self._named_event(mail),
                    "status": mail.status,
                    "sent_at": None if mail.sent_at is None else format_time(mail.sent_at),
                    "failures": mail.failures,
                    "raw": base64.b64encode(row.rendered).decode(),
                }
            )
        return mails

    def _named_event(self, mail: OutboxMail) -> int | None:
        """Return the version of the event that a message names.

        For anonymous talk it is the newest public event.
        """
        if mail.kind != ANONYMOUS.name or mail.version is None:
            return mail.version
        return self.uow.events.public_head(self.found.game.id, mail.version)[0]

    def views(self) -> JsonObject:
        """Return the requested views as the complainant saw them, in English."""
        steps = self.found.steps
        seen = {
            str(version): steps[version - 1].seen_by(self.seat) for version in sorted(self.shown)
        }
        # sentences of the rules become plain strings
        plain: JsonObject = json.loads(json.dumps(seen))
        return plain

    def _complainants_mail(self, mail: InboxMail) -> InboxMail | None:
        """Return a message with its bytes if the complainant wrote it, else None."""
        is_theirs = mail.player_id == self.person and mail.seat in (None, self.seat)
        if not is_theirs or pruned_on(mail.verdict) is not None:
            return None
        row = self.uow.inbox.get(mail.id)
        return row if row is not None and row.sender in self.own_addresses else None

    def _mail(self, row: InboxMail) -> JsonObject:
        cause = row.cause
        caused = [step for step in self.found.steps if step.recorded.real_cause == cause]
        answer = find_answer(self.mails_out, row.id)
        token, quoted = quoted_by(self.service, self.uow, row, answer)
        before = caused[0].version - 1 if caused else None if answer is None else answer.version
        params: dict[str, Any] = {} if answer is None else answer.params
        return {
            **_arrived(row),
            "transport": row.transport,
            "mail_from": row.mail_from,
            "verdict": row.verdict,
            "authentication": ACCEPTED if row.status in ("done", "asked") else "not accepted",
            "mail_server": row.authentication,
            "raw": base64.b64encode(row.raw).decode(),
            "quotes": [quote.id for quote in quoted],
            "events": [step.version for step in caused],
            "lines": self._lines(params.get("lines", []), caused, before, token),
            "notes": [*params.get("notes", [])],
        }

    def _lines(
        self,
        given: Sequence[dict[str, Any]],
        caused: Sequence[ReplayStep],
        before: int | None,
        token: SeatToken | None,
    ) -> list[JsonValue]:
        """Return the result of each line with the version at which it was judged (`at`)."""
        # Answers list a join like a move, but it is no ply, and the rules do not cover it.
        given = [{**line, "move": None} if line["move"] == "join" else line for line in given]
        if before is None or before < 1 or token is None:
            return [{**line, "at": None} for line in given]
        chosen = [step for step in caused if _is_own_move(step)]
        on_table = [
            step.version
            for step in caused
            if isinstance(step.event, MovePlayed | Hidden | ChoicesRevealed)
        ]
        position, entries = before, list[JsonValue]()
        for line in given:
            if line["move"] is not None and chosen:
                position = chosen.pop(0).version - 1
            elif line["outcome"] == "refused":
                position = max([before, *on_table])
            game = self.found.steps[position - 1].game
            if game.state is not None:
                self.shown |= {position}
            entries.append(
                {
                    **line,
                    "at": position,
                    "may_decide": game.may_decide(self.seat),
                    "current": token.decision == game.seats[self.seat].decision,
                    "listed": token.listing >= game.position,
                }
            )
            if line["move"] is not None:
                position = min(
                    [version for version in on_table if version > position], default=position
                )
                self.shown |= {position}
        return entries


def _arrived(mail: InboxMail) -> JsonObject:
    return {
        "sha256": mail.raw_sha256,
        "arrived_at": format_time(mail.arrived_at),
        "status": mail.status,
    }


def _is_own_move(step: ReplayStep) -> bool:
    event: Any = step.event
    if isinstance(event, Hidden):
        payload: Any = event.payload
        return is_choice(event) and bool(payload["source"] == "mail")
    return isinstance(event, MovePlayed) and event.source == "mail"
