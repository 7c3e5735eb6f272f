"""A pipe or a device where a file is to be named, to be read or to be written: one sentence, and nobody waits for ever."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters import plainfile
from caseflow.adapters.checkpoints import opened
from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.packs.library import PackLibrary, pack_files
from caseflow.adapters.plainfile import write_whole
from caseflow.adapters.signing import Signer
from caseflow.bootstrap.joining import text_of_file
from caseflow.bootstrap.proofs import _written
from caseflow.cli.context import settings
from caseflow.errors import BadInput
from tests.unit.pack_texts import sound
from tests.unit.small_office import Desk, written


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


# --- what is written ------------------------------------------------------------------------------------------------


def letter_as_pdf(place: str, at: Desk) -> None:
    case = at.file("2026-11-30")["cases"][0]["case"]
    at.app("2026-11-30").letter_pdf(f"{case}-L1", place)


def batch(place: str, at: Desk) -> None:
    at.file("2026-11-30", requester={"name": "Pat Reed", "capacity": "owner", "channel": "post", "address": ["1 Mill Lane", "Oakville"]})
    app = at.app("2026-12-01")
    try:
        app.print_batch(place, None, True)
    finally:
        assert app.letters(None, "owed"), "no batch was begun"


def claims(place: str, at: Desk) -> None:
    del at
    _written(Path(place), "permit", {"id": "one-answer", "file": "x: 1\n"})


FOLDERS: dict[str, Callable[[str, Desk], object]] = {
    "a print batch": batch,
    "paths to broken claims": claims,
    "a gallery": lambda place, at: at.app("2026-11-30").gallery(place),
    "a sample docket": lambda place, at: at.app("2026-11-30").demo(place),
}


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk whose letters are set without a renderer."""
    monkeypatch.setattr(LetterWriter, "pdf", lambda *_: b"%PDF-1.7\n")
    return Desk(tmp_path, sound())


@pytest.mark.parametrize("writer", FOLDERS)
def test_a_pipe_or_a_file_in_the_place_of_a_folder_is_refused_and_stays(writer: str, tmp_path: Path, at: Desk) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_text("x")
    for place, kind in ((pipe, "a pipe"), (file, "a file")):
        with pytest.raises(BadInput, match=rf"{place} is not a folder but {kind}; name a folder to write into\."):
            FOLDERS[writer](str(place), at)
    assert pipe.is_fifo() and file.read_text() == "x"


def test_a_letter_is_not_written_into_a_pipe_a_folder_or_a_device(tmp_path: Path, at: Desk) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place, kind in ((tmp_path / "pipe", "a pipe"), (tmp_path, "a folder"), ("/dev/null", "a device")):
        with pytest.raises(BadInput, match=rf"{place} is not a file but {kind}, which can't be written whole; name a file, and hand that on from there\."):
            letter_as_pdf(str(place), at)


def test_a_pipe_in_the_place_of_one_of_several_files_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "permit-one-answer.yaml")
    with pytest.raises(BadInput, match="is not a file but a pipe"):
        _written(tmp_path, "permit", {"id": "one-answer", "file": "x: 1\n"})


def test_a_pipe_that_a_shell_hands_over_is_written_but_not_the_output_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    write_whole(f"/dev/fd/{writing}", b"%PDF-1.7\n")
    assert os.read(reading, 100) == b"%PDF-1.7\n"
    monkeypatch.setattr(plainfile, "OUTPUTS", (writing,))
    with pytest.raises(BadInput, match="is not a file but a pipe"):
        write_whole(f"/dev/fd/{writing}", b"%PDF-1.7\n")
    os.close(reading)
    monkeypatch.setattr(plainfile, "OUTPUTS", ())
    with pytest.raises(BadInput, match=r"can't be written \(Broken pipe\)"):
        write_whole(f"/proc/self/fd/{writing}", b"%PDF-1.7\n")
    os.close(writing)


def test_a_pipe_that_nobody_reads_is_not_waited_for_wherever_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plainfile, "HANDED", (str(tmp_path),))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match="can't be written"):
        write_whole(tmp_path / "pipe", b"x")


def test_a_file_is_put_in_the_place_of_another_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, link = tmp_path / "letter.pdf", tmp_path / "link.pdf"
    write_whole(file, b"one")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, b"two")
    assert (file.read_bytes(), file.stat().st_mode & 0o777, link.is_symlink()) == (b"two", 0o640, True)

    def full(self: Path, _: Path) -> None:
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BadInput, match=rf"The file {file} can't be written \(No space left on device\); name another\."):
        write_whole(file, b"three")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["letter.pdf", "link.pdf"]
    assert file.read_bytes() == b"two"


def test_a_letter_in_the_place_of_a_private_one_is_at_no_moment_for_others_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, opened_for, safe = tmp_path / "letter.pdf", [], []
    write_whole(file, b"one")
    file.chmod(0o600)
    really, settle = os.open, os.fsync

    def noted(path: Any, flags: int, mode: int = 0o777) -> int:
        opened_for.append(mode)
        return really(path, flags, mode)

    def settled(number: int) -> None:
        safe.append(os.fstat(number).st_size)
        settle(number)

    monkeypatch.setattr(os, "open", noted)
    monkeypatch.setattr(os, "fsync", settled)
    write_whole(file, b"two")
    assert (opened_for, file.stat().st_mode & 0o777, file.read_bytes()) == ([0o600], 0o600, b"two")
    assert safe == [3], "it is on the disk before it stands in the place of the other"


def test_a_file_that_may_not_be_written_is_refused_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "letter.pdf"
    file.write_bytes(b"one")
    monkeypatch.setattr(os, "access", lambda path, mode: (Path(path), mode) != (file, os.W_OK))  # whoever runs the tests may write everything, perhaps
    with pytest.raises(BadInput, match=f"The file {file} may not be written; name another"):
        write_whole(file, b"two")
    assert (file.read_bytes(), list(tmp_path.iterdir())) == (b"one", [file])


def test_a_name_as_long_as_the_system_takes_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / ("語" * 85)
    write_whole(file, b"one")
    assert file.read_bytes() == b"one"
