"""Imitate mail programs, each of which writes a reply as text, as HTML, or both."""

from __future__ import annotations

import html
from collections.abc import Callable

from tests.mail_in.grid.mails import Case, flat_text, paragraphs, wrapped

Written = tuple[str | None, str | None]


def halves(lines: list[str]) -> tuple[list[str], list[str]]:
    """Split quoted lines at the place where a player writes between them, after move 23."""
    at = next((n for n, line in enumerate(lines) if line.lstrip("*").startswith("23")), 0) + 1
    return lines[:at], lines[at:]


def in_text(
    case: Case,
    intro: list[str],
    lines: list[str],
    *,
    mark: str = "> ",
    width: int = 72,
    end: list[str] | None = None,
) -> str:
    """Write a reply as text. With an empty `mark` the original is quoted unchanged."""
    own = case.own.lines
    end = end or []

    def quote(some: list[str]) -> list[str]:
        return wrapped(some, width, mark) if mark else some

    match case.position:
        case "bottom":
            found = [*intro, *quote(lines), "", *own, *end]
        case "inline":
            first, second = halves(lines)
            found = [*intro, *quote(first), "", *own, "", *quote(second), *end]
        case "empty":
            found = ["", *end, "", *intro, *quote(lines)]
        case _:
            found = [*own, *end, "", *intro, *quote(lines)]
    if case.below:
        found += ["", *case.below]
    return "\n".join(found) + "\n"


def in_boxes(
    case: Case,
    own: str,
    intro: str,
    opening: str,
    closing: str,
    *,
    end: str = "",
    frame: tuple[str, str] = ("", ""),
) -> str:
    """Write a reply as HTML.

    The original is enclosed by `opening` and `closing`, and both with the introduction by `frame`.
    """
    whole = f"{opening}{case.turn.html}{closing}"
    if case.below:
        end_of_all = paragraphs(["", *case.below])
        frame = (frame[0], frame[1] + end_of_all)
    match case.position:
        case "bottom":
            return f"{frame[0]}{intro}{whole}{frame[1]}<br>{own}{end}"
        case "inline":
            first, second = halves(list(case.turn.lines))
            one = f"{opening}{paragraphs(first)}{closing}"
            two = f"{opening}{paragraphs(second)}{closing}"
            return f"{frame[0]}{intro}{one}{own}{two}{frame[1]}{end}"
        case "empty":
            return f"<br>{end}{frame[0]}{intro}{whole}{frame[1]}"
        case _:
            return f"{own}{end}<br>{frame[0]}{intro}{whole}{frame[1]}"


def esc(text: str) -> str:
    return html.escape(text, quote=False)


def header_lines(case: Case, *, date: str = "Friday, November 20, 2026 6:00 PM") -> list[str]:
    sender, sent, to, subject = case.words.labels
    colon = "：" if case.language in ("zh-CN", "zh-TW") else ":"
    return [
        f"{sender}{colon} {case.turn.name} <{case.turn.address}>",
        f"{sent}{colon} {date}",
        f"{to}{colon} Anna Example <anna@example.org>",
        f"{subject}{colon} {case.turn.subject}",
    ]


def bold_labels(lines: list[str], join: str = "<br>") -> str:
    """Write Outlook's header block in HTML, with bold labels."""
    found = []
    for line in lines:
        at = max(line.find(": "), line.find("： "))
        found.append(f"<b>{esc(line[: at + 1])}</b> {esc(line[at + 2 :])}")
    return join.join(found)


def gmail_web(case: Case) -> Written:
    intro = case.say(case.words.gmail)
    flat = flat_text(case.turn.html, stars=True, links=True)
    text = in_text(case, [intro, ""], flat, width=76)
    rich = in_boxes(
        case,
        f'<div dir="ltr">{paragraphs(case.own.lines)}</div>',
        f'<div dir="ltr" class="gmail_attr">{esc(intro)}<br></div>',
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">',
        "</blockquote>",
        frame=('<div class="gmail_quote gmail_quote_container">', "</div>\r\n"),
    )
    return text, rich


