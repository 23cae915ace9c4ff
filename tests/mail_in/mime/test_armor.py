"""Test messages with inline OpenPGP signatures."""

from __future__ import annotations

import time

from pbem.mail_in.mime.parts import unarmored
from tests.mail_in.quotes.test_between import INTRO, TURN, marked, reply_to
from tests.mail_in.samples import orders_of

HEAD = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n"
TAIL = "-----BEGIN PGP SIGNATURE-----\n\niHUEARYKAB0WIQ\n=21Ab\n-----END PGP SIGNATURE-----\n"


def test_signed_words_are_own_and_the_frame_is_not():
    """Neither the lines of the frame nor the signature are anything of a player's."""
    reply = reply_to(f"{HEAD}play 9s\n- -- \nAlice\n\n{INTRO}{marked(TURN)}\n{TAIL}")
    assert (reply.text, reply.doubts) == ("play 9s", ())


def test_frame_within_a_quote_is_left_alone():
    text = marked(f"{HEAD}play 9s\n{TAIL}")
    assert unarmored(text) == text
    assert orders_of(reply_to(INTRO + text).text) == []


def test_frame_without_end_loses_no_order():
    """Signed words are read also where the signature was cut off."""
    assert orders_of(reply_to(f"{HEAD}play 9s\n").text) == ["play 9s"]


def test_many_frames_cost_little():
    """One pass over the lines."""
    begun = time.process_time()
    unarmored(HEAD * 5_000 + TAIL)
    assert time.process_time() - begun < 1
