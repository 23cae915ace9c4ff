"""Render content to subject, plain text and HTML with the templates in `templates/email/`.

A message type uses `body.txt` and `body.html` in its directory, or those of its base. Its row
defines the subject. Both bodies contain the same sentences. These are macros in a `words.txt` that
are rendered once as plain text and then escaped for HTML like any other value. A ruleset's
sentences are in `includes/<ruleset>/words.txt`.

Rendering has access to the content only, so it cannot disclose other players' secrets.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from jinja2 import TemplateNotFound, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.api import Fact
from engine.sentences import all_of, sentence
from pbem.domain.table.facts import FACTS, is_admin_act
from pbem.domain.table.seat_folds import VACANT
from pbem.domain.terms.seats import seat_word
from pbem.domain.words.translate import reply_marker
from pbem.language import SOURCE, translate
from pbem.mail_out import cards, rulestext, skins, subjects, texts, times, zones
from pbem.mail_out.content import (
    Content,
    DigestMail,
    GameMail,
    InvitationMail,
    LineResult,
    ServiceMail,
)
from pbem.mail_out.environment import environment, macros, sayers
from pbem.mail_out.filters import order_text
from pbem.mail_out.happened import headline_of, sentence_of
from pbem.mail_out.happened.scene import Scene
from pbem.mail_out.kinds import ALERT, KINDS
from pbem.plain import clean, words_in

_CARDS_BEHIND = re.compile(r": [\d JQKA♣♦♥♠\ufe0e]+\.")
_NOT_PLAIN = re.compile(r"[.:;!?] ")
_RULESET = re.compile(r"[a-z][a-z0-9-]*")
_MAX_SENTENCES = 60
_IN_A_LINE = 6
_SAID_ONCE = ("hat", "hast")
"""Auxiliary verbs of a German perfect: "Bob hat 4♣ gespielt und 1 Karte nachgezogen"."""
_MOVES = frozenset(
    words_in("""
bet checked chosen discarded drew flipped god goes_again hit kept laid no_draw passed picked_up
played took took_reserve
""")
)
"""Kinds of facts that result from a player's move, in any game."""
_VOTES = frozenset(["motion_opened", "motion_voted"])
_BY_SERVICE = frozenset(["bot_moved", "forced", "standing_move", "timed_out"])
"""Kinds of facts that precede the report of a move which its player did not make."""

_REPLAYED = _BY_SERVICE - {"timed_out"}
"""Kinds of facts that only report who chose a move."""

_STYLE = re.compile(r' (?:style|bgcolor)="([^"]*)"')
_COLOUR = re.compile(r"(background-|(?<!-))color:#(\w{6})")

Told = tuple[Fact, str]
"""A fact and its sentence."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered message.

    Attributes:
        subject: one line without control characters or private data.
        text: lines of at most 72 columns, ended by LF.
        html: a whole document.
    """

    subject: str
    text: str = field(repr=False)
    html: str = field(repr=False)
    entry: str = ""
    """Title of the message's deadline in a calendar, or empty if it has none."""


