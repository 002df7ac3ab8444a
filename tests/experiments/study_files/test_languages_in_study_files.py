"""Languages, translations and texts in them in study files: read with their faults, written and read again the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.models import Study
from experiments.study_files import study_archive
from experiments.study_files.archive import create_from_archive
from experiments.study_files.description import StudyFileFaults
from experiments.study_files.toml import create_from_toml
from tests.experiments.study_files.test_sources_in_study_files import HEAD, PARTS, written

pytestmark = pytest.mark.django_db

LANGUAGES = """
[translations.de]
title = "Zwei Quellen"
"parts.about-you.age.label" = "Wie alt sind Sie?"

[translations.de.texts.consent]
body = "Ihre Rechte."
required = ["Ja."]
"""


def with_languages(head: str, languages: str = '["en", "de"]') -> str:
    return f"languages = {languages}\n{head}{LANGUAGES}"


@pytest.mark.parametrize("head", [HEAD, PARTS], ids=["one task", "parts"])
def test_a_file_and_an_archive_hold_the_same(tmp_path: Path, head: str) -> None:
    study = create_from_toml(written(tmp_path, with_languages(head)))
    again = create_from_archive(study_archive(study), slug="again")
    for one in (study, again):
        assert (one.language, one.languages) == ("en", ["de"])
        assert one.translations["de"]["title"] == "Zwei Quellen"
        [text] = one.texts.filter(language="de")
        assert (text.kind, text.body, text.required_boxes) == ("consent", "Ihre Rechte.", ["Ja."])
        assert not text.is_default


def test_instructions_of_a_part_keep_their_part(tmp_path: Path) -> None:
    own = '\n[translations.de.texts."instructions:sentences"]\nbody = "Urteilen Sie."\n'
    study = create_from_toml(written(tmp_path, with_languages(PARTS) + own))
    again = create_from_archive(study_archive(study), slug="again")
    for one in (study, again):
        text = one.texts.get(language="de", kind="instructions")
        assert (text.body, text.part and text.part.name) == ("Urteilen Sie.", "sentences")


@pytest.mark.parametrize(
    ("languages", "said"),
    [
        ('["en", "xx"]', "The platform does not have the language 'xx'."),
        ('["en", "de", "de"]', "The language 'de' appears twice."),
        ('["en"]', "The study has translations into 'de', but not this further language."),
        ('"de"', "'languages' must be a list of tags"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_stored(tmp_path: Path, languages: str, said: str) -> None:
    with pytest.raises(StudyFileFaults) as refused:
        create_from_toml(written(tmp_path, with_languages(HEAD, languages)))
    assert any(said in str(fault) for fault in refused.value.faults)
    assert not Study.objects.exists()
