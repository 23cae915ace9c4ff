"""Deadlines, outages, bots that sit in, daily mails.

Others call `fire_due.fire_due`, `gaps.beat` and `pulses.note`.
"""
