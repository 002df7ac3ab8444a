"""Presets: each begins a study that opens once there are materials, and whose simulated participants finish."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from experiments.languages import LANGUAGES
from experiments.media.storage import copy_files
from experiments.models import Study
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.presets import PRESETS, SEVERAL, offered_presets, preset_named
from experiments.rules.procedure import checked
from experiments.study.lifecycle import open_study, save_details
from experiments.study.opening import opening_faults
from experiments.study_files.toml import create_from_toml
from participants.simulation import simulate
from tests.selection import only_in_full

EXAMPLES = Path(__file__).resolve().parents[3] / "experiments" / "examples"
# The example whose materials fit what is done.
MATERIALS = {
    "lexical-decision": "lexical-decision",
    "masked-priming": "masked-priming",
    "self-paced-reading": "relative-clauses",
    "acceptability-likert": "causal-sentences",
    "acceptability-magnitude": "causal-sentences",
    "ratings": "picture-sentences",
    "cloze": "cloze-sentences",
    "picture-naming": "picture-sentences",
    "maze": "maze-agents",
    "best-worst": "system-ratings",
    "ab-preference": "simplified-sentences",
    "sentence-recall": "sentence-recall",
    "mouse-reading": "mouse-reading",
}
FACTS = {
    "responsible": "Ada",
    "estimated_minutes": 10,
    "contact": "ada@example.org",
    "data_protection_note": "Here, for a year.",
}


@pytest.mark.parametrize("preset", offered_presets(), ids=lambda preset: preset.slug)
@pytest.mark.parametrize("tag", LANGUAGES)
def test_settings_are_those_of_the_paradigm_and_differ_from_its_defaults_by_what_is_said(preset, tag):
    paradigm = paradigm_named(preset.paradigm)
    settings = preset.settings_for(tag)
    values, faults = checked(paradigm.settings_form, settings)
    assert faults == []
    assert {name: values[name] for name in settings} == settings
    assert {**paradigm.complete_settings(settings)}.keys() == paradigm.settings_form.base_fields.keys()


def test_every_paradigm_has_a_card_and_every_card_its_own_name():
    assert {preset.paradigm for preset in offered_presets()} == {paradigm.slug for paradigm in PARADIGMS}
    slugs = [preset.slug for preset in offered_presets()]
    assert len(slugs) == len(set(slugs))
    assert SEVERAL not in slugs
    assert MATERIALS.keys() == {preset.slug for preset in PRESETS}
    with pytest.raises(LookupError):
        preset_named("telepathy")


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.slug)
def test_pictures_have_frames_that_differ_and_stay_inside(preset):
    scene = preset.picture
    assert 2 <= len(scene.frames) <= 6, "The style sheet knows as many frames."
    assert 0 <= scene.still < len(scene.frames)
    assert all(one != other for one, other in zip(scene.frames, scene.frames[1:], strict=False))
    for shape in (*scene.ground, *(shape for frame in scene.frames for shape in frame)):
        width = shape.width if shape.kind == "box" else 0
        assert 0 <= shape.x <= shape.x + width <= 160
        assert 0 <= shape.y <= shape.y + shape.height <= 90


def begun(client: Client, **given: object) -> Study:
    answer = client.post(
        reverse("study:start"), {"way": "task", "title": "Mine", "slug": "mine", "language": "en", **given}
    )
    assert answer.status_code == 302, answer.content.decode()
    return Study.objects.get(slug="mine")


def given_materials(client: Client, study: Study, *, slugs: list[str], user: object) -> None:
    """Give every task the table of an example on the page of the materials, and say what only a researcher can say."""
    for task, slug in zip(study.tasks, slugs, strict=True):
        example = create_from_toml(EXAMPLES / MATERIALS[slug] / "study.toml", user=user)
        copy_files(example, study)
        seen = study.seen_through(task.name if len(slugs) > 1 else "")
        table = (EXAMPLES / MATERIALS[slug] / "materials.csv").read_text(encoding="utf-8")
        if slug == "best-worst":  # fillers of ratings have nothing to be compared with
            table = "".join(line for line in table.splitlines(keepends=True) if not line.rstrip().endswith("true"))
            table = re.sub(r"(?m)^.*,true,false$\n", "", table)
        checked_page = client.post(reverse("study:check_materials", args=[seen.slug]), {"pasted": table})
        assert checked_page.status_code == 200, [str(fault) for fault in checked_page.context["faults"]]
        found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', checked_page.content.decode())
        carried = {name: unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}
        assert (
            client.post(reverse("study:store_materials", args=[seen.slug]), {**carried, "table": table}).status_code
            == 302
        )
        seen = Study.objects.get(pk=study.pk).seen_through(seen.chosen_task)
        if slug == "acceptability-magnitude":
            save_details(seen, {"settings": {**seen.settings, "modulus_text": "The reference."}}, user)
        elif slug == "ratings":
            assert [fault.step for fault in opening_faults(seen) if "no questions" in fault.message] == ["procedure"]
            save_details(seen, {"settings": preset_named("acceptability-likert").settings_for("en")}, user)
    save_details(Study.objects.get(pk=study.pk), FACTS, user)


def opened(client: Client, slugs: list[str]) -> Study:
    """Return an open study that began with presets."""
    user = get_user_model().objects.create_superuser("ada", "ada@example.org", "ada")
    client.force_login(user)
    several = len(slugs) > 1
    study = begun(client, preset=SEVERAL if several else slugs[0], tasks=slugs if several else [])
    assert [task.paradigm for task in study.tasks] == [preset_named(slug).paradigm for slug in slugs]
    given_materials(client, study, slugs=slugs, user=user)
    study = Study.objects.get(pk=study.pk)
    assert [str(fault) for fault in opening_faults(study)] == []
    return open_study(study, user)


SAMPLED = ["acceptability-likert"]
OTHERS = [[preset.slug] for preset in PRESETS if preset.slug not in SAMPLED]
TOGETHER = ["lexical-decision", "self-paced-reading"]


@pytest.mark.parametrize("slugs", OTHERS, ids=str)
def test_a_study_opens_with_the_materials_of_an_example(db: None, client: Client, slugs: list[str]) -> None:
    assert opened(client, slugs).status == Study.Status.OPEN


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "slugs",
    [SAMPLED, TOGETHER, *(only_in_full("participants of a preset who do not finish", slugs) for slugs in OTHERS)],
    ids=str,
)
def test_simulated_participants_finish(client: Client, slugs: list[str]) -> None:
    summary = simulate(opened(client, slugs), participants=2, seed=3)
    assert (summary.finished, summary.dropped_out) == (2, 0)


def test_several_tasks_are_parts_in_their_order_and_one_is_refused(db: None, client: Client) -> None:
    client.force_login(get_user_model().objects.create_superuser("ada", "ada@example.org", "ada"))
    given = {"way": "task", "preset": SEVERAL, "title": "Mine", "slug": "mine", "language": "de"}
    for tasks in ([], ["maze"]):
        answer = client.post(reverse("study:start"), {**given, "tasks": tasks})
        assert answer.status_code == 422
        assert "Choose at least two tasks" in answer.content.decode()
    assert not Study.objects.exists()
    answer = client.post(reverse("study:start"), {**given, "tasks": ["maze", "acceptability-likert"]})
    assert answer["Location"] == reverse("study:parts", args=["mine"])
    study = Study.objects.get()
    assert [(task.name, task.paradigm) for task in study.tasks] == [
        ("maze", "maze"),
        ("acceptability-likert", "rating"),
    ]
    assert study.tasks[1].settings["questions"][0]["text"] == "Wie akzeptabel ist dieser Satz?"
    assert study.texts.filter(kind="instructions").count() == 2


def test_the_page_shows_a_card_with_a_picture_of_every_preset_first(db: None, client: Client) -> None:
    client.force_login(get_user_model().objects.create_superuser("ada", "ada@example.org", "ada"))
    page = client.get(reverse("study:start")).content.decode()
    for preset in offered_presets():
        assert f'name="preset" value="{preset.slug}"' in page
        assert str(preset.label) in page
    assert page.count('<svg class="scene ') == len(offered_presets()) + 1
    # Small: all pictures together are lighter than a photograph of a trial.
    assert sum(map(len, page.split('<svg class="scene ')[1:])) < 60_000
    for way in ("paradigm", "example", "file", "project", "copy"):
        assert f'href="?way={way}"' in page
