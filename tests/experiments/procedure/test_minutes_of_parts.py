"""How long each part takes: estimated from its trials, and summed for every group; copies bring their files along."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from experiments.models import MediaFile, Part, Study
from experiments.procedure.durations import durations_of, estimated_minutes, totals_of
from experiments.procedure.sessions import estimated_duration, study_snapshot
from experiments.study.parts import copy_part
from experiments.study.refusals import LifecycleRefusal
from experiments.study_files.examples import example_studies
from experiments.study_files.toml import create_from_toml

pytestmark = pytest.mark.django_db


def example(slug: str) -> Study:
    user, _new = get_user_model().objects.get_or_create(username="ada", is_staff=True, is_superuser=True)
    path = next(one.path for one in example_studies() if one.slug == slug)
    return create_from_toml(path, user=user, owner=user)


def test_a_study_of_one_task_takes_as_long_as_its_only_task() -> None:
    study = example("lexical-decision")
    shown = study.lists.first()
    assert shown is not None
    assert estimated_minutes(study) == estimated_duration(study_snapshot(study, shown)).minutes


def test_every_part_has_its_seconds_and_every_group_its_sum() -> None:
    study = example("words-and-sentences")
    durations = durations_of(study)
    # 2 practice and 16 other strings at 3 s; 30 words of instructions at 180 a minute.
    assert durations["words"].seconds == pytest.approx(18 * 3 + 30 / 180 * 60)
    assert durations["background"].seconds == 4 * 8
    totals = {total.group: total for total in totals_of(study, durations)}
    assert set(totals) == {"reading", "picturing"}
    assert totals["picturing"].seconds - totals["reading"].seconds == pytest.approx(durations["picture-it"].seconds)
    assert estimated_minutes(study) == totals["picturing"].minutes
    Part.objects.create(study=study, name="empty", paradigm="rating", position=9)
    study.refresh_from_db()
    assert "empty" not in durations_of(study)
    assert not any(total.is_complete for total in totals_of(study, durations_of(study)))
    assert estimated_minutes(study) is None


def test_a_task_copied_from_another_study_brings_its_pictures_and_sounds() -> None:
    source, target = example("shapes-and-tones"), example("words-and-sentences")
    copy_part(target, next(part for part in source.ordered_parts if part.name == "ratings"), "shapes", source.owner)
    names = set(MediaFile.objects.filter(study=source).values_list("name", flat=True))
    assert set(MediaFile.objects.filter(study=target).values_list("name", flat=True)) == names
    copied = Study.objects.get(pk=target.pk).seen_through("shapes")
    assert copied.items.count() == 5


def test_a_copy_whose_files_have_the_names_of_others_is_refused() -> None:
    source, target = example("shapes-and-tones"), example("words-and-sentences")
    MediaFile.objects.create(
        study=target, name="fifth-pure.wav", kind="audio", extension="wav", content_hash="0" * 64, size=1
    )
    with pytest.raises(LifecycleRefusal, match=r"fifth-pure\.wav"):
        copy_part(target, next(part for part in source.ordered_parts if part.name == "ratings"), "shapes", source.owner)
    assert not Part.objects.filter(study=target, name="shapes").exists()
