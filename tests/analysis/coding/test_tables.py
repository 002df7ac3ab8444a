"""Codings, final codes and pairs as tables: what is exported, and that analyses read exactly that."""

import csv
import hashlib
import io
import json
import math
import statistics
import zipfile
from typing import Any

import pytest

from analysis.coding import queues
from analysis.coding.adjudicating import decide, disagreements
from analysis.coding.saving import save, undo
from analysis.coding.scheme import save_scheme, scheme_of
from analysis.data.analyse_file import analyse_file
from analysis.data.frames import data_stamp, study_data
from analysis.data.tables import tables_of
from analysis.exports import export_files, stream, zip_pieces
from analysis.methods.report import BadInput
from analysis.papers.run_files import archive_files
from analysis.studies.asking import request_run
from experiments.models import Condition, Item, Stimulus, StimulusList, Study
from experiments.paradigms.base import DefaultErrorCode, LongTable, Measure
from experiments.paradigms.sentence_recall.paradigm import SentenceRecall
from participants.models import Response, Session, Trial
from tests.analysis.computed import execute
from tests.analysis.recalls import add_recalls, make_coder, make_recall_study
from tests.analysis.studies import add_participants, make_study
from tests.analysis.two_tasks import put_a_task_before

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = make_recall_study()
    add_recalls(study, 4)
    anna, ben = make_coder(study, "anna"), make_coder(study, "ben", share=0.5, is_second=True)
    given = {}
    for number, view in enumerate(queues.items(anna, count=15)):
        given[view.recall_id] = [["0"], ["3", "4"], ["2"]][number % 3]
        save(anna, view.recall_id, given[view.recall_id], note="=note", seconds=3.25)
    for number, view in enumerate(queues.items(ben, count=99)):
        save(ben, view.recall_id, given.get(view.recall_id, ["0"]) if number % 2 else ["3"])
    decide(study, disagreements(study)[0].recall_id, ["4"], user=study.owner, note="heard both")
    return study


def rows_of(study, name):
    return list(csv.DictReader(io.StringIO(b"".join(stream(study, name)).decode(), newline="")))


def test_a_coding_is_a_row_and_so_are_the_final_codes(study):
    rows = rows_of(study, "codings.csv")
    by_role = {role: [row for row in rows if row["role"] == role] for role in ("coder", "final")}
    assert len(by_role["coder"]) == 15 + 8
    final = {row["recall_id"]: row for row in by_role["final"]}
    given: dict[str, list[dict[str, str]]] = {}
    for row in by_role["coder"]:
        given.setdefault(row["recall_id"], []).append(row)
    for name, coders in given.items():
        distinct = {row["codes"] for row in coders}
        if name in final and final[name]["source"] == "adjudicated":
            assert (final[name]["codes"], final[name]["note"]) == ("4", "heard both")
        elif len(distinct) > 1:
            assert name not in final
        else:
            assert final[name]["codes"] in distinct
            assert final[name]["source"] == ("agreed" if len(coders) > 1 else "single")


def test_each_row_has_its_codes_ticked_and_the_sum_of_their_weights(study):
    weights = {entry.code: entry.weight for entry in scheme_of(study)}
    for row in rows_of(study, "codings.csv"):
        codes = row["codes"].split(";")
        assert {code for code in weights if row[f"code_{code}"] == "1"} == set(codes)
        assert math.isclose(float(row["score"]), sum(weights[code] for code in codes))


def test_the_header_begins_as_promised(study):
    promised = (
        "study participant session list position item_set item condition formulation is_filler recall_id stimulus "
        "recall words coder role source codes code_0 code_1 code_2 code_3 code_4 code_5 code_6 score note seconds "
        "coded_at"
    )
    assert list(rows_of(study, "codings.csv")[0])[: len(promised.split())] == promised.split()


def test_no_coder_is_named_in_an_export(study):
    content = b"".join(b"".join(pieces) for _, pieces in export_files(study))
    assert b"anna" not in content
    assert b"coder-2" in content


