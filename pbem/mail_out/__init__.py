"""Outgoing mails: content to words, words to bytes, bytes to the next server."""
