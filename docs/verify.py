#!/usr/bin/env python3
"""Check an exported game without the program that made it.

    python3 verify.py game.jsonl
    python3 verify.py game.jsonl --head 5f2a9c01… --mail turn.eml --phrase "green tea"
    python3 verify.py --mails FOLDER
    python3 verify.py game.jsonl --mails FOLDER

One file, Python 3.8 or newer, nothing to install, no network. It checks what needs no rules of card
games: that nothing was changed, left out or put in; that everything that was hidden is now opened as it
was committed to; that every shuffle follows from the server's secret, which was fixed before anybody
gave a phrase, and from the phrases, and that the first one was of a whole new pack. It does not know the
rules: whether every move was legal, how many shuffles the game needed and which cards were in the later
ones is for `pbem verify`. Lines that begin with "unchecked:" list what was not checked.

`--head` is a fingerprint out of a mail (its header PBEM-Chain-Head has it), `--mail` a mail of the game as a
file (all fingerprints in it are taken): if they are in the log, it is the log that you were told of. `--phrase` is what you wrote while
joining. Exit 0: all holds; 1: something does not; 2: no such file, or wrong arguments.

`--mails` is a folder with mails of one or several players (.eml files, mbox files, a Maildir), of one or
several games, and needs no export: each mail names the fingerprint of the log, and what the mail before it
told the same reader. If a server went on from an older copy of its log, or told two players different
things, no chain fits all of them. With an export each of them must stand in it, too. Two mails have the same
reader if their addresses differ only in capitals, in the name beside them, or behind a plus.

How everything is computed: log-format.md and fairness.md, which lie beside this file.
"""

import argparse
import bisect
import contextlib
import datetime
import email
import email.policy
import email.utils
import hashlib
import hmac
import json
import mailbox
import pathlib
import re
import sys
import unicodedata

PLACE = ("game_id", "version", "type", "schema_version", "recorded_at")
HASHED = (*PLACE, "actor", "cause", "public", "secret_commitment", "prev_hash")
HEADER = {"format", "format_version", "game_id", "events", "head", "complete"}
NULL = type(None)
FRAME = dict.fromkeys(("game_id", "type", "recorded_at", "actor", "prev_hash", "hash"), (str,))
FRAME.update(version=(int,), schema_version=(int,), public=(dict,), secret=(dict, NULL))
FRAME.update(cause=(str, NULL), secret_commitment=(str, NULL))  # what the parts of an event are
ENDS = ("GameFinished", "GameStopped", "Adjudicated")
# Who sits in a seat follows from these.
SEATED = ("PlayerInvited", "PlayerJoined", "SeatReplaced")
TALK = ("MessagePosted", "Hidden")  # may follow the end
# What these hide is opened when the game is over; of others it may be gone for a person's sake.
# "Hidden" is a secret choice, which opens, or what somebody told the service in private, which never does:
# only whoever knows the rules can tell whether a choice is missing (`pbem verify`).
OPENED = ("GameCreated", "PhraseGiven", "GameStarted", "MovePlayed")
# A new pack, bottom to top, by ruleset (version 1). Packs of other rulesets cannot be checked here.
CARDS = [rank + suit for suit in "cdhs" for rank in [*"23456789", "10", *"JQKA"]]
PHASES = [f"{c}{n}" for c in "RBGY" for n in range(1, 13) for _ in "12"] + ["W"] * 8 + ["S"] * 4
PACKS = {"phyliss": CARDS, "cathedral": CARDS, "phalanx": CARDS}
PACKS.update({"phase10": PHASES, "phase10-family": PHASES})
LARGEST_NUMBER, DEEPEST_NESTING = 2**53, 64  # of canonical JSON
# Of whatever language: "event 17 of game k7q2m3x9ab …: HASH"; in a daily mail "[k7q2m3x9ab] … event 17; …: HASH".
HASH = r"\b([0-9a-f]{64})\b"
# Every repetition has an upper limit or an end that is unique: a long word takes no longer than others.
IN_MAIL = r"\b(\d{1,9})\b[^\d\n]{1,40}\bGAME\b.{0,200}?" + HASH
IN_DAILY = r"^\[GAME\] (?:(?!^\[\w{10}\] ).)*?\b(\d{1,9}); \D{1,60}:\s{1,20}" + HASH
IN_WORDS = r"\b((?:[a-z]{4,8} ){5}[a-z]{4,8}) \([^()\d]{1,40} (\d{1,9})\)"
# Of PBEM-Chain-Head and PBEM-Chain-Before: fingerprint, event, game.
FORM = r"[0-9a-f]{64} \d{1,9} [a-z2-7]{10}"
# Six of these say the first six bytes of a fingerprint aloud.
ALOUD_TEXT = """
acorn actor album alley amber anchor angel ankle apple apron arrow artist atlas attic autumn bacon
badge baker bamboo banana banjo barber barrel basket beach beaver bell berry bicycle biscuit
blanket bonnet border bottle bracelet branch bread brick bridge brush bucket buffalo butter button
cabin cactus camel candle canoe canvas carpet carrot castle cedar cellar cherry chimney cider
circus clover cobbler coconut coffee comet copper corner cotton cousin cradle crane cricket
crystal cushion daisy dancer desert diamond dinner doctor dolphin donkey dragon drummer eagle
elbow elephant engine falcon farmer feather ferry fiddle finger flute forest fountain garden
garlic gazelle ginger giraffe glacier glove goblet grape guitar hammer harbour harvest hazel
hedgehog helmet heron hobby honey horizon hotel igloo island ivory jacket jaguar jasmine jelly
jigsaw journey jungle kettle kitchen kitten ladder lagoon lantern lemon leopard library lilac lion
lizard lobster lotus magnet mango maple marble market meadow melon mirror mitten monkey mosaic
mountain muffin museum mustard napkin needle nephew noodle nutmeg oasis ocean olive onion opera
orange orchard otter oven oyster paddle palace panda paper parrot peanut pebble pelican pencil
penguin pepper piano picnic pigeon pillow pilot pirate planet plum pocket poet potato puppet
pyramid quilt rabbit radish raven ribbon river robin rocket saddle saffron sailor salmon sandal
saucer scarf shadow shepherd silver singer sister sparrow spider spoon squirrel stable statue
summer sunset tailor teapot temple thimble thunder tiger timber tomato topaz tower trumpet tulip
tunnel turtle umbrella uncle valley vanilla velvet village violin volcano waffle wagon walnut
walrus weasel whistle willow window winter wizard zebra
"""
ALOUD = ALOUD_TEXT.split()


