"""Hostile input over the whole site: each is refused or kept as plain text, and nothing on record changes.

The house is one for the module: a case, people of every role, and a case whose every name is markup. What was done on it before and
after is compared table by table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from typing import Any

import pytest
from starlette.testclient import TestClient

from caseflow.errors import BadInput, CaseflowError
from tests.web.conftest import PASSWORD, PEOPLE, House, sign_in, token, words
from tests.web.test_permissions import kept

RLO, NUL, LONE = "\u202e", "\x00", "%ed%a0%80"
TRACES = ("Traceback", "sqlite3.", "sqlalchemy", "OperationalError", "File &#34;", "/site-packages/", "NoneType")


@dataclass
class Ground:
    """The house and what is in it."""

    house: House
    case: str
    letter: str
    clients: dict[str, TestClient]

    @property
    def wren(self) -> TestClient:
        return self.clients["wren"]

    def form(self, who: str = "wren") -> str:
        return token(self.clients[who].get("/me").text)

    def act(self, **more: Any) -> Any:
        """The form of a note, complete but for what is given."""
        sent = {"form_token": self.form(), "intent": "do", "on": "2026-12-01", "command_id": "0" * 32, "seen_version": "1", "f.note": "x", **more}
        return self.wren.post(f"/cases/{self.case}/do/add-note", data=sent)

    def bare(self, cookie: str | None = None) -> TestClient:
        made = self.house.client(None)
        if cookie is not None:
            made.cookies.set("caseflow", cookie)
        return made


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    house = House(tmp_path_factory.mktemp("hostile"))
    app = house.app()
    app.store.upgrade()
    for name, role in PEOPLE.items():
        app.people.add(name, f"{name.capitalize()} Halloway", role, PASSWORD)
    case = house.file()
    letter = house.app().letters(case, None)[0]["number"]
    yield Ground(house, case, letter, {name: house.client(name) for name in PEOPLE})
    app.store.engine.dispose()


Send = Callable[[Ground], Any]
HOSTILE: dict[str, tuple[tuple[int, ...], Send]] = {}


def hostile(name: str, *statuses: int, send: Send) -> None:
    assert name not in HOSTILE, name
    HOSTILE[name] = (statuses, send)


# --- sessions: a cookie that is none opens nothing ---
for title, cookie in {
    "an empty cookie": "",
    "a cookie of spaces": "%20%20",
    "a cookie that is a digest": "0" * 64,
    "a cookie that asks the database": "' OR 1=1 --",
    "a cookie of the wrong kind": "{}",
    "a very long cookie": "a" * 3000,
    "a cookie with another's name": "wren",
    "a cookie that is not ASCII": "w\u00f6rt".encode().decode("latin-1"),
}.items():
    hostile(title, 303, send=lambda g, cookie=cookie: g.house.client(None).get("/docket", headers={"cookie": f"caseflow={cookie}".encode("latin-1")}))  # type: ignore[misc]
hostile("two cookies of which the first is forged", 303, send=lambda g: g.bare().get("/docket", headers={"cookie": "caseflow=x; caseflow=y"}))


def _ended(g: Ground) -> Any:
    client = g.house.client("wren")
    kept_cookie, form = client.cookies["caseflow"], token(client.get("/me").text)
    client.post("/sign-out", data={"form_token": form})
    return g.bare(kept_cookie).post(f"/cases/{g.case}/do/add-note", data={"form_token": form, "intent": "do", "f.note": "x"})


hostile("the form of a session that has ended", 303, send=_ended)
hostile("another's session ended by its id", 404, send=lambda g: g.clients["odell"].post("/me/sessions", data={"form_token": g.form("odell"), "session": g.house.app().people.sessions("wren")[0]["id"]}))  # fmt: skip
hostile("a session in the address", 303, send=lambda g: g.bare().get(f"/docket?caseflow={g.wren.cookies['caseflow']}"))
hostile("a session in a header", 303, send=lambda g: g.bare().get("/docket", headers={"authorization": f"Bearer {g.wren.cookies['caseflow']}"}))

# --- forms of another site ---
for title, headers in {
    "a form from another site": {"sec-fetch-site": "cross-site"},
    "a form from a neighbor of the site": {"sec-fetch-site": "same-site"},
    "a form whose origin is elsewhere": {"origin": "https://evil.example"},
    "a form whose origin is hidden": {"origin": "null"},
    "a form whose origin begins like ours": {"origin": "http://testserver.evil.example"},
    "a form whose origin is ours on another port": {"origin": "http://testserver:81"},
}.items():
    hostile(title, 403, send=lambda g, headers=headers: g.wren.post(f"/cases/{g.case}/do/add-note", data={"form_token": g.form(), "intent": "do", "f.note": "x"}, headers=headers))  # type: ignore[misc]  # fmt: skip
hostile("a form without a token", 403, send=lambda g: g.act(form_token=""))
hostile("a form with a token of zeros", 403, send=lambda g: g.act(form_token="0" * 64))
hostile("a form with another's token", 403, send=lambda g: g.act(form_token=g.form("odell")))
hostile("a form with a token that is not ASCII", 403, send=lambda g: g.act(form_token="\u00fc" * 64))
hostile("a form whose token stands in the address", 403, send=lambda g: g.wren.post(f"/cases/{g.case}/do/add-note?form_token={g.form()}", data={"f.note": "x"}))
hostile("a form with two tokens of which one is right", 403, send=lambda g: g.wren.post("/sign-out", content=f"form_token={g.form()}&form_token=x", headers={"content-type": "application/x-www-form-urlencoded"}))  # fmt: skip
for title, kind in {"JSON": "application/json", "plain text": "text/plain", "nothing": "", "XML": "text/xml"}.items():
    hostile(f"a form that is sent as {title}", 400, send=lambda g, kind=kind: g.wren.post("/sign-out", content=f"form_token={g.form()}", headers={"content-type": kind}))  # type: ignore[misc]  # fmt: skip

# --- hosts and headers ---
for host in ("evil.example", "testserver.evil.example", "testserver@evil.example", "evil.example#testserver", "", "testserver:80:80", "127.0.0.2"):
    hostile(f"the host '{host}'", 400, send=lambda g, host=host: g.wren.get("/docket", headers={"host": host}))  # type: ignore[misc]
for header in ("x-forwarded-host", "x-host", "x-original-url", "x-rewrite-url", "forwarded"):
    hostile(f"the header {header}", 403, send=lambda g, header=header: g.wren.get("/accounts", headers={header: "evil.example"}))  # type: ignore[misc]
hostile(
    "a network address that the browser claims", 303, send=lambda g: g.bare().get("/docket", headers={"x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1"})
)

# --- methods ---
for method in ("PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "CONNECT"):
    hostile(f"the method {method}", 403, 404, 405, send=lambda g, method=method: g.wren.request(method, f"/cases/{g.case}"))  # type: ignore[misc]
hostile("another method in a header", 200, send=lambda g: g.wren.get(f"/cases/{g.case}", headers={"x-http-method-override": "DELETE"}))
hostile("another method in the address", 200, send=lambda g: g.wren.get(f"/cases/{g.case}/do/add-note?_method=POST&intent=do&f.note=x"))
hostile("an approval by a link", 404, 405, send=lambda g: g.wren.get(f"/letters/{g.letter}/approve"))
hostile("a sign-out by a link", 404, 405, send=lambda g: g.wren.get("/sign-out"))

# --- paths ---
for path in (
    "/static/../pyproject.toml",
    "/static/..%2f..%2fpyproject.toml",
    "/static/%2e%2e/%2e%2e/etc/passwd",
    "/static//etc/passwd",
    "/static/vendor/%00",
    "/static/..\\..\\pyproject.toml",
    "/cases/../../etc/passwd",
    "/cases/%2e%2e%2fetc%2fpasswd",
    "/letters/..%2f..%2fcase.db",
    "/cases/' OR '1'='1",
    "/cases/%00",
    f"/cases/{LONE}",
    f"/cases/{'9' * 3000}",
    "/cases/WD-2026-00001-1%0d%0aX: y",
    "/cases/%e2%80%aeWD-2026-00001-1",
    "/letters/%25",
):
    hostile(f"the path {path[:50]}", 303, 400, 404, send=lambda g, path=path: g.wren.get(path))  # type: ignore[misc]
for seq in ("0", "-1", "x", "1e3", "9" * 40, "%00", "1;DROP TABLE entry", "0x1"):
    hostile(f"the entry {seq[:20]}", 400, 404, send=lambda g, seq=seq: g.wren.get(f"/cases/{g.case}/entries/{seq}"))  # type: ignore[misc]

# --- questions in the address ---
for query in (
    "q=' OR 1=1 --",
    'q=" OR "1"="1',
    "q=NEAR(a b)",
    "q=numbers:*",
    f"q={'a ' * 2000}",
    "q=%00&workflow=%00&phase=%00&turn=%00&with=%00",
    f"q={LONE}",
    "q=%e2%80%ae",
    "q=%ff%fe",
    "workflow=';--",
    "show=../../etc",
    "after=9999-99-99:x",
    "after=" + "x" * 5000,
    "after=%00:%00",
    "with[]=a&with[$ne]=1",
):
    hostile(f"the question {query[:40]}", 200, 400, send=lambda g, query=query: g.wren.get(f"/docket?{query}"))  # type: ignore[misc]

# --- what is too much ---
hostile("a form of a million signs", 413, send=lambda g: g.act(**{"f.note": "x" * 1_000_100}))
hostile("three thousand fields", 400, send=lambda g: g.wren.post("/sign-out", data={f"f{n}": "x" for n in range(3000)}))
hostile("a length that is no number", 400, 413, send=lambda g: g.wren.post("/sign-out", content=b"x", headers={"content-length": "1e9", "content-type": "application/x-www-form-urlencoded"}))  # fmt: skip
hostile("a length below nothing", 400, 413, send=lambda g: g.wren.post("/sign-out", content=b"x", headers={"content-length": "-1", "content-type": "application/x-www-form-urlencoded"}))  # fmt: skip
hostile("a body that never says its length", 413, send=lambda g: g.wren.post("/sign-out", content=iter([b"y" * 400_000] * 3), headers={"content-type": "application/x-www-form-urlencoded"}))  # fmt: skip
hostile(
    "a multipart form without an end",
    400,
    403,
    send=lambda g: g.wren.post("/sign-out", content=b"--x\r\n" * 1000, headers={"content-type": "multipart/form-data; boundary=x"}),
)
hostile("a multipart form without a boundary", 400, 403, send=lambda g: g.wren.post("/sign-out", content=b"x", headers={"content-type": "multipart/form-data"}))
hostile(
    "a file where none is asked for",
    400,
    403,
    send=lambda g: g.wren.post(f"/cases/{g.case}/do/add-note", data={"form_token": g.form()}, files={"f.note": ("x.exe", b"MZ")}),
)
hostile("an address of a hundred thousand signs", 200, 400, 404, 414, send=lambda g: g.wren.get("/docket?q=" + "a" * 60_000))
hostile("a password of a million signs", 401, 413, send=lambda g: sign_in(g.bare(), "wren", "x" * 900_000))

# --- what an act is told ---
for title, more in {
    "a day that is none": {"on": "2026-02-30"},
    "a day in the year 99999": {"on": "99999-01-01"},
    "a day in the far future": {"on": "2099-01-01"},
    "a day before the case": {"on": "1900-01-01"},
    "a day in other digits": {"on": "\u0662\u0660\u0662\u0666-12-01"},
    "a day with a line break": {"on": "2026-12-01\r\nX: y"},
    "a version from the future": {"seen_version": "999999999"},
    "an empty note": {"f.note": ""},
    "a note with NUL": {"f.note": f"a{NUL}b"},
    "a note that turns the line around": {"f.note": f"a{RLO}b"},
    "a note too long": {"f.note": "x" * 200_000},
}.items():
    hostile(title, 409, 422, send=lambda g, more=more: g.act(**more))  # type: ignore[misc]
for title, action in {
    "an act that does not exist": "become-king",
    "an act of the scheduler": "file",
    "an act by a path": "..%2fadd-note",
    "an act with NUL": "%00",
}.items():
    hostile(title, 400, 404, 409, 422, send=lambda g, action=action: g.wren.post(f"/cases/{g.case}/do/{action}", data={"form_token": g.form(), "intent": "do"}))  # type: ignore[misc]  # fmt: skip
hostile("an act by an auditor", 403, 409, send=lambda g: g.clients["ada"].post(f"/cases/{g.case}/do/add-note", data={"form_token": g.form("ada"), "intent": "do", "f.note": "x", "on": "2026-12-01"}))  # fmt: skip
hostile("an act in another's name", 409, 422, send=lambda g: g.act(**{"actor": "odell:supervisor", "role": "supervisor", "as": "odell", "f.note": ""}))

# --- accounts ---
for name in ("<script>", "a\r\nSet-Cookie: x=y", f"max{NUL}", f"{RLO}xam", "../max", "a" * 5000, "", "\u0430dmin"):
    hostile(f"the account {name[:20]!r}", 422, send=lambda g, name=name: g.clients["max"].post("/accounts", data={"form_token": g.form("max"), "intent": "add", "name": name, "role": "staff"}))  # type: ignore[misc]  # fmt: skip
for role in ("root", "scheduler", "", "administrator\x00"):
    hostile(f"the role {role!r}", 422, send=lambda g, role=role: g.clients["max"].post("/accounts", data={"form_token": g.form("max"), "intent": "role", "name": "wren", "role": role}))  # type: ignore[misc]  # fmt: skip
hostile(
    "an account closed by somebody who may not", 403, send=lambda g: g.wren.post("/accounts", data={"form_token": g.form(), "intent": "close", "name": "max"})
)
hostile("an intent that is none", 400, send=lambda g: g.clients["max"].post("/accounts", data={"form_token": g.form("max"), "intent": "drop", "name": "wren"}))
hostile("the sign-in that is not set up", 404, send=lambda g: g.bare().get("/sign-in/agency?next=//evil.example"))
hostile("an answer of a sign-in that is not set up", 404, send=lambda g: g.bare().get("/sign-in/back?code=x&state=y"))

# --- programs ---
for title, header in {
    "no token": "",
    "a token that is none": "Bearer x",
    "a token of zeros": f"Bearer cf_{'0' * 43}",
    "another kind of token": "Basic d3JlbjpwYXNzd29yZA==",
    "a token that is not signed": "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ3cmVuIn0.",
    "a token that is long": f"Bearer {'x' * 5000}",
    "a token that asks the database": "Bearer ' OR 1=1 --",
}.items():
    hostile(f"a program with {title}", 401, send=lambda g, header=header: g.bare().get(f"/api/v1/cases/{g.case}", headers={"authorization": header} if header else {}))  # type: ignore[misc]  # fmt: skip
hostile("a program with a browser's session", 401, send=lambda g: g.bare(g.wren.cookies["caseflow"]).get(f"/api/v1/cases/{g.case}"))
hostile("a program with a token in the address", 401, send=lambda g: g.bare().get(f"/api/v1/cases/{g.case}?access_token=x&token=x"))
for title, body in {
    "nested a hundred thousand deep": b"[" * 100_000,
    "of a number without end": b'{"facts": {"note": 1' + b"0" * 5000 + b"}}",
    "of no number": b'{"facts": {"note": NaN}}',
    "of half a sign": b'{"facts": {"note": "\\ud800"}}',
    "of broken signs": b'{"facts": {"note": "\xff\xfe"}}',
    "with a key twice": b'{"facts": {"note": "x"}, "facts": {"note": "y"}, "x": 1}',
    "that is a list": b"[1]",
    "with a prototype": b'{"__proto__": {"role": "supervisor"}, "facts": {}}',
}.items():
    hostile(f"JSON {title}", 400, 409, 413, 415, 422, 428, send=lambda g, body=body: g.house.program().post(f"/api/v1/cases/{g.case}/actions/add-note", content=body, headers={"content-type": "application/json", "if-match": '"1"'}))  # type: ignore[misc]  # fmt: skip


@pytest.mark.parametrize("trial", ["", "/trial"])
def test_more_facts_than_are_read_are_refused_without_looking_at_each(ground: Ground, trial: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    monkeypatch.setattr("caseflow.domain.casework.nearest", lambda name, _known: compared.append(name) or "")  # type: ignore[func-returns-value]
    for many, most in ((501, 0), (400, 20)):
        compared.clear()
        body = {"facts": {f"fact_{at}": "x" for at in range(many)}}
        answer = ground.house.program().post(f"/api/v1/cases/{ground.case}/actions/add-note{trial}", json=body, headers={"if-match": "*"})
        assert answer.status_code == (200 if trial else 422)
        assert len(compared) <= most and len(answer.content) < 200_000
        assert ("501 facts are stated at once; at most 500 are read" in answer.text) is (many == 501), answer.text[:200]


@pytest.mark.parametrize("name", HOSTILE)
def test_it_is_refused_in_a_sentence_and_nothing_changes(ground: Ground, name: str) -> None:
    statuses, send = HOSTILE[name]
    before = kept(ground.house)
    answer = send(ground)
    assert answer.status_code in statuses, (answer.status_code, words(answer.text)[:200])
    assert not [trace for trace in TRACES if trace in answer.text]
    assert "evil.example" not in answer.headers.get("location", "") and "x" not in answer.headers
    if answer.status_code >= 400 and "html" in answer.headers.get("content-type", ""):
        assert re.search(r"[a-z][^<>]{8,}[.;?]", words(answer.text.partition("<main")[2])), "a sentence"
    after = kept(ground.house)
    after.pop("api_token", None), before.pop("api_token", None), after.pop("token", None), before.pop("token", None)
    assert {table: rows for table, rows in after.items() if rows != before.get(table)} == {}


# --- markup and templates in every name: they are kept as they are and shown as text ---
PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "</title><svg onload=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "[x](javascript:alert(1))",
    "![x](http://evil.example/x.png)",
    "{{ 31337 * 31337 }}",
    "{% for x in range(9) %}{{ x }}{% endfor %}",
    "{{ ''.__class__.__mro__ }}",
    "${31337*31337} #{31337*31337} <%= 31337*31337 %>",
    '#read("/etc/passwd")',
    "=HYPERLINK(1)",
)


class Live(HTMLParser):
    """What of a page would act in a browser: scripts with words in them, handlers, and addresses that are no address of the site."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on") or (name in ("href", "src", "action", "formaction") and not re.match(r"[/#?]|mailto:|$", value or "")):
                self.found.append(f"{tag} {name}={value}")
        if (tag == "script" and not dict(attrs).get("src")) or tag in ("iframe", "object", "embed", "base"):
            self.found.append(tag)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_name_that_is_markup_or_a_template_stays_a_name_on_every_page(ground: Ground, payload: str) -> None:
    house = ground.house
    sample = house.app().read_yaml("workflows/wisconsin-dnr/samples/navigability-confirmation/complete.yaml")
    case = house.file(requester={**sample["requester"], "name": payload}, waterbodies=[{**sample["waterbodies"][0], "name": payload}], aliases=[f"A {payload}"])
    house.act(case, "add-note", "2026-12-01T09:00", note=f"{payload} as a note")
    letter = house.app().letters(case, None)[0]["number"]
    pages = {path: ground.clients["odell"].get(path).text for path in ("/docket", f"/cases/{case}", f"/cases/{case}/entries/2", f"/cases/{case}/do/add-note", f"/letters/{letter}", "/calendar?view=list&month=2026-12")}  # fmt: skip
    for path, page in pages.items():
        assert Live(page).found == [], path
        assert "982007569" not in page and "root:" not in page and "<class" not in page, path
    assert payload in words(pages[f"/cases/{case}"]) or escape(payload) in pages[f"/cases/{case}"] or escape(payload, quote=False) in pages[f"/cases/{case}"]


