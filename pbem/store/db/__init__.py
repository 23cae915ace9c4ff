"""Connections and units of work, schema, guards, copies, processes beside this one."""
