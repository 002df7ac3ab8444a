"""The data sheet of a rating and of a comparison study: what is stored is said, what is not stays visibly open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from analysis.papers.collected import Collected, collect
from analysis.papers.data_sheet.answers import Standing
from analysis.papers.data_sheet.questions import QUESTIONS
from analysis.papers.data_sheet.whole import TO_WRITE, DataSheet, data_sheet, data_sheet_files
from analysis.papers.people import people_of
from experiments.models import Study
from experiments.study.lifecycle import open_study
from experiments.study_files import create_from_toml
from participants.models import Participant, Session
from participants.simulation import simulate
from tests.analysis.papers.studies import finished, study_of_a_plan

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLES = Path(settings.BASE_DIR) / "experiments" / "examples"
QUALITIES = ("grammaticality", "non_redundancy", "referential_clarity", "focus", "structure")
POOL = {"name": "pool", "kind": "prolific", "outcomes": {"completed": {"code": "C-DONE"}}}
ONLY_AUTHORS = {"1.1", "2.3", "5.1", "5.4"}


def example(slug: str, users: Any, *, plan: dict[str, Any], people: int) -> Study:
    """Make an example as somebody would who carries it out: with a plan, and with people from a service."""
    owner = users.objects.create_user("researcher")
    study = create_from_toml(EXAMPLES / slug / "study.toml", user=owner, owner=owner)
    study.plan, study.sources = plan, [POOL]
    study.save()
    study = open_study(study, user=owner)
    simulate(study, participants=people, seed=3)
    return study


def sheet_of(study: Study) -> DataSheet:
    study = Study.objects.get(pk=study.pk)
    sheet = data_sheet(study, collect(study, refusal=lambda run: ""), people_of(study))
    assert sheet is not None
    return sheet


def rules(*analyses: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    planned = [{"title": method, "method": method, "params": params} for method, params in analyses]
    return {
        "hypotheses": "Writers are best.",
        "exclusion_rules": [{"rule": "fast-trial", "ms": 250}],
        "analyses": planned,
    }


@pytest.mark.full("an answer of the data sheet that the whole rating example loses")
def test_the_rating_example_answers_thirty_questions_and_more(django_user_model: Any, tmp_path: Path) -> None:
    anova: dict[str, Any] = {"dv": "focus", "within": "system", "unit": "participant"}
    study = example("system-ratings", django_user_model, plan=rules(("rm-anova", anova)), people=3)
    for quality in QUALITIES:
        finished(study, "rm-anova", {**anova, "dv": quality})
    assert sheet_of(study).standing("4.3.11") == Standing.OPEN
    for quality in QUALITIES:
        among = {"unit": "item,system", "coder": "participant", "code": quality, "metric": "ordinal"}
        finished(study, "agreement", among)
    sheet = sheet_of(study)
    assert len(sheet.numbers(Standing.KNOWN)) >= 30
    assert set(sheet.numbers(Standing.OPEN)) >= ONLY_AUTHORS
    assert sum(len(sheet.numbers(standing)) for standing in Standing) == len(QUESTIONS) == 45
    call_command("paper", study.slug, out=tmp_path, verbosity=0)
    files = {path.name: path.read_bytes() for path in tmp_path.glob("data-sheet.*")}
    assert files == dict(data_sheet_files(sheet_of(study)))
    assert set(files) == {"data-sheet.md", "data-sheet.docx", "data-sheet.tex"}
    text = files["data-sheet.md"].decode()
    assert "0: nobody has taken part. 3 simulated participants stand in the data" in text
    assert "6 of each of 4 conditions (writer, " in text
    assert "Relative: all texts of an item stand side by side" in text
    assert text.count("# 4 Quality criterion ") == len(QUALITIES)
    assert text.count("The question is shown without a name".lower()) == len(QUALITIES)
    assert "1 to 5, labelled “very poor” and “very good”" in text
    assert "pool (Prolific; 0 sessions)" in text
    of_focus = text.split("of 5: focus\n")[1].split("\n## ")[0]
    assert "Does the text stay with its topic" in of_focus
    run = study.analysis_runs.get(method="agreement", params__code="focus")
    assert f"(report {run.pk}, simulated data)" in of_focus
    # An open question shows what to write, and nothing that looks like an answer.
    ethics = text.split("# 5.1 ")[1].split("\n##")[0]
    assert ethics.count(TO_WRITE) == 1
    assert len(ethics.split("\n\n")) <= 3


def test_the_comparison_example_answers_thirty_questions_and_follows_its_study(django_user_model: Any) -> None:
    params = {"a": "a", "b": "b", "choice": "choice", "side": "side", "random": "none"}
    study = example("simplified-sentences", django_user_model, plan=rules(("preference", params)), people=4)
    finished(study, "preference", params)
    sheet = sheet_of(study)
    assert len(sheet.numbers(Standing.KNOWN)) >= 30
    assert set(sheet.numbers(Standing.OPEN)) >= ONLY_AUTHORS
    ((_title, answers),) = sheet.criteria
    assert answers["4.3.3"].text == "3"
    assert answers["4.3.4"].text == "The first text, the second text, no difference."
    assert "Which version says the same" in answers["4.3.7"].text
    assert "Krippendorff's α" in answers["4.3.11"].text
    assert "12 of each of 3 conditions (editor, " in sheet.study["3.1.1"].text
    assert "A plan (hypotheses, 1 exclusion rule and 1 analysis) was fixed" in sheet.study["3.3.1"].text
    # What the study says is what the sheet says; what it does not say is open.
    task = study.task
    task.settings = {**task.settings, "no_difference": False, "question": ""}
    task.save()
    study.sources, study.contact, study.plan = [], "", {}
    study.conduct = {**study.conduct, "resume": "end", "supervised": True}
    study.save()
    Participant.objects.update(is_simulated=False)
    Session.objects.update(is_simulated=False)
    finished(Study.objects.get(pk=study.pk), "preference", params)
    changed = sheet_of(study)
    ((_title, answers),) = changed.criteria
    assert answers["4.3.3"].text == "2"
    assert answers["4.3.7"].standing == Standing.PART
    assert sheet.study["3.2.1"].text.startswith("0: nobody has taken part. 4 simulated participants")
    assert changed.study["3.2.1"].text.startswith("4 whose judgements are analysed. 4 participants answered")
    assert (sheet.is_simulated, changed.is_simulated) == (True, False)
    for number in ("1.3", "3.2.3", "3.3.1", "3.3.7", "3.3.8"):
        assert (sheet.standing(number), changed.standing(number)) == (Standing.KNOWN, Standing.PART)
    task.settings = {**task.settings, "task": "ranking"}
    task.save()
    ranked = data_sheet(Study.objects.get(pk=study.pk), Collected(), people_of(study))
    assert ranked is not None
    ((_title, answers),) = ranked.criteria
    assert answers["4.3.5"].text.startswith("N/A")
    assert (answers["4.3.9"].standing, answers["4.3.11"].standing) == (Standing.PART, Standing.OPEN)
    assert answers["4.3.9"].text.startswith("Every answer is stored as it was given")
    assert answers["4.3.6"].text.startswith("3 texts are put in order from the best to the worst, 6 possible answers")
    assert "one sitting" in changed.study["3.3.5"].text
    assert "one sitting" not in sheet.study["3.3.5"].text
    assert "no address" in changed.study["3.3.6"].text


def test_a_study_that_rates_and_compares_nothing_has_no_sheet() -> None:
    study = study_of_a_plan()
    finished(study, "friedman", {"dv": "rating_z", "within": "order"})
    assert data_sheet(study, collect(study, refusal=lambda run: ""), people_of(study)) is None
    assert data_sheet_files(None) == []
