"""The installation: set-up, check-ups, alerts, backups, guards, pruning."""
