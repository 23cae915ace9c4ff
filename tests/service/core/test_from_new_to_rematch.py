"""Play whole games by mail, from `new` to the rematch, in both languages."""

from __future__ import annotations

import re

import pytest

from engine.api import Seat
from engine.orders import LIST_START
from pbem.domain.play.seating import next_id
from pbem.domain.table.game import Game
from pbem.service.logbook.verify import verify_file
from tests.service.conftest import Table, configured
from tests.service.core.test_every_game import BY_MAIL
from tests.service.lobby.test_lobby import known, own, the_game

SHORT = {
    "phyliss": ", max_plies 14",
    "cathedral": ", max_plies 14",
    "phalanx": ", max_battles 1",
    "phase10": ", phases_to_win 1, max_plies 14",
    "phase10-family": ", phases_to_win 1, max_plies 14",
}
LISTED = re.compile(r"^  (\d+)  (.+)$", re.MULTILINE)
UNDER_ZONES = re.compile(r"^  (?:\S+ {2,}){2}\S+\n(?= +\d\d  \S)", re.MULTILINE)
"""The names of three zones, above the cards that can be played into each of them."""
CELL = re.compile(r"(\d\d)  (\S+(?: x \S+)?)")
COLUMN = 24
GLYPHS = str.maketrans("♣♦♥♠", "cdhs")
CARD = re.compile(r"\b(10|[2-9JQKA])([cdhs])\b")
WORDS = {
    "en": {
        "new": "Hi!\n\nnew {game} with bob@example.org{options}\n\nThanks, Anna",
        "join": "join",
        "invited": "invites you to",
        "over": "is over",
        "rematch": "rematch",
    },
    "de": {
        "new": "Hallo!\n\nneue Partie {game} mit bob@example.org{options}\n\nDanke, Anna",
        "join": "beitreten",
        "invited": "lädt dich zu",
        "over": "ist zu Ende",
        "rematch": "Revanche",
    },
}
RANKS = {
    "2": "Zwei", "3": "Drei", "4": "Vier", "5": "Fünf", "6": "Sechs", "7": "Sieben", "8": "Acht",
    "9": "Neun", "10": "Zehn", "J": "Bube", "Q": "Dame", "K": "König", "A": "Ass",
}  # fmt: skip
SUITS = {"c": "Kreuz", "d": "Karo", "h": "Herz", "s": "Pik"}
MAX_MAILS = 300


def read_moves(text: str) -> list[tuple[str, str]]:
    """Return number and text of the moves that a message lists."""
    text = text.replace("\r\n", "\n")
    heads = UNDER_ZONES.search(text)
    if heads is None:
        return LISTED.findall(text)
    zones = heads[0].split()
    moves = []
    for line in text[heads.end() :].partition("\n\n")[0].splitlines():
        for cell in CELL.finditer(line):
            card, takes, target = cell[2].partition(" x ")
            moves.append((cell[1], f"{card} {zones[cell.start() // COLUMN]}{takes}{target}"))
    return sorted(moves)


def answer_from_the_list(table: Table, game: Game, count: int, language: str) -> None:
    """Answer the newest list of moves with a number or in words, by turns."""
    seat = game.to_act[0]
    mail = next(mail for mail in reversed(table.mails_to(seat)) if LISTED.search(mail.text))
    assert game.id in mail.message["Subject"]
    listed = read_moves(mail.text)
    legal = list(game.ruleset.legal_moves(game.state, seat))
    cautious = game.ruleset.standby_move(game.state, Seat(seat))
    at = legal.index(cautious) if cautious in legal else 0
    number, words = listed[min(at, len(listed) - 1)]
    assert number == str(LIST_START + min(at, len(listed) - 1))
    if language == "de":
        # as people do: `Herz Dame` for `Qh`
        words = CARD.sub(
            lambda card: f"{SUITS[card[2]].title()} {RANKS[card[1]].title()}",
            words.translate(GLYPHS),
        )
    table.answer(seat, words if count % 2 else number, to=mail.reply_to)
    assert table.game(game.id).version > game.version, f"refused: {words}"


@pytest.mark.parametrize(
    ("ruleset", "language"),
    [*((ruleset, "en") for ruleset in BY_MAIL), ("phalanx", "de"), ("phase10", "de")],
)
def test_from_new_to_rematch(table: Table, ruleset: str, language: str) -> None:
    """Two players need only what the messages offer. The log verifies, and the rematch begins."""
    said = WORDS[language]
    table.service = configured(table.service, language=language)
    anna = known(table)
    table.write(lambda uow: uow.players.prefer(anna.id, language=language))
    wish = said["new"].format(game=ruleset, options=SHORT[ruleset])
    table.answer(0, wish, to=own(table, anna))
    assert said["invited"] in table.last_to(1).words
    table.answer(1, said["join"])
    game = the_game(table)
    assert game.status == "running"
    for count in range(MAX_MAILS):
        if game.is_over:
            break
        answer_from_the_list(table, game, count, language)
        game = table.game(game.id)
    assert game.status == "finished"
    assert verify_file(table.export(game.id)).complete
    assert all(said["over"] in table.last_to(seat).words for seat in (0, 1))

    table.answer(0, said["rematch"])
    assert said["invited"] in table.last_to(1).words
    table.answer(1, said["join"])
    again = table.game(next_id(game, 1))
    assert again.status == "running"
    first = table.last_to(again.to_act[0])
    assert again.id in first.message["Subject"]
    assert LISTED.search(first.text)
