#!/usr/bin/env python3
"""Check an exported game without the program that made it.

    python3 verify.py game.jsonl
    python3 verify.py game.jsonl --head 5f2a9c01… --mail turn.eml --phrase "green tea"

One file, Python 3.8 or newer, nothing to install, no network. It checks what needs no rules of card
games: that nothing was changed, left out or put in; that everything that was hidden is now opened as it
was committed to; that every shuffle follows from the server's secret, which was fixed before anybody
gave a phrase, and from the phrases, and that the first one was of a whole new pack. Which cards were
shuffled later, and whether every move was legal, is for `pbem verify`.

`--head` is a fingerprint out of a mail, `--mail` a mail of the game as a file (all fingerprints in it are
taken): if they are in the log, it is the log that you were told of. `--phrase` is what you wrote while
joining. Exit 0: all holds; 1: something does not; 2: no such file, or wrong arguments.

How everything is computed: log-format.md and fairness.md, which lie beside this file.
"""

import argparse
import email
import email.policy
import hashlib
import hmac
import json
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


# --- the command ------------------------------------------------------------------------------------


def heads_in(data, game_id):
    """Every fingerprint of this game in a mail as a file, with its event."""
    mail = email.message_from_bytes(data, policy=email.policy.compat32)
    texts = [
        part.get_payload(decode=True).decode("utf-8", "replace")
        for part in mail.walk()
        if part.get_content_type() == "text/plain"
    ]
    text, found = "\n".join(texts).replace("\r", ""), []
    for form in (IN_MAIL, IN_DAILY):
        found += re.findall(form.replace("GAME", game_id), text, re.DOTALL | re.MULTILINE)
    return [(int(number), head) for number, head in found]


def check(data, heads=(), mails=(), phrases=()):
    """Check an export; gives a sentence for each thing that holds. Raises: VerifyError."""
    header, events, shuffles = read(data)
    is_over = last_but_talk(events)["type"] in ENDS
    need(header["complete"] is is_over, "the header is wrong about whether the game is over")
    yield check_chain(header, events)
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
    parser.add_argument("file", help="what `pbem export` wrote")
    parser.add_argument("--head", action="append", default=[], help="a fingerprint out of a mail")
    parser.add_argument("--mail", action="append", default=[], help="a mail of the game, as a file")
    parser.add_argument(
        "--phrase", action="append", default=[], help="what you wrote while joining"
    )
    given = parser.parse_args()
    try:
        with open(given.file, "rb") as file:
            data = file.read()
        mails = []
        for name in given.mail:
            with open(name, "rb") as file:
                mails.append(file.read())
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        for sentence in check(data, given.head, mails, given.phrase):
            print("holds:  " + sentence)
    except VerifyError as error:
        print(f"WRONG:  {error}")
        return 1
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        print(f"WRONG:  the file is damaged ({type(error).__name__})")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
