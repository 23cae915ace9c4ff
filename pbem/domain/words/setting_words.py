"""The order words about what players get, and how: rows of `service_words`, by the word."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.domain.words.forms import OrderWord, form, look, lower, ping_place
from pbem.language import find_language

ROWS: Mapping[str, OrderWord] = {
    "reminders": OrderWord(
        (form(r"reminders?[\s:=]+(on|off|\d[\w ,]{0,60})[.!]?", lower),),
        german="erinnerungen",
        german_forms=((r"erinnerungen[\s:=]+(?P<words>\S.*)", "reminders {words}"),),
        help='Write "reminders off" to stop reminders and "reminders on" to get them again; "reminders 24h 4h" sends them 24 and 4 hours ahead.',
        needs_seat=False,
        is_setting=True,
    ),
    "digest": OrderWord(
        (form(r"(?:daily )?digest(?: at)?[\s:=]+(on|off|\d{1,2}(?::00)?)[.!]?", lower),),
        german="tagesmail",
        german_forms=((r"tagesmail(?: um)?[\s:=]+(?P<words>\S+)(?: uhr)?", "digest {words}"),),
        help='Write "digest 8" to get the news and most reminders in one mail a day, at eight in the morning; your turns and answers still come at once. Stop it with "digest off".',
        needs_seat=False,
        is_setting=True,
    ),
    "settings": OrderWord(
        german="einstellungen",
        help='Write "settings" to see your settings.',
        needs_seat=False,
        asks=True,
        is_setting=True,
    ),
    "timezone": OrderWord(
        (form(r"time ?zone[\s:=]+([A-Za-z0-9_+/-]{1,64})\.?"),),
        german="zeitzone",
        german_forms=((r"zeitzone[\s:=]+(?P<own>\S+)", "timezone {own}"),),
        help='Write "timezone Europe/Berlin" to get all times in that time zone.',
        needs_seat=False,
        is_setting=True,
    ),
    "language": OrderWord(
        (form(r"(?:language|sprache)[\s:=]+([^\W\d_]{2,20})[.!]?", find_language),),
        german="sprache",
        german_forms=((r"sprache[\s:=]+(?P<own>\S+)", "language {own}"),),
        help='Write "language de" for German mails, "language en" for English ones.',
        needs_seat=False,
        is_setting=True,
    ),
    "html": OrderWord(
        (form(r"html[\s:=]+(on|off)[.!]?", lower),),
        german="html",
        german_forms=((r"html[\s:=]+(?P<words>an|aus)", "html {words}"),),
        help='Write "html off" for plain text only, "html on" for mails in colour.',
        needs_seat=False,
        is_setting=True,
    ),
    "card style": OrderWord(
        (
            form(
                r"cards?(?: style)?[\s:=]+((?:four|4)[ -]?colou?rs?|large|big|(?:in )?words|as usual|normal)[.!]?",
                look,
            ),
        ),
        german="kartenstil",
        german_forms=(
            (r"karten(?:stil)?[\s:=]+(?:vierfarbig|vier farben)", "cards four-colour"),
            (r"karten(?:stil)?[\s:=]+(?:groß|gross)", "cards large"),
            (r"karten(?:stil)?[\s:=]+(?:wörter|woerter|in worten)", "cards words"),
            (r"karten(?:stil)?[\s:=]+wie üblich", "cards as usual"),
        ),
        help='Write "cards four-colour" for green clubs and blue diamonds, "cards large" for large cards, "cards words" for short mails that a screen reader reads well, "cards as usual" to end that.',
        needs_seat=False,
        is_setting=True,
    ),
    "ping": OrderWord(
        (form(r"pings?[\s:=]+(off|\d{6}|\S+\s+\S+?)[.!]?", ping_place),),
        german="ping; pings",
        german_forms=((r"pings?[\s:=]+(?P<words>aus)\.?", "ping {words}"),),
        untold="for servers that send pings; its answer says how",
        needs_seat=False,
        is_setting=True,
    ),
    "encrypt": OrderWord(
        (form(r"encrypt(?:ion)?[\s:=]+(on|off)[.!]?", lower),),
        synonyms="encryption",
        german="verschlüsseln; verschlüsselung",
        german_forms=((r"verschlüssel(?:n|ung)[\s:=]+(?P<words>an|aus)\.?", "encrypt {words}"),),
        help='Write "encrypt on" in a mail program that sends a key (Autocrypt, as Delta Chat has it) to get your mails encrypted, "encrypt off" to end that.',
        needs_seat=False,
        is_setting=True,
    ),
    "calendar": OrderWord(
        (form(r"calendar[\s:=]+(on|off)[.!]?", lower),),
        german="kalender",
        german_forms=((r"kalender[\s:=]+(?P<words>an|aus)\.?", "calendar {words}"),),
        untold="for servers that have pages; its answer says how",
        needs_seat=False,
        is_setting=True,
    ),
    "my page": OrderWord(
        (form(r"my page[\s:=]+(on|off)[.!]?", lower),),
        german="meine seite",
        german_forms=((r"meine seite[\s:=]+(?P<words>an|aus)\.?", "my page {words}"),),
        untold="for servers that have pages; its answer says how",
        needs_seat=False,
        is_setting=True,
    ),
    "address": OrderWord(
        (form(r"address[\s:]+((?:add|remove|primary) \S{3,254}?)\.?", lower),),
        synonyms="addresses",
        german="adresse; adressen",
        german_forms=(
            (r"adresse[\s:]+(?:dazu|neu)[\s:]+(?P<own>\S+)", "address add {own}"),
            (r"adresse[\s:]+haupt[\s:]+(?P<own>\S+)", "address primary {own}"),
            (r"adresse[\s:]+weg[\s:]+(?P<own>\S+)", "address remove {own}"),
        ),
        help='Write "address add me@example.org" to play from another address as well, once you have replied to my mail there. With "address primary me@example.org" your mails go there; "address remove me@example.org" removes it.',
        needs_seat=False,
        is_setting=True,
    ),
}
