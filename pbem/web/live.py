"""Server-sent events that notify open seat pages of changes at their table.

An event contains only the digest of what the seat sees, and is sent only if that has changed, so it
does not reveal that another player made a secret choice. All streams share a task that polls the
versions of their games.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field
from itertools import chain

import structlog

from pbem.domain.log.chain import GameId
from pbem.errors import LogError, PbemError
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.intake.page_acts import Holder, Visit
from pbem.service.letters import seat_page

log = structlog.get_logger(__name__)

MAX_STREAMS = 4
"""Maximum number of streams per seat. Further pages poll."""
_LOOK_SECONDS = 0.5
_BEAT_SECONDS = 25.0
"""Interval of empty messages. Proxies close connections that are idle for a minute."""
_BEAT = b":\n\n"


@dataclass(eq=False, slots=True)
class _Stream:
    """An open page, with the version checked last and the digest sent last.

    The digest is empty if the link is void.
    """

    visit: Visit
    version: int
    digest: str
    changed: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class Live:
    """The open streams of this process."""

    service: Service
    _streams: dict[GameId, list[_Stream]] = field(default_factory=dict)
    _looking: asyncio.Task[None] | None = None

    def has_room(self, visit: Visit) -> bool:
        """True if a seat may have another stream."""
        streams = self._streams.get(visit.game.id, ())
        return sum(stream.visit.seat == visit.seat for stream in streams) < MAX_STREAMS

    async def follow(
        self, visit: Visit, digest: str, stopping: asyncio.Event
    ) -> AsyncIterator[bytes]:
        """Yield an event at the start and whenever the digest of a seat's view changes.

        It ends when the link becomes void, and for an unknown browser with the first change, because the link then
        shows nothing more.

        Args:
            visit: the seat and its game.
            digest: the current digest, which is sent first.
            stopping: set when the server stops, which ends the stream.
        """
        game_id, stream = visit.game.id, _Stream(visit, visit.game.version, digest)
        self._streams.setdefault(game_id, []).append(stream)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._poll_versions(stopping))
        try:
            yield _event(digest)
            while True:
                try:
                    await asyncio.wait_for(stream.changed.wait(), _BEAT_SECONDS)
                except TimeoutError:
                    yield _BEAT
                    continue
                stream.changed.clear()
                if stopping.is_set() or not stream.digest:
                    return
                yield _event(stream.digest)
                if not visit.is_known:
                    return
        finally:
            self._streams[game_id].remove(stream)
            if not self._streams[game_id]:
                del self._streams[game_id]

    async def _poll_versions(self, stopping: asyncio.Event) -> None:
        """Poll the versions of games while they have streams. Wake all streams on shutdown."""
        while self._streams:
            if stopping.is_set():
                for stream in chain.from_iterable(self._streams.values()):
                    stream.changed.set()
            try:
                for game_id, version in (await asyncio.to_thread(self._versions)).items():
                    streams = self._streams.get(game_id, ())
                    if any(stream.version != version for stream in streams):
                        await self._tell(game_id)
            except PbemError as error:
                log.warning("seat pages wait", action="live_waits", error=type(error).__name__)
            await asyncio.sleep(_LOOK_SECONDS)

    def _versions(self) -> dict[GameId, int]:
        with self.service.store.reading() as uow:
            return uow.pages.versions([*self._streams])

    async def _tell(self, game_id: GameId) -> None:
        holders = {stream.visit.holder for stream in self._streams.get(game_id, ())}
        version, digests = await asyncio.to_thread(self._digests, game_id, holders)
        for stream in self._streams.get(game_id, ()):
            digest = digests.get(stream.visit.holder, stream.digest)
            stream.version = version
            if digest != stream.digest:
                stream.digest = digest
                stream.changed.set()

    def _digests(
        self, game_id: GameId, holders: Collection[Holder]
    ) -> tuple[int, dict[Holder, str]]:
        """Return the version of a game, and the digest of what each holder of a link sees.

        A void link has an empty digest. There are no digests if the log is damaged.
        """
        digests: dict[Holder, str] = {}
        with self.service.store.reading() as uow:
            try:
                game = games.load(uow, game_id)
            except LogError:
                return uow.pages.versions([game_id]).get(game_id, 0), digests
            for holder in holders:
                state = game.seats[holder.seat]
                player = uow.players.get(state.player)
                digests[holder] = ""
                if player is not None and holder == Holder.of(holder.seat, state, player):
                    mail = seat_page.content(self.service, uow, game, holder.seat, player)
                    digests[holder] = seat_page.view_digest(self.service, mail)
        return game.version, digests


def _event(digest: str) -> bytes:
    return f"data: {digest}\n\n".encode()
