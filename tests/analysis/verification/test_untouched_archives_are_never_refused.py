"""No archive that was left as it was made is refused: of every method, in every layout, of studies of all kinds."""

from __future__ import annotations

import pytest

from analysis.data.analyse_file import analyse_file
from analysis.methods import registry
from analysis.methods.declarations import TextFile
from analysis.models import AnalysisRun
from analysis.papers.run_files import archive_files
from analysis.verification.whole import verify
from experiments.models import Study
from tests.analysis.papers.studies import finished, study_of_a_plan
from tests.analysis.sequential.plans import made, planned
from tests.analysis.studies import add_participants, make_study
from tests.analysis.two_tasks import FIRST, put_a_task_before
from tests.analysis.verification.archives import OPENED_AT, exported, registered, registered_study, zipped
from tests.selection import only_in_full

QUICK = ("tukey", "correlation")
OF_ALL_METHODS = [
    slug if slug in QUICK else only_in_full("a method whose report does not come out of its file again", slug)
    for slug in registry.slugs()
]
LAYOUTS = [
    pytest.param(layout, variant, id=f"{layout}-{variant}")
    for layout in ("flat", "psych-ds")
    for variant in ("plain", "excel")
]


@pytest.mark.parametrize("slug", OF_ALL_METHODS)
def test_what_analyse_writes_comes_out_of_its_file_again(slug, tmp_path):
    method = registry.method_named(slug)
    assert method.example is not None
    frame, params = method.example()
    frame.to_csv(tmp_path / "data.csv", index=False)
    files = []
    for name, value in params.items():
        if isinstance(value, TextFile):
            (tmp_path / value.name).write_text(value.text, encoding="utf-8")
            files.append(tmp_path / value.name)
            params[name] = str(tmp_path / value.name)
    _report, written = analyse_file(slug, data=tmp_path / "data.csv", given=params, out=tmp_path / "out")
    assert written
    verdict = verify([tmp_path / "out", tmp_path / "data.csv", *files])
    assert (verdict.wrong, verdict.unchecked, verdict.told[1:]) == ([], 0, [])
    assert verdict.same == verdict.numbers > 0


def refused(study: Study, path, **how) -> tuple[list[str], int]:
    verdict = verify([zipped(exported(study, **how), path / "study.zip")])
    return verdict.wrong, verdict.numbers - verdict.same


@pytest.mark.full("a layout, a variant or a kind of study whose export does not verify")
@pytest.mark.django_db
@pytest.mark.parametrize(("layout", "variant"), LAYOUTS)
def test_exports_of_studies_of_all_kinds_verify(layout, variant, tmp_path):
    labels = {"marker": {"label": "Marker", "levels": {"because": "since"}}}
    study = registered_study(labels=labels)
    assert refused(study, tmp_path, layout=layout, variant=variant) == ([], 0)
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT, opened_at=None)
    assert refused(Study.objects.get(pk=study.pk), tmp_path, layout=layout, variant=variant)[0] == []


@pytest.mark.full("a layout or a variant in which a study of several tasks does not verify")
@pytest.mark.django_db
@pytest.mark.parametrize(("layout", "variant"), LAYOUTS)
def test_exports_of_studies_of_several_tasks_verify(layout, variant, tmp_path):
    both = registered(put_a_task_before(study_of_a_plan()))
    for task, factor in ((FIRST, "length"), ("task", "marker")):
        finished(both.seen_through(task), "rm-anova", {"dv": "rating_z", "within": factor})
    assert refused(both, tmp_path, layout=layout, variant=variant) == ([], 0)


@pytest.mark.full("the report of a look, which is of some of the people in the archive")
@pytest.mark.django_db
def test_the_report_of_a_look_comes_out_with_the_looks_before_it(tmp_path):
    study = make_study(plan=planned(), opened_at=OPENED_AT)
    add_participants(study, 8)
    made(study)
    add_participants(study, 3, first=8)
    verdict = verify([zipped(exported(study), tmp_path / "study.zip")])
    assert (verdict.wrong, verdict.unchecked) == ([], 0)
    assert [(one.method, one.standing) for one in verdict.reports] == [("lmm", "planned")]
    assert verdict.same == verdict.numbers > 0


@pytest.mark.full("a method of the platform whose archive of its report does not verify")
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("normalise", {"dv": "rating"}),
        ("tukey", {"dv": "rating_z", "within": "marker,order"}),
        ("min-f", {"dv": "rating_z", "within": "marker,order"}),
        ("friedman", {"dv": "rating_z", "within": "marker"}),
        ("lmm", {"formula": "rating_z ~ marker*order + (1|participant) + (1|item)", "means": "marker"}),
        ("n-best", {"dv": "rating_z"}),
    ],
)
def test_archives_of_single_reports_verify(method, params, tmp_path):
    study = registered_study()
    run = finished(study, method, params)
    files = {name: b"".join(pieces) for name, pieces in archive_files(AnalysisRun.objects.get(pk=run.pk))}
    verdict = verify([zipped(files, tmp_path / "report.zip")])
    assert (verdict.wrong, verdict.unchecked) == ([], 0)
    assert verdict.same == verdict.numbers > 0
