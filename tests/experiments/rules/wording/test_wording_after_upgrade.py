"""A study keeps working with its own texts when the interface has got other texts than when they were saved."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from experiments.models import Study
from experiments.rules.interface_texts import written_texts
from experiments.rules.shape import shape_faults
from experiments.rules.wording import known_texts, read_language_file
from experiments.study.lifecycle import copy_study, opening_faults, opening_warnings, save_details
from experiments.study.wording import WordingFaults, language_file_of, save_wording
from experiments.study_files import study_archive
from experiments.study_files.archive import create_from_archive
from experiments.study_files.description import StudyFileFaults
from tests.participants.studies import open_study

LACKS = "pages.next"
GONE = "pages.saidOnceUponATime"


def swahili() -> dict[str, str]:
    """Return a whole language as it was saved by a version with one text less and another one more."""

    def marked(texts: Any) -> Any:
        return f"Neno: {texts}" if isinstance(texts, str) else {key: marked(inner) for key, inner in texts.items()}

    file = {"language": "sw", "direction": "ltr", **marked(written_texts("en"))}
    wording, faults = read_language_file(json.dumps(file).encode(), "en")
    assert faults == []
    return {key: text for key, text in wording.items() if key != LACKS} | {GONE: "Hapo kale"}


@pytest.fixture
def study() -> Study:
    return open_study(wording=swahili())


@pytest.mark.django_db
def test_an_open_study_can_still_be_changed_copied_exported_and_imported(study: Study) -> None:
    changed = save_details(study, {"quota": 30}, None)
    assert (changed.quota, changed.wording) == (30, swahili())
    assert copy_study(changed, "copy", None).wording == swahili()
    again = create_from_archive(study_archive(changed), slug="again")
    assert again.wording == known_texts(swahili())
    assert set(swahili()) - set(again.wording) == {GONE}


@pytest.mark.django_db
def test_before_a_draft_is_opened_what_the_upgrade_changed_is_told_and_keeps_nothing_shut(study: Study) -> None:
    assert opening_warnings(study) == [one for one in opening_warnings(study) if GONE not in str(one)]
    draft = copy_study(study, "copy", None)
    said = [str(fault) for fault in opening_warnings(draft)]
    assert f"1 of the study's own texts are not in the interface: '{GONE}'. Nobody will see them." in said
    assert any(
        one.startswith(f"The study's own wording does not have 1 text of the interface: '{LACKS}'.") for one in said
    )
    assert not [fault for fault in opening_faults(draft) if fault.setting.startswith("wording")]


@pytest.mark.django_db
def test_texts_are_checked_as_a_whole_when_they_are_saved(study: Study) -> None:
    draft = copy_study(study, "copy", None)
    with pytest.raises(WordingFaults) as refused:
        save_wording(draft, swahili(), None)
    assert {fault.setting for fault in refused.value.faults} == {LACKS, GONE}


@pytest.mark.django_db
def test_the_file_of_texts_that_participants_read_can_be_uploaded_again(study: Study) -> None:
    file = language_file_of(study)
    assert read_language_file(json.dumps(file).encode(), "en")[1] == []


@pytest.mark.django_db
def test_an_archive_with_a_text_that_would_not_do_is_still_refused(study: Study) -> None:
    before = zipfile.ZipFile(io.BytesIO(study_archive(study)))
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w") as archive:
        for name in before.namelist():
            content = before.read(name)
            if name == "study.json":
                described = json.loads(content)
                described["wording"]["pages.back"] = "<b>Rudi</b>"
                content = json.dumps(described).encode()
            archive.writestr(name, content)
    with pytest.raises(StudyFileFaults, match="HTML is not possible"):
        create_from_archive(changed.getvalue(), slug="again")


@pytest.mark.parametrize(
    "wording", ["?", {"pages.next": 1}, {"language": "!"}, {"language": 3}, {"language": "sw", "direction": "up"}]
)
def test_a_wording_that_is_no_table_of_texts_is_never_sound(wording: Any) -> None:
    study = Study(slug="one", wording=wording)
    study.paradigm = "rating"
    assert [fault for fault in shape_faults(study) if fault.setting.startswith("wording")]


def test_a_wording_in_a_tag_that_was_taken_once_stays_sound() -> None:
    study = Study(slug="one", wording={"language": "en-12", "direction": "ltr"})
    study.paradigm = "rating"
    assert not [fault for fault in shape_faults(study) if fault.setting.startswith("wording")]
