"""What tests share: the packs of the checkout, and an app on a new embedded database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from caseflow.bootstrap import App

ROOT = Path(__file__).resolve().parents[1]
PACK = ROOT / "workflows" / "wisconsin-dnr"


@pytest.fixture
def app(tmp_path: Path) -> Callable[[str], App]:
    """An app at a moment, all on one database."""

    def at(moment: str) -> App:
        return App(database=f"sqlite:///{tmp_path / 'case.db'}", at=moment, maildrop=str(tmp_path / "mail"))

    return at