def test_trials_have_the_final_codes_where_there_are_some(study):
    final = {(row["session"], row["position"]): row for row in rows_of(study, "codings.csv") if row["role"] == "final"}
    kinds = set()
    for row in rows_of(study, "trials.csv"):
        kinds.add(row["coding"])
        place = (row["session"], row["position"])
        if place in final:
            assert row["coding"] == final[place]["source"]
            assert [row[f"code_{n}"] for n in range(7)] == [final[place][f"code_{n}"] for n in range(7)]
            assert row["score"] == final[place]["score"]
        else:
            assert row["coding"] in ("unresolved", "")
            assert {row[f"code_{n}"] for n in range(7)} | {row["score"]} == {""}
    assert kinds == {"adjudicated", "agreed", "single", "unresolved", ""}


def test_an_exclusion_stands_in_codings_as_it_does_in_trials(study):
    session = Session.objects.filter(study=study).first()
    Session.objects.filter(pk=session.pk).update(is_excluded=True, exclusion_reason="asleep")
    rows = [row for row in rows_of(study, "codings.csv") if row["session"] == str(session.pk)]
    assert rows
    assert {(row["excluded"], row["exclusion_reason"]) for row in rows} == {("true", "asleep")}


def test_every_change_of_a_coding_changes_the_stamp(study):
    anna = study.coding_queues.get(number=1)
    view = queues.items(anna, count=1)[0]
    stamps = [data_stamp(study)]
    assert data_stamp(study) == stamps[0]
    for change in (
        lambda: save(anna, view.recall_id, ["6"]),
        lambda: save(anna, view.recall_id, ["6"], seconds=1.0),
        lambda: undo(anna, view.recall_id),
        lambda: save(anna, queues.next_item(anna).recall_id, ["0"]),
        lambda: decide(study, disagreements(study, which="open")[0].recall_id, ["3"], user=study.owner),
        lambda: save_scheme(
            study,
            [DefaultErrorCode(e.code, e.description, e.weight * 2, e.is_exclusive) for e in scheme_of(study)],
            user=study.owner,
        ),
    ):
        change()
        stamps.append(data_stamp(study))
    assert len(set(stamps)) == len(stamps)


def run(study, method, params, **options):
    made = request_run(study, method=method, params=params, user=None, **options)
    execute(made.pk)
    made.refresh_from_db()
    assert made.error == ""
    return made


AGREEMENT = {"unit": "recall_id", "coder": "coder", "code": "codes", "where": "role=coder"}
INCIDENCE = {"codes": "codes", "by": "formulation", "where": "role=final"}


@pytest.mark.parametrize(
    ("method", "params", "table"),
    [
        ("agreement", AGREEMENT, "codings"),
        ("incidence", INCIDENCE, "codings"),
        ("incidence", {"codes": ",".join(f"code_{n}" for n in range(7)), "by": "formulation"}, "trials"),
        ("proportions", {"success": "code_0", "group": "formulation", "where": "role=final"}, "codings"),
    ],
)
def test_a_run_on_a_table_is_the_analysis_of_its_exported_file(study, tmp_path, method, params, table):
    made = run(study, method, params, table=table)
    path = tmp_path / f"{table}.csv"
    path.write_bytes(b"".join(stream(study, f"{table}.csv")))
    analyse_file(method, data=path, given=made.params, out=tmp_path / "out")
    assert (tmp_path / "out" / "report.json").read_text() == made.report


DISPLAYS = LongTable(
    "displays",
    "One row for every display.",
    (Measure("place", "integer", "Place in the trial."), Measure("measured_ms", "number", "How long.", "ms")),
)


def displays_of(self, table, params, payload, events):
    return [
        {"place": place, "measured_ms": display["measured_ms"] + params["words"]}
        for place, display in enumerate(payload.get("displays", ()), start=1)
        for _ in range(2)
    ]


def test_a_long_table_is_exported_and_analysed_as_any_other(study, tmp_path, monkeypatch):
    monkeypatch.setattr(SentenceRecall, "long_tables", (DISPLAYS,))
    monkeypatch.setattr(SentenceRecall, "long_rows", displays_of)
    rows = rows_of(study, "displays.csv")
    assert len(rows) == 2 * Response.objects.filter(trial__session__study=study).count()
    assert (list(rows[0])[:11]) == [
        "study",
        "participant",
        "session",
        "list",
        "position",
        "phase",
        "item_set",
        "item",
        "condition",
        "formulation",
        "is_filler",
    ]
    assert {row["phase"] for row in rows} == {"practice", "main"}
    assert [table.name for table in tables_of(study)] == ["trials", "codings", "displays", "texts", "pairs"]
    made = run(study, "correlation", {"x": "measured_ms", "y": "position"}, table="displays")
    path = tmp_path / "displays.csv"
    path.write_bytes(b"".join(stream(study, "displays.csv")))
    analyse_file("correlation", data=path, given=made.params, out=tmp_path / "out")
    assert (tmp_path / "out" / "report.json").read_text() == made.report
    files = {name: b"".join(pieces).decode() for name, pieces in export_files(study)}
    assert "displays.csv,measured_ms,number,ms,How long." in files["codebook.csv"]


