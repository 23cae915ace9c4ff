"""Test reply addresses: round trip, forgery, case folding, length and redaction."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.log.chain import GameId
from pbem.domain.terms.tokens import (
    LOCAL_PART_LIMIT,
    BounceToken,
    PageToken,
    PlayerToken,
    QuestionToken,
    SeatToken,
    Token,
    TokenCodec,
    find_token,
    find_token_text,
    find_tokens,
    redact,
)

BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
IDS = st.text(BASE32, min_size=10, max_size=10)
BOOK = TokenCodec((b"k" * 32,), "game", "play.example.org")
SEAT = SeatToken(GameId("k7q2m3x9ab"), 1, 1, 17, 19)
TOKENS = (
    st.builds(
        SeatToken,
        IDS.map(GameId),
        st.integers(0, 5),
        st.integers(1, 9),
        st.integers(0, 99_999),
        st.integers(0, 99_999),
        st.integers(0, 99),
    )
    | st.builds(PlayerToken, IDS, st.integers(0, 99))
    | st.builds(
        QuestionToken, st.from_regex(r"q-[a-z2-7]{12}|c-[1-9][0-9]{0,8}(-[0-9])?", fullmatch=True)
    )
    | st.builds(BounceToken, st.integers(1, 10**9))
)


@given(TOKENS)
def test_round_trip_in_any_case(token: Token) -> None:
    """Tokens are read back in lower, upper or mixed case, from text and from addresses."""
    text = BOOK.encode(token)
    address = BOOK.address(token)
    assert text == text.lower()
    assert re.fullmatch(r"[a-z0-9-]+", text)
    for shown in (text, text.upper(), text.title()):
        assert BOOK.decode(shown) == token
    for shown in (address, address.upper()):
        found = BOOK.token_text(shown)
        assert found is not None
        assert BOOK.decode(found) == token


def test_every_single_change_of_one_token() -> None:
    """All places, all characters: refused."""
    text = BOOK.encode(SEAT)
    for at in range(len(text)):
        for other in sorted({*BASE32, *"0189-"} - {text[at]}):
            assert BOOK.decode(text[:at] + other + text[at + 1 :]) is None


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Any text after a plus sign or in a subject gives no token and no exception."""
    assert BOOK.decode(text) is None
    assert find_token(BOOK, [f"game+{text}@play.example.org", text], text)[1] is None


def test_key_of_another_service_is_refused_and_an_older_key_accepted() -> None:
    """The newest key writes, older ones still read."""
    text = BOOK.encode(SEAT)
    other = TokenCodec((b"x" * 32,), "game", "play.example.org")
    assert other.decode(text) is None
    rotated = TokenCodec((b"x" * 32, b"k" * 32), "game", "play.example.org")
    assert rotated.decode(text) == SEAT
    assert rotated.encode(SEAT) == other.encode(SEAT)


def test_mac_does_not_cover_another_kind() -> None:
    """The MAC of one kind does not make another kind of token."""
    body, mac = "c-12", BOOK.encode(QuestionToken("c-12")).rpartition("-")[2]
    assert BOOK.decode(f"{body}-{mac}") == QuestionToken("c-12")
    assert BOOK.decode(f"b-12-{mac}") is None


@pytest.mark.parametrize("version", [0, 1, 999, 99_999])
def test_local_part_fits_for_ten_characters(version: int) -> None:
    """RFC 5321: 64 octets, for a 10-character local part and versions up to 99999."""
    book = TokenCodec((b"k" * 32,), "a" * 10, "play.example.org")
    token = SeatToken(GameId("k7q2m3x9ab"), 5, 9, version, version)
    assert len(book.address(token).partition("@")[0]) <= LOCAL_PART_LIMIT


def test_addresses_of_others_hold_no_token_for_us() -> None:
    """Another domain, another local part, no plus: nothing."""
    text = BOOK.encode(SEAT)
    for address in (
        f"game+{text}@elsewhere.example",
        f"name+{text}@play.example.org",
        f"game{text}@play.example.org",
        "game@play.example.org",
        "game+@play.example.org",
        "",
        "@",
    ):
        assert BOOK.token_text(address) is None


def test_right_token_wins_over_a_wrong_one_and_addresses_over_the_subject() -> None:
    """Several tokens in one mail: the first right one, envelope first."""
    right, wrong = BOOK.encode(SEAT), BOOK.encode(SEAT)[:-1] + "2"
    wrong = wrong if wrong != right else right[:-1] + "3"
    other = BOOK.encode(QuestionToken("c-3"))
    address = "game+{}@play.example.org".format
    assert find_token(BOOK, [address(wrong), address(right)], "") == (right, SEAT)
    assert find_token(BOOK, [address(right)], f"Re: {other}") == (right, SEAT)
    assert find_token(BOOK, ["game@play.example.org"], f"Re: game ({right.upper()})")[1] == SEAT
    assert find_token(BOOK, [address(wrong)], "Re: game") == (wrong, None)
    assert find_token(BOOK, [], "Re: game") == (None, None)


@given(TOKENS, st.sampled_from(["", " ", "<", "(", ",", "game+"]), st.sampled_from(["", "@", ">"]))
def test_redact_blots_out_every_token(token: Token, before: str, behind: str) -> None:
    """Tokens are removed from any surrounding text, which does not change."""
    text = BOOK.encode(token)
    shown = redact(f"from {before}{text}{behind} to {text}, done")
    assert text not in shown
    assert shown == f"from {before}[token]{behind} to [token], done"


@given(TOKENS)
def test_token_is_found_in_a_subject(token: Token) -> None:
    """For mail systems without plus-addressing."""
    text = BOOK.encode(token)
    assert find_token_text(f"Re: [game] {text} your turn") == text


def test_book_shows_no_key() -> None:
    """Neither repr nor an error text holds it."""
    assert "kkk" not in repr(BOOK)


def test_tokens_in_a_mail_that_came_back() -> None:
    """Those with a right MAC, each once, in order; a flood of wrong ones is not read to its end."""
    bounce = BounceToken(12)
    text = f"From: <{BOOK.address(SEAT)}>\nX: s-a-b-{'a' * 16} <{BOOK.address(bounce)}> "
    assert find_tokens(BOOK, text + text) == [SEAT, bounce]
    assert find_tokens(BOOK, f"b-1-{'a' * 16} " * 30 + text) == []


PAGES = st.builds(
    PageToken,
    IDS.map(GameId),
    st.integers(0, 5),
    st.integers(1, 9),
    st.integers(0, 99_999),
    st.integers(0, 99),
)


@given(PAGES)
def test_a_page_token_is_read_by_its_own_purpose_alone(token: PageToken) -> None:
    text = BOOK.encode_page(token)
    assert BOOK.decode_page(text.upper()) == token
    assert BOOK.decode(text) is None
    assert find_token_text(text) is None
    assert redact(f"GET /seat/{text} HTTP/1.1") == "GET /seat/[token] HTTP/1.1"
    assert TokenCodec((b"x" * 32,), "game", "play.example.org").decode_page(text) is None
    assert TokenCodec((b"x" * 32, b"k" * 32), "game", "example.org").decode_page(text) == token


@given(st.text() | st.text("t-0123456789abcdefr", max_size=80))
def test_any_text_is_read_as_a_page_token_without_an_error(text: str) -> None:
    assert BOOK.decode_page(text) is None
