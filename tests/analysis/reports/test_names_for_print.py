"""What a researcher calls factors and levels stands wherever a report is shown, and changes no data."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from analysis.exports.reports import labels_of, shown_report
from analysis.methods import registry
from analysis.methods.columns import USUAL
from analysis.methods.report import Column, Figure, Report, Table
from analysis.papers.whole import paper_files
from analysis.reports.figures import specification
from analysis.reports.fixed_words import AFTER, BEFORE, IN_BRACKETS
from analysis.reports.labelled import OWN, cell, labelled
from analysis.reports.labels import Labels
from analysis.studies.planned import standing_of
from experiments.study.labels import save_labels
from tests.analysis.papers.studies import ANOVA, finished, study_of_a_plan

pytestmark = pytest.mark.slow

LABELS = {
    "order": {"label": "Order of clauses", "levels": {"cause-effect": "cause first", "effect-cause": "effect first"}},
    "marker": {"levels": {"because-of": "“because of”"}},
}
FACTORS = {"order": ("ab", "ba"), "marker": ("because", "no")}
CALLED = Labels.of(
    FACTORS, {"order": {"label": "Clause order", "levels": {"ab": "cause first"}}, "marker": {"levels": {"no": "none"}}}
)


@pytest.fixture
def study(db):
    return study_of_a_plan()


@pytest.fixture
def run(study):
    return finished(study, "rm-anova", ANOVA)


@pytest.fixture
def owner(study) -> Client:
    client = Client()
    client.force_login(study.owner)
    return client


def file(client: Client, run, name: str) -> bytes:
    return client.get(reverse("analysis:run_file", args=[run.study.slug, run.pk, name])).content


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("A main effect of order, F(1, 22) = 20.55.", "A main effect of Clause order, F(1, 22) = 20.55."),
        (
            "There was an interaction of marker and order, p < .001.",
            "There was an interaction of marker and Clause order, p < .001.",
        ),
        ("marker and order: minF′(1, 36.71) = 0.52.", "marker and Clause order: minF′(1, 36.71) = 0.52."),
        ("because:ab (M = 0.64) and no:ba (M = 0.29) differed.",
         "because · cause first (M = 0.64) and none · ba (M = 0.29) differed."),
        ("no (M = 0.64) and because (M = 0.29) differed.", "none (M = 0.64) and because (M = 0.29) differed."),
        ("orderba (ba − ab): b = −0.83.", "Clause order: ba (ba − cause first): b = −0.83."),
        ("order1:marker1 ((ab − mean of order) × (no − mean of marker)): b = 1.",
         "Clause order 1 × marker 1 ((cause first − mean of Clause order) × (none − mean of marker)): b = 1."),
        ("levels in this order: marker (because, no) and order (ab, ba).",
         "levels in this order: marker (because, none) and Clause order (cause first, ba)."),
        ("Mean at marker no, order ab", "Mean at marker none, Clause order cause first"),
        ("Groups: ab 12 and ba 11.", "Groups: cause first 12 and ba 11."),
    ],
)  # fmt: skip
def test_names_in_sentences_are_those_for_print(raw: str, shown: str) -> None:
    assert CALLED.text(raw) == shown


@pytest.mark.parametrize(
    "sentence",
    [
        "No test is possible, because no item was seen in order to be judged.",
        "There was no significant difference; there is no other.",
        "Mixed model y ~ marker*order + (1 + order | participant), fitted to 384 rows.",
        "384 values of 'order' were averaged; with no groups, for no item.",
        "Values were ordered, noted and reordered.",
    ],
)
def test_every_other_word_stays_what_it_is(sentence: str) -> None:
    assert CALLED.text(sentence) == sentence


def test_what_two_factors_call_otherwise_stays_as_it_is() -> None:
    labels = Labels.of(
        {"known": ("yes", "no"), "heard": ("yes", "no")},
        {"known": {"levels": {"yes": "read before"}}, "heard": {"levels": {"yes": "with sound"}}},
    )
    assert labels.name("yes") is None
    assert labels.name("yes:no") is None
    columns = (Column("known", "known", "text"), Column("heard", "heard", "text"), Column("level", "Level", "text"))
    report = report_of(columns, ("yes", "yes", "yes"), ("no", None, "no"))
    assert labelled(report, labels).tables[0].rows == (("read before", "with sound", "yes"), ("no", None, "no"))


@pytest.mark.parametrize("name", ["n", "step", "block", "rank", "size", "p", "df"])
def test_numbers_in_a_column_of_a_method_stay_numbers(name: str) -> None:
    labels = Labels.of({name: ("1", "2")}, {name: {"label": "Nouns", "levels": {"1": "one noun", "2": "two nouns"}}})
    for column in (Column(name, name, "integer"), Column(name, name.title(), "integer")):
        report = report_of((column,), (1,), (2,))
        assert labelled(report, labels) == report


def test_a_column_with_anything_but_levels_of_its_factor_stays_as_it_is() -> None:
    labels = Labels.of({"dose": ("1", "2")}, {"dose": {"levels": {"1": "little", "2": "much"}}})
    report = report_of((Column("dose", "dose", "integer"),), (1,), (3,))
    assert labelled(report, labels) == report


def test_columns_that_methods_call_by_their_identifiers_are_known() -> None:
    lacking = {
        str(node.args[0].value)
        for path in sorted(Path("analysis/methods").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Column" and len(node.args) > 1
        if isinstance(node.args[0], ast.Constant) and isinstance(node.args[1], ast.Constant)
        if node.args[0].value == node.args[1].value and node.args[0].value not in OWN
    }
    assert not lacking, f"Add to OWN in analysis/reports/labels.py: {sorted(lacking)}"


def test_what_would_be_called_as_another_keeps_its_own_word() -> None:
    labels = Labels.of(
        {"order": ("ab", "ba", "Cause first"), "marker": ("no",), "Clause order": ("x",)},
        {"order": {"label": "clause order", "levels": {"ab": "cause first", "ba": "ab"}}},
    )
    assert labels.levels["order"] == {"ab": "ab", "ba": "ba", "Cause first": "Cause first"}
    assert labels.names["order"] == "order"


def test_levels_may_have_each_other_s_names() -> None:
    labels = Labels.of({"order": ("ab", "ba")}, {"order": {"levels": {"ab": "ba", "ba": "ab"}}})
    assert labels.levels["order"] == {"ab": "ba", "ba": "ab"}


FREQUENCY = Labels.of(
    {"order": ("high", "low"), "region": ("x", "mean")},
    {"order": {"label": "Order", "levels": {"high": "frequent", "low": "rare"}}, "region": {"levels": {"x": "first"}}},
)


@pytest.mark.parametrize("column", ["meaning", "contrast", "comparison", "hypothesis"])
@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("high − low", "frequent − rare"),
        ("high − mean of order", "frequent − mean of Order"),
        ("(high − mean of low, x) / 3", "(frequent − mean of rare, first) / 3"),
        ("mean of high minus mean of all levels of order", "mean of frequent minus mean of all levels of Order"),
        ("mean − x", "mean − first"),
        ("scores by chance − high", "scores by chance − high"),
    ],
)
def test_both_sides_of_a_difference_have_names(column: str, raw: str, shown: str) -> None:
    assert cell(FREQUENCY, column, raw) == shown


def test_a_difference_behind_a_coefficient_has_names_and_one_in_a_sentence_has_both_or_none() -> None:
    assert FREQUENCY.text("orderlow (low − high): b = 1.") == "Order: rare (rare − frequent): b = 1."
    assert (
        FREQUENCY.text("order1:region1 ((high − mean of order) × (x − mean of region)): b = 1.")
        == "Order 1 × region 1 ((frequent − mean of Order) × (first − mean of region)): b = 1."
    )
    assert FREQUENCY.text("Here low − high is lower.") == "Here low − high is lower."


@pytest.mark.parametrize(
    "sentence",
    [
        "There were differences between items and participants (n = 3).",
        "Fitted with 12 trials, effects of lists and sessions.",
        "trials M = 3, effect of list.",
    ],
)
def test_what_is_counted_in_sentences_is_no_name(sentence: str) -> None:
    counted = ("items", "participants", "trials", "lists", "sessions")
    labels = Labels.of(
        {"list": counted}, {"list": {"label": "Booklet", "levels": {word: f"my {word}" for word in counted}}}
    )
    assert labels.text(sentence) == sentence


@pytest.mark.parametrize("table", ["random", "units", "influence"])
def test_units_of_random_effects_stay_what_they_are(table: str) -> None:
    labels = Labels.of({"item": ("participant",)}, {"item": {"label": "Text", "levels": {"participant": "reader"}}})
    rows = (("item",), ("participant",))
    report = Report("lmm", {}, (Table(table, "T", (Column("group", "Group", "text"),), rows),))
    assert labelled(report, labels).tables[0].rows == rows


def test_a_factor_of_two_words_is_among_those_that_a_report_is_about() -> None:
    labels = Labels.of({"word order": ("ab",), "marker": ("no",)}, {"word order": {"label": "Order"}})
    assert set(labels.within(Report("lmm", {"formula": "y ~ word order + marker"}, ())).names) == {
        "word order",
        "marker",
    }
    assert set(labels.within(Report("lmm", {"within": ["word order"]}, ())).names) == {"word order"}


def test_levels_that_are_numbers_are_called_in_cells_and_keep_their_line() -> None:
    columns = (Column("dose", "dose", "integer"), Column("mean", "Mean"))
    figure = Figure("means", "Mean by dose", "interaction", "cells", {"x": "dose", "y": "mean"}, x_label="dose")
    report = Report(
        "rm-anova", {"within": "dose"}, (Table("cells", "Means", columns, ((1, 0.5), (2, 0.7))),), (figure,)
    )
    labels = Labels.of({"dose": ("1", "2")}, {"dose": {"levels": {"1": "low", "2": "high"}}})
    shown = labelled(report, labels)
    assert shown.table("cells").rows == (("low", 0.5), ("high", 0.7))
    spec = specification(shown, shown.figures[0])
    assert "line" in [layer["mark"]["type"] for layer in spec["layer"]]
    assert spec["encoding"]["x"]["sort"] == ["low", "high"]


def test_without_labels_a_report_is_the_same() -> None:
    report = Report("rm-anova", {}, (Table("t", "T", (Column("effect", "Effect", "text"),), (("order",),)),))
    assert labelled(report, Labels.of(FACTORS, {})) is report


def test_a_report_shows_labels_at_once_and_keeps_its_data(study, run, owner) -> None:
    before = {name: file(owner, run, name) for name in ("report.json", "cells.csv", "anova.csv")}
    page = reverse("analysis:run", args=[study.slug, run.pk])
    assert "Order of clauses" not in owner.get(page).content.decode()
    save_labels(study, LABELS, study.owner)
    shown = owner.get(page).content.decode()
    assert "main effect of Order of clauses" in shown
    assert "marker × Order of clauses" in shown
    assert "effect first" in shown
    assert {name: file(owner, run, name) for name in before} == before
    assert json.loads(before["report.json"])["params"]["within"] == ["marker", "order"]
    assert {"effect-cause", "cause-effect"} == {line["order"] for line in rows_of(before["cells.csv"])}


def test_pictures_show_labels_and_have_another_address(study, run, owner) -> None:
    page = reverse("analysis:run", args=[study.slug, run.pk])
    plain = file(owner, run, "means.svg")
    assert "means.svg?names=" not in owner.get(page).content.decode()
    save_labels(study, LABELS, study.owner)
    first = re.search(r"means\.svg\?names=(\w+)", owner.get(page).content.decode())
    assert file(owner, run, "means.svg") != plain
    save_labels(study, {"order": {"label": "Clauses"}}, study.owner)
    second = re.search(r"means\.svg\?names=(\w+)", owner.get(page).content.decode())
    assert first is not None
    assert second is not None
    assert first[1] != second[1]


def test_every_file_that_shows_labels_has_another_address_and_data_have_not(study, run, owner) -> None:
    page = reverse("analysis:run", args=[study.slug, run.pk])
    assert "names=" not in owner.get(page).content.decode()
    save_labels(study, LABELS, study.owner)
    links = set(re.findall(rf'href="{page}([^"/]+\.[^"/]+)"', owner.get(page).content.decode()))
    named = {link for link in links if "names=" in link}
    assert {re.split(r"[?]", link)[0].rpartition(".")[2] for link in links - named} <= {"csv", "json", "R", "py"}
    assert {"all.zip", "report.html", "methods.docx", "means.png", "means.pdf", "means.svg"} <= {
        link.partition("?")[0] for link in named
    }
    assert all(re.search(r"(\?|\?download=1&amp;)names=\w{8}$", link) for link in named)


def test_axes_legends_and_titles_show_labels(study, run) -> None:
    save_labels(study, LABELS, study.owner)
    run.study.refresh_from_db()
    shown = shown_report(run)
    drawn = json.dumps(specification(shown, shown.figures[0]), ensure_ascii=False)
    assert '"title": "Order of clauses"' in drawn
    assert '"cause first"' in drawn
    assert "cause-effect" not in drawn
    assert "by marker and Order of clauses" in drawn


def test_the_page_to_keep_and_the_archive_show_labels_beside_raw_tables(study, run, owner) -> None:
    save_labels(study, LABELS, study.owner)
    assert "main effect of Order of clauses" in file(owner, run, "report.html").decode()
    with zipfile.ZipFile(io.BytesIO(file(owner, run, "all.zip"))) as archive:
        names = {Path(name).name: name for name in archive.namelist()}
        assert {"effect-cause", "cause-effect"} == {line["order"] for line in rows_of(archive.read(names["cells.csv"]))}
        assert archive.read(names["report.json"]) == run.report.encode()
        assert archive.read(names["means.svg"]) == file(owner, run, "means.svg")


def test_the_paper_shows_labels_and_its_files_of_tables_do_not(study, run) -> None:
    save_labels(study, LABELS, study.owner)
    study.refresh_from_db()
    files = dict(paper_files(study))
    text = files["paper.md"].decode()
    assert "Order of clauses (cause first, effect first)" in text
    assert "main effect of Order of clauses" in text
    assert "marker × Order of clauses" in text
    table = files[f"tables/rm-anova-{run.pk}-anova.csv"]
    assert {line["effect"] for line in rows_of(table)} == {"marker", "order", "marker:order"}


def test_the_methods_paragraph_shows_labels(study, run, owner) -> None:
    save_labels(study, LABELS, study.owner)
    assert "with marker and Order of clauses within participants" in file(owner, run, "methods.txt").decode()
    assert standing_of(run) == "planned"


def test_a_level_that_is_no_longer_there_is_left_alone(study, run) -> None:
    without = shown_report(run)
    study.labels = {"order": {"levels": {"gone": "away"}}, "colour": {"label": "Colour"}}
    assert not labels_of(study)
    assert shown_report(run) == without


def test_words_that_methods_write_where_names_stand_are_known() -> None:
    word = r"[^\W\d_][\w'’-]*"
    several = rf"({word}(?:, {word})*(?: and {word})?)"
    places = {
        **{before: (rf"{re.escape(before)}{several}", fixed) for before, fixed in BEFORE.items()},
        **{after: (rf"{several}(?={re.escape(after)})", fixed) for after, fixed in AFTER.items()},
        "(…)": (rf"\({several}\)", IN_BRACKETS),
    }
    lacking = {
        (place, found)
        for text in texts_of_methods()
        for place, (pattern, fixed) in places.items()
        for match in re.finditer(pattern, text)
        for found in map(str.casefold, re.findall(word, match.group(1)))
        if found not in fixed
    }
    assert not lacking, f"Add to analysis/reports/fixed_words.py: {sorted(lacking)}"


def report_of(columns: tuple[Column, ...], *rows: tuple[object, ...]) -> Report:
    return Report("rm-anova", {}, (Table("cells", "Cells", columns, rows),))


def rows_of(table: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.decode())))


def texts_of_methods() -> Iterator[str]:
    """Yield every text in the sources of methods, what is put into it marked, without what documents them.

    Meanings of tables and columns document, too: no report holds them.
    """
    declared = [table for method in registry.analyses().values() for table in method.tables]
    columns = [*USUAL.values(), *(column for table in declared for column in table.columns)]
    meanings = {text for table in declared for text in (table.meaning, table.when)} | {one.meaning for one in columns}
    for path in sorted(Path("analysis/methods").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
                told.update(map(id, ast.iter_child_nodes(node.body[0])))
            if isinstance(node, ast.JoinedStr):
                told.update(map(id, node.values))
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in told:
                continue
            if node.value not in meanings:
                yield node.value
