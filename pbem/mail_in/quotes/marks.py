"""Detection of textual marks: introductions of quotes, starts of signatures.

Each function looks at one line or a few adjacent lines, in linear time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from pbem.domain.words.translate import REPLY_MARKERS
from pbem.mail_in.mime.lines import QUOTE, BodyLine


def fold(text: str) -> str:
    """Normalise a text for comparing words."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def _vocabulary() -> Mapping[str, tuple[str, ...]]:
    """Load `vocabulary.txt`: the words with which mail programs introduce quotes, by category."""
    text = Path(__file__).with_name("vocabulary.txt").read_text(encoding="utf-8")
    parts = re.split(r"^\[(\w+)\].*\n", text, flags=re.MULTILINE)[1:]
    said = ([fold(word.strip()) for word in re.split("[;\n]", body)] for body in parts[1::2])
    return {
        name: tuple(filter(None, dict.fromkeys(words)))
        for name, words in zip(parts[::2], said, strict=True)
    }


_VOCABULARY: Final = _vocabulary()
_LONG: Final = 400
_LOOK_BACK: Final = 3
_LOOK_AHEAD: Final = 6
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d\d(?!\d)")
_CLOCK: Final = re.compile(r"(?<!\d)\d{1,2}[:.hH時시点點]\s?\d\d(?!\d)")
_WORD: Final = re.compile(r"[^\W_]+")
_SUITS: Final = tuple(zip("♠♤♣♧♥♡♦♢", "ssccHHDD".lower(), strict=True))
_LABELS: Final[dict[str, str]] = {
    **dict.fromkeys(_VOCABULARY["COPY"], "copy"),
    **dict.fromkeys(_VOCABULARY["SUBJECT"], "subject"),
    **dict.fromkeys(_VOCABULARY["TO"], "to"),
    **dict.fromkeys(_VOCABULARY["DATE"], "date"),
    **dict.fromkeys(_VOCABULARY["FROM"], "from"),
}
_LABELLED: Final = re.compile(r"[*_\s]*(?:[^\W\d_]|\?)[^:：@<\d]{0,23}[*_\s]*[:：][*_\s]*\S")
_ADDRESS: Final = re.compile(r"[^\s<>@]@[\w-]+\.\w")
_MAILBOX: Final = re.compile(r"[^\s<>@\"'(),;:\[\]]{1,64}@[\w.-]{1,254}\w")
_SENDER: Final = re.compile(r"[^<>]{0,80}<[^<>\s]{3,254}@[^<>\s]{1,254}>")
_REMEMBERED_LENGTH: Final = 200
_DATE_LENGTH: Final = 60
_MIN_LABELS: Final = 3
_DEVICE_LENGTH: Final = 160
_LABEL_LENGTH: Final = 24
_COLONS: Final = (":", "：", "﹕", "՝")
_SIGNATURES: Final = frozenset(["--", "—", "–", "- -", "-- --", "__"])


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in normal form: case folded, suits as letters, no punctuation."""
    return _words(text) if len(text) <= _REMEMBERED_LENGTH else _words.__wrapped__(text)


@lru_cache(512)  # our message and the quotes of it have the same lines
def _words(text: str) -> tuple[str, ...]:
    if text.isascii():
        return tuple(_WORD.findall(text.lower()))
    for suit, letter in _SUITS:
        text = text.replace(suit, letter)
    return tuple(_WORD.findall(fold(text)))


_MARKER_WORDS: Final = [" ".join(words_of(marker)) for marker in REPLY_MARKERS]
_MARKER_PART: Final = 4


def is_reply_marker(line: str) -> bool:
    """True if a line contains most of the first line of our messages, the reply marker.

    Some clients wrap this line or add an attribution before it.
    """
    words = words_of(line[:_LONG])
    text = " ".join(words)
    return any(
        marker in text or (len(words) >= _MARKER_PART and marker.startswith(text))
        for marker in _MARKER_WORDS
    )


def is_signature_mark(line: str) -> bool:
    """True if a signature starts at this line (`-- ` and its common variants)."""
    return line in _SIGNATURES


def list_number(line: str) -> int | None:
    """Return the number before the text of a line such as `21 play 9s`, or None."""
    number, _, rest = line[:60].partition(" ")
    number = number.rstrip(".):")
    if not rest.strip() or not 1 < len(number) < 5 or not number.isascii():  # noqa: PLR2004
        return None
    return int(number) if number.isdigit() else None


def has_link(line: str) -> bool:
    """True if a client added the target of a link to a line. Players do not type links in orders."""
    folded = fold(line)
    return any(mark in folded for mark in ("<http", "<mailto:", "[http", "[mailto:", "mailto:"))


def is_ruler(line: str) -> bool:
    """True if a line is a ruler such as `_____`, `*****` or `-----`."""
    return len(line) > 2 and not line.strip("-_=*~─━—·• ")  # noqa: PLR2004


def is_device_line(line: str) -> bool:
    """True for a line that a phone or web mailer adds to advertise itself."""
    if len(line) > _DEVICE_LENGTH:
        return False
    folded = fold(line.strip("*_[<( ."))
    return folded.startswith(_VOCABULARY["DEVICES"]) or folded.endswith(_VOCABULARY["DEVICE_ENDS"])


def is_arrowed(line: str) -> bool:
    """True for an introduction by GroupWise, e.g. `>>> Bob <bob@example.org> 20.11.26 7:33 >>>`."""
    return line.startswith(">>> ") and line.endswith(" >>>") and _is_attribution(line)


def is_original_mark(line: str) -> bool:
    """True for a line such as `-----Original Message-----`."""
    if len(line) > _LONG:
        return False
    bare = line.strip("* ")
    if is_arrowed(bare):
        return True
    inner = bare.strip("-—–=_ ")
    if not inner or not any(char.isalpha() for char in inner):
        return False
    if bare.startswith(("---", "———", "___", "===")) and bare[-1] in "-—_=":
        return True
    return fold(inner).rstrip(" :：") in _VOCABULARY["FORWARDED"]


def introduces(line: str) -> bool:
    """True if a single line looks like the start of a quote."""
    if is_original_mark(line) or label_of(line) == "from":
        return True
    return line.endswith(_COLONS) and (_ends_with_verb(line) or _is_attribution(line))


def names_a_mail(lines: Sequence[str]) -> bool:
    """True if an introduction contains the writer or the time of a message."""
    if any(sign.search(line) for line in lines for sign in (_ADDRESS, _YEAR, _CLOCK)):
        return True
    return bool(lines) and not (is_original_mark(lines[0]) or is_reply_marker(lines[0]))


def named_sender(lines: Sequence[str]) -> str | None:
    """Return the first address in an introduction that is not a recipient, in lower case, or None."""
    for line in lines:
        if label_of(line) in ("to", "copy", "subject"):
            continue
        match = _MAILBOX.search(line[: _LONG * 2])
        if match is not None:
            return match.group().lower()
    return None


def says_wrote(line: str) -> bool:
    """True if a line ends like an attribution: `Bob wrote:`, or `… Bob wrote` with a date."""
    ends = fold(line).rstrip("*_ :：՝").endswith(_VOCABULARY["WROTE"])
    if line.endswith(_COLONS) and (ends or any(char.isdigit() for char in line)):
        return _ends_with_verb(line)
    return ends and any(sign.search(line) for sign in (_YEAR, _CLOCK, _ADDRESS))


def ends_attribution(line: str) -> bool:
    """True if a line ends with a colon, like an attribution."""
    return line.endswith(_COLONS)


def ends_torn(line: str) -> bool:
    """True for the end of an attribution: `wrote:`, `:`, `20 Nov 2026, 18:00:`."""
    return line.endswith(_COLONS) and (len(line) == 1 or says_wrote(line) or shows_day(line))


def is_mailbox(text: str) -> bool:
    """True if a text consists only of an address."""
    return _MAILBOX.fullmatch(text) is not None


def shows_instant(line: str) -> bool:
    """True if a line consists mostly of a date and time.

    Such lines precede the messages of a conversation.
    """
    if not (_YEAR.search(line[:_LONG]) and _CLOCK.search(line[:_LONG])):
        return False
    return len(line) <= (_DATE_LENGTH * 3 if _ADDRESS.search(line[:_LONG]) else _DATE_LENGTH)


def shows_day(line: str) -> bool:
    """True if a line contains a date with a year."""
    return _YEAR.search(line[:_LONG]) is not None


def without_detail(address: str) -> str:
    """Return an address without its `+` detail."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def label_of(line: str) -> str | None:
    """Return the type of the header field in a line (`from`, `date`, …), or None."""
    bare = line[:_LONG]
    if bare.startswith("|"):
        bare = _ROW.sub(r"\1:\2", bare)
    bare = bare.lstrip("*_ \t")
    if not bare.isascii():
        bare = bare.translate(_ASCII_COLON)
    head, colon, rest = bare[: _LABEL_LENGTH + 4].partition(":")
    if not colon or len(head) > _LABEL_LENGTH:
        return None
    kind = _LABELS.get(fold(head.strip("*_ \t")))
    if kind is None or not (rest.strip("*_ \t") or len(bare) > _LABEL_LENGTH):
        return None
    return kind


