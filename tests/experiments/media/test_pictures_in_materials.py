"""Pictures and sounds in materials: which cells name files, which are missing, and what a session is told of them."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.materials import MaterialsFaults, design_from, materials_csv, read_table
from experiments.media.naming import media_state
from experiments.models import MediaFile, Study
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.procedure.sessions import plan_session, study_snapshot
from experiments.study.lifecycle import (
    copy_study,
    create_study,
    delete_draft,
    open_study,
    opening_warnings,
    save_design,
)
from tests.media_files import picture, sound, store

TABLE = "item,text,size,image,audio,alt\na,,small,dog.png,,A dog.\na,The dog.,large,Dog2.png,,\n"


def design(paradigm: str, table: str = TABLE) -> Any:
    return design_from(read_table(table.encode(), "materials.csv"), paradigm_named(paradigm))


def study_with(paradigm: str, table: str, **settings: Any) -> Study:
    made = create_study(slug="pictures", title="Pictures", paradigm=paradigm, user=None, settings=settings)
    save_design(made, design(paradigm, table), None)
    return Study.objects.get(pk=made.pk)


@pytest.mark.parametrize("paradigm", ["magnitude-estimation", "rating"])
def test_a_text_may_be_empty_beside_a_picture(paradigm: str) -> None:
    first, second = design(paradigm).items[0].stimuli
    assert (first.text, first.extra) == ("", {"image": "dog.png", "alt": "A dog."})
    assert (second.text, second.extra) == ("The dog.", {"image": "Dog2.png"})


def test_a_table_of_pictures_alone_needs_no_column_of_texts() -> None:
    made = design("rating", "item,size,image\na,small,dog.png\na,large,cat.png\n")
    assert [stimulus.text for stimulus in made.items[0].stimuli] == ["", ""]
    again = design("rating", materials_csv(made))
    assert (again.items, again.factors) == (made.items, made.factors) or [
        (stimulus.text, stimulus.extra) for stimulus in again.items[0].stimuli
    ] == [(stimulus.text, stimulus.extra) for stimulus in made.items[0].stimuli]


def test_a_row_without_text_and_picture_is_a_fault_and_so_is_a_cell_that_names_no_file() -> None:
    with pytest.raises(MaterialsFaults) as found:
        design("rating", "item,text,size,image\na,,small,\na,x,large,dog\n")
    assert {(fault.line, fault.column) for fault in found.value.faults} == {(2, "text"), (3, "image")}


@pytest.mark.parametrize("paradigm", ["self-paced-reading", "mouse-contingent-reading", "sentence-recall"])
def test_paradigms_of_texts_alone_refuse_pictures_with_a_sentence(paradigm: str) -> None:
    assert next(known for known in PARADIGMS if known.slug == paradigm).media_columns == {}
    with pytest.raises(MaterialsFaults, match=f"'{paradigm}' show none"):
        design(paradigm, "item,text,size,image\na,One two.,small,dog.png\na,Three four.,large,cat.png\n")


def test_a_factor_of_the_name_image_stays_one_where_it_was_declared() -> None:
    table = read_table(b"item,text,image\na,One.,vague\na,Two.,clear\n", "materials.csv")
    made = design_from(table, paradigm_named("rating"), factors={"image": ["vague", "clear"]})
    assert made.factors[0].levels == ("vague", "clear")


@pytest.mark.django_db
def test_missing_and_unused_files_are_said_all_at_once() -> None:
    study = study_with("rating", TABLE)
    store(study, dog_png=picture(), dog2_png=picture(colour=9), cat_png=picture(colour=7))
    state = media_state(study)
    (fault,) = state.faults
    assert (fault.column, fault.step) == ("image", "materials")
    assert "'Dog2.png' is missing" in str(fault)
    assert "Did you mean 'dog2.png'? Capital letters count." in str(fault)
    assert state.unused == ["cat.png", "dog2.png"]
    said = " ".join(str(warning) for warning in opening_warnings(study))
    assert "'cat.png', 'dog2.png'" in said
    assert "'Dog2.png' has no alternative text" in said


@pytest.mark.django_db
def test_a_sound_where_a_picture_belongs_and_sounds_that_are_off_are_faults() -> None:
    study = study_with("rating", "item,size,image,audio\na,small,tone.wav,tone.wav\na,large,dog.png,tone.wav\n")
    store(study, dog_png=picture(), tone_wav=sound())
    said = " ".join(str(fault) for fault in media_state(study).faults)
    assert "'tone.wav' is a sound" in said
    assert "', but sounds are switched off in the settings." in said


@pytest.mark.django_db
def test_a_session_is_told_where_its_files_are_and_how_large() -> None:
    table = "item,text,size,image,audio,alt\na,,small,dog.png,tone.wav,A dog.\na,,large,dog.png,tone.wav,A dog.\n"
    study = study_with("rating", table, sound="replay", sound_check=True)
    store(study, dog_png=picture(size=(40, 30)), tone_wav=sound(0.5))
    trials = plan_session(study_snapshot(study, study.lists.first()), seed=1)
    check, trial = (next(t for t in trials if t.plugin == plugin) for plugin in ("sound-check", "rating"))
    assert len(check.params["tones"]) == 3
    image = study.media_files.get(name="dog.png")
    assert trial.params["images"] == [
        {
            "kind": "image", "url": f"/s/pictures/media/{image.content_hash}.png",
            "width": 40, "height": 30, "alt": "A dog.",
        }
    ]  # fmt: skip
    assert (trial.params["audio"]["duration_ms"], trial.params["audio"]["replay"]) == (500, True)


@pytest.mark.django_db
def test_a_copy_has_the_files_and_deleting_the_last_study_deletes_them(
    django_capture_on_commit_callbacks: Any,
) -> None:
    from django.core.files.storage import default_storage

    from experiments.media.storage import stored_name

    study = study_with("rating", TABLE)
    with django_capture_on_commit_callbacks(execute=True):
        store(study, dog_png=picture(colour=201))
    row = MediaFile.objects.get(study=study)
    kept = stored_name(row.content_hash, row.extension)
    copy = copy_study(study, "copy-of-pictures", None)
    assert copy.media_files.get().content_hash == row.content_hash
    with django_capture_on_commit_callbacks(execute=True):
        delete_draft(study, None)
    assert default_storage.exists(kept)
    with django_capture_on_commit_callbacks(execute=True):
        delete_draft(copy, None)
    assert not default_storage.exists(kept)


@pytest.mark.django_db
def test_a_study_with_a_missing_file_does_not_open() -> None:
    from experiments.study.refusals import NotReady

    with pytest.raises(NotReady, match=r"dog\.png' is missing"):
        open_study(study_with("rating", TABLE), None)


@pytest.mark.django_db
def test_a_name_of_a_file_in_the_prime_is_a_picture_where_it_is_there_and_else_a_missing_file() -> None:
    table = "item,text,relation,prime\na,kettle,same,kettle.png\na,kettle,other,candle\n"
    study = study_with("timed-choice", table, answers="no | f\nyes | j", scored=False, prime_ms=50)
    (fault,) = media_state(study).faults
    assert [part in str(fault) for part in ("'kettle.png' is a file name", "prime", "candle")] == [
        True,
        True,
        False,
    ]
    store(study, kettle_png=picture())
    study = Study.objects.get(pk=study.pk)
    assert media_state(study).faults == ()
    assert not any("alternative" in str(warning) for warning in media_state(study).warnings)
    primes = []
    for seed, stimulus_list in enumerate(study.task.lists.order_by("index")):
        trials = plan_session(study_snapshot(study, stimulus_list), seed=seed)
        primes += [
            display for trial in trials for display in trial.params.get("displays", ()) if display["kind"] == "prime"
        ]
    (pictured,) = [display for display in primes if "image" in display]
    (written,) = [display for display in primes if "image" not in display]
    assert (pictured["text"], pictured["image"]["width"], written["text"]) == ("", 12, "candle")


@pytest.mark.django_db
def test_a_file_that_a_setting_names_is_looked_for_too() -> None:
    table = "item,text,relation\na,kettle,same\na,candle,other\n"
    settings = {"answers": "no | f\nyes | j", "scored": False, "forward_mask": "mask.png", "forward_mask_ms": 80}
    study = study_with("timed-choice", table, **settings)
    (fault,) = media_state(study).faults
    assert "mask.png" in str(fault)
    store(study, mask_png=picture())
    snapshot = study_snapshot(Study.objects.get(pk=study.pk), study.task.lists.first())
    (trial,) = [trial for trial in plan_session(snapshot, seed=1) if trial.plugin == "timed-choice"]
    assert [display.get("image", {}).get("width") for display in trial.params["displays"]] == [None, 12]


COLOURED = "item,text,kind,text_colour,text_size\na,red,same,#C00000,150%\na,green,other,{colour},{size}\n"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "paradigm",
    ["timed-choice", "rating", "magnitude-estimation", "typed-production", "sentence-recall", "self-paced-reading"],
)
def test_colour_and_size_of_a_text_go_to_its_trial_in_every_paradigm_of_one_text(paradigm: str) -> None:
    study = study_with(paradigm, COLOURED.format(colour="green", size=""))
    looks = []
    for stimulus_list in study.task.lists.order_by("index"):
        trials = plan_session(study_snapshot(study, stimulus_list), seed=1)
        looks += [trial.params["look"] for trial in trials if "look" in trial.params]
        assert all("look" not in trial.params for trial in trials if trial.stimulus_id is None)
    assert sorted(looks, key=str) == [{"colour": "#008000"}, {"colour": "#c00000", "size": 1.5}]


def test_what_is_no_colour_and_no_size_is_a_fault_and_what_is_hard_to_read_is_pointed_out_once() -> None:
    with pytest.raises(MaterialsFaults) as found:
        design("timed-choice", COLOURED.format(colour="rot", size="large"))
    assert {(fault.line, fault.column) for fault in found.value.faults} == {(3, "text_colour"), (3, "text_size")}
    pale = COLOURED.format(colour="yellow", size="2") + "b,x,same,yellow,\nb,y,other,Yellow,\n"
    said = [warning for warning in design("timed-choice", pale).warnings if warning.column == "text_colour"]
    assert [(warning.line, "1.1 : 1" in str(warning)) for warning in said] == [(3, True)]


def test_a_colour_that_was_declared_as_a_factor_stays_one() -> None:
    table = "item,text,text_colour\na,x,red\na,x,blue\n"
    made = design_from(read_table(table.encode(), "t.csv"), paradigm_named("timed-choice"), factors=["text_colour"])
    assert [factor.name for factor in made.factors] == ["text_colour"]
