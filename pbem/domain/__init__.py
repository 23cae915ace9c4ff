"""Pure domain logic: events, decisions, folds and order parsing.

Functions here do no I/O, read no clock and draw no random numbers.
"""
