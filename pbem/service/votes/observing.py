"""`observe` and `unobserve`: a person watches a game if the table agrees."""

from __future__ import annotations

from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import voting
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import PlayerToken
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.mail_out.content import FinalResult, GameMail
from pbem.mail_out.kinds import OBSERVED
from pbem.service.change import changing
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.notify import outsiders
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

NOBODY = -1
"""Pseudo-seat of a reader who has no seat."""


def ask(
    service: Service,
    uow: UnitOfWork,
    player_id: str,
    line: OrderLine,
    *,
    cause: str,
    here: GameId | None,
) -> Sentence:
    """Carry out `observe` or `unobserve` and return a confirmation. Raises: Refusal.

    Args:
        here: the game of the message, which the caller has loaded.
    """
    game_id = GameId(line.argument or "")
    if not game_id:
        raise Refusal(
            "observer",
            sentence("Please name the game: its name stands in brackets in the subjects."),
            suggestions=("observe abcdefghij",),
        )
    if here == game_id:
        raise Refusal("observer", sentence("You have a seat in this game."))
    if uow.projections.game(game_id) is None:
        raise Refusal("observer", sentence("There is no such game here."))
    with changing(service, uow, game_id, actor=f"player:{player_id}", cause=cause) as change:
        if line.word is Word.UNOBSERVE:
            voting.stop_observing(change.decision, player_id)
            return sentence("You have stopped watching.")
        if voting.ask(change.decision, "observer", None, {"player": player_id}):
            return sentence("You are watching from now on; the first mail comes at once.")
        return sentence("The players are asked; if more than half agree, a mail tells you.")


def content(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    player: Player,
    since: int,
    result: FinalResult | None,
) -> GameMail:
    """Build a message to an observer with the public facts after version `since`."""
    return GameMail(
        kind=OBSERVED.name,
        game_id=game.id,
        ruleset=game.ruleset.id.name,
        title=game.ruleset.title,
        players=games.seat_names(uow, game.seats),
        reader=NOBODY,
        dealt=True,
        to_act=tuple(int(number) for number in game.to_act),
        happened=outsiders.public_facts(uow, game.id, since, game.version),
        view=game.ruleset.view(game.state, None),
        moves=(),
        moves_complete=False,
        lines=(),
        deadline=None,
        zone=player.zone,
        head=game.head,
        version=game.version,
        commitment=game.commitment,
        reply_to=service.tokens.address(PlayerToken(player.id, player.rotation)),
        result=result,
        skin=str(game.options.get("deck", "")),
        bots=game.bots,
        language=player.language,
        observer=player.name,
    )