class Renderer:
    """Renders contents as messages and pages. Its only state is the cache of compiled templates."""

    def __init__(self, template_dirs: Iterable[Path]) -> None:
        """Create a renderer. Earlier template directories take precedence.

        The last directory contains the program's own templates. Alerts use only these, because an
        alert may have to report that another template is invalid.
        """
        self._folders = tuple(template_dirs)
        self._plain = Renderer(self._folders[-1:]) if len(self._folders) > 1 else self

    def _env(self, language: str) -> ImmutableSandboxedEnvironment:
        """Return the template environment of a language. Raises: ConfigError if it has no catalog."""
        return environment(self._folders, language)

    def compile(self, name: str) -> None:
        """Compile a template and all templates that it refers to. Raises: jinja2.TemplateError."""
        env = self._env(SOURCE)
        source, _, _ = env.loader.get_source(env, name)  # type: ignore[union-attr]
        env.get_template(name)
        for other in meta.find_referenced_templates(env.parse(source)):
            if other is not None:
                env.get_template(other)

    def render(self, content: Content, looks: Collection[str] = ()) -> Rendered:
        """Render content as a message, with cards in the reader's preferred style.

        Raises:
            jinja2.TemplateError: a template is invalid or uses a missing value.
        """
        kind = KINDS.get(content.kind)
        if kind is None:
            raise TemplateNotFound(content.kind)
        if kind is ALERT and self._plain is not self:
            return self._plain.render(content)
        if isinstance(content, GameMail):
            content = skins.in_skin(content)
        return self._rendered(content, self._context(content, looks), looks)

    def _rendered(
        self, content: Content, context: dict[str, object], looks: Collection[str]
    ) -> Rendered:
        kind = KINDS[content.kind]
        env = self._env(content.language)
        # HTML shows the finished line: a .txt included there would not be escaped.
        context["subject"] = subject = self._subject(content, lambda: context)
        base = "aloud" if kind.base == "game" and cards.WORDS in looks else kind.base
        text, html = (
            env.select_template([f"{kind.folder}/body.{end}", f"_base/{base}.{end}"])
            for end in ("txt", "html")
        )
        if base == "aloud":  # one text for both, which a screen reader reads aloud
            context["aloud"] = _read_aloud(text.render(context | {"width": sys.maxsize}), content)
        say: Any = context["say"]
        has_entry = isinstance(content, GameMail) and _brings_entry(content)
        return Rendered(
            subject=subject,
            text=_tidy(text.render(context)),
            html=_tidy(html.render(context)),
            entry=say("calendar_entry") if has_entry else "",
        )

    def page(
        self,
        content: GameMail | InvitationMail,
        looks: Collection[str],
        variables: Mapping[str, object],
    ) -> str:
        """Render a seat page or invitation page with the sentences of its message.

        The result contains no inline styles.
        """
        name = "join.html"
        if isinstance(content, GameMail):
            name, content = "seat.html", skins.in_skin(content)
        env = self._env_of_pages(content.language)
        context = self._context(content, looks, env) | {"page": variables}
        return self._page(name, content.language, context)

    def bare_page(
        self, language: str, variables: Mapping[str, object], template: str = "closed.html"
    ) -> str:
        """Render a page without a table, e.g. for a link that may not show anything of the game."""
        return self._page(template, language, {"language": language, "page": variables})

    def _page(self, name: str, language: str, context: Mapping[str, object]) -> str:
        page = self._env_of_pages(language).get_template(name).render(context)
        return _STYLE.sub(_in_names, _tidy(page))

    def _env_of_pages(self, language: str) -> ImmutableSandboxedEnvironment:
        """Return the environment for seat pages, whose templates take precedence over messages."""
        return environment((self._folders[-1].parent / "web", *self._folders), language)

    def subject(self, content: Content) -> str:
        """Return only the subject, for links that answer the message. Raises: jinja2.TemplateError."""
        return self._subject(content, lambda: self._context(content))

    def _subject(self, content: Content, context: Callable[[], dict[str, object]]) -> str:
        """Return the subject defined by the message type's row, or by an operator's template."""
        kind = KINDS[content.kind]
        try:
            own = self._env(content.language).get_template(f"{kind.folder}/subject.txt")
        except TemplateNotFound:
            return subjects.subject_of(content, kind.subject)
        return clean(own.render(context()))

    def knows(self, ruleset: str) -> bool:
        """True if there are sentences and a table template for a ruleset."""
        try:
            self._env(SOURCE).get_template(f"includes/{ruleset}/words.txt")
        except TemplateNotFound:
            return False
        return True

    def sentences(self, content: GameMail) -> list[str]:
        """Return sentences about the events in a content."""
        content = skins.in_skin(content)
        context: dict[str, Any] = self._context(content)
        scene = _scene(content, context["names"], ())
        return [text for _, text in _worded_facts(scene, context["say"])]

    def scores(self, content: GameMail) -> list[str]:
        """Return the final score of each seat in words, by seat. Empty if there is no result."""
        say: Any = self._context(content)["say"]
        return [say("score", seat) for seat in range(len(content.players))]

    def _context(
        self,
        content: Content,
        looks: Collection[str] = (),
        pages: ImmutableSandboxedEnvironment | None = None,
    ) -> dict[str, object]:
        """Return the template variables of a message, including the view of its reader.

        Args:
            pages: environment of the seat page, whose `words.txt` takes precedence, or None for a
                message.
        """
        context: dict[str, object] = {
            "mail": content,
            "looks": looks,
            "language": content.language,
            "marker": reply_marker(content.language),
        }
        words = ["_base/words.txt"]
        if isinstance(content, InvitationMail):
            words.insert(0, "_base/lobby.txt")
        elif isinstance(content, GameMail) and content.result is not None:
            words.insert(0, "_base/end.txt")
        if isinstance(content, DigestMail):
            context["parts"] = [
                self._digest_part(game, link, looks)
                for game, link in zip(content.games, content.board_mailtos, strict=True)
            ]
            context["waiting"] = subjects.waiting(content)
        elif not isinstance(content, ServiceMail):
            if not _RULESET.fullmatch(content.ruleset):
                raise TemplateNotFound(content.ruleset)
            words.insert(0, f"includes/{content.ruleset}/words.txt")
            context |= _table_context(content)
        if isinstance(content, ServiceMail):
            context["rules_blocks"] = rulestext.blocks(texts.plain(content.text))
        if not isinstance(content, InvitationMail | DigestMail):
            context["shown_lines"] = content.lines
            outcomes = {line.outcome for line in content.lines}
            context["done"] = "done" in outcomes
            context["refused"] = "refused" in outcomes
            first = [line for line in content.lines if line.outcome not in ("unused", "not-done")]
            context["first_refused"] = (
                first[0]
                if [line.outcome for line in first] == ["refused"] and content.kind == "answer"
                else None
            )
            is_partly_meant = {"done", "meant"} <= outcomes
            context["undone"] = is_partly_meant or bool(outcomes & {"refused", "not-done", "asked"})
        env = pages or self._env(content.language)
        if pages is not None:
            words.insert(0, "words.txt")
        context["say"], context["list_of"] = sayers(lambda: macros(env, words, context))
        if isinstance(content, GameMail):
            say: Any = context["say"]
            scene = _scene(content, context["names"], looks)
            context["fact_text"] = partial(_fact_text, scene, say)
            questions = (translate(ballot, content.language) for ballot in content.ballots)
            context["questions"] = list(filter(None, (say("vote_asked"), *questions)))
            context["is_vote"] = content.kind == "notice" and bool(context["questions"])
            event, context["event"] = _last_event(scene)
            is_said = context["is_vote"] or (event is not None and event.kind == "timed_out")
            worded = [
                pair for pair in _worded_facts(scene, say) if not (is_said and pair[0] is event)
            ]
            context |= _news(content, worded)
            context |= _talk_context(content, context)
        return context

    def _digest_part(self, game: GameMail, link: str, looks: Collection[str]) -> dict[str, Any]:
        """Return the template variables for one game in a digest."""
        context = self._context(skins.in_skin(game), looks)
        say: Any = context["say"]
        lines = [say(name) for name in ("turn", "deadline", "vote_asked")]
        return {
            "subject": say("kicker"),
            "game_id": game.game_id,
            "lines": [line for line in lines if line],
            "my_turn": context["my_turn"],
            "sentences": context["sentences"],
            "talk": context["talk"],
            "talk_before": context["talk_before"],
            "link": link,
            "head": game.head,
            "version": game.version,
            "before": game.before,
        }


