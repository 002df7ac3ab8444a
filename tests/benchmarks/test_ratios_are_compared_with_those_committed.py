"""A release says where a ratio to a peer got worse by more than a fifth, by the results that are committed."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

from benchmarks.compared import RATIOS, committed, compared, ratios_in

ROOT = Path(__file__).resolve().parents[2]


def test_every_ratio_of_the_committed_results_has_a_name_of_its_own():
    found = [
        (file, names, name) for file, content in committed("HEAD").items() for names, name, _ in ratios_in(content)
    ]
    assert len(set(found)) == len(found) > 40
    assert {name for _, _, name in found} == set(RATIOS)


def test_no_result_states_a_ratio_to_a_peer_that_is_not_compared():
    stated = {
        key
        for content in committed("HEAD").values()
        for key in keys_of(content)
        if key.startswith("ratio_to_") or "_over_lectern" in key
    }
    assert stated == set(RATIOS)


def keys_of(content: object) -> set[str]:
    if isinstance(content, dict):
        return set(content).union(*map(keys_of, content.values()))
    return set().union(*map(keys_of, content)) if isinstance(content, list) else set()


def test_what_fell_is_named_and_what_rose_or_stayed_is_not():
    before = committed("HEAD")
    after = deepcopy(before)
    first, second, *others = after["methods.json"]["rows"]
    first["lectern_seconds"] *= 1.3
    second["lectern_seconds"] *= 1.2
    for row in others:
        row["lectern_seconds"] *= 0.5
    said = [sentence for sentence in compared(before, after) if "methods.json" in sentence]
    assert len(said) == 1
    assert said[0].startswith(
        f"methods.json, {first['participants']}, {first['method']}: R's seconds to Lectern's are "
    )


def test_errors_are_worse_where_they_grow_and_a_case_that_is_gone_is_said():
    before = {"timing.json": {"rows": [{"system": name, "ratio_to_jspsych": 0.1} for name in "abc"]}}
    rows = [{"system": "a", "ratio_to_jspsych": 0.2}, {"system": "b", "ratio_to_jspsych": 0.01}]
    assert compared(before, {"timing.json": {"rows": rows}}) == [
        "timing.json, a: errors to those of jsPsych are 0.2, were 0.1.",
        "timing.json, c: errors to those of jsPsych are gone, were 0.1.",
    ]


def test_where_r_did_not_come_to_an_end_the_ratio_it_had_reached_counts():
    row = {"case": "glmm", "lectern_seconds": 2.0, "r_seconds": None, "r_over_lectern": None, "limit": 60}
    assert list(ratios_in([row])) == [(("glmm",), "r_over_lectern", 30.0)]


def test_the_command_says_it_of_a_folder(tmp_path: Path):
    changed = committed("HEAD")["mixed.json"]
    changed["rows"][0]["lectern_seconds"] *= 10
    (tmp_path / "mixed.json").write_text(json.dumps(changed))
    command = [sys.executable, "-m", "benchmarks.compared", "--results", str(tmp_path)]
    said = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert f"mixed.json, {changed['rows'][0]['case']}: R's seconds to Lectern's are " in said
    assert "intake-sqlite.json, sqlite, 1: results a second to bare inserts are gone" in said
