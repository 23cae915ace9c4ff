"""Parsing of mails in a separate process, because a malicious mail can crash it."""
