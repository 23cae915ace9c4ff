"""Sample contents for every kind of message, with their header."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from engine import registry
from engine.api import Fact, Seat
from engine.sentences import all_of, joined, sentence
from pbem.domain.log.chain import Head
from pbem.domain.terms.timing import Timing
from pbem.games.options import AUTO_FORCED, deals
from pbem.mail_out.compose import MailHead, mailto_link
from pbem.mail_out.content import (
    Content,
    CrossLine,
    CrossTable,
    DigestMail,
    Entry,
    FinalResult,
    GameMail,
    InvitationMail,
    LineResult,
    ListedMove,
    OwnRating,
    RoundPart,
    ServiceMail,
    Speech,
    StandingLine,
    StandingTable,
    TableSeat,
    TimeBank,
)
from pbem.mail_out.texts import game_name

GAME = "k7q2m3x9ab"
REPLY_TO = "cards+s-k7q2m3x9ab-0-1-57-57-abcdefgh234567ab@pbem.example.org"
YES = mailto_link(REPLY_TO, "yes", "yes")
READER = "anna@example.org"
HEAD = "5f2a9c01d3e4b67890ab12cd34ef56789a0b1c2d3e4f5061728394a5b6c7d8e9"
HEAD_BEFORE = "0e3c9c01d3e4b67890ab12cd34ef56789a0b1c2d3e4f5061728394a5b6c7d8e9"
COMMITMENT = "c0ffee11d3e4b67890ab12cd34ef56789a0b1c2d3e4f5061728394a5b6c7d8e9"
SECRET = "5ec4e700d3e4b67890ab12cd34ef56789a0b1c2d3e4f5061728394a5b6c7d8e9"
FRIENDS = ("Anna", "Bob", "Carol")
ODD_NAMES = (
    'Zoë "Zed" Müller-Lüdenscheidt',
    "<script>alert('&')</script>",
    "דניאל",
    "Maximiliana Wilhelmina Theodora von und zu Hohenschwangau-Neuschwanstein",
)
DEADLINE = datetime(2026, 11, 24, 17, 0, tzinfo=UTC)

HAND = ["3d", "7c", "7d", "10h", "Ks"]


def fact(kind: str, seat: int | None = None, audience: int | None = None, **data: Any) -> Fact:
    """Create a fact from plain integers and keywords."""
    who = None if seat is None else Seat(seat)
    return Fact(kind, who, data, None if audience is None else Seat(audience))


def seat(
    hand: list[str] | int,
    up: list[str] | None = None,
    blind: list[int] | None = None,
    known: list[str] | None = None,
    *,
    out: int | None = None,
    resigned: bool = False,
) -> dict[str, Any]:
    """Create the view of a seat. A number instead of a hand means that many hidden cards."""
    is_open = isinstance(hand, list)
    return {
        "hand": hand if is_open else None,
        "hand_size": len(hand) if isinstance(hand, list) else hand,
        "known": known or [],
        "up": up or [],
        "blind": blind or [],
        "blind_cards": None,
        "out": out,
        "resigned": resigned,
    }


def view(seats: list[dict[str, Any]], **table: Any) -> dict[str, Any]:
    """Create a view of Phyliss. Fields not given have the values of an ordinary position."""
    base: dict[str, Any] = {
        "seat": 0,
        "seats": seats,
        "pile": [],
        "gone": [],
        "gone_hidden": 0,
        "stock_size": 0,
        "stock": None,
        "to_act": [0],
        "ply": 23,
        "deal": 1,
        "deals": 1,
        "dealer": 2,
        "results": [],
        "over": False,
    }
    return base | table


NEAREST = ("play 7c 7d", "play 10h", "pickup")
"""Moves suggested in the answer to a refused line."""


def moves(*texts: str, players: tuple[str, ...] = FRIENDS) -> tuple[ListedMove, ...]:
    """List moves as in a message, with numbers from 21."""
    subject = f"Re: Your turn: {game_name('Phyliss', players, 0)} [{GAME}]"
    return tuple(
        ListedMove(number, text, mailto_link(REPLY_TO, subject, text))
        for number, text in enumerate(texts, 21)
    )


def game_mail(**changes: Any) -> GameMail:
    """Create the turn message of an ordinary position in mid-game, with changed fields."""
    mail = GameMail(
        kind="turn",
        game_id=GAME,
        ruleset="phyliss",
        title="Phyliss",
        players=FRIENDS,
        reader=0,
        dealt=True,
        to_act=(0,),
        happened=(
            fact("played", 0, cards=["5c", "5h"], **{"from": "hand"}),
            fact("drew", 0, count=2),
            fact("drew", 0, audience=0, count=2, cards=["7c", "10h"]),
            fact("god", 1, card="4s", success=False),
            fact("picked_up", 1, cards=["6h", "8d", "5c", "5h", "4s"]),
            fact("played", 2, cards=["6c"], **{"from": "hand"}),
            fact("drew", 2, count=1),
        ),
        view=view(
            [
                seat(HAND, ["3h", "9c", "Jd"], [1, 2, 3]),
                seat(8, ["4h", "8c", "Qs"], [1, 2, 3], ["6h", "8d", "5c", "5h", "4s"]),
                seat(3, ["2s", "9d", "Ah"], [1, 2, 3]),
            ],
            pile=["6c"],
            gone=["10s", "3c", "4c", "9h", "9s", "Jc", "Js", "Jh"],
            stock_size=9,
        ),
        moves=moves("play 7c", "play 7c 7d", "play 10h", "play Ks", "pickup", "god"),
        moves_complete=True,
        lines=(),
        deadline=DEADLINE,
        zone="Europe/Berlin",
        head=HEAD,
        version=57,
        before=Head(53, HEAD_BEFORE),
        commitment=COMMITMENT,
        reply_to=REPLY_TO,
    )
    return replace(mail, **changes)


def _started() -> GameMail:
    return game_mail(
        kind="started",
        happened=(
            fact(
                "dealt",
                1,
                deal=0,
                dealer=2,
                up=[["3h", "9c", "Jd"], ["4h", "3c", "Qs"], ["2s", "9d", "Ah"]],
                stock_size=25,
            ),
            fact("dealt", 0, audience=0, deal=0, hand=["3d", "7d", "Ks"]),
        ),
        to_act=(1,),
        moves=(),
        moves_complete=False,
        view=view(
            [
                seat(["3d", "7d", "Ks"], ["3h", "9c", "Jd"], [1, 2, 3]),
                seat(3, ["4h", "3c", "Qs"], [1, 2, 3]),
                seat(3, ["2s", "9d", "Ah"], [1, 2, 3]),
            ],
            stock_size=25,
            to_act=[1],
            ply=0,
        ),
        version=8,
        notes=("Your phrase for the shuffles, exactly as it is used: green tea on Sunday",),
    )


def _refusal() -> GameMail:
    return game_mail(
        kind="answer",
        lines=(
            LineResult("play 7 7", "done", move="play 7c 7d"),
            LineResult(
                "play 3",
                "refused",
                message="The 3 does not beat the 6 on the pile.",
                rule="PHY-8",
                suggestions=NEAREST,
                links=tuple(mailto_link(REPLY_TO, "Re: a game", move) for move in NEAREST),
            ),
            LineResult("god", "not-done"),
            LineResult(
                "Sorry for being late, I was on a boat without any reception for days and days"
                " and could not answer you, play 7",
                "unused",
            ),
        ),
        happened=(),
    )


def _answer_waiting() -> GameMail:
    return game_mail(
        kind="answer",
        to_act=(1,),
        moves=(),
        moves_complete=False,
        lines=(LineResult("21", "done", move="play 7c"), LineResult("board", "done")),
        happened=(
            fact("played", 0, cards=["7c"], **{"from": "hand"}),
            fact("drew", 0, audience=0, count=1, cards=["2h"]),
        ),
    )


def _joined() -> GameMail:
    return game_mail(
        kind="answer",
        dealt=False,
        to_act=(),
        moves=(),
        moves_complete=False,
        deadline=None,
        view={},
        happened=(),
        lines=(LineResult("join phrase: green tea on Sunday", "done", move="join"),),
        awaited=("Carol",),
        notes=("Your phrase for the shuffles, exactly as it is used: green tea on Sunday",),
        version=4,
    )


def _face_up() -> GameMail:
    return game_mail(
        to_act=(0,),
        happened=(
            fact("played", 0, cards=["Ah"], **{"from": "hand"}),
            fact("played", 1, cards=["10d"], **{"from": "hand"}),
            fact("destroyed", 1, reason="tens", cards=["6c", "Ah", "10d"]),
            fact("goes_again", 1),
            fact("played", 1, cards=["9s"], **{"from": "hand"}),
            fact("timed_out", 2, move="play 9d"),
            fact("played", 2, cards=["9d"], **{"from": "up"}),
            fact("seat_resigned", 3),
            fact("resigned", 3, seen=["2c"], unseen_count=5),
        ),
        players=("Anna", "Bob", "Carol", "Dora"),
        view=view(
            [
                seat([], ["Jd", "3h", "9c"], [1, 3]),
                seat(1, [], [2]),
                seat(0, ["2s", "Kh"], [1, 2, 3]),
                seat(0, resigned=True),
            ],
            pile=["9s", "9d"],
            gone=["6c", "Ah", "10d", "2c"],
            gone_hidden=5,
        ),
        moves=moves("play 9c", "play Jd", "pickup"),
    )


def _blind() -> GameMail:
    return game_mail(
        happened=(
            fact("flipped", 0, number=2, card="5s", success=False),
            fact("picked_up", 0, cards=["Kd", "5s"]),
            fact("played", 1, cards=["Qc"], **{"from": "up"}),
            fact("flipped", 2, number=1, card="Ad", success=True),
            fact("dropped_out", 2, place=1),
        ),
        view=view(
            [seat([], [], [1, 3]), seat(0, ["Qd"], [1, 2]), seat(0, out=1)],
            pile=["Qc", "Ad"],
            gone=["10s", "10c"],
        ),
        moves=moves("flip 1", "flip 3", "pickup"),
    )


def _large_hand() -> GameMail:
    ranks = ("3", "4", "5", "6", "7", "8", "9", "J", "Q")
    hand = [rank + suit for rank in ranks for suit in "cdhs"][:28]
    texts = [
        f"play {' '.join(rank + suit for suit in 'cdhs'[:count])}"
        for rank in ranks[:7]
        for count in (1, 2, 3, 4)
    ]
    return game_mail(
        players=ODD_NAMES,
        happened=(
            fact("picked_up", 0, cards=hand),
            fact("played", 1, cards=["Ac"], **{"from": "hand"}),
            fact("destroyed", 2, reason="three", cards=["Ac", "Ad", "Ah"]),
            fact("hands_revealed", None, admin="Otto", reason="a dispute about the last move"),
            fact("something_new", 1, payload=[1, 2]),
        ),
        view=view(
            [
                seat(hand, ["Kc", "Kd"], [1, 2, 3], hand),
                seat(6, ["2s"], [2]),
                seat(12, ["2h", "Kh"], [1, 2], ["Qc", "Qd", "Qh", "Qs", "Ks", "Jd", "Jh", "Js"]),
                seat(1, [], []),
            ],
            gone=["Ac", "Ad", "Ah"],
            stock_size=1,
        ),
        moves=moves(*texts, players=ODD_NAMES),
        moves_complete=False,
        zone="America/St_Johns",
    )


def _timed_out() -> GameMail:
    return game_mail(
        kind="timed_out",
        to_act=(1,),
        moves=(),
        moves_complete=False,
        happened=(
            fact("timed_out", 0, move="play 7c"),
            fact("played", 0, cards=["7c"], **{"from": "hand"}),
            fact("drew", 0, audience=0, count=1, cards=["2h"]),
        ),
    )


def _reminder() -> GameMail:
    return game_mail(kind="reminder", safe=21, clock=Timing(3 * 86400))


def _finished() -> GameMail:
    done = view(
        [
            {**seat([], [], [], out=3), "blind_cards": []},
            {**seat(["5c"], ["Qd"], [2]), "blind_cards": ["8h"]},
            {**seat([], [], [], out=2), "blind_cards": []},
            {**seat([], [], [], out=1), "blind_cards": []},
            {**seat([], resigned=True), "blind_cards": []},
        ],
        pile=["Qc", "Ad"],
        gone=["10s", "10c"],
        stock=[],
        to_act=[],
        over=True,
        deals=2,
        deal=2,
    )
    scores = [
        {"deals_lost": 0, "place_sum": 7, "places": [4, 3], "resigned": False},
        {"deals_lost": 1, "place_sum": 7, "places": [3, 4], "resigned": False},
        {"deals_lost": 0, "place_sum": 3, "places": [1, 2], "resigned": False},
        {"deals_lost": 0, "place_sum": 3, "places": [2, 1], "resigned": False},
        {"deals_lost": 1, "place_sum": 5, "places": [5, None], "resigned": True},
    ]
    return game_mail(
        kind="finished",
        players=("Anna", "Bob", "Carol", 'Dörte "D." O\'Neill', "Emil"),
        to_act=(),
        moves=(),
        moves_complete=False,
        deadline=None,
        view=done,
        happened=(
            fact("dropped_out", 0, place=3),
            fact("deal_over", 1, deal=1, places=[3, 4, 2, 1, None], loser=1),
            fact(
                "game_over", None, reason="finished", ranking=[[2, 3], [0], [1], [4]], scores=scores
            ),
        ),
        result=FinalResult(
            ranking=((2, 3), (0,), (1,), (4,)),
            reason="finished",
            scores=scores,
            server_secret=SECRET,
            phrases=("green tea on Sunday", "", "Grüße aus Zürich <3", "", ""),
        ),
        rematch_mailto=mailto_link(REPLY_TO, "Re: a game", "rematch"),
        replay_file=f"phyliss-{GAME}.html",
        version=212,
    )


def _stopped() -> GameMail:
    mail = _finished()
    assert mail.result is not None
    return replace(
        mail,
        players=FRIENDS,
        view=view([seat([], [], [], out=1), seat(["6c"], [], []), seat(["5c"], [], [])]),
        result=replace(
            mail.result,
            ranking=((0,), (1, 2)),
            reason="we all went on holiday and nobody wanted to go on",
            scores={"unknown": True},
            phrases=(),
        ),
    )


def _undealt() -> GameMail:
    mail = _stopped()
    assert mail.result is not None
    result = replace(mail.result, ranking=(), reason="stopped", scores=None)
    return replace(mail, dealt=False, view={}, happened=(fact("game_stopped"),), result=result)


OPEN_SEAT = TableSeat("somebody", "open")


def _invitation(**changes: Any) -> InvitationMail:
    subject = f"Re: {game_name('Phyliss', FRIENDS, 1)} [{GAME}]"
    mail = InvitationMail(
        game_id=GAME,
        ruleset="phyliss",
        title="Phyliss",
        players=FRIENDS,
        reader=1,
        inviter="Anna",
        clock=Timing(3 * 86400),
        options=(deals(2), AUTO_FORCED["all"]),
        expected_mails=132,
        commitment=COMMITMENT,
        operator=False,
        reply_to=REPLY_TO,
        join_mailto=mailto_link(REPLY_TO, subject, "join"),
        decline_mailto=mailto_link(REPLY_TO, subject, "decline"),
        never_mailto=mailto_link(REPLY_TO, subject, "never"),
        lesson_mailto=mailto_link(REPLY_TO, "tutorial", "tutorial"),
        expected_days=66,
        runs_out=datetime(2026, 12, 5, 12, 0, tzinfo=UTC),
        head=HEAD,
        version=3,
    )
    return replace(mail, **changes)


def _service(kind: str, **changes: Any) -> ServiceMail:
    return replace(ServiceMail(kind=kind, name="Anna", reply_to=REPLY_TO), **changes)


def _line(
    place: int,
    name: str,
    rounds: tuple[int | None, ...],
    opponents: tuple[tuple[str, ...], ...],
    points: int,
) -> CrossLine:
    has_left = rounds[1:] == (None, None)
    return CrossLine(place, name, name == "Anna", rounds, opponents, points, 12_000, has_left)


def _cross(**changes: Any) -> CrossTable:
    lines = (
        _line(1, "דניאל", (120, 80, 60), (("Anna", "Bob"), ("Carol",), ("Anna", "דניאל 2")), 260),
        _line(2, "Anna", (60, 120, None), (("דניאל", "Bob"), ("Carol", "Dora"), ()), 180),
        _line(2, ODD_NAMES[0], (0, 60, 120), (("דניאל", "Anna"), (), ("Emil", "Fay")), 180),
        _line(4, "王小明 <script>" * 3, (40, None, None), (("Emil <b>", "Fay"), (), ()), 40),
    )
    return replace(CrossTable("winter", "Phyliss", 3, 5, 1, lines), **changes)


def _standings() -> StandingTable:
    return StandingTable(
        lines=(
            StandingLine(1, "דניאל", False, 312, 40, 192, 21, 97, (3, 5, 1)),
            StandingLine(2, "Anna", True, 273, 51, 120, 9, 100, None),
            StandingLine(3, ODD_NAMES[0], False, 251, 81, 8, 1, None, (1, 0, 0)),
            StandingLine(42, "王小明 <script>" * 3, False, -12, 72, -228, 30, 0, (7, 0, 0)),
        ),
        own=(
            OwnRating("Phyliss", "phyliss", 273, 51, 4),
            OwnRating("Phase 10, family rules", "phase10-family", 240, 61, 1),
        ),
        bots=(("easy", 24), ("hard", 29)),
    )


def _rules(name: str, players: int | None, **options: Any) -> ServiceMail:
    ruleset = registry.find(name)
    return _service("rules", title=ruleset.title, text=ruleset.rules_text(players, options))


SAID_AT = datetime(2026, 11, 21, 12, 5, tzinfo=UTC)
SPEECHES = (
    Speech("Bob", SAID_AT, "well played; <b>really</b> & truly\nplay 7 7"),
    Speech("Bob", SAID_AT, "see you at www.example.org/a", ("Carol",), to_me=True),
    Speech(ODD_NAMES[1], SAID_AT, "word " * 160, to_me=True, to=()),
    Speech("", SAID_AT, "21\nsay no\n" + "x" * 90),
)
"""Talk of other players that contains orders, which must not be read as orders in replies."""


def _history() -> GameMail:
    return game_mail(
        kind="history",
        to_act=(1,),
        moves=(),
        happened=(),
        history=(
            Entry(SAID_AT, ("Bob played 7♣ 7♦.", "Bob goes again.")),
            Entry(SAID_AT, speech=SPEECHES[0]),
            Entry(SAID_AT, ("Anna played K♣.",), is_undone=True),
            Entry(SAID_AT, speech=Speech("Anna", SAID_AT, "sorry", ("Bob", "Carol"), is_mine=True)),
            Entry(SAID_AT, speech=Speech("Anna", SAID_AT, "hello", is_mine=True)),
        ),
    )


SAMPLES: dict[str, Content] = {
    "started": _started(),
    "turn": game_mail(),
    "turn-face-up": _face_up(),
    "turn-blind": _blind(),
    "turn-large-hand": _large_hand(),
    "answer-refused": _refusal(),
    "answer-waiting": _answer_waiting(),
    "answer-joined": _joined(),
    "turn-bank": game_mail(
        deadline=DEADLINE + timedelta(hours=5, minutes=30), bank=TimeBank(DEADLINE, 19_800)
    ),
    "vote": game_mail(
        kind="notice",
        to_act=(1,),
        moves=(),
        happened=(Fact("motion_voted", Seat(1), {"motion": "pause", "for": True}, None),),
        motion="pause",
        asked=True,
        vote_mailtos=tuple(mailto_link(REPLY_TO, "Re: a game", word) for word in ("yes", "no")),
    ),
    "turn-talk": game_mail(talk=SPEECHES[:2], talk_left_out=2),
    "talk": game_mail(
        kind="talk", to_act=(1,), moves=(), happened=(), talk=SPEECHES, anonymous_talk=True
    ),
    "history": _history(),
    "history-none": game_mail(kind="history", to_act=(1,), moves=(), happened=()),
    "reminder": _reminder(),
    "timed-out": _timed_out(),
    "finished": _finished(),
    "finished-early": _stopped(),
    "finished-undealt": _undealt(),
    "invitation": _invitation(),
    "invitation-again": _invitation(again=True),
    "invitation-challenge": _invitation(
        challenge=True,
        players=FRIENDS[:2],
        notes=(
            sentence(
                "This game counts on the ladder of {game}. You stand in place {own}: if {name} wins, that"
                " place is taken, and you move down by one.",
                game="Phyliss",
                own=2,
                name=FRIENDS[0],
            ),
        ),
    ),
    "created": _invitation(
        kind="created",
        reader=0,
        runs_out=None,
        seats=(
            TableSeat("Anna", "joined", is_maker=True),
            TableSeat("Bob", "invited"),
            TableSeat("Adabot", "bot", plays_like=24),
            OPEN_SEAT,
        ),
        shorter="It is a long game.",
    ),
    "created-lesson": _invitation(
        kind="created",
        reader=0,
        players=("Anna", "Tutor"),
        runs_out=None,
        lesson=True,
        seats=(TableSeat("Anna", "invited", is_maker=True), TableSeat("Tutor", "bot")),
    ),
    "vacant": _invitation(
        kind="vacant",
        reader=0,
        vacant=1,
        may_shrink=True,
        seats=(TableSeat("Anna", "joined", is_maker=True), TableSeat("Bob", "declined"), OPEN_SEAT),
    ),
    "ask_new": _service(
        "ask_new",
        yes_mailto=YES,
        message=joined(
            (
                sentence('Carry out "{order}"?', order="digest 8"),
                sentence('Reply "yes" if you wrote this, or "no" if you did not.'),
            )
        ),
    ),
    "welcome": _service("welcome"),
    "by-invitation": _service("by_invitation"),
    "withdrawn": _service("withdrawn", message="This is about the game of Phyliss [k7q2m3x9ab]."),
    "games-open": _service(
        "games",
        open_games=(("k7q2m3x9ab", "Phyliss", "Bob and Carol", "2 of 3 seats are taken"),),
    ),
    "help-phyliss": _service("help", message="It is your turn.", rulesets=("phyliss",)),
    "invitation-operator": _invitation(operator=True, options=(), expected_mails=None),
    "ask-senders": _service("ask_senders", suggestions=("yes me@new.example", "no")),
    "ask-sender": _service("ask_sender", lines=(LineResult("", "not-done"),) * 2, yes_mailto=YES),
    "ask-order": _service(
        "ask_order",
        message=sentence(
            "Resign from {title} with {others} [{game}]? That is final.",
            title="Phyliss",
            others=all_of(("Bob", "Carol")),
            game=GAME,
        ),
        yes_mailto=YES,
    ),
    "ask-stop": _service(
        "ask_stop",
        message="You will get no more mails once you answer yes.",
        yes_mailto=YES,
    ),
    "ask-reach": _service(
        "ask_reach",
        message="A report says that you marked one of my mails as spam.",
        suggestions=("unsubscribe",),
    ),
    "help": _service("help"),
    "help-more": _service("help", is_long=True),
    "help-more-phyliss": _service("help", is_long=True, rulesets=("phyliss",)),
    "rules": _rules("phyliss", 3, deals=2),
    "rules-cathedral": _rules("cathedral", None),
    "rules-phalanx": _rules("phalanx", 4, tie="swap", aces=10, max_battles=5),
    "rules-phalanx-zones": _rules("phalanx", 2, stakes="zones"),
    "rules-phase10-family": _rules("phase10-family", 3, phases_to_win=5, deck="standard"),
    "rules-which": _service(
        "rules",
        message="Which game do you mean?",
        suggestions=tuple(f"rules {name}" for name in registry.names()),
    ),
    "games": _service(
        "games",
        games=(
            (GAME, "Phyliss", "Anna, Bob, Carol", "running, it is your turn"),
            ("aaaaabbbbb", "Phyliss", "Anna, דניאל", "waiting for players"),
        ),
    ),
    "standings": _service("standings", standings=_standings()),
    "standings-of-one": _service(
        "standings", title="Phyliss", standings=replace(_standings(), own=(), left_out=2)
    ),
    "standings-none": _service("standings", title="Phalanx"),
    "league": _service(
        "league",
        notes=(sentence("All rounds are played."),),
        suggestions=(sentence("join league {name}", name="winter"),),
        cross=_cross(),
    ),
    "noted-calendar": _service(
        "noted",
        notes=(
            sentence(
                "Subscribe to your deadlines at {address} and give that address to nobody. The file is"
                ' there from your next turn on; "calendar off" ends it.',
                address="play.example.org/calendars/q7x2k9m4w8t3r6bz.ics",
            ),
        ),
    ),
    "noted-ping": _service(
        "noted",
        notes=(
            sentence(
                'A code is on its way to {place}. Answer with "ping" and the code within a day, and your'
                " pings go there. If none comes, nothing changes.",
                place="ntfy anna-4711-q7",
            ),
        ),
    ),
    "ladder": _service(
        "ladder",
        title="Phyliss",
        suggestions=(sentence("challenge {name} at {game}", name="Carol", game="phyliss"),),
        standings=replace(_standings(), own=(), bots=(), left_out=2),
    ),
    "league-open": _service(
        "league_open",
        message=sentence(
            "{name} begins a league of {game} and asks you to join.", name="Bob", game="Phyliss"
        ),
        suggestions=(
            sentence("join league {name}", name="winter"),
            sentence("invitations off"),
        ),
        cross=CrossTable("winter", "Phyliss"),
    ),
    "league-none": _service("league", message=sentence("There is no such league just now.")),
    "league-round": _service(
        "league_round",
        notes=(sentence("Round {number} is drawn; its mail tells you your table.", number=4),),
        cross=_cross(),
    ),
    "league-end": _service("league_end", cross=_cross(of=3, winner="דניאל")),
    "league-stopped": _service("league_end", cross=CrossTable("winter")),
    "round": _invitation(
        kind="round",
        seats=tuple(TableSeat(name, "invited") for name in FRIENDS),
        runs_out=None,
        round=RoundPart(
            "winter",
            2,
            5,
            datetime(2026, 11, 22, 12, 0, tzinfo=UTC),
            datetime(2026, 12, 12, 12, 0, tzinfo=UTC),
        ),
    ),
    "games-none": _service("games", name=ODD_NAMES[1]),
    "digest": DigestMail(
        name="Anna",
        games=(
            game_mail(kind="digest", talk=SPEECHES[:1]),
            game_mail(
                kind="digest",
                game_id="aaaaabbbbb",
                players=ODD_NAMES,
                to_act=(1,),
                moves=(),
                happened=(),
            ),
        ),
        board_mailtos=(mailto_link(REPLY_TO, "Re: a game", "board"),) * 2,
        reply_to=REPLY_TO,
    ),
    "refusal": _service(
        "refusal",
        name=ODD_NAMES[0],
        message="Your mail is not about a certain game: to move, answer the turn mail of that game.",
        lines=(LineResult("play 7 7", "unused"),),
        suggestions=("games", "rules", "help"),
    ),
}

MAIL_HEAD = MailHead(
    sender_name="Card table",
    recipient=READER,
    message_id=f"{GAME}.57.0.abcd2345@pbem.example.org",
    date=datetime(2026, 11, 21, 6, 33, 49, tzinfo=UTC),
    own_address="cards@pbem.example.org",
    reply_to=REPLY_TO,
    root=f"{GAME}.0@pbem.example.org",
    heads=((GAME, Head(57, HEAD), Head(53, HEAD_BEFORE)),),
)