def _scene(content: GameMail, names: object, looks: Collection[str]) -> Scene:
    language, in_words = content.language, cards.WORDS in looks
    return Scene(
        mail=content,
        names=cast(Sequence[str], names),
        order=lambda text: order_text(clean(text), language, in_words=in_words),
    )


def _fact_text(scene: Scene, say: Callable[..., str], fact: Fact) -> str:
    """Return the sentence for a fact from the service's registry or from a macro of the game."""
    return sentence_of(fact, scene) or say(f"happened_{fact.kind}", fact)


def _last_event(scene: Scene) -> tuple[Fact | None, str]:
    """Return the last event other than a move, with its headline, or (None, "") if there is none."""
    headlines = ((fact, headline_of(fact, scene)) for fact in reversed(scene.mail.happened))
    return next((pair for pair in headlines if pair[1]), (None, ""))


def _worded_facts(scene: Scene, say: Callable[..., str]) -> list[Told]:
    """Return the facts with their sentences. Facts without a sentence are omitted."""
    pairs = [
        (fact, _fact_text(scene, say, fact)) for fact in _without_repetitions(scene.mail.happened)
    ]
    worded = [pair for pair in pairs if pair[1]]
    old, new = worded[:-_MAX_SENTENCES], worded[-_MAX_SENTENCES:]
    acts = [pair for index, pair in enumerate(old) if _is_kept(old, index)]
    left_out = len(old) - len(acts)
    no_fact = Fact(kind="", seat=None, data={})
    return [*([(no_fact, say("left_out", left_out))] if left_out else []), *acts, *new]


