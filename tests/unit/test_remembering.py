"""What is remembered is never another thing than what would be made now, and there are never more than so many of it."""

from __future__ import annotations

from caseflow.services.remembering import Remembered


def test_a_value_is_made_once_for_its_key_and_stamp() -> None:
    kept, made = Remembered(9), []
    for _ in range(3):
        assert kept.get("a", lambda: made.append(1) or len(made), stamp=("head", 1)) == 1


def test_another_stamp_makes_the_value_anew_and_the_old_one_is_gone() -> None:
    kept = Remembered(9)
    assert kept.get("a", lambda: "old", stamp=1) == "old"
    assert kept.get("a", lambda: "new", stamp=2) == "new"
    assert kept.known("a", 1) is None and kept.known("a", 2) == "new" and len(kept) == 1


def test_a_stamp_is_compared_by_what_it_says() -> None:
    kept = Remembered(9)
    kept.keep("a", "drawn", ({"due": "2027-01-05"}, "wren"))
    assert kept.known("a", ({"due": "2027-01-05"}, "wren")) == "drawn"
    assert kept.known("a", ({"due": "2027-01-06"}, "wren")) is None


def test_what_was_asked_for_the_longest_ago_makes_room() -> None:
    kept = Remembered(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert kept.known("a") == 1
    kept.keep("c", 3)
    assert (kept.known("a"), kept.known("b"), kept.known("c"), len(kept)) == (1, None, 3, 2)