def test_a_run_on_one_table_is_not_taken_for_one_on_another(study):
    params = {"codes": "code_0,code_3", "by": "formulation", "where": "is_filler=false"}
    first = run(study, "incidence", params, table="codings")
    second = run(study, "incidence", params, table="trials")
    assert first.pk != second.pk
    assert first.data_hash != second.data_hash
    assert request_run(study, method="incidence", params=params, user=None, table="codings").pk == first.pk


def test_a_table_that_a_study_lacks_is_refused(study):
    assert [table.name for table in tables_of(study)] == ["trials", "codings", "texts", "pairs"]
    with pytest.raises(BadInput, match="no table 'visits'"):
        request_run(study, method="incidence", params=INCIDENCE, user=None, table="visits")
    plain = make_study()
    assert [table.name for table in tables_of(plain)] == ["trials", "texts"]


def test_the_archive_of_a_report_holds_its_data_while_they_are_the_same(study):
    made = run(study, "incidence", INCIDENCE, table="codings")
    files = dict(archive_files(made))
    assert b"".join(files["codings.csv"]) == b"".join(stream(study, "codings.csv"))
    assert b"--data codings.csv" in files["rerun.sh"][0]
    undo(study.coding_queues.get(number=1), queues.items(study.coding_queues.get(number=1), count=1)[0].recall_id)
    files = dict(archive_files(made))
    assert "codings.csv" not in files
    assert made.data_hash.encode() in files["data-has-changed.txt"][0]


def make_ratings(study: Study, slug: str = "ratings", *, factors=None) -> Study:
    """Make a magnitude estimation study of the sentences of a recall study, under the same names."""
    rated = make_study(slug, n_items=0, n_fillers=1)
    Condition.objects.filter(part__study=rated).delete()
    StimulusList.objects.filter(part__study=rated).delete()
    rated.factors = factors or study.factors
    rated.save()
    name = rated.factors[0]["name"]
    conditions = [
        Condition.objects.create(part=rated.task, position=index, levels={name: level})
        for index, level in enumerate(rated.factors[0]["levels"])
    ]
    lists = [StimulusList.objects.create(part=rated.task, index=index) for index in range(2)]
    targets = Item.objects.filter(part__study=study, is_filler=False, is_practice=False)
    for number, item in enumerate(targets):
        copy = Item.objects.create(part=rated.task, code=item.code, position=100 + number, item_set="A")
        texts = [stimulus.text for stimulus in item.stimuli.order_by("condition__position")]
        for index, condition in enumerate(conditions):
            made = Stimulus.objects.create(item=copy, condition=condition, text=texts[index])
            lists[(number + index) % 2].stimuli.add(made)
    add_ratings(rated, 4)
    return rated


def settle(study: Study) -> None:
    """Let every recall have final codes."""
    anna = study.coding_queues.get(number=1)
    while (view := queues.next_item(anna)) is not None:
        save(anna, view.recall_id, ["0"])
    for entry in disagreements(study, which="open"):
        decide(study, entry.recall_id, ["3"], user=study.owner)


def add_ratings(rated, count):
    # The helper for magnitude estimation knows the levels of its own study only.
    from tests.analysis import studies

    studies.EFFECT.update({"because of": 0.3, "x": 0.1, "y": 0.4})
    return add_participants(rated, count)


def means(rows, measure):
    found: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if row[measure] and row["excluded"] == "false" and row["is_filler"] == "false" and row["phase"] == "main":
            found.setdefault((row["item"], row["condition"]), []).append(float(row[measure]))
    return {key: statistics.fmean(values) for key, values in found.items()}


