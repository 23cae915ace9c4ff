"""Handlers: one unit of work each. Here, and only here, rules, log, mails and time meet."""
