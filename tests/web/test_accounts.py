"""Accounts by whoever manages them, with who did it; sessions that their owner ends; a password that its owner changes."""

from __future__ import annotations

import re
import sqlite3

import pytest

from caseflow.adapters.store.accounts import SqlAccounts
from tests.web.conftest import PASSWORD, House, sign_in, token, words


def do(house: House, who: str, intent: str, **more: str) -> str:
    """Sends a form of the accounts page; the answer is the page, after where it leads to."""
    client = house.client(who)
    answer = client.post("/accounts", data={"form_token": token(client.get("/me").text), "intent": intent, **more})
    return words(client.get(answer.headers["location"]).text if answer.status_code == 303 else answer.text)


def shown_password(page: str) -> str:
    found = re.search(r"(?:[a-z2-9]{5}-){3}[a-z2-9]{5}", page)
    assert found, page
    return found[0]


def test_of_two_who_add_the_same_name_at_once_the_second_is_told_that_there_is_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.app().people.add("r.vang", "R. Vang", "staff", PASSWORD)
    client, accounts = house.client("max"), "caseflow.adapters.store.accounts.SqlAccounts.account"
    form, found = token(client.get("/me").text), SqlAccounts.account
    monkeypatch.setattr(accounts, lambda self, name: None if name == "r.vang" else found(self, name))
    answer = client.post("/accounts", data={"form_token": form, "intent": "add", "name": "r.vang", "title": "Other", "role": "supervisor"})
    assert answer.status_code == 422 and "There is an account 'r.vang' already" in words(answer.text)
    monkeypatch.undo()
    account = house.app().store.accounts.account("r.vang")
    assert account is not None and (account.name, account.role) == ("R. Vang", "staff")


def test_an_account_is_added_and_its_password_shown_once(house: House) -> None:
    page = do(house, "max", "add", name="r.vang", title="R. Vang", role="staff")
    password = shown_password(page)
    assert "r.vang may sign in now" in page and sign_in(house.client(None), "r.vang", password).status_code == 303
    again = words(house.client("max").get("/accounts").text)
    assert password not in again and "r.vang added staff max" in again
    assert password.encode() not in (house.folder / "case.db").read_bytes() + (house.folder / "case.db-wal").read_bytes()


@pytest.mark.parametrize("name", ["x", "a b", "<b>x", "wren", "r\u202evang", "x" * 41, ""])
def test_a_name_that_can_not_be_is_said_and_what_was_written_is_kept(house: House, name: str) -> None:
    before = len(house.app().people.all())
    page = do(house, "max", "add", name=name, title="Somebody", role="staff")
    assert "Nothing was changed." in page and len(house.app().people.all()) == before
    assert "There is no role" in do(house, "max", "add", name="pat", role="scheduler")


def test_a_new_password_ends_every_session_and_opens_with_the_new_one_only(house: House) -> None:
    client = house.client("wren")
    password = shown_password(do(house, "max", "password", name="wren"))
    assert client.get("/docket").status_code == 303
    assert sign_in(house.client(None), "wren").status_code == 401 and sign_in(house.client(None), "wren", password).status_code == 303


def test_a_closed_account_ends_at_once_and_opens_again_with_a_new_password(house: House) -> None:
    client = house.client("wren")
    assert "wren is closed" in do(house, "max", "close", name="wren") and client.get("/docket").status_code == 303
    assert sign_in(house.client(None), "wren").status_code == 401
    password = shown_password(do(house, "max", "reopen", name="wren"))
    assert sign_in(house.client(None), "wren").status_code == 401 and sign_in(house.client(None), "wren", password).status_code == 303
    assert "is open" in do(house, "max", "reopen", name="wren")


def test_another_role_holds_from_the_next_page_on(house: House) -> None:
    client = house.client("wren")
    assert client.get("/accounts").status_code == 403
    assert "another role" in do(house, "max", "role", name="wren", role="administrator")
    assert client.get("/accounts").status_code == 200
    assert "staff to administrator" in words(client.get("/accounts").text)


