"""The order words about what players get outside of mails: rows of `service_words`, by the word."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.domain.words.forms import OrderWord, form, lower, ping_place

ROWS: Mapping[str, OrderWord] = {
    "ping": OrderWord(
        (form(r"pings?[\s:=]+(off|\d{6}|\S+\s+\S+?)[.!]?", ping_place),),
        german="ping; pings",
        german_forms=((r"pings?[\s:=]+(?P<words>aus)\.?", "ping {words}"),),
        untold="for servers that send pings; its answer says how",
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
}
