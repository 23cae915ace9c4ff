"""Replies without end into a real `pbem serve`: `python -m trials.load --mails 3000 --games 500`."""
