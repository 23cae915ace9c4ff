"""Deadlines, outages, bots that sit in, daily mails.

Others call `fire_due.fire_due`, `gaps.beat`, `contact.tell_games` and `pulses.note`.
"""
