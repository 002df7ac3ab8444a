"""Both clients ask a platform: what they get has the bytes of the API, and what they change is changed once."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from config.api.clients.views import FILE
from config.packaging.lectern.client import Lectern, Problem
from experiments.models import Study
from participants.models import Hook
from tests.api.clients.conftest import R_FILE
from tests.api.conftest import Program, content_of, token_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SLUG = "small-study"
BY_R = r"""
lab <- lectern(allow_http = TRUE)
files <- lab$list_exports(slug)$name
for (file in files) lab$get_export(slug, file, to = file)
lab$get_everything(slug, to = "all.zip")
sessions <- lab$list_sessions(slug, limit = 1)
trials <- lab$get_export(slug, "trials.csv")
made <- lab$create_hook(slug, address = "https://lab.example.org/lectern", events = c("run.finished", "study.closed"))
changed <- lab$change_hook(slug, made$id, is_active = FALSE)
lab$change_study(slug, notice = "Fünf Minuten Pause.", quota = NULL)
lost <- tryCatch(lab$get_study("no-such-study"), lectern_problem = function(p) conditionMessage(p))
unknown <- tryCatch(lab$create_run(slug, method = "no-such-method"), lectern_problem = function(p) p$code)
cat(jsonlite::toJSON(list(
  files = files, sessions = nrow(sessions), rows = nrow(trials), names = names(trials), secret = nchar(made$secret),
  events = changed$events, lost = lost, unknown = unknown
), auto_unbox = TRUE))
"""


def exported(owner: Any) -> dict[str, bytes]:
    """Return every file of the export as the API gives it."""
    program = Program(token_of(owner))
    names = [one["name"] for one in program.get(f"studies/{SLUG}/exports/").json()["items"]]
    found = {name: content_of(program.get(f"studies/{SLUG}/exports/{name}")) for name in names}
    return {**found, "all.zip": content_of(program.get(f"studies/{SLUG}/exports/all.zip"))}


def test_from_python(live_server: Any, study: Study, owner: Any, tmp_path: Path) -> None:
    lab, other = (Lectern(live_server.url, token_of(owner)) for _ in range(2))
    files = exported(owner)
    for name in [one["name"] for one in lab.list_exports(SLUG)]:
        assert lab.get_export(SLUG, name).save(tmp_path / name).read_bytes() == files[name]
    assert lab.get_everything(SLUG).read() == files["all.zip"]
    assert lab.get_export(SLUG, "trials.csv", since="").cursor

    # Pages of one row are the same list as one page.
    whole = list(lab.list_sessions(SLUG))
    assert [row["session"] for row in lab.list_sessions(SLUG, limit=1)] == [row["session"] for row in whole]
    assert len(lab.list_sessions(SLUG).table()) == len(whole) == 3
    assert len(lab.get_export(SLUG, "trials.csv").table()) == files["trials.csv"].count(b"\n") - 1

    # The same key: once, whoever sends it again.
    made = [lab.create_personal_links(SLUG, number=2, idempotency_key="links") for _ in range(2)]
    assert made[0] == made[1]
    hook = lab.create_hook(SLUG, address="https://lab.example.org/lectern", events=["run.finished"])
    assert hook["secret"] == Hook.objects.get().secret
    assert [one["id"] for one in lab.list_hooks(SLUG)] == [hook["id"]]
    lab.delete_hook(SLUG, hook["id"])
    assert not Hook.objects.exists()

    # What somebody else changed is not overwritten.
    lab.get_quota(SLUG)
    other.put_quota(SLUG, quota=8)
    with pytest.raises(Problem, match="It was changed since you read it") as found:
        lab.put_quota(SLUG, quota=9)
    assert (found.value.code, found.value.status) == ("precondition-failed", 412)
    assert lab.get_quota(SLUG)["quota"] == 8
    assert lab.put_quota(SLUG, quota=None)["quota"] is None
    assert lab.change_study(SLUG, notice="Fünf Minuten Pause.")["notice"] == "Fünf Minuten Pause."

    for ask, code in (
        (lambda: lab.get_study("no-such-study"), "not-found"),
        (lambda: lab.get_study("ä ?#"), "not-found"),
        (lambda: lab.create_run(SLUG, method="no-such-method"), "invalid"),
        (lambda: lab.put_materials(SLUG, b"item,text\n1,a\n"), "frozen"),
        (lambda: lab.list_studies(limit=100_000), "invalid"),
        (lambda: Lectern(live_server.url, "lectern_pat_0").get_token(), "not-authenticated"),
        (lambda: Lectern(live_server.url, token_of(owner, ["read"])).list_sessions(SLUG), "lacks-scope"),
    ):
        with pytest.raises(Problem) as refused:
            ask()
        assert refused.value.code == code

    # A study leaves as a file and comes back from it.
    path = lab.get_study_file(SLUG).save(tmp_path)
    assert path.name == f"{SLUG}-study.zip"
    assert lab.create_study(file=path, slug="from-a-file")["status"] == "draft"
    lab.delete_study("from-a-file")
    assert [one["slug"] for one in lab.list_studies()] == [SLUG]


def test_from_r(live_server: Any, study: Study, owner: Any, tmp_path: Path, rscript: str) -> None:
    script = f"source({str(R_FILE)!r}); slug <- {SLUG!r}\n{BY_R}"
    environment = {**os.environ, "LECTERN_URL": live_server.url, "LECTERN_TOKEN": token_of(owner), "LC_ALL": "C.UTF-8"}
    (tmp_path / "script.R").write_text(script, encoding="utf-8")
    done = subprocess.run(
        [rscript, "--vanilla", "script.R"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    files = exported(owner)
    assert set(told["files"]) == set(files) - {"all.zip"}
    for name, content in files.items():
        assert (tmp_path / name).read_bytes() == content, name
    assert told["sessions"] == 3
    assert told["rows"] == files["trials.csv"].count(b"\n") - 1
    assert ",".join(told["names"]) == files["trials.csv"].decode().splitlines()[0]
    assert (told["secret"], told["events"]) == (43, ["run.finished", "study.closed"])
    assert told["lost"].startswith("There is no such study")
    assert told["unknown"] == "invalid"
    assert Hook.objects.get().is_active is False
    assert Study.objects.get().notice == "Fünf Minuten Pause."


def test_everybody_gets_the_file_for_r(client: Any) -> None:
    answer = client.get("/api/v1/lectern.R")
    assert answer.status_code == 200
    assert answer.content == FILE.read_bytes()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert client.post("/api/v1/lectern.R").status_code == 405
