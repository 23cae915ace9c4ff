"""Load a real `pbem serve` with replies: `python -m trials.load --mails 3000 --games 500`."""
