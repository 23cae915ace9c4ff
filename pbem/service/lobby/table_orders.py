"""Orders about seats before a game starts: invite, invite link, bot, start without, join a game.

Any registered player can take a seat of an open game, or one with an invitation link.
"""

from __future__ import annotations

import re

from engine.sentences import Sentence, all_of, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide, seating
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.table.seat_folds import VACANT
from pbem.domain.terms.seats import BOT_LEVELS, next_bot
from pbem.domain.words import naming
from pbem.domain.words.game_order import read_guests
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal, UnknownStreamError
from pbem.mail_out.kinds import ANSWER, WITHDRAWN, GameParams, NoteParams
from pbem.mail_out.times import when_text
from pbem.service.change import changing, lock
from pbem.service.core import games, operators
from pbem.service.core.mail_context import MailContext, SeatContext
from pbem.service.lobby import guests, join_links, new_game
from pbem.service.lobby.join_links import Link
from pbem.service.notify import mailings
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

_INSTEAD = re.compile(r"\s+(?:instead of|in place of|for)\s+(.{1,60})$", re.IGNORECASE)


def invite(progress: SeatContext, line: OrderLine) -> None:
    """Invite a person to a vacant or unanswered seat, or make or end a link. Raises: Refusal."""
    game, maker = _made_by_writer(progress)
    if line.argument in ("link", "off"):
        _link(progress, game, is_wanted=line.argument == "link")
        return
    mail_context = progress.mail_context
    text, instead = _parts(line.argument or "")
    wanted = read_guests(game.ruleset.id.name, text)
    seats = _seats_for(progress, game, instead, len(wanted), f"invite {text} instead of")
    occupants = guests.find(
        mail_context.service,
        mail_context.uow,
        maker,
        wanted,
        ruleset=game.ruleset.id.name,
        taken=[
            seat.player
            for number, seat in enumerate(game.seats)
            if number not in seats and seat.status not in VACANT
        ],
    )
    guests.check_caps(mail_context.service, mail_context.uow, maker, occupants)
    if any(not occupant.label for occupant in occupants):
        raise Refusal("setup", sentence("To let a bot play, write bot on a line of its own."))
    before = _unanswered(progress, seats)
    asked = []
    for seat, occupant in zip(seats, occupants, strict=False):
        if occupant.never_invite:  # reported like a declined invitation
            progress.notes.append(sentence("{name} declined.", name=occupant.label))
            continue
        (player,) = guests.register(mail_context.service, mail_context.uow, maker, [occupant])
        seating.ask(progress.decision, seat, player)
        asked.append(occupant.label)
    if asked:
        _tell_withdrawn(progress, before)
        progress.notes.append(sentence("Invited: {names}.", names=all_of(asked)))


def _link(progress: SeatContext, game: Game, *, is_wanted: bool) -> None:
    """Make the invitation link of a game, or end it. Raises: Refusal."""
    service, uow = progress.mail_context.service, progress.mail_context.uow
    if not is_wanted:
        join_links.end(service, uow, game)
        progress.notes.append(sentence("The invitation link of this game has ended."))
        return
    link = join_links.make(service, uow, game)
    zone = progress.mail_context.player.zone
    progress.notes.append(
        sentence(
            "Share this link with the people who should play, in a chat for example: {address} Whoever"
            " opens it enters a name and an e-mail address, and takes a free seat with the answer to a mail."
            " The page has the link as a QR code, too. It ends when all seats are taken, on {when}, or when"
            ' you write "invite off".',
            address=join_links.address(service, link),
            when=when_text(link.expires_at, zone),
        )
    )


def bot(progress: SeatContext, line: OrderLine) -> None:
    """Put a bot in a vacant or unanswered seat. Raises: Refusal."""
    game, _ = _made_by_writer(progress)
    text, instead = _parts(line.argument or "bot")
    levels = (*progress.mail_context.service.config.bots, *BOT_LEVELS)
    level = next((level for level in levels if level in text.lower().split()), BOT_LEVELS[0])
    seats = _seats_for(progress, game, instead, 1, f"{text} instead of")
    before = _unanswered(progress, seats)
    name = next_bot(level, [*(seat.player for seat in game.seats), *progress.names])
    seating.seat_bot(progress.decision, seats[0], name)
    _tell_withdrawn(progress, before)
    (shown,) = games.shown_names(progress.mail_context.uow, [name])
    progress.notes.append(sentence("The bot {name} plays in that seat.", name=shown))


