"""Every table, for whoever goes through all of them: migrations, and whoever carries a database over."""

from __future__ import annotations

from sqlmodel import SQLModel

from caseflow.adapters.store.tables import keeping, papers, people, programs, record, running

SUBJECTS = (record, papers, running, people, programs, keeping)
METADATA = SQLModel.metadata
