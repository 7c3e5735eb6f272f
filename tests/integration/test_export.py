"""The record of a case leaves as a folder: a stranger checks it with the standard library alone, and no change goes unseen."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from caseflow.adapters.bundle import verify
from caseflow.adapters.bundle.write import _write
from caseflow.bootstrap import App
from caseflow.domain.case import Actor
from caseflow.errors import BadInput, NotFound
from caseflow.services.documents import Given
from tests.conftest import PACK

CASE = "WD-2026-00001-1"
GROUND = "s. 19.36 (3), Stats."


def app(folder: Path, at: str) -> App:
    return App(f"sqlite:///{folder / 'case.db'}", at=at, maildrop=str(folder / "mail"))


def act(folder: Path, at: str, action: str, **facts: Any) -> None:
    app(folder, at).act(CASE, action, facts, None, "wren:staff", None, None, False)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A confirmation whose requester was asked once and answered, so that its clock was held."""
    folder = tmp_path_factory.mktemp("record")
    first = app(folder, "2026-11-30T09:00")
    first.file(first.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")))
    act(folder, "2026-12-02T09:00", "request-information", items=["NAV-e"])
    app(folder, "2026-12-03T09:00").dispatch(False)
    act(folder, "2026-12-10T09:00", "accept-information")
    app(folder, "2026-12-11T09:00").export(CASE, str(folder / "bundle"), {})
    return folder


@pytest.fixture
def bundle(record: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(record / "bundle", tmp_path / "bundle"))


def checked(bundle: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """verify.py as a stranger runs it: isolated from every package."""
    return subprocess.run([sys.executable, "-I", "-S", str(bundle / "verify.py"), *words], capture_output=True, text=True, timeout=60, check=False)


def test_a_stranger_checks_the_record_with_the_standard_library_alone_and_counts_the_day(bundle: Path) -> None:
    made = checked(bundle)
    assert made.returncode == 0, made.stdout + made.stderr
    assert made.stdout.startswith(f"SOUND: case {CASE}, ")
    (clock,) = [clock for clock in json.loads((bundle / "clocks.json").read_text()) if clock["clock"] == "determination"]
    days = sum(step["days"] for step in clock["why"] if step["kind"] != "target")
    assert date.fromisoformat(clock["start"]).toordinal() + days == date.fromisoformat(clock["due"]).toordinal()
    for step in clock["why"]:
        assert step["text"] in made.stdout
    assert f"Last day: {clock['due']}" in made.stdout


def test_the_key_is_made_once_for_its_owner_alone_and_another_is_noticed(bundle: Path, record: Path) -> None:
    key = json.loads((bundle / "checkpoint.json").read_text())["key"]
    assert (record / "case.db.signing-key").stat().st_mode & 0o777 == 0o600
    assert checked(bundle, "--key", key).returncode == 0
    made = checked(bundle, "--key", "00" * 32)
    assert made.returncode == 1
    assert "signed with another key" in made.stdout
    (record / "case.db.signing-key").chmod(0o644)
    try:
        with pytest.raises(BadInput, match="chmod 600"):
            app(record, "2026-12-11T09:00").export(CASE, str(record / "other"), {})
    finally:
        (record / "case.db.signing-key").chmod(0o600)


def _lines(bundle: Path, change: Callable[[list[str]], list[str]]) -> None:
    path = bundle / "journal.jsonl"
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")


def _byte(bundle: Path) -> None:
    _lines(bundle, lambda lines: [lines[0].replace("Mill Creek", "Mall Creek", 1), *lines[1:]])


def _removed(bundle: Path) -> None:
    _lines(bundle, lambda lines: [lines[0], *lines[2:]])


def _added(bundle: Path) -> None:
    _lines(bundle, lambda lines: [*lines, lines[-1]])


def _reordered(bundle: Path) -> None:
    _lines(bundle, lambda lines: [lines[1], lines[0], *lines[2:]])


def _cut(bundle: Path) -> None:
    _lines(bundle, lambda lines: lines[:-1])


def _swapped(bundle: Path) -> None:
    one, other = sorted((bundle / "letters").glob("*.txt"))[:2]
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)


def _stranger(bundle: Path) -> None:
    (bundle / "letters" / "extra.txt").write_text("A letter that was never sent.")


def _missing(bundle: Path) -> None:
    next((bundle / "letters").glob("*.pdf")).unlink()


def _rewritten(bundle: Path) -> None:
    """The whole chain made anew over a changed reason, as somebody could who knows how it is made."""

    def change(lines: list[str]) -> list[str]:
        previous, made = "0" * 64, []
        for entry in map(json.loads, lines):
            entry["because"] = "Because I say so."
            entry["prev_hash"] = previous
            digests = {name: verify.fact_hash(fact) for name, fact in entry["facts"].items()}
            members = {**{name: entry[name] for name in verify.MEMBERS}, "facts_digest": verify.digest(verify.canonical(digests))}
            entry["hash"] = previous = verify.digest(verify.canonical(members))
            made.append(json.dumps(entry))
        return made

    _lines(bundle, change)


FORGERIES = {
    _byte: "entry 1 was changed",
    _removed: "one was removed, added or moved",
    _added: "one was removed, added or moved",
    _reordered: "one was removed, added or moved",
    _cut: "the end was cut",
    _rewritten: "the end was cut, added to or changed",
    _swapped: "the file was changed",
    _stranger: "it was added or renamed",
    _missing: "the file is missing",
}


@pytest.mark.parametrize(("forge", "says"), FORGERIES.items(), ids=[forge.__name__.strip("_") for forge in FORGERIES])
def test_a_forgery_is_found_and_named(bundle: Path, forge: Callable[[Path], None], says: str) -> None:
    forge(bundle)
    made = checked(bundle)
    assert made.returncode == 1
    assert says in made.stdout


def test_one_changed_byte_is_found_wherever_it_stands(bundle: Path) -> None:
    """In each file of the record, at its beginning, at its end and at places drawn by lot."""
    luck = Random(7)
    names = sorted(path for path in bundle.rglob("*") if path.is_file() and "rules" not in path.parts)
    rules = luck.sample(sorted(path for path in bundle.rglob("rules/**/*") if path.is_file()), 3)
    assert verify.check(bundle)[0] == []
    for path in (*names, *rules):
        whole = path.read_bytes()
        for at in {0, len(whole) - 1, *(luck.randrange(len(whole)) for _ in range(2))}:
            path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << luck.randrange(7))]) + whole[at + 1 :])
            assert _noticed(bundle), f"{path.name}, byte {at}"
        path.write_bytes(whole)
    assert verify.check(bundle)[0] == []


