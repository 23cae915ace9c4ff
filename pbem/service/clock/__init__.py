"""Deadlines, downtime, bots that substitute for players, daily digests.

Entry points: `fire_due.fire_due`, `gaps.beat`, `contact.tell_games` and `pulses.note`.
"""
