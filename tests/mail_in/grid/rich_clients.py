"""Imitate webmail and phones, whose HTML encloses quotes in program-specific elements."""

from __future__ import annotations

from collections.abc import Callable

from tests.mail_in.grid.clients import (
    Written,
    bold_labels,
    esc,
    header_lines,
    in_boxes,
    in_text,
)
from tests.mail_in.grid.mails import Case, flat_text, paragraphs

_BAR = "margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex"


def boxed(
    intro: str,
    *,
    opening: str = "<blockquote>",
    closing: str = "</blockquote>",
    frame: tuple[str, str] = ("", ""),
    intro_box: tuple[str, str] = ("<div>", "</div>"),
    own_box: tuple[str, str] = ("", ""),
    end: str = "",
    text_end: str = "",
    mark: str = "> ",
    flat: bool = True,
) -> Callable[[Case], Written]:
    """Return a client that is described by its introduction and the elements around each part."""

    def client(case: Case) -> Written:
        words = intro.replace("{g}", case.words.gmail).replace("{p}", case.words.apple)
        said = case.say(words).replace("{s}", case.turn.subject)
        lines = flat_text(case.turn.html) if flat else list(case.turn.lines)
        shown = "<br>".join(esc(line) for line in said.split("\n"))
        phone = case.phone
        text = in_text(
            case,
            [*said.split("\n"), ""],
            lines,
            mark=mark,
            end=["", text_end] if text_end and phone else None,
        )
        rich = in_boxes(
            case,
            f"{own_box[0]}{paragraphs(case.own.lines)}{own_box[1]}",
            f"{intro_box[0]}{shown}{intro_box[1]}",
            opening,
            closing,
            end=end if phone else "",
            frame=frame,
        )
        return text, rich

    return client


def headed(
    before: str,
    *,
    labels: tuple[str, str, str, str] | None = None,
    opening: str = "<div>",
    closing: str = "</div>",
    frame: tuple[str, str] = ("", ""),
    mark: str = "",
    end: str = "",
) -> Callable[[Case], Written]:
    """Return a client that writes a block of header fields above the quote, after the line `before`."""

    def client(case: Case) -> Written:
        lines = header_lines(case, date="2026-11-20 18:00:00")
        if labels:
            lines = [
                f"{label}: {line.partition(':')[2].strip()}"
                for label, line in zip(labels, [x.replace("：", ":") for x in lines], strict=True)
            ]
        intro = [before, *lines] if before else lines
        text = in_text(case, ["", *intro, ""], list(case.turn.lines), mark=mark)
        rich = in_boxes(
            case,
            paragraphs(case.own.lines),
            f"<div>{esc(before)}</div><div>{bold_labels(lines)}</div><br>",
            opening,
            closing,
            frame=frame,
            end=end if case.phone else "",
        )
        return text, rich

    return client


