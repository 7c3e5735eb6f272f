"""The board of a supervisor: every figure opens exactly its cases, today and on any past day, and who may not is told so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from caseflow.adapters.store.work import SqlWork
from caseflow.bootstrap import App
from caseflow.demo import seed
from caseflow.errors import BadInput
from caseflow.services.overseeing import Overseeing
from caseflow.services.sight import Part, Sight
from tests.web.conftest import PASSWORD, PEOPLE, SCRIPT, House, words
from tests.web.test_action_form import ASK

TODAY = "2027-01-05T09:00"
LINK = re.compile(r'<a [^>]*?href="(/board/cases\?[^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A sample docket of sixty days, up to the evening before January 5, with a few cases assigned to nobody."""
    house = House(tmp_path_factory.mktemp("board"))
    app = house.app(TODAY)
    app.store.upgrade()
    for name, role in PEOPLE.items():
        app.people.add(name, f"{name.capitalize()} Halloway", role, PASSWORD)
    made = App(f"sqlite:///{house.folder / 'case.db'}", maildrop=str(house.folder / "mail"))
    assert seed(made, date(2027, 1, 5), 60, 30) > 25
    made.store.engine.dispose()
    yield house
    app.store.engine.dispose()


def figures(page: str) -> dict[str, int]:
    """The number of each link to a list, by its address."""
    found: dict[str, int] = {}
    for address, more, text in LINK.findall(page):
        label = re.search(r'aria-label="[^"]*?: (\d+) ', more)
        number = int(label[1] if label else re.search(r"\d+", words(text))[0])  # type: ignore[index]
        assert found.setdefault(unescape(address), number) == number, (address, text)
    return found


def listed(client: TestClient, address: str | None) -> list[str]:
    """The numbers of all cases of a list, page by page."""
    found: list[str] = []
    while address is not None:
        page = client.get(address)
        assert page.status_code == 200, words(page.text)
        found += [unescape(one) for one in re.findall(r'class="row-link" href="/cases/([^"]+)"', page.text)]
        more = re.search(r'<a href="([^"]+)" rel="next"', page.text)
        address = unescape(more[1]) if more else None
    return found


@pytest.mark.parametrize("day", ["", "?as_of=2026-12-18", "?as_of=2026-11-25"])
def test_every_figure_of_the_board_opens_exactly_that_many_cases(sample: House, day: str) -> None:
    client = sample.client("odell", TODAY)
    page = client.get(f"/board{day}")
    assert page.status_code == 200
    found = figures(page.text)
    shown = {address.partition("show=")[2].partition("&")[0] for address in found}
    assert shown >= {"overdue", "at-risk", "silence", "on-hold", "weather-delayed", "letters-waiting", "stuck", "open", "targets"} | (
        {"decided"} if "11-25" not in day else set()
    )
    assert sum(number > 0 for number in found.values()) > 10, "a sample of zeros would show nothing"
    assert all(("as_of=" in address) == bool(day) for address in found)
    for address, number in found.items():
        cases = listed(client, address)
        assert len(cases) == len(set(cases)) == number, address


