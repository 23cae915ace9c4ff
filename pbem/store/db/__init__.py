"""Connections, units of work, schema migrations, triggers, backups and process coordination.

`uow.Store` opens units of work, which give access to the tables of all other store packages.
`Store.savepoint` opens a savepoint, and `Store.run_grouped` batches a job with those of other
threads. Other entry points: `schema.require_current`, `migrating.upgrade`, `guards.wrong`,
`copying.copy_to` and `coordination.advisory_claim`.
"""
