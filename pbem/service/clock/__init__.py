"""Deadlines, downtime, bots that substitute for players, daily digests and weekly letters.

Entry points: `fire_due.fire_due`, `downtime.beat`, `contact.tell_games` and `heartbeats.note`.
"""
