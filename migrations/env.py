"""Run the revisions on the connection of `pbem.store.db.schema`, in its transaction."""

from alembic import context

from pbem.store.rows.core import METADATA

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=METADATA,
    render_as_batch=connection.dialect.name == "sqlite",
)
with context.begin_transaction():
    context.run_migrations()
