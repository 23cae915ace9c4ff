"""Phase 10 phases for display. Views contain `set of 3 + run of 4`."""

from __future__ import annotations

import re

from engine.sentences import Sentence, all_of, joined, sentence

_PART = re.compile(r"(set|run) of (\d+)|(\d+) cards of one colour")


def in_a_list(phase: object) -> Sentence:
    """Format a phase for a list, e.g. `set of 3 + run of 4`."""
    parts = []
    for part in _parts(phase):
        match _PART.fullmatch(part):
            case None:
                parts.append(part)
            case found if found[1] == "set":
                parts.append(sentence("set of {size}", size=found[2]))
            case found if found[1] == "run":
                parts.append(sentence("run of {size}", size=found[2]))
            case found:
                parts.append(sentence("{size} cards of one colour", size=found[3]))
    return joined(parts, " + ")


def in_a_sentence(phase: object) -> Sentence:
    """Format a phase for a sentence, e.g. `a set of 3 and a run of 4`, or `two sets of 3`."""
    parts = []
    match [_PART.fullmatch(part) for part in _parts(phase)]:
        case [first, second] if first and second and first[0] == second[0] and first[1] == "set":
            return sentence("two sets of {size}", size=first[2])
    for part in _parts(phase):
        match _PART.fullmatch(part):
            case None:
                parts.append(f"a {part}" if part else "")
            case found if found[1] == "set":
                parts.append(sentence("a set of {size}", size=found[2]))
            case found if found[1] == "run":
                parts.append(sentence("a run of {size}", size=found[2]))
            case found:
                parts.append(sentence("{size} cards of one colour", size=found[3]))
    return all_of(parts)


def _parts(phase: object) -> list[str]:
    return str(phase or "").split(" + ")
