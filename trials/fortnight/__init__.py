"""Simulate a fortnight of three friends who play by mail, and count the mails that each gets."""
