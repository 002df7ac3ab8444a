"""Comparisons of sounds: what the browser gets, what it must say, and what is exported."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from analysis.codebook.columns import names
from analysis.exports.sheets import sheets_of
from experiments.materials import design_from, read_table, with_lists
from experiments.media.naming import media_state
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.procedure.sessions import plan_session, study_snapshot
from experiments.study.lifecycle import create_study, save_design
from experiments.study.opening import opening_faults
from participants.intake.payloads import payload_faults
from tests.experiments.comparison_sessions import COMPARISON
from tests.media_files import sound, store
from tests.participants.part_studies import add_task

pytestmark = pytest.mark.django_db

TABLE = """item,voice,audio,against_audio,is_filler
rain,high,rain1.wav,,
rain,low,rain2.wav,,
wind,high,wind1.wav,,
wind,low,wind2.wav,,
easy,,clear.wav,noise.wav,true
"""
FILES = ("rain1", "rain2", "wind1", "wind2", "clear", "noise")
ANSWER = {"ranks": [2, 1], "answer_ms": 4900.0, "changes": 0, "layout": "beside"}


def study_with_sounds(**settings: Any) -> Study:
    settings = {"sound": "replay", "sound_check": True, **settings}
    made = create_study(slug="heard", title="Heard", paradigm="comparison", user=None, settings=settings)
    design = design_from(read_table(TABLE.encode(), "materials.csv"), paradigm_named("comparison"))
    save_design(made, with_lists(design, {}, paradigm="comparison", settings=settings), None)
    store(made, **{f"{name}_wav": sound(0.1 + number / 100) for number, name in enumerate(FILES)})
    return Study.objects.get(pk=made.pk)


def planned(study: Study) -> list[Any]:
    """Return the trials of a session that belong to the paradigm: the checks and the comparisons."""
    plans = plan_session(study_snapshot(study, study.lists.first()), seed=1)
    return [plan for plan in plans if plan.plugin in ("sound-check", "headphones-check", "comparison")]


def test_every_option_has_its_sound_and_no_name_of_a_file_reaches_the_browser() -> None:
    study = study_with_sounds()
    check, *plans = planned(study)
    assert check.plugin == "sound-check"
    hashes = {file.name: file.content_hash for file in study.media_files.all()}
    assert len(plans) == 3
    for plan in plans:
        assert [set(option) for option in plan.params["options"]] == [{"text", "audio"}] * 2
        for option, file in zip(plan.params["options"], plan.private["sounds"], strict=True):
            assert (option["audio"]["replay"], hashes[file] in option["audio"]["url"]) == (True, True)
        assert not any(name in json.dumps(plan.params) for name in FILES)
    (filler,) = [plan for plan in plans if not plan.private["conditions"]]
    assert filler.private["sounds"][filler.private["own_place"]] == "clear.wav"
    assert not any("audio" in option for plan in planned(_silent(study)) for option in plan.params["options"])


def _silent(study: Study) -> Study:
    study.settings = {**study.settings, "sound": "none"}
    study.save()
    return Study.objects.get(pk=study.pk)


@pytest.mark.parametrize(("plays", "is_sound"), [([1, 2], True), ([0, 1], True), ([1], False), (None, False)])
def test_plays_are_counted_for_every_sound(plays: list[int] | None, is_sound: bool) -> None:
    plan = planned(study_with_sounds())[1]
    payload = {**ANSWER, **({} if plays is None else {"plays": plays})}
    sent = {"plugin": plan.plugin, "params": plan.params, "private": plan.private, "payload": payload}
    assert (payload_faults(COMPARISON, **sent) == []) is is_sound
    if is_sound and plays:
        rows = COMPARISON.long_rows("options", {**plan.params, **plan.private}, payload, ())
        assert [(row["text"], row["audio"], row["plays"]) for row in rows] == [
            (name, name, played) for name, played in zip(plan.private["sounds"], plays, strict=True)
        ]


def test_options_have_columns_of_sounds_and_none_of_pictures() -> None:
    (sheet,) = [sheet for sheet in sheets_of(study_with_sounds()) if sheet.name == "options"]
    columns = list(names(sheet.columns(Study.objects.get(slug="heard"))))
    assert columns[-2:] == ["audio", "plays"]
    assert "image" not in columns


def test_virtual_participants_hear_what_they_compare() -> None:
    study = study_with_sounds(headphones_check=True)
    virtual = COMPARISON.virtual_participant(random.Random(3), study.settings)
    for plan in planned(study):
        params = {**plan.params, **plan.private}
        payload = virtual.respond(plan.plugin, params, levels={}, item="1", carried={})
        sent = {"plugin": plan.plugin, "params": plan.params, "private": plan.private, "payload": payload}
        assert payload_faults(COMPARISON, **sent) == []
        assert virtual.response_ms(plan.plugin, payload) > 0


def test_sounds_that_are_off_are_said_of_the_task_that_names_them_and_of_no_other() -> None:
    study = study_with_sounds()
    # Magnitude estimation could play sounds, too; its materials name none.
    add_task(study, "sentences")
    study = Study.objects.get(pk=study.pk)
    assert media_state(study).faults == ()
    silent = _silent(study)
    said = [
        str(fault)
        for fault in opening_faults(silent)
        if "', but sounds are switched off in the settings." in str(fault)
    ]
    assert len(said) == 1
    assert said[0].startswith(f"Part '{study.tasks[0].name}': The materials name sounds, such as 'rain1.wav'")
