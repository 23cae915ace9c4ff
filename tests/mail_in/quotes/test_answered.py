"""Test that lines of our message are recognised in an answer."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail_in.quotes.answered import Answered

_LINES = st.lists(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(" ".join), max_size=8
)


def test_a_line_of_ours_is_not_lacked_however_many_begin_like_it() -> None:
    ours = Answered("\n".join(f"play card {number}" for number in range(30)))
    assert ours.lacks({3: "play card 25"}) == []


def test_a_line_is_lacked_if_it_is_there_too_often_or_changed() -> None:
    ours = Answered("play 7c\nplay 8c\nplay 8c")
    assert ours.lacks({0: "play 7c", 1: "> Play 7c", 2: "play 8c", 3: "play 8c"}) == [0, 1]
    assert ours.lacks({4: "play", 5: "play 7c play", 6: "play 8c"}) == [4, 5]


@given(_LINES, _LINES)
def test_words_are_found_wherever_they_stand(ours: list[str], asked: list[str]) -> None:
    """As by looking at every place; our line that goes on is known by the words where they meet."""
    words = " ".join(ours).split()
    answered = Answered("\n".join(ours))
    for line in asked:
        wanted = line.split()
        places = [at for at in range(len(words)) if words[at : at + len(wanted)] == wanted]
        pair = wanted[:2]
        tried = [at for at in range(len(words)) if words[at : at + len(pair)] == pair][:12]
        assert answered.contains(line) == any(at in tried for at in places)
