"""48 virtual participants through HTTP, every suggested analysis by the worker, and the same numbers from the export.

Runs on the embedded default, and as a deployment would run where DATABASE_URL and CELERY_BROKER_URL name services.
"""

from __future__ import annotations

import csv
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.browser.platform import ROOT, Platform

pytestmark = pytest.mark.full("a platform of processes that loses one of forty-eight participants")

EXAMPLE = ROOT / "experiments" / "examples" / "causal-sentences" / "study.toml"
SLUG = "causal-sentences"


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    on_services = bool(
        os.environ.get("DATABASE_URL", "").startswith("postgres") and os.environ.get("CELERY_BROKER_URL")
    )
    platform = Platform(tmp_path_factory.mktemp("deployed"), on_services=on_services)
    platform.start()
    yield platform
    platform.stop()
    platform.remove()


def logged_in(platform: Platform) -> requests.Session:
    researcher = requests.Session()
    address = f"{platform.base_url}/admin/login/"
    researcher.get(address, timeout=30)
    answer = researcher.post(
        address,
        data={
            "username": "researcher",
            "password": "a-password-for-tests",
            "csrfmiddlewaretoken": researcher.cookies["csrftoken"],
        },
        headers={"Referer": address},
        timeout=30,
    )
    assert answer.ok
    assert "/login" not in answer.url
    return researcher


def run_suggested(platform: Platform, researcher: requests.Session, index: int) -> tuple[str, bytes] | None:
    """Press the button of a suggestion, wait for the worker, and return method and report; None past the last one."""
    pages = f"{platform.base_url}/admin/studies/{SLUG}"
    answer = researcher.post(
        f"{pages}/analyse/suggested/{index}/",
        data={"csrfmiddlewaretoken": researcher.cookies["csrftoken"]},
        headers={"Referer": f"{pages}/analyse/"},
        timeout=60,
    )
    if answer.status_code == 404:
        return None
    assert answer.ok, answer.text
    assert "/runs/" in answer.url, answer.url
    deadline = time.monotonic() + 240
    while (state := researcher.get(f"{answer.url}progress/", timeout=30).json())["status"] in {"queued", "running"}:
        assert time.monotonic() < deadline, state
        time.sleep(0.3)
    assert state["status"] == "done", state
    report = researcher.get(f"{answer.url}report.json", timeout=60)
    assert report.status_code == 200
    return report.json()["method"], report.content


def as_option(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, list) else str(value)


@pytest.mark.slow
def test_every_report_of_48_participants_equals_analyse_on_the_export(deployed: Platform, tmp_path: Path) -> None:
    deployed.manage("create_study", str(EXAMPLE), "--owner", "researcher", "--open")
    deployed.manage("simulate", SLUG, "--participants", "48", "--seed", "7", "--base-url", deployed.base_url)
    deployed.manage("check_data", SLUG)

    researcher = logged_in(deployed)
    reports: list[tuple[str, bytes]] = []
    while (finished := run_suggested(deployed, researcher, len(reports))) is not None:
        reports.append(finished)
    assert {"normalise", "rm-anova", "min-f", "tukey", "n-best"} <= {method for method, _ in reports}

    deployed.manage("export_data", SLUG, "--out", str(tmp_path / "export"))
    with (tmp_path / "export" / "trials.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    targets = [row for row in rows if row["phase"] == "main" and row["is_filler"] == "false" and row["item"]]
    assert len({row["participant"] for row in targets}) == 48
    assert set(Counter((row["item"], row["marker"], row["order"]) for row in targets).values()) == {6}
    assert {row["simulated"] for row in rows} == {"true"}

    for number, (method, report) in enumerate(reports):
        given = [
            f"{name}={as_option(value)}"
            for name, value in json.loads(report)["params"].items()
            if value not in (None, [], "")
        ]
        out = tmp_path / f"{number}-{method}"
        deployed.manage(
            "analyse", method, "--data", str(tmp_path / "export" / "trials.csv"), "--out", str(out), "--set", *given
        )
        assert (out / "report.json").read_bytes() == report, method
