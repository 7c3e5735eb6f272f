"""Every kind of damage to the record is found and named by case and number; a sound record raises no alarm."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from caseflow.bootstrap import App
from tests.faults.damage import AFTER, KINDS, Kind, Record, found_in, owner, record_of, trial

SEEDS = (1, 2)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Record]:
    return record_of(tmp_path_factory.mktemp("record"))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.work.__name__)
def test_damage_is_found_and_named_by_case_and_number(record: Record, tmp_path: Path, kind: Kind, seed: int) -> None:
    made = trial(record, kind, seed, tmp_path)
    assert made.named(made.listed), (made.names, made.listed)
    assert made.named(made.line), (made.names, made.line)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.fits], ids=lambda kind: kind.work.__name__)
def test_a_chain_made_to_fit_is_missed_by_the_chain_alone_and_found_by_the_checkpoint(record: Record, tmp_path: Path, kind: Kind) -> None:
    made = trial(record, kind, 7, tmp_path)
    assert made.alone == [], "its hashes are in order: without what was kept elsewhere nobody could tell"
    assert made.named(made.listed) and made.named(made.line)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.fits], ids=lambda kind: kind.work.__name__)
def test_a_chain_that_breaks_is_found_without_a_checkpoint(record: Record, tmp_path: Path, kind: Kind) -> None:
    made = trial(record, kind, 11, tmp_path)
    assert made.named(made.alone), (made.names, made.alone)


def test_a_sound_record_raises_no_alarm_also_when_it_has_gone_on(record: Record, tmp_path: Path) -> None:
    for checkpoint in (None, record.listed, record.line):
        assert found_in(record.path, record, checkpoint, chain=False) == []
    path = record.copy(tmp_path)
    app = App(f"sqlite:///{path}", at=AFTER)
    number = app.docket(False, None, None, 1)[0]["case"]
    app.act(number, "add-note", {"note": "The requester called."}, None, None, None, None, False)
    app.store.close()
    for checkpoint in (None, record.listed, record.line):
        assert found_in(path, record, checkpoint, chain=False) == []


def test_a_damaged_case_or_line_of_it_is_a_fault_and_ends_nothing(record: Record, tmp_path: Path) -> None:
    path = record.copy(tmp_path)
    connection = owner(path)
    numbers = [row[0] for row in connection.execute("SELECT number FROM case_file ORDER BY number")]
    connection.execute("UPDATE case_file SET body = substr(body, 1, 40) WHERE number = ?", (numbers[0],))
    connection.execute("UPDATE case_file SET next_due = '2031-01-01' WHERE number = ?", (numbers[1],))
    connection.execute("UPDATE case_file SET body = replace(body, 'Mill Creek', 'Mull Creek') WHERE number = ?", (numbers[2],))
    connection.close()
    found = found_in(path, record, None, chain=False)
    assert [case for case, _, _ in found] == numbers[:3]
    assert "can't be replayed" in found[0][2] and "lists show another next_due" in found[1][2] and "differs from its entries" in found[2][2]
    assert found_in(path, record, None) == [], "the chain is as it was: only the replay tells"


def test_a_text_that_is_none_any_more_is_named_and_ends_nothing(record: Record, tmp_path: Path) -> None:
    path = record.copy(tmp_path)
    with closing(owner(path)) as connection:
        numbers = [row[0] for row in connection.execute("SELECT number FROM case_file ORDER BY number")]
        connection.execute("""UPDATE entry SET to_state = CAST(x'ff' AS TEXT) WHERE "case" = ? AND seq = 3""", (numbers[0],))
        connection.execute("""UPDATE entry SET "case" = CAST(x'57c3' AS TEXT) WHERE "case" = ? AND seq = 6""", (numbers[2],))
    for checkpoint in (None, record.listed, record.line):
        found = {(case, seq) for case, seq, _ in found_in(path, record, checkpoint)}
        assert {(numbers[0], 3), (numbers[2], 5)} <= found, found
