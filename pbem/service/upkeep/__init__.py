"""The installation: set-up, check-ups, alerts, backups, guards, pruning.

Others call `health.look`, `alerts.look`, `doctor.examine`, `guarding.tidy`, `maintenance.check` and
`setup.write_config`.
"""
