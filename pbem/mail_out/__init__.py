"""Outgoing messages: rendering of content, composition of MIME bytes, delivery by SMTP."""