_ROW: Final = re.compile(r"^\|([^|]{1,40})\|([^|]*)\|$")
"""A header field as written by 163: `| 发件人 | Bob |`."""
_ASCII_COLON: Final = str.maketrans("：﹕՝", ":::")


def header_block_length(lines: Sequence[BodyLine], at: int) -> int:
    """Return the number of lines of a header block like Outlook's, or 0 if there is none.

    The block starts with From or Sent and has a different header field within the next lines.
    """
    text = lines[at].text
    is_plain = "@" not in text and ":" not in text
    if is_plain and (text.isascii() or not any(colon in text for colon in _COLONS)):
        return 0  # a quick result for most lines
    unknown = (
        _unknown_block_length(lines, at)
        or _bare_block_length(lines, at)
        or _sender_and_date_length(lines, at)
    )
    if unknown:
        return unknown
    if label_of(lines[at].text) not in ("from", "date"):
        return 0
    if _is_whole_block(lines[at].text):
        return 1
    kinds = {label_of(lines[at].text)}
    last = at
    for number in range(at + 1, min(len(lines), at + _LOOK_AHEAD)):
        if lines[number].zone is not lines[at].zone and lines[number].text:
            break
        if not lines[number].text:
            if number > at + 1 and len(kinds) > 1:
                break
            continue
        kind = label_of(lines[number].text)
        if kind is not None:
            kinds.add(kind)
            last = number
    wanted = kinds & {"from", "date", "to", "subject"}
    enough = len(wanted) > 2 or wanted >= {"from", "date"} or wanted >= {"from", "subject"}  # noqa: PLR2004
    return last - at + 1 if enough else 0


