"""Imitate a second group of mail programs, added after the extractor was tuned to the first."""

from __future__ import annotations

from collections.abc import Callable

from tests.mail_in.grid.clients import Written, esc, in_boxes, in_text
from tests.mail_in.grid.mails import Case, flat_text, paragraphs

BOX = ("<blockquote>", "</blockquote>")
BAR = ('<div style="border-left:2px solid #00f;padding-left:5px">', "</div>")
BARE = ("<div>", "</div>")
MAC = "border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0cm 0cm 0cm"


def client(
    intro: str,
    mark: str,
    box: tuple[str, str] = BARE,
    *,
    intro_box: tuple[str, str] = ("<div>", "</div>"),
    end: str = "",
    blank: bool = True,
) -> Callable[[Case], Written]:
    """Return a client by its introduction, its quote mark in text, and its box in HTML."""

    def write(case: Case) -> Written:
        said = case.say(intro).replace("{s}", case.turn.subject)
        lines = list(case.turn.lines) if case.seed % 2 else flat_text(case.turn.html)
        tail = ["", end] if end and case.phone else None
        opening = [*said.split("\n"), ""] if blank else said.split("\n")
        text = in_text(case, opening, lines, mark=mark, width=68, end=tail)
        shown = "<br>".join(esc(line) for line in said.split("\n"))
        rich = in_boxes(
            case,
            paragraphs(case.own.lines, "p"),
            f"{intro_box[0]}{shown}{intro_box[1]}",
            *box,
            end=f"<p>{esc(end)}</p>" if end and case.phone else "",
        )
        return text, rich

    return write


def fields(*labels: str, date: str = "20.11.2026 18:00", colon: str = ": ") -> str:
    """Write a header block with these labels for sender, date, recipient, subject."""
    values = ("{n} <{a}>", date, "anna@example.org", "{s}")
    return "\n".join(f"{label}{colon}{value}" for label, value in zip(labels, values, strict=True))


