"""Thirty methods sections: each says its facts, the right studies have every point, and wrong ones lose theirs."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.briefs.__main__ import main
from benchmarks.briefs.answers import STUDY, Brief, Fact, briefs, check, check_values
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.rules.procedure import ProcedureForm
from experiments.study.lifecycle import open_study, opening_faults
from experiments.study_files import create_from_toml
from participants.simulating.previewing import preview_simulation

BRIEFS = {brief.name: brief for brief in briefs()}
OPENED = ("06-mouse-news", "24-cloze", "29-two-tasks")
EVERY = pytest.mark.full("a right study of the briefs that the platform does not open")
WORDS = "no one two three four five six seven eight nine ten"
NUMBERS = dict(enumerate(WORDS.split()))
Tables = dict[str, str]
Changed = tuple[dict[str, Any], Tables]


def numbers_of(value: Any) -> Iterator[float]:
    if isinstance(value, list):
        for one in value:
            yield from numbers_of(one)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def says(said: str, number: float) -> bool:
    """Return whether words hold a number: in digits, as a share of a hundred, or spelled out."""
    digits = {float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*\.?\d*|\.\d+", said)}
    words = set(re.findall(r"[a-z]+", said.lower()))
    spelled = {NUMBERS.get(int(number), "")} if number == int(number) else set()
    spelled |= {1: {"single", "once"}, 2: {"both", "twice"}}.get(int(number), set()) if number in (1, 2) else set()
    shares = {number * 100} if 0 < number < 1 and ("%" in said or "percent" in said) else set()
    return bool({number, *shares} & digits or spelled & words)


def test_there_are_thirty_briefs_of_all_paradigms() -> None:
    assert len(BRIEFS) == 30
    assert [name[:2] for name in BRIEFS] == [f"{number:02}" for number in range(1, 31)]
    said = {fact.value for brief in BRIEFS.values() for fact in brief.facts if fact.key.endswith("paradigm")}
    assert said == {paradigm.slug for paradigm in PARADIGMS}
    assert sum(len(brief.facts) for brief in BRIEFS.values()) > 500


@pytest.mark.parametrize("brief", BRIEFS.values(), ids=BRIEFS)
def test_the_right_study_has_every_point_and_the_text_says_every_fact(brief: Brief) -> None:
    checked = check(brief, brief.folder)
    assert checked.faults == []
    assert checked.lost == []
    keys = [fact.key for fact in brief.facts]
    assert len(keys) == len(set(keys)) >= 12
    text = " ".join(brief.text.split())
    for fact in brief.facts:
        assert " ".join(fact.said.split()) in text, fact
        assert [number for number in numbers_of(fact.value) if not says(fact.said, number)] == [], fact
    assert set(brief.tables) == set(re.findall(r"`([\w-]+\.csv)`", brief.text))


def stored_and_gone_through(brief: Brief) -> None:
    study = create_from_toml(brief.folder / STUDY)
    assert opening_faults(study) == []
    told = preview_simulation(study, participants=2, seed=4, seconds=60)
    assert (told["flow"]["finished"], told["refused"]) == (2, [])
    open_study(study, None)
    study.refresh_from_db()
    assert study.status == "open"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "brief", [pytest.param(one, id=name, marks=() if name in OPENED else EVERY) for name, one in BRIEFS.items()]
)
def test_the_right_study_is_stored_simulated_and_opened(brief: Brief) -> None:
    stored_and_gone_through(brief)


# Changes of the right study, each of one fact.


def task_of(study: dict[str, Any], key: str) -> dict[str, Any]:
    if "parts" not in study:
        return study
    tasks = [part for part in study["parts"] if part.get("kind", "task") == "task"]
    found: dict[str, Any] = tasks[1 if key.startswith("task2.") else 0]
    return found


def another(field: Any, value: Any) -> Any:
    """Return another value that a field takes."""
    choices = [choice for choice, _label in getattr(field, "choices", ())]
    if choices:
        return next(choice for choice in choices if choice not in (value, ""))
    if isinstance(value, bool):
        return not value
    return value + 1 if value < 100 else value + 50


def with_setting(study: dict[str, Any], fact: Fact) -> None:
    task, name = task_of(study, fact.key), fact.key.partition(".set.")[2]
    field = paradigm_named(task["paradigm"]).settings_form.base_fields[name]
    value = {"question_keys": "1 2", "left_key": "a", "right_key": "l"}.get(name)
    task.setdefault("settings", {})[name] = another(field, fact.value) if value is None else value


def with_rule_of_order(study: dict[str, Any], fact: Fact) -> None:
    task, name = task_of(study, fact.key), fact.key.partition(".order.")[2]
    table = task.setdefault("procedure", {})
    table[name] = another(ProcedureForm.base_fields[name], fact.value)


def with_other_language(study: dict[str, Any], fact: Fact) -> None:
    study["language"] = "sv"


def with_number(study: dict[str, Any], fact: Fact) -> None:
    name = {"minutes": "estimated_minutes", "quota": "quota"}[fact.key]
    study[name] += 1


def with_statement(study: dict[str, Any], fact: Fact) -> None:
    study["texts"]["consent"][fact.key.partition(".")[2]].append("I have read everything.")


def with_other_limit(study: dict[str, Any], fact: Fact) -> None:
    _exclusion, slug, name = fact.key.split(".")
    rule = next(rule for rule in study["plan"]["exclusion_rules"] if rule["rule"] == slug)
    rule[name] = rule[name] + 1 if isinstance(rule[name], int) else round(rule[name] - 0.05, 2)


def with_other_scale(study: dict[str, Any], fact: Fact) -> None:
    settings = task_of(study, fact.key)["settings"]
    rated = settings.get("questions") or settings.get("ratings")
    next(one for one in rated if one["kind"] == "scale")["points"] = 4


def with_conduct(study: dict[str, Any], fact: Fact) -> None:
    name = fact.key.partition(".")[2]
    other = {"continue": "end", "end": "continue", "restart-block": "end", True: False}[fact.value]
    study.setdefault("procedure", {})[name] = other


MARKS = {"task.fillers": "is_filler", "task.practice": "is_practice", "task2.practice": "is_practice"}


def with_fewer_rows(brief: Brief, study: dict[str, Any], fact: Fact) -> Tables:
    """Return the tables without one filler, practice text or item."""
    name = task_of(study, fact.key)["materials"]["file"]
    rows = list(csv.DictReader(io.StringIO(brief.tables[name])))
    mark = MARKS.get(fact.key)
    if mark is not None:
        last = next(row for row in reversed(rows) if row[mark] == "true")
    else:
        last = next(
            row for row in reversed(rows) if "true" not in (row.get("is_filler"), row.get("is_practice"))
        )  # fmt: skip
    kept = [row for row in rows if row["item"] != last["item"]]
    written = io.StringIO()
    writer = csv.DictWriter(written, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept)
    return {**brief.tables, name: written.getvalue()}


CHANGES: Mapping[str, Callable[[dict[str, Any], Fact], None]] = {
    r"task2?\.set\..+": with_setting,
    r"task2?\.order\..+": with_rule_of_order,
    r"language": with_other_language,
    r"minutes|quota": with_number,
    r"consent\..+": with_statement,
    r"exclusion\..+\..+": with_other_limit,
    r"task2?\.ratings\.points": with_other_scale,
    r"order\..+": with_conduct,
}
# What a change of the one changes with it, and what another rule of the study needs.
TOGETHER = {"task.items": {"task.items.asked"}}
LEFT_ALONE = {
    "task.order.block_by", "task.order.block_order", "task.order.item_sets", "task.order.conditions", "task.set.signal",
    "task.set.withheld", "task.set.task", "task2.set.task", "task.set.options", "task.set.design",
}  # fmt: skip
# All four are ranked at once, so nothing is left for a second comparison.
IMPOSSIBLE = {("23-ranking", "task.set.per_item")}


def variants() -> Iterator[tuple[Brief, Fact]]:
    for brief in BRIEFS.values():
        for fact in brief.facts:
            is_counted = fact.key in (*MARKS, "task.items") and fact.value > 1
            is_changed = any(re.fullmatch(pattern, fact.key) for pattern in CHANGES)
            if fact.key not in LEFT_ALONE and (brief.name, fact.key) not in IMPOSSIBLE and (is_counted or is_changed):
                yield brief, fact


def changed(brief: Brief, fact: Fact) -> Changed:
    study = copy.deepcopy(brief.right)
    if fact.key in (*MARKS, "task.items"):
        return study, with_fewer_rows(brief, study, fact)
    next(change for pattern, change in CHANGES.items() if re.fullmatch(pattern, fact.key))(study, fact)
    return study, brief.tables


VARIANTS = list(variants())


def test_there_are_many_wrong_studies() -> None:
    assert len(VARIANTS) > 300


@pytest.mark.parametrize("name", BRIEFS)
def test_a_study_with_one_wrong_fact_loses_this_point_and_no_other(name: str) -> None:
    for brief, fact in VARIANTS:
        if brief.name != name:
            continue
        checked = check_values(brief, *changed(brief, fact))
        assert checked.is_valid, (fact, checked.faults)
        assert fact.key in checked.lost, fact
        assert set(checked.lost) - {fact.key} <= TOGETHER.get(fact.key, set()), fact
        assert checked.points == len(brief.facts) - len(checked.lost)


def test_names_are_free(tmp_path: Path) -> None:
    """Other names of items, factors, levels, questions and tables mean the same."""
    brief = BRIEFS["15-lexical-decision"]
    text = (brief.folder / STUDY).read_text(encoding="utf-8").replace('"materials.csv"', '"words.csv"')
    text = text.replace("nonword | f", "no | f").replace("word | j", "yes | j").replace('"word"', '"yes"')
    table = brief.tables["materials.csv"].replace("frequency", "band").replace("frequent", "often")
    table = re.sub(r",nonword,", ",no,", table)
    table = re.sub(r",word,", ",yes,", table)
    (tmp_path / STUDY).write_text(text, encoding="utf-8")
    (tmp_path / "words.csv").write_text(table, encoding="utf-8")
    checked = check(brief, tmp_path)
    assert (checked.faults, checked.lost) == ([], [])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("this is not TOML", "cannot be read"),
        ('slug = "a"\ntitle = "A"\nparadigm = "nothing"\n', "nothing"),
        ('slug = "a"\ntitle = "A"\nparadigm = "rating"\n[materials]\nfile = "../../../README.md"\n', "path"),
        ("a = [" * 5000, "cannot be read"),
        ("#" * 2_000_000, "bytes"),
    ],
)
def test_an_answer_that_is_no_study_has_no_points(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / STUDY).write_text(text, encoding="utf-8")
    checked = check(BRIEFS["09-naturalness"], tmp_path)
    assert not checked.is_valid
    assert checked.points == 0
    assert any(told in fault for fault in checked.faults), checked.faults


def test_the_command_says_what_each_answer_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brief = BRIEFS["17-stroop"]
    (tmp_path / brief.name).mkdir()
    text = (brief.folder / STUDY).read_text(encoding="utf-8").replace("iti_ms = 750", "iti_ms = 700")
    (tmp_path / brief.name / STUDY).write_text(text, encoding="utf-8")
    out = tmp_path / "report.json"
    assert main([str(tmp_path), "--out", str(out), "--only", "17", "--only", "18"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"17-stroop +18 of 19  task\.set\.iti_ms", told)
    assert re.search(r"18-go-no-go +not valid +There is no study\.toml\.", told)
    report = json.loads(out.read_text(encoding="utf-8"))
    assert (report["points"], report["valid"], report["complete"]) == (18, 1, 0)
    first = out.read_bytes()
    main([str(tmp_path), "--out", str(out), "--only", "17", "--only", "18"])
    assert out.read_bytes() == first
    assert main([str(tmp_path / "nowhere")]) == 2
