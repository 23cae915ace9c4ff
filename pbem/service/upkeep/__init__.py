"""Operation of an installation: setup, health checks, alerts, backups, restoring, pruning.

Entry points: `health.compute_health`, `health.alert`, `doctor.examine`, `maintenance.check` and
`setup.write_config`.
"""
