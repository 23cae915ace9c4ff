"""Generate pages of docs/ from the code: commands, settings, events and the manual page."""
