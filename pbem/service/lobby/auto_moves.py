"""`auto`: what is played for a player by itself. The table agrees on that, nobody alone (GEN-11)."""

from __future__ import annotations

from engine.sentences import Sentence, joined, sentence
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal
from pbem.games import EXAMPLE
from pbem.service.core.asking import Wishes

_HERE = {
    "public": sentence(
        "In this game your move is played by itself when everybody can see that it is the only one."
    ),
    "all": sentence(
        "In this game your move is played by itself whenever it is the only one, even if only your"
        " cards show that."
    ),
    "off": sentence("In this game no move is played by itself."),
}
_AGREED = sentence(
    "The table agrees on that before the first deal, and nobody can change it alone: a move that is"
    " played by itself may tell the others something about a hand."
)
_HOW = sentence(
    'Whoever makes a game chooses: "auto_forced public" is usual, "auto_forced all" also plays what only'
    ' the hand shows, "auto_forced off" plays nothing.'
)


def explain(wishes: Wishes, line: OrderLine) -> None:
    """Say what is played by itself; a wish to change it is refused. Raises: Refusal."""
    here = None if wishes.here is None else wishes.here[0].existing()
    value = None if here is None else str(here.options["auto_forced"])
    said: list[Sentence] = [] if value is None else [_HERE[value]]
    wanted = "all" if line.argument == "on" else line.argument
    if wanted is None or wanted == value:
        wishes.notes.append(joined([*said, _AGREED, _HOW]))
        return
    example = sentence(
        "For a new game write for example: {order}",
        order=f"new {EXAMPLE if here is None else here.ruleset.id.name} with bob, auto_forced {wanted}",
    )
    raise Refusal("auto", joined([*said, _AGREED, example]), rule="GEN-11")