def gmail_android(case: Case) -> Written:
    intro = case.say(case.words.gmail)
    own = "".join(f'<div dir="auto">{esc(line) or "<br>"}</div>' for line in case.own.lines)
    rich = in_boxes(
        case,
        own,
        f'<div dir="ltr" class="gmail_attr">{esc(intro)}<br></div>',
        '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">',
        "</blockquote>",
        frame=('<br><div class="gmail_quote">', "</div>"),
    )
    return in_text(case, [intro, ""], flat_text(case.turn.html, stars=True), width=76), rich


def apple_mail(case: Case) -> Written:
    intro = case.say(case.words.apple)
    lines = flat_text(case.turn.html)
    text = in_text(case, [f"> {intro}", "> "], lines, width=10_000)
    rich = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        '<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">'
        + in_boxes(
            case,
            paragraphs(case.own.lines),
            f'<blockquote type="cite"><div>{esc(intro)}</div></blockquote>',
            '<br class="Apple-interchange-newline"><blockquote type="cite"><div>',
            "</div></blockquote>",
            frame=("<div>", "</div>"),
        )
        + "</body></html>"
    )
    return text, rich


def iphone(case: Case) -> Written:
    intro = case.say(case.words.apple)
    device = case.words.device
    text = in_text(
        case, [f"> {intro}", "> "], flat_text(case.turn.html), width=10_000, end=["", device]
    )
    rich = in_boxes(
        case,
        f'<div dir="ltr">{paragraphs(case.own.lines)}</div>',
        f'<blockquote type="cite">{esc(intro)}<br><br></blockquote>',
        '<blockquote type="cite"><div dir="ltr">\ufeff',
        "</div></blockquote>",
        end=f'<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{esc(device)}</div>',
    )
    return text, f'<html><body dir="auto">{rich}</body></html>'


def outlook_desktop(case: Case) -> Written:
    lines = header_lines(case)
    text = in_text(case, ["", *lines, ""], list(case.turn.lines), mark="")
    own = paragraphs(case.own.lines, "p", " class=MsoNormal")
    rich = in_boxes(
        case,
        f"<div class=WordSection1>{own}<p class=MsoNormal><o:p>&nbsp;</o:p></p>",
        "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>"
        f"<p class=MsoNormal>{bold_labels(lines)}<o:p></o:p></p></div></div>",
        "<p class=MsoNormal><o:p>&nbsp;</o:p></p>",
        "</div>",
    )
    return (
        text,
        f"<html><head><style>p.MsoNormal {{margin:0cm}}</style></head><body>{rich}</body></html>",
    )


def outlook_web(case: Case) -> Written:
    lines = header_lines(case)
    text = in_text(case, ["_" * 32, *lines, ""], list(case.turn.lines), mark="")
    rich = in_boxes(
        case,
        paragraphs(case.own.lines, "div", ' class="elementToProof" style="font-size: 12pt"'),
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">{bold_labels(lines)}</font>'
        "<div>&nbsp;</div></div>",
        "<div>",
        "</div>",
    )
    return text, rich


def outlook_mobile(case: Case) -> Written:
    lines = header_lines(case)
    device = "Get Outlook for iOS<https://aka.ms/o0ukef>"
    text = in_text(case, ["_" * 32, *lines, ""], list(case.turn.lines), mark="", end=["", device])
    rich = in_boxes(
        case,
        f'<div dir="ltr">{paragraphs(case.own.lines)}</div>',
        '<div id="mail-editor-reference-message-container"><hr style="display:inline-block;width:98%">'
        '<div class="ms-outlook-mobile-reference-message skipProofing" style="text-align: left; '
        "padding: 3pt 0in 0in; border-width: 1pt medium medium; border-style: solid none none; "
        f'border-color: rgb(181, 196, 223) currentcolor currentcolor;">{bold_labels(lines)}</div>',
        '<div class="ms-outlook-mobile-reference-message skipProofing">',
        "</div></div>",
        end='<div id="ms-outlook-mobile-signature"><div></div>Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div>',
    )
    return text, rich


