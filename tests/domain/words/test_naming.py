"""Test the validation of names."""

from __future__ import annotations

import html
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.domain.words import naming
from pbem.errors import Refusal

ORDINARY = (
    *(
        "O'Brien",
        "D’Arcy",
        "Jean-Luc",
        "J.-P. Sartre",
        "J.R.R. Tolkien",
        "Anna B.",
        "R2D2",
        "Anna 2",
    ),
    *(
        "José",
        "Łukasz",
        "Bjørn",
        "Zoë",
        "Nguyễn Văn A",
        "Kahanamokuʻokalani",
        "Müller-Lüdenscheidt",
    ),
    *("Анна", "Юлия", "Σωκράτης", "Արամ", "שרה", "محمد", "अनिता शर्मा", "สมชาย", "ნინო"),
    *("山田太郎", "佐々木", "ジョン・スミス", "김철수", "Anna 山田"),
)
HOSTILE = {
    "http://evil.example": "Evil Example",
    "www evil": "Evil",
    "evil.example": "Evil Example",
    "t.co": "T Co",
    "evil。example": "Evil Example",
    "Ａnna．example": "Anna Example",
    "a@b.example": "A",
    "0800 123456": "Guest",
    "Call 080 0123": "Call",
    "<script>alert(1)</script>": "Script Alert Script",
    "Anna & Bob": "Anna Bob",
    '"Anna"': "Anna",
    "Anna\r\nBcc: x": "Anna Bcc X",
    "Anna -- Bob": "Anna Bob",
    "\u202eloraC": "Lorac",
    "A\u200bnna": "Anna",
    "Anna\u3164": "Guest",
    "a\u0335\u0335\u0335\u0335b": "A B",
    "Anna😀": "Anna",
    "B\u043eb": "Bob",
    "Аnna": "Anna",
    "Anna Юлия": "Anna",
    "𐎠𐎼": "Guest",
}
TWINS = (
    *(
        ("Bob", "B0b"),
        ("Bob", "BOB"),
        ("Ian", "lan"),
        ("Bill", "BiII"),
        ("Tom", "Torn"),
        ("Al1", "All"),
    ),
    *(("Анна", "AHHA"), ("Zoé", "Zoe"), ("O'Brien", "OBrien"), ("Anna B", "AnnaB"), ("Ι", "I")),
    *(("ᴀnna", "Anna"), ("Ovven", "Owen"), ("Ðirk", "Dirk"), ("Đirk", "Dirk"), ("Ɓob", "Bob")),
    *(("Łukas", "Lukas"), ("Søren", "Soren"), ("Ѕаԁе", "Sade")),
    *(("Bob", "ВоЬ"), ("Owen", "Оѡеп"), ("Cooper", "Соорег")),
)


@pytest.mark.parametrize("name", ORDINARY)
def test_names_of_the_world_pass(name: str) -> None:
    """As they are written, and the same when they come with a mail, but for a last full stop."""
    assert naming.checked_name(name) == name
    assert naming.clean_name(name) == name.rstrip(".")


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_more_than_a_name_is_refused(name: str) -> None:
    """With a name that would do; it passes itself, and no suggestion repeats the trick."""
    with pytest.raises(Refusal) as refused:
        naming.checked_name(name)
    assert f"“{HOSTILE[name]}”" in refused.value.message
    assert naming.checked_name(HOSTILE[name]) == HOSTILE[name]
    assert naming.clean_name(name) in ("", "Anna")


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "\u3000"])
def test_a_name_has_a_length(name: str) -> None:
    with pytest.raises(Refusal, match="1 to 40"):
        naming.checked_name(name)


def test_letters_in_disguise_are_read_as_what_they_are() -> None:
    """Bold and wide letters are letters; spaces are single."""
    assert naming.checked_name("𝐀nna  Ｂ") == "Anna B"


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_names_that_look_alike_do_not_meet(one: str, other: str) -> None:
    with pytest.raises(Refusal, match="look alike"):
        naming.check_apart(["Carol", one, other])


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ella", "Elia"), ("Anna", "Ann"), ("Mia", "Mila"), ("か", "が"), ("Анна", "Инна")],
)
def test_other_names_may_meet(one: str, other: str) -> None:
    assert naming.check_apart(["Carol", one, other]) is None


def test_names_of_addresses() -> None:
    assert naming.name_of_address("carol.smith+cards@example.org") == "Carol Smith"
    assert naming.name_of_address("k@example.org") == "K"
    assert naming.name_of_address("12345@example.org") == "Guest"
    assert naming.name_of_address("http.www@example.org") == "Guest"


_TRICKY = st.text(
    st.sampled_from("aZé.'’- 019<>&\"/:@\r\n\t\u202e\u200b\u0301аНΑ山が한\u3164ｗwhtp"), max_size=50
)


@given(st.text(max_size=50) | _TRICKY)
@example("ﬀ" * 20)
@example("℀lice")
def test_nothing_alive_is_ever_in_a_name(text: str) -> None:
    """Whatever passes, or is made of what does not: no markup, link, address, or invisible sign."""
    names = [naming.clean_name(text), naming.made_of(text)]
    try:
        names.append(naming.checked_name(text))
    except Refusal:
        pass
    else:
        assert naming.checked_name(names[-1]) == names[-1]
    for name in filter(None, names):
        assert len(name) <= naming.LONGEST
        assert not set(name) & set('<>&"`=/\\:;,@#%?!()[]{}|~*_+\r\n\t')
        assert html.escape(name, quote=False) == name
        assert re.search(r"\w\.\w\w|www|http|\d{4}", name, re.IGNORECASE) is None
        kinds = {unicodedata.category(char)[0] for char in name}
        assert kinds <= set("LMNPZ")
        assert name == unicodedata.normalize("NFKC", name) == " ".join(name.split())
        assert name.isprintable()
