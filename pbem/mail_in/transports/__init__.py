"""Transports of incoming mail: LMTP and SMTP, IMAP, Maildir."""
