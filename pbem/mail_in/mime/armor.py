"""Texts signed inline with OpenPGP (RFC 4880 §7): what was written, without the frame around it."""

from __future__ import annotations

from typing import Final

_BEGIN: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_END: Final = "-----END PGP SIGNATURE-----"
_DASH: Final = "- "


def unarmored(text: str) -> str:
    """Take the frames of signed texts away; nothing is verified. Other texts stay as they are.

    The lines before the first blank one in the frame are of the frame (`Hash: SHA512`); a line
    that begins with a dash was given `- ` before it.
    """
    if _BEGIN not in text:
        return text
    found: list[str] = []
    heading = signed = signature = False
    for line in text.split("\n"):
        mark = line.rstrip()
        if mark == _BEGIN:
            heading = signed = True
        elif heading:
            heading = bool(mark)
        elif signed and mark == _SIGNATURE:
            signature = True
        elif signature:
            signature = signed = mark != _END
        else:
            found.append(line.removeprefix(_DASH) if signed else line)
    return "\n".join(found)
