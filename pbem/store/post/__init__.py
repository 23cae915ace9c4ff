"""Inbox and outbox, and what is known of mails that left."""
