"""A column whose name begins with metric_ belongs to single texts: neither a factor nor an attribute."""

from __future__ import annotations

import pytest

from experiments.materials import MaterialsFaults, design_from, materials_csv, read_table, store_design
from experiments.materials.reading import read_materials
from experiments.materials.store import design_of
from experiments.models import Study

HEADER = ("item", "text", "marker", "order", "is_filler", "is_practice", "genre", "metric_bleu", "metric_words")


def with_metrics(rows, cell="{n}.5"):
    return [(*row, cell.format(n=number), "" if number % 2 else str(number)) for number, row in enumerate(rows)]


def test_metrics_stand_with_their_text_and_leave_factors_and_attributes_alone(table_from, rows_of, paradigm, design):
    found = design_from(table_from(with_metrics(rows_of()), HEADER), paradigm)
    assert (found.factors, found.lists) == (design.factors, design.lists)
    assert [item.attributes for item in found.items] == [item.attributes for item in design.items]
    first, second = found.items[0].stimuli[:2]
    assert first.extra == {"metric_bleu": "0.5", "metric_words": "0"}
    assert second.extra == {"metric_bleu": "1.5"}
    assert found.warnings == ()


def test_metrics_survive_the_database_and_the_file(draft, table_from, rows_of, paradigm):
    design = design_from(table_from(with_metrics(rows_of()), HEADER), paradigm)
    store_design(draft, design)
    stored = design_of(Study.objects.get(pk=draft.pk))
    again = design_from(read_table(materials_csv(stored).encode(), "materials.csv"), paradigm)
    for made in (stored, again):
        assert [[dict(s.extra) for s in item.stimuli] for item in made.items] == [
            [dict(s.extra) for s in item.stimuli] for item in design.items
        ]


@pytest.mark.parametrize("cell", ["good", "1,5", "nan", "inf", "1_0", "12 %"])
def test_a_metric_that_is_no_number_is_a_fault_of_its_line(table_from, rows_of, paradigm, cell):
    rows = with_metrics(rows_of())
    rows[2] = (*rows[2][:7], cell, "3")
    with pytest.raises(MaterialsFaults) as refusal:
        design_from(table_from(rows, HEADER), paradigm)
    (fault,) = refusal.value.faults
    assert (fault.line, fault.column) == (4, "metric_bleu")
    assert f"'{cell}' is not a number" in fault.message


def test_a_column_of_numbers_under_another_name_describes_each_text_and_one_of_words_is_asked_about(
    table_from, rows_of, paradigm
):
    rows = [(*row, f"{number}.5") for number, row in enumerate(rows_of(n_items=80))]
    found = design_from(table_from(rows, (*HEADER[:7], "bleu")), paradigm)
    assert found.text_attributes == ("bleu",)
    rows = [(*row[:3], f"order {number}", *row[4:]) for number, row in enumerate(rows_of(n_items=80))]
    with pytest.raises(MaterialsFaults) as refusal:
        design_from(table_from(rows, HEADER[:7]), paradigm)
    assert any(
        (
            "A column with a different value in every row is not a factor. Delete it, name the factors, or "
            "begin its name with metric_ if it measures the texts."
        )
        in fault.suggestion
        for fault in refusal.value.faults
    )


def test_a_declared_factor_may_be_called_like_a_metric(table_from, rows_of, paradigm):
    header = tuple("metric_kind" if name == "marker" else name for name in HEADER[:7])
    found = design_from(table_from(rows_of(), header), paradigm, factors=["metric_kind", "order"])
    assert [factor.name for factor in found.factors] == ["metric_kind", "order"]


GERMAN = """item;text;order;metric_bleu;freq
a;Es regnete.;x;0,45;1
a;Es goss.;y;12,5;2,25
b;Es schneite.;x;7;0,5
b;Es taute.;y;−1,5;3
"""


def test_numbers_with_a_decimal_comma_are_read_and_said() -> None:
    table = read_materials(GERMAN.encode())
    assert [row.cells[3:] for row in table.rows] == [("0.45", "1"), ("12.5", "2.25"), ("7", "0.5"), ("-1.5", "3")]
    [step] = [fault for fault in table.warnings if fault.choice == "-decimals"]
    assert "'0,45' is read as 0.45" in step.message
    assert "metric_bleu" in step.message
    assert "freq" in step.message


def test_the_step_can_be_undone_and_leaves_other_commas_alone() -> None:
    assert read_materials(GERMAN.encode(), choices=["-decimals"]).rows[0].cells[3] == "0,45"
    others = b"item;text;size;pair;list\na;One.;1,200;a,b;1,5\nb;Two.;3,000;c,d;2,5\n"
    assert [row.cells[2:] for row in read_materials(others).rows] == [("1,200", "a,b", "1,5"), ("3,000", "c,d", "2,5")]