def start_without(progress: SeatContext, line: OrderLine) -> None:
    """Replace the game by one with fewer seats. Raises: Refusal."""
    game, _ = _made_by_writer(progress)
    mail_context = progress.mail_context
    if line.argument is not None:
        for seat in _seats_for(progress, game, line.argument.rstrip(" .!"), 1, "start without"):
            if game.seats[seat].status == "invited":
                before = _unanswered(progress, [seat])
                seating.expire(progress.decision, seat)
                _tell_withdrawn(progress, before)
    if not seating.vacant(progress.game):
        names = _waiting(progress, game)
        raise Refusal(
            "setup",
            sentence(
                "No seat is vacant: the game begins when everybody has joined. You can start without"
                " somebody who has not answered.",
            ),
            suggestions=tuple(f"start without {name}" for name in names),
        )
    renewed = new_game.renew(
        mail_context.service, mail_context.uow, progress.decision, mail_context.message_id
    )
    mail_context.answers += 1
    progress.notes.append(
        sentence(
            "The game is made anew without the empty seat; it is called {game} now.",
            game=renewed.id,
        )
    )


# --- helpers --------------------------------------------------------------------------------------


def _made_by_writer(progress: SeatContext) -> tuple[Game, Player]:
    game = progress.game
    player = progress.mail_context.uow.players.get(game.seats[progress.seat].player)
    if game.status != "inviting":
        raise Refusal("started", sentence("The game has begun: its seats can no longer change."))
    if game.is_challenge:
        raise Refusal(
            "challenge",
            sentence("A challenge is between the two of you. To call it off, write: decline"),
            suggestions=(sentence("decline"),),
        )
    if player is None or player.id != game.creator:
        raise Refusal("creator", sentence("Only the player who made the game fills its seats."))
    return game, player


def _parts(text: str) -> tuple[str, str]:
    match = _INSTEAD.search(text)
    return (text, "") if match is None else (text[: match.start()], match[1].strip(" .!"))


def _seats_for(progress: SeatContext, game: Game, instead: str, count: int, how: str) -> list[int]:
    """Return the seat of the named player, or else vacant seats.

    Args:
        instead: name of the player, or empty for vacant seats.
        count: number of vacant seats that are needed.
        how: start of an order, up to the name, for suggestions.

    Raises: Refusal.
    """
    names = games.table_names(progress.mail_context.uow, game)
    if instead:
        asked_for = naming.lookalike_key(instead.partition("@")[0] if "@" in instead else instead)
        meant = [n for n, name in enumerate(names) if naming.lookalike_key(name) == asked_for]
        free = [n for n in meant if game.seats[n].status in seating.FREE]
        if not free:
            raise Refusal(
                "seat",
                sentence("Nobody called {name} still has to answer.", name=f'"{instead[:40]}"'),
                suggestions=tuple(f"{how} {name}" for name in _waiting(progress, game)),
            )
        return free[:1]
    vacant = seating.vacant(game)
    if len(vacant) < count:
        raise Refusal(
            "seat",
            sentence(
                "There is no seat for that: say instead of whom, if somebody has not answered yet.",
            ),
            suggestions=tuple(f"{how} {name}" for name in _waiting(progress, game)),
        )
    return vacant[:count]


def _waiting(progress: SeatContext, game: Game) -> list[str]:
    names = games.table_names(progress.mail_context.uow, game)
    return [names[n] for n, seat in enumerate(game.seats) if seat.status in seating.FREE]


def _unanswered(progress: SeatContext, seats: list[int]) -> list[str]:
    """Return the people who have an unanswered invitation to these seats."""
    states = [progress.game.seats[seat] for seat in seats]
    return [state.player for state in states if state.status == "invited"]


def _tell_withdrawn(progress: SeatContext, players: list[str]) -> None:
    """Notify people whose invitation was withdrawn because their seat was given to someone else."""
    game, mail_context = progress.game, progress.mail_context
    for player in players:
        message = sentence(
            "This is about the game of {title} [{game}] to which you were invited.",
            title=game.ruleset.title,
            game=game.id,
        )
        key = f"{game.id}:{game.version}:withdrawn:{player}"
        mail = Mailing(WITHDRAWN, NoteParams(message), key)
        queue_to_player(mail_context.service, mail_context.uow, player, mail)


# --- taking a seat --------------------------------------------------------------------------------

_ARGUMENT = re.compile(
    r"([a-z0-9]{10}|l-[a-z2-7]{16})(?:[\s,;:.-]+phrase\s*[:=]?\s*(\S.*))?\.?", re.IGNORECASE
)
MAX_LISTED = 20
"""Maximum number of open games listed, the oldest first."""
_SUGGESTED = ("games",)


def open_games(uow: UnitOfWork, player_id: str) -> list[Game]:
    """Return the games with a seat that a player can take, oldest first."""
    found = []
    for game_id in uow.projections.open_games(MAX_LISTED):
        game = games.load_if_sound(uow, game_id)
        if game is None or game.seats_of(player_id):
            continue
        if seating.open_seats(game):
            found.append(game)
    return found