class VerifyError(Exception):
    """Something in the file does not hold."""


@contextlib.contextmanager
def damage():
    """Turn what a damaged file makes Python raise into a VerifyError."""
    try:
        yield
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise VerifyError(f"the file is damaged ({type(error).__name__})") from None


def need(holds, complaint):
    """Raise the complaint unless something holds."""
    if not holds:
        raise VerifyError(complaint)


def canonical(value):
    """Bytes of a JSON value with sorted keys, no blanks, UTF-8."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def sha256(*parts):
    """Hash in hex of some bytes, one after the other."""
    return hashlib.sha256(b"".join(parts)).hexdigest()


# --- reading ----------------------------------------------------------------------------------------


def number(text):
    """Read a whole number that every JSON reader keeps exactly. Raises: ValueError."""
    value = int(text) if len(text) < 18 else LARGEST_NUMBER + 1
    if abs(value) > LARGEST_NUMBER:
        raise ValueError("too large")
    return value


def no_number(text):
    """Refuse fractions, NaN and infinity. Raises: ValueError."""
    raise ValueError("no number of the log")


def depth(value):
    """Count how deep lists and objects are nested in a JSON value."""
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, inner), default=0) if isinstance(value, (dict, list)) else 0


def read_line(line, name):
    """Read a line that must be an object in canonical JSON. Raises: VerifyError."""
    try:
        text = line.decode("utf-8")
        value = json.loads(text, parse_int=number, parse_float=no_number, parse_constant=no_number)
        is_shallow = depth(value) <= DEEPEST_NESTING
    except (ValueError, RecursionError):
        raise VerifyError(f"{name} is no JSON of the log") from None
    need(is_shallow, f"{name} is nested too deep")
    need(isinstance(value, dict), f"{name} is no JSON object")
    try:
        is_canonical = canonical(value) == line
    except ValueError:  # half a character
        is_canonical = False
    need(is_canonical, f"{name} is not canonical JSON")
    return value


def read(data):
    """Take the file apart into header, events and shuffles; every line must be canonical JSON."""
    need(data.endswith(b"\n"), "the file does not end with a line end: something is cut off")
    lines = [read_line(line, f"line {n}") for n, line in enumerate(data[:-1].split(b"\n"), 1)]
    header, events, shuffles = lines[0], [], []
    need(set(header) == HEADER, "line 1 is not the header of an export")
    need(header["format"] == "pbem-export", "another format")
    need(is_of_kind(header["format_version"], "number"), "another format")
    need(header["format_version"] == 1, "this verifier reads version 1 of the format only")
    need(is_of_kind(header["events"], "number"), "the header tells another number of events")
    is_id = isinstance(header["game_id"], str) and re.fullmatch("[a-z2-7]{10}", header["game_id"])
    need(is_id, "the game has no id as pbem draws them")
    for count, line in enumerate(lines[1:], 2):
        if set(line) == {"shuffle", "before", "after"}:
            is_sound = is_of_kind(line["shuffle"], "number") and line["shuffle"] >= 0
            is_sound = is_sound and all(is_of_kind(line[k], "texts") for k in ("before", "after"))
            need(is_sound, f"line {count} is no shuffle")
            shuffles.append(line)
        else:
            need(not shuffles, f"line {count}: an event stands behind a shuffle")
            need(set(line) == {*HASHED, "hash", "secret"}, f"line {count} is no event")
            is_sound = all(type(line[field]) in kinds for field, kinds in FRAME.items())
            need(is_sound, f"line {count} is no event")
            events.append(line)
    need(events, "the file holds no event")
    return header, events, shuffles


# --- the chain --------------------------------------------------------------------------------------


def check_chain(header, events):
    """Every event has its number, names the one before, and has the hash that it says."""
    before = "0" * 64
    for number, event in enumerate(events, 1):
        name = f"event {number}"
        need(event["version"] == number, f"{name} is missing")
        need(event["game_id"] == header["game_id"], f"{name} is of another game")
        need(event["prev_hash"] == before, f"{name} does not follow the one before")
        body = canonical({field: event[field] for field in HASHED})
        need(sha256(b"pbem-event-v1\n", body) == event["hash"], f"{name} was changed")
        before = event["hash"]
    need(header["events"] == len(events), "the header tells another number of events")
    need(header["head"] == before, "the header tells another fingerprint")
    return f"{len(events)} events: numbers, chain and hashes hold; nothing was changed"


def check_secrets(events, is_over):
    """What is opened is what was committed to; while a game runs nothing is."""
    opened = 0
    for event in events:
        secret, name = event["secret"], f"event {event['version']}"
        if secret is None:
            is_due = is_over and event["type"] in OPENED
            need(not is_due, f"{name} stays closed although the game is over")
            continue
        need(is_over, f"{name} is opened although the game runs")
        is_sound = set(secret) == {"salt", "payload"} and type(secret["payload"]) is dict
        need(is_sound, f"{name}: its secret is damaged")
        need(FORMS["hash"](secret["salt"], 0), f"{name}: its salt is damaged")
        salt, payload = bytes.fromhex(secret["salt"]), canonical(secret["payload"])
        found = sha256(b"pbem-secret-v1\n", salt, payload)
        need(found == event["secret_commitment"], f"{name} hid something else than it shows")
        opened += 1
    if not is_over:
        return "the game runs: what is hidden stays closed, phrases too; commitments stand in the chain"
    return f"{opened} hidden parts are opened, each as it was committed to"


def check_fingerprints(events, heads):
    """The log that a mail told of is this one. `heads`: (event or None, fingerprint)."""
    known = {event["hash"]: event["version"] for event in events}
    for number, head in heads:
        need(
            head in known, f"no event has the fingerprint {head[:12]}…: not the log that was mailed"
        )
        need(number in (None, known[head]), f"the fingerprint {head[:12]}… is of another event")
    return f"{len(heads)} fingerprints out of mails are in this log"


def last_but_talk(events):
    """The last event that is no talk: what ended the game, if it is over."""
    return next((event for event in reversed(events) if event["type"] not in TALK), events[0])


# --- the shuffles -----------------------------------------------------------------------------------


def words(seed, number):
    """The 32-bit words of shuffle `number`: HMAC-SHA256 over its number and a counter."""
    counter = 0
    while True:
        place = number.to_bytes(4, "big") + counter.to_bytes(4, "big")
        block = hmac.new(seed, b"pbem-shuffle-v1" + place, hashlib.sha256).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")
        counter += 1


def shuffled(cards, seed, number):
    """Fisher–Yates from the last place down; words beyond the largest multiple are thrown away."""
    cards, stream = list(cards), words(seed, number)
    for last in range(len(cards) - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)
        chosen = next(word for word in stream if word < limit) % (last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def is_of(pack, one):
    """True if the first shuffle is of the whole pack, and a later one of a part of it in its order."""
    rest = iter(pack)
    return all(card in rest for card in one["before"]) and (one["shuffle"] or one["before"] == pack)


def pack_of(events):
    """Return a new pack of the game's ruleset, bottom to top; None if it is not known here."""
    public = events[0]["public"]
    return PACKS.get(public["ruleset"]) if public["ruleset_version"] == 1 else None


