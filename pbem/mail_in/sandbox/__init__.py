"""A separate process reads mails, because a mail can kill it."""
