"""Two versions of a pack compared: whatever differs is said, in a sentence with its law, and nothing that does not differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any

import pytest
from pydantic import BaseModel

from caseflow.adapters.packs.library import pack_files
from caseflow.adapters.packs.loader import load_pack
from caseflow.domain import pack as p
from caseflow.domain.difference import Change, Version, differences, grouped, titles_of
from caseflow.domain.difference.fields import FIELDS, KINDS
from caseflow.domain.rulebook import Rulebook
from tests.conftest import PACK, ROOT
from tests.unit.pack_texts import sound

Files = Mapping[str, str]


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    found = pack_files(PACK, ROOT / "templates" / "letters")
    return {path: text for path, text in found.items() if not path.startswith(("samples/", "scenarios/"))}


def version(files: Files) -> Version:
    """A version of a pack as it stands in its files."""
    bare = {path: "\n".join(line.partition("#")[0].rstrip() for line in text.splitlines() if line.partition("#")[0].strip()) for path, text in files.items()}
    return Version(load_pack(files, checked=False), files, bare)


@pytest.fixture(scope="module")
def wisconsin(files: Files) -> Version:
    return version(files)


@pytest.fixture
def told(files: Files, wisconsin: Version) -> Callable[..., list[Change]]:
    """What is said of a pack in which one text stands for another."""

    def changed(*texts: tuple[str, str, str]) -> list[Change]:
        new = dict(files)
        for file, old, text in texts:
            assert old in new[file]
            new[file] = new[file].replace(old, text, 1)
        return differences(wisconsin, version(new))

    return changed


def said(changes: list[Change]) -> list[tuple[str, str | None]]:
    return [(one.text, one.cite) for one in changes]


CONFIRMATION, CALENDAR = "navigability-confirmation.yaml", "calendar.yaml"
A_HOLIDAY = (CALENDAR, "      - {name: New Year's Day", "      - {name: Day of Rest, once: 2027-01-02, source: 2026 Act 9}\n      - {name: New Year's Day")


def test_another_length_is_said_in_days_with_its_law(told: Callable[..., list[Change]]) -> None:
    [one] = told((CONFIRMATION, "length: {days: 30}", "length: {days: 20}"))

    assert one.text == "The length of the clock “Time to provide the confirmation” is 20 days instead of 30 days."
    assert (one.weight, one.workflows, one.cite) == ("dates", ("navigability-confirmation",), "NR 300.17 (7) (a) 2.")
    assert (one.what, one.name, one.member, one.before, one.after) == ("clock", "determination", "length", "30 days", "20 days")


def test_a_new_holiday_is_said_with_its_weekday_and_source_and_is_of_the_whole_pack(told: Callable[..., list[Change]]) -> None:
    [one] = told(A_HOLIDAY)

    assert said([one]) == [("Saturday, January 2, 2027 (Day of Rest) is now a legal holiday.", "2026 Act 9")] and one.workflows == ()


def test_a_holiday_that_moves_or_goes_is_said_so(told: Callable[..., list[Change]]) -> None:
    assert said(told((CALENDAR, "{name: Veterans Day, month-day: 11-11}", "{name: Veterans Day, month-day: 11-12}"))) == [
        ("Veterans Day (Legal holiday) is November 12 of each year instead of November 11 of each year.", "s. 995.20")
    ]
    assert said(told((CALENDAR, "      - {name: Veterans Day, month-day: 11-11}\n", ""))) == [
        ("November 11 of each year (Veterans Day) is no longer a legal holiday.", "s. 995.20")
    ]


def test_a_further_condition_is_counted_and_cited(told: Callable[..., list[Change]]) -> None:
    [one] = told((CONFIRMATION, "needs: [exact-location, information-summary]", "needs: [exact-location, information-summary, filed-in-form]"))

    text = "A third condition guards the action “Concur with the third party's finding”: the request is in the manner and form required."
    assert (one.text, one.weight) == (text, "refusals") and one.cite is not None and one.cite.startswith("NR 300.17")


def test_what_ends_a_clock_and_what_an_act_owes_come_and_go_in_words(told: Callable[..., list[Change]]) -> None:
    found = told(
        (CONFIRMATION, "    met: [concur, determine]\n    cite", "    met: [concur]\n    cite"),
        (CONFIRMATION, "letters: [partial-response]", "letters: [partial-response, take-over]"),
    )

    assert [one.text for one in found] == [
        "The clock “Time to provide the confirmation” is no longer met after “Issue the determination”.",
        "The action “Record a response that does not satisfy the request” now also owes the letter “The department will inspect and decide”.",
    ]


def test_dates_and_refusals_stand_first_and_words_last(told: Callable[..., list[Change]], wisconsin: Version) -> None:
    found = told(
        (CONFIRMATION, "title: Take the determination over", "title: Take over the determination"),
        (CONFIRMATION, "needs: [exact-location, information-summary]", "needs: [exact-location]"),
        (CONFIRMATION, "length: {days: 30}", "length: {days: 20}"),
        ("fees.yaml", "amount: 100,", "amount: 110,"),
    )
    groups = grouped(found, titles_of(wisconsin))

    assert groups[0].titles == ("Navigability confirmation",)
    assert [one.weight for one in groups[0].changes] == ["dates", "refusals", "fees", "words"]


def test_what_several_workflows_inherit_is_said_once_and_names_them(told: Callable[..., list[Change]], wisconsin: Version) -> None:
    found = told(("determination-service.yaml", "length: {days: {setting: info_response_target_days}}", "length: {days: 20}"))
    [group] = grouped(found, titles_of(wisconsin))

    assert len(group.workflows) > 3 and len(group.changes) == 1
    text = "The length of the clock “Suggested time for the answer” is 20 days instead of 30 days (by the setting “How many days are suggested"
    assert group.changes[0].text.startswith(text)


def test_the_words_of_a_letter_are_compared_place_by_place(told: Callable[..., list[Change]], files: Files) -> None:
    name, line = next((path, line) for path, text in files.items() if path.endswith("/take-over.md") for line in text.splitlines() if line[:1].isalpha())
    [one] = told((name, line, "Something else."))

    assert one.weight == "letters" and "“Something else.” stands instead of “" in one.text and one.before == line.strip()


def test_comments_alone_are_told_as_comments_alone(told: Callable[..., list[Change]]) -> None:
    [one] = told((CONFIRMATION, "# The department concurs", "# The agency concurs"))

    assert one.text == "In navigability-confirmation.yaml only comments or the layout differ." and one.weight == "words"


def test_a_workflow_or_a_version_of_a_rule_set_that_comes_or_goes_is_one_sentence(files: Files, wisconsin: Version) -> None:
    less = version({path: text for path, text in files.items() if path != "ohwm-confirmation.yaml"})

    gone = [one for one in differences(wisconsin, less) if one.what == "workflow"]
    come = [one for one in differences(less, wisconsin) if one.what == "workflow"]
    assert [one.how for one in (*gone, *come)] == ["removed", "added"]
    assert gone[0].text.startswith("Gone: the workflow “Ordinary high water mark confirmation”") and come[0].text.startswith(
        "New: the workflow “Ordinary high water mark confirmation”"
    )


def test_the_same_version_differs_in_nothing(files: Files, wisconsin: Version) -> None:
    assert differences(wisconsin, version(dict(files))) == []


# --- nothing is left out ------------------------------------------------------------------------------------------------


def other(value: Any) -> Iterator[Any]:
    """Values of the same kind that are another."""
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
        case Decimal():
            yield value + 1
        case date():
            yield value + timedelta(days=1)
        case str():
            words = next((words for words in (p.DAY_OPS, p.FACT_OPS, ("start", "due")) if value in words), None)
            yield "03-04" if re.fullmatch(r"\d\d-\d\d", value) else next(word for word in words if word != value) if words else f"{value}x"
        case (int() | "last", str(), str()):
            yield (4, *value[1:])
        case tuple():
            yield (*value, *value[-1:])
            yield value[:-1]
            if value != tuple(reversed(value)):
                yield tuple(reversed(value))
        case Mapping():
            yield dict(list(value.items())[1:])
            if len(value) > 1:
                yield dict(reversed(list(value.items())))
        case BaseModel():
            yield from (value.model_copy(update={name: one}) for name, one in _first_other(value))
        case None:
            yield "x"


def _first_other(model: BaseModel) -> Iterator[tuple[str, Any]]:
    for name in type(model).model_fields:
        for one in other(getattr(model, name)):
            yield name, one
            return


def spots(model: Any, put: Callable[[Any], Any], seen: set[tuple[type, str]]) -> Iterator[tuple[str, Any]]:
    """Each word of each model of a pack once, as the pack in which it has another value; tried first where a value stands."""
    if isinstance(model, BaseModel):
        for name in type(model).model_fields:
            value = getattr(model, name)
            place = lambda new, name=name: put(model.model_copy(update={name: new}))  # noqa: E731
            if (type(model), name) not in seen and (value not in (None, (), {})):
                seen.add((type(model), name))
                yield from ((f"{type(model).__name__}.{name}", place(one)) for one in other(value))
            yield from spots(value, place, seen)
    elif isinstance(model, Mapping):
        for key, value in model.items():
            yield from spots(value, lambda new, key=key: put({**model, key: new}), seen)
    elif isinstance(model, tuple):
        for at, value in enumerate(model):
            yield from spots(value, lambda new, at=at: put((*model[:at], new, *model[at + 1 :])), seen)


def _small(pack: p.Pack) -> p.Pack:
    keep = ("navigability-confirmation", "individual-permit", "general-permit", "exemption-determination")
    return pack.model_copy(update={"workflows": tuple(flow for flow in pack.workflows if flow.workflow in keep)})


def runs(pack: p.Pack, old: p.Pack) -> bool:
    """Whether cases could run by it; what is no pack is no version of one."""
    flows = [flow for flow, was in zip(pack.workflows, old.workflows, strict=False) if flow is not was] or pack.workflows[:1]
    try:
        return all(Rulebook(pack, flow, flow.in_force.from_) for flow in flows)
    except Exception:
        return False


def test_no_word_of_the_pack_language_can_change_without_being_said(wisconsin: Version) -> None:
    silent: list[str] = []
    compared = 0
    tried: set[tuple[type, str]] = {(p.Pack, "hash")}
    packs = [_small(wisconsin.pack), load_pack(sound(), checked=False)]
    for pack in packs:
        before = Version(pack, {}, {})
        for number, (name, changed) in enumerate(spots(pack, lambda new: new, tried)):
            calendar = number if changed.calendar is not pack.calendar else "the same"  # made once for each hash
            after = Version(changed.model_copy(update={"hash": sha256(f"{pack.text.pack} {calendar}".encode()).hexdigest()}), {}, {})
            try:
                silent += [] if differences(before, after) else [name]
                compared += 1
            except Exception:
                assert not runs(after.pack, pack), name

    assert silent == []
    assert len(tried) > 200 and compared > 400


def test_two_words_of_one_thing_are_two_sentences(told: Callable[..., list[Change]]) -> None:
    found = told(
        (CONFIRMATION, 'reading: "TR-39: taking over gives no new time"', 'reading: "TR-39: no new time"'),
        (CONFIRMATION, "length: {days: 30}", "length: {days: 20}"),
        (CONFIRMATION, "        cause: The one request for information\n", "        cause: The only request\n"),
        (CONFIRMATION, '        cite: NR 300.17 (7) (d)\n        reading: "TR-02', '        cite: NR 300.17 (7) (e)\n        reading: "TR-02'),
    )

    assert sorted(one.member for one in found) == ["holds", "holds.cite", "length", "reading"]


def test_every_word_of_the_things_of_a_pack_has_a_name_for_readers() -> None:
    own = {"lists", "allotments", "parts", "rules", "roles", "settings", "day_lists", "actors", "channels", "ruleset", "workflow"}
    own |= {"states", "facts", "items", "petition_items", "exclusions", "conditions", "limits", "clocks", "actions", "claims", "retention", "schedules"}
    law = set(p.Cited.model_fields)
    missing = [f"{model.__name__}.{name}" for model in KINDS for name in model.model_fields if name not in FIELDS.get(model, {}) and name not in own | law]

    assert missing == []