# --- people who would make a letter leave for elsewhere ---
PEOPLE_SLIPS = {
    "a second recipient": {"email": "a@example.org,b@example.org"},
    "a header in the address": {"email": "a@example.org\r\nBcc: b@example.org"},
    "a header in the name": {"name": "Pat\r\nBcc: b@example.org"},
    "a look-alike letter": {"email": "a@ex\u0430mple.org"},
    "a link for an address": {"email": "mailto:a@example.org"},
    "a name that turns around": {"name": f"Pat {RLO} Reed"},
    "a name with NUL": {"name": f"Pat{NUL}"},
    "an address with a quoted part": {"email": '"a b"@example.org'},
    "a name of a hundred thousand signs": {"name": "x" * 100_000},
}


@pytest.mark.parametrize("slip", PEOPLE_SLIPS)
def test_a_person_who_can_not_be_is_refused_by_name_and_nothing_is_filed(ground: Ground, slip: str) -> None:
    sample = ground.house.app().read_yaml("workflows/wisconsin-dnr/samples/navigability-confirmation/complete.yaml")
    before = kept(ground.house)
    with pytest.raises(CaseflowError) as caught:
        ground.house.app().file({**sample, "requester": {**sample["requester"], **PEOPLE_SLIPS[slip]}})
    assert isinstance(caught.value, BadInput) and len(str(caught.value)) < 600
    assert kept(ground.house) == before


def test_there_are_more_than_sixty_of_them() -> None:
    count = len(HOSTILE) + len(PAYLOADS) + len(PEOPLE_SLIPS)
    print(f"{count} hostile inputs")
    assert count >= 60
