"""The folder of documents: what could not be tidied up afterwards undoes nothing."""

from __future__ import annotations

import io
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.documents import Folder


def test_a_disk_that_fails_after_the_content_is_kept_does_not_turn_what_was_done_into_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(tmp_path)

    def fails(*_: Any, **__: Any) -> None:
        raise OSError(5, "Input/output error")

    with folder.batch() as batch:
        batch.take(io.BytesIO(b"plan"), 100)
        batch.keep()
        monkeypatch.setattr(os, "unlink", fails)
    monkeypatch.undo()

    with folder.open(sha256(b"plan").hexdigest()) as file:
        assert file.read() == b"plan"
