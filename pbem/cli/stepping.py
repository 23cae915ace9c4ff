"""`pbem replay --step`: step through a game, forwards and backwards, line by line.

It reads and prints lines, so it also works through a pipe.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.text import Text

from pbem.cli.common import out
from pbem.errors import Refusal
from pbem.service.logbook import replaying
from pbem.service.logbook.replaying import ReplayStep
from pbem.service.logbook.replays import Replay
from pbem.show import terminal

HELP = """\
Enter or n   the next step          b         one step back
17 or @41    to move 17, event 41   0         to the deal
/text        search onwards         /         search on for the same
m            the next move of the seat that looks; m NAME: of somebody
first, last  the ends               q         quit"""


@dataclass(slots=True)
class Stepper:
    """State of stepping through a replay. `index` counts the steps from 0."""

    found: Replay
    index: int = 0
    sought: str = ""

    @property
    def step(self) -> ReplayStep:
        """Return the step that is shown."""
        return self.found.steps[self.index]

    def move(self, words: str) -> str | None:
        """Execute a line of input.

        Returns:
            A text to show instead of a step, or None to show the step.

        Raises: Refusal.
        """
        last = len(self.found.steps) - 1
        if words in ("", "n", "next"):
            if self.index == last:
                return "This is the last step; q quits."
            self.index += 1
        elif words in ("b", "back"):
            if self.index == 0:
                return "This is the first step."
            self.index -= 1
        elif words in ("first", "last"):
            self.index = 0 if words == "first" else last
        elif words.startswith("/"):
            self._search(words[1:].strip())
        elif words.split(maxsplit=1)[0] in ("m", "mine"):
            self._next_of(words.partition(" ")[2].strip())
        elif words in ("h", "help", "?"):
            return HELP
        else:
            self.index = replaying.find(self.found.steps, words, may_be_gone=True)
        return None

    def _search(self, text: str) -> None:
        self.sought = text or self.sought
        if not self.sought:
            raise Refusal("search", "Write what is sought behind the slash: /picked up")
        wanted = self.sought.casefold()
        self._go_on_to(
            lambda step: any(wanted in line.casefold() for line in describe_step(self.found, step)),
            f'"{self.sought}" is said nowhere behind here.',
        )

    def _next_of(self, name: str) -> None:
        eyes = self.step.eyes
        if name:
            fits = [
                n for n, known in enumerate(self.found.names) if known.casefold() == name.casefold()
            ]
            if not fits:
                raise Refusal("seat", f"Nobody here is called {name}.")
            seat = fits[0]
        elif len(eyes) == 1:
            seat = eyes[0]
        else:
            raise Refusal("seat", "Whose? Write m NAME, or look with --as NAME.")
        self._go_on_to(
            lambda step: bool(step.moves) and replaying.mover(step.event) == seat,
            f"{self.found.names[seat]} makes no move behind here.",
        )

    def _go_on_to(self, is_it: Callable[[ReplayStep], bool], else_say: str) -> None:
        for index in range(self.index + 1, len(self.found.steps)):
            if is_it(self.found.steps[index]):
                self.index = index
                return
        raise Refusal("search", else_say)


def run(replayed: Replay) -> None:
    """Step through a replay until the reader quits or the input ends."""
    stepper = Stepper(replayed)
    show(replayed, stepper.step)
    while True:
        try:
            words = input(f"{position_of(stepper.step)} of {replayed.steps[-1].ply} (h helps) > ")
        except (EOFError, KeyboardInterrupt):
            out.print()
            return
        words = words.strip()
        if words in ("q", "quit", "exit"):
            return
        try:
            instead = stepper.move(words)
        except Refusal as refusal:
            instead = refusal.message
        if instead is None:
            show(replayed, stepper.step)
        else:
            out.print(instead, markup=False, highlight=False)


def describe_step(found: Replay, step: ReplayStep) -> list[str]:
    """Describe a step to the only seat whose view is shown, or else to an observer."""
    eye = step.eyes[0] if len(step.eyes) == 1 else None
    return found.sentences(step, eye) or [step.text]


def position_of(step: ReplayStep) -> str:
    """Describe the position of a step in the game."""
    if step.game.state is None:
        return "before the deal"
    if not step.moves:
        return "deal" if step.ply == 0 else f"after move {step.ply}"
    first, last = step.moves[0], step.moves[-1]
    return f"move {first}" if first == last else f"moves {first}–{last}"


def show(replayed: Replay, step: ReplayStep) -> None:
    """Print a step and the table after it."""
    if out.is_terminal:
        out.clear()
    title = Text(f"{replayed.game.ruleset.title} {replayed.game.id}: {position_of(step)}", "bold")
    out.print(title.append(f" · event {step.version} · {step.recorded_at} UTC", "not bold dim"))
    for line in describe_step(replayed, step):
        out.print(Text(line))
    view = step.view
    if view is not None:
        out.print()
        out.print(terminal.draw(replayed.game.ruleset.id.name, view, replayed.names))
