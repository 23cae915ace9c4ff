"""Build the grid of replies by client, language and position."""

from __future__ import annotations

import random  # noqa: TID251  (which mails a test reads, never what a game deals)
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from tests.mail_in.grid import clients
from tests.mail_in.grid.clients import Written, marked_by, unmarked_by
from tests.mail_in.grid.further import FURTHER
from tests.mail_in.grid.languages import LANGUAGES, Language
from tests.mail_in.grid.mails import Case, Own, Turn, compose, load_turn
from tests.mail_in.grid.mess import PAGE_MESS, TEXT_MESS, restructured
from tests.mail_in.grid.rich_clients import RICH

MARKED: dict[str, Callable[[Case], Written]] = {
    "mutt": marked_by(["On Fri, Nov 20, 2026 at 06:00:00PM +0100, {n} wrote:"], "> ", ">", "| "),
    "neomutt_initials": marked_by(["* {n} [2026-11-20 18:00]:"], "GS> ", "gs> "),
    "s_nail": marked_by(["{n} wrote in\n <118.7@games.example>:"], " |", "> "),
    "nmh": marked_by(["{n} writes:", "In message <118.7@games.example>, {n} writes:"], "> ", ">"),
    "evolution": marked_by(["On Fri, 2026-11-20 at 18:00 +0100, {n} wrote:"], "> "),
    "kmail": marked_by(
        [
            "Am Freitag, 20. November 2026, 18:00:00 Mitteleuropäische Normalzeit schrieb {n}:",
            "On Friday, November 20, 2026 6:00:00 PM CET {n} wrote:",
        ],
        "> ",
    ),
    "claws": marked_by(["On Fri, 20 Nov 2026 18:00:00 +0100\n{n} <{a}> wrote:\n"], "> "),
    "the_bat": marked_by(["Friday, November 20, 2026, 6:00:00 PM, you wrote:\n"], "GS> ", "> "),
    "gnus": marked_by(['>>>>> "{n}" == {n} <{a}> writes:\n', "{n} <{a}> writes:\n"], "> "),
    "supercite": marked_by(["{n} <{a}> writes:\n"], "    Game> ", "  GS> "),
    "alpine": marked_by(["On Fri, 20 Nov 2026, {n} wrote:\n"], "> "),
    "aerc": marked_by(["On Fri Nov 20, 2026 at 6:00 PM CET, {n} wrote:"], "> "),
    "geary": marked_by(["On Fri, Nov 20 2026 at 06:00:00 PM +0100, {n} <{a}> wrote:"], "> "),
    "horde": marked_by(["Quoting {n} <{a}>:\n", "Zitat von {n} <{a}>:\n"], "> "),
    "odd_marks": marked_by(["{n} schrieb am 20.11.2026 18:00:"], "} ", ": ", "# ", "* > "),
    "no_intro": marked_by([""], "> "),
    "postbox": marked_by(["{n} wrote on 20/11/26 18:00:"], "> "),
    "apple_old": marked_by(
        ["Begin quote from {n}:", "Op 20-nov-2026, om 18:00 schreef {n}:"], "> "
    ),
}
UNMARKED: dict[str, Callable[[Case], Written]] = {
    "notes": unmarked_by(
        "{n} <{a}> \n11/20/2026 06:00 PM\n\nTo\nanna@example.org\ncc\n\nSubject\n{s}\n\n",
        'From:   "{n}" <{a}>\nTo:     anna@example.org\nDate:   20.11.2026 18:00\nSubject:        {s}',
        'Von:    "{n}" <{a}>\nAn:     anna@example.org\nDatum:  20.11.2026 18:00\nBetreff:        {s}',
    ),
    "yahoo_android": unmarked_by(
        "  On Fri, Nov 20, 2026 at 6:00 PM, {n}<{a}> wrote:   ",
        "  El vie., nov. 20, 2026 a la(s) 18:00, {n}<{a}> escribió:   ",
        device="Sent from Yahoo Mail on Android",
    ),
    "libero": unmarked_by("Il 20/11/2026 18:00 {n} <{a}> ha scritto:\n\n "),
    "wp_pl": unmarked_by("Dnia 20 listopada 2026 18:00 {n} <{a}> napisał(a):\n"),
    "interia": unmarked_by(
        "Od: {n} <{a}>\nDo: anna@example.org\nWysłane: 18:00 Piątek 2026-11-20\nTemat: {s}"
    ),
    "sogo": unmarked_by("Am Freitag, November 20, 2026 18:00 CET, schrieb {n} <{a}>:\n "),
    "yahoo_jp": unmarked_by(
        "----- Original Message -----\nFrom: {n} <{a}>\nTo: anna@example.org\nDate: 2026/11/20, Fri 18:00\nSubject: {s}"
    ),
}
FULL: dict[str, Callable[[Case], Written]] = {
    "gmail_web": clients.gmail_web,
    "gmail_android": clients.gmail_android,
    "apple_mail": clients.apple_mail,
    "iphone": clients.iphone,
    "outlook_desktop": clients.outlook_desktop,
    "outlook_web": clients.outlook_web,
    "outlook_mobile": clients.outlook_mobile,
    "thunderbird_plain": clients.thunderbird_plain,
    "thunderbird_html": clients.thunderbird_html,
    **RICH,
}
LOCALISED = frozenset(
    [
        "gmail_web",
        "gmail_android",
        "apple_mail",
        "iphone",
        "superhuman",
        "k9",
        "mailspring",
        "thunderbird_plain",
        "thunderbird_html",
        "outlook_desktop",
        "outlook_web",
        "outlook_mobile",
    ]
)
BLOCKED = frozenset(
    [
        "outlook_desktop",
        "outlook_web",
        "outlook_mobile",
        "qq_mail",
        "t_online",
        "zimbra",
        "zimbra_fr",
        "samsung",
        "samsung_de",
        "naver",
        "aol",
        "forward_gmail",
    ]
)
"""Clients that quote without a mark, so that no replies between the quoted lines are generated."""