def given_phrases(events, seats):
    """The phrases as they were given, by seat, and where the cards were dealt; None if never."""
    phrases, operators = [""] * seats, events[0]["public"]["operator_seats"]
    sitting = list(events[0]["public"]["seats"])
    for event in events:
        seat = event["public"].get("seat")
        if event["type"] == "GameStarted":
            return phrases, event
        player = event["public"].get("player")
        if event["type"] in SEATED and player != sitting[seat]:
            sitting[seat] = player
            phrases[seat] = ""  # the new person is asked for one like any other
        if event["type"] == "PhraseGiven":
            need(seat not in operators, "whoever runs the server gave a phrase")
            phrases[seat] = event["secret"]["payload"]["phrase"]
    return phrases, None


def check_shuffles(events, shuffles, mine):
    """The secret is the one of event 1; with the phrases it gives every shuffle."""
    created, last = events[0], last_but_talk(events)
    secret = bytes.fromhex(created["secret"]["payload"]["server_secret"])
    fixed = created["public"]["commitment"]
    need(sha256(b"pbem-commit-v1", secret) == fixed, "the server's secret is not that of event 1")
    need(
        last["public"]["server_secret"] == secret.hex(),
        "the last event opens another secret of the server",
    )
    phrases, start = given_phrases(events, len(created["public"]["seats"]))
    for phrase in mine:
        kept = " ".join(unicodedata.normalize("NFC", phrase).split())[:200].rstrip(" ")
        need(kept in phrases, f'no seat gave the phrase "{phrase}"')
    if start is None:
        need(not shuffles, "there are shuffles although nothing was dealt")
        return "the cards were never dealt"
    used = start["secret"]["payload"]["phrases"]
    need(used == phrases, "the cards were dealt with other phrases than the players gave")
    need(shuffles, "the shuffles are missing")
    lengths = b"".join(len(p.encode()).to_bytes(4, "big") + p.encode() for p in used)
    seed = hashlib.sha256(b"pbem-seed-v1" + secret + lengths).digest()
    pack = pack_of(events)
    expected, times_back = 0, sum(event["type"] == "MovesRetracted" for event in events)
    for one in shuffles:
        number = one["shuffle"]
        times_back -= number < expected  # after moves were taken back, the numbers go back, too
        need(number <= expected and times_back >= 0, "a shuffle is left out, or is there twice")
        expected = number + 1
        if pack:
            need(is_of(pack, one), f"shuffle {number} is not of a new pack in its order")
        after = shuffled(one["before"], seed, number)
        need(after == one["after"], f"shuffle {number} does not follow from the secret")
    return f"the server's secret was fixed before the phrases came; {len(shuffles)} shuffles follow from both"


