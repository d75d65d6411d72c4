"""Alembic's hook: run the migrations on the connection that central.schema hands over."""

from alembic import context

from central.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