def _noticed(bundle: Path) -> bool:
    try:
        return bool(verify.check(bundle)[0])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return True  # as main() says: the record can't be read


@pytest.mark.parametrize("forge", [_byte, _cut, _swapped, _stranger], ids=["byte", "cut", "swapped", "stranger"])
def test_a_forger_who_writes_the_manifest_anew_lacks_the_signature(bundle: Path, forge: Callable[[Path], None]) -> None:
    forge(bundle)
    manifest = json.loads((bundle / "manifest.json").read_text())
    names = [path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file() and path.name not in verify.UNLISTED]
    manifest["files"] = {name: sha256((bundle / name).read_bytes()).hexdigest() for name in sorted(names)}
    (bundle / "manifest.json").write_text(json.dumps(manifest))
    assert "another manifest" in checked(bundle).stdout
    checkpoint = json.loads((bundle / "checkpoint.json").read_text())
    checkpoint["manifest"] = sha256((bundle / "manifest.json").read_bytes()).hexdigest()
    (bundle / "checkpoint.json").write_text(json.dumps(checkpoint))
    made = checked(bundle)
    assert made.returncode == 1
    assert "the signature does not fit" in made.stdout


@pytest.mark.parametrize("name", ["manifest.json", "checkpoint.json", "journal.jsonl", "clocks.json"])
@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff\xfe", b'{"files": 3}', b"[" * 100_000])
def test_a_broken_record_is_told_in_a_sentence(bundle: Path, name: str, content: bytes) -> None:
    (bundle / name).write_bytes(content)
    made = checked(bundle)
    assert made.returncode == 1
    assert "Traceback" not in made.stderr + made.stdout


def test_a_case_that_counts_by_an_adopted_calendar_takes_it_along(tmp_path: Path) -> None:
    first = app(tmp_path, "2026-11-30T09:00")
    first.file(first.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")))
    changed = tmp_path / "changed.yaml"
    own = (PACK / "calendar.yaml").read_text()
    rest = "      - {name: Day of Rest, once: 2026-12-30, source: 2026 Act 9}\n      - {name: New Year's Day"
    changed.write_text(own.replace('version: "2026.1"', 'version: "2026.2"').replace("      - {name: New Year's Day", rest, 1))
    app(tmp_path, "2026-12-01T09:00").calendars.adopt(str(changed), "2026 Act 9", "odell:supervisor")
    app(tmp_path, "2026-12-02T09:00").export(CASE, str(tmp_path / "out"), {})

    assert (tmp_path / "out" / "rules" / "adopted-calendar.yaml").read_text() == changed.read_text()
    made = checked(tmp_path / "out")
    assert "SOUND" in made.stdout and "Last day: 2026-12-31" in made.stdout, made.stdout


def test_no_file_of_a_bundle_is_written_outside_of_its_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"'rules/../../evil.txt' would lie outside of it\); nothing was exported"):
        _write(tmp_path / "out", {"journal.jsonl": b"", "rules/../../evil.txt": b"x"})
    assert list(tmp_path.iterdir()) == []


def test_what_is_withheld_is_nowhere_and_its_hash_still_fits(record: Path, tmp_path: Path) -> None:
    made = app(record, "2026-12-11T09:00").export(CASE, str(tmp_path / "bundle"), {"parties": GROUND})
    assert set(made["withheld"]) > {"parties"}, "a fact that repeats a name is withheld with it"
    assert made["letters_withheld"]
    found = checked(tmp_path / "bundle")
    assert found.returncode == 0, found.stdout
    everything = "".join(path.read_text(errors="replace") for path in (tmp_path / "bundle").rglob("*") if path.is_file() and "rules" not in path.parts)
    for secret in ("Larsen", "ann.larsen@example.org", "W5680", "Kettle Moraine", "Ridgeline"):
        assert secret not in everything
    assert GROUND in (tmp_path / "bundle" / "index.html").read_text()
    line = json.loads((tmp_path / "bundle" / "journal.jsonl").read_text().splitlines()[0])
    assert set(line["facts"]["parties"]) == {"hash", "withheld"}


def test_the_pages_of_a_bundle_lead_to_everything_in_it(bundle: Path) -> None:
    """Every link of the index leads to a file or a place of it; every letter is linked, and every entry shows both of its days."""
    page = (bundle / "index.html").read_text(encoding="utf-8")
    for link in re.findall(r'href="([^"]+)"', page):
        assert f'id="{link[1:]}"' in page if link.startswith("#") else (bundle / link).is_file(), link
    linked = set(re.findall(r'href="(letters/[^"]+)"', page))
    assert linked == {path.relative_to(bundle).as_posix() for path in (bundle / "letters").iterdir()}
    for said in ("How to check this record", "python3 verify.py", "Counts from", "Recorded", "Nothing is withheld.", "The readings chosen", "Last day in law"):
        assert said in page
    assert "<script" not in page
    certification = (bundle / "certification.html").read_text(encoding="utf-8")
    assert json.loads((bundle / "checkpoint.json").read_text())["key"] in certification


def test_documents_come_along_by_number_or_are_withheld_with_their_names(tmp_path: Path) -> None:
    first = app(tmp_path, "2026-11-30T09:00")
    first.file(first.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")))
    first.documents.take_in(CASE, [Given("../plan of Ann Larsen.txt", io.BytesIO(b"a plan"))], Actor("person", "wren", "staff"))
    first.export(CASE, str(tmp_path / "whole"), {})
    (kept,) = (tmp_path / "whole" / "documents").iterdir()
    assert kept.read_bytes() == b"a plan"
    assert kept.name.startswith(CASE)
    assert checked(tmp_path / "whole").returncode == 0
    first.export(CASE, str(tmp_path / "released"), {"documents": GROUND})
    assert not (tmp_path / "released" / "documents").exists()
    assert "plan of Ann" not in (tmp_path / "released" / "index.html").read_text()
    assert checked(tmp_path / "released").returncode == 0


def test_a_reason_that_names_what_is_withheld_refuses_the_export(tmp_path: Path) -> None:
    first = app(tmp_path, "2026-11-30T09:00")
    first.file(first.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")))
    act(tmp_path, "2026-12-01T09:00", "add-note", note="Called")
    app(tmp_path, "2026-12-02T09:00").void(CASE, 2, "Ann Larsen was not called", "odell:supervisor")
    with pytest.raises(BadInput, match="reason of entry 3"):
        app(tmp_path, "2026-12-02T09:00").export(CASE, str(tmp_path / "bundle"), {"parties": GROUND})
    assert not (tmp_path / "bundle").exists()


def test_bad_words_are_told_and_leave_no_folder(record: Path, tmp_path: Path) -> None:
    made = app(record, "2026-12-11T09:00")
    with pytest.raises(BadInput, match="did you mean 'parties'"):
        made.export(CASE, str(tmp_path / "one"), {"partys": GROUND})
    with pytest.raises(BadInput, match="Say why you withhold 'parties'"):
        made.export(CASE, str(tmp_path / "one"), {"parties": " "})
    with pytest.raises(NotFound):
        made.export("WD-2026-00009-1", str(tmp_path / "one"), {})
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a.txt").write_text("mine")
    with pytest.raises(BadInput, match="not empty"):
        made.export(CASE, str(tmp_path / "full"), {})
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="can't be written"):
        made.export(CASE, str(tmp_path / "file" / "one"), {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "full"]


def test_the_signatures_are_those_of_the_standard(tmp_path: Path) -> None:
    """RFC 8032, section 7.1, tests 1 to 3, and a library's own signatures."""
    vectors = [
        ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "", "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72", "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
        ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82", "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    ]  # fmt: skip
    for key, message, signature in vectors:
        assert verify.is_signed(bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature))
        assert not verify.is_signed(bytes.fromhex(key), bytes.fromhex(message) + b"x", bytes.fromhex(signature))
    for place in range(5):
        made = Ed25519PrivateKey.generate()
        public, signature = made.public_key().public_bytes_raw(), made.sign(b"m%d" % place)
        assert verify.is_signed(public, b"m%d" % place, signature)
        for at in (0, 31, 32, 63):
            broken = bytearray(signature)
            broken[at] ^= 1
            assert not verify.is_signed(public, b"m%d" % place, bytes(broken))
