"""Whatever bytes come in, there is an answer that says what became of them: never a 5xx but 503 with Retry-After."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from participants.models import Response, Session
from participants.watching.invariants import violations
from tests.participants.studies import Browser, open_study
from tests.selection import EXHAUSTIVE

# What parsers and databases stumble over, as it may stand in JSON.
AWKWARD = [
    b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\u0000"', b'"\xff\xfe"', b"\x00", b"\xed\xa0\x80", b"1e999", b"-1e-999",
    b"NaN", b"Infinity", b"9" * 5000, b"[" * 2000, b'{"a":' * 500, b"null", b"true", b'""', b"{}", b"[]",
    b'"' + b"x" * 70_000 + b'"', b"-1", b"1.5", b"2147483648", b"9223372036854775808",
    b'"\\ud83d\\ude00"', b'"\\u202e"', b"\xef\xbb\xbf",
]  # fmt: skip
PATHS = [
    "sessions/", "session/recover/", "session/open/", "session/results/", "session/check/", "session/pause/",
    "session/release/", "session/complete/", "session/errors/", "withdraw/",
]  # fmt: skip
pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture
def browser() -> Browser:
    started = Browser(open_study())
    started.start()
    started.open()
    return started


def bodies(browser: Browser) -> dict[str, bytes]:
    """Return a body for each address as a browser would send it."""
    made: dict[str, Any] = {
        "sessions/": {
            "start_key": "another-start-key-0123456789",
            "consent": {"version": 1, "required": [True, True], "optional": {}},
            "recruitment": {"PROLIFIC_PID": "abc"}, "client": {"window": [1280, 720]}, "session_code": "ABC",
        },
        "session/recover/": {"start_key": browser.start_key},
        "session/open/": {"tab": "tab-1", "client": {"a": 1}},
        "session/results/": {
            "tab": "tab-0",
            "entries": [
                {"kind": "opened", "sequence": 0}, browser.result(0),
                {"kind": "events", "sequence": 0, "batch": 0, "events": [{"type": "key", "at": 1.5}]},
            ],
        },
        "session/check/": {"position": 1, "problem": 0, "answer": 53},
        "session/pause/": {"reason": "full-screen"},
        "session/release/": {"release_code": "ABC"},
        "session/complete/": {},
        "session/errors/": {"message": "TypeError", "detail": "x"},
        "withdraw/": {"withdrawal_code": "ABCD-EFGH", "confirm": False},
    }  # fmt: skip
    return {path: json.dumps(body).encode() for path, body in made.items()}


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[str, list[tuple[float, float, bytes]]]:
    """An address, and where in its body what is cut out and what is put in."""
    changes = st.tuples(st.floats(0, 1), st.floats(0, 0.2), st.sampled_from(AWKWARD) | st.binary(max_size=6))
    return draw(st.sampled_from(PATHS)), draw(st.lists(changes, min_size=1, max_size=3))


def answered(answer: Any) -> None:
    assert answer.status_code < 500 or (answer.status_code == 503 and answer.headers["Retry-After"]), answer.content


@settings(
    max_examples=120 if EXHAUSTIVE else 40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
@given(case=spoilt())
def test_spoilt_bytes_are_answered_and_spoil_nothing(browser: Browser, case: tuple[str, Any]) -> None:
    path, changes = case
    body = bodies(browser)[path]
    for place, share, put in changes:
        at = int(place * len(body))
        body = body[:at] + put + body[at + int(share * len(body)) :]
    answer = browser.client.post(
        f"/api/studies/{browser.slug}/{path}",
        body,
        content_type="application/json",
        REMOTE_ADDR=f"2001:db8:{len(body)}::1",
    )
    answered(answer)
    study = Session.objects.first().study
    if answer.status_code in {200, 201, 409, 422}:
        assert not any(violations(study).values())


@pytest.mark.parametrize("awkward", [AWKWARD[at] for at in (0, 1, 2, 3, 6, 8, 10)], ids=lambda one: repr(one[:12]))
@pytest.mark.parametrize("path", PATHS)
def test_every_value_and_every_name_may_be_awkward(browser: Browser, path: str, awkward: bytes) -> None:
    """One value after the other is replaced, then one name after the other."""
    whole = json.loads(bodies(browser)[path])
    for spoilt_body in _each_replaced(whole):
        body = json.dumps(spoilt_body).encode().replace(b'"@@"', awkward if awkward[:1] != b"\x00" else b'"\x00"')
        answered(browser.client.post(f"/api/studies/{browser.slug}/{path}", body, content_type="application/json"))
    assert Response.objects.count() <= 1


def _each_replaced(node: Any) -> list[Any]:
    if isinstance(node, dict):
        made: list[Any] = ["@@"]
        for name, value in node.items():
            made += [{**node, name: inner} for inner in _each_replaced(value)]
            made.append({**{other: kept for other, kept in node.items() if other != name}, "@@": value})
        return made
    if isinstance(node, list):
        return [
            "@@",
            *([*node[:at], inner, *node[at + 1 :]] for at, part in enumerate(node) for inner in _each_replaced(part)),
        ]
    return ["@@"]


COOKIES = ["\x00", "a\x00b", "\ud800", "é", "x" * 5000, '"\\000"', '"a\\000b"', "\udcff"]


@pytest.mark.parametrize("cookie", COOKIES, ids=ascii)
@pytest.mark.parametrize("name", ["lectern_small_study", "sessionid", "csrftoken", "django_language"])
def test_any_cookie_is_answered(browser: Browser, name: str, cookie: str) -> None:
    client = Client()
    header = f"{name}={cookie}".encode("utf-8", "surrogatepass").decode("latin-1")
    for address in ("/", f"/s/{browser.slug}/", f"/s/{browser.slug}/run/", f"/api/studies/{browser.slug}/", "/admin/"):
        answered(client.get(address, HTTP_COOKIE=header))
    for address in (f"/api/studies/{browser.slug}/session/results/", "/admin/login/", f"/s/{browser.slug}/withdraw/"):
        answered(client.post(address, {"username": "a", "password": "b"}, HTTP_COOKIE=header))


ODD = ["%00", "a%00b", "%ed%a0%80", "%ff", "%E2%80%AE", "..%2f..%2fetc", "%0d%0aX:1", "%F0%9F%98%80", "a" * 3000]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd[:12])
def test_any_address_and_any_parameter_is_answered(browser: Browser, admin_client: Client, odd: str) -> None:
    slug = browser.slug
    for address in (
        f"/{odd}",
        f"/s/{odd}/",
        f"/s/{slug}/?{odd}={odd}",
        f"/api/studies/{odd}/",
        f"/api/studies/{slug}/preview/?list={odd}",
        f"/admin/?q={odd}",
        f"/admin/participants/participant/?q={odd}",
        f"/admin/participants/session/?status__exact={odd}",
        f"/admin/participants/session/{odd}/change/",
        f"/admin/studies/{slug}/watch/participants/{odd}/",
        f"/admin/studies/{slug}/watch/?of={odd}",
        f"/admin/studies/{slug}/watch/participants/?q={odd}&sort={odd}&page={odd}",
        f"/admin/studies/?q={odd}",
        f"/admin/login/?next={odd}",
    ):
        answered(admin_client.get(address))


@pytest.mark.parametrize("odd", ["\x00", "a\x00b", "\ud800", "é" * 400], ids=ascii)
def test_any_form_is_answered(browser: Browser, admin_client: Client, odd: str) -> None:
    text = odd.encode("utf-8", "surrogatepass")
    body = b"&".join(
        name + b"=" + "".join(f"%{byte:02x}" for byte in text).encode()
        for name in (b"username", b"password", b"withdrawal_code", b"confirm", b"reason", b"title", b"next", b"quota")
    )
    pseudonym = Session.objects.get().participant.pseudonym
    of_study = f"/admin/studies/{browser.slug}"
    for client in (Client(), admin_client):
        for address in (
            "/admin/login/", f"/s/{browser.slug}/withdraw/", f"{of_study}/watch/participants/{pseudonym}/exclude/",
            f"{of_study}/open/", f"{of_study}/settings/", "/admin/studies/new/", f"{of_study}/watch/erase/",
        ):  # fmt: skip
            answered(client.post(address, body, content_type="application/x-www-form-urlencoded"))


def test_a_log_in_on_a_full_disk_says_to_come_back(monkeypatch: pytest.MonkeyPatch, django_user_model: Any) -> None:
    django_user_model.objects.create_user("anna", password="a-long-password", is_staff=True)

    def full(*arguments: Any, **options: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.save", full)
    client = Client(raise_request_exception=False)
    answer = client.post("/admin/login/?next=/admin/", {"username": "anna", "password": "a-long-password"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "Nothing can be stored at the moment" in answer.content.decode()


def test_an_error_of_ours_stays_a_500(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any, **options: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.save", broken)
    open_study()
    client = Client(raise_request_exception=False)
    monkeypatch.setattr("participants.views.pages.study_facts", broken)
    assert client.get("/s/small-study/").status_code == 500
