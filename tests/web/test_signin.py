"""Coming in: sessions in the database, rest after wrong guesses, nothing learned by guessing."""

from __future__ import annotations

import pytest

from caseflow.errors import BadInput
from tests.web.conftest import PASSWORD, House, sign_in, token, words


def test_a_stranger_is_sent_to_the_form_and_back_to_where_they_wanted_to_go(house: House) -> None:
    stranger = house.client(None)
    asked = stranger.get("/docket?show=overdue")
    assert asked.status_code == 303 and asked.headers["location"] == "/sign-in?next=/docket%3Fshow%3Doverdue"
    form = stranger.get(asked.headers["location"]).text
    sent = stranger.post("/sign-in", data={"name": "wren", "password": PASSWORD, "form_token": token(form), "next": "/docket?show=overdue"})
    assert sent.headers["location"] == "/docket?show=overdue"
    assert stranger.get("/docket?show=overdue").status_code == 200


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nX: y", ""])
def test_nobody_is_sent_elsewhere_by_a_link(house: House, elsewhere: str) -> None:
    assert sign_in(house.client(None), "wren", next=elsewhere).headers["location"] == "/"


@pytest.mark.parametrize(("name", "password"), [("wren", "wrong-password-here"), ("nobody", PASSWORD), ("", ""), ("wren\x00", PASSWORD), ("'; --", "x" * 3000)])
def test_a_wrong_name_and_a_wrong_password_get_the_same_words(house: House, name: str, password: str) -> None:
    answer = sign_in(house.client(None), name, password)
    assert answer.status_code == 401 and "The name or the password is not right." in words(answer.text)
    assert "caseflow=" not in answer.headers.get("set-cookie", "")


@pytest.mark.parametrize("name", ["wren", "nobody-at-all"])
def test_after_five_wrong_guesses_a_name_rests_whether_it_exists_or_not(house: House, name: str) -> None:
    client = house.client(None)
    for _ in range(5):
        assert "not right" in sign_in(client, name, "wrong-password-here").text
    answer = sign_in(client, name)
    assert answer.status_code == 401 and "Wait 15 minutes" in answer.text
    house.clock.later(minutes=16)
    assert sign_in(client, name).status_code == (303 if name == "wren" else 401)


def test_many_wrong_guesses_from_one_address_rest_it_for_every_name(house: House) -> None:
    client = house.client(None)
    for at in range(40):
        sign_in(client, f"guess{at}", "wrong-password-here")
    assert "Wait 15 minutes" in sign_in(client, "wren").text


def test_a_session_that_was_planted_before_the_sign_in_opens_nothing_after_it(house: House) -> None:
    client = house.client(None)
    client.cookies.set("caseflow", "planted-by-somebody-else")
    page = client.get("/sign-in").text
    client.cookies.delete("caseflow")
    client.post("/sign-in", data={"name": "wren", "password": PASSWORD, "form_token": token(page)})
    assert client.cookies["caseflow"] != "planted-by-somebody-else"
    other = house.client(None)
    other.cookies.set("caseflow", "planted-by-somebody-else")
    assert other.get("/docket").status_code == 303


def test_signing_in_again_ends_the_session_before(house: House) -> None:
    client = house.client("wren")
    before = client.cookies["caseflow"]
    page = client.get("/me").text
    assert client.post("/sign-in", data={"name": "odell", "password": PASSWORD, "form_token": token(page)}).status_code == 303
    other = house.client(None)
    other.cookies.set("caseflow", before)
    assert other.get("/docket").status_code == 303


def test_the_database_holds_no_token_and_no_password(house: House) -> None:
    client = house.client("wren")
    kept = (house.folder / "case.db").read_bytes() + (house.folder / "case.db-wal").read_bytes()
    assert client.cookies["caseflow"].encode() not in kept and PASSWORD.encode() not in kept and b"$argon2id$" in kept


def test_a_session_ends_after_two_idle_hours_and_after_twelve_in_any_case(house: House) -> None:
    client = house.client("wren")
    for _ in range(7):
        house.clock.later(minutes=100)
        assert client.get("/docket").status_code == 200
    house.clock.later(minutes=30)
    assert client.get("/docket").status_code == 303, "12 hours and 10 minutes"
    client = house.client("wren")
    house.clock.later(minutes=121)
    assert client.get("/docket").status_code == 303


def test_signing_out_ends_the_session_in_the_database(house: House) -> None:
    client = house.client("wren")
    kept = client.cookies["caseflow"]
    assert client.post("/sign-out", data={"form_token": token(client.get("/me").text)}).headers["location"] == "/sign-in"
    client.cookies.set("caseflow", kept)
    assert client.get("/docket").status_code == 303


def test_a_person_sees_their_sessions_and_ends_one_from_elsewhere(house: House) -> None:
    here, there, other = house.client("wren"), house.client("wren"), house.client("odell")
    page = here.get("/me").text
    assert page.count('name="session"') == 1 and "this one" in page
    session = page.partition('name="session" value="')[2].partition('"')[0]
    foreign = other.post("/me/sessions", data={"session": session, "form_token": token(other.get("/me").text)})
    assert foreign.status_code == 404 and there.get("/docket").status_code == 200
    assert here.post("/me/sessions", data={"session": session, "form_token": token(page)}).status_code == 303
    assert there.get("/docket").status_code == 303 and here.get("/docket").status_code == 200


def test_a_closed_account_and_a_new_password_end_every_session(house: House) -> None:
    client, people = house.client("wren"), house.app().people
    people.disable("wren")
    assert client.get("/docket").status_code == 303
    assert sign_in(house.client(None), "wren").status_code == 401
    client = house.client("odell")
    new = people.set_password("odell")
    assert client.get("/docket").status_code == 303 and sign_in(house.client(None), "odell", new).status_code == 303


@pytest.mark.parametrize(
    ("name", "role", "password"),
    [
        ("wren", "staff", None),
        ("x", "staff", None),
        ("a b", "staff", None),
        ("<b>", "staff", None),
        ("pat", "scheduler", None),
        ("pat", "public", None),
        ("pat", "staff", "short"),
    ],
)
def test_an_account_that_can_not_be_is_refused_by_one_sentence(house: House, name: str, role: str, password: str | None) -> None:
    with pytest.raises(BadInput):
        house.app().people.add(name, "Somebody", role, password)


def test_under_tls_the_cookie_is_bound_to_the_host(house: House) -> None:
    client = house.client(None, secure=True)
    client.base_url = "https://testserver"
    set_cookie = sign_in(client, "wren").headers.get_list("set-cookie")[0]
    assert set_cookie.startswith("__Host-caseflow=") and "Secure" in set_cookie and "HttpOnly" in set_cookie and "SameSite=lax" in set_cookie
    assert client.get("/docket").headers["strict-transport-security"]