# --- what no server writes --------------------------------------------------------------------------

UTC = datetime.timezone.utc  # noqa: UP017  (Python 3.8)
PERSON = "[a-z2-7]{10}"
SITTING = PERSON + "|bot:(easy|hard):[a-z]{1,20}|open:[1-9][0-9]{0,2}"
ACTOR = f"seat:(0|[1-9][0-9]?)|player:{PERSON}|admin:(local|mail|{PERSON})|clock|system"
CAUSE = "mail:[0-9a-f]{64}|deadline:[1-9][0-9]{0,8}|command:[a-z2-7]{16}"
PIN = "[A-Za-z0-9._-]{1,100}==[A-Za-z0-9.+!_-]{1,50}"
LEAGUE = "[a-z2-7]{10}:[1-9][0-9]?"
RULESET = "(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*"
MOVE = "[ -~]{1,400}"
INSTANT = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z"
MAX = 2**31 - 1
# The fields of each type and what they are (FORMS); behind the | stands what is hidden. With a question mark
# a field may be missing.
TYPE_TEXT = """
GameCreated ruleset:ruleset ruleset_version:number seats:sitters options:object operator_seats:seats timing:object
 commitment:hash package?:package league?:league challenge?:yes | server_secret:hash
PlayerInvited seat:seat player:sitter
PlayerJoined seat:seat player:sitter
PlayerDeclined seat:seat player:sitter
InvitationExpired seat:seat player:sitter
PhraseGiven seat:seat | phrase:text
GameStarted | phrases:texts digest:hash digest_version:one
MovePlayed seat:seat move:move source:text ply:number | digest:hash digest_version:one
Hidden | type:text actor:text cause:text at:text payload:object
ChoicesRevealed revealed:object ply:number
VoteCast seat:seat motion:text is_for:flag
DisputeOpened number:count seat:seat | text:text
DisputeResolved number:count | text:text
MovesRetracted back_to:count ply:number | reason:text
HandsRevealedToAdmin seats:seats at_version:count | reason:text
ReasonGiven | reason:text
SeatControllerChanged seat:seat controller:text why:text
PlayerUnreachable seat:seat reason:text
PlayerReachable seat:seat
SeatResigned seat:seat
SeatRemoved seat:seat | reason:text
SeatReplaced seat:seat player:person | reason:text
DeadlineSet seats:seats starts_at:instant base_at:instant due_at:instant fires_at:instant reminders:instants
DeadlineExtended deadline:count base_at:instant due_at:instant fires_at:instant reminders:instants reason:text
ClockCompensated begin:instant end:instant deadline:count base_at:instant due_at:instant fires_at:instant
 reminders:instants
BankChanged seat:seat left:number
VacationTaken seat:seat first:day last:day
VacationEnded seat:seat last:day
GamePaused by:text | reason:text
GameResumed by:text
AdminAsked seat:seat deadline:count
TurnTimedOut seat:seat deadline:count
MotionOpened motion:text seat:seat-or-none terms:object
MotionEnded motion:text seat:seat-or-none why:text
ObserverLeft player:person
MessagePosted seat:seat player:person | text:text
AnonymousTalkSet is_allowed:flag
PageSet seat:seat is_allowed:flag
GameStopped code:text server_secret:hash | reason:text
Adjudicated ranking:ranking with_judge:flag server_secret:hash | reason:text
GameFinished ranking:ranking reason:text scores:any server_secret:hash
"""
TYPES = {
    kind: [
        dict(field.split(":") for field in part.split()) for part in (fields + "|").split("|")[:2]
    ]
    for kind, _, fields in (
        line.partition(" ") for line in TYPE_TEXT.strip().replace("\n ", " ").splitlines()
    )
}
TERMS = {  # of motions, in the same form
    "undo": {"back_to": "count", "ply": "number"},
    "end": {},
    "drop": {"of": "seat"},
    "tempo": {"time_per_move": "count"},
    "fast": {"time_per_move": "count", "expires_at": "instant"},
    "observer": {"player": "person"},
    "replace": {"of": "seat", "player": "person"},
    "offer": {"player": "person", "expires_at": "instant"},
}
CHOICE = {
    "seat": "seat",
    "move": "move",
    "source": "text",
    "digest": "hash",
    "digest_version": "one",
}
PRIVATE = ("NextOrdered", "DrawingRuled", "PrivateMessage", "MuteSet")
ASKED = tuple(motion for motion in TERMS if motion != "offer")
SOURCES = ("mail", "standing", "forced", "standby", "bot", "admin")
CLOSED = {  # words of closed sets, by type and field
    ("MovePlayed", "source"): SOURCES,
    ("GameStopped", "code"): ("admin", "declined", "called-off", "expired", "renewed"),
    ("GameFinished", "reason"): ("finished", "stopped", "last-seat"),
    ("DeadlineExtended", "reason"): (
        *("delivery", "reachable", "vacation", "courtesy", "admin", "back", "undo"),
    ),
    ("GamePaused", "by"): ("vote", "admin", "dispute"),
    ("GameResumed", "by"): ("vote", "admin", "dispute"),
    ("SeatControllerChanged", "controller"): ("person", "bot"),
    ("SeatControllerChanged", "why"): ("misses", "timeout", "back", "asleep", "admin"),
    ("PlayerUnreachable", "reason"): ("bounces", "complaint", "unsubscribed"),
    ("VoteCast", "motion"): ("pause", "resume", *ASKED),
    ("MotionOpened", "motion"): (*ASKED, "offer"),
    ("MotionEnded", "motion"): (*ASKED, "offer"),
    ("MotionEnded", "why"): ("carried", "refused", "back", "declined", "expired", "league"),
}
DEADLINES = ("starts_at", "base_at", "due_at", "fires_at")
# When an event can happen: before the deal, before and after it, or (all others but talk) after it.
INVITING = ("PlayerInvited", "PlayerJoined", "PlayerDeclined", "InvitationExpired", "PhraseGiven")
INVITING += ("GameStarted",)
EITHER = ("PlayerUnreachable", "PlayerReachable", "SeatReplaced", "AnonymousTalkSet", "PageSet")
EITHER += ("GameStopped", "HandsRevealedToAdmin", *TALK)
# Who causes an event: the service itself, the clock or an admin, an admin alone, the seat that it names.
BY_ITSELF = ("DeadlineSet", "ChoicesRevealed", "BankChanged", "GameStarted")
LATE = ("TurnTimedOut", "AdminAsked")
BY_ADMINS = ("HandsRevealedToAdmin", "Adjudicated", "ReasonGiven")
OWN = ("PhraseGiven", "VoteCast", "DisputeOpened", "MessagePosted", "PageSet", "VacationTaken")


