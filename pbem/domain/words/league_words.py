"""The order words about leagues and ladders: rows of `service_words`, by the word."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.domain.words.forms import Form, OrderWord, form, lower

NEW_LEAGUE = re.compile(r"new league[\s:,]+(\S.*)", re.IGNORECASE | re.DOTALL)
_LEAGUE = r"[a-z][a-z0-9-]{1,19}"

ROWS: Mapping[str, OrderWord] = {
    "new league": OrderWord(
        (Form(NEW_LEAGUE, takes_line=True),),
        german="neue liga",
        german_forms=((r"neue liga[\s:,]+(?P<own>\S[\s\S]*)", "new league {own}"),),
        help='Begin a league with "new league phyliss, 5 rounds, tables of 4, 2d per move, called winter"; it can also say "3w per round", "sign-up 5d" and "bots fill the tables".',
        needs_seat=False,
        welcomes=True,
        needs_proof=True,
    ),
    "join league": OrderWord(
        (form(rf"join (?:the )?league[\s:]+({_LEAGUE})[.!]?", lower),),
        german="liga beitreten",
        german_forms=(
            (rf"(?:der )?liga (?P<own>{_LEAGUE}) beitreten", "join league {own}"),
            (
                rf"(?:liga beitreten|(?:beitreten|mitspielen)(?: in)?(?: der)? liga)[\s:]+(?P<own>{_LEAGUE})",
                "join league {own}",
            ),
        ),
        help='Take part in a league with "join league winter", leave it with "leave league winter"; who made it can begin early with "start league winter".',
        needs_seat=False,
        welcomes=True,
        needs_proof=True,
    ),
    "leave league": OrderWord(
        (form(rf"leave (?:the )?league[\s:]+({_LEAGUE})[.!]?", lower),),
        german="liga verlassen",
        german_forms=(
            (rf"(?:die )?liga (?P<own>{_LEAGUE}) verlassen", "leave league {own}"),
            (rf"liga verlassen[\s:]+(?P<own>{_LEAGUE})", "leave league {own}"),
        ),
        needs_seat=False,
        needs_proof=True,
    ),
    "start league": OrderWord(
        (form(rf"start (?:the )?league[\s:]+({_LEAGUE})[.!]?", lower),),
        german="liga starten",
        german_forms=(
            (rf"(?:die )?liga (?P<own>{_LEAGUE}) starten", "start league {own}"),
            (rf"liga starten[\s:]+(?P<own>{_LEAGUE})", "start league {own}"),
        ),
        needs_seat=False,
        needs_proof=True,
    ),
    "announce league": OrderWord(
        (form(rf"announce (?:the )?league[\s:]+({_LEAGUE})[.!]?", lower),),
        german="liga ankündigen",
        german_forms=(
            (rf"(?:die )?liga (?P<own>{_LEAGUE}) ankündigen", "announce league {own}"),
            (rf"liga ankündigen[\s:]+(?P<own>{_LEAGUE})", "announce league {own}"),
        ),
        help='If you made a league, "announce league winter" asks everyone you have played with whether they join; each is asked once.',
        needs_seat=False,
        needs_proof=True,
    ),
    "league": OrderWord(
        (form(rf"league[\s:]+({_LEAGUE})[.!?]?", lower),),
        synonyms="leagues",
        german="liga; ligen",
        german_forms=((rf"liga[\s:]+(?P<own>{_LEAGUE})", "league {own}"),),
        help='Write "league winter" for the cross table of a league and its next round, "league" for those that there are.',
        needs_seat=False,
        asks=True,
    ),
    "challenge": OrderWord(
        (form(r"challenge[\s:]+((?!accepted\b)\S.{0,200}?)[.!]?"),),
        german="herausfordern",
        german_forms=(
            (r"ford(?:ere|re)[\s:]+(?P<own>\S.*?) heraus[.!]?", "challenge {own}"),
            (r"(?:herausfordern|fordere|fordern)[\s:]+(?P<own>\S.*)", "challenge {own}"),
        ),
        help='Write "challenge anna at phyliss" to play for her place on the ladder of a game, if it is at most three above yours.',
        needs_seat=False,
        needs_proof=True,
    ),
    "ladder": OrderWord(
        synonyms="the ladder",
        german="forderungsliste; herausforderungsliste; leiter",
        german_forms=(
            (r"(?:leiter|\w*forderungsliste)(?: von| für| in)? (?P<own>.+)", "ladder {own}"),
        ),
        help='Write "ladder phyliss" for the order of the players on it, and whom you can challenge.',
        needs_seat=False,
        asks=True,
    ),
}
