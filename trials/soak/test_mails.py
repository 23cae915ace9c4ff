"""Test the documented numbers of messages of Phase 10."""

from trials.soak.mails import count


def test_a_rule_for_drawing_saves_nearly_every_second_mail():
    result = count("phase10", 3, {"phases_to_win": 2}, 0)
    assert 0.45 * result.by_hand < result.with_rule < 0.65 * result.by_hand
    assert result.with_rule <= result.turns + 3