def _table_context(content: GameMail | InvitationMail) -> dict[str, object]:
    """Return the template variables about the table, including the names of its players."""
    language = content.language
    names = [translate(name, language) for name in texts.shown_names(content.players)]
    me = content.reader

    def name(seat: object) -> str:
        known = isinstance(seat, int) and 0 <= seat < len(names)
        return (
            names[seat]
            if known and isinstance(seat, int)
            else translate(sentence("somebody"), language)
        )

    def others_of(seats: Iterable[int]) -> list[str]:
        return [name(seat) for seat in seats if seat != me]

    context: dict[str, object] = {
        "me": me,
        "subject": subjects.table_name(content),
        "my_name": name(me),
        "names": names,
        "name": name,
        "seat_word": lambda seat: seat_word(seat, content.players),
        "others": others_of(range(len(names))),
        "others_of": others_of,
    }
    if isinstance(content, InvitationMail):
        context |= _before_the_deal(content, names)
    if isinstance(content, GameMail):
        context["skin"] = content.skin
        context["my_turn"] = subjects.is_readers_turn(content)
        context["goes_again"] = any(
            fact.kind == "goes_again" and fact.seat == me for fact in content.happened
        )
        context["own_fate"] = [fact.kind for fact in content.happened if fact.seat == me] + (
            ["removed"] if content.gone else []
        )
        if "zones" in content.view:
            context["board"] = zones.Table(content, names)
        context |= _times(content)
        context["places"] = _places(content)
        context["left"] = _cards_left(content)
    return context


def _news(content: GameMail, worded: Sequence[Told]) -> dict[str, object]:
    """Return the news with one line per turn of a player, and the reader's own moves separately.

    A turn message omits the reader's moves unless it confirms them. An answer starts with them.
    """
    me = content.reader
    own: list[Told] = []
    others: list[Told] = []
    is_own = me not in content.bots
    for fact, text in worded:
        if fact.kind in _BY_SERVICE:
            is_own = False
        elif fact.seat not in (me, None):
            is_own = me not in content.bots
        is_move = fact.seat == me and is_own and fact.kind in _MOVES | _VOTES
        (own if is_move else others).append((fact, text))
    told_apart = ("answer", "turn", "reminder", "started", "digest")
    if content.kind not in told_apart or content.confirms:
        own, others = [], list(worded)
    if content.kind == "finished":  # the attached page shows the moves
        others = [
            other for other in others if other[0].kind in FACTS and other[0].kind not in _REPLAYED
        ]
    if content.kind == "started":  # the hand is shown
        others = [
            other for other in others if other[0].kind != "dealt" or other[0].audience is None
        ]
    moved = [pair for pair in own if pair[0].kind in _MOVES] if content.kind == "answer" else []
    is_told = bool(moved) or content.kind != "answer" or not content.dealt
    return {
        "sentences": _one_line_each(others, content),
        "own_moves": _CARDS_BEHIND.sub(".", " ".join(_one_line_each(moved, content))),
        "shown_lines": _shown_lines(content, is_told=is_told),
        "shows_hand": content.kind != "answer"
        or not content.lines
        or bool(moved)
        or content.is_look
        or content.reader in content.to_act,
        "shows_table": content.kind != "answer"
        or not content.lines
        or content.is_look
        or (bool(moved) and any(_changes_table(fact, me) for fact, _ in others)),
    }


