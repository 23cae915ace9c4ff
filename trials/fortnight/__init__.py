"""A fortnight of three friends by mail: how many mails each of them gets."""
