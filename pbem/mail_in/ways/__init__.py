"""The ways in: LMTP and SMTP, IMAP, Maildir."""
