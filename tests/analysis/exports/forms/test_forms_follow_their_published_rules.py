"""Every form of an export follows the rules of the project that reads it, whatever a study is about and named."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from analysis.exports import write_all
from analysis.exports.forms.names import LAYOUTS
from analysis.exports.forms.psychling.generate_prompts import keys_of
from analysis.exports.forms.rows import Labels
from analysis.exports.forms.spss import legal_name
from experiments.models import Study
from experiments.study.lifecycle import open_study
from experiments.study_files import create_from_toml
from participants.erasure.withdrawal import withdraw
from participants.models import Participant
from tests.analysis.exports.forms.checks import CHECKS, LEGAL_NAME, check_manifest, check_psychling, paths_in, table
from tests.analysis.recalls import add_recalls, make_recall_study
from tests.analysis.studies import add_participants, make_study
from tests.analysis.two_tasks import put_a_task_before

pytestmark = pytest.mark.django_db
FORMS = sorted(CHECKS)


@pytest.fixture
def study() -> Study:
    study = make_study(description="Four formulations of causes.", responsible="A Laboratory")
    add_participants(study, 2)
    add_participants(study, 1, first=2, stop_after=5, events=True)
    add_participants(study, 1, first=3, simulated=True)
    return study


def written(study: Study, folder: Path, form: str) -> Path:
    target = folder / study.slug.replace("-", "")
    call_command("export_data", study.slug, out=target, format=form, verbosity=0)
    return target


@pytest.mark.parametrize("form", FORMS)
def test_a_study_of_one_task(study: Study, tmp_path: Path, form: str) -> None:
    folder = written(study, tmp_path, form)
    check_manifest(folder)
    CHECKS[form](folder)


@pytest.mark.parametrize("form", FORMS)
def test_a_study_of_two_tasks_with_what_people_typed(tmp_path: Path, form: str) -> None:
    study = make_recall_study()
    add_recalls(study, 2)
    study = put_a_task_before(study)
    folder = written(study, tmp_path, form)
    check_manifest(folder)
    CHECKS[form](folder)
    if form == "bids":
        assert len({path.split("_")[1] for path in paths_in(folder) if path.endswith("_beh.tsv")}) == 2


@pytest.mark.parametrize("form", FORMS)
def test_a_study_in_which_nobody_took_part(tmp_path: Path, form: str) -> None:
    folder = written(make_study(), tmp_path, form)
    check_manifest(folder)
    CHECKS[form](folder)


def test_every_form_is_the_same_twice_and_replaces_the_one_before(study: Study, tmp_path: Path) -> None:
    for form in LAYOUTS:
        first = dict(write_all(study, tmp_path, layout=form))
        contents = {path: (tmp_path / path).read_bytes() for path in first}
        assert dict(write_all(study, tmp_path, layout=form)) == first
        assert {path: (tmp_path / path).read_bytes() for path in paths_in(tmp_path)} == contents


def test_nobody_who_withdrew_and_no_identity_is_in_any_form(study: Study, tmp_path: Path) -> None:
    person = Participant.objects.filter(study=study).earliest("pk")
    gone = person.pseudonym.encode()
    withdraw(person, by_participant=True)
    for form in FORMS:
        folder = written(study, tmp_path / form, form)
        for path in paths_in(folder):
            content = (folder / path).read_bytes()
            assert gone not in content, path
            assert b"secret-" not in content, path
            assert b"token-" not in content, path


def test_rows_of_psychling_are_those_of_the_trials_that_were_answered(study: Study, tmp_path: Path) -> None:
    folder = written(study, tmp_path, "psychling-101")
    with (folder / "original_data" / "trials.csv").open(encoding="utf-8", newline="") as file:
        answered = [
            row for row in csv.DictReader(file) if row["answered"] == "true" and row["phase"] in ("practice", "main")
        ]
    head, *rows = table(folder / "processed_data" / "exp1.csv")
    made = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(row["participant_id"], row["trial_id"], row["response"], row["rt"]) for row in made] == [
        (row["participant"], row["position"], row["rating"], row["rt_ms"]) for row in answered
    ]
    prompts = check_psychling(folder)
    assert [line["participant_id"] for line in prompts] == ["P0000", "P0001", "P0002", "P0003"]
    assert [line.get("simulated", False) for line in prompts] == [False, False, False, True]
    for line in prompts:
        of_one = [row for row in made if row["participant_id"] == line["participant_id"]]
        assert [f"<<{row['response']}>>" in line["text"] for row in of_one] == [True] * len(of_one)
        assert line["rt"] == [float(row["rt"]) for row in of_one]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "example",
    [
        "words-and-sentences",
        *(
            pytest.param(name, marks=pytest.mark.full("a paradigm whose rows or words break a rule of a form"))
            for name in (
                "lexical-decision", "relative-clauses", "maze-agents", "mouse-reading", "system-ratings",
                "paired-formulations", "cloze-sentences", "primed-pairs",
            )
        ),
    ],
)  # fmt: skip
def test_examples_with_simulated_people(example: str, tmp_path: Path, django_user_model: Any) -> None:
    owner = django_user_model.objects.create_user("researcher")
    file = Path(settings.BASE_DIR) / "experiments" / "examples" / example / "study.toml"
    study = open_study(create_from_toml(file, user=owner, owner=owner), user=owner)
    call_command("simulate", study.slug, participants=2, seed=1)
    for form in FORMS:
        folder = written(study, tmp_path / form, form)
        check_manifest(folder)
        CHECKS[form](folder)


@given(st.lists(st.text(max_size=80), unique=True))
def test_every_name_becomes_a_legal_one_of_its_own(names: list[str]) -> None:
    taken: set[str] = set()
    made = [legal_name(name, taken) for name in names]
    assert len({name.casefold() for name in made}) == len(names)
    assert all(LEGAL_NAME.fullmatch(name) and len(name) <= 64 for name in made)


@given(st.lists(st.text(max_size=20)))
def test_every_name_has_a_label_of_its_own(names: list[str]) -> None:
    labels = Labels("person")
    made = {name: labels[name] for name in names}
    assert len({label.casefold() for label in made.values()}) == len(set(names))
    assert all(label.isascii() and label.isalnum() for label in made.values())


@given(st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=26), st.text(max_size=10))
def test_answers_have_keys_that_a_person_keeps(options: list[str], person: str) -> None:
    keys = keys_of({"options": options}, person)
    assert (list(keys), len(set(keys.values()))) == (options, len(options))
    assert keys == keys_of({"options": options}, person)
