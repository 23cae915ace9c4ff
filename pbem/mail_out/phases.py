"""Phase 10 phases for display. Views contain `set of 3 + run of 4`."""

from __future__ import annotations

import re

from engine.sentences import Sentence, all_of, joined, sentence

_SET = "set of "
_PART = re.compile(r"(set|run) of (\d+)|(\d+) cards of one colour")


def in_a_list(phase: object) -> Sentence:
    """Format a phase for a list, e.g. `set of 3 + run of 4`."""
    return joined([_words(group)[0] for group in _parts(phase)], " + ")


def in_a_sentence(phase: object) -> Sentence:
    """Format a phase for a sentence, e.g. `a set of 3 and a run of 4`, or `two sets of 3`."""
    match _parts(phase):
        case [first, second] if first == second and first.startswith(_SET):
            return sentence("two sets of {size}", size=first.removeprefix(_SET))
        case parts:
            return all_of([_words(group)[1] for group in parts])


def _words(part: str) -> tuple[str, str]:
    """Return the words of a set, a run or a colour in a list, and in a sentence."""
    match _PART.fullmatch(part):
        case None:
            return part, f"a {part}" if part else ""
        case found if found[1] == "set":
            size = found[2]
            return sentence("set of {size}", size=size), sentence("a set of {size}", size=size)
        case found if found[1] == "run":
            size = found[2]
            return sentence("run of {size}", size=size), sentence("a run of {size}", size=size)
        case found:
            colour = sentence("{size} cards of one colour", size=found[3])
            return colour, colour


def _parts(phase: object) -> list[str]:
    return str(phase or "").split(" + ")
