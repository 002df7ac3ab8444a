"""A comparison study from its file to its reports: lists, sessions over HTTP, exported tables, suggested analyses."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from analysis.data.frames import study_data
from analysis.methods import parameters, registry
from analysis.views.asking import suggestions
from experiments.models import Study
from experiments.procedure.sessions import plan_session, study_snapshot
from experiments.study.lifecycle import open_study, save_details
from experiments.study.opening import opening_faults, opening_warnings
from experiments.study_files import StudyFileFaults, create_from_toml
from participants.models import Session, Trial
from participants.watching.invariants import violations

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "simplified-sentences" / "study.toml"
SYSTEMS = ("editor", "cutter", "trimmer")


@pytest.fixture
def draft(db: None, django_user_model: Any) -> Study:
    owner = django_user_model.objects.create_user("researcher")
    return create_from_toml(EXAMPLE, user=owner, owner=owner)


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_there_is_a_list_for_every_pair_and_side_and_each_holds_every_text(draft: Study) -> None:
    assert [shown.stimuli.count() for shown in draft.lists.all()] == [36] * 6
    assert opening_faults(draft) == []
    assert not any("cannot share" in warning.message for warning in opening_warnings(draft))


def test_over_the_lists_every_item_is_in_every_pair_on_both_sides_once(draft: Study) -> None:
    shown = Counter(
        (plan.private["stimuli"][0], tuple(plan.private["conditions"]))
        for each in draft.lists.all()
        for plan in plan_session(study_snapshot(draft, each), seed=3)
        if plan.private.get("conditions")
    )
    assert len(shown) == 12 * 6
    assert set(shown.values()) == {1}


def test_settings_that_ask_for_other_groups_make_other_lists(draft: Study) -> None:
    changed = save_details(draft, {"settings": {**draft.settings, "design": "all"}}, draft.owner)
    assert changed.lists.count() == 2
    changed = save_details(changed, {"settings": {**changed.settings, "design": "adaptive"}}, draft.owner)
    assert changed.lists.count() == 1
    changed = save_details(changed, {"settings": {**changed.settings, "design": "balanced"}}, draft.owner)
    assert changed.lists.count() == 6
    assert opening_faults(changed) == []


def test_a_text_that_is_missing_from_a_list_keeps_the_study_closed(draft: Study) -> None:
    shown = draft.lists.first()
    assert shown is not None
    shown.stimuli.remove(shown.stimuli.first())
    said = " ".join(str(fault) for fault in opening_faults(draft))
    assert "does not show every item in every condition" in said


def test_items_of_one_text_are_refused_with_what_to_do(tmp_path: Path, django_user_model: Any, db: None) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    (tmp_path / "materials.csv").write_text("item,text\none,First text.\ntwo,Second text.\n", encoding="utf-8")
    with pytest.raises(StudyFileFaults) as found:
        create_from_toml(tmp_path / "study.toml", user=None)
    said = " ".join(str(fault) for fault in found.value.faults)
    assert "every item has only one text, so there is nothing to compare it with." in said
    assert "Give every item a row for each condition" in said


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_simulated_sessions_are_stored_exported_and_analysed(draft: Study, tmp_path: Path) -> None:
    study = open_study(draft, user=draft.owner)
    call_command("simulate", study.slug, participants=12, seed=1)
    lists = Counter(session.list.index for session in Session.objects.filter(status="complete"))
    assert lists == dict.fromkeys(range(6), 2)
    assert not any(faults for faults in violations(study).values())

    call_command("export_data", study.slug, out=tmp_path)
    trials = [
        row for row in rows_of(tmp_path, "trials.csv") if row["phase"] == "main" and row["plugin"] == "comparison"
    ]
    targets = [row for row in trials if row["is_filler"] == "false"]
    assert (len(trials), len(targets)) == (12 * 14, 12 * 12)
    assert all(row["condition"] == "" and row["system"] == "" and " || " in row["text"] for row in trials)
    assert set(Counter((row["item"], row["conditions_shown"]) for row in targets).values()) == {2}
    assert set(Counter((row["a"], row["b"], row["side"]) for row in targets).values()) == {24}

    options = [row for row in rows_of(tmp_path, "options.csv") if row["phase"] == "main"]
    assert len(options) == 2 * len(trials)
    texts = {(row["item"], row["system"]): row["text"] for row in rows_of(tmp_path, "materials.csv")}
    for row in options:
        if row["is_filler"] == "false":
            assert row["condition"] == row["system"] == row["option"]
            assert row["text"] == texts[row["item"], row["option"]]

    (suggested,) = suggestions(study)
    frame = study_data(study, suggested.table).frame
    method = registry.method_named(suggested.method)
    params = {**suggested.params, "bootstrap": 100}
    report = method.function(frame, **parameters.read(method.parameters, params, list(frame.columns)))
    assert sorted(report.table("worth").frame().option) == sorted(SYSTEMS)
    described = json.loads((tmp_path / "datapackage.json").read_text(encoding="utf-8"))
    fields = {field["name"] for resource in described["resources"] for field in resource["schema"]["fields"]}
    assert {"choice", "side", "comparison", "option", "place"} <= fields


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_adaptive_sessions_ask_what_earlier_ones_left_open(draft: Study) -> None:
    save_details(draft, {"settings": {**draft.settings, "design": "adaptive"}}, draft.owner)
    draft.refresh_from_db()
    study = open_study(draft, user=draft.owner)
    call_command("simulate", study.slug, participants=8, seed=1)
    assert not any(faults for faults in violations(study).values())
    shown = Counter(
        frozenset(private["conditions"])
        for private in Trial.objects.filter(phase="main", plugin="comparison").values_list("private", flat=True)
        if private["conditions"]
    )
    assert sum(shown.values()) == 8 * 12
    assert len(shown) == 3
