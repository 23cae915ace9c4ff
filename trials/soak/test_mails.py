"""Test the documented numbers of messages of Phase 10."""

from trials.soak.mails import count


def test_a_rule_for_drawing_saves_nearly_every_second_mail():
    found = count("phase10", 3, {"phases_to_win": 2}, 0)
    assert 0.45 * found.by_hand < found.with_rule < 0.65 * found.by_hand
    assert found.with_rule <= found.turns + 3