def _shown_lines(content: GameMail, *, is_told: bool) -> tuple[LineResult, ...]:
    """Return the lines of the reader's message that this message must answer individually.

    If everything was executed, moves are omitted if `is_told`, and so is a single line that
    requested the table.
    """
    lines = tuple(content.lines)
    if not all(line.outcome == "done" and not line.message for line in lines):
        return lines
    if content.is_look and len(lines) == 1:
        return ()
    return tuple(line for line in lines if line.move is None or not is_told)


def _changes_table(fact: Fact, me: int) -> bool:
    """True if an event changes the table beyond the effect of the reader's own move."""
    return fact.kind == "dealt" or (fact.kind not in FACTS and fact.seat not in (me, None))


def _one_line_each(worded: Sequence[Told], content: GameMail) -> list[str]:
    """Join consecutive sentences about the same player into one line."""
    names = texts.shown_names(content.players)
    lines: list[list[str]] = []
    last: int | None = None
    for fact, text in worded:
        goes_on = fact.kind in _MOVES and fact.seat is not None and fact.seat == last
        if goes_on and len(lines[-1]) < _IN_A_LINE:
            lines[-1].append(text)
        else:
            lines.append([text])
        last = fact.seat if fact.kind in _MOVES else None
    you = translate(sentence("You"), content.language)
    return [_joined(line, (you, *names), content.language) for line in lines]


def _joined(sentences: Sequence[str], names: Iterable[str], language: str) -> str:
    """Join simple sentences about a player, e.g. `Bob played 4♣ and drew 1 card.`, into one."""
    for name in names:
        start = f"{name} "
        if all(text.startswith(start) and not _NOT_PLAIN.search(text) for text in sentences):
            rests = [text.removeprefix(start).removesuffix(".") for text in sentences]
            verb = rests[0].partition(" ")[0]
            if verb in _SAID_ONCE and all(rest.startswith(f"{verb} ") for rest in rests):
                rests[1:] = [rest.removeprefix(f"{verb} ") for rest in rests[1:]]
            return f"{start}{translate(all_of(rests), language)}."
    return " ".join(sentences)


def _times(content: GameMail) -> dict[str, object]:
    """Return the variables about the deadline and the end of the grace period."""
    if content.deadline is None:
        return {"when": None, "ahead": "", "has_bank": False}
    bank, zone = content.bank, content.zone
    base_at = content.deadline if bank is None or content.is_overdue else bank.base_at
    return {
        "when": translate(times.short_text(base_at, zone), content.language),
        "ahead": ""
        if content.at is None or content.at >= base_at
        else translate(
            times.ahead_text(int((base_at - content.at).total_seconds())), content.language
        ),
        "has_bank": bank is not None and base_at < content.deadline,
    }


def _talk_context(content: GameMail, context: dict[str, Any]) -> dict[str, object]:
    """Return the variables about talk messages: their texts, and lines with sender and recipients."""
    say = context["say"]
    return {
        "talk": [
            {"head": say("speech", message), "text": message.text} for message in content.talk
        ],
        "talk_before": say("talk_left_out") if content.talk_left_out else "",
    }


