"""Connections and units of work, schema, guards, copies, processes beside this one.

`uow.Store` opens units of work, each with every table of the other rooms. Others also call
`schema.require_current`, `migrating.upgrade`, `guards.wrong`, `copying.copy_to` and
`neighbours.leading`.
"""
