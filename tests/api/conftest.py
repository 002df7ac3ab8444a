"""People with tokens, studies with data, and programs that ask."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from config.accounts.tokens.made import make_token
from experiments.models import Study
from participants.limits import counting
from tests.api.conforming import hold_against_schema
from tests.participants.studies import Browser, open_study

ALL = ("read", "write", "data", "identities")


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()
    counting.clear()


class Program:
    """A program with a token: `get`, `post` and so on below /api/v1/."""

    def __init__(self, token: str) -> None:
        self.token, self.client = token, Client()

    def ask(self, method: str, path: str, body: Any = None, kind: str = "application/json", **headers: str) -> Any:
        sent = {"Authorization": f"Bearer {self.token}", **{n.replace("_", "-"): v for n, v in headers.items()}}
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        answer = self.client.generic(method, f"/api/v1/{path}", data, kind, headers=sent)
        hold_against_schema(method, f"/api/v1/{path}".partition("?")[0], answer)
        return answer

    def get(self, path: str, **headers: str) -> Any:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.ask("POST", path, body, **headers)

    def change(self, method: str, path: str, body: Any, kind: str = "application/json") -> Any:
        """Send a change with the ETag that reading gives."""
        return self.ask(method, path, body, kind, If_Match=self.get(path)["ETag"])


def content_of(answer: Any) -> bytes:
    """Return the body of an answer, which may be a stream."""
    return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)


def token_of(user: Any, scopes: Collection[str] = ALL, studies: Any = None, days: float = 30) -> str:
    return make_token(
        user, name="a token of tests", scopes=scopes, studies=studies, expires_at=timezone.now() + timedelta(days=days)
    )[1]


@pytest.fixture
def owner(db: None, django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("ada", "ada@example.org", is_staff=True)


@pytest.fixture
def program(owner: Any) -> Program:
    return Program(token_of(owner))


@pytest.fixture
def study(owner: Any) -> Study:
    """An open study with two people who have finished and one who has begun."""
    made = open_study(owner=owner)
    for seed in (1, 2):
        Browser(made, seed=seed).answer_all()
    begun = Browser(made, seed=3, recruitment={})
    begun.start()
    begun.open()
    begun.send(begun.result(0))
    return made


@pytest.fixture
def new_program(django_user_model: Any) -> Callable[..., Program]:
    """Make a person and a program of theirs."""

    def make(name: str, *, scopes: Collection[str] = ALL, studies: Any = None, **fields: Any) -> Program:
        user = django_user_model.objects.create_user(name, is_staff=True, **fields)
        return Program(token_of(user, scopes, studies))

    return make
