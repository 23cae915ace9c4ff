#!/usr/bin/env python3
"""Check an exported game without the program that made it.

    python3 verify.py game.jsonl
    python3 verify.py game.jsonl --head 5f2a9c01… --mail turn.eml --phrase "green tea"
    python3 verify.py --mails FOLDER
    python3 verify.py game.jsonl --mails FOLDER

One file, Python 3.8 or newer, nothing to install, no network. It checks what needs no rules of card
games: that nothing was changed, left out or put in; that everything that was hidden is now opened as it
was committed to; that every shuffle follows from the server's secret, which was fixed before anybody
gave a phrase, and from the phrases, and that the first one was of a whole new pack. Which cards were
shuffled later, and whether every move was legal, is for `pbem verify`.

`--head` is a fingerprint out of a mail (its header PBEM-Chain-Head has it), `--mail` a mail of the game as a
file (all fingerprints in it are taken): if they are in the log, it is the log that you were told of. `--phrase` is what you wrote while
joining. Exit 0: all holds; 1: something does not; 2: no such file, or wrong arguments.

`--mails` is a folder with mails of one or several players (.eml files, mbox files, a Maildir), of one or
several games, and needs no export: each mail names the fingerprint of the log, and what the mail before it
told the same reader. If a server went on from an older copy of its log, or told two players different
things, no chain fits all of them. With an export each of them must stand in it, too.

How everything is computed: log-format.md and fairness.md, which lie beside this file.
"""

import argparse
import datetime
import email
import email.policy
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
ENDS = ("GameFinished", "GameStopped", "Adjudicated")
# Who sits in a seat follows from these.
SEATED = ("PlayerInvited", "PlayerJoined", "SeatReplaced")
TALK = ("MessagePosted", "Hidden")  # may follow the end
# What these hide is opened when the game is over; of others it may be gone for a person's sake.
# "Hidden" is a secret choice, which opens, or what somebody told the service in private, which never does:
# only whoever knows the rules can tell whether a choice is missing (`pbem verify`).
OPENED = ("GameCreated", "PhraseGiven", "GameStarted", "MovePlayed")
# A new pack, bottom to top, by ruleset; of others only their rules can tell.
CARDS = [rank + suit for suit in "cdhs" for rank in [*"23456789", "10", *"JQKA"]]
PHASES = [f"{c}{n}" for c in "RBGY" for n in range(1, 13) for _ in "12"] + ["W"] * 8 + ["S"] * 4
PACKS = {"phyliss": CARDS, "cathedral": CARDS, "phalanx": CARDS}
PACKS.update({"phase10": PHASES, "phase10-family": PHASES})
# Of whatever language: "event 17 of game k7q2m3x9ab …: HASH"; in a daily mail "[k7q2m3x9ab] … event 17; …: HASH".
HASH = r"\b([0-9a-f]{64})\b"
IN_MAIL = r"\b(\d+)\b[^\d\n]{1,40}\bGAME\b.{0,200}?" + HASH
IN_DAILY = r"^\[GAME\] (?:(?!^\[\w{10}\] ).)*?\b(\d+); \D{1,60}:\s+" + HASH
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