def _is_whole_block(line: str) -> bool:
    """True if a line contains a whole header block: `From: … Date: … To: …` (Samsung)."""
    cut = line[: _LONG * 2]
    return all(sign.search(cut) for sign in (_ADDRESS, _YEAR, _CLOCK))


def _unknown_block_length(lines: Sequence[BodyLine], at: int) -> int:
    """Return the number of lines of a header block in an unknown language.

    It must contain labels, an address and a time.
    """
    last = at
    while last < min(len(lines), at + _LOOK_AHEAD) and _LABELLED.match(lines[last].text):
        last += 1
    block = [line.text for line in lines[at:last]]
    if len(block) < _MIN_LABELS or not _ADDRESS.search(block[0] + block[1] + block[2]):
        return 0
    if label_of(block[0]) is None and label_of(block[1]) is not None:
        return 0  # `Correction: play Ks` above a block in a known language
    return len(block) if any(_YEAR.search(one) and _CLOCK.search(one) for one in block) else 0


def _bare_block_length(lines: Sequence[BodyLine], at: int) -> int:
    """Return the number of lines of a header block without colons (eM Client).

    A typical line is `From "Bob" <bob@example.org>`. The fields must be consecutive. The first one
    must contain the sender's address, and another one a date and time.
    """
    last = at
    kinds: list[str | None] = []
    while last < min(len(lines), at + _LOOK_AHEAD):
        head, blank, rest = lines[last].text[:_LONG].partition(" ")
        kind = _LABELS.get(fold(head)) if blank and rest else None
        if kind is None or kind in kinds:
            break
        kinds.append(kind)
        last += 1
    if len(kinds) < _MIN_LABELS or kinds[0] != "from" or not _ADDRESS.search(lines[at].text):
        return 0
    block = [line.text for line in lines[at:last]]
    return len(block) if any(_YEAR.search(one) and _CLOCK.search(one) for one in block) else 0


