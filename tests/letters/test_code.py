"""The code of the status page: in each letter of the people of a request, with number and address, in every form; in no other copy."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.letters.marks import for_copy
from caseflow.adapters.letters.sandbox import sandbox, taken_in
from caseflow.adapters.packs.nodes import read_plain
from caseflow.bootstrap import App
from caseflow.domain.mailing import OWN_ROLES, UNSHOWN
from caseflow.services import dispatching
from caseflow.services.ports.mail import Parcel
from tests.conftest import PACK
from tests.letters.making import text
from tests.letters.test_stated import LAW, full
from tests.unit.test_letter_register import Way
from tests.unit.test_letters_pack import FILES, write

SOURCES = {path.removeprefix("templates/"): source for path, source in FILES.items() if path.startswith("templates/") and path.endswith(".md")}
CODE = "ABCD-2345-EFGH"
PEOPLE = {
    "third_party": {"name": "Bo Berg", "email": "bo@example.org"},
    "agent": {"name": "Ann Agent", "email": "ann.agent@example.org"},
    "copies": [{"role": "municipality", "name": "City of Sample Falls", "address": ["1 City Hall Plaza", "Sample Falls WI 54000"]}],
}


@pytest.mark.parametrize("letter", [*LAW, "fee-missing", "shared/retraction"])
def test_every_letter_marks_where_the_code_stands_and_only_in_what_is_for_its_addressee(letter: str) -> None:
    whole = taken_in(sandbox(), SOURCES, f"{letter}.md")
    before, _, after = whole.partition("{# for-addressee #}")
    inside, _, rest = after.partition("{# end-addressee #}")

    assert inside.count("{# access-code #}") == 1
    assert "access-code" not in before + rest


def test_nothing_that_a_value_says_is_replaced_by_a_code() -> None:
    view = full("information-request")
    view["act"]["facts"]["reason"] = "<access-code> {# access-code #} [//]: # (for addressee)"
    markdown = write("information-request", view).markdown

    assert for_copy(markdown, CODE).count(CODE) == 1
    assert "access-code" in for_copy(markdown, CODE)


@pytest.fixture(scope="module")
def parcels(tmp_path_factory: pytest.TempPathFactory) -> list[Parcel]:
    """What leaves of a case with an agent, a third party and a city that gets copies: its receipt, a request, a result."""
    folder = tmp_path_factory.mktemp("code")
    way = Way()

    def at(moment: str) -> App:
        return App(database=f"sqlite:///{folder / 'case.db'}", at=moment)

    at("2026-11-10T09:00").init(live=False)
    request = dict(read_plain((PACK / "samples/navigability-confirmation/complete.yaml").read_text(), "complete.yaml"))
    case = str(at("2026-11-10T09:00").file({**request, **PEOPLE})["cases"][0]["case"])
    facts: dict[str, Any] = {"exact_location": "From the road bridge 300 m downstream", "information_summary": "Survey of 2026"}
    at("2026-11-30T09:00").act(case, "concur", facts, None, None, None, None, False)
    office = replace(at("2026-12-01T09:00").office, mail=way)
    dispatching.dispatch(office, datetime(2026, 12, 1, 20, tzinfo=UTC), at_once=True)
    return way.given


@pytest.fixture(scope="module")
def site(parcels: list[Parcel], tmp_path_factory: pytest.TempPathFactory) -> App:  # noqa: ARG001 - the case is there once they left
    """The same case, some days later."""
    folder = next(tmp_path_factory.getbasetemp().glob("code*"))
    return App(database=f"sqlite:///{folder / 'case.db'}", at="2026-12-03T09:00")


def test_who_asked_gets_number_code_and_where_to_use_them_in_text_page_and_pdf(parcels: list[Parcel]) -> None:
    own = [parcel for parcel in parcels if parcel.copy.kind == "to" and parcel.copy.role in OWN_ROLES]
    codes: dict[str, set[str]] = {}
    for parcel in own:
        words = " ".join(parcel.text.split())
        code = words.partition(", code ")[2][: len(CODE)]
        codes.setdefault(parcel.copy.role, set()).add(code)
        assert parcel.pdf is not None
        for form in (words, " ".join(parcel.html.replace("<strong>", "").replace("</strong>", "").split()), text(parcel.pdf)):
            assert "waterways.example.gov/status" in form
            assert f"Number {parcel.letter.case}, code {code}" in form
            assert form.count(code) == 1

    assert {parcel.letter.letter for parcel in own} == {"acknowledgement", "navigability-confirmation"}
    assert set(codes) == {"requester", "agent"}
    assert all(len(found) == 1 and "" not in found for found in codes.values())  # the same in all letters to a person
    assert codes["requester"] != codes["agent"]


def test_number_and_code_as_the_letter_prints_them_open_the_status_page_of_that_person(parcels: list[Parcel], site: App) -> None:
    for parcel in parcels:
        if parcel.copy.kind == "to":
            code = " ".join(parcel.text.split()).partition(", code ")[2][: len(CODE)]
            visit = site.applicants.who(site.applicants.come_in(parcel.letter.case, code, "192.0.2.1"))
            assert (visit.case, visit.role, visit.name) == (parcel.letter.case, parcel.copy.role, parcel.copy.name)


def test_a_copy_for_others_has_no_code_and_no_word_of_it_in_any_form(parcels: list[Parcel]) -> None:
    codes = {" ".join(parcel.text.split()).partition(", code ")[2][: len(CODE)] for parcel in parcels if parcel.copy.kind == "to"}
    others = [parcel for parcel in parcels if parcel.copy.kind == "copy"]

    assert {parcel.copy.role for parcel in others} == {"third-party", "municipality"}
    for parcel in others:
        assert parcel.pdf is not None
        for form in (parcel.text, parcel.html, parcel.markdown, text(parcel.pdf)):
            assert not any(code in form for code in codes)
            assert "/status" not in form
            assert "Keep it private" not in form


def test_the_register_keeps_no_code(parcels: list[Parcel]) -> None:
    codes = {" ".join(parcel.text.split()).partition(", code ")[2][: len(CODE)] for parcel in parcels if parcel.copy.kind == "to"}

    assert codes
    assert not any(code in parcel.letter.markdown for parcel in parcels for code in codes)


def test_the_staff_read_the_letter_without_the_code_in_a_preview_in_the_register_and_on_a_page(tmp_path: Path) -> None:
    app = App(database=f"sqlite:///{tmp_path / 'case.db'}", at="2026-11-30T09:00")
    app.init(live=False)
    case = str(app.file(read_plain((PACK / "samples/navigability-confirmation/complete.yaml").read_text(), "complete.yaml"))["cases"][0]["case"])
    written, seen = app.letter(f"{case}-L1"), app.preview(case, "information-request", "request-information", {"items": ["NAV-e"]})

    for form in (written["text"], written["html"], seen["text"], seen["html"], app.letter_part(written["markdown"])):
        assert f"{case}, code {UNSHOWN}. Keep it private." in " ".join(form.replace("<strong>", "").replace("</strong>", "").split())
        assert "access-code" not in form


def test_a_print_batch_prints_the_code_on_the_letters_of_who_asked_and_on_no_copy(tmp_path: Path) -> None:
    def at(moment: str) -> App:
        return App(database=f"sqlite:///{tmp_path / 'case.db'}", at=moment)

    request = dict(read_plain((PACK / "samples/navigability-confirmation/complete.yaml").read_text(), "complete.yaml"))
    by_post = {**PEOPLE, "requester": {**request["requester"], "channel": "post"}, "agent": None, "third_party": {**request["third_party"], "channel": "post"}}
    at("2026-11-10T09:00").init(live=False)
    case = str(at("2026-11-10T09:00").file({**request, **by_post})["cases"][0]["case"])
    facts: dict[str, Any] = {"exact_location": "From the road bridge 300 m downstream", "information_summary": "Survey of 2026"}
    at("2026-11-30T09:00").act(case, "concur", facts, None, None, None, None, False)
    made = at("2026-12-01T09:00").print_batch(str(tmp_path / "out"), None, True)
    printed = text(Path(made["files"][0]).read_bytes())
    code = printed.partition(", code ")[2][: len(CODE)]

    assert made["copies"] == 4  # the receipt, and the result with its copies to the third party and the city
    assert printed.count("/status") == printed.count(code) == 2
    assert printed.count("RE: Navigability confirmation - ") == 3
    assert not any(code in Path(file).read_text() for file in made["files"][1:])
