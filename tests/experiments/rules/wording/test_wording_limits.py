"""Language files that no study could use are refused by a few sentences, whatever their size and their letters."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from experiments.formats import faults as formats
from experiments.models import Study
from experiments.rules.interface_texts import participants_texts, written_texts
from experiments.rules.wording import read_language_file, read_wording, reading
from experiments.study.lifecycle import create_study, opening_warnings
from experiments.study_files import study_archive
from experiments.study_files.archive import create_from_archive


def refused(given: Any, language: str = "en") -> list[str]:
    data = given if isinstance(given, bytes) else json.dumps(given).encode()
    kept, faults = read_language_file(data, language)
    assert kept == {}
    sentences = [str(fault) for fault in faults]
    "".join(sentences).encode()
    return sentences


@pytest.mark.parametrize(
    "data",
    [
        b'{"language": "en", "pages": {"next": "On \\ud800"}}',
        b'{"language": "en", "pages": {"\\udfff": "On"}}',
        b'{"language": "\\ud800"}',
    ],
)
def test_half_a_character_in_a_file_is_refused(data: bytes) -> None:
    (said,) = refused(data)
    assert "The file contains half a character, such as \\ud83d without its second half." in said


@pytest.mark.parametrize("wording", [{"pages.next": "\ud800"}, {"\ud800": "On"}, {"language": "\ud800"}])
def test_half_a_character_from_elsewhere_is_refused_by_a_sentence_that_can_be_shown(wording: dict[str, str]) -> None:
    kept, faults = read_wording(wording, "en")
    assert (kept, len(faults)) == ({}, 1)
    str(faults[0]).encode()


@pytest.mark.parametrize("letter", ["\u202e", "\ufeff", "\ue000", "\u2060"])
def test_a_letter_that_nobody_sees_is_refused(letter: str) -> None:
    (fault,) = read_wording({"pages.next": f"On{letter}"}, "en")[1]
    assert f"cannot be shown, U+{ord(letter):04X}" in fault.message


@pytest.mark.parametrize(
    "letter",
    [
        "\u200b",
        "\u200c",
        "\u200d",
        "\u200e",
        "\u200f",
        "\u00a0",
        "\u202f",
        "\u00ad",
        "\u2009",
        "\u2067",
        "\u2069",
        "👩‍🔬",
        "ئ",
    ],
)
def test_joiners_marks_of_direction_and_spaces_that_do_not_break_are_taken(letter: str) -> None:
    assert read_wording({"pages.next": f"On{letter}on"}, "en") == ({"pages.next": f"On{letter}on"}, [])


def test_a_file_with_far_more_texts_than_there_are_is_refused_as_a_whole() -> None:
    many = {f"text{n}": "?" for n in range(6 * len(participants_texts("en")) + 1)}
    (said,) = refused({"language": "en", "direction": "ltr", **written_texts("en"), "more": many})
    assert f"the interface has {len(participants_texts('en'))}" in said


def test_of_many_unknown_keys_the_first_get_suggestions_and_the_list_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noted(name: str, known: Iterable[str]) -> str:
        asked.append(name)
        return formats.did_you_mean(name, list(known)[:1])

    monkeypatch.setattr(reading, "did_you_mean", noted)
    many = {f"text{n}": "?" for n in range(1000)}
    said = refused({"language": "en", "direction": "ltr", **written_texts("en"), **many})
    assert len(asked) == 20
    assert (len(said), said[-1]) == (101, "… and 900 more.")


@pytest.mark.parametrize("tag", ["en-12", "zh-yue", "ar-arz", "sw-abc", "sr-latn", "en-gb", "en-٣٣٣", "sw-"])
def test_a_tag_that_browsers_refuse_is_refused(tag: str) -> None:
    kept, faults = read_wording({"language": tag, "direction": "ltr"}, tag[:2])
    assert kept == {}
    assert any("' is not a language tag." in fault.message for fault in faults)


@pytest.mark.parametrize("tag", ["en-GB", "en-001", "de-1996", "sr-Latn", "qu"])
def test_a_tag_that_browsers_take_is_taken(tag: str) -> None:
    said = " ".join(str(fault) for fault in read_wording({"language": tag, "direction": "ltr"}, "en")[1])
    assert "' is not a language tag." not in said


def test_a_key_that_stands_twice_in_a_file_is_told_once_with_its_place() -> None:
    data = json.dumps({"language": "en", "direction": "ltr", **written_texts("en")}, ensure_ascii=False)
    twice = data.replace('"pages": {', '"pages": {"next": "One", "next": "Two", ', 1)
    assert refused(twice.encode()) == ["Setting 'pages.next': The key appears more than once. Keep only one of them."]
    assert refused(b'{"language": "sw", ' + data[1:].encode())[0].startswith("Setting 'language': The key appears")


@pytest.mark.django_db
def test_another_language_of_a_draft_is_taken_and_told_of_before_it_is_opened(researcher: Any) -> None:
    study = create_study(slug="mine", title="Mine", paradigm="rating", user=researcher, owner=researcher)
    study.wording = {"pages.next": "Go on", "pages.uploadingText.one": "One answer is on its way."}
    study.language = "zh"
    study.full_clean()
    study.save()
    said = [str(fault) for fault in opening_warnings(study) if fault.step == "texts"]
    assert any("The study has 2 texts of its own, which appear among texts in Chinese." in one for one in said)
    assert any("1 of the study's own texts would be refused today:" in one and "“one”" in one for one in said)
    again = create_from_archive(study_archive(study), slug="again")
    assert (again.wording, again.language) == (study.wording, "zh")
    study.wording, study.language = {"language": "de-AT", "direction": "ltr", "pages.next": "Weiter"}, "en"
    study.full_clean()
    said = [str(fault) for fault in opening_warnings(study) if fault.step == "texts"]
    assert len([one for one in said if "own wording does not have" in one and " and " in one]) == 1
    Study.objects.filter(pk=study.pk).update(status="open")
    assert not [one for one in opening_warnings(Study.objects.get(pk=study.pk)) if "of its own" in one.message]
