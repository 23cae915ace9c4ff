"""Connections and units of work, schema, guards, copies, other processes.

`uow.Store` opens units of work, each with every table of the other rooms; `Store.part` and `Store.shared`
let several pieces of work share one. Others also call
`schema.require_current`, `migrating.upgrade`, `guards.wrong`, `copying.copy_to` and
`neighbours.leading`.
"""