def test_nobody_closes_themselves_or_leaves_the_agency_without_a_manager(house: House) -> None:
    assert "can’t close your own" in do(house, "max", "close", name="max").replace("'", "’")
    assert "last who manages accounts" in do(house, "max", "role", name="max", role="staff")
    house.app().people.give_role("wren", "administrator")
    assert "Signed in as max, Staff" in do(house, "max", "role", name="max", role="staff")
    assert {one.id: one.role for one in house.app().people.all()}["max"] == "staff"


@pytest.mark.parametrize("who", ["wren", "odell", "ada"])
def test_who_does_not_manage_accounts_gets_a_sentence_and_changes_nothing(house: House, who: str) -> None:
    client = house.client(who)
    assert "does not open this page" in client.get("/accounts").text
    for intent in ("add", "password", "close", "role", "reopen"):
        sent = client.post("/accounts", data={"form_token": token(client.get("/me").text), "intent": intent, "name": "max", "role": "staff", "title": "x"})
        assert sent.status_code == 403 and "does not open this page" in sent.text
    assert house.app().people.changes()[0].what == "added" and len(house.app().people.changes()) == 4
    assert ">Accounts<" not in client.get("/me").text


def test_what_was_done_to_an_account_is_never_changed_or_removed(house: House) -> None:
    with sqlite3.connect(house.folder / "case.db") as database:
        for statement in ("UPDATE account_change SET by = 'x'", "DELETE FROM account_change"):
            with pytest.raises(sqlite3.DatabaseError, match="never changed"):
                database.execute(statement)


def test_sessions_tell_from_where_and_end_together(house: House) -> None:
    here, there, third = house.client("wren"), house.client("wren"), house.client("wren")
    page = here.get("/me").text
    assert words(page).count("testclient") >= 3 and "End all the others" in page
    sent = here.post("/me/sessions", data={"intent": "others", "form_token": token(page)})
    assert "Your other sessions are ended." in words(here.get(sent.headers["location"]).text)
    assert [client.get("/docket").status_code for client in (here, there, third)] == [200, 303, 303]
    assert "End all the others" not in here.get("/me").text


def change(house: House, old: str, new: str, again: str | None = None) -> tuple[str, list[int]]:
    here, there = house.client("wren"), house.client("wren")
    sent = {"old": old, "new": new, "again": again if again is not None else new, "form_token": token(here.get("/me").text)}
    answer = here.post("/me/password", data=sent)
    page = here.get(answer.headers["location"]).text if answer.status_code == 303 else answer.text
    return words(page), [client.get("/docket").status_code for client in (here, there)]


def test_a_changed_password_ends_the_other_sessions_and_keeps_this_one(house: House) -> None:
    page, open_ = change(house, PASSWORD, "another-long-password")
    assert "Your password is changed" in page and open_ == [200, 303]
    assert sign_in(house.client(None), "wren").status_code == 401 and sign_in(house.client(None), "wren", "another-long-password").status_code == 303


@pytest.mark.parametrize(
    ("old", "new", "again", "said"),
    [
        ("wrong-password-here", "another-long-password", None, "present password is not right"),
        (PASSWORD, "short", None, "12 to 200"),
        (PASSWORD, "x" * 201, None, "12 to 200"),
        (PASSWORD, PASSWORD, None, "choose another"),
        (PASSWORD, "another-long-password", "another-long-passwork", "not written twice the same"),
    ],
)
def test_a_password_that_can_not_be_changes_nothing(house: House, old: str, new: str, again: str | None, said: str) -> None:
    page, open_ = change(house, old, new, again)
    assert said in page and open_ == [200, 200] and sign_in(house.client(None), "wren").status_code == 303


def test_whoever_found_an_open_browser_can_not_guess_its_password(house: House) -> None:
    client = house.client("wren")
    sent = {"old": "wrong-password-here", "new": "another-long-password", "again": "another-long-password", "form_token": token(client.get("/me").text)}
    said = [words(client.post("/me/password", data=sent).text) for _ in range(6)]
    assert "not right" in said[4] and "Wait 15 minutes" in said[5]
