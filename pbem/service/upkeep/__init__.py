"""The installation: set-up, check-ups, alerts, backups, guards, pruning.

Others call `health.look`, `health.alert`, `doctor.examine`, `maintenance.check` and `setup.write_config`.
"""