ORDERS = (
    ("play 7c",),
    ("21",),
    ("Play 9c.",),
    ("pickup",),
    ("22 or 25",),
    ("play 7♣ 7♦",),
    ("23",),
    ("- 24",),
    ("２２",),
    ("\u200b21\u200b",),
    ("god",),
    ("PLAY KS",),
    ("play\u00a010h",),
    ("21", "pickup"),
    ("*22*",),
    ("“play Jd”",),
)
ENDINGS = (
    (),
    (),
    ("", "Anna"),
    ("", "Best regards,", "Anna Example", "Example Ltd · 21 Main Street · +49 30 1234567"),
    (
        "",
        "This e-mail and any attachments are confidential and may be privileged. If you are not",
        "the intended recipient, please delete it. 21 Example Street, London EC1.",
    ),
)


@dataclass(frozen=True)
class Reply:
    """A raw reply and its expected result."""

    name: str
    raw: bytes
    turn: Turn
    orders: tuple[str, ...]
    words: tuple[str, ...]


@cache
def _turn(name: str) -> Turn:
    return load_turn(name)


MESSY_ORDERS = (
    *ORDERS,
    ("Play 7C",),
    ("21.",),
    ("  pickup  ",),
    ("22!",),
    ("play 9c, 9d",),
    ("Pick up",),
    ("(23)",),
    ("help",),
    ("rules",),
)


def replies(
    seed: int, count: int, *, messy: bool = False, further: bool = False
) -> Iterator[Reply]:
    """Yield replies of every client in turn, with random texts, positions and languages.

    Args:
        seed: seed of the random choices.
        count: number of replies.
        messy: True to damage them as on their way through gateways and mailing lists.
        further: True to use the second group of mail programs.
    """
    dice = random.Random(seed)  # noqa: S311
    makers = FURTHER if further else {**FULL, **MARKED, **UNMARKED}
    names = sorted(makers)
    for number in range(count):
        client = names[number % len(names)]
        language = dice.choice(sorted(LANGUAGES)) if client in LOCALISED else "en"
        if client in ("yandex_web", "mailru_web"):
            language = "ru"
        turn = _turn(dice.choice(["phyliss", "large", "plain"]))
        places = ["top", "top", "top", "empty"]
        if further:
            language = dice.choice(sorted(LANGUAGES))  # language of the player's own words only
        if client not in BLOCKED and client not in UNMARKED and not further:
            places += ["bottom", "inline"]
        if further:
            places += ["bottom", "inline"] if number % 4 == 0 else []
        position = dice.choice(places)
        words = LANGUAGES[language]
        own = Own(()) if position == "empty" else _own(dice, words, messy=messy)
        case = Case(turn, own, language, position, dice.random() < 0.5, seed * 10_000 + number)
        plain, rich = makers[client](case)
        form = dice.choice(["both", "both", "plain", "rich"])
        if rich is None or form == "plain":
            rich = None if plain is not None else rich
        elif form == "rich":
            plain = None
        charset = words.charset if rich is None and dice.random() < 0.5 else "utf-8"
        if plain is not None and charset != "utf-8" and not _fits(plain, charset):
            charset = "utf-8"
        extra = ""
        if messy and plain is not None:
            plain = dice.choice([*TEXT_MESS, _same, _same])(plain, dice)
            if dice.random() < 0.15:
                plain, extra = _flowed(plain), "; format=flowed"
        if messy and rich is not None:
            rich = dice.choice([*PAGE_MESS, _same])(rich, dice)
        raw = compose(case, plain, rich, client=client, charset=charset, extra=extra)
        if messy and dice.random() < 0.3:
            raw = restructured(raw, case, dice)
        name = f"{seed}_{number:03d}_{client}_{language}_{position}_{form}"
        yield Reply(name, raw, turn, own.orders, (*own.before, *own.after))


def _own(dice: random.Random, words: Language, *, messy: bool) -> Own:
    prose = words.prose
    before = (prose, "") if dice.random() < 0.25 else ()
    after: tuple[str, ...] = ("", prose) if dice.random() < 0.25 else ()
    ending = dice.choice([*ENDINGS, ("", *words.bye.split("\n"))])
    return Own(dice.choice(MESSY_ORDERS if messy else ORDERS), before, (*after, *ending))


def _same(text: str, dice: random.Random) -> str:
    del dice
    return text


def _flowed(text: str) -> str:
    """Wrap prose with soft breaks (RFC 3676)."""
    found: list[str] = []
    for line in text.split("\n"):
        flat = line if line == "-- " else line.rstrip()
        while len(flat) > 66 and " " in flat[20:66] and not flat.startswith(">"):
            cut = flat.rindex(" ", 20, 66) + 1
            found.append(flat[:cut])
            flat = flat[cut:]
        found.append(f" {flat}" if flat.startswith((" ", "From ")) else flat)
    return "\n".join(found)


def _fits(text: str, charset: str) -> bool:
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        return False
    return True