def read(data):
    """Take the file apart into header, events and shuffles; every line must be canonical JSON."""
    need(data.endswith(b"\n"), "the file does not end with a line end: something is cut off")
    lines = []
    for number, line in enumerate(data[:-1].split(b"\n"), 1):
        try:
            value = json.loads(line)
        except ValueError:
            raise VerifyError(f"line {number} is no JSON") from None
        need(isinstance(value, dict), f"line {number} is no JSON object")
        need(canonical(value) == line, f"line {number} is not canonical JSON")
        lines.append(value)
    header, events, shuffles = lines[0], [], []
    need(set(header) == HEADER, "line 1 is not the header of an export")
    need((header["format"], header["format_version"]) == ("pbem-export", 1), "another format")
    need(re.fullmatch("[a-z2-7]{10}", header["game_id"]), "the game has no id as pbem draws them")
    for number, line in enumerate(lines[1:], 2):
        if set(line) == {"shuffle", "before", "after"}:
            shuffles.append(line)
        else:
            need(not shuffles, f"line {number}: an event stands behind a shuffle")
            need(set(line) == {*HASHED, "hash", "secret"}, f"line {number} is no event")
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
        if event["type"] == "Hidden":  # what is private has a day, and its instant is of that day
            at = event["secret"]["payload"]["at"] if event["secret"] else event["recorded_at"]
            day = f"{at[:10]}T00:00:00.000000Z"
            need(event["recorded_at"] == day, f"{name} tells more than its day, or another one")
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
        need(set(secret) == {"salt", "payload"}, f"{name}: its secret is damaged")
        need(re.fullmatch("[0-9a-f]{64}", str(secret["salt"])), f"{name}: its salt is damaged")
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
    need(created["type"] == "GameCreated", "event 1 is not the creation of the game")
    secret = bytes.fromhex(created["secret"]["payload"]["server_secret"])
    need(len(secret) == 32, "the server's secret has not 32 bytes")
    fixed = created["public"]["commitment"]
    need(sha256(b"pbem-commit-v1", secret) == fixed, "the server's secret is not that of event 1")
    said = last["public"].get("server_secret") or last["secret"]["payload"]["server_secret"]
    need(said == secret.hex(), "the last event opens another secret of the server")
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
    pack = PACKS.get(created["public"]["ruleset"])
    expected, went_back = 0, any(event["type"] == "MovesRetracted" for event in events)
    for one in shuffles:
        number = one["shuffle"]
        need(number == expected or (went_back and number < expected), "a shuffle is left out")
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
ACTOR = f"seat:(0|[1-9][0-9]?)|player:{PERSON}|admin:(local|mail|{PERSON})|clock|system|hidden"
CAUSE = "mail:[0-9a-f]{64}|deadline:[1-9][0-9]{0,8}|command:[a-z2-7]{16}"
PIN = "[A-Za-z0-9._-]{1,100}==[A-Za-z0-9.+!_-]{1,50}"
LEAGUE = "[a-z2-7]{10}:[1-9][0-9]?"
INSTANT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
TYPE_NAMES = """
GameCreated PlayerInvited PlayerJoined PlayerDeclined InvitationExpired PhraseGiven GameStarted MovePlayed
Hidden ChoicesRevealed VoteCast DisputeOpened DisputeResolved MovesRetracted HandsRevealedToAdmin ReasonGiven
SeatControllerChanged PlayerUnreachable PlayerReachable SeatResigned
SeatRemoved SeatReplaced DeadlineSet DeadlineExtended ClockCompensated BankChanged VacationTaken
VacationEnded GamePaused GameResumed AdminAsked TurnTimedOut MotionOpened MotionEnded ObserverLeft
MessagePosted AnonymousTalkSet PageSet GameStopped Adjudicated
GameFinished
"""
TYPES = TYPE_NAMES.split()
ASKED = ("undo", "end", "drop", "tempo", "observer", "replace")
CLOSED = {  # words of closed sets, by type and field
    ("MovePlayed", "source"): ("mail", "standing", "forced", "standby", "bot", "admin"),
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
OWN = ("PhraseGiven", "VoteCast", "DisputeOpened", "MessagePosted", "VacationTaken")


def check_written(events, now):
    """Ids, words of closed sets, who acts, and that the log goes forward in time, up to `now`."""
    seats = events[0]["public"]["seats"]
    need(len(set(seats)) == len(seats), "event 1: somebody sits in two seats")
    latest, day, latest_allowed = (
        "",
        "",
        (now + datetime.timedelta(days=1)).astimezone(UTC).isoformat(),
    )
    for event in events:
        name, kind, at = f"event {event['version']}", event["type"], event["recorded_at"]
        need(kind in TYPES, f"{name} is of no type that there is")
        need(re.fullmatch(INSTANT, at), f"{name} is of no instant")
        need(at < latest_allowed, f"{name} is of the future")
        is_before = at[:10] < day or (at < latest and kind != "Hidden")
        need(not is_before, f"{name} is of earlier than the event before it")
        day, latest = at[:10], latest if kind == "Hidden" else at
        actor, cause = event["actor"], event["cause"]
        need(re.fullmatch(ACTOR, actor), f"{name}: its actor is nobody who acts")
        need((actor == "hidden") is (kind == "Hidden"), f"{name}: its actor is another one")
        need(cause is None or re.fullmatch(CAUSE, cause), f"{name}: its cause is none")
        check_causes(events, event, len(seats))
        check_fields(event, len(seats))


def check_causes(events, event, seats):
    """A seat that acts is there, and speaks for itself; a deadline that is a cause was set before."""
    name, kind, actor = f"event {event['version']}", event["type"], event["actor"]
    if actor.startswith("seat:"):
        own = kind in OWN or kind == "MovePlayed"
        need(int(actor[5:]) < seats, f"{name}: its actor sits in no seat")
        need(
            not own or actor[5:] == str(event["public"]["seat"]),
            f"{name}: its actor is another one",
        )
    by_admin = actor.startswith("admin:")
    is_stop = kind == "GameStopped"
    need(not is_stop or (event["public"]["code"] == "admin") is by_admin, f"{name}: another actor")
    if (event["cause"] or "").startswith("deadline:"):
        version = int(event["cause"][9:])
        is_deadline = version < event["version"] and events[version - 1]["type"] == "DeadlineSet"
        need(is_deadline, f"{name}: its cause is no deadline")


def check_fields(event, seats):
    """Fields that have the same form wherever they stand."""
    name, kind, public = f"event {event['version']}", event["type"], event["public"]
    for field, value in [*public.items(), *public.get("terms", {}).items()]:
        words = CLOSED.get((kind, field))
        need(words is None or value in words, f"{name}: its {field} is no word of the log")
        if field == "player":
            need(re.fullmatch(SITTING, value), f"{name}: its {field} is no id")
        if field in ("seat", "of") and (value is not None or not kind.startswith("Motion")):
            need(type(value) is int and 0 <= value < seats, f"{name}: there is no seat {value}")
        if field == "seats" and kind == "GameCreated":
            need(all(re.fullmatch(SITTING, one) for one in value), f"{name}: a seat of nobody")
        if field == "package":
            need(re.fullmatch(PIN, value), f"{name}: its {field} is none that can be")
        if field == "challenge":
            is_one = value is True and seats == 2 and "league" not in public
            need(is_one, f"{name}: a challenge is a game of two, and of no league")
        if field == "league":
            need(re.fullmatch(LEAGUE, value), f"{name}: its {field} is none that can be")
        if field in ("first", "last") and kind.startswith("Vacation"):
            near = (
                re.fullmatch(r"\d{4}-\d\d-\d\d", value) and years(value, event["recorded_at"]) < 11
            )
            need(near, f"{name}: its {field} is no day that can be")
    if kind in ("DeadlineSet", "DeadlineExtended", "ClockCompensated"):
        instants = [public[field] for field in DEADLINES if field in public]
        need(instants == sorted(instants), f"{name}: its instants are in no order")
        for at in [*instants, *public["reminders"]]:
            need(re.fullmatch(INSTANT, at), f"{name}: it tells of no instant")
            need(years(at, event["recorded_at"]) < 11, f"{name}: it tells of another decade")


def years(one, other):
    """How many years lie between two days or instants."""
    return abs(int(one[:4]) - int(other[:4]))


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
        told = []
        for kind in ("PBEM-Chain-Head", "PBEM-Chain-Before"):
            found = [re.sub(r"\s+", " ", str(one)).strip() for one in mail.get_all(kind, [])]
            for one in found:
                need(re.fullmatch(FORM, one), f"{name}: its header {kind} is damaged")
            told.append({game: (int(n), head) for head, n, game in map(str.split, found)})
        heads, befores = told
        need(set(heads) == set(befores), f"{name}: it does not name the mail before it")
        check_words(name, mail, [*heads.values(), *befores.values()])
        for game, (version, head) in heads.items():
            yield {
                "name": name,
                "game": game,
                "reader": str(mail["To"]).strip().lower(),
                "id": str(mail["Message-ID"]).strip(),
                "head": (version, head),
                "before": befores[game],
            }


def check_words(name, mail, heads):
    """The words in the text of a mail, where it has them, are those of the fingerprints in its header."""
    text = ""
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            text += part.get_payload(decode=True).decode("utf-8", "replace") + " "
    found = set(re.findall(r"((?:[a-z]+ ){5}[a-z]+) \([^()\d]+ (\d+)\)", " ".join(text.split())))
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
    for reader in sorted({mail["reader"] for mail in mails}):
        yield from check_reader([mail for mail in mails if mail["reader"] == reader])


def check_reader(mails):
    """The mails of one reader follow each other; one that is not here is told, and is no fault.

    What the mails told by then only grows: from the `before` of a mail to its own event, if that is newer.
    No other mail can follow what lies between: it would not know of this one.
    """
    steps = sorted((mail["before"][0], mail["head"][0], mail["name"]) for mail in mails)
    told = sorted({(top, name) for low, own, name in steps for top in (low, max(low, own))})
    for low, own, name in steps:
        for top, other in told:
            if low < top < own:
                raise VerifyError(
                    f"the log went on twice: {name} tells of event {own} and knows of nothing behind"
                    f" event {low}, {other} follows event {top}"
                )
    here = {own for _, own, _ in steps}
    missing = sorted({low for low, _, _ in steps} - here - {0})
    numbers = ", ".join(map(str, missing))
    if missing:
        reader = mails[0]["reader"]
        yield "note", f"mails to {reader} follow others that are not here, about events {numbers}"
    for low, own, name in steps:
        if own < low:
            yield "note", f"{name} tells of event {own} and was written after event {low} was told"


def check_folder(folder, export=None):
    """Check the mails of a folder, by game; with an export also against it. Raises: VerifyError."""
    games, seen = {}, {}
    for name, data in mails_in(folder):
        for mail in told_in(name, data):
            fact = (mail["head"], mail["before"])
            before = seen.setdefault((mail["id"], mail["game"]), fact)
            need(before == fact, f"{name}: another mail has the same Message-ID")
            games.setdefault(mail["game"], []).append(mail)
    need(games, "there are no mails about games in the folder")
    header, events, _ = read(export) if export else ({"game_id": None}, [], [])
    need(
        not export or header["game_id"] in games, "there are no mails about the game of the export"
    )
    for game, mails in sorted(games.items()):
        is_exported = game == header["game_id"]
        known = {event["version"]: event["hash"] for event in events} if is_exported else None
        for label, sentence in check_mails(mails, known):
            yield label, f"game {game}: {sentence}"


# --- the command ------------------------------------------------------------------------------------


def heads_in(data, game_id):
    """Every fingerprint of this game in a mail as a file, with its event: in its header, or in its text."""
    mail = email.message_from_bytes(data, policy=email.policy.compat32)
    texts = [
        part.get_payload(decode=True).decode("utf-8", "replace")
        for part in mail.walk()
        if part.get_content_type() == "text/plain"
    ]
    text, found = "\n".join(texts).replace("\r", ""), []
    for form in (IN_MAIL, IN_DAILY):
        found += re.findall(form.replace("GAME", game_id), text, re.DOTALL | re.MULTILINE)
    told = [" ".join(str(one).split()) for one in mail.get_all("PBEM-Chain-Head", [])]
    for head, number, game in (one.split() for one in told if re.fullmatch(FORM, one)):
        found += [(number, head)] if game == game_id else []
    return [(int(number), head) for number, head in found]


def check(data, heads=(), mails=(), phrases=(), now=None):
    """Check an export; gives a sentence for each thing that holds. Raises: VerifyError.

    `now` is the time of the check: no event may be of more than a day later.
    """
    header, events, shuffles = read(data)
    is_over = last_but_talk(events)["type"] in ENDS
    need(header["complete"] is is_over, "the header is wrong about whether the game is over")
    yield check_chain(header, events)
    check_written(events, now or datetime.datetime.now(UTC))  # noqa: TID251  (nobody to ask)
    yield "ids, words and instants are as a server writes them"
    mailed = [pair for mail in mails for pair in heads_in(mail, header["game_id"])]
    need(mailed or not mails, "the mail names no fingerprint of game " + header["game_id"])
    wanted = [(None, head.strip().lower()) for head in heads] + mailed
    if wanted:
        yield check_fingerprints(events, wanted)
    yield check_secrets(events, is_over)
    if is_over:
        yield check_shuffles(events, shuffles, phrases)
    else:
        need(not shuffles, "there are shuffles although the game runs")


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
    parser.add_argument("--now", help="the time of the check, 2026-11-21T12:00:00+00:00; else now")
    given = parser.parse_args()
    if not given.file and not given.mails:
        parser.error("name an export, or a folder with --mails")
    try:
        data = None
        if given.file:
            with open(given.file, "rb") as file:
                data = file.read()
        if given.mails:
            list(pathlib.Path(given.mails).iterdir())
        mails = []
        for name in given.mail:
            with open(name, "rb") as file:
                mails.append(file.read())
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        if data is not None:
            now = datetime.datetime.fromisoformat(given.now) if given.now else None
            for sentence in check(data, given.head, mails, given.phrase, now):
                print("holds:  " + sentence)
        if given.mails:
            for label, sentence in check_folder(given.mails, data):
                print(f"{label}:".ljust(8) + sentence)
    except VerifyError as error:
        print(f"WRONG:  {error}")
        return 1
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        print(f"WRONG:  the file is damaged ({type(error).__name__})")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
