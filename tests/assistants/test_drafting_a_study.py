"""An assistant drafts a study from a file, corrects it, changes it, and lets simulated participants go through it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from experiments.models import Study
from experiments.study_files.examples import example_studies
from tests.api.conftest import token_of
from tests.assistants.conftest import Assistant

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = {example.slug: example.path for example in example_studies()}


def of_example(slug: str) -> dict[str, Any]:
    path = EXAMPLES[slug]
    tables = {table.name: table.read_text(encoding="utf-8") for table in path.parent.glob("*.csv")}
    return {"study_toml": path.read_text(encoding="utf-8"), "tables": tables}


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["stroop", "reading-in-parts"])
def test_a_study_is_checked_made_and_simulated(assistant: Assistant, slug: str) -> None:
    said = assistant.done("validate_study", **of_example(slug))
    assert "The study can be stored." in said
    assert not Study.objects.exists()
    assert f"/admin/studies/{slug}/" in assistant.done("create_draft", **of_example(slug))
    made = Study.objects.get(slug=slug)
    assert made.status == "draft"
    told = json.loads(assistant.done("simulate_draft", study=slug, participants=2, seed=3))
    assert told["flow"]["finished"] == 2
    assert told["refused"] == []
    assert [one["part"] for one in told["design"]] == [part.name for part in made.ordered_parts]


@pytest.mark.django_db
def test_faults_come_all_at_once_with_the_lines_of_the_file(assistant: Assistant) -> None:
    given = of_example("stroop")
    text = given["study_toml"].replace("deadline_ms = 3000", "deadline_ms = -1\ncolour = 3")
    said = assistant.done("validate_study", study_toml=text, tables=given["tables"])
    assert "cannot be stored" in said
    for key in ("deadline_ms", "colour"):
        line = next(number for number, one in enumerate(text.splitlines(), 1) if one.startswith(key))
        assert f"line {line}" in said
    assert "not valid TOML" in assistant.refused("validate_study", study_toml="= 3")
    refused = assistant.refused("create_draft", study_toml=text, tables=given["tables"])
    assert "Nothing was stored" in refused
    assert not Study.objects.exists()


@pytest.mark.django_db
def test_a_draft_is_changed_in_every_way_that_is_offered(assistant: Assistant) -> None:
    assistant.done("create_draft", **of_example("stroop"))
    at = {"study": "stroop"}
    assistant.done("change_draft", **at, fields={"title": "Colours", "quota": 30})
    assistant.done("change_settings", **at, settings={"deadline_ms": 1500}, procedure={"completion_code": "NEW"})
    assistant.done("replace_text", **at, kind="debriefing", body="Thank you very much.", markup="plain")
    assistant.done("replace_plan", **at, plan={"hypotheses": "Congruent words are faster."})
    assistant.done("replace_criteria", **at, criteria=[])
    table = assistant.done("read_study", **at, what="materials")
    shorter = "\n".join(line for line in table.splitlines() if not line.startswith("blue-2"))
    assert json.loads(assistant.done("check_materials", **at, table=shorter))["items"] > 0
    assistant.done("replace_materials", **at, table=shorter)
    study = Study.objects.get(slug="stroop")
    assert (study.title, study.quota) == ("Colours", 30)
    assert study.settings["deadline_ms"] == 1500
    assert study.plan["hypotheses"] == "Congruent words are faster."
    assert "Thank you very much." in assistant.done("read_study", **at, what="texts")
    assert not study.task.items.filter(code="blue-2").exists()
    copied = assistant.done("copy_to_draft", **at, new_slug="stroop-again")
    assert "stroop-again" in copied
    refused = assistant.refused("change_draft", **at, fields={"erases_itself": True, "retention_until": "2026-01-01"})
    assert "erases_itself, retention_until" in refused
    assert study.status == "draft"


@pytest.mark.django_db
def test_a_token_that_only_reads_makes_nothing(new_assistant: Callable[..., Assistant]) -> None:
    reader = new_assistant(scopes=("read",))
    assert "can be stored" in reader.done("validate_study", **of_example("stroop"))
    assert "lacks the scope write" in reader.refused("create_draft", **of_example("stroop"))
    assert not Study.objects.exists()


@pytest.mark.django_db
def test_methods_and_studies_are_listed(assistant: Assistant, open_one: Study) -> None:
    assert "rm-anova" in assistant.done("list_methods")
    assert json.loads(assistant.done("list_methods", method="rm-anova"))["parameters"]
    [listed] = json.loads(assistant.done("list_studies"))["studies"]
    assert (listed["slug"], listed["status"]) == (open_one.slug, "open")
    assert json.loads(assistant.done("list_studies", status="draft"))["studies"] == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_the_command_as_a_child_process_over_a_live_platform(
    live_server: Any, django_user_model: Any, tmp_path: Path
) -> None:
    """A whole conversation, with nonsense in between: lines in, lines out, nothing else on standard output."""
    token = token_of(django_user_model.objects.create_user("ada", is_staff=True))
    (tmp_path / "token").write_text(f"{token}\n", encoding="utf-8")
    calls = [
        ("validate_study", of_example("stroop")),
        ("create_draft", of_example("stroop")),
        ("simulate_draft", {"study": "stroop", "participants": 1}),
        ("read_study", {"study": "stroop", "what": "settings"}),
        ("search_documents", {"query": "Stroop"}),
    ]
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    messages = [
        json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": begin}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        "this is not a message",
        *(
            json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": n, "arguments": a}})
            for number, (n, a) in enumerate(calls, start=1)
        ),
    ]
    left_out = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "LECTERN_TOKEN", "LECTERN_URL")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    ended = subprocess.run(
        [sys.executable, "manage.py", "mcp", "--base-url", live_server.url, "--token-file", str(tmp_path / "token")],
        cwd=ROOT,
        env={**environment, "VAR_DIR": str(tmp_path / "var")},
        input="\n".join(messages) + "\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    first, nonsense, *answers = map(json.loads, ended.stdout.splitlines())
    assert first["result"]["protocolVersion"] == "2025-06-18"
    assert nonsense["error"]["code"] == -32700
    assert [one["id"] for one in answers] == [1, 2, 3, 4, 5]
    assert not [one for one in answers if one["result"]["isError"]]
    assert Study.objects.get().status == "draft"
    assert json.loads(answers[2]["result"]["content"][0]["text"])["flow"]["finished"] == 1
    assert token not in ended.stdout + ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--base-url", "http://lectern.example.org"], "https alone"),
        (["--token-file", "no-such-file"], "cannot be read"),
    ],
)
def test_the_command_says_why_it_does_not_begin(arguments: list[str], reason: str, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "manage.py", "mcp", *arguments],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "VAR_DIR": str(tmp_path)},
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode != 0
    assert re.search(reason, ended.stderr)
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


@pytest.mark.django_db
def test_codes_by_which_people_are_paid_are_not_shown(assistant: Assistant, open_one: Study) -> None:
    assistant.done("create_draft", **of_example("stroop"))
    assert "STROOP-EXAMPLE" in of_example("stroop")["study_toml"]
    at = {"study": "stroop"}
    assert "STROOP-EXAMPLE" not in assistant.done("read_study", **at, what="settings")
    told = assistant.done("change_settings", **at, procedure={"completion_code": "SECRET-2"})
    assert "SECRET-2" not in told
    assert Study.objects.get(slug="stroop").procedure["completion_code"] == "SECRET-2"


@pytest.mark.django_db
def test_many_faults_come_in_pieces(assistant: Assistant) -> None:
    text = of_example("stroop")["study_toml"]
    rows = "\n".join(f"i{n},word,odd" for n in range(900))
    said = assistant.done("validate_study", study_toml=text, tables={"materials.csv": f"item,text,is_filler\n{rows}\n"})
    assert len(said) < 21_000
