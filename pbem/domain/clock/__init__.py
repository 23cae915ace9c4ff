"""The clock of a game: deadlines, time banks, pauses, vacations.

`clockwork.set_deadline` and `renew_deadline` start the time of a turn. `pause`, `resume` and
`compensate` stop or move it, and `grant` extends it. `vacations.take` and `come_back` record
vacations.
"""
