"""Runs the migrations on the connection that the store hands over."""

from alembic import context

from caseflow.adapters.store.tables import whole

context.configure(connection=context.config.attributes["connection"], target_metadata=whole.METADATA)
with context.begin_transaction():
    context.run_migrations()