def test_pairs_are_the_differences_of_the_means_of_both_exports(study):
    rated = make_ratings(study)
    frame = study_data(study, "pairs", other=rated).frame
    scores, ratings = means(rows_of(study, "trials.csv"), "score"), means(rows_of(rated, "trials.csv"), "rating_z")
    assert list(frame["item"]) == sorted({item for item, _ in scores})
    for _, row in frame.iterrows():
        assert (row["condition_a"], row["condition_b"], row["factor"]) == ("because", "because of", "formulation")
        a, b = (row["item"], "because"), (row["item"], "because of")
        assert float(row["difference_z"]) == round(ratings[a] - ratings[b], 9)
        assert float(row["z_a"]) == pytest.approx(ratings[a], abs=1e-12)
        if a in scores and b in scores:
            assert float(row["difference_score"]) == round(scores[a] - scores[b], 9)
        else:
            assert row["difference_score"] == ""
        shown = [s.text for s in Stimulus.objects.filter(item__part__study=study, item__code=row["item"])]
        assert int(row["words"]) == min(len(text.split()) for text in shown)


def test_the_correlation_of_two_studies_comes_again_from_the_archive_of_its_report(study, tmp_path):
    settle(study)
    rated = make_ratings(study)
    params = {"x": "difference_z", "y": "difference_score", "where": "words>=17"}
    made = run(study, "correlation", params, table="pairs", other=rated)
    with zipfile.ZipFile(io.BytesIO(b"".join(zip_pieces(archive_files(made))))) as archive:
        archive.extract("pairs.csv", tmp_path)
    analyse_file("correlation", data=tmp_path / "pairs.csv", given=made.params, out=tmp_path / "out")
    assert (tmp_path / "out" / "report.json").read_text() == made.report
    table = next(table for table in json.loads(made.report)["tables"] if table["name"] == "correlation")
    n = table["rows"][0][[column["name"] for column in table["columns"]].index("n")]
    kept = [words for words in study_data(study, "pairs", other=rated).frame["words"] if int(words) >= 17]
    assert n == len(kept) == 3


def test_of_a_study_of_several_tasks_the_rated_one_is_compared_and_two_rated_ones_are_refused(study):
    rated = make_ratings(study)
    alone = study_data(study, "pairs", other=rated).frame
    both = put_a_task_before(rated)
    with pytest.raises(BadInput, match=r"ratings in several tasks \(warm-up and task\)"):
        study_data(study, "pairs", other=both)
    warm_up = both.tasks[0]
    Trial.objects.filter(part=warm_up).delete()
    warm_up.paradigm = "self-paced-reading"
    warm_up.save()
    after_another = study_data(study, "pairs", other=Study.objects.get(pk=rated.pk)).frame
    assert after_another.equals(alone)


def test_an_export_holds_the_pairs_beside_the_report_while_both_studies_are_the_same(study):
    settle(study)
    rated = make_ratings(study)
    made = run(study, "correlation", {"x": "difference_z", "y": "difference_score"}, table="pairs", other=rated)
    path = f"reports/correlation-{made.pk}/pairs.csv"
    files = {name: b"".join(pieces) for name, pieces in export_files(study)}
    assert hashlib.sha256(files[path]).hexdigest() == made.data_hash
    Session.objects.filter(study=rated).first().delete()
    assert path not in {name for name, pieces in export_files(study) if list(pieces)}


def test_a_rating_more_makes_the_pairs_new(study):
    settle(study)
    rated = make_ratings(study)
    params = {"x": "difference_z", "y": "difference_score"}
    made = run(study, "correlation", params, table="pairs", other=rated)
    again = request_run(study, method="correlation", params=params, user=None, table="pairs", other=rated)
    assert again.pk == made.pk
    Session.objects.filter(study=rated).update(is_excluded=False, exclusion_reason="looked at")
    later = request_run(study, method="correlation", params=params, user=None, table="pairs", other=rated)
    assert later.pk != made.pk


def test_studies_with_other_factors_are_joined_by_their_texts(study):
    rated = make_ratings(study, factors=[{"name": "marker", "levels": ["x", "y"]}])
    same = make_ratings(study, "same")
    by_text = study_data(study, "pairs", other=rated).frame
    assert len(by_text) == len(study_data(study, "pairs", other=same).frame)
    assert set(by_text["condition_a"]) == {"because"}
    assert "" not in set(by_text["difference_z"])