PROTON_SIGN = (
    '<div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">'
    'Sent with <a href="https://proton.me/">Proton Mail</a> secure email.</div></div>'
)
RICH = {
    "yahoo_web": boxed(
        "On Friday, November 20, 2026 at 06:00:00 PM GMT+1, {n} <{a}> wrote:",
        frame=(
            '<div id="yahoo_quoted_7788" class="yahoo_quoted"><div style="font-size:13px">',
            "</div></div>",
        ),
        opening='<div><div id="yiv123">',
        closing="</div></div>",
        mark="",
    ),
    "yandex_web": boxed(
        '20.11.2026, 18:00, "{n}" <{a}>:', opening="<blockquote>", frame=("<div>", "</div>")
    ),
    "mailru_web": boxed(
        "Пятница, 20 ноября 2026, 18:00 +03:00 от {n} <{a}>:",
        frame=(
            '<blockquote style="border-left:1px solid #0857A6; margin:10px; padding:0 0 0 10px;">',
            "</blockquote>",
        ),
        opening='<div id=""><div class="js-helper js-readmsg-msg">',
        closing="</div></div>",
        mark=">",
    ),
    "proton_web": boxed(
        "On Friday, November 20th, 2026 at 6:00 PM, {n} <{a}> wrote:",
        frame=('<div class="protonmail_quote">', "</div>"),
        opening='<blockquote class="protonmail_quote" type="cite">',
        end=PROTON_SIGN,
        text_end="Sent with [Proton Mail](https://proton.me/) secure email.",
    ),
    "netease_163": boxed(
        'At 2026-11-20 18:00:00, "{n}" <{a}> wrote:',
        intro_box=("<br><p>", "</p>"),
        opening='<blockquote id="isReplyContent" style="PADDING-LEFT: 1ex; MARGIN: 0px 0px 0px 0.8ex; BORDER-LEFT: #ccc 1px solid">',
        mark=">",
    ),
    "netease_163_zh": boxed(
        '在 2026-11-20 18:00:00，"{n}" <{a}> 写道：',
        opening='<blockquote id="isReplyContent">',
        mark=">",
    ),
    "qq_mail": headed(
        "------------------ 原始邮件 ------------------",
        labels=("发件人", "发送时间", "收件人", "主题"),
        end="<div><includetail><!--<![endif]--></includetail></div>",
    ),
    "gmx_web": headed(
        "",
        labels=("Von", "Gesendet", "An", "Betreff"),
        frame=(
            '<div><div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">',
            "</div></div>",
        ),
        opening='<div name="quoted-content">',
    ),
    "t_online": headed("-----Original-Nachricht-----", labels=("Von", "Datum", "An", "Betreff")),
    "roundcube": boxed(
        "On 2026-11-20 18:00, {n} wrote:",
        intro_box=('<p id="reply-intro">', "</p>"),
        opening='<blockquote type="cite" style="padding: 0 0.4em; border-left: #1010ff 2px solid; margin: 0">',
        flat=False,
    ),
    "zimbra": headed("----- Original Message -----", labels=("From", "Sent", "To", "Subject")),
    "zimbra_fr": headed("----- Mail original -----", labels=("De", "Envoyé", "À", "Objet")),
    "samsung": headed(
        "-------- Original message --------", labels=("From", "Date", "To", "Subject")
    ),
    "samsung_de": headed(
        "-------- Ursprüngliche Nachricht --------", labels=("Von", "Datum", "An", "Betreff")
    ),
    "hey": boxed(
        "On November 20, 2026, {n} <{a}> wrote:",
        own_box=('<div class="trix-content">', "</div>"),
        opening="<blockquote>",
    ),
    "superhuman": boxed(
        "{g}",
        frame=('<div class="gmail_quote">', "</div>"),
        opening=f'<blockquote class="gmail_quote" style="{_BAR}"><div class="gmail_extra">',
        closing="</div></blockquote>",
        end='<div class="gmail_signature">Sent via <a href="https://sprh.mn/">Superhuman</a></div>',
        text_end="Sent via Superhuman ( https://sprh.mn/?vip=anna )",
    ),
    "spark": boxed(
        "On 20 Nov 2026, 18:00 +0100, {n} <{a}>, wrote:",
        own_box=('<div name="messageBodySection">', "</div>"),
        frame=('<div name="messageReplySection">', "</div>"),
        opening='<blockquote type="cite" style="border-left: thin solid #1abc9c; margin: 5px; padding-left: 10px;">',
        end='<div name="messageSignatureSection"><br />Sent with <a href="#">Spark</a></div>',
        text_end="Sent with Spark",
    ),
    "missive": boxed(
        "On November 20, 2026 at 6:00 PM, {n} ({a}) wrote:",
        frame=('<div class="missive_quote">', "</div>"),
        opening='<blockquote type="cite">',
    ),
    "front": boxed(
        "On November 20, 2026 at 6:00 PM GMT+1 {a} wrote:",
        frame=(
            '<blockquote type="cite" class="front-blockquote" style="border-left: 2px solid #ccc">',
            "</blockquote>",
        ),
        opening="<div>",
        closing="</div>",
    ),
    "zoho": boxed(
        "---- On Fri, 20 Nov 2026 18:00:00 +0100 {n} <{a}> wrote ---",
        frame=('<div class="zmail_extra" id="Zm-_Id_-Sgn1">', "</div>"),
        opening='<blockquote style="border-left: 1px solid rgb(204, 204, 204); padding-left: 6px; margin: 0px 0px 0px 5px">',
        mark=" > ",
    ),
    "em_client": headed(
        "------ Original Message ------",
        labels=("From", "Date", "To", "Subject"),
        opening='<blockquote cite="118.7@games.example" type="cite" class="cite2">',
        closing="</blockquote>",
        mark=">",
    ),
    "fastmail": boxed(
        "On Fri, Nov 20, 2026, at 6:00 PM, {n} wrote:",
        opening='<blockquote type="cite" id="qt" style="">',
        flat=False,
    ),
    "tutanota": boxed(
        "20 Nov 2026, 18:00 by {a}:",
        opening='<blockquote class="tutanota_quote" style="border-left: 1px solid #93A3B8; padding-left: 10px; margin-left: 5px;">',
        end="<div>--</div><div> Secured with Tuta Mail:</div><div> https://tuta.com/free-email</div>",
        text_end="-- \nSecured with Tuta Mail: \nhttps://tuta.com/free-email",
    ),
    "fairemail": boxed(
        "Nov 20, 2026 6:00:00 PM {n} <{a}>:",
        intro_box=("<p>", "</p>"),
        opening='<blockquote style="border-left: 3px solid rgb(204, 204, 204); padding-left: 3px; margin: 0;">',
    ),
    "k9": boxed(
        "{p}",
        frame=('<div class="gmail_quote">', "</div>"),
        opening=f'<blockquote class="gmail_quote" style="{_BAR}">',
        end="<div>-- <br>Sent from my Android device with K-9 Mail. Please excuse my brevity.</div>",
        text_end="-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.",
        flat=False,
    ),
    "airmail": boxed(
        "On November 20, 2026 at 6:00:00 PM, {n} ({a}) wrote:",
        intro_box=('<div class="airmail_on" style="margin:0">', "</div>"),
        opening='<blockquote type="cite" class="clean_bq"><span><div>',
        closing="</div></span></blockquote>",
    ),
    "mailspring": boxed(
        "{g}",
        frame=('<div class="gmail_quote nylas-quote nylas-quote-id-1">', "</div>"),
        opening=f'<blockquote class="gmail_quote" style="{_BAR}">',
    ),
    "ox_ionos": boxed(
        "{n} <{a}> hat am 20.11.2026 18:00 CET geschrieben:",
        own_box=('<div class="default-style">', "</div>"),
        frame=('<blockquote type="cite">', "</blockquote>"),
        opening="<div>&nbsp;</div><div>",
        closing="</div>",
        mark="",
    ),
    "seznam": headed(
        "---------- Původní e-mail ----------",
        labels=("Od", "Datum", "Komu", "Předmět"),
        frame=("<aside>", "</aside>"),
        opening='<blockquote data-email="play@games.example">',
        closing="</blockquote>",
    ),
    "orange_fr": boxed(
        '> Message du 20/11/26 18:00\n> De : "{n}" <{a}>\n> A : "Anna" <anna@example.org>\n> Copie à : \n> Objet : {s}',
        opening='<blockquote style="padding-left: 5px; margin-left: 5px; border-left: #ff0000 2px solid;">',
    ),
    "naver": headed("-----Original Message-----", labels=("From", "Sent", "To", "Subject")),
    "aol": headed("-----Original Message-----", labels=("From", "Sent", "To", "Subject")),
    "forward_gmail": headed(
        "---------- Forwarded message ---------", labels=("From", "Date", "To", "Subject")
    ),
}
