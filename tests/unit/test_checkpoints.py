"""A checkpoint is one line that anybody can recompute; it is kept by every store and signed only over a record that still stands."""

from __future__ import annotations

import hashlib
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.bundle.verify import is_signed
from caseflow.adapters.checkpoints import mail_text, write
from caseflow.adapters.signing import Signer
from caseflow.adapters.store.memory import MemoryStore
from caseflow.adapters.store.sql import SqlStore
from caseflow.domain.case import NO_HASH
from caseflow.domain.chain import Head
from caseflow.domain.checkpoints import Checkpoint, Pair, Root, Standing, head_line, pair_fault, paired, read_heads, read_line
from caseflow.errors import BadInput, KeyRefused, NotFound, StoreFault
from caseflow.services.checkpointing import Checkpoints

MOMENT = datetime(2026, 12, 1, 12, 5, tzinfo=UTC)
OTHER = "ab" * 32


def head(case: str, version: int = 2, stub: bool = False) -> Head:
    return Head(case, version, hashlib.sha256(f"{case} {version}".encode()).hexdigest(), stub)


class Readings:
    """A record that a test can turn as it likes."""

    def __init__(self, *heads: Head) -> None:
        self.now = {one.case: one for one in heads}
        self.standing: dict[tuple[str, int], Standing] = {}

    def heads(self) -> Any:
        return iter([self.now[name] for name in sorted(self.now)])

    def standings(self, wanted: Any) -> list[Standing]:
        return [self.standing.get(one, Standing(head(*one).head, None)) for one in wanted]


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer(tmp_path / "key")


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "memory":
        yield MemoryStore()
        return
    made = SqlStore(f"sqlite:///{tmp_path / 'c.db'}")
    made.upgrade()
    yield made
    made.engine.dispose()


def checkpoints(store: Any, signer: Signer, readings: Readings) -> Checkpoints:
    return Checkpoints(store, readings, store.checkpoints, signer)


def test_an_outsider_recomputes_the_root_with_sort_and_sha256sum_and_checks_the_signature(tmp_path: Path, signer: Signer) -> None:
    made = checkpoints(MemoryStore(), signer, readings := Readings(head("B-1"), head("A-10"), head("A-9"))).make(MOMENT)
    file = tmp_path / "checkpoint.txt"
    write(file, made, readings.heads())
    root = subprocess.run(["bash", "-c", f"tail -n +2 {file} | LC_ALL=C sort | sha256sum"], capture_output=True, text=True, check=True).stdout.split()[0]
    assert root == made.root and f" root {root} " in file.read_text()
    line = file.read_text().splitlines()[0]
    signed, _, signature = line.rpartition(" signature ")
    assert is_signed(bytes.fromhex(made.key), signed.encode(), bytes.fromhex(signature)), "by the verifier that stands in every export"
    assert (made.cases, made.entries, made.before) == (3, 6, NO_HASH)


def test_a_line_is_read_again_from_a_mail_that_wrapped_and_quoted_it(signer: Signer) -> None:
    made = checkpoints(MemoryStore(), signer, Readings(head("A"))).make(MOMENT)
    quoted = "\n".join(f"> {line}" for line in mail_text(made).splitlines())
    assert read_line(quoted) == read_line(made.line) == made


@pytest.mark.parametrize("text", ["", "caseflow checkpoint 1", "caseflow checkpoint 1 made soonsoonsoon cases 1 entries 1 root " + "a" * 64])
def test_a_text_without_a_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="holds no checkpoint"):
        read_line(text)


def test_each_names_the_one_before_and_keeps_only_what_changed(store: Any, signer: Signer) -> None:
    readings = Readings(head("A"), head("B"))
    desk = checkpoints(store, signer, readings)
    first = desk.make(MOMENT)
    readings.now["A"] = head("A", 3)
    readings.now["C"] = head("C", 1)
    second = desk.make(MOMENT + timedelta(days=1))
    assert (second.number, second.before, second.entries) == (2, first.digest, 6)
    assert list(store.checkpoints.heads(1)) == [head("A"), head("B")]
    assert list(store.checkpoints.heads(2)) == [head("A", 3), head("B"), head("C", 1)]
    assert [one["fault"] for one in desk.all()] == [None, None]
    assert desk.find().number == 2 and desk.find(1) == first
    with pytest.raises(NotFound):
        desk.find(9)
    with pytest.raises(KeyRefused):
        store.checkpoints.keep(second, ())