THUNDERBIRD = {
    "en": "On 20/11/2026 18:00, {n} wrote:",
    "de": "Am 20.11.26 um 18:00 schrieb {n}:",
    "fr": "Le 20/11/2026 à 18:00, {n} a écrit\u00a0:",
    "es": "El 20/11/26 a las 18:00, {n} escribió:",
    "it": "Il 20/11/2026 18:00, {n} ha scritto:",
    "nl": "Op 20-11-2026 om 18:00 schreef {n}:",
    "pl": "W dniu 20.11.2026 o 18:00, {n} pisze:",
    "ru": "20.11.2026 18:00, {n} пишет:",
    "cs": "Dne 20. 11. 26 v 18:00 {n} napsal(a):",
    "hu": "2026. 11. 20. 18:00 keltezéssel, {n} írta:",
    "sv": "Den 2026-11-20 kl. 18:00, skrev {n}:",
    "da": "Den 20.11.2026 kl. 18.00 skrev {n}:",
    "fi": "{n} kirjoitti 20.11.2026 klo 18.00:",
    "ja": "On 2026/11/20 18:00, {n} wrote:",
    "pt": "Em 20/11/2026 18:00, {n} escreveu:",
    "el": "Στις 20/11/26 18:00, ο/η {n} έγραψε:",
    "tr": "{n}, 20.11.2026 18:00 tarihinde yazdı:",
    "uk": "20.11.26 18:00, {n} пише:",
    "ro": "La 20.11.2026 18:00, {n} a scris:",
    "sk": "Dňa 20. 11. 2026 o 18:00 {n} napísal(a):",
    "bg": "На 20.11.26 г. в 18:00 ч., {n} написа:",
    "no": "Den 20.11.2026 18:00, skrev {n}:",
}


def _thunderbird_intro(case: Case) -> str:
    return case.say(THUNDERBIRD.get(case.language, THUNDERBIRD["en"]))


def thunderbird_plain(case: Case) -> Written:
    end = ["", "-- ", "Anna Example", "21 Main Street"] if case.phone else None
    lines = list(case.turn.lines)
    return in_text(case, [_thunderbird_intro(case)], lines, width=70, end=end), None


def thunderbird_html(case: Case) -> Written:
    intro = _thunderbird_intro(case)
    rich = in_boxes(
        case,
        paragraphs(case.own.lines, "p"),
        f'<div class="moz-cite-prefix">{esc(intro)}<br></div>',
        '<blockquote type="cite" cite="mid:118.7@games.example">',
        "</blockquote>",
        end='<pre class="moz-signature" cols="72">-- \nAnna Example</pre>' if case.phone else "",
    )
    return in_text(case, [intro], list(case.turn.lines)), rich


def marked_by(intros: list[str], *marks: str, width: int = 72) -> Callable[[Case], Written]:
    """Return a terminal client, which writes an introduction and marks every quoted line."""

    def client(case: Case) -> Written:
        dice = case.dice()
        intro = [case.say(line) for line in dice.choice(intros).split("\n")] if intros else []
        mark = dice.choice(marks)
        end = ["", "-- ", "Anna  ·  anna@example.org"] if case.phone else None
        return in_text(case, intro, list(case.turn.lines), mark=mark, width=width, end=end), None

    return client


def unmarked_by(*intros: str, device: str = "") -> Callable[[Case], Written]:
    """Return a client that appends the original without marks."""

    def client(case: Case) -> Written:
        intro = case.say(case.dice().choice(intros)).replace("{s}", case.turn.subject).split("\n")
        end = ["", "", device] if device and case.phone else None
        return in_text(case, ["", *intro, ""], list(case.turn.lines), mark="", end=end), None

    return client