def _sender_and_date_length(lines: Sequence[BodyLine], at: int) -> int:
    """Return the number of lines of a sender line followed by date and time (Notes).

    The sender line has the form `Bob <bob@example.org>`.
    """
    if not _SENDER.fullmatch(lines[at].text):
        return 0
    below = [number for number in range(at + 1, min(len(lines), at + 4)) if lines[number].text][:1]
    for number in below:
        text = lines[number].text
        if len(text) <= _DATE_LENGTH and _YEAR.search(text) and _CLOCK.search(text):
            return number - at + 1
    return 0


def attribution_spans(
    lines: Sequence[BodyLine], is_order: Callable[[str], bool]
) -> dict[int, tuple[int, bool]]:
    """Find lines such as "On … Bob wrote:", including wrapped lines.

    Returns:
        Index of the first line, mapped to the number of lines and whether the match is certain. An
            uncertain
        match is an attribution only if a quote follows.
    """
    spans: dict[int, tuple[int, bool]] = {}
    for number, line in enumerate(lines):
        text = line.text.rstrip("*_ ")
        if line.zone is QUOTE or not text.endswith(_COLONS) or len(text) > _LONG:
            continue
        first, joined = number, text
        certain = _is_attribution(joined)
        while number - first < _LOOK_BACK and first > 0:
            before = lines[first - 1]
            if before.zone is not line.zone or (certain and not _looks_dated(before.text)):
                break
            if not _may_lead_in(before.text, is_order):
                break
            first -= 1
            joined = f"{before.text} {joined}"
            certain = certain or _is_attribution(joined)
        if certain:
            spans[first] = (number - first + 1, True)
        elif _ends_with_verb(text):
            spans[number] = (1, False)
    return spans


def _may_lead_in(text: str, is_order: Callable[[str], bool]) -> bool:
    return 0 < len(text) <= _LONG and not text.endswith(_COLONS) and not is_order(text)


def _looks_dated(text: str) -> bool:
    return bool(_YEAR.search(text)) or ("@" in text and "<" in text)


def _is_attribution(text: str) -> bool:
    if len(text) > _LONG * 2:
        return False
    has_digit = any(char.isdigit() for char in text)
    has_address = "@" in text
    has_date = bool(_YEAR.search(text) and _CLOCK.search(text))
    if has_address and (has_digit or _ends_with_verb(text)):
        return True
    return has_date or (has_digit and _ends_with_verb(text) and _starts_dated(text))


def is_never_an_order(text: str) -> bool:
    """True for `On 29 Nov 2026 at 09:31 Anna wrote:` and for `From: Anna <anna@example.org>`."""
    if _ADDRESS.search(text) and label_of(text) == "from":
        return True
    is_dated = text.endswith(_COLONS) and _starts_with_preposition(text)
    return is_dated and shows_instant(text) and _ends_with_verb(text)


def _starts_dated(text: str) -> bool:
    return _starts_with_preposition(text) or any(char.isdigit() for char in text[:40])


def _starts_with_preposition(text: str) -> bool:
    return fold(text).split(" ", 1)[0] in _VOCABULARY["STARTERS"]


def _ends_with_verb(text: str) -> bool:
    if len(text) > _LONG * 2:
        return False
    folded = fold(text)
    return any(verb in folded for verb in _VOCABULARY["WROTE"])