def test_a_long_list_goes_on_page_by_page_and_misses_nothing(sample: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caseflow.web.pages.board.SIZE", 4)
    client = sample.client("odell", TODAY)
    for day in ("", "?as_of=2026-12-18"):
        for address, number in figures(client.get(f"/board{day}").text).items():
            if "on=" not in address and "kind=" not in address:
                cases = listed(client, address)
                assert len(cases) == len(set(cases)) == number, address


def test_a_past_day_is_shown_as_it_was_shown_on_that_day_whatever_was_recorded_since(house: House) -> None:
    def live(moment: str) -> dict[str, Any]:
        return house.app(moment).overseeing.sheet()  # type: ignore[no-any-return]

    late = house.file(moment="2026-11-30T09:00")
    held = house.file("ohwm-confirmation", moment="2026-12-01T09:00")
    house.act(held, ASK, "2026-12-07T09:00", items=["OHWM-c"])
    days = ("2026-12-08", "2026-12-14", "2026-12-31", "2027-01-04")
    seen = {days[0]: live(f"{days[0]}T18:00")}
    house.act(late, "assign", "2026-12-14T09:00", assignee="wren")
    seen[days[1]] = live(f"{days[1]}T18:00")
    house.file(moment="2026-12-29T09:00")
    house.app("2026-12-31T12:00").sweep(None)
    seen[days[2]] = live(f"{days[2]}T18:00")
    # Typed on January 4 and effective in December: the board of December never knew it.
    house.app("2027-01-04T09:00").act(held, "accept-information", {"items": ["OHWM-c"]}, "2026-12-11", "wren:staff", None, None, False)
    seen[days[3]] = live(f"{days[3]}T18:00")

    assert [len(shown["stays"][0]["longest"]) for shown in seen.values()] == [1, 1, 1, 0]
    assert [next(one["count"] for one in shown["figures"] if one["id"] == "overdue") for shown in seen.values()] == [0, 0, 1, 1]
    board = house.app("2027-02-01T09:00").overseeing
    for day, shown in seen.items():
        again = board.sheet(day)
        assert again.pop("past") and again.pop("changed") == len(board.watch(date.fromisoformat(day)).then)
        assert again == {key: value for key, value in shown.items() if key not in ("past", "changed")}, day


def test_a_day_to_come_and_one_that_is_none_are_told_and_a_typed_one_is_read(sample: House) -> None:
    client = sample.client("odell", TODAY)
    for typed in ("2027-01-06", "never", "2026-02-30"):
        page = client.get(f"/board?as_of={typed}")
        assert page.status_code == 400 and 'class="band"' not in page.text
    assert "lies after today" in words(client.get("/board?as_of=1/6/27").text)
    shown = words(client.get("/board?as_of=Dec+18").text)
    assert "As the record stood at the end of Friday, December 18, 2026." in shown and "replayed from what was recorded by then" in shown


@pytest.mark.parametrize(
    "address",
    [
        "show=nothing",
        "",
        "show=decided&month=2026-13",
        "show=decided&month=9999-12",
        "show=open&month=9999-12",
        "show=decided&month=2027-02",
        "show=decided&kind=never",
        "show=on-hold&least=-1",
        "show=on-hold&most=999999",
        "show=targets&on=x",
        "show=open&after=x:y",
    ],
)
def test_a_list_that_is_none_is_refused_in_a_sentence(sample: House, address: str) -> None:
    page = sample.client("odell", TODAY).get(f"/board/cases?{address}")
    assert page.status_code == 400 and "fault" not in words(page.text)


def test_more_changes_than_a_page_may_replay_are_refused_with_what_to_do(sample: House) -> None:
    board = sample.app(TODAY).overseeing
    with pytest.raises(BadInput, match="More than 3 cases have changed since 2026-12-01.*caseflow board --as-of 2026-12-01"):
        board.watch(date(2026, 12, 1), 3)
    assert board.watch(date(2026, 12, 1), None).then


@pytest.mark.parametrize("path", ["/board", "/board/cases?show=open"])
@pytest.mark.parametrize(("who", "status"), [("wren", 403), ("max", 403), ("ada", 200), ("odell", 200), (None, 303)])
def test_the_board_is_for_roles_that_oversee(house: House, path: str, who: str | None, status: int) -> None:
    client = house.client(who)
    assert client.get(path).status_code == status
    if status == 403:
        assert 'href="/board"' not in client.get("/docket").text, "a place that is not open is absent"


def test_names_stay_names_on_the_board(house: House) -> None:
    case = house.file(waterbodies=[{"name": SCRIPT, "county": "Dane"}])
    house.act(case, "assign", "2026-12-01T09:00", assignee="b<o>")
    client = house.client("odell", "2027-01-05T09:00")
    for path in ("/board", "/board/cases?show=overdue", "/board/cases?show=open&with=b<o>", f"/board/cases?show=open&with={SCRIPT}"):
        page = client.get(path)
        assert page.status_code == 200 and "<script>alert" not in page.text and "b<o>" not in page.text


def test_the_command_and_the_page_count_the_same(sample: House) -> None:
    app = sample.app(TODAY)
    for day in (None, "2026-12-18"):
        told = {group["id"]: group["count"] for group in app.board(day)["groups"]}
        assert told == {figure["id"]: figure["count"] for figure in app.overseeing.sheet(day)["figures"]}
        assert all(len(group["cases"]) == group["count"] for group in app.board(day)["groups"])


def test_a_board_and_its_lists_count_only_what_is_seen_today_and_on_a_past_day(sample: House) -> None:
    board = sample.app(TODAY).overseeing
    everything = board.sheet()
    who = next(row["user"] for row in everything["workload"] if row["user"] and row["open"] > 1)
    for day in (None, "2026-12-18"):
        whole, part = board.sheet(day), board.sheet(day, Sight((Part(assigned=True),), who))
        counts = [{figure["id"]: figure["count"] for figure in one["figures"]} for one in (whole, part)]
        assert 0 < counts[1]["open"] < counts[0]["open"]
        for show, count in counts[1].items():
            made = board.cases({"show": show, **({"as_of": day} if day else {})}, None, 500, Sight((Part(assigned=True),), who))
            assert made["total"] == len(made["rows"]) == count
        assert all(figure["count"] == 0 for figure in board.sheet(day, Sight(()))["figures"])


def test_the_board_of_today_reads_no_case_but_those_that_silence_will_decide(sample: House, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    whole = SqlWork.case
    monkeypatch.setattr(SqlWork, "case", lambda work, number: read.append(number) or whole(work, number))
    made = sample.app(TODAY).overseeing.sheet()
    assert sorted(read) == sorted(row["case"] for row in made["silence"]) and len(read) <= 10


def test_a_past_day_is_replayed_once_and_then_only_what_has_changed_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = house.file(moment="2026-11-30T09:00"), house.file(moment="2026-11-30T10:00")
    house.act(first, "add-note", "2026-12-02T09:00", note="One.")
    app, replayed = house.app(TODAY), []
    whole = Overseeing._replayed
    monkeypatch.setattr(Overseeing, "_replayed", lambda board, number, cut: replayed.append(number) or whole(board, number, cut))
    assert app.overseeing.sheet("2026-12-01")["changed"] == 1
    house.act(second, "add-note", "2026-12-03T09:00", note="Two.")
    assert app.overseeing.sheet("2026-12-01")["changed"] == 2
    assert replayed == [first, second]


def test_each_chart_is_a_drawing_with_its_table_and_months_show_held_days_apart(sample: House) -> None:
    page = sample.client("odell", TODAY).get("/board").text
    for name, caption in (("targets", "Targets in the next six weeks"), ("in-time", "Decided cases by month")):
        part = page.partition(f'aria-labelledby="{name}"')[2].partition("</section>")[0]
        assert part.count("<svg") == 2, "drawn once for wide and once for narrow pages"
        table = part.partition("<table")[2].partition("</table>")[0]
        assert caption in table
        drawn, listed = set(LINK.findall(part.partition("<details")[0])), set(LINK.findall(table))
        assert drawn and {one[0] for one in drawn} <= {one[0] for one in listed}, "what is drawn can be read in the table"
    months = page.partition('aria-labelledby="in-time"')[2].partition("</section>")[0]
    assert "the law counts them as in time" in words(months) and "kind=held" in months


def test_workload_and_standing_cases_say_whose_and_since_when(sample: House) -> None:
    client = sample.client("odell", TODAY)
    page = client.get("/board").text
    sheet = sample.app(TODAY).overseeing.sheet()
    load = page.partition('id="load"')[2].partition("</section>")[0]
    for row in sheet["workload"]:
        assert re.search(rf'with={row["user"] or "nobody"}"[^>]*>{row["open"]}</a>', load), row
    held = sheet["stays"][0]["longest"]
    assert held and held[0]["stands"]["days"] >= held[-1]["stands"]["days"]
    listed = words(client.get("/board/cases?show=on-hold").text)
    assert "the longest first" in listed and f"{held[0]['stands']['days']} days {held[0]['title']}" in listed