@pytest.mark.parametrize("case", ["no other study", "no ratings", "nothing shared", "no scores"])
def test_studies_that_cannot_be_compared_say_why(study, case):
    params = {"x": "difference_z", "y": "difference_score"}
    options: dict[str, Any] = {"method": "correlation", "params": params, "user": None, "table": "pairs"}
    if case == "no other study":
        with pytest.raises(BadInput, match="choose the study"):
            request_run(study, **options)
        return
    if case == "no ratings":
        with pytest.raises(BadInput, match="no rating_z"):
            request_run(study, **options, other=make_recall_study("second"))
        return
    if case == "nothing shared":
        other, words = make_study(), "share no stimulus"
        add_participants(other, 2)
    else:
        study, words = make_recall_study("fresh"), "Code its recalls first"
        add_recalls(study, 2)
        other = make_ratings(study)
    made = request_run(study, **options, other=other)
    execute(made.pk)
    made.refresh_from_db()
    assert words in made.error


def test_a_study_of_its_own_needs_no_other(study):
    with pytest.raises(BadInput, match="do not name another study"):
        request_run(study, method="incidence", params=INCIDENCE, user=None, table="codings", other=study)


@pytest.mark.full("a table of errors that is wrong at the size of the published study alone")
@pytest.mark.slow
def test_two_coders_code_512_recalls_and_table_5_comes_from_the_file(tmp_path):
    study = make_recall_study("full", n_items=16, n_fillers=0)
    add_recalls(study, 32)
    coders = [make_coder(study, "anna"), make_coder(study, "ben", is_second=True)]
    for number, queue in enumerate(coders):
        views = queues.items(queue, count=600)
        assert len(views) == 512
        # The second coder reads every seventh recall more strictly.
        for view in views:
            codes = list(view.suggestion.codes) if view.suggestion else ["5"]
            strict = number == 1 and int(view.recall_id[1:], 16) % 7 == 0
            save(queue, view.recall_id, ["3"] if strict and codes != ["3"] else codes, revision=0)
    open_ones = disagreements(study, which="open")
    for entry in open_ones:
        decide(study, entry.recall_id, entry.opinions[0].codes, user=study.owner)
    assert 40 < len(open_ones) < 120
    rows = [row for row in rows_of(study, "codings.csv") if row["role"] == "final"]
    assert len(rows) == 512

    path = tmp_path / "codings.csv"
    path.write_bytes(b"".join(stream(study, "codings.csv")))
    made = run(study, "incidence", INCIDENCE, table="codings")
    analyse_file("incidence", data=path, given=made.params, out=tmp_path / "out")
    assert (tmp_path / "out" / "report.json").read_text() == made.report
    table = {row["formulation"]: row for row in csv.DictReader((tmp_path / "out" / "incidence.csv").open())}
    for formulation in ("because", "because of"):
        counted = [row for row in rows if row["formulation"] == formulation]
        assert int(table[formulation]["n"]) == len(counted) == 256
        for code in {code for row in counted for code in row["codes"].split(";")}:
            share = sum(code in row["codes"].split(";") for row in counted) / 256
            cells = [
                value for name, value in table[formulation].items() if name in (code, f"code_{code}", f"share_{code}")
            ]
            assert any(float(cell) in (pytest.approx(share), pytest.approx(share * 256)) for cell in cells), (
                code,
                table,
            )

    rated = make_ratings(study, "full-ratings")
    pairs = run(
        study,
        "correlation",
        {"x": "difference_z", "y": "difference_score", "where": "words>=14"},
        table="pairs",
        other=rated,
    )
    (tmp_path / "pairs.csv").write_bytes(dict(archive_files(pairs))["pairs.csv"][0])
    analyse_file("correlation", data=tmp_path / "pairs.csv", given=pairs.params, out=tmp_path / "out2")
    assert (tmp_path / "out2" / "report.json").read_text() == pairs.report


def test_the_weights_of_the_study_make_the_scores_of_table_5(study):
    doubled = [DefaultErrorCode(e.code, e.description, e.weight * 2, e.is_exclusive) for e in scheme_of(study)]
    before = run(study, "incidence", INCIDENCE, table="codings")
    save_scheme(study, doubled, user=study.owner)
    after = run(study, "incidence", INCIDENCE, table="codings")
    assert scores_in(after) == [pytest.approx(2 * score) for score in scores_in(before)]


def scores_in(made):
    table = json.loads(made.report)["tables"][0]
    place = [column["name"] for column in table["columns"]].index("score")
    return [row[place] for row in table["rows"]]
