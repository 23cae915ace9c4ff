"""Connections and units of work, schema, guards, copies, other processes.

`uow.Store` opens units of work, each with every table of the other rooms. Others also call
`schema.require_current`, `migrating.upgrade`, `guards.wrong`, `copying.copy_to` and
`neighbours.leading`.
"""
