"""A list of people: read whole or refused whole, every fault by its row; what it holds becomes parties by an act that is journaled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from caseflow.bootstrap import App
from caseflow.errors import BadInput
from caseflow.services.listing import MAX_PEOPLE, read_people
from tests.conftest import PACK

HEAD = "name,email,address,channel,language,role\n"
GOOD = (
    "\ufeff"
    + HEAD
    + 'Jo Park,jo@example.org,,,es-MX,\n\n"Lee, Ann",,4 Mill Lane; Sample Falls WI 54000,,,\nDredge and Sons,d@example.org,"1 Road\nTown",post,,contractor\n'
)


def test_a_list_is_read_with_channels_languages_and_roles() -> None:
    assert read_people(GOOD, "people.csv") == [
        {"name": "Jo Park", "email": "jo@example.org", "language": "es-MX"},
        {"name": "Lee, Ann", "address": "4 Mill Lane\nSample Falls WI 54000"},
        {"name": "Dredge and Sons", "email": "d@example.org", "address": "1 Road\nTown", "channel": "post", "role": "contractor"},
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (",jo@example.org,,,,", "row 2: nobody is named"),
        ("Jo,,,,,", "neither email nor address"),
        ('Jo,"a@example.org,b@example.org",,,,', "row 2: email: .* must be one address"),
        ("Jo,mailto:a@example.org,,,,", "is a link"),
        ("Jo,jo@ex\u0430mple.org,,,,", "ASCII"),
        ('"Jo\nBcc: eve@example.org",jo@example.org,,,,', "row 2: name: .* must be one line"),
        ("Jo\u202e,jo@example.org,,,,", r"U\+202E"),
        ("Jo,jo@example.org,,fax,,", "none of email, post"),
        ("Jo,,1 Road,email,,", "no email is given"),
        ("Jo,jo@example.org,,,Spanish please,", "is no language"),
        ("Jo,jo@example.org,,,,requester", "none of interested-person"),
        ("Lee, Ann,jo@example.org,,,,,", "more cells"),
    ],
)
def test_a_row_that_can_not_be_taken_is_named_and_nobody_is_taken(row: str, said: str) -> None:
    with pytest.raises(BadInput, match=said) as caught:
        read_people(HEAD + row + "\nBo,bo@example.org,,,,\n", "people.csv")
    assert "nobody of it was" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nam,email\nJo,jo@example.org\n", "no column 'nam'; did you mean 'name'"),
        ("email\njo@example.org\n", "'name' is missing"),
        ("name,name\nJo,Jo\n", "stands twice"),
        ("", "'name' is missing"),
        (HEAD, "names nobody"),
        (HEAD + "Jo,jo@example.org,,,,\n" * (MAX_PEOPLE + 1), "more than 500"),
    ],
)
def test_a_file_that_is_no_list_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_people(text, "people.csv")


def test_people_of_a_list_are_parties_by_an_act_and_get_the_letters_that_are_for_them(app: Callable[[str], App], tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text(GOOD, encoding="utf-8")
    at = app("2026-12-01T10:00")
    request = at.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml"))
    case = at.file({**request, "services": ["navigability-confirmation"], "filed": "2026-12-01T09:00"})["cases"][0]["case"]

    shown = app("2026-12-02T10:00").take_people(case, str(file), None, "ann")

    assert [(party["role"], party["name"], party["channel"]) for party in shown["parties"]][-3:] == [
        ("interested-person", "Jo Park", "email"),
        ("interested-person", "Lee, Ann", "post"),
        ("contractor", "Dredge and Sons", "post"),
    ]
    entry = app("2026-12-02T10:00").timeline(case, "recorded", None)[-1]
    assert (entry["action"], entry["actor"]["id"], len(entry["facts"]["interested_persons"])) == ("record-people", "ann", 3)
    assert app("2026-12-02T10:00").verify(case)["faults"] == []
    with pytest.raises(BadInput, match="records no people"):
        app("2026-12-02T10:00").take_people(case, str(file), "add-note", "ann")
    with pytest.raises(BadInput, match="can't be read"):
        app("2026-12-02T10:00").take_people(case, str(tmp_path / "none.csv"), None, "ann")