def moment(text):
    """Return an instant of the log as a datetime; None if it is none."""
    try:
        return datetime.datetime.fromisoformat(text[:-1]) if re.fullmatch(INSTANT, text) else None
    except (TypeError, ValueError):
        return None


def is_of_kind(value, kind):
    """True if a value is of a kind that does not depend on the number of seats."""
    return FORMS[kind](value, 0)


def written_as(pattern):
    """Return a check that a value is a text of a pattern."""
    return lambda value, _: type(value) is str and bool(re.fullmatch(pattern, value))


def list_of(kind):
    """Return a check that a value is a list of values of one kind."""
    return lambda value, seats: type(value) is list and all(FORMS[kind](v, seats) for v in value)


FORMS = {  # by kind: whether a value, in a game of so many seats, is one
    "any": lambda value, _: True,
    "text": lambda value, _: type(value) is str,
    "flag": lambda value, _: type(value) is bool,
    "yes": lambda value, _: value is True,
    "object": lambda value, _: type(value) is dict,
    "number": lambda value, _: type(value) is int and -1 <= value <= MAX,
    "count": lambda value, _: type(value) is int and 0 < value <= MAX,
    "one": lambda value, _: type(value) is int and value == 1,
    "seat": lambda value, seats: type(value) is int and 0 <= value < seats,
    "seat-or-none": lambda value, seats: value is None or FORMS["seat"](value, seats),
    "seats": lambda value, seats: list_of("seat")(value, seats) and value == sorted(set(value)),
    "ranking": list_of("places"),
    "places": list_of("seat"),
    "texts": list_of("text"),
    "sitters": list_of("sitter"),
    "instants": list_of("instant"),
    "instant": lambda value, _: moment(value) is not None,
    "day": lambda value, _: type(value) is str and moment(f"{value}T00:00:00.000000Z") is not None,
    "hash": written_as("[0-9a-f]{64}"),
    "ruleset": written_as(RULESET),
    "move": written_as(MOVE),
    "person": written_as(PERSON),
    "sitter": written_as(SITTING),
    "package": written_as(PIN),
    "league": written_as(LEAGUE),
}


def check_written(events, now):
    """Check what no server writes: fields, words, who acts, the order of events, and time up to `now`."""
    created = events[0]
    need(created["type"] == "GameCreated", "event 1 is not the creation of the game")
    sitting = created["public"].get("seats")
    need(FORMS["sitters"](sitting, 0), "event 1: its seats are none that can be")
    need(len(set(sitting)) == len(sitting), "event 1: somebody sits in two seats")
    latest_allowed = (now + datetime.timedelta(days=1)).astimezone(UTC).replace(tzinfo=None)
    latest, ended, dealt = moment("1970-01-01T00:00:00.000000Z"), False, False
    for event in events:
        name, kind, at = f"event {event['version']}", event["type"], moment(event["recorded_at"])
        need(kind in TYPES, f"{name} is of no type that there is")
        need(event["schema_version"] == 1, f"{name} is of a version that this verifier cannot read")
        need(at is not None, f"{name} is of no instant")
        need(at <= latest_allowed, f"{name} is of the future")
        is_before = at.date() < latest.date() or (at < latest and kind != "Hidden")
        need(not is_before, f"{name} is of earlier than the event before it")
        latest = max(at, latest)
        need(not ended or kind in TALK, f"{name} follows the end of the game")
        is_in_order = event is created or (kind in EITHER) or (kind in INVITING) is not dealt
        is_in_order = is_in_order and (kind == "GameCreated") is (event is created)
        need(is_in_order, f"{name}: such a thing cannot happen then")
        ended, dealt = ended or kind in ENDS, dealt or kind == "GameStarted"
        check_fields(event, len(sitting))
        check_actor(events, event, len(sitting))
    is_sound = not created["public"].get("challenge") or is_challenge(created["public"])
    need(is_sound, "event 1: a challenge is a game of two, and of no league")


