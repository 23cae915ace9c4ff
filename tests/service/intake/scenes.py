"""Create tables in various situations, at which sentences are tried on the same messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine import registry
from pbem.domain.log.chain import StoredEvent
from pbem.domain.log.events import Hidden, MovePlayed
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import SeatToken, find_token
from pbem.language import translate
from pbem.mail_in.mime.message import Envelope
from pbem.service.core.context import Service
from pbem.service.intake import accepting, handle_mail
from pbem.service.intake.sentences import NOTHING_DONE
from pbem.service.letters import rendering
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec
from pbem.store.rows.core import OutboxMail
from tests.databases import sqlite_store
from tests.service.conftest import Sent, Table, make_table, raw_mail

LANGUAGES = ("en", "de")
MAX_MAILS = 8
TURNS = {
    "phyliss": (14, ""),
    "cathedral": (12, ""),
    "phalanx": (9, ""),
    "phase10": (21, "draw"),
    "phase10-drawn": (21, "discard"),
}
"""Number of plies before the player writes, and the start of the next standby move."""


@dataclass(frozen=True)
class Became:
    """The result of a message: a word for it, the answer, and the moves made by its sender."""

    said: str
    answer: str = ""
    moves: tuple[str, ...] = ()


class Scenes:
    """Messages that wait for an answer, at tables whose players can be switched to any language."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.mails: dict[str, Sent] = {}
        for number, (name, (plies, begins)) in enumerate(TURNS.items(), 2):
            game = self._started(name.partition("-")[0], seed=number)
            table.skip(game, plies)
            game = table.skip(game, 40, until=lambda now, begins=begins: self._begins(now, begins))
            self._keep(f"{name}-turn", game, game.to_act[0])
            other = next((n for n in range(3) if n not in game.to_act), None)
            if other is not None:
                self._keep(f"{name}-wait", game, other)
        game = self._started("cathedral", seed=8)
        table.skip(game, 5000)
        self._keep("cathedral-over", game, 0)
        game = self._started("phyliss", seed=9)
        self._answer(game, 1, "pause")
        self._keep("phyliss-vote", game, 0)
        game = table.new_game(3, 10)
        self._keep("phyliss-invited", game, 0)
        for name, seed in (("cathedral", 11), ("phalanx", 12)):
            game = self._started(name, seed=seed)
            self._keep(f"{name}-choose", game, game.to_act[0])
        for name, seed in (("lay", 29), ("hit", 35)):
            game = self._started("phase10", seed=seed)
            game = table.skip(game, 60, until=lambda now, begins=name: self._begins(now, begins))
            self._keep(f"phase10-{name}", game, game.to_act[0])
        if "ohhell" in registry.names():
            for name, seed, plies in (("ohhell-bid", 5, 0), ("ohhell-play", 8, 3)):
                game = table.skip(self._started("ohhell", seed=seed), plies)
                self._keep(name, game, game.to_act[0])

    def speak(self, language: str) -> None:
        """Set the language of all players."""
        with self.table.service.store.unit_of_work() as uow:
            for player in uow.players.list():
                uow.players.prefer(player.id, language=language)

    def _started(self, ruleset: str, seed: int = 1) -> Game:
        game = self.table.new_game(3, seed, ruleset=ruleset)
        for seat in range(3):
            self._answer(game, seat, "join")
        return self.table.game(game.id)

    def _newest(self, game: Game, seat: int) -> Sent:
        """Return the newest message about a game to a seat."""
        for mail in reversed(self.table.mails_to(seat)):
            token = find_token(self.table.service.tokens, [mail.reply_to], "")[1]
            if isinstance(token, SeatToken) and token.game_id == game.id:
                return mail
        raise LookupError(game.id)

    def _answer(self, game: Game, seat: int, text: str) -> None:
        self.table.answer(seat, text, to=self._newest(game, seat).reply_to)

    def _begins(self, game: Game, order: str) -> bool:
        return self.table.standby(game)[1].startswith(order)

    def _keep(self, name: str, game: Game, seat: int) -> None:
        self.mails[name] = self._newest(game, seat)

    def told(self, name: str, text: str) -> Became:
        """Handle a message, roll its changes back, and return its result."""
        service, mail = self.table.service, self.mails[name]
        self.table.counter += 1
        raw = raw_mail(
            mail.rcpt_to, mail.reply_to, text, message_id=f"<n{self.table.counter}@example.org>"
        )
        envelope = Envelope(mail.rcpt_to, mail.reply_to, "smtp", self.table.clock.now())
        kept = accepting.receive(service, raw, envelope)
        assert kept.inbox_id is not None
        became = Became("nothing")
        try:
            with service.store.unit_of_work() as uow:
                row = uow.inbox.claim(kept.inbox_id)
                if row.game_id is not None:
                    uow.lock_game(row.game_id)
                before = uow.outbox.list(limit=1)[0].id
                version = uow.events.read(row.game_id)[-1].version if row.game_id else 0
                why = handle_mail._handle(service, uow, row).why
                new = [mail for mail in uow.outbox.list(limit=MAX_MAILS) if mail.id > before]
                assert len(new) < MAX_MAILS
                answer = _answer(service, uow, new, mail.rcpt_to)
                events = uow.events.read(row.game_id, version) if row.game_id else []
                became = Became(_became(why, answer), answer, tuple(_moves(events)))
                raise _RollBackError
        except _RollBackError:
            return became


class _RollBackError(Exception):
    """Raised to roll back a unit of work."""


def _answer(service: Service, uow: UnitOfWork, mails: list[OutboxMail], to: str) -> str:
    """Return the text of the message that answers the sender, or empty if there is none."""
    for row in mails:
        if row.kind != "turn":
            raw = rendering.render(service, uow, row, to)[0]
            return " ".join(Sent(to, "", raw).text.split())
    return ""


def _moves(events: Iterable[StoredEvent]) -> Iterator[str]:
    """Yield the moves that were made by mail, including secret choices."""
    for stored in events:
        match codec.decode(stored).event:
            case MovePlayed(move=move, source="mail"):
                yield move
            case Hidden(type="ChoiceMade", payload=dict() as payload):
                yield str(payload["move"])


def _became(why: str, answer: str) -> str:
    counts = re.fullmatch(r"(\d+) done, (\d+) refused, (\d+) events", why)
    if counts is None:
        return why
    done, refused, events = map(int, counts.groups())
    if events:
        return "carried out"
    if done:
        return "answered"
    if any(translate(NOTHING_DONE, language) in answer for language in LANGUAGES):
        return "nothing"
    return "refused, with what would be allowed" if refused else "told what to write"


@contextmanager
def built(folder: Path) -> Iterator[Scenes]:
    with sqlite_store(folder) as store:
        yield Scenes(make_table(store))
