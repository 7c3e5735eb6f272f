"""A pipe that nobody writes into, where a file is to be named: one sentence, and nobody waits for ever."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.checkpoints import opened
from caseflow.adapters.packs.library import PackLibrary, pack_files
from caseflow.adapters.signing import Signer
from caseflow.bootstrap.joining import text_of_file
from caseflow.cli.context import settings
from caseflow.errors import BadInput
from tests.unit.pack_texts import sound
from tests.unit.small_office import written


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """Whoever waits is ended."""

    def ends(*_: Any) -> None:
        raise TimeoutError("it waits for a writer")

    before = signal.signal(signal.SIGALRM, ends)
    signal.setitimer(signal.ITIMER_REAL, 5)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def checkpoint(pipe: Path) -> None:
    with opened(pipe):
        pass


def of_a_pack(where: str) -> Callable[[Path], object]:
    def reads(pipe: Path) -> None:
        packs = written(pipe.parent, sound())
        place = packs.parent / where
        place.unlink(missing_ok=True)
        place.parent.mkdir(parents=True, exist_ok=True)
        pipe.rename(place)
        library = PackLibrary(packs, packs.parent / "templates" / "letters")
        if "scenarios" in where:
            library.scenario_counts()
        else:
            pack_files(packs / "oakville", packs.parent / "templates" / "letters")

    return reads


READERS: dict[str, Callable[[Path], object]] = {
    "a text such as a calendar": lambda pipe: text_of_file(str(pipe)),
    "a checkpoint": checkpoint,
    "a signing key": lambda pipe: Signer(pipe).sign(b"x"),
    "a file of a pack": of_a_pack("workflows/oakville/fees.yaml"),
    "a letter of a pack": of_a_pack("templates/letters/oakville/answer.md"),
    "a picture of a pack": of_a_pack("templates/letters/oakville/seal.png"),
    "a scenario of a pack": of_a_pack("workflows/oakville/scenarios/one.yaml"),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_pipe_without_a_writer_is_refused_in_a_sentence(reader: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)

    with pytest.raises(BadInput, match=r" is not a file but a pipe; save what is to be read as a file, and name that\."):
        READERS[reader](pipe)


def test_a_pipe_in_the_place_of_the_settings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("caseflow.toml")

    with pytest.raises(BadInput, match="caseflow.toml is not a file"):
        settings({"database": None})


def test_a_pipe_that_a_shell_hands_over_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"a: 1\n")
    os.close(writing)

    assert text_of_file(f"/dev/fd/{reading}") == "a: 1\n"
    os.close(reading)
