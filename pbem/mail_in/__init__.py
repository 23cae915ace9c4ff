"""Mails that come in: raw bytes to a value that the service can trust; knows no game and no database."""
