"""Parsing of raw messages: headers, parts, character sets, sender, kind of message."""