def is_challenge(public):
    """True if a game is one of two players and of no league."""
    return len(public["seats"]) == 2 and "league" not in public


def check_values(name, values, kinds, seats):
    """Check that an object has exactly these fields, and that each is what it should be."""
    needed = {field for field in kinds if not field.endswith("?")}
    known = {field.rstrip("?"): kind for field, kind in kinds.items()}
    need(needed <= set(values), f"{name} lacks {', '.join(sorted(needed - set(values)))}")
    need(set(values) <= set(known), f"{name} has a field that it should not have")
    for field, value in values.items():
        need(FORMS[known[field]](value, seats), f"{name}: its {field} is none that can be")


def check_fields(event, seats):
    """Check all fields of an event, those in its secret too if that is open."""
    name, kind, public, at = f"event {event['version']}", event["type"], event["public"], None
    shown, hidden = TYPES[kind]
    hides, commitment = bool(hidden), event["secret_commitment"]
    need(hides is (commitment is not None), f"{name} hides what has nothing to hide")
    need(not hides or FORMS["hash"](commitment, 0), f"{name}: its commitment is no hash")
    check_values(name, public, shown, seats)
    for (of, field), words in CLOSED.items():
        need(of != kind or public[field] in words, f"{name}: its {field} is no word of the log")
    if event["secret"] is not None:
        check_values(name, event["secret"].get("payload", {}), hidden, seats)
    if kind == "MotionOpened":
        check_values(name, public["terms"], TERMS[public["motion"]], seats)
    if kind == "Hidden":
        check_private(event, seats)
    if kind == "GameStarted" and event["secret"]:
        count = len(event["secret"]["payload"]["phrases"])
        need(count == seats, f"{name}: its phrases are not one for each seat")
    if "reminders" in public:
        instants = [public[field] for field in DEADLINES if field in public]
        need(instants == sorted(instants), f"{name}: its instants are in no order")
        reminders = public["reminders"]
        need(reminders == sorted(set(reminders)), f"{name}: its reminders are in no order")
        need(reminders[-1:] <= [public["due_at"]], f"{name}: it reminds of what is over")
    if kind == "DeadlineSet":
        is_begun = public["starts_at"] <= event["recorded_at"]
        need(is_begun, f"{name}: its instants are in no order")
        is_due = all(public["starts_at"] <= one for one in reminders[:1])
        need(is_due, f"{name}: it reminds before it begins")
    for field, value in [*public.items(), *public.get("terms", {}).items()]:
        for text in value if isinstance(value, list) else [value]:
            at = moment(f"{text}T00:00:00.000000Z") or moment(text)
            gap = abs(at - moment(event["recorded_at"])) if at else datetime.timedelta()
            need(gap.days <= 3653, f"{name}: its {field} is years away")


def check_private(event, seats):
    """Check what somebody told the service in private, if it is open; its instant is of its day."""
    name, at = f"event {event['version']}", event["recorded_at"]
    if event["secret"]:
        hidden = event["secret"]["payload"]
        at = hidden["at"]
        need(moment(at) is not None, f"{name} hides no instant")
        need(
            hidden["type"] == "ChoiceMade" or hidden["type"] in PRIVATE,
            f"{name} is nothing private",
        )
        if hidden["type"] == "ChoiceMade":
            check_values(name, hidden["payload"], CHOICE, seats)
            need(
                hidden["payload"]["source"] in SOURCES, f"{name}: its source is no word of the log"
            )
    day = f"{at[:10]}T00:00:00.000000Z"
    need(event["recorded_at"] == day, f"{name} tells more than its day, or another one")


def check_actor(events, event, seats):
    """Check who acts and why: the seat is there, a deadline was set before, and each does its own."""
    name, kind, public = f"event {event['version']}", event["type"], event["public"]
    actor, cause = event["actor"], event["cause"]
    if kind == "Hidden":
        need((actor, cause) == ("hidden", None), f"{name}: its actor is another one")
        if not event["secret"]:
            return
        actor, cause = (event["secret"]["payload"][field] for field in ("actor", "cause"))
        cause = cause or None
    need(re.fullmatch(ACTOR, actor), f"{name}: its actor is nobody who acts")
    need(cause is None or re.fullmatch(CAUSE, cause), f"{name}: its cause is none")
    if actor.startswith("seat:"):
        need(int(actor[5:]) < seats, f"{name}: its actor sits in no seat")
    if (cause or "").startswith("deadline:"):
        version = int(cause[9:])
        is_deadline = version < event["version"] and events[version - 1]["type"] == "DeadlineSet"
        need(is_deadline, f"{name}: its cause is no deadline")
    by_admin, motion = actor.startswith("admin:"), public.get("motion")
    is_motion = kind == "MotionOpened" and motion != "offer" and public["seat"] is not None
    is_own = kind in OWN or is_motion
    is_sound = kind not in BY_ITSELF or actor == "system"
    is_sound &= kind not in LATE or actor == "clock" or by_admin
    is_sound &= kind not in BY_ADMINS or by_admin
    is_sound &= kind != "GameStopped" or (public["code"] == "admin") is by_admin
    if actor.startswith("seat:") and (is_own or kind == "MovePlayed"):
        is_sound &= actor == f"seat:{public['seat']}"
    is_sound &= not is_own or actor not in ("clock", "system")
    if kind == "MotionOpened" and motion == "observer":
        is_sound &= actor == f"player:{public['terms']['player']}"
    need(is_sound, f"{name}: its actor is another one")


