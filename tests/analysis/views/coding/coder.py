"""A coder who talks to the endpoints as the page does."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from experiments.models import Study
from tests.analysis.recalls import user_named


class Coder:
    """Somebody in front of the workspace, or of the page on which disagreements are settled (`at="adjudicate"`)."""

    def __init__(self, study: Study, name: str, *, at: str = "work") -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.client.force_login(user_named(name))
        self.base = f"/admin/studies/{study.slug}/code/{at}/"
        page = self.client.get(self.base)
        self.page = page.content.decode()
        self.token = self.client.cookies["csrftoken"].value if "csrftoken" in self.client.cookies else ""

    def get(self, path: str) -> Any:
        return self.client.get(self.base + path)

    def post(self, path: str, body: Any, **headers: str) -> Any:
        sent = body if isinstance(body, str) else json.dumps(body)
        return self.client.post(
            self.base + path, sent, content_type="application/json", headers={"X-CSRFToken": self.token, **headers}
        )

    def items(self, first: int = 1, count: int = 100) -> list[dict[str, Any]]:
        answer = self.get(f"items/?from={first}&count={count}")
        assert answer.status_code == 200, answer.content
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    def save(self, item: dict[str, Any], codes: Any, **more: Any) -> Any:
        body = {"key": item["key"], "codes": codes, "note": "", "seconds": 5.5, "revision": item["revision"], **more}
        return self.post("save/", body)

    def undo(self, key: str | None = None, revision: int | None = None) -> Any:
        return self.post("undo/", {"key": key, "revision": revision})


def text_of(pieces: list[dict[str, str]]) -> str:
    """Return the text of marked pieces."""
    return "".join(piece["text"] for piece in pieces)
