"""Mails are read in a process that may die of them."""
