"""Operation of an installation: setup, health checks, alerts, backups, triggers, pruning.

Entry points: `health.look`, `health.alert`, `doctor.examine`, `maintenance.check` and
`setup.write_config`.
"""
