"""Studies of the version before become studies of a single task, and can go back as long as they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.full("data that a migration loses; .ci/run runs it when a migration, a model or a backup changed"),
    pytest.mark.slow,
]

ROOT = Path(__file__).resolve().parents[2]
BEFORE = '[("participants", "0006_onset_error"), ("experiments", "0004_retention")]'
NOW = '[("participants", "0008_every_trial_has_a_part"), ("experiments", "0007_designs_of_parts")]'
SETTLED = """
import django; django.setup()
import json
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
def at(target):
    MigrationExecutor(connection).migrate(target)
    return MigrationExecutor(connection).loader.project_state(target).apps
"""
WRITE = f"""{SETTLED}
apps = at({BEFORE})
get = lambda name, app="experiments": apps.get_model(app, name)
def study(slug, questions):
    made = get("Study").objects.create(slug=slug, title=slug, paradigm="rating", settings={{"break_every": 3}},
        procedure={{"leading_fillers": 1, "resume": "end", "conditions": "all"}}, questions=questions,
        factors=[{{"name": "f", "levels": ["x"]}}])
    condition = get("Condition").objects.create(study=made, position=0, levels={{"f": "x"}})
    item = get("Item").objects.create(study=made, code="one", position=0)
    stimulus = get("Stimulus").objects.create(item=item, condition=condition, text="Text.")
    shown = get("StimulusList").objects.create(study=made, index=0)
    for kind in ("consent", "instructions"):
        get("StudyText").objects.create(study=made, kind=kind, body=kind)
    person = get("Participant", "participants").objects.create(study=made, pseudonym="P1", withdrawal_code_hash=slug)
    now = timezone.now()
    session = get("Session", "participants").objects.create(study=made, participant=person, list=shown, token_hash=slug,
        start_key_hash=slug, seed=1, study_version=1, language="en", consent_version=1, consent_given_at=now,
        last_seen_at=now, status="complete")
    trial = lambda position, phase, **more: get("Trial", "participants").objects.create(
        session=session, position=position, phase=phase, plugin="p", **more)
    trial(0, "questions"), trial(1, "main", stimulus=stimulus)
study("asked", [{{"name": "age"}}]), study("silent", [])
"""
READ = f"""{SETTLED}
apps = at({NOW})
get = lambda name, app="experiments": apps.get_model(app, name)
rows = lambda model, *names: [list(row) for row in model.objects.order_by("pk").values_list(*names)]
print(json.dumps({{
    "parts": rows(get("Part"), "study__slug", "position", "name", "kind", "paradigm", "settings", "procedure",
        "questions", "factors"),
    "conduct": rows(get("Study"), "conduct"),
    "design": rows(get("Item"), "part__study__slug", "part__name") + rows(get("Condition"), "part__study__slug",
        "part__name") + rows(get("StimulusList"), "part__study__slug", "part__name"),
    "texts": rows(get("StudyText"), "kind", "part__name"),
    "trials": rows(get("Trial", "participants"), "session__study__slug", "phase", "part__name"),
    "outcomes": rows(get("Session", "participants"), "outcome"),
    "decided": [row.assigned_at == row.started_at for row in get("Session", "participants").objects.all()],
}}))
"""
BACK = f"""{SETTLED}
apps = at({BEFORE})
print(json.dumps([list(row) for row in apps.get_model("experiments", "Study").objects.order_by("pk").values_list(
    "paradigm", "settings", "procedure", "questions", "factors", "items__code", "lists__index", "conditions__levels")]))
"""


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Run a program on a database of its own and return what it prints."""
    environment = {**os.environ, "VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment |= {"LOG_LEVEL": "ERROR", "DATABASE_URL": f"sqlite:///{tmp_path}/old.sqlite3"}

    def run(program: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout else None

    return run


def test_a_study_becomes_one_of_a_single_task_after_its_questions_and_back_again(run: Any) -> None:
    run(WRITE)
    found = run(READ)
    task = ["task", "task", "rating", {"break_every": 3}, {"leading_fillers": 1, "conditions": "all"}, []]
    factors = [{"name": "f", "levels": ["x"]}]
    assert found["parts"] == [
        ["asked", 0, "background", "questionnaire", "", {}, {}, [{"name": "age"}], []],
        ["asked", 1, *task, factors],
        ["silent", 0, *task, factors],
    ]
    assert found["conduct"] == [[{"resume": "end"}], [{"resume": "end"}]]
    assert found["design"] == [["asked", "task"], ["silent", "task"]] * 3
    assert found["texts"] == [["consent", None], ["instructions", "task"]] * 2
    assert found["trials"] == [
        ["asked", "questions", "background"],
        ["asked", "main", "task"],
        # Its questions were taken away after somebody had answered them.
        ["silent", "questions", "task"],
        ["silent", "main", "task"],
    ]
    assert found["outcomes"] == [["completed"]] * 2
    assert found["decided"] == [True, True]
    procedure = {"leading_fillers": 1, "conditions": "all", "resume": "end"}
    rest = [factors, "one", 0, {"f": "x"}]
    assert run(BACK) == [
        ["rating", {"break_every": 3}, procedure, [{"name": "age"}], *rest],
        ["rating", {"break_every": 3}, procedure, [], *rest],
    ]
