"""Every table, for whoever goes through all of them: migrations, and whoever carries a database over."""

from __future__ import annotations

from sqlalchemy import text
from sqlmodel import SQLModel

from caseflow.adapters.store.tables import keeping, papers, people, programs, record, running

SUBJECTS = (record, papers, running, people, programs, keeping)
METADATA = SQLModel.metadata

for _index in (index for table in METADATA.tables.values() for index in table.indexes if "where" in index.info):
    _index.dialect_options["postgresql"]["where"] = text(_index.info["where"])
