"""Two players who are one person: games, addresses, mails and standings of the one become the other's.

The logs stay as they are; `PlayerMerged` says in each of them under which id the person goes on, and
the id that they had means them from then on: what they got before can still be answered.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.sentences import Sentence, all_of, joined, sentence
from pbem.domain.game import UNFINISHED
from pbem.domain.log import GameId
from pbem.domain.person_events import PlayerMerged
from pbem.errors import Refusal, VersionConflictError
from pbem.service import digests, games, mail_acts, mailings, people, preferences
from pbem.service.context import Service
from pbem.store.merging import first_end, games_naming
from pbem.store.players import Player
from pbem.store.ratings import Ratings
from pbem.store.uow import UnitOfWork

KIND = "merged"
"""Of the mail that tells the person."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of it.

    Attributes:
        was: who was merged.
        player: who stays.
        games: whose log says so.
        addresses: the first one of each of the two, where the person is told.
        message: what they are told.
    """

    was: Player
    player: Player
    games: tuple[GameId, ...]
    addresses: tuple[str, ...]
    message: Sentence


def merge(service: Service, who: str, into: str) -> Merged:
    """Make two players one, in one transaction; the person is mailed it.

    Args:
        service: of the server.
        who: id, address or name of the player who is none any more.
        into: of the one who stays.

    Raises: Refusal, LogError.
    """
    try:
        return _merge(service, who, into)
    except VersionConflictError:
        raise Refusal("busy", "One of their games is being changed at this moment.") from None


def _merge(service: Service, who: str, into: str) -> Merged:
    with service.store.unit_of_work() as uow:
        was, player = people.find(uow, who), people.find(uow, into)
        cause = service.new_cause()
        return unite(service, uow, was, player, actor=games.LOCAL_ADMIN, cause=cause)


def unite(
    service: Service,
    uow: UnitOfWork,
    was: Player,
    player: Player,
    *,
    actor: str,
    cause: str,
    answers: str | None = None,
) -> Merged:
    """Make two players one; `answers` is the Message-ID of the mail that asked for it.

    Raises: Refusal and nothing is changed; LogError, VersionConflictError.
    """
    if was.id == player.id:
        raise Refusal("same", sentence("That is one player already."))
    _refuse_where_both_sit(uow, was, player)
    first, held = first_end(uow.connection, was.id), _held_for_each_other(uow, was, player)
    heads = [uow.players.addresses(one.id)[:1] for one in (player, was)]
    event, named = PlayerMerged(was.id, player.id), games_naming(uow.connection, was.id)
    if any(not uow.lock_game(game_id) for game_id in named):
        raise VersionConflictError("another worker has one of their games")
    told = [game_id for game_id in named if _tell_game(service, uow, game_id, event, actor, cause)]
    uow.players.merge(was.id, player.id, service.now(), max(was.rotation, player.rotation))
    _take_over_settings(service, uow, was, player)
    if first is not None:
        Ratings(uow.connection).rate(*first)
    for mail_id in held:
        uow.inbox.mark(mail_id, "new")
    now = uow.players.get(player.id) or player
    preferences.arrange_reminders(service, uow, now)
    if was.rotation != player.rotation:
        mail_acts.mail_again(service, uow, now, why=f"merged:{was.id}")
    addresses = tuple(address for head in heads for address in head)
    done = Merged(was, now, tuple(told), addresses, _message(uow, was, player))
    _tell_person(service, uow, done, answers)
    return done


def _refuse_where_both_sit(uow: UnitOfWork, was: Player, player: Player) -> None:
    for row in uow.projections.games_of(was.id):
        seated = {seat.player_id for seat in uow.projections.seats(row.id)}
        if row.status in UNFINISHED and player.id in seated:
            raise Refusal(
                "both-sit",
                sentence(
                    "Both have a seat in game {game}, which is not over. Nobody plays against"
                    " themselves, so nothing changed; ask again once it is over.",
                    game=row.id,
                ),
            )


def _held_for_each_other(uow: UnitOfWork, was: Player, player: Player) -> list[int]:
    """Give the mails that were set aside because they came from an address of the other one."""
    return [
        mail_id
        for owner, other in ((player, was), (was, player))
        for address in uow.players.addresses(other.id)
        for mail_id in uow.inbox.held_from(owner.id, address)
    ]


def _tell_game(
    service: Service, uow: UnitOfWork, game_id: GameId, event: PlayerMerged, actor: str, cause: str
) -> bool:
    """Write it into the log of a game."""
    game = games.load(uow, game_id)
    decision = games.begin(uow, service, game, actor=actor, cause=cause)
    decision.emit(event)
    after, recorded = games.record(uow, decision)
    mailings.queue(uow, service, after, recorded, position_before=game.position)
    return True


def _take_over_settings(service: Service, uow: UnitOfWork, was: Player, player: Player) -> None:
    """Set what only the other one had set; what both had stays as the one who stays had it."""
    settings, players = service.settings, uow.players
    if player.zone == settings.zone != was.zone:
        players.set_zone(player.id, was.zone)
    if player.language == settings.language != was.language:
        players.set_language(player.id, was.language)
    if player.wants_reminders and not player.reminders:
        players.set_reminders(player.id, wanted=was.wants_reminders, minutes=was.reminders)
    if player.digest_at is None and was.digest_at is not None:
        here = players.get(player.id) or player
        at = digests.next_at(here, was.digest_hour, service.now())
        players.set_digest(player.id, was.digest_hour, at)
    if not player.talk:
        players.set_talk(player.id, was.talk)
    if not was.wants_html:
        players.set_html(player.id, wanted=False)


def _message(uow: UnitOfWork, was: Player, player: Player) -> Sentence:
    known = uow.players.addresses(player.id)
    is_good = was.rotation == player.rotation
    return joined(
        [
            sentence(
                "You were registered here twice, as {was} and as {name}. From now on you are one"
                " player, {name}: the games, addresses and standings of both are yours.",
                was=was.name,
                name=player.name,
            ),
            sentence(
                "You may write from {addresses}; mails go to the first.", addresses=all_of(known)
            ),
            sentence("What you got before can still be answered.")
            if is_good
            else sentence("Mails that you have to answer come once more; please answer those."),
            sentence(
                "If those two are not the same person, tell whoever runs this server at once."
            ),
        ]
    )


def _tell_person(service: Service, uow: UnitOfWork, done: Merged, answers: str | None) -> None:
    for number, address in enumerate(done.addresses):
        mailings.queue_to_player(
            uow,
            service,
            kind=KIND,
            player_id=done.player.id,
            key=f"merged:{done.was.id}:{number}",
            params={"message": done.message, "to": address},
            answers=None if number else answers,
        )