FURTHER: dict[str, Callable[[Case], Written]] = {
    "outlook_2003": client(
        "-----Original Message-----\n" + fields("From", "Sent", "To", "Subject"), ""
    ),
    "outlook_mac": client(
        fields("From", "Date", "To", "Subject", date="Friday, 20 November 2026 at 18:00"),
        "",
        intro_box=(f"<div style='{MAC}'>", "</div>"),
    ),
    "windows_live": client(
        fields("From", "Sent", "To", "Subject"),
        "",
        intro_box=('<DIV style="BACKGROUND: #f5f5f5">', "</DIV>"),
    ),
    "incredimail": client(
        "-------Original Message-------\n\n" + fields("From", "Date", "To", "Subject"), ""
    ),
    "opera": client("On Fri, 20 Nov 2026 18:00:00 +0100, {n} <{a}> wrote:", "> ", BOX),
    "pegasus": client("On 20 Nov 2026 at 18:00, {n} wrote:", "> ", BOX),
    "eudora": client("At 06:00 PM 11/20/2026, you wrote:", ">", BOX, blank=False),
    "mulberry": client(
        "--On Friday, November 20, 2026 6:00 PM +0100 {n} <{a}> wrote:", "> ", BOX
    ),
    "squirrelmail": client("On Fri, November 20, 2026 6:00 pm, {n} wrote:", "> ", BOX, blank=False),
    "rainloop": client('November 20, 2026 6:00 PM, "{n}" <{a}> wrote:', "> ", BOX),
    "outlook_2010": client(
        "From: {n} [mailto:{a}] \nSent: Friday, November 20, 2026 6:00 PM\nTo: Anna\nSubject: {s}",
        "",
        intro_box=(f"<div style='{MAC}'>", "</div>"),
    ),
    "hotmail_old": client(
        "Date: Fri, 20 Nov 2026 18:00:00 +0100\nFrom: {a}\nTo: anna@example.org\nSubject: {s}",
        "",
        intro_box=('<hr id="stopSpelling">', "<br>"),
    ),
    "windows_mail": client(
        "From: {n}\nSent: 20 November 2026 18:00\nTo: Anna\nSubject: {s}",
        "",
        intro_box=(f"<div style='mso-element:para-border-div;{MAC}'>", "</div>"),
    ),
    "unknown_box": client("", "", ('<div class="acme">', "</div>"), blank=False),
    "kopano": client("-----Original message-----\n" + fields("From", "Sent", "To", "Subject"), ""),
    "groupwise": client(">>> {n} <{a}> 11/20/2026 6:00 PM >>>", "", BAR, blank=False),
    "rambler": client("20 ноября 2026 г., 18:00, {n} <{a}> пишет:", "> ", BOX),
    "ukr_net": client('20 листопада 2026, 18:00:00, від "{n}" <{a}>:', "", BOX),
    "i_ua": client(
        "--- Оригінальне повідомлення ---\n" + fields("Від кого", "Дата", "Кому", "Тема"), ""
    ),
    "abv_bg": client(
        "-------- Оригинално писмо --------\n" + fields("От", "Изпратено на", "До", "Относно"), ""
    ),
    "freemail_hu": client("{n} <{a}> írta:", "> ", BOX),
    "centrum_cz": client(
        "______________________________________________________________\n"
        + fields("> Od", "> Datum", "> Komu", "> Předmět"),
        ">",
        BOX,
    ),
    "hanmail": client(
        "---------[ 받은 메일 내용 ]----------\n"
        + fields("보낸이", "날짜", "받는이", "제목", colon=" : "),
        "",
    ),
    "foxmail": client(
        "________________________________\n"
        + fields("发件人", "发送时间", "收件人", "主题", colon="： "),
        "",
    ),
    "sina": client(
        "----- 原始邮件 -----\n" + fields("发件人", "日期", "收件人", "主题", colon="："), ""
    ),
    "walla_he": client(fields("מאת", "נשלח", "אל", "נושא"), ""),
    "rediff": client(
        "\n" + fields("From", "Sent", "To", "Subject", date="Fri, 20 Nov 2026 18:00:00"), ""
    ),
    "mail_com": client(
        fields("From", "Sent", "To", "Subject", date="Friday, November 20, 2026 at 6:00 PM"),
        "",
        ('<div name="quoted-content">', "</div>"),
        intro_box=('<div name="quote" style="margin:10px">', "</div>"),
    ),
    "laposte": client(
        fields("De", "Envoyé", "A", "Objet", date="vendredi 20 Novembre 2026 18:00", colon=" : "),
        "",
    ),
    "telia": client(
        "----Ursprungligt meddelande----\n"
        + fields("Från", "Datum", "Till", "Ämne", colon=" : "),
        "",
    ),
    "terra": client("Em Sex 20/11/26 18:00, {n} {a} escreveu:", "", BAR),
    "bol": client("Em 20/11/2026 18:00, {n} escreveu:", "> ", BOX),
    "libero": client("Il 20/11/2026 18:00 CET {n} <{a}> ha scritto:", "", BAR),
    "aquamail": client(
        "On 20 November 2026 18:00:00 {n} <{a}> wrote:", "> ", BAR,
        end="Sent with Aqua Mail for Android",
    ),
    "bluemail": client(
        "On 20 Nov 2026, 18:00, at 18:00, {n} <{a}> wrote:", ">", BOX,
        end="Get BlueMail for Android",
    ),
    "edison": client(
        "On Fri, Nov 20, 2026 at 6:00 PM, <{a}> wrote:", "> ", BOX, end="Sent from Edison Mail"
    ),
    "canary": client(
        "On Friday, Nov 20, 2026 at 6:00 PM, {n} <{a} ({a})> wrote:", "> ", BOX,
        end="Sent from Canary (https://canarymail.io)",
    ),
    "mymail": client(
        "Friday, 20 November 2026, 18:00 +0100 from {n} <{a}>:", ">", BOX,
        end="Sent from myMail for iOS",
    ),
    "huawei": client(
        "-------- 原始邮件 --------\n" + fields("发件人", "日期", "收件人", "主题", colon="："), "",
        end="发自我的华为手机",
    ),
    "xiaomi": client("{n} <{a}> 于 2026年11月20日周五 18:00写道：", "", BOX, end="发自我的小米手机"),
    "samsung_fr": client(
        "-------- Message d'origine --------\n"
        + fields("De", "Date", "À", "Objet", date="20/11/2026 18:00 (GMT+01:00)", colon=" : "),
        "",
        end="Envoyé de mon Galaxy",
    ),
    "samsung_pl": client(
        "-------- Oryginalna wiadomość --------\n" + fields("Od", "Data", "Do", "Temat"), "",
        end="Wysłane z mojego Galaxy",
    ),
    "samsung_ru": client(
        "-------- Исходное сообщение --------\n" + fields("От", "Дата", "Кому", "Тема"), "",
        end="Отправлено с моего Galaxy",
    ),
    "thunderbird_fwd": client(
        "-------- Forwarded Message --------\n" + fields("From", "Date", "To", "Subject"), "",
        intro_box=('<div class="moz-forward-container">', "</div>"),
    ),
    "notion_like": client("{n} <{a}>\nFri, Nov 20, 6:00 PM (1 hour ago)\nto me", "", BARE),
    "deltachat": client("", "> ", BOX, blank=False),
}  # fmt: skip
