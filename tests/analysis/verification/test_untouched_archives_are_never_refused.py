"""No archive that was left as it was made is refused: of every method, in every layout, of studies of all kinds."""

from __future__ import annotations

import pytest

from analysis.data.analyse_file import analyse_file
from analysis.methods import registry
from analysis.methods.declarations import TextFile
from analysis.models import AnalysisRun
from analysis.verification.whole import verify
from analysis.views.reports import archive_files
from experiments.models import Study
from tests.analysis.papers.studies import finished
from tests.analysis.two_tasks import FIRST, put_a_task_before
from tests.analysis.verification.archives import exported, registered_study, zipped
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
    both = put_a_task_before(study)
    for task in (FIRST, "task"):
        finished(both.seen_through(task), "rm-anova", {"dv": "rating_z", "within": "marker"})
    assert refused(both, tmp_path, layout=layout, variant=variant) == ([], 0)
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT, opened_at=None)
    assert refused(Study.objects.get(pk=study.pk), tmp_path, layout=layout, variant=variant)[0] == []


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