def test_nobody_changes_or_removes_a_checkpoint(tmp_path: Path, signer: Signer) -> None:
    import sqlite3

    store = SqlStore(f"sqlite:///{tmp_path / 'c.db'}")
    store.upgrade()
    checkpoints(store, signer, Readings(head("A"))).make(MOMENT)
    with sqlite3.connect(tmp_path / "c.db") as other:
        for change in (
            "UPDATE checkpoint SET line = 'x'",
            "DELETE FROM checkpoint",
            "INSERT OR REPLACE INTO checkpoint SELECT * FROM checkpoint",
            "UPDATE checkpoint_head SET version = 9",
            "DELETE FROM checkpoint_head",
            "INSERT OR REPLACE INTO checkpoint_head SELECT * FROM checkpoint_head",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                other.execute(change)
    other.close()
    store.engine.dispose()


def test_a_record_that_is_no_longer_what_was_signed_is_not_signed_again(store: Any, signer: Signer) -> None:
    readings = Readings(head("A"), head("B"))
    desk = checkpoints(store, signer, readings)
    desk.make(MOMENT)
    readings.now["A"] = Head("A", 3, OTHER)
    readings.standing["A", 2] = Standing(OTHER, None)
    with pytest.raises(StoreFault, match="A entry 2: the chain was written anew"):
        desk.make(MOMENT + timedelta(days=1))
    assert len(store.checkpoints.all()) == 1


def test_a_checkpoint_that_does_not_follow_or_fit_its_signature_is_named(signer: Signer) -> None:
    store = MemoryStore()
    desk = checkpoints(store, signer, Readings(head("A")))
    first = desk.make(MOMENT)
    store.checkpoints.keep(replace(first, number=2, cases=7), ())
    store.checkpoints.keep(replace(other := replace(first, number=3, before=OTHER), signature=signer.sign(other.signed.encode())), ())
    assert [one["fault"] for one in desk.all()] == [None, "the signature does not fit", "it does not follow from checkpoint 2"]


def compared(desk: Checkpoints, made: Checkpoint, heads: Any = (), **more: Any) -> list[str]:
    return [fault.text for fault in desk.compare(made.line, map(head_line, heads), **more).faults]


def test_a_list_of_cases_that_was_changed_is_not_believed(signer: Signer) -> None:
    desk = checkpoints(MemoryStore(), signer, Readings(head("A"), head("B")))
    made = desk.make(MOMENT)
    assert compared(desk, made, [head("A"), head("B")]) == [] == compared(desk, made)
    assert "list of cases under the checkpoint is not what was signed" in compared(desk, made, [head("A")])[0]
    assert "the signature does not fit" in compared(desk, replace(made, cases=1), [head("A")])[1]


def test_without_its_list_the_heads_that_the_database_keeps_count_only_as_far_as_they_were_signed(signer: Signer) -> None:
    readings = Readings(head("A"), head("B"))
    store = MemoryStore()
    desk = checkpoints(store, signer, readings)
    made = desk.make(MOMENT)
    forged = Head("B", 2, OTHER)
    readings.now["B"], readings.standing["B", 2] = forged, Standing(OTHER, None)
    store._tables.checkpoints[0] = (made, (head("A"), forged))
    (said,) = compared(desk, made)
    assert "heads that the database keeps of the checkpoint are not what was signed" in said
    assert any(fault.case == "B" for fault in desk.compare(made.line, map(head_line, [head("A"), head("B")])).faults), "the list names the case"


def test_another_key_is_named(tmp_path: Path, signer: Signer) -> None:
    made = checkpoints(MemoryStore(), signer, readings := Readings(head("A"))).make(MOMENT)
    elsewhere = Checkpoints(MemoryStore(), readings, MemoryStore().checkpoints, Signer(tmp_path / "other"))
    assert compared(elsewhere, made, readings.heads()) == [], "who has no key of their own takes the checkpoint's, which is printed"
    assert "signed with another key" in compared(elsewhere, made, readings.heads(), key=OTHER)[0]
    assert "signed with another key" in compared(checkpoints(MemoryStore(), _made(tmp_path), readings), made, readings.heads())[0]


def _made(folder: Path) -> Signer:
    signer = Signer(folder / "third")
    assert signer.public
    return signer


THEN = Checkpoint(4, MOMENT, 1, 2, OTHER, NO_HASH, OTHER)
OLD, NEW = MOMENT - timedelta(days=2), MOMENT + timedelta(days=2)


@pytest.mark.parametrize(
    ("then", "now", "standing", "said"),
    [
        (head("A"), head("A", 3), Standing(head("A").head, NEW), None),
        (head("A"), head("A", 3), Standing(head("A").head, MOMENT - timedelta(minutes=5)), None),
        (head("A"), head("A", 3), Standing(head("A").head, OLD), "put in later"),
        (head("A"), head("A", 3), Standing(OTHER, NEW), "written anew"),
        (head("A"), head("A", 1), Standing(None, None), "the tail was cut"),
        (head("A"), None, Standing(None, None), "the case is gone"),
        (None, head("A"), Standing(None, NEW), None),
        (None, head("A"), Standing(None, OLD), "older than checkpoint 4"),
        (head("A"), head("A", 2, True), Standing(None, None), None),
        (head("A"), head("A", 3, True), Standing(head("A").head, None), None),
        (head("A"), head("A", 3, True), Standing(OTHER, None), "left of the case after its disposal"),
        (head("A"), head("A", 3, True), Standing(None, None), "left of the case after its disposal"),
        (head("A"), head("A", 4, True), Standing(None, None), None),
        (head("A"), Head("A", 2, OTHER, True), Standing(None, None), "left of the case after its disposal"),
        (head("A"), head("A", 1, True), Standing(None, None), "left of the case after its disposal"),
    ],
)
def test_what_a_checkpoint_says_against_a_case(then: Head | None, now: Head | None, standing: Standing, said: str | None) -> None:
    fault = pair_fault(Pair(then, now), standing, THEN)
    assert fault is None if said is None else fault is not None and said in fault.text


def test_two_lists_of_cases_stand_side_by_side() -> None:
    pairs = list(paired([head("A"), head("C"), head("D")], [head("B"), head("C", 3), head("D")]))
    assert [(pair.then and pair.then.case, pair.now and pair.now.case) for pair in pairs] == [("A", None), (None, "B"), ("C", "C"), ("D", "D")]
    assert [pair.same for pair in pairs] == [False, False, False, True]


def test_a_root_depends_on_every_member_of_every_head() -> None:
    def root(*heads: Head) -> str:
        made = Root()
        list(made.passed(heads))
        return made.made(1, MOMENT, None, OTHER).root

    base = root(head("A"), head("B"))
    others = [root(head("A")), root(head("B"), head("A")), root(head("A"), head("C")), root(head("A", 3), head("B")), root(head("A"), Head("B", 2, OTHER))]
    assert base not in others and len(set(others)) == len(others)
    assert list(read_heads([head_line(head("A")), "a note\n", head_line(head("B"))])) == [head("A"), head("B")]