# --- mails alone --------------------------------------------------------------------------------------


def mails_in(folder):
    """Each mail of a folder and of those in it, with the name of its file; an mbox file holds several."""
    for path in sorted(filter(pathlib.Path.is_file, pathlib.Path(folder).rglob("*"))):
        data = path.read_bytes()
        if data.startswith(b"From "):
            box = mailbox.mbox(str(path), create=False)
            yield from ((f"{path.name} ({n})", bytes(mail)) for n, mail in enumerate(box, 1))
        else:
            yield path.name, data


def told_in(name, data):
    """What a mail tells of each of its games; also of mails that are attached to it."""
    for mail in email.message_from_bytes(data, policy=email.policy.compat32).walk():
        claims = []
        for kind in ("PBEM-Chain-Head", "PBEM-Chain-Before"):
            found = [re.sub(r"\s+", " ", str(one)).strip() for one in mail.get_all(kind, [])]
            for one in found:
                need(re.fullmatch(FORM, one), f"{name}: its header {kind} is damaged")
            claims.append({game: (int(n), head) for head, n, game in map(str.split, found)})
        heads, befores = claims
        need(set(heads) == set(befores), f"{name}: it does not name the mail before it")
        if heads:
            check_words(name, mail, [*heads.values(), *befores.values()])
        for game, (version, head) in heads.items():
            yield {
                "name": name,
                "game": game,
                "readers": readers_of(mail),
                "id": str(mail["Message-ID"]).strip(),
                "head": (version, head),
                "before": befores[game],
            }


def readers_of(mail):
    """Return the addresses in To, in small letters and without the names beside them."""
    fields = [str(field)[:1000] for field in mail.get_all("To", [])]
    pairs = email.utils.getaddresses(fields)
    return tuple(sorted({address.strip().lower() for _, address in pairs}))


def mailboxes_of(addresses):
    """Return addresses without what is behind a plus: whatever it is, the same mailbox gets the mail."""
    return tuple(sorted({re.sub(r"[+][^@]*@", "@", address) for address in addresses}))


def text_of(mail):
    """Return the plain text of a mail, all parts together."""
    parts = [part for part in mail.walk() if part.get_content_type() == "text/plain"]
    texts = [(part.get_payload(decode=True) or b"").decode("utf-8", "replace") for part in parts]
    return "\n".join(texts)


def check_words(name, mail, heads):
    """The words in the text of a mail, where it has them, are those of the fingerprints in its header."""
    found = set(re.findall(IN_WORDS, " ".join(text_of(mail).split())))
    for version, head in heads:
        said = (" ".join(ALOUD[byte] for byte in bytes.fromhex(head)[:6]), str(version))
        is_said = not found or not version or said in found
        need(is_said, f"{name}: its text tells another fingerprint than its header")


def check_mails(mails, known=None):
    """All mails of one game are of one log; `known`: fingerprints of an export."""
    first = {}
    for mail in mails:
        for version, head in (mail["head"], mail["before"]):
            need((version == 0) == (head == "0" * 64), f"{mail['name']}: event {version} is none")
            told, where = first.setdefault(version, (head, mail["name"]))
            need(
                told == head,
                f"the log forked: event {version} is another one in {where} than in {mail['name']}",
            )
            if known is not None and version:
                need(
                    known.get(version) == head,
                    f"{mail['name']} tells of an event {version} that is not in the export",
                )
    told = f"{len(mails)} mails tell of {len(set(first) - {0})} events, each with one fingerprint"
    yield "holds", told if known is None else told + ", all in the export"
    by_mailbox = {}
    for mail in mails:
        by_mailbox.setdefault(mailboxes_of(mail["readers"]), []).append(mail)
    for _, of_reader in sorted(by_mailbox.items()):
        yield from check_reader(of_reader)


def check_reader(mails):
    """The mails of one reader follow each other; one that is not here is told, and is no fault.

    What the mails told by then only grows: from the `before` of a mail to its own event, if that is newer.
    No other mail can follow what lies between: it would not know of this one.
    """
    steps = sorted((mail["before"][0], mail["head"][0], mail["name"]) for mail in mails)
    told = sorted({(top, name) for low, own, name in steps for top in (low, max(low, own))})
    for low, own, name in steps:
        behind = bisect.bisect_right(told, low, key=lambda event: event[0])
        if behind < len(told) and told[behind][0] < own:
            top, other = told[behind]
            raise VerifyError(
                f"the log went on twice: {name} tells of event {own} and knows of nothing behind"
                f" event {low}, {other} follows event {top}{unless_two(mails)}"
            )
    here = {own for _, own, _ in steps}
    missing = sorted({low for low, _, _ in steps} - here - {0})
    numbers = ", ".join(map(str, missing))
    if missing:
        reader = " and ".join(mails[0]["readers"])
        yield "note", f"mails to {reader} follow others that are not here, about events {numbers}"
    for low, own, name in steps:
        if own < low:
            yield "note", f"{name} tells of event {own} and was written after event {low} was told"


def unless_two(mails):
    """Say that two players may share a mailbox, if the addresses of these mails differ behind a plus."""
    addresses = sorted({" and ".join(mail["readers"]) for mail in mails})
    if len(addresses) == 1:
        return ""
    return f"; if {' and '.join(addresses)} are different players, put their mails into two folders"


