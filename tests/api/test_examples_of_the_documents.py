"""Every example of docs/api.md works against a running platform, and every operation has one."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from config.api.catalogue import OPERATIONS
from config.api.problems import KINDS
from config.api.view import OperationsView
from tests.api.conftest import token_of
from tests.api.working import run_while_working

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"


def examples() -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def test_every_kind_of_problem_is_explained() -> None:
    assert set(re.findall(r'<a id="([a-z-]+)">', PAGE.read_text(encoding="utf-8"))) == set(KINDS)


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_every_example_runs_and_every_operation_has_one(
    live_server: Any, django_user_model: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    asked: set[str] = set()
    done = OperationsView._done

    def noted(view: OperationsView, call: Any, body: Any) -> Any:
        asked.add(call.operation.name)
        return done(view, call, body)

    monkeypatch.setattr(OperationsView, "_done", noted)
    owner = django_user_model.objects.create_user("ada", is_staff=True)
    script = "set -euo pipefail\n" + "\n".join(examples())
    environment = {**os.environ, "LECTERN": live_server.url, "TOKEN": token_of(owner)}
    code, said = run_while_working(["bash", "-xc", script], folder=tmp_path, environment=environment)
    assert code == 0, said[-4000:]
    assert asked == {operation.name for operation in OPERATIONS}
