"""Parsing of raw mails: headers, parts, character sets, sender, kind of mail."""
