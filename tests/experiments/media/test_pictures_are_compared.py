"""Comparisons of pictures: what their materials name, what the browser learns, and what is exported of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analysis.codebook.columns import names
from analysis.exports.sheets import sheets_of
from experiments.materials import MaterialsFaults, design_from, materials_csv, read_table, with_lists
from experiments.media.naming import media_state
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.comparison.composing import Rival, against
from experiments.procedure.sessions import plan_session, study_snapshot
from experiments.study.lifecycle import create_study, opening_warnings, save_design
from participants.intake.payloads import payload_faults
from tests.experiments.comparison_sessions import COMPARISON, settings_with, stimuli
from tests.media_files import picture, store

TABLE = """item,style,image,alt,against_image,against_image_alt,is_filler
tree,drawn,tree1.png,A tree.,,,
tree,photo,tree2.png,A tree.,,,
boat,drawn,boat1.png,A boat.,,,
boat,photo,boat2.png,A boat.,,,
easy,,good.png,Sharp.,bad.png,Blurred.,true
"""
FILES = ("tree1", "tree2", "boat1", "boat2", "good", "bad")
ANSWER = {"answer_ms": 900.0, "changes": 0, "layout": "beside"}


def design(table: str = TABLE) -> Any:
    return design_from(read_table(table.encode(), "materials.csv"), paradigm_named("comparison"))


def study_with(table: str = TABLE, **settings: Any) -> Study:
    made = create_study(slug="compared", title="Compared", paradigm="comparison", user=None, settings=settings)
    listed = with_lists(design(table), {}, paradigm="comparison", settings=settings)
    save_design(made, listed, None)
    return Study.objects.get(pk=made.pk)


def study_with_files() -> Study:
    study = study_with()
    store(study, **{f"{name}_png": picture(colour=number) for number, name in enumerate(FILES)})
    return study


def comparisons(study: Study, seed: int = 1) -> list[Any]:
    plans = plan_session(study_snapshot(study, study.lists.first()), seed=seed)
    return [plan for plan in plans if plan.plugin == "comparison"]


def test_pictures_need_no_column_of_texts_and_a_filler_names_the_one_beside_it() -> None:
    made = design()
    assert [stimulus.text for item in made.items for stimulus in item.stimuli] == [""] * 5
    assert made.items[-1].stimuli[0].extra["against_image"] == "bad.png"
    again = design(materials_csv(made))
    assert [stimulus.extra for item in again.items for stimulus in item.stimuli] == [
        stimulus.extra for item in made.items for stimulus in item.stimuli
    ]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("item,style,image,against_image,is_filler\na,x,a.png,,\na,y,b.png,,\nf,,,c.png,true\n", "The text is empty"),
        ("item,style,image,against_image,is_filler\na,x,a.png,,\na,y,b.png,,\nf,,c.png,d.png || dog,true\n",
         "'dog' is not a file name"),
        ("item,text,style,picture\na,One.,x,a.png\na,Two.,y,b.png\n", "from the columns 'image', 'against_image'"),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_or_played_is_said(table: str, said: str) -> None:
    with pytest.raises(MaterialsFaults, match=said):
        design(table)


def test_texts_and_pictures_of_a_filler_stand_together_by_their_places() -> None:
    one = stimuli()[-1].__class__
    both = one(9, "a", is_filler=True, item="f", extra={"against": "b || c", "against_image": "b.png || c.png"})
    assert against(both) == [Rival("b", {"image": (1, "b.png")}), Rival("c", {"image": (2, "c.png")})]
    uneven = one(9, "a", is_filler=True, item="f", extra={"against": "b || c", "against_image": "b.png"})
    settings = settings_with(task="ranking")
    (fault,) = COMPARISON.design_faults([*stimuli(fillers=0, practice=0), uneven], settings)
    assert fault.startswith("Item f has a different number of texts in against than of pictures in against_image.")
    alone = one(9, "", is_filler=True, item="f", extra={"image": "a.png"})
    (fault,) = COMPARISON.design_faults([*stimuli(fillers=0, practice=0), alone], settings_with())
    assert "against_image with the other picture" in fault


@pytest.mark.django_db
def test_missing_and_unused_pictures_and_those_without_a_description_are_said_of_both_columns() -> None:
    study = study_with(TABLE.replace("Blurred.", ""))
    store(study, tree1_png=picture(colour=1), other_png=picture(colour=2), bad_png=picture(colour=3))
    state = media_state(study)
    assert {fault.message for fault in state.faults} == {
        f"Item '{item}': the file '{name}' is missing."
        for item, name in [("tree", "tree2.png"), ("boat", "boat1.png"), ("boat", "boat2.png"), ("easy", "good.png")]
    }
    assert state.unused == ["other.png"]
    assert "'bad.png' has no alternative text" in " ".join(str(warning) for warning in opening_warnings(study))


@pytest.mark.django_db
def test_the_browser_gets_pictures_with_their_descriptions_and_no_name_of_a_file() -> None:
    study = study_with_files()
    hashes = {file.name: file.content_hash for file in study.media_files.all()}
    plans = comparisons(study)
    assert len(plans) == 3
    for plan in plans:
        for option, file in zip(plan.params["options"], plan.private["files"], strict=True):
            assert option["text"] == ""
            assert option["image"]["url"] == f"/s/compared/media/{hashes[file]}.png"
        assert ".png" not in json.dumps(plan.params).replace('.png", "width"', "")
    (filler,) = [plan for plan in plans if not plan.private["conditions"]]
    shown = [option["image"]["alt"] for option in filler.params["options"]]
    assert sorted(shown) == ["Blurred.", "Sharp."]
    assert shown[filler.private["own_place"]] == "Sharp."


@pytest.mark.django_db
def test_trials_and_options_name_the_files_that_were_shown() -> None:
    for plan in comparisons(study_with_files()):
        params, payload = {**plan.params, **plan.private}, {"ranks": [2, 1], **ANSWER}
        sent = {"plugin": plan.plugin, "params": plan.params, "private": plan.private, "payload": payload}
        assert payload_faults(COMPARISON, **sent) == []
        assert COMPARISON.shown_text(params) == " || ".join(plan.private["files"])
        rows = COMPARISON.long_rows("options", params, payload, ())
        assert [(row["text"], row["image"]) for row in rows] == [(file, file) for file in plan.private["files"]]


@pytest.mark.django_db
def test_options_have_the_column_of_pictures_at_their_end_where_there_are_pictures() -> None:
    def columns_of(study: Study) -> list[str]:
        (sheet,) = [sheet for sheet in sheets_of(study) if sheet.name == "options"]
        return list(names(sheet.columns(study)))

    plain = create_study(slug="plain", title="Plain", paradigm="comparison", user=None)
    table = "item,text,style,genre\na,One.,x,tale\na,Two.,y,tale\n"
    save_design(plain, design(table), None)
    without = columns_of(Study.objects.get(pk=plain.pk))
    assert without[-1] == "genre"
    assert "image" not in without
    pictures = columns_of(study_with())
    assert pictures == [name for name in without if name != "genre"] + ["image"]


@pytest.mark.django_db
def test_the_options_of_a_filler_look_alike_to_the_browser() -> None:
    (filler,) = [plan for plan in comparisons(study_with_files()) if not plan.private["conditions"]]
    assert [set(option) for option in filler.params["options"]] == [{"text", "image"}] * 2
    assert filler.private["files"][filler.private["own_place"]] == "good.png"
    assert {option["alt"] for option in (each["image"] for each in filler.params["options"])} == {"Sharp.", "Blurred."}
