"""The clock of a game: deadlines, banks, pauses, days off.

`clockwork.set_deadline` and `renew_deadline` give a turn its time, `pause`, `resume` and `compensate`
stop it, `grant` adds to it; `vacations.take` and `come_back` note days off.
"""