def check_folder(folder, export=None):
    """Check the mails of a folder, by game; with an export also against it. Raises: VerifyError."""
    with damage():
        games, seen = {}, {}
        for name, data in mails_in(folder):
            for mail in told_in(name, data):
                fact = (mail["head"], mail["before"])
                before = seen.setdefault((mail["id"], mail["game"]), fact)
                need(before == fact, f"{name}: another mail has the same Message-ID")
                games.setdefault(mail["game"], []).append(mail)
        need(games, "there are no mails about games in the folder")
        header, events, _ = read(export) if export is not None else ({"game_id": None}, [], [])
        is_there = export is None or header["game_id"] in games
        need(is_there, "there are no mails about the game of the export")
        for game, mails in sorted(games.items()):
            is_exported = game == header["game_id"]
            known = {event["version"]: event["hash"] for event in events} if is_exported else None
            for label, sentence in check_mails(mails, known):
                yield label, f"game {game}: {sentence}"


# --- the command ------------------------------------------------------------------------------------


def heads_in(data, game_id):
    """Every fingerprint of this game in a mail as a file, with its event: in its header, or in its text."""
    mail = email.message_from_bytes(data, policy=email.policy.compat32)
    text, found = text_of(mail).replace("\r", ""), []
    for form in (IN_MAIL, IN_DAILY):
        found += re.findall(form.replace("GAME", game_id), text, re.DOTALL | re.MULTILINE)
    told = [" ".join(str(one).split()) for one in mail.get_all("PBEM-Chain-Head", [])]
    for head, number, game in (one.split() for one in told if re.fullmatch(FORM, one)):
        found += [(number, head)] if game == game_id else []
    return [(int(number), head) for number, head in found]


def check(data, heads=(), mails=(), phrases=(), now=None):
    """Check an export; gives a label and a sentence for each thing that holds or could not be checked.

    `now` is the time of the check: no event may be of more than a day later. Raises: VerifyError.
    """
    with damage():
        yield from check_export(data, heads, mails, phrases, now)


def check_export(data, heads, mails, phrases, now):
    """Do what `check` does; what is damaged may raise anything."""
    header, events, shuffles = read(data)
    is_over = last_but_talk(events)["type"] in ENDS
    need(header["complete"] is is_over, "the header is wrong about whether the game is over")
    yield "holds", check_chain(header, events)
    check_written(events, now or datetime.datetime.now(UTC))  # noqa: TID251  (nobody to ask)
    yield "holds", "ids, words and instants are as a server writes them"
    mailed = [pair for mail in mails for pair in heads_in(mail, header["game_id"])]
    need(mailed or not mails, "the mail names no fingerprint of game " + header["game_id"])
    wanted = [(None, head.strip().lower()) for head in heads] + mailed
    if wanted:
        yield "holds", check_fingerprints(events, wanted)
    yield "holds", check_secrets(events, is_over)
    unchecked = (
        "whether options and time settings are possible, the moves are legal under the rules"
    )
    unchecked += " and lead to what is recorded after them"
    if is_over:
        yield "holds", check_shuffles(events, shuffles, phrases)
        unchecked += ", and how many shuffles the game needed"
        if shuffles and pack_of(events) is None:
            public = events[0]["public"]
            name = f"{public['ruleset']}/{public['ruleset_version']}"
            yield (
                "unchecked",
                f"of what cards a new pack of {name} is: this verifier does not know it",
            )
    else:
        need(not shuffles, "there are shuffles although the game runs")
        unchecked += ", what is hidden, and the shuffles"
        need(not phrases, "the game runs: phrases are checked when it is over")
    yield "unchecked", f"{unchecked} (`pbem verify` knows the rules)"


def say(label, sentence):
    """Print a line without characters that could control a terminal or turn its text around."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(sentence))
    print(f"{label}:".ljust(8) + (shown if shown[:1] == " " or len(label) < 7 else " " + shown))


def instant(text):
    """Read an instant from the command line. Raises: ValueError."""
    moment_of_check = datetime.datetime.fromisoformat(re.sub("Z$", "+00:00", text))
    if moment_of_check.year > 9000:
        raise ValueError("that is too far away")
    return moment_of_check


def main():
    """Read the arguments and files, and say what holds. Gives the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", help="what `pbem export` wrote")
    parser.add_argument("--head", action="append", default=[], help="a fingerprint out of a mail")
    parser.add_argument("--mail", action="append", default=[], help="a mail of the game, as a file")
    parser.add_argument("--mails", help="a folder with mails of one or several players")
    parser.add_argument(
        "--phrase", action="append", default=[], help="what you wrote while joining"
    )
    parser.add_argument(
        "--now", type=instant, help="the time of the check, 2026-11-21T12:00:00+00:00; else now"
    )
    given = parser.parse_args()
    if not given.file and not given.mails:
        parser.error("name an export, or a folder with --mails")
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        data = pathlib.Path(given.file).read_bytes() if given.file else None
        mails = [pathlib.Path(name).read_bytes() for name in given.mail]
        if given.mails:
            list(pathlib.Path(given.mails).iterdir())
        if data is not None:
            for label, sentence in check(data, given.head, mails, given.phrase, given.now):
                say(label, sentence)
        if given.mails:
            for label, sentence in check_folder(given.mails, data):
                say(label, sentence)
    except OSError as error:
        print(ascii(str(error)), file=sys.stderr)
        return 2
    except VerifyError as error:
        say("WRONG", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
