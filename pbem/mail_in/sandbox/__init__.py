"""Parsing of messages in a separate process, because a malicious message can crash it."""
