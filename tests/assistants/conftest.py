"""An assistant that talks to the server in this process, whose requests reach Django without a network."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from django.core.cache import cache
from django.test import Client
from requests.adapters import BaseAdapter

from config.assistants.platform import Platform
from config.assistants.server import Server
from experiments.models import Study
from participants.limits import counting
from tests.api.conforming import hold_against_schema
from tests.api.conftest import ALL, token_of
from tests.participants.studies import Browser, open_study

ADDRESS = "http://127.0.0.1:8000"


class Django(BaseAdapter):
    """Hands requests to Django, holds its answers against the schema of the API, and notes what was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []

    def send(self, request: Any, **options: Any) -> requests.Response:  # type: ignore[override]
        parts = urlsplit(request.url)
        self.asked.append((request.method, parts.path))
        given: Any = Client().generic(
            request.method,
            request.path_url,
            request.body or b"",
            request.headers.get("Content-Type", ""),
            headers={name: value for name, value in request.headers.items() if name != "Content-Type"},
        )
        hold_against_schema(request.method, parts.path, given)
        content = b"".join(given.streaming_content) if given.streaming else given.content
        answer = requests.Response()
        answer.status_code, answer.url, answer.request = given.status_code, request.url, request
        answer.headers.update(given.headers)
        answer.raw = io.BytesIO(content)
        return answer

    def close(self) -> None:
        pass


class Assistant:
    """A client of the protocol: `ask` sends a request, `tool` calls a tool and returns its text."""

    def __init__(self, token: str = "") -> None:
        self.web = Django()
        http = requests.Session()
        http.mount("http://", self.web)
        self.server = Server(Platform(ADDRESS, token, http), "1.0")
        self.ids = itertools.count(1)

    def begin(self, version: str = "2025-06-18") -> Any:
        client = {"name": "test", "version": "1"}
        given = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        answer = self.ask("initialize", given)
        assert self.send({"jsonrpc": "2.0", "method": "notifications/initialized"}) is None
        return answer

    def send(self, message: Any) -> Any:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        answer = self.server.answer(line)
        if answer is None:
            return None
        assert answer.endswith(b"\n")
        assert answer.count(b"\n") == 1
        return json.loads(answer)

    def ask(self, method: str, params: Any = None) -> Any:
        number = next(self.ids)
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        answer = self.send(message if params is None else {**message, "params": params})
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", number)
        return answer

    def tool(self, name: str, /, **arguments: Any) -> tuple[str, bool]:
        """Return the text of a tool, and whether it failed."""
        result = self.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        [content] = result["content"]
        assert content["type"] == "text"
        return content["text"], result["isError"]

    def done(self, name: str, /, **arguments: Any) -> str:
        text, is_error = self.tool(name, **arguments)
        assert not is_error, text
        return text

    def refused(self, name: str, /, **arguments: Any) -> str:
        text, is_error = self.tool(name, **arguments)
        assert is_error, text
        return text


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()
    counting.clear()


@pytest.fixture
def stranger() -> Assistant:
    """An assistant without a token."""
    made = Assistant()
    made.begin()
    return made


@pytest.fixture
def owner(db: None, django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("ada", "ada@example.org", is_staff=True)


@pytest.fixture
def assistant(owner: Any) -> Assistant:
    """An assistant whose token may do everything."""
    made = Assistant(token_of(owner, ALL))
    made.begin()
    return made


@pytest.fixture
def new_assistant(owner: Any) -> Callable[..., Assistant]:
    def make(**how: Any) -> Assistant:
        made = Assistant(token_of(owner, **how))
        made.begin()
        return made

    return make


@pytest.fixture
def open_one(owner: Any) -> Study:
    """An open study in which somebody took part."""
    made = open_study(owner=owner)
    Browser(made, seed=1).answer_all()
    return made
