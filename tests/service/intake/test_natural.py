"""What people write in their own words, and what becomes of it: `natural.tsv`.

The sentences were written by people who did not know how lines are read: each line has a language,
a scene, the sentence, what its writer wanted, and what becomes of it. Each is the answer to one mail,
handled in a unit of work that is rolled back, so that all meet the same tables.
`python -m tests.service.intake.test_natural` writes what becomes of them anew.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import registry
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import SeatToken, find_token
from pbem.language import translate
from pbem.mail_in.mime.message import Envelope
from pbem.service.core.context import Service
from pbem.service.intake import accepting, handle_mail
from pbem.service.intake.sentences import NOTHING_DONE
from pbem.service.letters import rendering
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Outgoing
from tests.databases import sqlite_store
from tests.service.conftest import Sent, Table, make_table, raw_mail

GOLDEN = Path(__file__).with_name("natural.tsv")
LANGUAGES = ("en", "de")
MOST_MAILS = 8
TURNS = {
    "phyliss": (14, ""),
    "cathedral": (12, ""),
    "phalanx": (9, ""),
    "phase10": (21, "draw"),
    "phase10-drawn": (21, "discard"),
}
"""The plies that are played before somebody writes, and how the next safe move must begin."""


@dataclass(frozen=True)
class Became:
    """What became of a mail: in a word, the answer, and the move that was played first."""

    said: str
    answer: str = ""
    moves: tuple[str, ...] = ()


class Scenes:
    """Mails that wait for an answer, in one language."""

    def __init__(self, table: Table, language: str) -> None:
        self.table = table
        self.mails: dict[str, Sent] = {}
        game = self._started("phyliss")
        for seat in range(3):
            self._answer(game, seat, f"language {language}")
        for number, (name, (plies, begins)) in enumerate(TURNS.items(), 2):
            game = self._started(name.partition("-")[0], seed=number)
            table.skip(game, plies)
            game = table.skip(game, 40, until=lambda now, begins=begins: self._begins(now, begins))
            seat = game.to_act[0]
            self._keep(f"{name}-turn", game, seat)
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
        if "ohhell" in registry.names():
            for name, seed, plies in (("ohhell-bid", 5, 0), ("ohhell-play", 8, 3)):
                game = table.skip(self._started("ohhell", seed=seed), plies)
                self._keep(name, game, game.to_act[0])

    def _started(self, ruleset: str, seed: int = 1) -> Game:
        game = self.table.new_game(3, seed, ruleset=ruleset)
        for seat in range(3):
            self._answer(game, seat, "join")
        return self.table.game(game.id)

    def _newest(self, game: Game, seat: int) -> Sent:
        """The newest mail about this game to a seat."""
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
        """Handle one mail and forget it; return what became of it."""
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
                assert row is not None
                if row.game_id is not None:
                    uow.lock_game(row.game_id)
                uow.folded = {}
                before = uow.outbox.list(limit=1)[0].id
                version = uow.events.read(row.game_id)[-1].version if row.game_id else 0
                why = handle_mail._handle(service, uow, row).why
                new = [mail for mail in uow.outbox.list(limit=MOST_MAILS) if mail.id > before]
                assert len(new) < MOST_MAILS
                answer = _answer(service, uow, new, mail.rcpt_to)
                events = uow.events.read(row.game_id, version) if row.game_id else []
                moves = [str(e.public["move"]) for e in events if e.type == "MovePlayed"]
                became = Became(_became(why, answer), answer, tuple(moves[:1]))
                raise _RollBackError
        except _RollBackError:
            return became


class _RollBackError(Exception):
    """Ends a unit of work without a trace."""


def _answer(service: Service, uow: UnitOfWork, mails: list[Outgoing], to: str) -> str:
    """The words of the mail that answers the writer; empty if another mail does."""
    for row in mails:
        if row.kind != "turn":
            raw = rendering.render(service, uow, row, to)[0]
            return " ".join(Sent(to, "", raw).text.split())
    return ""


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


def rows() -> list[list[str]]:
    """Language, scene, sentence, what was wanted, what became of it."""
    return [line.split("\t") for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


def outcomes(folder: Path, language: str) -> Iterator[list[str]]:
    """The rows of a language as they are now."""
    with sqlite_store(folder) as store:
        scenes = Scenes(make_table(store), language)
        for spoken, scene, text, wanted, _ in rows():
            if spoken == language:
                yield [spoken, scene, text, wanted, scenes.told(scene, text).said]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_becomes_of_it(tmp_path: Path, language: str) -> None:
    found = list(outcomes(tmp_path, language))
    assert found == [row for row in rows() if row[0] == language]
    wishes = [row for row in found if row[3] != "chat"]
    assert len(wishes) >= 75
    assert {row[4] for row in found if row[3] == "chat"} <= {"nothing", "told what to write"}
    lost = [row for row in wishes if row[4] == "nothing"]
    assert len(lost) <= len(wishes) / 20, "a way forward for nearly every wish"


def main() -> None:
    found: list[list[str]] = []
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as folder:
            found += outcomes(Path(folder), language)
    GOLDEN.write_text("".join("\t".join(row) + "\n" for row in found), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
