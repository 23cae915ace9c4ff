"""Decode bytes with a supported character set, or with a fallback.

Some of Python's codecs are not character sets (`idna`, `punycode`, `undefined`, `unicode_escape`,
`zlib`). Others crash, take quadratic time or change the meaning of ASCII characters (`utf-7`).
Therefore only the character sets listed here are supported. The label of a message is used unless
its bytes contradict it.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from pbem.plain import sayings_in, words_in

_SAME_NAME: Final = words_in("""
utf-8 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-10
iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-1250 windows-1251 windows-1252
windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u
iso-2022-jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-ext iso-2022-kr euc-jp euc-kr gb18030 big5
big5hkscs tis-620 cp437 cp850 cp852 cp866 cp874 cp932 cp949
""")
# Text labelled ASCII often is not ASCII. UTF-8 includes ASCII, and the fallback decodes other text.
# Mail labelled Latin-1 usually uses its Windows superset with typographic quotation marks.
_ALIASES: Final = sayings_in("""
utf-8: us-ascii ascii utf8 unicode-1-1-utf-8
windows-1252: iso-8859-1 iso8859-1 latin1 latin-1 cp1252
windows-1254: iso-8859-9
iso-8859-8: iso-8859-8-i
windows-1250: cp1250
windows-1251: cp1251
gb18030: gb2312 gbk gb_2312-80 x-gbk
cp932: shift_jis shift-jis sjis x-sjis windows-31j
cp874: iso-8859-11 windows-874
cp949: ks_c_5601-1987 windows-949
cp437: ibm437
cp850: ibm850
cp852: ibm852
cp866: ibm866
utf-16: utf-16
utf-16-le: utf-16le
utf-16-be: utf-16be
mac-roman: macintosh mac
""")
"""Supported codecs, with the alternative names that occur in mail."""
_BY_NAME: Final[dict[str, str]] = {name: name for name in _SAME_NAME} | {
    name: codec
    for codec, _, names in (line.partition(": ") for line in _ALIASES)
    for name in names.split()
}

CODECS: Final = frozenset(_BY_NAME.values())
"""Names of all codecs that are ever used."""

_REMOVED: Final = (
    r"\x00-\x08\x0d-\x1f\x7f-\x84\x86-\x9f"  # control characters
    r"\u00ad"  # soft hyphen
    r"\u200b-\u200f"  # zero width, direction marks
    r"\u202a-\u202e"  # direction overrides
    r"\u2060-\u2064\u2066-\u206f\ufeff\ufffe\uffff"
    r"\ud800-\udfff"  # lone surrogates cannot be stored or sent again
)
_REPLACED: Final = {
    **dict.fromkeys("\x0b\x0c\x85\u2028\u2029", "\n"),
    **dict.fromkeys("\xa0\u202f\u205f\u3000", " "),
    **dict.fromkeys(map(chr, range(0x2000, 0x200B)), " "),
}
"""Line ends and spaces with the usual character for each."""
_UNCLEAN: Final = re.compile(f"[{_REMOVED}{''.join(_REPLACED)}]")


def decode_text(data: bytes, charset: str) -> tuple[str, bool]:
    """Decode any bytes without an error.

    Args:
        data: the bytes.
        charset: name given by the message, or empty if it gives none.

    Returns:
        The text, and False if the message's charset was not used because it is unknown, refused, or
        inconsistent with the bytes.
    """
    codec = _BY_NAME.get(charset.strip().strip("\"'").lower()) if charset else "utf-8"
    if codec == "utf-8":
        try:
            return data.decode(), True
        except UnicodeDecodeError:
            return _guessed(data), False
    if codec is None or _is_contradicted(data, codec):
        return _guessed(data), False
    try:
        return codecs.decode(data, codec), True
    except UnicodeError:
        if codec in _UNFORGIVING or _is_utf8(data):
            return _guessed(data), False
        return codecs.decode(data, codec, "replace"), False


_WIDE: Final = frozenset({"utf-16", "utf-16-le", "utf-16-be"})
_UNFORGIVING: Final = frozenset({"windows-1252", *_WIDE})
"""If text is invalid in one of these charsets, the label is wrong."""
_ONE_BYTE: Final = re.compile("(windows|iso-8859|koi8|cp[48]|tis|mac).*")


def _is_contradicted(data: bytes, codec: str) -> bool:
    """True if bytes contradict their charset label, even though they can be decoded."""
    if codec in _WIDE:
        return b"\0" not in data  # it then contains no line end, space or order
    # Letters of single-byte charsets do not form long UTF-8 sequences by chance.
    return _ONE_BYTE.fullmatch(codec) is not None and not data.isascii() and _is_utf8(data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _guessed(data: bytes) -> str:
    return data.decode("utf-8" if _is_utf8(data) else "windows-1252", "replace")


def clean_text(text: str) -> str:
    """Normalise line ends and spaces, and remove control and invisible characters.

    This prevents invisible characters from making lines differ or orders unreadable.
    """
    if text.isprintable():
        return text  # the characters to remove, line ends and unusual spaces are not printable
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNCLEAN.sub(lambda sign: _REPLACED.get(sign[0], ""), text)


def clean_line(text: str, length: int) -> str:
    """Return one printable line of at most `length` characters, e.g. for a subject."""
    return " ".join(clean_text(text).split())[:length]
