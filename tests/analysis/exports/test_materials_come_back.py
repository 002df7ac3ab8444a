"""`materials.csv` of an export is imported again as the same design, whatever stands in its texts."""

from __future__ import annotations

import pytest

from analysis.exports import stream
from experiments.formats.csvtext import csv_text
from experiments.materials import design_from, design_of, read_table, store_design, with_lists
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.procedure.arranging import complete_procedure
from experiments.study.lifecycle import create_study
from experiments.study_files import create_from_toml
from experiments.study_files.examples import example_studies

pytestmark = pytest.mark.django_db
# Texts at which a careless writer or reader of CSV stumbles.
TEXTS = (
    "A comma, a semicolon; and a tab\tstand here.",
    'He said: "It has ""quotes""."',
    "First line.\nSecond line.",
    "=SUM(A1:A2) begins like a formula.",
    "'An apostrophe stands first.",
    "Größe, naïve – “curly”, 日本語, e\u0301 and \U0001f41d.",
    "+1 -1 @home",
    "1e5",
    "TRUE",
    "NULL",
    "0012",
)


def shape(design):
    """Return everything that a design is, without the lines that it came from."""
    return (
        [(factor.name, tuple(factor.levels)) for factor in design.factors],
        [(condition.position, dict(condition.levels)) for condition in design.conditions],
        [
            (
                item.code,
                item.item_set,
                item.is_filler,
                item.is_practice,
                dict(item.attributes),
                [(stimulus.text, stimulus.condition, dict(stimulus.extra)) for stimulus in item.stimuli],
            )
            for item in design.items
        ],
        design.lists,
    )


def exported_and_imported(study, *, variant="plain"):
    task = study.chosen_task
    name = "materials.csv" if task in ("", study.tasks[0].name) else f"materials_{task}.csv"
    content = b"".join(stream(Study.objects.get(pk=study.pk), name, variant=variant))
    factors = [factor["name"] for factor in study.factors]
    design = design_from(read_table(content, "materials.csv"), paradigm_named(study.paradigm), factors=factors)
    return with_lists(design, complete_procedure(study.procedure), paradigm=study.paradigm, settings=study.settings)


@pytest.mark.parametrize("example", example_studies(), ids=lambda example: example.slug)
@pytest.mark.parametrize("variant", ["plain", "excel"])
def test_the_materials_of_every_example_come_back(example, variant, django_user_model):
    user = django_user_model.objects.create_user("ada")
    made = create_from_toml(example.path, user=user, owner=user)
    for study in [made.seen_through(task.name) for task in made.tasks]:
        assert shape(exported_and_imported(study, variant=variant)) == shape(design_of(study))


def test_texts_that_a_careless_reader_breaks_come_back_letter_by_letter(django_user_model):
    user = django_user_model.objects.create_user("ada")
    study = create_study(user=user, owner=user, slug="odd", title="Odd", paradigm="magnitude-estimation")
    rows = [
        [f"{number:03}", f"{text} ({order})", order, "x;y" if number else ""]
        for number, text in enumerate(TEXTS)
        for order in ("one", "two, or more")
    ]
    table = read_table(csv_text(["item", "text", "order", "genre"], rows).encode(), "materials.csv")
    store_design(study, design_from(table, paradigm_named(study.paradigm)))
    study = Study.objects.get(pk=study.pk)
    design = design_of(study)
    assert [item.code for item in design.items][:2] == ["000", "001"]
    assert shape(exported_and_imported(study)) == shape(design)


def test_a_second_round_gives_the_same_bytes(django_user_model):
    user = django_user_model.objects.create_user("ada")
    first = create_from_toml(example_studies()[0].path, user=user, owner=user)
    second = create_study(user=user, owner=user, slug="again", title="Again", paradigm=first.paradigm)
    store_design(second, exported_and_imported(first))
    second.refresh_from_db()
    assert b"".join(stream(second, "materials.csv")) == b"".join(stream(first, "materials.csv"))
