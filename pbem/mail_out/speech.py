"""Layout of talk messages for other players. Only line breaks are changed."""

from __future__ import annotations

from pbem.mail_out.texts import WIDTH, broken

SHOWN = 700
"""Maximum length in characters of a message among others. Readers can ask for the rest."""
_BAR = 2


def _shown(text: str, limit: int) -> str:
    """Cut a long message, preferably at a space."""
    if len(text) <= limit:
        return text
    cut = text[:limit]
    blank = max(cut.rfind(" "), cut.rfind("\n"))
    return cut[: blank if blank > limit // 2 else limit].rstrip()


def goes_on(text: str) -> bool:
    """True if only a part of the message is shown."""
    return len(text) > SHOWN


def speech_lines(
    text: str, width: int | None = WIDTH - _BAR, limit: int | None = SHOWN
) -> list[str]:
    """Split a message into lines for display.

    Args:
        text: the message.
        width: maximum number of columns. None keeps the original lines.
        limit: maximum number of characters. None shows the whole message.
    """
    lines = (text if limit is None else _shown(text, limit)).split("\n")
    if width is None:
        return lines
    return [piece for line in lines for piece in broken(line, width)]