def take(mail_context: MailContext, line: OrderLine) -> None:
    """Take a seat of an open game, or the seat of a link: `join k7q2m3x9ab`. Raises: Refusal."""
    name, phrase = _wanted(line.argument)
    link = _named_link(mail_context, name)
    game_id = GameId(name) if link is None else link.game.id
    here = mail_context.here
    if here is not None and here[0].game_id == game_id:
        _sit(mail_context, here[0], here[1], phrase)
        return
    lock(mail_context.uow, game_id)
    game = _find_open_game(
        mail_context.uow, game_id, mail_context.player_id, is_invited=link is not None
    )
    actor = f"player:{mail_context.player_id}"
    with changing(
        mail_context.service, mail_context.uow, game_id, actor=actor, cause=mail_context.cause
    ) as change:
        seats = game.seats_of(mail_context.player_id)
        seat = seats[0] if seats else _free(game, is_invited=link is not None)[0]
        _sit(mail_context, change.decision, seat, phrase)
        after = change.record()
        params = GameParams(facts_after=game.version, notes=tuple(_welcome(after, seat)))
        key = f"seated:{after.id}:{after.version}"
        mail = Mailing(ANSWER, params, key, mail_context.message_id)
        change.answer = mailings.Answer(seat, mail)
    mail_context.has_acted = True
    mail_context.answers += 1


def _wanted(argument: str | None) -> tuple[str, str | None]:
    """Parse the game ID or the code of a link, and the phrase after `join`. Raises: Refusal."""
    match = _ARGUMENT.fullmatch(argument or "")
    if match is None:
        raise Refusal(
            "setup",
            sentence('Say which game, as in: join k7q2m3x9ab. "games" lists them.'),
            suggestions=_SUGGESTED,
        )
    return match[1].lower(), match[2]


def _named_link(mail_context: MailContext, name: str) -> Link | None:
    """Return the link with a code, or None for a game ID. Raises: Refusal if the link has ended."""
    if not name.startswith(join_links.PREFIX):
        return None
    link = join_links.find(mail_context.service, mail_context.uow, name)
    if link is None:
        raise Refusal(
            "link",
            sentence(
                "This invitation link has ended: its seats are taken, it is too old, or it was switched"
                " off. Ask for a new one."
            ),
            suggestions=_SUGGESTED,
        )
    return link


def _free(game: Game, *, is_invited: bool) -> list[int]:
    return join_links.free_seats(game) if is_invited else seating.open_seats(game)


def _sit(mail_context: MailContext, decision: Decision, seat: int, phrase: str | None) -> None:
    service, uow = mail_context.service, mail_context.uow
    is_operator = operators.is_operator(service, uow, mail_context.player_id)
    game = decision.existing()
    if is_operator and phrase is not None and game.seats[seat].status != "joined":
        raise decide.phrase_of_operator(f"join {game.id}")
    status, player = game.seats[seat].status, game.seats[seat].player
    if status == "open":
        seating.take(decision, seat, mail_context.player_id, phrase, is_operator=is_operator)
    else:
        if player != mail_context.player_id:
            seating.ask(decision, seat, mail_context.player_id)
        decide.join(decision, seat, phrase, is_operator=is_operator)
    is_elsewhere = mail_context.here is None or decision is not mail_context.here[0]
    if decision.existing().status == "running" and is_elsewhere:
        decide.settle(decision)


def _find_open_game(uow: UnitOfWork, game_id: GameId, player_id: str, *, is_invited: bool) -> Game:
    """Return a game that a player can join, revealing nothing about other games. Raises: Refusal."""
    try:
        game = games.load(uow, game_id)
    except UnknownStreamError:
        game = None
    is_theirs = game is not None and bool(game.seats_of(player_id))
    if game is None or not (is_theirs or _free(game, is_invited=is_invited)):
        raise Refusal(
            "unknown-game",
            sentence(
                'There is no open place in a game {game}. A mail that says "games" lists what is open.',
                game=game_id,
            ),
            suggestions=_SUGGESTED,
        )
    return game


def _welcome(game: Game, seat: int) -> list[Sentence]:
    """Confirm that the player has a seat. For the last seat the message also shows the deal."""
    sentences: list[Sentence] = []
    if game.status == "inviting":
        sentences.append(
            sentence(
                "You have a seat in this game of {title}. It begins when all seats are taken; the"
                " commitment to its shuffles is {commitment}. Until then you can add words of your own"
                " with phrase: and your words.",
                title=game.ruleset.title,
                commitment=game.commitment,
            )
        )
    phrase = game.seats[seat].phrase
    if phrase is not None:
        sentences.append(
            sentence("Your phrase for the shuffles, exactly as it is used: {phrase}", phrase=phrase)
        )
    return sentences
