"""Coming from the agency's own sign-in: what it proves opens a session, and every lie, slip and detour opens none."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import RSAKey
from starlette.testclient import TestClient

from caseflow.bootstrap import App
from caseflow.errors import BadInput
from caseflow.services.people import People, roles_of
from caseflow.web.app import create_app
from caseflow.web.site import Site
from tests.web.conftest import PACKED, House, sign_in, token, words
from tests.web.provider import CLIENT, SECRET, Provider


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASEFLOW_OIDC_SECRET", SECRET)


def app(house: House, provider: Provider, **settings: str) -> App:
    made = App(
        database=f"sqlite:///{house.folder / 'case.db'}",
        at="2026-12-01T09:00",
        maildrop=str(house.folder / "mail"),
        oidc_issuer=provider.issuer,
        oidc_client=CLIENT,
        **settings,
    )
    made.people = People(made.store.accounts, PACKED, house.clock, lambda: roles_of(made.library.all()))
    return made


def browser(house: House, provider: Provider, local: bool = True, secure: bool = False, **settings: str) -> TestClient:
    made = app(house, provider, **settings)
    site = Site(made, ("testserver",), secure, scheduler=False, local=local, elsewhere=made.elsewhere)
    return TestClient(create_app(site), follow_redirects=False, base_url="https://testserver" if secure else "http://testserver")


def come(client: TestClient, provider: Provider, to: str = "", **more: str) -> Any:
    """Goes to the other sign-in and comes back; the answer."""
    sent = client.get("/sign-in/agency" + to)
    assert sent.status_code == 303, words(sent.text)
    return client.get("/sign-in/back", params={**provider.lets_in(sent.headers["location"]), **more})


def inside(client: TestClient) -> bool:
    return client.get("/me").status_code == 200


def test_whom_the_agencys_sign_in_proves_is_let_in_and_goes_where_they_wanted(house: House, provider: Provider) -> None:
    client = browser(house, provider)
    assert "Sign in with the agency’s account" in client.get("/sign-in?next=/docket%3Fshow%3Doverdue").text
    answer = come(client, provider, "?next=/docket%3Fshow%3Doverdue")
    assert answer.status_code == 303 and answer.headers["location"] == "/docket?show=overdue" and inside(client)
    assert "Signed in as wren, Staff" in words(client.get("/me").text)
    assert [(one.account, one.what) for one in app(house, provider).people.changes(1)] == [("wren", "sign-in")]
    assert "caseflow-begun=" in answer.headers.get_list("set-cookie")[-1] and "Max-Age=0" in answer.headers.get_list("set-cookie")[-1]


def test_what_is_asked_of_the_other_side_is_the_least_and_bound_to_this_browser(house: House, provider: Provider) -> None:
    asked = [parse_qs(urlsplit(browser(house, provider).get("/sign-in/agency").headers["location"]).query) for _ in range(2)]
    assert asked[0]["scope"] == ["openid profile"] and asked[0]["redirect_uri"] == ["http://testserver/sign-in/back"]
    for name in ("state", "nonce", "code_challenge"):
        assert asked[0][name] != asked[1][name] and len(asked[0][name][0]) >= 32


LIES: dict[str, dict[str, Any]] = {
    "another issuer": {"iss": "https://evil.example"},
    "no issuer": {"iss": None},
    "another audience": {"aud": "another-program"},
    "no audience": {"aud": None},
    "audiences of which another is the one meant": {"aud": [CLIENT, "another"], "azp": "another"},
    "several audiences and nobody meant": {"aud": [CLIENT, "another"]},
    "expired": {"exp": int(time.time()) - 3600, "iat": int(time.time()) - 7200},
    "no end": {"exp": None},
    "an end that is a word": {"exp": "never"},
    "not yet valid": {"nbf": int(time.time()) + 3600},
    "made in the future": {"iat": int(time.time()) + 3600},
    "another nonce": {"nonce": "of another sign-in"},
    "no nonce": {"nonce": None},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
    "a subject that is a list": {"sub": ["u-1"]},
    "no name": {"preferred_username": None},
    "a name that is a list": {"preferred_username": ["wren"]},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_token_with_a_wrong_claim_opens_nothing(house: House, provider: Provider, lie: str) -> None:
    provider.claims = LIES[lie]
    client = browser(house, provider)
    answer = come(client, provider)
    assert answer.status_code == 401 and "could not prove who you are" in words(answer.text) and not inside(client)
    assert not app(house, provider).store.accounts.account("wren").subject  # type: ignore[union-attr]


@pytest.mark.parametrize("alg", ["none", "HS256", "HS512", "another key", "a key that is no longer published"])
def test_a_token_that_the_published_key_has_not_signed_opens_nothing(house: House, provider: Provider, alg: str) -> None:
    if alg in ("none", "HS256", "HS512"):
        provider.alg = alg
    elif alg == "another key":
        provider.key = RSAKey.generate_key(2048, {"kid": "first"})
    else:
        provider.published = [RSAKey.generate_key(2048, {"kid": "second"})]
    client = browser(house, provider)
    assert come(client, provider).status_code == 401 and not inside(client)


def test_a_token_whose_claims_were_changed_after_signing_opens_nothing(house: House, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    from base64 import urlsafe_b64decode, urlsafe_b64encode

    honest = Provider.signed

    def changed(self: Provider, claims: dict[str, Any]) -> str:
        head, body, seal = honest(self, claims).split(".")
        told = json.loads(urlsafe_b64decode(body + "=="))
        return ".".join((head, urlsafe_b64encode(json.dumps({**told, "preferred_username": "max"}).encode()).decode().rstrip("="), seal))

    monkeypatch.setattr(Provider, "signed", changed)
    client = browser(house, provider)
    assert come(client, provider).status_code == 401 and not inside(client)


def test_keys_that_the_other_side_has_changed_are_asked_for_anew_and_not_for_every_wrong_token(
    house: House, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser(house, provider)
    assert come(client, provider).status_code == 303
    provider.own = RSAKey.generate_key(2048, {"kid": "first"})
    provider.published = [provider.own]
    assert come(client, provider).status_code == 401, "they are not asked for again at once"
    real = time.monotonic
    monkeypatch.setattr("caseflow.adapters.oidc.time.monotonic", lambda: real() + 60)
    assert come(client, provider).status_code == 303 and provider.asked.count("/keys") == 2


@pytest.mark.parametrize("answer", [(500, b"{}"), (400, b'{"error": "x"}'), (200, b"<html>"), (200, b"[1]"), (200, b"{}"), (200, b'{"id_token": 1}'), (200, b'{"id_token": "a.b.c"}'), (200, b"[" * 100_000), (200, b'"' + b"x" * 300_000 + b'"'), (302, b"")])  # fmt: skip
def test_an_answer_that_can_not_be_believed_is_said_in_a_sentence(house: House, provider: Provider, answer: tuple[int, bytes]) -> None:
    provider.answer = answer
    client = browser(house, provider)
    told = come(client, provider)
    assert told.status_code == 401 and ("could not prove" in told.text or "does not answer" in told.text) and not inside(client)


def test_a_code_serves_once_and_only_with_the_verifier_of_its_browser(house: House, provider: Provider) -> None:
    client = browser(house, provider)
    sent = provider.lets_in(client.get("/sign-in/agency").headers["location"])
    kept = client.cookies["caseflow-begun"]
    assert client.head("/sign-in/back", params=sent).status_code == 405, "whoever asks for a head only does not use the answer up"
    assert client.get("/sign-in/back", params=sent).status_code == 303
    client.cookies.clear()
    client.cookies.set("caseflow-begun", kept)
    assert client.get("/sign-in/back", params=sent).status_code == 401 and not inside(client), "the same answer a second time"
    victim = browser(house, provider)
    stolen = provider.lets_in(client.get("/sign-in/agency").headers["location"])
    victim.get("/sign-in/agency")
    assert victim.get("/sign-in/back", params=stolen).status_code == 401 and not inside(victim), "an answer of another browser"


@pytest.mark.parametrize("kind", ["none", "forged", "another state", "no state", "too late", "refused there", "another issuer"])
def test_an_answer_that_was_not_asked_for_here_opens_nothing(house: House, provider: Provider, kind: str) -> None:
    client = browser(house, provider)
    sent = provider.lets_in(client.get("/sign-in/agency").headers["location"])
    if kind == "none":
        client.cookies.clear()
    elif kind == "forged":
        body, _, seal = client.cookies["caseflow-begun"].rpartition(".")
        client.cookies.clear()
        client.cookies.set("caseflow-begun", f"{body}.{'0' * len(seal)}")
    elif kind == "another state":
        sent["state"] = "x" * 32
    elif kind == "no state":
        sent["state"] = ""
    elif kind == "refused there":
        sent = {"state": sent["state"], "error": "access_denied", "error_description": "<script>alert(1)</script>"}
    elif kind == "another issuer":
        sent["iss"] = "https://evil.example"
    if kind == "too late":
        from datetime import UTC, datetime, timedelta

        client.app._site.elsewhere._now = lambda: datetime.now(UTC) + timedelta(minutes=11)  # type: ignore[attr-defined]
    answer = client.get("/sign-in/back", params=sent)
    assert answer.status_code == 401 and "begin again" in answer.text and "<script>alert" not in answer.text and not inside(client)


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nX: y", ""])
def test_nobody_is_sent_elsewhere_after_coming_in(house: House, provider: Provider, elsewhere: str) -> None:
    client = browser(house, provider)
    sent = client.get("/sign-in/agency", params={"next": elsewhere})
    answer = client.get("/sign-in/back", params=provider.lets_in(sent.headers["location"]))
    assert answer.headers["location"] == "/" and "x" not in answer.headers


def test_the_way_back_is_an_address_of_this_site_only(house: House, provider: Provider) -> None:
    client = browser(house, provider)
    for headers in ({"host": "evil.example"}, {"x-forwarded-host": "evil.example"}, {"forwarded": "host=evil.example"}):
        sent = client.get("/sign-in/agency", headers=headers)
        assert "evil.example" not in sent.headers.get("location", "")


def test_the_first_time_binds_the_account_and_nobody_else_takes_its_name(house: House, provider: Provider) -> None:
    assert come(browser(house, provider), provider).status_code == 303
    provider.claims = {"sub": "u-2"}
    other = browser(house, provider)
    assert "belongs to somebody else" in words(come(other, provider).text) and not inside(other)
    provider.claims = {"preferred_username": "a-new-name"}
    renamed = browser(house, provider)
    assert come(renamed, provider).status_code == 303 and "Signed in as wren" in words(renamed.get("/me").text), "the person counts, not the name"


def test_nobody_gets_an_account_unless_the_setting_says_so(house: House, provider: Provider) -> None:
    provider.claims = {"sub": "u-9", "preferred_username": "R.Vang", "name": "R. Vang <b>", "groups": ["all", "case-staff"]}
    client = browser(house, provider, oidc_roles="groups: case-staff=staff")
    assert "no account for you here" in words(come(client, provider).text) and not inside(client)
    client = browser(house, provider, oidc_roles="groups: case-chiefs=supervisor, case-staff=staff", oidc_create="yes")
    assert come(client, provider).status_code == 303 and "Signed in as r.vang, Staff" in words(client.get("/me").text)
    assert "<b>" not in client.get("/me").text.partition("<main")[2].partition("Where you are")[0].replace("&lt;b&gt;", "")
    assert sign_in(house.client(None), "r.vang", "").status_code == 401, "such an account has no password"


@pytest.mark.parametrize("name", ["../admin", "a b", "x", "<b>", "r\u202evang", "max\x00", "x" * 300])
def test_a_name_that_can_not_be_one_here_gets_no_account(house: House, provider: Provider, name: str) -> None:
    before = len(house.app().people.all())
    provider.claims = {"sub": "u-9", "preferred_username": name, "groups": "case-staff"}
    client = browser(house, provider, oidc_roles="groups: case-staff=staff", oidc_create="yes")
    assert come(client, provider).status_code == 401 and not inside(client) and len(house.app().people.all()) == before


@pytest.mark.parametrize("groups", [None, [], "case", ["CASE-STAFF"], {"case-staff": True}, 7, [["case-staff"]], ["case-staff "]])
def test_a_claim_that_gives_no_role_lets_nobody_in(house: House, provider: Provider, groups: Any) -> None:
    provider.claims = {"groups": groups}
    client = browser(house, provider, oidc_roles="groups: case-staff=staff")
    assert "gives you no role here" in words(come(client, provider).text) and not inside(client)


def test_the_role_follows_the_claim_and_the_change_is_kept(house: House, provider: Provider) -> None:
    provider.claims = {"groups": ["chiefs"]}
    client = browser(house, provider, oidc_roles="groups: chiefs=supervisor, all=staff")
    come(client, provider)
    provider.claims = {"groups": ["all"]}
    come(client, provider)
    assert "wren, Staff" in words(client.get("/me").text)
    assert [(one.what, one.detail) for one in house.app().people.changes(2)] == [("role", "supervisor to staff"), ("sign-in", "")]


def test_a_closed_account_stays_closed_whatever_the_other_side_says(house: House, provider: Provider) -> None:
    house.app().people.disable("wren")
    client = browser(house, provider)
    assert "is closed" in words(come(client, provider).text) and not inside(client)


def test_passwords_kept_here_may_be_switched_off(house: House, provider: Provider) -> None:
    client = browser(house, provider, local=False)
    form = client.get("/sign-in").text
    assert 'type="password"' not in form and "agency’s account" in form
    sent = client.post("/sign-in", data={"name": "wren", "password": "correct-horse-battery", "form_token": token(house.client(None).get("/sign-in").text)})
    assert sent.status_code in (400, 403) and not inside(client)
    assert come(client, provider).status_code == 303
    page = client.get("/me").text
    assert "Your password" not in page
    assert client.post("/me/password", data={"form_token": token(page), "old": "x", "new": "y" * 12, "again": "y" * 12}).status_code == 400


def test_signing_out_ends_the_session_and_offers_to_leave_the_other_side(house: House, provider: Provider) -> None:
    client = browser(house, provider)
    come(client, provider)
    answer = client.post("/sign-out", data={"form_token": token(client.get("/me").text)})
    assert f'href="{provider.issuer}/leave?client_id={CLIENT}&amp;post_logout_redirect_uri=http%3A%2F%2Ftestserver%2Fsign-in"' in answer.text
    assert not inside(client)


def test_under_tls_the_cookie_that_begins_is_bound_to_the_host(house: House, provider: Provider) -> None:
    client = browser(house, provider, secure=True)
    sent = client.get("/sign-in/agency")
    assert (
        sent.headers["set-cookie"].startswith("__Host-caseflow-begun=") and "Secure" in sent.headers["set-cookie"] and "HttpOnly" in sent.headers["set-cookie"]
    )
    assert "redirect_uri=https%3A%2F%2Ftestserver%2Fsign-in%2Fback" in sent.headers["location"]


@pytest.mark.parametrize("document", [{"issuer": "https://evil.example"}, {"token_endpoint": "http://evil.example/token"}, {"jwks_uri": "file:///etc/passwd"}, {"authorization_endpoint": "javascript:alert(1)"}, {"token_endpoint": None}])  # fmt: skip
def test_a_description_of_the_other_side_that_leads_astray_is_not_followed(house: House, provider: Provider, document: dict[str, Any]) -> None:
    provider.document = document
    answer = browser(house, provider).get("/sign-in/agency")
    assert answer.status_code == 401 and "could not prove" in answer.text


def test_where_the_other_side_does_not_answer_it_is_said_and_the_site_goes_on(house: House, provider: Provider) -> None:
    provider.close()
    client = browser(house, provider)
    answer = client.get("/sign-in/agency")
    assert answer.status_code == 401 and "does not answer" in answer.text and sign_in(client, "wren").status_code == 303


def test_neither_log_nor_page_tells_what_the_other_side_said(house: House, provider: Provider, caplog: pytest.LogCaptureFixture) -> None:
    provider.claims = {"aud": "Quillfeather", "name": "Quillfeather", "sub": "Quillfeather"}
    client = browser(house, provider)
    with caplog.at_level("DEBUG"):
        answer = come(client, provider)
    assert "Quillfeather" not in answer.text and "Quillfeather" not in caplog.text and "is not believed" in caplog.text and SECRET not in caplog.text


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"oidc_issuer": "http://login.example.gov"}, "oidc_issuer is"),
        ({"oidc_issuer": "https://login.example.gov?x=1"}, "oidc_issuer is"),
        ({"oidc_issuer": "file:///etc"}, "oidc_issuer is"),
        ({"oidc_client": ""}, "oidc_client is not"),
        ({"oidc_roles": "case-staff=staff"}, "groups: case-staff=staff"),
        ({"oidc_roles": "groups: case-staff=scheduler"}, "'scheduler', which may not sign in"),
        ({"oidc_create": "yes"}, "oidc_roles is not set"),
        ({"oidc_create": "perhaps"}, "write yes or no"),
        ({"oidc_issuer": "", "local_accounts": "no"}, "nobody could sign in"),
    ],
)
def test_a_setting_that_can_not_be_is_said_before_the_site_is_served(house: House, settings: dict[str, str], said: str) -> None:
    made = App(database=f"sqlite:///{house.folder / 'case.db'}", **{"oidc_issuer": "https://login.example.gov", "oidc_client": "x", **settings})
    with pytest.raises(BadInput, match=said):
        _ = made.elsewhere