def _time_of_news(content: InvitationMail, at: datetime | None) -> str:
    return translate(times.past_time_text(at, content.zone), content.language) if at else ""


def _before_the_deal(content: InvitationMail, names: Sequence[str]) -> dict[str, object]:
    """Return the template variables for a game that has not started."""
    me, seats = content.reader, content.seats
    free = [number for number, seat in enumerate(seats) if seat.status in VACANT]
    return {
        "others": [name for seat, name in enumerate(names) if seat not in (me, *free)],
        "must_join": content.kind == "invitation"
        or (bool(seats) and seats[me].status == "invited"),
        "is_open": any(seat.status == "open" for seat in seats),
        "has_declined": any(seat.status == "declined" for seat in seats),
        "waits_for": [
            seat.name for seat in seats if seat.status == "invited" and not seat.is_maker
        ],
        "round_deals": _time_of_news(
            content, None if content.round is None else content.round.deals_at
        ),
        "round_ends_at": _time_of_news(
            content, None if content.round is None else content.round.ends_at
        ),
        "runs_out": _time_of_news(content, content.runs_out),
    }


def _brings_entry(content: GameMail) -> bool:
    """True if a calendar entry is attached. The message about a game's end has none."""
    return content.ics and content.deadline is not None and subjects.is_readers_turn(content)


def _places(content: GameMail) -> dict[int, int]:
    """Return the rank of each seat. Ties share a rank and skip the next: 1, 2, 2, 4 (GEN-17)."""
    places: dict[int, int] = {}
    for seats in () if content.result is None else content.result.ranking:
        places |= dict.fromkeys(seats, len(places) + 1)
    return places


def _cards_left(content: GameMail) -> list[str]:
    """Return the cards left in the reader's hand if the reader lost because of them."""
    seats = content.view.get("seats")
    if content.result is None or not isinstance(seats, list) or content.reader >= len(seats):
        return []
    own = seats[content.reader]
    hand = own.get("hand") if isinstance(own, dict) else None
    return [str(card) for card in hand] if isinstance(hand, list) else []


def _without_repetitions(facts: Sequence[Fact]) -> list[Fact]:
    """Remove public facts that a private fact repeats in more detail, such as a drawn card."""
    private = {(fact.kind, fact.seat) for fact in facts if fact.audience is not None}
    return [
        fact
        for fact in facts
        if fact.audience is not None or fact.kind != "drew" or (fact.kind, fact.seat) not in private
    ]


def _is_kept(worded: Sequence[tuple[Fact, str]], number: int) -> bool:
    """True for an event that is reported regardless of how much has happened since.

    This is an admin's action, or a standby move that an admin ordered, which follows the reason.
    """
    fact, before = worded[number][0], worded[max(0, number - 1)][0]
    return is_admin_act(fact) or (fact.kind == "timed_out" and before.kind == "reason_given")


def _in_names(style: re.Match[str]) -> str:
    """Replace an inline style by colour attributes, because the page's policy forbids styles."""
    colours = dict(_COLOUR.findall(style[1]))
    names = (("data-ground", colours.get("background-")), ("data-ink", colours.get("")))
    return "".join(f' {name}="{colour}"' for name, colour in names if colour)


def _read_aloud(text: str, content: Content) -> list[tuple[str, str]]:
    """Return the lines of a text, each with the link of its move, or empty if it has none."""
    links = {}
    if isinstance(content, GameMail):
        links = {f"{move.number}:": move.mailto for move in content.moves}
        links[content.seat_url] = content.seat_url
    lines = [line.strip() for line in _tidy(text).splitlines()]
    return [(line, links.get(line.partition(" ")[0], "")) for line in lines if line]


def _tidy(text: str) -> str:
    """Remove trailing spaces and repeated empty lines. The result ends with one line break."""
    lines = "\n".join([line.rstrip() for line in text.splitlines()])
    while "\n\n\n" in lines:
        lines = lines.replace("\n\n\n", "\n\n")
    return lines.strip("\n") + "\n"
