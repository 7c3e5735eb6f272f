"""Runs the migrations on the connection that the store hands over."""

from alembic import context
from sqlmodel import SQLModel

from caseflow.adapters.store import tables

assert tables.CaseFile.__tablename__ in SQLModel.metadata.tables
context.configure(connection=context.config.attributes["connection"], target_metadata=SQLModel.metadata)
with context.begin_transaction():
    context.run_migrations()
